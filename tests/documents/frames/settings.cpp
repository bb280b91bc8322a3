#include <mpit/info.hpp>

int main(int argc, char** argv) {
    const mpit::info hints;
@block@
}
