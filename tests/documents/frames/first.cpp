struct message {
    int source, tag;
    unsigned long bytes;
};
static void eager(const message&) {}
static void rendezvous(const message&) {}
@block@
int main() {}
