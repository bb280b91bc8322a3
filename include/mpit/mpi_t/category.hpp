// SPDX-License-Identifier: BSD-3-Clause
// Defines the MPI_T functions on categories of variables and events (MPI-5.0, 15.3.9).
#pragma once

#include <mpit/mpi_t/functions.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// MPI_T_CATEGORY_GET_NUM(num_cat)
template <class Provider> int functions<Provider>::category_get_num(int* num_cat) {
    return get_num(kind::category, num_cat);
}

// MPI_T_CATEGORY_GET_INFO(cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories)
template <class Provider>
int functions<Provider>::category_get_info(int cat_index, char* name, int* name_len, char* desc, int* desc_len,
                                           int* num_cvars, int* num_pvars, int* num_categories) {
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    return Provider::visit_category(cat_index, [&](auto& category) __attribute__((always_inline)) {
        name_text.put_inline(category.name);
        description.put_inline(category.description);
        put(num_cvars, Provider::member_count(category, kind::control));
        put(num_pvars, Provider::member_count(category, kind::performance));
        put(num_categories, Provider::member_count(category, kind::category));
        return MPI_SUCCESS;
    });
}

// MPI_T_CATEGORY_GET_NUM_EVENTS(cat_index, num_events)
template <class Provider> int functions<Provider>::category_get_num_events(int cat_index, int* num_events) {
    if (num_events == nullptr) return MPI_T_ERR_INVALID;
    return Provider::visit_category(cat_index, [&](auto& category) __attribute__((always_inline)) {
        *num_events = Provider::member_count(category, kind::event);
        return MPI_SUCCESS;
    });
}

// MPI_T_CATEGORY_GET_INDEX(name, cat_index)
template <class Provider> int functions<Provider>::category_get_index(const char* name, int* cat_index) {
    return get_index(kind::category, name, cat_index);
}

// MPI_T_CATEGORY_GET_CVARS(cat_index, len, indices)
template <class Provider> int functions<Provider>::category_get_cvars(int cat_index, int len, int indices[]) {
    return list_members(cat_index, kind::control, len, indices);
}

// MPI_T_CATEGORY_GET_PVARS(cat_index, len, indices)
template <class Provider> int functions<Provider>::category_get_pvars(int cat_index, int len, int indices[]) {
    return list_members(cat_index, kind::performance, len, indices);
}

// MPI_T_CATEGORY_GET_EVENTS(cat_index, len, indices)
template <class Provider> int functions<Provider>::category_get_events(int cat_index, int len, int indices[]) {
    return list_members(cat_index, kind::event, len, indices);
}

// MPI_T_CATEGORY_GET_CATEGORIES(cat_index, len, indices)
template <class Provider> int functions<Provider>::category_get_categories(int cat_index, int len, int indices[]) {
    return list_members(cat_index, kind::category, len, indices);
}

// MPI_T_CATEGORY_CHANGED(update_number). If two calls of MPI_T_CATEGORY_CHANGED store the same number below INT_MAX, no
// category has changed between the two calls.
template <class Provider> int functions<Provider>::category_changed(int* update_number) {
    if (update_number == nullptr) return MPI_T_ERR_INVALID;
    *update_number = Provider::update_number();
    return MPI_SUCCESS;
}

} // namespace mpi_t
} // namespace mpit
