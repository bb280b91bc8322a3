// SPDX-License-Identifier: BSD-3-Clause
// Converts between an MPI_Info object and hints as a value: through the library's own info objects if it exports their
// functions (MPIT_C_INFO is 1), otherwise through those of the mpi.h in use. Without both, MPI_INFO_NULL is the only
// object that is accepted and returned (MPI-5.0, chapter 10).
//
//   mpit::info hints;  if (mpit::mpi_t::read_info(info, hints) != mpit::result::success) return MPI_T_ERR_INVALID;
#pragma once

#include <mpit/info.hpp>
#include <mpit/mpi_t/shim.hpp> // IWYU pragma: keep
#if MPIT_C_INFO
#include <mpit/info/environment.hpp>
#include <mpit/info/objects.hpp>
#endif

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

inline result result_of(info_result answer) noexcept {
    switch (answer) {
    case info_result::success: return result::success;
    case info_result::out_of_memory: return result::out_of_memory;
    default: return result::invalid;
    }
}

#if MPIT_C_INFO

// Whether a runtime may take it for an object. MPI_INFO_NULL is none; MPI_INFO_ENV is read-only.
inline bool is_info(MPI_Info handle) noexcept {
    return handle == MPI_INFO_ENV || session::the_info_objects.is_valid(word_of(handle));
}

// Calls `use` with the pairs of an object, under its mutex. Returns result::invalid if it is not an object.
template <class Use> result use_info(MPI_Info handle, Use use) noexcept {
    if (handle == MPI_INFO_ENV) return session::the_info_environment.use(use);
    return session::the_info_objects.use(word_of(handle), use) ? result::success : result::invalid;
}

// All pairs of an object; none for MPI_INFO_NULL. result::invalid for what is not an object, and `target` unchanged as
// with any other failure. No error handler is called.
inline result read_info(MPI_Info handle, info& target) noexcept {
    if (handle == MPI_INFO_NULL) return target.clear(), result::success;
    info_result answer = info_result::success;
    const auto copy = [&](const info& hints) { answer = hints.duplicate(target); };
    const result found = use_info(handle, copy);
    return found == result::success ? result_of(answer) : found;
}

// A new object with these pairs, which its receiver frees. `handle` is unchanged without memory.
inline result make_info(const info& source, MPI_Info& handle) noexcept {
    info copy;
    if (source.duplicate(copy) != info_result::success) return result::out_of_memory;
    std::uint64_t word = 0;
    const result answer = session::the_info_objects.add(copy, word);
    if (answer == result::success) handle = handle_of<MPI_Info>(word);
    return answer;
}

#elif !defined(MPI_VERSION)

// result::invalid for what is not MPI_INFO_NULL, and `target` unchanged.
inline result read_info(MPI_Info handle, info& target) noexcept {
    if (handle != MPI_INFO_NULL) return result::invalid;
    target.clear();
    return result::success;
}
// No object is made, because a tool could neither read nor free it.
inline result make_info(const info&, MPI_Info& handle) noexcept {
    handle = MPI_INFO_NULL;
    return result::success;
}

#else

// The functions of the standard before MPI-4.0 are in every mpi.h, and some headers warn of one that is deprecated now.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// Reads the value of a key into memory for just this value.
inline result read_info_value(MPI_Info handle, const char* key, info& target) noexcept {
    int length = 0, found = 0;
    if (PMPI_Info_get_valuelen(handle, key, &length, &found) != MPI_SUCCESS || found == 0) return result::invalid;
    char* value = static_cast<char*>(std::malloc(static_cast<std::size_t>(length) + 1));
    if (value == nullptr) return result::out_of_memory;
    result answer = result::invalid;
    if (PMPI_Info_get(handle, key, length, value, &found) == MPI_SUCCESS && found != 0)
        answer = result_of(target.set(key, value, {MPI_MAX_INFO_KEY, static_cast<std::uint32_t>(length)}));
    std::free(value);
    return answer;
}

// All pairs of an object; none for MPI_INFO_NULL. result::invalid where the mpi.h's own functions find no object, and
// `target` unchanged as with any other failure.
inline result read_info(MPI_Info handle, info& target) noexcept {
    info fresh;
    int count = 0;
    if (handle != MPI_INFO_NULL && PMPI_Info_get_nkeys(handle, &count) != MPI_SUCCESS) return result::invalid;
    for (int i = 0; i < count; i++) {
        char key[MPI_MAX_INFO_KEY + 1]; // some implementations do not count the null
        if (PMPI_Info_get_nthkey(handle, i, key) != MPI_SUCCESS) return result::invalid;
        if (const result answer = read_info_value(handle, key, fresh); answer != result::success) return answer;
    }
    target.exchange(fresh);
    return result::success;
}

// A new object with these pairs, which its receiver frees. Pairs that this MPI refuses, since its texts are shorter,
// are left out, because hints are optional. `handle` is unchanged without memory.
inline result make_info(const info& source, MPI_Info& handle) noexcept {
    MPI_Info fresh = MPI_INFO_NULL;
    if (PMPI_Info_create(&fresh) != MPI_SUCCESS) return result::out_of_memory;
    for (const auto& [key, value] : source)
        if (key.length < MPI_MAX_INFO_KEY && value.length < MPI_MAX_INFO_VAL)
            PMPI_Info_set(fresh, key.characters, value.characters);
    handle = fresh;
    return result::success;
}

#pragma GCC diagnostic pop

#endif

} // namespace mpi_t
} // namespace mpit
