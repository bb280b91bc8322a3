// What a tool sees of the variables that the block declares.
#include <mpit/tool.hpp>

#include <cstdio>

int main() {
    using mpit::tool::any_value;
    mpit::tool::library<> interface;
    auto session = interface.session();
    for (const auto& each : interface.controls()) {
        any_value value;
        if (interface.control<any_value>(each.number).read(value) == mpit::result::success)
            std::printf("%s = %s (%s, %s)\n", each.name.c_str(), text_of(value, each.enumeration).c_str(),
                        name_of(each.scope), name_of(each.verbosity));
    }
    for (const auto& each : interface.performances()) {
        any_value value;
        if (session.performance<any_value>(each.number).read(value) == mpit::result::success)
            std::printf("%s: %s of %s (%s)\n", each.name.c_str(), name_of(each.variable_class),
                        each.description.c_str(), name_of(each.verbosity));
    }
}
