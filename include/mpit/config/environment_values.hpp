// SPDX-License-Identifier: BSD-3-Clause
// Sets the initial values of control variables from the environment. By default an environment variable sets the
// control variable of the same name. A control variable may also be declared with other environment names. A former
// name is accepted, too. If the control variable rejects all values, it keeps the declared value until the resolver
// tries settings of other origins.
//
//   const environment_filter filter;   if (filter.may_be_set(variable) && take_from_environment(variable, filter)) …
#pragma once

#include <mpit/config/adopted_values.hpp>
#include <mpit/descriptor/environment_name_cursor.hpp>

#include <sys/auxv.h>

extern "C" {
extern char** environ;
}

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

inline text name_of_entry(const char* entry) noexcept {
    const char* equals = std::strchr(entry, '=');
    return {entry, equals == nullptr ? 0 : static_cast<std::uint32_t>(equals - entry)};
}

// Returns the environment, or null in a program with more rights than its caller, such as a setuid program (AT_SECURE).
// A setuid program ignores the environment, because the less privileged caller controls the environment.
inline char** entries_of_environment() noexcept { return getauxval(AT_SECURE) != 0 ? nullptr : environ; }
// Returns the value of an environment variable or null, as getenv() does. A call of getenv() itself would cost each
// process 900 instructions, because the loader would have to resolve the symbol.
[[gnu::cold, gnu::noinline]] inline const char* value_in_environment(const char* name) noexcept {
    if (*name == '\0') return nullptr;
    for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++) {
        if (**entry != *name) continue;
        const char* remaining_entry = *entry + 1;
        const char* remaining_name = name + 1;
        while (*remaining_name != '\0' && *remaining_entry == *remaining_name) remaining_entry++, remaining_name++;
        if (*remaining_name == '\0' && *remaining_entry == '=') return remaining_entry + 1;
    }
    return nullptr;
}

// Excludes most names that are not in the environment (Bloom filter, without false negatives). One bitmap has the first
// two characters of environment names, and another bitmap has the hashes of the names. Bitmaps are filled at first use.
class environment_filter {
public:
    environment_filter() noexcept {}
    bool may_have(text name, std::uint32_t key) const noexcept {
        return may_begin_as(name.characters) && may_have(key);
    }
    [[gnu::cold, gnu::noinline]] bool may_have(std::uint32_t key) const noexcept {
        if (!has_keys_) add_keys();
        return (key_bits_[key / 64 % words] >> key % 64 & 1) != 0;
    }
    // True if an item is a control variable that the environment may set. For most items one access to a bitmap
    // suffices.
    bool may_be_set(const descriptor::item& item) const noexcept {
        if (item.item_kind != descriptor::kind::control) return false;
        const auto& variable = static_cast<const descriptor::control&>(item);
        if (variable.has_only_its_name) return may_begin_as(item.name.characters);
        // take_first_accepted() also reads the initial value of adopted storage.
        return *variable.environment != '\0' || variable.is_adopted;
    }
    // True if an environment entry begins like a name that the policy of the variable's category lists. The result for
    // the latest policy is cached, because one policy may apply to hundreds of variables.
    [[gnu::cold, gnu::noinline]] bool may_have_names_of(const descriptor::control& variable) const noexcept {
        if (variable.rules == nullptr || variable.environment != variable.rules->environment) return true;
        if (list_ != variable.environment) is_in_use_ = is_in_use(list_ = variable.environment);
        return is_in_use_;
    }

private:
    bool may_begin_as(const char* name) const noexcept {
        if (!has_prefixes_) add_prefixes();
        return (prefix_bits_[*name & 63] & bit_of_second(name)) != 0;
    }
    // The bitmap has a word for each first character, with a bit for each second character. Returns the bit for `name`.
    // bit_of_second() takes most of the time that an environment entry costs at load.
    static std::uint64_t bit_of_second(const char* name) noexcept {
        return *name == '\0' ? 1 : std::uint64_t{1} << (name[1] & 63);
    }
    [[gnu::cold, gnu::noinline]] void add_prefixes() const noexcept {
        std::memset(prefix_bits_, 0, sizeof prefix_bits_);
        for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++)
            prefix_bits_[**entry & 63] |= bit_of_second(*entry);
        has_prefixes_ = true;
    }
    // Without [[gnu::flatten]] the compiler would not inline core::scan(), because other functions call it, too.
    [[gnu::cold, gnu::noinline, gnu::flatten]] void add_keys() const noexcept {
        std::memset(key_bits_, 0, sizeof key_bits_);
        for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++) {
            const std::uint32_t key = core::scan(name_of_entry(*entry)).key;
            key_bits_[key / 64 % words] |= std::uint64_t{1} << key % 64;
        }
        has_keys_ = true;
    }
    // True if an environment entry begins with the part before the star of a listed name, such as MYMPI_ of MYMPI_*.
    [[gnu::cold]] static bool is_in_use(const char* list) noexcept {
        std::uint32_t first_letters = 0;
        const char* remaining = list;
        for (text name = core::next_spelling(remaining); name.length != 0; name = core::next_spelling(remaining))
            first_letters |= core::letter_bit(*name.characters);
        for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++)
            if ((first_letters & core::letter_bit(**entry)) != 0 && has_prefix_of_list(*entry, list)) return true;
        return (first_letters & core::letter_bit('*')) != 0; // a name that begins with a star matches every entry
    }
    [[gnu::cold]] static bool has_prefix_of_list(const char* entry, const char* list) noexcept {
        for (text name = core::next_spelling(list); name.length != 0; name = core::next_spelling(list))
            if (std::strncmp(entry, name.characters, std::strcspn(name.characters, "* ,")) == 0) return true;
        return false;
    }

    static constexpr std::size_t words = 64;
    mutable std::uint64_t prefix_bits_[words], key_bits_[words]; // valid after add_prefixes() and add_keys()
    mutable bool has_prefixes_ = false, has_keys_ = false;
    mutable const char* list_ = nullptr; // latest list of may_have_names_of(), for which is_in_use_ is the result
    mutable bool is_in_use_ = false;
};

