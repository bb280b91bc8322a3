// EXPECT: an enumeration of a tool is as wide as int
#include <mpit/tool.hpp>

enum class lamp : unsigned char { off, on };

int main() {
    const mpit::tool::library<> interface;
    return interface.control<lamp>("LAMP").answer() == mpit::result::success;
}
