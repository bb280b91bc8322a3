// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions of the taxonomy proposal of April 21st, 2010. A set of variables is a category of the registry.
// Queries iterate over the sets in a set, over the sets of a variable, and over the variables in a set. An iterator
// contains the complete state of an iteration. Iterations may be interleaved in any threads, and remain valid when
// members are added to a set.
//
//   MPIT_Taxonquery_iterator i = MPIT_TAXONQUERY_START;
//   while (MPIT_Taxon_query_set_sets(&i, MPIT_ROOT_SETS, name, &length, &type) == MPIT_SUCCESS) puts(name);
#pragma once

#include <mpit/compat/visible_names.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

static_assert(unique_name::longest < MPIT_MAX_SET_NAME);

// The number of changes of the categories when the latest iteration began, or -1 before the first iteration.
inline constinit core::atomic<std::int64_t> updates_at_start{-1};

// The next set or variable of an iteration. `part` is 0 for control variables and 1 for performance variables. `index`
// is the position of a member in its category, or the index of a category.
struct taxonomy_position {
    std::uint32_t part = 0, index = 0;

    static taxonomy_position of(MPIT_Taxonquery_iterator iterator) noexcept {
        return {static_cast<std::uint32_t>(iterator >> 32), static_cast<std::uint32_t>(iterator)};
    }
    // Returns the index of the next set in an iteration that does not use `part`. If `part` is 1, the iterator belongs
    // to another iteration, and the function returns UINT32_MAX, which is greater than any index.
    static std::uint32_t index_in_one_part(MPIT_Taxonquery_iterator iterator) noexcept {
        return iterator <= UINT32_MAX ? static_cast<std::uint32_t>(iterator) : UINT32_MAX;
    }
    MPIT_Taxonquery_iterator iterator() const noexcept {
        return static_cast<MPIT_Taxonquery_iterator>(part) << 32 | index;
    }
};

// The arguments that the three queries of the taxonomy have in common.
struct taxonomy_query {
    MPIT_Taxonquery_iterator* iterator;
    const char* argument;
    char* name;
    int* length;

    // Checks the arguments of a query. Returns MPIT_SUCCESS if the arguments are valid and the iteration continues.
    int begin() const noexcept {
        if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
        if (iterator == nullptr || argument == nullptr || name == nullptr || length == nullptr) return MPIT_ERR_INVALID;
        if (*iterator < 0) return *iterator == MPIT_TAXONQUERY_END ? MPIT_END : MPIT_ERR_INVALID;
        if (*iterator == MPIT_TAXONQUERY_START) updates_at_start.store(registry().log.updates());
        return MPIT_SUCCESS;
    }
    bool return_item(core::text item_name, taxonomy_position next) const noexcept {
        std::memcpy(name, item_name.characters, item_name.length + 1);
        *length = static_cast<int>(item_name.length);
        *iterator = next.iterator();
        return true;
    }
    int end() const noexcept {
        *iterator = MPIT_TAXONQUERY_END;
        return MPIT_END;
    }
};

inline core::text bounded_text(const char* name) noexcept { return core::bounded_text(unique_name::longest + 1, name); }
inline const category_record* find_set(core::text name) noexcept {
    return is_visible_name(name) ? registry().category(registry().index_of(kind::category, name)) : nullptr;
}

inline int next_root_set(const taxonomy_query& query) noexcept {
    const int end = registry().count(kind::category);
    registry().log.finish_pending(); // counted records may not yet be linked to parent categories
    for (std::uint32_t index = taxonomy_position::index_in_one_part(*query.iterator);
         index < static_cast<std::uint32_t>(end); index++) {
        const category_record& set = *registry().category(static_cast<int>(index));
        if (!is_visible_name(set.name) || visible_parent(set, 0) != nullptr) continue;
        return query.return_item(set.name, {0, index + 1}), MPIT_SUCCESS;
    }
    return query.end();
}
inline int next_set(const taxonomy_query& query, const category_record& category) noexcept {
    const std::uint32_t index = taxonomy_position::index_in_one_part(*query.iterator);
    const bool has_next =
        find_member(category, kind::category, index, [&](const registry::record& set, std::uint32_t position) {
        return is_visible_name(set.name) && query.return_item(set.name, {0, position + 1});
    });
    return has_next ? MPIT_SUCCESS : query.end();
}
// Returns the next variable of a category. The control variables precede the performance variables.
inline int next_variable(const taxonomy_query& query, const category_record& category, int* type) noexcept {
    taxonomy_position next = taxonomy_position::of(*query.iterator);
    for (; next.part < 2; next = {next.part + 1, 0}) {
        const kind item_kind = next.part == 0 ? kind::control : kind::performance;
        const bool has_next =
            find_member(category, item_kind, next.index, [&](const registry::record& member, std::uint32_t position) {
            return is_visible_name(member.name) &&
                   query.return_item(unique_name{static_cast<const variable_record&>(member)}.get(),
                                     {next.part, position + 1});
        });
        if (!has_next) continue;
        put(type, item_kind == kind::control ? MPIT_TYPE_CONFIG : MPIT_TYPE_PERFORMANCE);
        return MPIT_SUCCESS;
    }
    return query.end();
}
// Returns the next set that contains a variable. The sets of `control` precede the sets of `performance`.
inline int next_set_of_variable(const taxonomy_query& query, const variable_record* control,
                                const variable_record* performance, int* type) noexcept {
    const variable_record* const parts[] = {control, performance};
    registry().log.finish_pending();
    taxonomy_position next = taxonomy_position::of(*query.iterator);
    for (; next.part < 2; next = {next.part + 1, 0}) {
        const variable_record* const variable = parts[next.part];
        const category_record* const set = variable == nullptr || next.index > INT_MAX
                                               ? nullptr
                                               : visible_parent(*variable, static_cast<int>(next.index));
        if (set == nullptr) continue;
        query.return_item(set->name, {next.part, static_cast<std::uint32_t>(set->index.load()) + 1});
        put(type, next.part == 0 ? MPIT_TYPE_CONFIG : MPIT_TYPE_PERFORMANCE);
        return MPIT_SUCCESS;
    }
    return query.end();
}

} // namespace compat
} // namespace mpit

