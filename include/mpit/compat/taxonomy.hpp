// SPDX-License-Identifier: BSD-3-Clause
// The taxonomy proposal of April 21st, 2010: sets of variables, which are the categories of the registry, and the way
// from a variable to its sets. All state of an iteration is in its iterator: iterations may be interleaved, in any
// thread, and continue when sets grow.
//
//   MPIT_Taxonquery_iterator i = MPIT_TAXONQUERY_START;
//   while (MPIT_Taxon_query_set_sets(&i, MPIT_ROOT_SETS, name, &length, &type) == MPIT_SUCCESS) puts(name);
#pragma once

#include <mpit/compat/shown.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL compat {

static_assert(unique_name::longest < MPIT_MAX_SET_NAME);

// The changes of categories when a query was started last; -1 before the first one.
inline constinit core::atomic<std::int64_t> changes_at_start{-1};

// Where an iteration continues: a part, which is a kind of variables, and a position in it or the number of a category.
struct taxonomy_position {
    std::uint32_t part = 0, index = 0;

    static taxonomy_position of(MPIT_Taxonquery_iterator iterator) noexcept {
        return {static_cast<std::uint32_t>(iterator >> 32), static_cast<std::uint32_t>(iterator)};
    }
    // Of the iterations that have one part: nothing is behind the iterators that they never give.
    static std::uint32_t in_one_part(MPIT_Taxonquery_iterator iterator) noexcept {
        return iterator <= UINT32_MAX ? static_cast<std::uint32_t>(iterator) : UINT32_MAX;
    }
    MPIT_Taxonquery_iterator iterator() const noexcept {
        return static_cast<MPIT_Taxonquery_iterator>(part) << 32 | index;
    }
};

// The arguments that the three queries share.
struct taxonomy_query {
    MPIT_Taxonquery_iterator* iterator;
    const char* argument;
    char* name;
    int* length;

    // MPIT_SUCCESS where the query can continue.
    int begin() const noexcept {
        if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
        if (iterator == nullptr || argument == nullptr || name == nullptr || length == nullptr) return MPIT_ERR_INVALID;
        if (*iterator < 0) return *iterator == MPIT_TAXONQUERY_END ? MPIT_END : MPIT_ERR_INVALID;
        if (*iterator == MPIT_TAXONQUERY_START) changes_at_start.store(names().log.updates());
        return MPIT_SUCCESS;
    }
    bool give(core::text found, taxonomy_position next) const noexcept {
        std::memcpy(name, found.characters, found.length + 1);
        *length = static_cast<int>(found.length);
        *iterator = next.iterator();
        return true;
    }
    int end() const noexcept {
        *iterator = MPIT_TAXONQUERY_END;
        return MPIT_END;
    }
};

inline core::text name_of_argument(const char* name) noexcept {
    return core::text_of_at_most(unique_name::longest + 1, name);
}
inline const category_record* set_of(core::text name) noexcept {
    return is_open_name(name) ? names().category(names().number_of(kind::category, name)) : nullptr;
}

inline int next_root_set(const taxonomy_query& query) noexcept {
    const int end = names().count(kind::category);
    names().log.finish_pending(); // so that all below the end know where they are
    for (std::uint32_t next = taxonomy_position::in_one_part(*query.iterator); next < static_cast<std::uint32_t>(end);
         next++) {
        const int index = static_cast<int>(next);
        const category_record& set = *names().category(index);
        if (!is_open_name(set.name) || shown_parent_category(set, 0) != nullptr) continue;
        return query.give(set.name, {0, next + 1}), MPIT_SUCCESS;
    }
    return query.end();
}
inline int next_set(const taxonomy_query& query, const category_record& category) noexcept {
    const std::uint32_t index = taxonomy_position::in_one_part(*query.iterator);
    const bool found =
        find_member(category, kind::category, index, [&](const registry::record& each, std::uint32_t position) {
        return is_open_name(each.name) && query.give(each.name, {0, position + 1});
    });
    return found ? MPIT_SUCCESS : query.end();
}
// Control variables first.
inline int next_variable(const taxonomy_query& query, const category_record& category, int* type) noexcept {
    taxonomy_position next = taxonomy_position::of(*query.iterator);
    for (; next.part < 2; next = {next.part + 1, 0}) {
        const kind item_kind = next.part == 0 ? kind::control : kind::performance;
        const bool found =
            find_member(category, item_kind, next.index, [&](const registry::record& each, std::uint32_t position) {
            return is_open_name(each.name) &&
                   query.give(unique_name{static_cast<const variable_record&>(each)}.get(), {next.part, position + 1});
        });
        if (!found) continue;
        put(type, item_kind == kind::control ? MPIT_TYPE_CONFIG : MPIT_TYPE_PERFORMANCE);
        return MPIT_SUCCESS;
    }
    return query.end();
}
// A control variable and a performance variable may have one name: then the sets of the former come first.
inline int next_set_of_variable(const taxonomy_query& query, const variable_record* control,
                                const variable_record* performance, int* type) noexcept {
    const variable_record* const parts[] = {control, performance};
    names().log.finish_pending();
    taxonomy_position next = taxonomy_position::of(*query.iterator);
    for (; next.part < 2; next = {next.part + 1, 0}) {
        const variable_record* const variable = parts[next.part];
        const category_record* const found = variable == nullptr || next.index > INT_MAX
                                                 ? nullptr
                                                 : shown_parent_category(*variable, static_cast<int>(next.index));
        if (found == nullptr) continue;
        query.give(found->name, {next.part, static_cast<std::uint32_t>(found->number.load()) + 1});
        put(type, next.part == 0 ? MPIT_TYPE_CONFIG : MPIT_TYPE_PERFORMANCE);
        return MPIT_SUCCESS;
    }
    return query.end();
}

} // namespace compat
} // namespace mpit

