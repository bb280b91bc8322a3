// SPDX-License-Identifier: BSD-3-Clause
// Initial values from the environment: a control variable takes the value of the environment variable of its name, of
// the first name of its list that is set, or of its former name. If it rejects all of them, the declared one stays
// until the resolver tries the other settings.
//
//   const environment_filter filter;   if (filter.may_be_set(variable) && take_from_environment(variable, filter)) …
#pragma once

#include <mpit/config/adopted_values.hpp>
#include <mpit/descriptor/asked_names.hpp>

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

// The environment as far as this library reads it. In a program with more rights than its caller (AT_SECURE: setuid,
// setgid, file capabilities) it belongs to the caller, and nothing of it is read.
inline char** entries_of_environment() noexcept { return getauxval(AT_SECURE) != 0 ? nullptr : environ; }
// As getenv() does it, without a call: the loader would search for that function in each process, which costs 900
// instructions.
[[gnu::cold, gnu::noinline]] inline const char* value_in_environment(const char* name) noexcept {
    if (*name == '\0') return nullptr;
    for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++) {
        if (**entry != *name) continue;
        const char* rest = *entry + 1;
        const char* wanted = name + 1;
        while (*wanted != '\0' && *rest == *wanted) rest++, wanted++;
        if (*wanted == '\0' && *rest == '=') return rest + 1;
    }
    return nullptr;
}

// Which names the environment may have: the first two characters tell it of most, and the keys of whole names of the
// others. Both are computed when the first one is asked for.
class environment_filter {
public:
    environment_filter() noexcept {}
    bool may_have(text name, std::uint32_t key) const noexcept {
        return may_begin_as(name.characters) && may_have(key);
    }
    [[gnu::cold, gnu::noinline]] bool may_have(std::uint32_t key) const noexcept {
        if (!has_keys_) add_keys();
        return (bits_[key / 64 % words] >> key % 64 & 1) != 0;
    }
    // Whether an item is a control variable that the environment may have a value for. Most have none, and cost a look
    // into a table of bits.
    bool may_be_set(const descriptor::item& each) const noexcept {
        if (each.item_kind != descriptor::kind::control) return false;
        return !static_cast<const descriptor::control&>(each).has_one_name || may_begin_as(each.name.characters);
    }
    // Of the names of a policy, whether an entry begins as one of them: most environments have none for hundreds of
    // variables.
    [[gnu::cold, gnu::noinline]] bool may_have_names_of(const descriptor::control& variable) const noexcept {
        if (variable.rules == nullptr || variable.environment != variable.rules->environment) return true;
        if (list_ != variable.environment) is_in_use_ = is_in_use(list_ = variable.environment);
        return is_in_use_;
    }

private:
    bool may_begin_as(const char* name) const noexcept {
        if (!has_begins_) add_begins();
        return (begins_[*name & 63] & bit_of_second(name)) != 0;
    }
    // Of the word that the first character chooses. Most of what an entry costs at load.
    static std::uint64_t bit_of_second(const char* name) noexcept {
        return *name == '\0' ? 1 : std::uint64_t{1} << (name[1] & 63);
    }
    [[gnu::cold, gnu::noinline]] void add_begins() const noexcept {
        std::memset(begins_, 0, sizeof begins_);
        for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++)
            begins_[**entry & 63] |= bit_of_second(*entry);
        has_begins_ = true;
    }
    // core::scan() has other callers, and stays inline here.
    [[gnu::cold, gnu::noinline, gnu::flatten]] void add_keys() const noexcept {
        std::memset(bits_, 0, sizeof bits_);
        for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++) {
            const std::uint32_t key = core::scan(name_of_entry(*entry)).key;
            bits_[key / 64 % words] |= std::uint64_t{1} << key % 64;
        }
        has_keys_ = true;
    }
    // Most entries have another first letter.
    [[gnu::cold]] static bool is_in_use(const char* list) noexcept {
        std::uint32_t first_letters = 0;
        const char* rest = list;
        for (text name = core::take_spelling(rest); name.length != 0; name = core::take_spelling(rest))
            first_letters |= core::bit_of_letter(*name.characters);
        for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++)
            if ((first_letters & core::bit_of_letter(**entry)) != 0 && begins_as_one_of(*entry, list)) return true;
        return (first_letters & core::bit_of_letter('*')) != 0; // a name that begins with a star begins as any entry
    }
    [[gnu::cold]] static bool begins_as_one_of(const char* entry, const char* list) noexcept {
        for (text name = core::take_spelling(list); name.length != 0; name = core::take_spelling(list))
            if (std::strncmp(entry, name.characters, std::strcspn(name.characters, "* ,")) == 0) return true;
        return false;
    }

    static constexpr std::size_t words = 64;
    mutable std::uint64_t begins_[words], bits_[words]; // once the next ones say so
    mutable bool has_begins_ = false, has_keys_ = false;
    mutable const char* list_ = nullptr; // the last list that was looked at
    mutable bool is_in_use_ = false;
};

// For a name that may be there, or a variable of which there is more to say than its name.
[[gnu::cold, gnu::noinline]] inline bool take_what_is_there(descriptor::control& variable,
                                                            const environment_filter& filter) noexcept {
    if (!variable.has_one_name) {
        const descriptor::provenance held{variable.provenance_word.load()}; // its library has given it
        if (held.word() != 0 && held.origin() != origin::configuration) return false;
        if (held.word() == 0 && variable.is_adopted) descriptor::keep_initial(variable);
    }
    bool is_there = false, has_more_to_say = false;
    const char* taken = nullptr;
    const auto take = [&](const char* value, const char* place) {
        is_there = true;
        if (taken != nullptr) has_more_to_say = has_more_to_say || std::strcmp(taken, value) != 0;
        if (taken != nullptr) return;
        const descriptor::apply_result answer = variable.scope == scope::constant
                                                    ? descriptor::apply_result::is_constant
                                                    : variable.operations->parse(variable, value, false);
        if (answer == descriptor::apply_result::is_too_early) variable.is_environment_early = true;
        if (answer != descriptor::apply_result::taken) return void(has_more_to_say = true);
        taken = value;
        variable.provenance_word.store(descriptor::provenance{origin::environment, place}.word());
        keep_fingerprint(variable);
    };
    if (filter.may_have_names_of(variable))
        for (descriptor::asked_names each{variable}; each.next();)
            if (filter.may_have(each.name(), core::scan(each.name()).key))
                if (const char* value = value_in_environment(each.name().characters)) take(value, each.place());
    if (taken == nullptr && variable.former_name != nullptr && *variable.environment != '\0')
        if (const char* value = value_in_environment(variable.former_name)) take(value, variable.former_name);
    return has_more_to_say || (is_there && (variable.former_name != nullptr || variable.deprecation != nullptr));
}
// Gives a control variable that the filter does not exclude its value from the environment. Returns whether a report is
// due: the value was not taken, or has a former name, or another of the names has another value, or the variable is
// deprecated.
inline bool take_from_environment(descriptor::control& variable, const environment_filter& filter) noexcept {
    return (!variable.has_one_name || filter.may_have(variable.key)) && take_what_is_there(variable, filter);
}

} // namespace registry
} // namespace mpit
