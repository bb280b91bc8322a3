// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.9 on top of a host: categories of both by name, the host's members of one before ours.
#pragma once

#include <mpit/over_mpi/category_members.hpp>
#include <mpit/over_mpi/control.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

// The category of a number, after a discovery; null if there is none. The host is asked only about
// categories that it has.
MPIT_MODULE_LOCAL inline merged_category* category_at(int number) noexcept {
    merged_entry* known = the_numbers.list(kind::category).at(number);
    if (known == nullptr || !(known->host_number.load() < 0 ? the_members.knows_own() : the_members.knows_both())) {
        discover_all();
        known = the_numbers.list(kind::category).at(number);
    }
    return static_cast<merged_category*>(known);
}
MPIT_MODULE_LOCAL inline int list_members(int cat_index, kind item_kind, int len, int* indices) noexcept {
    if (!mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (len < 0 || (indices == nullptr && len > 0)) return MPI_T_ERR_INVALID;
    merged_category* found = category_at(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    members_of(*found, item_kind).copy(len, indices);
    return MPI_SUCCESS;
}

// Grows with the host's, with ours, and with each thing that was taken in.
MPIT_MODULE_LOCAL inline int update_number() noexcept {
    if (!the_members.knows_both()) discover_all();
    const std::int64_t sum = the_members.seen();
    return sum < INT_MAX ? static_cast<int>(sum) : INT_MAX;
}

} // namespace over_mpi
} // namespace mpit

// MPI_T_CATEGORY_GET_NUM(num_cat)
MPIT_C_STACKED_FUNCTION(category_get_num, (int* num_cat)) {
    return mpit::over_mpi::count(mpit::mpi_t::kind::category, num_cat);
}

// MPI_T_CATEGORY_GET_INFO(cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories)
MPIT_C_STACKED_FUNCTION(category_get_info, (int cat_index, char* name, int* name_len, char* desc, int* desc_len,
                                            int* num_cvars, int* num_pvars, int* num_categories)) {
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    const mpit::over_mpi::merged_category* found = mpit::over_mpi::category_at(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    name_text.put(found->name);
    description.put(found->description);
    put(num_cvars, found->controls.count());
    put(num_pvars, found->performances.count());
    put(num_categories, found->categories.count());
    return MPI_SUCCESS;
}

// MPI_T_CATEGORY_GET_NUM_EVENTS(cat_index, num_events)
MPIT_C_STACKED_FUNCTION(category_get_num_events, (int cat_index, int* num_events)) {
    if (!mpit::mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (num_events == nullptr) return MPI_T_ERR_INVALID;
    const mpit::over_mpi::merged_category* found = mpit::over_mpi::category_at(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    *num_events = found->events.count();
    return MPI_SUCCESS;
}

// MPI_T_CATEGORY_GET_INDEX(name, cat_index)
MPIT_C_STACKED_FUNCTION(category_get_index, (const char* name, int* cat_index)) {
    return mpit::over_mpi::look_up(mpit::mpi_t::kind::category, name, 0, cat_index);
}

// MPI_T_CATEGORY_GET_CVARS(cat_index, len, indices)
MPIT_C_STACKED_FUNCTION(category_get_cvars, (int cat_index, int len, int indices[])) {
    return mpit::over_mpi::list_members(cat_index, mpit::mpi_t::kind::control, len, indices);
}

// MPI_T_CATEGORY_GET_PVARS(cat_index, len, indices)
MPIT_C_STACKED_FUNCTION(category_get_pvars, (int cat_index, int len, int indices[])) {
    return mpit::over_mpi::list_members(cat_index, mpit::mpi_t::kind::performance, len, indices);
}

// MPI_T_CATEGORY_GET_EVENTS(cat_index, len, indices)
MPIT_C_STACKED_FUNCTION(category_get_events, (int cat_index, int len, int indices[])) {
    return mpit::over_mpi::list_members(cat_index, mpit::mpi_t::kind::event, len, indices);
}

// MPI_T_CATEGORY_GET_CATEGORIES(cat_index, len, indices)
MPIT_C_STACKED_FUNCTION(category_get_categories, (int cat_index, int len, int indices[])) {
    return mpit::over_mpi::list_members(cat_index, mpit::mpi_t::kind::category, len, indices);
}

// MPI_T_CATEGORY_CHANGED(update_number). Grows with the host's and ours; equal numbers mean that no category of either
// changed in between.
MPIT_C_STACKED_FUNCTION(category_changed, (int* update_number)) {
    if (!mpit::mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (update_number == nullptr) return MPI_T_ERR_INVALID;
    *update_number = mpit::over_mpi::update_number();
    return MPI_SUCCESS;
}
