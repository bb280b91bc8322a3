// Trees that are registered while others look, each with a number in its names.
#pragma once

#include "../variables.hpp"

#include <string>

struct [[gnu::visibility("hidden")]] late_tree : mpit::descriptor::category {
    std::string counter_name, control_name;
    mpit::counter<> counter;
    mpit::control<colour> control;
    late_tree(const char* called, int number)
        : category{called, "Enrolled while others look"},
          counter_name{"late_counter_" + std::to_string(number)},
          control_name{"LATE_CONTROL_" + std::to_string(number)},
          counter{this, mpit::core::checked_name{counter_name.c_str()}, "A counter"},
          control{this, mpit::core::checked_name{control_name.c_str()}, "A colour"} {}
};
