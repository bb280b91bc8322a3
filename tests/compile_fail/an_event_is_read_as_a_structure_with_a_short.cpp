// EXPECT: a member of a payload must be int, unsigned, unsigned long, unsigned long long, double, long
#include <mpit/tool.hpp>

struct message {
    short tag;
};

int main() {
    const mpit::tool::library<> interface;
    return interface.on<message>("arrival", [](const message&) {}).status() == mpit::result::success;
}
