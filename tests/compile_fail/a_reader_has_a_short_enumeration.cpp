// EXPECT: an enumeration of a tool must have the size of int
#include <mpit/tool.hpp>

enum class lamp : unsigned char { off, on };

int main() {
    const mpit::tool::library<> interface;
    return interface.control<lamp>("LAMP").status() == mpit::result::success;
}