// MPIT_TAXON_QUERY_SET_SETS(iterator, setname, name, namelen, type). The next set directly in a set, or of those that
// no other one contains; MPIT_END after the last one, and then `name` stays as it was. `type` is left alone.
// MPIT_ERR_INVALIDCATEGORY for what is not a set.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_query_set_sets, PMPIT_Taxon_query_set_sets,
                      (MPIT_Taxonquery_iterator * iterator, const char* setname, char* name, int* namelen, int*)) {
    using namespace mpit::compat;
    const taxonomy_query query{iterator, setname, name, namelen};
    const int begun = query.begin();
    if (begun != MPIT_SUCCESS) return begun;
    const mpit::core::text set_name = name_of_argument(setname);
    if (mpit::core::equal(set_name, MPIT_ROOT_SETS)) return next_root_set(query);
    const category_record* found = set_of(set_name);
    return found == nullptr ? MPIT_ERR_INVALIDCATEGORY : next_set(query, *found);
}

// MPIT_TAXON_QUERY_VARIABLE_SETS(iterator, varname, name, namelen, type). The next set that holds a variable directly;
// `type` is the kind of the variable. MPIT_ERR_INVALIDVAR for what is none.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_query_variable_sets, PMPIT_Taxon_query_variable_sets,
                      (MPIT_Taxonquery_iterator * iterator, const char* varname, char* name, int* namelen, int* type)) {
    using namespace mpit::compat;
    const taxonomy_query query{iterator, varname, name, namelen};
    const int begun = query.begin();
    if (begun != MPIT_SUCCESS) return begun;
    const mpit::core::text variable_name = name_of_argument(varname);
    if (!is_open_name(variable_name)) return MPIT_ERR_INVALIDVAR;
    const variable_record* control = names().variable(kind::control, names().number_of(kind::control, variable_name));
    const variable_record* performance = performance_of(variable_name);
    if (control == nullptr && performance == nullptr) return MPIT_ERR_INVALIDVAR;
    return next_set_of_variable(query, control, performance, type);
}

// MPIT_TAXON_QUERY_SET_VARIABLES(iterator, setname, name, namelen, type). The next variable directly in a set, and its
// kind. The set of root sets holds none. MPIT_ERR_INVALIDCATEGORY for what is not a set.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_query_set_variables, PMPIT_Taxon_query_set_variables,
                      (MPIT_Taxonquery_iterator * iterator, const char* setname, char* name, int* namelen, int* type)) {
    using namespace mpit::compat;
    const taxonomy_query query{iterator, setname, name, namelen};
    const int begun = query.begin();
    if (begun != MPIT_SUCCESS) return begun;
    const mpit::core::text set_name = name_of_argument(setname);
    if (mpit::core::equal(set_name, MPIT_ROOT_SETS)) return query.end();
    const category_record* found = set_of(set_name);
    return found == nullptr ? MPIT_ERR_INVALIDCATEGORY : next_variable(query, *found, type);
}

// MPIT_TAXON_CHANGED(flag). Whether a set has got a member, or a set or a variable has been added, since a query was
// started last; 1 if none was.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_changed, PMPIT_Taxon_changed, (int* flag)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (flag == nullptr) return MPIT_ERR_INVALID;
    *flag = changes_at_start.load() == names().log.updates() ? 0 : 1;
    return MPIT_SUCCESS;
}

// MPIT_TAXON_DESCRIBE_SET(name, desc, desclen). At most MPIT_MAX_SET_DESC-1 characters and a null; `desclen` is what
// the proposal means by it, which it prints as a value. MPIT_ERR_INVALIDCATEGORY for what is not a set.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_describe_set, PMPIT_Taxon_describe_set, (const char* name, char* desc, int* desclen)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (name == nullptr || desc == nullptr || desclen == nullptr) return MPIT_ERR_INVALID;
    const category_record* found = set_of(name_of_argument(name));
    if (found == nullptr) return MPIT_ERR_INVALIDCATEGORY;
    *desclen = MPIT_MAX_SET_DESC;
    mpit::core::text_pair{desc, desclen}.put(found->description);
    *desclen = *desclen < MPIT_MAX_SET_DESC ? *desclen - 1 : MPIT_MAX_SET_DESC - 1;
    return MPIT_SUCCESS;
}
