// SPDX-License-Identifier: BSD-3-Clause
// The bodies of the 51 functions, each once, as static members of a template over a provider: the registry, or the
// registry and an MPI. They run while the interface is initialized; the functions under the names of the standard
// (mpit/mpi_t/entries.hpp) ask for that. This file declares all of them, and defines those for epochs and for
// enumerations.
//
//   functions<registry_provider>::cvar_get_num(&count)
#pragma once

#include <mpit/mpi_t/shim.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// Each is inlined into the function under its name, so that the question whether the interface is initialized costs no
// second call.
template <class Provider> struct functions {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    [[gnu::always_inline]] static inline int name parameters;
#include <mpit/mpi_t/functions.def>

private:
    static int count(kind item_kind, int* number) noexcept {
        if (number == nullptr) return MPI_T_ERR_INVALID;
        *number = Provider::count(item_kind);
        return MPI_SUCCESS;
    }
    [[gnu::always_inline]] static int get_index(kind item_kind, const char* name, int* index,
                                                int var_class = 0) noexcept {
        if (name == nullptr || index == nullptr) return MPI_T_ERR_INVALID;
        const int number = Provider::number_of(item_kind, name, var_class);
        if (number < 0) return MPI_T_ERR_INVALID_NAME;
        *index = number;
        return MPI_SUCCESS;
    }
    // The members of one kind: the first `len` in the order in which they were added.
    static int list_members(int cat_index, kind item_kind, int len, int* indices) noexcept {
        if (len < 0 || (indices == nullptr && len > 0)) return MPI_T_ERR_INVALID;
        return Provider::visit_category(cat_index, [&](auto& category) {
            Provider::members(category, item_kind, len, indices);
            return MPI_SUCCESS;
        });
    }
};

// MPI_T_INIT_THREAD(required, provided). Counts; the first call of an epoch decides the level that all calls of the
// epoch provide. MPI_T_ERR_INVALID for what is not a level; a null `provided` is not written.
template <class Provider> int functions<Provider>::init_thread(int required, int* provided) {
    thread_level level{};
    return level_of(required, level) ? Provider::initialize(level, provided) : int{MPI_T_ERR_INVALID};
}

// MPI_T_FINALIZE(). The last one frees all sessions and handles. MPI_T_ERR_NOT_INITIALIZED without a matching init.
template <class Provider> int functions<Provider>::finalize() { return Provider::finalize(); }

// MPI_T_ENUM_GET_INFO(enumtype, num, name, name_len). MPI_T_ERR_INVALID for what is not an enumeration.
template <class Provider>
int functions<Provider>::enum_get_info(MPI_T_enum enumtype, int* num, char* name, int* name_len) {
    const text_pair name_text{name, name_len};
    const registry::enumeration_record* enumeration = Provider::enumeration(enumtype);
    if (enumeration == nullptr || !name_text.is_well_formed()) return MPI_T_ERR_INVALID;
    put(num, enumeration->count);
    name_text.put(enumeration->name);
    return MPI_SUCCESS;
}

// MPI_T_ENUM_GET_ITEM(enumtype, index, value, name, name_len). MPI_T_ERR_INVALID_INDEX outside 0 to num - 1.
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
