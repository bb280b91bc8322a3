#include <cstdio>

int main() {
@block@
}