// MPIT_TAXON_QUERY_SET_SETS(iterator, setname, name, namelen, type). Returns the next set that is directly in the set
// `setname`. If `setname` is MPIT_ROOT_SETS, returns the next set that no other set contains. After the last set,
// returns MPIT_END and leaves `name` unchanged. The argument `type` is never written. Returns MPIT_ERR_INVALIDCATEGORY
// if no set has the name `setname`.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_query_set_sets, PMPIT_Taxon_query_set_sets,
                      (MPIT_Taxonquery_iterator * iterator, const char* setname, char* name, int* namelen, int*)) {
    using namespace mpit::compat;
    const taxonomy_query query{iterator, setname, name, namelen};
    const int code = query.begin();
    if (code != MPIT_SUCCESS) return code;
    const mpit::core::text set_name = bounded_text(setname);
    if (mpit::core::equal(set_name, MPIT_ROOT_SETS)) return next_root_set(query);
    const category_record* set = find_set(set_name);
    return set == nullptr ? MPIT_ERR_INVALIDCATEGORY : next_set(query, *set);
}

// MPIT_TAXON_QUERY_VARIABLE_SETS(iterator, varname, name, namelen, type). Returns the next set that directly contains
// the variable, and the kind of the variable. Returns MPIT_ERR_INVALIDVAR if no variable has the name.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_query_variable_sets, PMPIT_Taxon_query_variable_sets,
                      (MPIT_Taxonquery_iterator * iterator, const char* varname, char* name, int* namelen, int* type)) {
    using namespace mpit::compat;
    const taxonomy_query query{iterator, varname, name, namelen};
    const int code = query.begin();
    if (code != MPIT_SUCCESS) return code;
    const mpit::core::text variable_name = bounded_text(varname);
    if (!is_visible_name(variable_name)) return MPIT_ERR_INVALIDVAR;
    const variable_record* control =
        registry().variable(kind::control, registry().index_of(kind::control, variable_name));
    const variable_record* performance = find_performance(variable_name);
    if (control == nullptr && performance == nullptr) return MPIT_ERR_INVALIDVAR;
    return next_set_of_variable(query, control, performance, type);
}

// MPIT_TAXON_QUERY_SET_VARIABLES(iterator, setname, name, namelen, type). Returns the name and the kind of the next
// variable that is directly in the set `setname`. MPIT_ROOT_SETS contains no variables. Returns
// MPIT_ERR_INVALIDCATEGORY if no set has the name.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_query_set_variables, PMPIT_Taxon_query_set_variables,
                      (MPIT_Taxonquery_iterator * iterator, const char* setname, char* name, int* namelen, int* type)) {
    using namespace mpit::compat;
    const taxonomy_query query{iterator, setname, name, namelen};
    const int code = query.begin();
    if (code != MPIT_SUCCESS) return code;
    const mpit::core::text set_name = bounded_text(setname);
    if (mpit::core::equal(set_name, MPIT_ROOT_SETS)) return query.end();
    const category_record* set = find_set(set_name);
    return set == nullptr ? MPIT_ERR_INVALIDCATEGORY : next_variable(query, *set, type);
}

// MPIT_TAXON_CHANGED(flag). Stores 1 in `flag` if sets, variables or members of sets were added after the latest
// iteration began. Also stores 1 in `flag` if no iteration was ever started. Otherwise stores 0.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_changed, PMPIT_Taxon_changed, (int* flag)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (flag == nullptr) return MPIT_ERR_INVALID;
    *flag = updates_at_start.load() == registry().log.updates() ? 0 : 1;
    return MPIT_SUCCESS;
}

// MPIT_TAXON_DESCRIBE_SET(name, desc, desclen). Stores at most MPIT_MAX_SET_DESC-1 characters and a null in `desc`, and
// the number of characters in `desclen`. `desclen` is a pointer, as the text of the proposal demands, although the
// prototype in the proposal has an int. Returns MPIT_ERR_INVALIDCATEGORY if no set has the name.
MPIT_C_FUNCTION_NAMED(MPIT_Taxon_describe_set, PMPIT_Taxon_describe_set, (const char* name, char* desc, int* desclen)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (name == nullptr || desc == nullptr || desclen == nullptr) return MPIT_ERR_INVALID;
    const category_record* set = find_set(bounded_text(name));
    if (set == nullptr) return MPIT_ERR_INVALIDCATEGORY;
    *desclen = MPIT_MAX_SET_DESC;
    mpit::core::text_pair{desc, desclen}.put(set->description);
    *desclen = *desclen < MPIT_MAX_SET_DESC ? *desclen - 1 : MPIT_MAX_SET_DESC - 1;
    return MPIT_SUCCESS;
}
