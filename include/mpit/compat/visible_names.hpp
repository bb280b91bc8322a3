// SPDX-License-Identifier: BSD-3-Clause
// Determines the names that the draft of 2011 and the taxonomy proposal of 2010 use. The prefixes MPI_ and MPIT_ are
// reserved for MPI, so a library that is not an MPI hides variables and categories with such names. The draft and the
// proposal identify a variable by the name alone, without the class of the variable.
//
//   if (compat::is_visible_name(record.name)) ...   compat::unique_name name{record};   name.get()
#pragma once

#include <mpit/compat/library.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

// MPIT_C_IS_MPI, by default not defined, is 1 if this library is an MPI, which may use the prefixes MPI_ and MPIT_, and
// 0 if not. Without MPIT_C_IS_MPI, the library is an MPI if MPIT_MPI_HEADER is defined.
#if defined(MPIT_C_IS_MPI)
inline constexpr bool is_mpi = MPIT_C_IS_MPI;
#elif defined(MPIT_MPI_HEADER)
inline constexpr bool is_mpi = true;
#else
inline constexpr bool is_mpi = false;
#endif

inline bool is_visible_name(core::text name) noexcept {
    return is_mpi || !(core::has_prefix(name, "MPI_") || core::has_prefix(name, "MPIT_"));
}

// Calls `visit(member, position)` for the members of one kind in a category, from position `start` on, until `visit`
// returns true. Returns false if no call of `visit` returned true. The position of a member never changes, because new
// members are appended.
template <class Visit>
bool find_member(const category_record& category, kind item_kind, std::uint32_t start, const Visit& visit) noexcept {
    std::uint32_t first = 0; // position of the first member in the node
    for (const registry::membership* node = category.members[static_cast<int>(item_kind)].load(); node != nullptr;
         node = node->next.load()) {
        for (std::uint32_t i = start > first ? start - first : 0; i < node->count; i++)
            if (visit(*node->members[i], first + i)) return true;
        first += node->count;
    }
    return false;
}
// Returns the visible category with the lowest index, not below `start`, that directly contains a member. Returns null
// if no such category exists.
inline const category_record* visible_parent(const registry::record& member, int start) noexcept {
    const category_record* parent = registry().parent_category(member, start);
    while (parent != nullptr && !is_visible_name(parent->name))
        parent = registry().parent_category(member, parent->index.load() + 1);
    return parent;
}

// If a performance variable of another class has the same name and a lower index, a suffix makes the name unique. Names
// in the registry contain no space, so that a name with a suffix differs from all other names.
inline constexpr core::text class_suffixes[performance_class_count] = {
    " (state)",         " (level)",   " (size)",      " (percentage)", " (high watermark)",
    " (low watermark)", " (counter)", " (aggregate)", " (timer)",      " (generic)",
};
constexpr core::text suffix_of(performance_class variable_class) {
    return class_suffixes[static_cast<int>(variable_class)];
}

// Returns true if the name of a performance variable needs a suffix, because a variable of another class has the same
// name and a lower index. The result never changes, because the indices of variables never change.
inline bool has_suffix(const variable_record& record) noexcept {
    if (record.item_kind != kind::performance) return false;
    for (int class_index = 0; class_index < performance_class_count; class_index++) {
        const int index =
            registry().index_of(kind::performance, record.name, static_cast<performance_class>(class_index));
        if (index >= 0 && index < record.index.load()) return true;
    }
    return false;
}

// The name that identifies a variable among the variables of its kind in the draft of 2011 and the proposal of 2010.
class unique_name {
public:
    static constexpr std::uint32_t longest = core::longest_name + 20; // characters without the null

    explicit unique_name(const variable_record& record) noexcept {
        append(record.name);
        if (has_suffix(record)) append(suffix_of(record.variable_class));
    }
    core::text get() const noexcept { return {characters_, length_}; }

private:
    void append(core::text part) noexcept {
        std::memcpy(characters_ + length_, part.characters, part.length + 1);
        length_ += part.length;
    }
    char characters_[longest + 1];
    std::uint32_t length_ = 0;
};

// Returns the performance variable whose unique_name is `name`, or null if no variable has the name.
inline const variable_record* find_performance(core::text name) noexcept {
    for (int class_index = 0; class_index < performance_class_count; class_index++) {
        const core::text suffix = class_suffixes[class_index];
        const bool ends_in_suffix =
            name.length > suffix.length &&
            core::equal({name.characters + (name.length - suffix.length), suffix.length}, suffix);
        const core::text base_name{name.characters, name.length - (ends_in_suffix ? suffix.length : 0)};
        const int index =
            registry().index_of(kind::performance, base_name, static_cast<performance_class>(class_index));
        const variable_record* record = registry().variable(kind::performance, index);
        if (record != nullptr && has_suffix(*record) == ends_in_suffix) return record;
    }
    return nullptr;
}

} // namespace compat
} // namespace mpit
