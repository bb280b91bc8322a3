// SPDX-License-Identifier: BSD-3-Clause
// Declares the bodies of the 51 MPI_T functions as static members of a class template. The template parameter is a
// provider, which is a class that serves the variables of mpit's registry, or of the registry and an MPI. The exported
// functions (mpit/mpi_t/entries.hpp) check that the interface is initialized, and then run the bodies. This header also
// defines the bodies of the functions for initialization, finalization and enumerations.
//
//   functions<registry_provider>::cvar_get_num(&count)
#pragma once

#include <mpit/mpi_t/shim.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// Each body is inlined into the exported function, so that the check for initialization costs no second call.
template <class Provider> struct functions {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    [[gnu::always_inline]] static inline int name parameters;
#include <mpit/mpi_t/functions.def>

private:
    static int get_num(kind item_kind, int* num) noexcept {
        if (num == nullptr) return MPI_T_ERR_INVALID;
        *num = Provider::count(item_kind);
        return MPI_SUCCESS;
    }
    [[gnu::always_inline]] static int get_index(kind item_kind, const char* name, int* target,
                                                int var_class = 0) noexcept {
        if (name == nullptr || target == nullptr) return MPI_T_ERR_INVALID;
        const int index = Provider::index_of(item_kind, name, var_class);
        if (index < 0) return MPI_T_ERR_INVALID_NAME;
        *target = index;
        return MPI_SUCCESS;
    }
    // Stores the indices of a category's first `len` members of one kind, in the order in which members were added.
    static int list_members(int cat_index, kind item_kind, int len, int* indices) noexcept {
        if (len < 0 || (indices == nullptr && len > 0)) return MPI_T_ERR_INVALID;
        return Provider::visit_category(cat_index, [&](auto& category) {
            Provider::members(category, item_kind, len, indices);
            return MPI_SUCCESS;
        });
    }
};

// MPI_T_INIT_THREAD(required, provided). The library counts the calls of MPI_T_INIT_THREAD. The first call determines
// the thread level that all calls provide until the last MPI_T_FINALIZE. Returns MPI_T_ERR_INVALID if `required` is not
// a thread level. The argument `provided` may be null.
template <class Provider> int functions<Provider>::init_thread(int required, int* provided) {
    thread_level level{};
    return level_of(required, level) ? Provider::initialize(level, provided) : int{MPI_T_ERR_INVALID};
}

// MPI_T_FINALIZE(). The last MPI_T_FINALIZE, which matches the first MPI_T_INIT_THREAD, frees all sessions and handles.
// Returns MPI_T_ERR_NOT_INITIALIZED for a call without a matching MPI_T_INIT_THREAD.
template <class Provider> int functions<Provider>::finalize() { return Provider::finalize(); }

// MPI_T_ENUM_GET_INFO(enumtype, num, name, name_len). Returns MPI_T_ERR_INVALID if `enumtype` is not an enumeration.
template <class Provider>
int functions<Provider>::enum_get_info(MPI_T_enum enumtype, int* num, char* name, int* name_len) {
    const text_pair name_text{name, name_len};
    const registry::enumeration_record* enumeration = Provider::enumeration(enumtype);
    if (enumeration == nullptr || !name_text.is_well_formed()) return MPI_T_ERR_INVALID;
    put(num, enumeration->count);
    name_text.put(enumeration->name);
    return MPI_SUCCESS;
}

// MPI_T_ENUM_GET_ITEM(enumtype, index, value, name, name_len). Returns MPI_T_ERR_INVALID_INDEX if no item has the
// index.
template <class Provider>
int functions<Provider>::enum_get_item(MPI_T_enum enumtype, int item_index, int* value, char* name, int* name_len) {
    const text_pair name_text{name, name_len};
    const registry::enumeration_record* enumeration = Provider::enumeration(enumtype);
    if (enumeration == nullptr || !name_text.is_well_formed()) return MPI_T_ERR_INVALID;
    if (item_index < 0 || item_index >= enumeration->count) return MPI_T_ERR_INVALID_INDEX;
    put(value, enumeration->items[item_index].value);
    name_text.put(enumeration->items[item_index].name);
    return MPI_SUCCESS;
}

} // namespace mpi_t
} // namespace mpit
