@block@

int main(void) {
    list();
    return 0;
}
