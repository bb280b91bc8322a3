// SPDX-License-Identifier: BSD-3-Clause
// The part of the registry that the older interfaces show. Names with the prefixes MPI_ and MPIT_ are MPI's own: a
// library that is not an MPI does not show them. Variables are identified by their names alone, whatever their class.
//
//   if (compat::is_open_name(record.name)) …   compat::unique_name name{record};   name.get()
#pragma once

#include <mpit/compat/library.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL compat {

// Whether the library is an MPI, which may use these names; one that has an mpi.h is taken for one.
#if defined(MPIT_C_IS_MPI)
inline constexpr bool is_mpi = MPIT_C_IS_MPI;
#elif defined(MPIT_MPI_HEADER)
inline constexpr bool is_mpi = true;
#else
inline constexpr bool is_mpi = false;
#endif

inline bool is_open_name(core::text name) noexcept {
    return is_mpi || !(core::has_prefix(name, "MPI_") || core::has_prefix(name, "MPIT_"));
}

// Calls `visit(member, position)` for the members of one kind from a position on, until it answers true. Positions
// never change: what comes later stands behind.
template <class Visit>
bool find_member(const category_record& category, kind item_kind, std::uint32_t start, const Visit& visit) noexcept {
    std::uint32_t first = 0;
    for (const registry::membership* m = category.members[static_cast<int>(item_kind)].load(); m != nullptr;
         m = m->next.load()) {
        for (std::uint32_t i = start > first ? start - first : 0; i < m->count; i++)
            if (visit(*m->members[i], first + i)) return true;
        first += m->count;
    }
    return false;
}
// The first category from a number on that is shown and holds a member, or null.
inline const category_record* shown_parent_category(const registry::record& member, int start) noexcept {
    const category_record* found = names().parent_category(member, start);
    while (found != nullptr && !is_open_name(found->name))
        found = names().parent_category(member, found->number.load() + 1);
    return found;
}

// The suffix of a performance variable whose name an earlier one of another class has. The space keeps
// it apart from every other name.
inline constexpr core::text class_suffixes[performance_class_count] = {
    " (state)",         " (level)",   " (size)",      " (percentage)", " (high watermark)",
    " (low watermark)", " (counter)", " (aggregate)", " (timer)",      " (generic)",
};
constexpr core::text suffix_of(performance_class variable_class) {
    return class_suffixes[static_cast<int>(variable_class)];
}

// Whether a performance variable shares its name with one of another class that has a lower number. Numbers never
// change, so neither does the answer.
inline bool has_suffix(const variable_record& record) noexcept {
    if (record.item_kind != kind::performance) return false;
    for (int class_index = 0; class_index < performance_class_count; class_index++) {
        const int other =
            names().number_of(kind::performance, record.name, static_cast<performance_class>(class_index));
        if (other >= 0 && other < record.number.load()) return true;
    }
    return false;
}

// The name of a variable, which no other one of its kind has.
class unique_name {
public:
    static constexpr std::uint32_t longest = core::longest_name + 20;

    explicit unique_name(const variable_record& record) noexcept {
        append(record.name);
        if (has_suffix(record)) append(suffix_of(record.variable_class));
    }
    core::text get() const noexcept { return {characters_, length_}; }

private:
    void append(core::text more) noexcept {
        std::memcpy(characters_ + length_, more.characters, more.length + 1);
        length_ += more.length;
    }
    char characters_[longest + 1];
    std::uint32_t length_ = 0;
};

// The performance variable of a unique name, or null.
inline const variable_record* performance_of(core::text name) noexcept {
    for (int class_index = 0; class_index < performance_class_count; class_index++) {
        const core::text suffix = class_suffixes[class_index];
        const bool is_longer = name.length > suffix.length &&
                               core::equal({name.characters + (name.length - suffix.length), suffix.length}, suffix);
        const core::text plain{name.characters, name.length - (is_longer ? suffix.length : 0)};
        const int number = names().number_of(kind::performance, plain, static_cast<performance_class>(class_index));
        const variable_record* found = names().variable(kind::performance, number);
        if (found != nullptr && has_suffix(*found) == is_longer) return found;
    }
    return nullptr;
}

} // namespace compat
} // namespace mpit
