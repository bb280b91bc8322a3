// Initial values from the environment: a control variable takes the value of the environment variable that bears its name,
// or the name that its declaration gives. Where it cannot take that, the declared value stays.
//
//   const environment_filter filter;   if (take_from_environment(item, filter) != describe::intake::taken) …
#pragma once

#include <mpit/describe/descriptor.hpp>

#include <cstdlib>

extern "C" {
extern char** environ;
}

namespace mpit::inline v0_1::index {

using base::text;

inline text name_of_entry(const char* entry) noexcept {
    const char* equals = std::strchr(entry, '=');
    return {entry, equals == nullptr ? 0 : static_cast<std::uint32_t>(equals - entry)};
}

// The keys of the names of the environment: most variables are not there, and learn it in one step.
class environment_filter {
public:
    [[gnu::cold]] environment_filter() noexcept {
        for (char** entry = environ; entry != nullptr && *entry != nullptr; entry++) {
            const std::uint32_t key = base::scan(name_of_entry(*entry)).key;
            bits_[key / 64 % words] |= std::uint64_t{1} << key % 64;
        }
    }
    bool may_have(std::uint32_t key) const noexcept { return (bits_[key / 64 % words] >> key % 64 & 1) != 0; }

private:
    static constexpr std::size_t words = 64;
    std::uint64_t bits_[words]{};
};

// For a name that may be there.
[[gnu::cold]] inline describe::intake take_what_is_there(describe::control& variable) noexcept {
    const char* value = *variable.environment == '\0' ? nullptr : std::getenv(variable.environment);
    if (value == nullptr) return describe::intake::taken;
    if (variable.scope == scope::constant) return describe::intake::is_constant;
    const describe::intake answer = variable.operations->parse(variable, value);
    if (answer == describe::intake::taken) variable.origin.store(origin::environment);
    return answer;
}
// What became of the value that the environment has for a control variable; also `taken` where it has none, and for all that
// takes no value.
inline describe::intake take_from_environment(describe::item& each, const environment_filter& filter) noexcept {
    if (each.of != describe::kind::control) return describe::intake::taken;
    auto& variable = static_cast<describe::control&>(each);
    const bool has_its_name = variable.environment == variable.name.characters;
    if (has_its_name && !filter.may_have(variable.key)) return describe::intake::taken;
    return take_what_is_there(variable);
}

} // namespace mpit::index
