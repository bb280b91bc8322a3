// Initial values from the environment: a control variable takes the value of the environment variable that bears its name,
// or the name that its declaration gives. What cannot be used is reported, and the declared value stays.
//
//   EAGER_LIMIT=1024 ./program
#pragma once

#include <mpit/index/anchor.hpp>

extern "C" {
extern char** environ;
}

namespace mpit::index {

inline void take_from_environment(process_index& index, describe::control& variable, const char* value) noexcept {
    if (variable.scope == scope::constant || variable.binding != binding::none) return;
    if (variable.operations->parse(variable, value) != result::success)
        report(index.reports_to.load(), "%s=%.200s in the environment is not a value of the control variable %s, which keeps its initial value",
               variable.environment, value, variable.name.characters);
}

// Whether the variable is asked for under its own name, so that one walk over the environment serves all of them.
inline bool is_called_like_its_environment(const describe::control& variable) noexcept {
    return variable.environment == variable.name.characters;
}

// Serves the control variables that `wanted` admits, out of those that bear the name of an environment variable.
template <class Wanted> void take_all_from_environment(process_index& index, Wanted wanted) noexcept {
    if (environ == nullptr) return;
    for (char** entry = environ; *entry != nullptr; entry++) {
        const char* equals = std::strchr(*entry, '=');
        if (equals == nullptr) continue;
        const text name{*entry, static_cast<std::uint32_t>(equals - *entry)};
        const auto* found = static_cast<const variable_record*>(index.find(kind::control, name));
        if (found == nullptr || !wanted(*found)) continue;
        auto* variable = static_cast<describe::control*>(found->live.load());
        if (variable != nullptr && is_called_like_its_environment(*variable))
            take_from_environment(index, *variable, equals + 1);
    }
}

} // namespace mpit::index
