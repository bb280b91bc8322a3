// SPDX-License-Identifier: BSD-3-Clause
// Initial values from the environment: a control variable takes the value of the environment variable of its name, of
// the name in its declaration, or of its former name. If it rejects that value, the declared one stays until the
// resolver tries the other settings.
//
//   const environment_filter filter;   if (take_from_environment(item, filter)) …
#pragma once

#include <mpit/config/adopted_values.hpp>

#include <cstdlib>
#include <sys/auxv.h>

extern "C" {
extern char** environ;
}

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

inline text name_of_entry(const char* entry) noexcept {
    const char* equals = std::strchr(entry, '=');
    return {entry, equals == nullptr ? 0 : static_cast<std::uint32_t>(equals - entry)};
}

// The environment as far as this library reads it. In a program with more rights than its caller (AT_SECURE: setuid, setgid,
// file capabilities) it belongs to the caller, and nothing of it is read.
inline char** entries_of_environment() noexcept { return getauxval(AT_SECURE) != 0 ? nullptr : environ; }
inline const char* value_in_environment(const char* name) noexcept {
    return getauxval(AT_SECURE) != 0 ? nullptr : std::getenv(name);
}

// The keys of the names of the environment: most variables are not there, and learn it in one step.
class environment_filter {
public:
    [[gnu::cold]] environment_filter() noexcept {
        for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++) {
            const std::uint32_t key = core::scan(name_of_entry(*entry)).key;
            bits_[key / 64 % words] |= std::uint64_t{1} << key % 64;
        }
    }
    bool may_have(std::uint32_t key) const noexcept { return (bits_[key / 64 % words] >> key % 64 & 1) != 0; }

private:
    static constexpr std::size_t words = 64;
    std::uint64_t bits_[words]{};
};

// For a name that may be there, or a variable of which there is more to say than its name.
[[gnu::cold, gnu::noinline]] inline bool take_what_is_there(descriptor::control& variable,
                                                            const environment_filter& filter) noexcept {
    const char* name = variable.environment;
    if (!variable.has_one_name && variable.operations->keep_initial != nullptr && variable.provenance_word.load() == 0)
        variable.operations->keep_initial(variable);
    const bool has_history = variable.former_name != nullptr || variable.deprecation != nullptr;
    if (name == variable.name.characters && !has_history && !filter.may_have(variable.key)) return false;
    const char* value = *name == '\0' ? nullptr : value_in_environment(name);
    if (value == nullptr && *name != '\0' && (name = variable.former_name) != nullptr)
        value = value_in_environment(name);
    if (value == nullptr) return false;
    if (variable.scope == scope::constant ||
        variable.operations->parse(variable, value, false) != descriptor::apply_result::taken)
        return true;
    const char* const place = name == variable.name.characters ? nullptr : name;
    variable.provenance_word.store(descriptor::provenance{origin::environment, place}.word());
    keep_fingerprint(variable);
    return has_history;
}
// Whether there is something to say of the value that the environment has for a control variable: it was not taken, or came
// under a former name, or the variable is deprecated.
inline bool take_from_environment(descriptor::item& each, const environment_filter& filter) noexcept {
    if (each.item_kind != descriptor::kind::control) return false;
    auto& variable = static_cast<descriptor::control&>(each);
    return (!variable.has_one_name || filter.may_have(variable.key)) && take_what_is_there(variable, filter);
}

} // namespace registry
} // namespace mpit
