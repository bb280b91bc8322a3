// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.9: Categories of variables and events.
#pragma once

#include <mpit/mpi_t/translation.hpp> // IWYU pragma: keep

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// The members of one kind: the first `len` in the order in which they were added.
MPIT_MODULE_LOCAL inline int list_members(int cat_index, kind item_kind, int len, int* indices) noexcept {
    if (len < 0 || (indices == nullptr && len > 0)) return MPI_T_ERR_INVALID;
    const registry::category_record* found = names().category(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    names().members(*found, item_kind, len, indices);
    return MPI_SUCCESS;
}

} // namespace mpi_t
} // namespace mpit

// MPI_T_CATEGORY_GET_NUM(num_cat)
MPIT_C_FUNCTION(category_get_num, (int* num_cat), (num_cat)) {
    return mpit::mpi_t::count(mpit::mpi_t::kind::category, num_cat);
}

// MPI_T_CATEGORY_GET_INFO(cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories)
MPIT_C_LONG_FUNCTION(category_get_info,
                     (int cat_index, char* name, int* name_len, char* desc, int* desc_len, int* num_cvars,
                      int* num_pvars, int* num_categories),
                     (cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories)) {
    MPIT_C_WHILE_OPEN(category_get_info,
                      (cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories))
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    const auto& registry = names();
    const mpit::registry::category_record* found = registry.category(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    name_text.put_inline(found->name);
    description.put_inline(found->description);
    put(num_cvars, registry.member_count(*found, kind::control));
    put(num_pvars, registry.member_count(*found, kind::performance));
    put(num_categories, registry.member_count(*found, kind::category));
    return MPI_SUCCESS;
}

// MPI_T_CATEGORY_GET_NUM_EVENTS(cat_index, num_events)
MPIT_C_FUNCTION(category_get_num_events, (int cat_index, int* num_events), (cat_index, num_events)) {
    using namespace mpit::mpi_t;
    if (num_events == nullptr) return MPI_T_ERR_INVALID;
    const mpit::registry::category_record* found = names().category(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    *num_events = names().member_count(*found, kind::event);
    return MPI_SUCCESS;
}

// MPI_T_CATEGORY_GET_INDEX(name, cat_index)
MPIT_C_FUNCTION(category_get_index, (const char* name, int* cat_index), (name, cat_index)) {
    return mpit::mpi_t::look_up(mpit::mpi_t::kind::category, name, cat_index);
}

// MPI_T_CATEGORY_GET_CVARS(cat_index, len, indices)
MPIT_C_FUNCTION(category_get_cvars, (int cat_index, int len, int indices[]), (cat_index, len, indices)) {
    return mpit::mpi_t::list_members(cat_index, mpit::mpi_t::kind::control, len, indices);
}

// MPI_T_CATEGORY_GET_PVARS(cat_index, len, indices)
MPIT_C_FUNCTION(category_get_pvars, (int cat_index, int len, int indices[]), (cat_index, len, indices)) {
    return mpit::mpi_t::list_members(cat_index, mpit::mpi_t::kind::performance, len, indices);
}

// MPI_T_CATEGORY_GET_EVENTS(cat_index, len, indices)
MPIT_C_FUNCTION(category_get_events, (int cat_index, int len, int indices[]), (cat_index, len, indices)) {
    return mpit::mpi_t::list_members(cat_index, mpit::mpi_t::kind::event, len, indices);
}

// MPI_T_CATEGORY_GET_CATEGORIES(cat_index, len, indices)
MPIT_C_FUNCTION(category_get_categories, (int cat_index, int len, int indices[]), (cat_index, len, indices)) {
    return mpit::mpi_t::list_members(cat_index, mpit::mpi_t::kind::category, len, indices);
}

// MPI_T_CATEGORY_CHANGED(update_number). Equal numbers mean that no category changed in between, up to INT_MAX.
MPIT_C_FUNCTION(category_changed, (int* update_number), (update_number)) {
    using namespace mpit::mpi_t;
    if (update_number == nullptr) return MPI_T_ERR_INVALID;
    *update_number = names().update_number();
    return MPI_SUCCESS;
}