// Stores the first environment value that the variable accepts. Called only for a variable whose name may be in the
// environment, or whose has_only_its_name is false. Returns true if a report to the user is necessary.
[[gnu::cold, gnu::noinline]] inline bool take_first_accepted(descriptor::control& variable,
                                                             const environment_filter& filter) noexcept {
    if (!variable.has_only_its_name) {
        const descriptor::provenance current{variable.provenance_word.load()}; // set by mpit::given()
        if (current.word() != 0 && current.origin() != origin::configuration) return false;
        if (current.word() == 0 && variable.is_adopted) descriptor::set_initial_from_storage(variable);
    }
    bool is_set = false, needs_report = false;
    const char* taken_value = nullptr;
    const auto take = [&](const char* value, const char* place) {
        is_set = true;
        if (taken_value != nullptr) needs_report = needs_report || std::strcmp(taken_value, value) != 0;
        if (taken_value != nullptr) return;
        const descriptor::apply_result status = variable.scope == scope::constant
                                                    ? descriptor::apply_result::is_constant
                                                    : variable.operations->parse(variable, value, false);
        if (status == descriptor::apply_result::storage_not_constructed) variable.was_storage_unconstructed = true;
        if (status != descriptor::apply_result::stored) return void(needs_report = true);
        taken_value = value;
        variable.provenance_word.store(descriptor::provenance{origin::environment, place}.word());
        record_fingerprint(variable);
    };
    if (filter.may_have_names_of(variable))
        for (descriptor::environment_name_cursor names{variable}; names.next();)
            if (filter.may_have(names.name(), core::scan(names.name()).key))
                if (const char* value = value_in_environment(names.name().characters))
                    take(value, names.list_position());
    if (taken_value == nullptr && variable.former_name != nullptr && *variable.environment != '\0')
        if (const char* value = value_in_environment(variable.former_name)) take(value, variable.former_name);
    return needs_report || (is_set && (variable.former_name != nullptr || variable.deprecation != nullptr));
}
// Sets a control variable from the environment if may_be_set() is true for the variable. Returns true if a report is
// necessary, because a value was rejected, two names have different values, or the variable is deprecated or renamed.
inline bool take_from_environment(descriptor::control& variable, const environment_filter& filter) noexcept {
    return (!variable.has_only_its_name || filter.may_have(variable.key)) && take_first_accepted(variable, filter);
}

} // namespace registry
} // namespace mpit
