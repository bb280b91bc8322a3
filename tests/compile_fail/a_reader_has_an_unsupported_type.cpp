// EXPECT: a variable must be read as a number, an enumeration, bool, std::string, std::array or std::vector of numbers, or mpit::tool::any_value
// EACH: float | short | const char* | std::array<float, 2> | std::vector<std::string>
#include <mpit/tool.hpp>

template <class T> struct of { using type = T; };

int main() {
    const mpit::tool::library<> interface;
    return interface.control<of<EACH>::type>("LIMIT").status() == mpit::result::success;
}
