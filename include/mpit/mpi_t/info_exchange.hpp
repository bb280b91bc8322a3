// SPDX-License-Identifier: BSD-3-Clause
// Converts between MPI_Info objects and values of mpit's class mpit::info (MPI-5.0, chapter 10). If MPIT_C_INFO is 1,
// the library itself exports the functions on info objects, and MPI_Info objects are objects of the library. If
// MPIT_C_INFO is 0, the functions of the included mpi.h read and create MPI_Info objects. If MPIT_C_INFO is 0 and no
// mpi.h is included, MPI_INFO_NULL is the only handle that mpit accepts and returns.
//
//   mpit::info pairs;  if (mpit::mpi_t::read_info(info, pairs) != mpit::result::success) return MPI_T_ERR_INVALID;
#pragma once

#include <mpit/info.hpp>
#include <mpit/mpi_t/shim.hpp> // IWYU pragma: keep
#if MPIT_C_INFO
#include <mpit/info/environment.hpp>
#include <mpit/info/objects.hpp>
#endif

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

inline result result_of(info_result status) noexcept {
    switch (status) {
    case info_result::success: return result::success;
    case info_result::out_of_memory: return result::out_of_memory;
    default: return result::invalid;
    }
}

#if MPIT_C_INFO

// True for the handle of an info object and for MPI_INFO_ENV, which is read-only. False for MPI_INFO_NULL.
inline bool is_info(MPI_Info handle) noexcept {
    return handle == MPI_INFO_ENV || session::the_info_objects.is_valid(word_of(handle));
}

// Calls `use` with the key-value pairs of an info object, under the mutex of the object. Returns result::invalid if
// `handle` is not an info object.
template <class Use> result use_info(MPI_Info handle, Use use) noexcept {
    if (handle == MPI_INFO_ENV) return session::the_info_environment.use(use);
    return session::the_info_objects.use(word_of(handle), use) ? result::success : result::invalid;
}

// Copies all pairs of an info object to `target`. MPI_INFO_NULL has no pairs. Returns result::invalid if `handle` is
// not an info object. If the call fails, `target` is unchanged. read_info() calls no error handler.
inline result read_info(MPI_Info handle, info& target) noexcept {
    if (handle == MPI_INFO_NULL) return target.clear(), result::success;
    info_result copied = info_result::success;
    const auto copy = [&](const info& pairs) { copied = pairs.duplicate(target); };
    const result status = use_info(handle, copy);
    return status == result::success ? result_of(copied) : status;
}

// Makes an info object with the pairs of `source`. The caller frees the object. An error leaves `handle` unchanged.
inline result make_info(const info& source, MPI_Info& handle) noexcept {
    info copy;
    if (source.duplicate(copy) != info_result::success) return result::out_of_memory;
    std::uint64_t word = 0;
    const result status = session::the_info_objects.add(copy, word);
    if (status == result::success) handle = handle_of<MPI_Info>(word);
    return status;
}

#elif !defined(MPI_VERSION)

// Accepts only MPI_INFO_NULL. If `handle` is not MPI_INFO_NULL, returns result::invalid, and `target` is unchanged.
inline result read_info(MPI_Info handle, info& target) noexcept {
    if (handle != MPI_INFO_NULL) return result::invalid;
    target.clear();
    return result::success;
}
// Returns MPI_INFO_NULL, because a tool could neither read nor free a new info object without an MPI.
inline result make_info(const info&, MPI_Info& handle) noexcept {
    handle = MPI_INFO_NULL;
    return result::success;
}

#else

// The code below calls functions of MPI-3.1, which every mpi.h declares. An mpi.h of MPI-4.0 or later may mark
// MPI_Info_get and MPI_Info_get_valuelen as deprecated.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// Reads the value of one key of an info object. The value may have any length.
inline result read_info_value(MPI_Info handle, const char* key, info& target) noexcept {
    int length = 0, flag = 0;
    if (PMPI_Info_get_valuelen(handle, key, &length, &flag) != MPI_SUCCESS || flag == 0) return result::invalid;
    char* value = static_cast<char*>(std::malloc(static_cast<std::size_t>(length) + 1));
    if (value == nullptr) return result::out_of_memory;
    result status = result::invalid;
    if (PMPI_Info_get(handle, key, length, value, &flag) == MPI_SUCCESS && flag != 0)
        status = result_of(target.set(key, value, {MPI_MAX_INFO_KEY, static_cast<std::uint32_t>(length)}));
    std::free(value);
    return status;
}

// Copies all pairs of an info object to `target`. MPI_INFO_NULL has no pairs. Returns result::invalid if a function of
// the MPI returns an error. If the call fails, `target` is unchanged.
inline result read_info(MPI_Info handle, info& target) noexcept {
    info pairs;
    int count = 0;
    if (handle != MPI_INFO_NULL && PMPI_Info_get_nkeys(handle, &count) != MPI_SUCCESS) return result::invalid;
    for (int i = 0; i < count; i++) {
        char key[MPI_MAX_INFO_KEY + 1]; // in some MPIs MPI_MAX_INFO_KEY does not count the null
        if (PMPI_Info_get_nthkey(handle, i, key) != MPI_SUCCESS) return result::invalid;
        if (const result status = read_info_value(handle, key, pairs); status != result::success) return status;
    }
    target.exchange(pairs);
    return result::success;
}

// Makes an info object of the MPI with the pairs of `source`. The receiver of `handle` frees the object. Pairs that are
// too long for the MPI are omitted, because hints are optional. If the call fails, `handle` is unchanged.
inline result make_info(const info& source, MPI_Info& handle) noexcept {
    MPI_Info new_info = MPI_INFO_NULL;
    if (PMPI_Info_create(&new_info) != MPI_SUCCESS) return result::out_of_memory;
    for (const auto& [key, value] : source)
        if (key.length < MPI_MAX_INFO_KEY && value.length < MPI_MAX_INFO_VAL)
            PMPI_Info_set(new_info, key.characters, value.characters);
    handle = new_info;
    return result::success;
}

#pragma GCC diagnostic pop

#endif

} // namespace mpi_t
} // namespace mpit
