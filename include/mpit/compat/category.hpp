// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions on categories of variables (1.2.8 of the draft of 2011).
#pragma once

#include <mpit/compat/indices.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

inline draft_indices& indices_of(kind item_kind) noexcept {
    return item_kind == kind::control       ? control_indices
           : item_kind == kind::performance ? performance_indices
                                            : category_indices;
}
inline const category_record* category_at(int index) noexcept {
    return static_cast<const category_record*>(category_indices.at(index));
}
inline int count_members(const category_record& category, kind item_kind) noexcept {
    int count = 0;
    find_member(category, item_kind, 0,
                [&](const registry::record& member, std::uint32_t) { return count += is_in_draft(member), false; });
    return count;
}
// Stores the indices of a category's first `len` members of one kind, in the order in which members were added.
inline int list_members(int cat_index, kind item_kind, int len, int* indices) noexcept {
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (len < 0 || (indices == nullptr && len > 0)) return MPIT_ERR_INVALID;
    const category_record* category = category_at(cat_index);
    if (category == nullptr) return MPIT_ERR_INVALIDCATEGORY;
    find_member(*category, item_kind, 0, [&](const registry::record& member, std::uint32_t) {
        if (len > 0 && is_in_draft(member)) *indices++ = indices_of(item_kind).index_of(member), len--;
        return len == 0;
    });
    return MPIT_SUCCESS;
}

} // namespace compat
} // namespace mpit

// MPIT_CATEGORY_GET_NUM(num)
MPIT_C_FUNCTION_NAMED(MPIT_Category_get_num, PMPIT_Category_get_num, (int* num)) {
    return mpit::compat::store_count(mpit::compat::category_indices, num);
}

// MPIT_CATEGORY_GET_INFO(index, name, name_len, desc, desc_len, num_controlvars, num_perfvars, num_categories). Returns
// MPIT_ERR_INVALIDINDEX if no category has the index.
MPIT_C_FUNCTION_NAMED(MPIT_Category_get_info, PMPIT_Category_get_info,
                      (int index, char* name, int* name_len, char* desc, int* desc_len, int* num_controlvars,
                       int* num_perfvars, int* num_categories)) {
    using namespace mpit::compat;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPIT_ERR_INVALID;
    const category_record* category = category_at(index);
    if (category == nullptr) return MPIT_ERR_INVALIDINDEX;
    name_text.put(category->name);
    description.put(category->description);
    put(num_controlvars, count_members(*category, kind::control));
    put(num_perfvars, count_members(*category, kind::performance));
    put(num_categories, count_members(*category, kind::category));
    return MPIT_SUCCESS;
}

// MPIT_CATEGORY_GET_CONTROLVARS(cat_index, len, indices). Returns MPIT_ERR_INVALIDCATEGORY for an invalid index.
MPIT_C_FUNCTION_NAMED(MPIT_Category_get_controlvars, PMPIT_Category_get_controlvars,
                      (int cat_index, int len, int indices[])) {
    return mpit::compat::list_members(cat_index, mpit::compat::kind::control, len, indices);
}

// MPIT_CATEGORY_GET_PERFVARS(cat_index, len, indices)
MPIT_C_FUNCTION_NAMED(MPIT_Category_get_perfvars, PMPIT_Category_get_perfvars,
                      (int cat_index, int len, int indices[])) {
    return mpit::compat::list_members(cat_index, mpit::compat::kind::performance, len, indices);
}

// MPIT_CATEGORY_GET_CATEGORIES(cat_index, len, indices)
MPIT_C_FUNCTION_NAMED(MPIT_Category_get_categories, PMPIT_Category_get_categories,
                      (int cat_index, int len, int indices[])) {
    return mpit::compat::list_members(cat_index, mpit::compat::kind::category, len, indices);
}
