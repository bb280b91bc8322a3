// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions on info objects, such as MPI_Info_set (MPI-5.0, chapter 10). The functions may be called before
// MPI is initialized. Several threads may call the functions at once, but a signal handler may not. The functions are
// defined if MPIT_C_INFO is 1, which is the default for a library with its own prefix (MPIT_C_PREFIX). A library for
// processes with an MPI must not define MPIT_C_INFO without a prefix, because its MPI_Info_create would replace the
// MPI's function. The macro MPIT_C_INFO_ERROR handles errors.
//
//   #define MPIT_C_INFO 1
//   #define MPIT_C_INFO_ERROR(code) my_runtime::call_the_error_handler(code)
#pragma once

#include <mpit/mpi_t/info_exchange.hpp> // IWYU pragma: keep

#if MPIT_C_INFO

// A function returns MPIT_C_INFO_ERROR(code) for an error. All files of a library must define the same expression.
#ifndef MPIT_C_INFO_ERROR
#define MPIT_C_INFO_ERROR(code) (code)
#endif

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// The greatest lengths of info keys and info values in the mpi.h that this shared object was built with.
inline constexpr info_limits header_limits{MPI_MAX_INFO_KEY - 1, MPI_MAX_INFO_VAL - 1};

inline int return_info_code(int code) noexcept { return code == MPI_SUCCESS ? MPI_SUCCESS : MPIT_C_INFO_ERROR(code); }

inline int info_code_of(info_result status) noexcept {
    switch (status) {
    case info_result::success: return MPI_SUCCESS;
    case info_result::bad_key: return MPI_ERR_INFO_KEY;
    case info_result::bad_value: return MPI_ERR_INFO_VALUE;
    case info_result::no_key: return MPI_ERR_INFO_NOKEY;
    case info_result::out_of_memory: return MPI_ERR_NO_MEM;
    }
    return MPI_ERR_INFO;
}
inline int info_code_of(result status) noexcept {
    if (status == result::success) return MPI_SUCCESS;
    return status == result::out_of_memory ? MPI_ERR_NO_MEM : MPI_ERR_INFO;
}

// Returns a caller's text, cut to `longest + 1` characters. A text of `longest + 1` characters is rejected as too long.
inline core::text info_text(const char* source, std::uint32_t longest) noexcept {
    return core::bounded_text(longest + 1, source);
}
inline core::text info_key(const char* key) noexcept { return info_text(key, header_limits.key); }
inline bool is_info_key(core::text key) noexcept { return key.length != 0 && key.length <= header_limits.key; }

// Calls `use` with the key-value pairs of an info object, under the mutex of the object, and returns the error code of
// `use`. The mutex is unlocked before MPIT_C_INFO_ERROR handles an error.
template <class Use> int with_info(MPI_Info handle, Use use) noexcept {
    int code = MPI_SUCCESS;
    const result status = use_info(handle, [&](const info& pairs) { code = use(pairs); });
    return return_info_code(status == result::success ? code : info_code_of(status));
}
// Calls `change` with the key-value pairs of an info object, under the mutex of the object, and returns the error code
// of `change`. Returns MPI_ERR_INFO for MPI_INFO_ENV, whose pairs cannot be changed.
template <class Change> int change_info(MPI_Info handle, Change change) noexcept {
    int code = MPI_ERR_INFO;
    session::the_info_objects.use(word_of(handle), [&](info& pairs) { code = change(pairs); });
    return return_info_code(code);
}

// Calls `use` with the value of a key, or with null if the key does not exist. Stores in `flag` whether the key exists.
template <class Use>
int look_up_info(MPI_Info handle, const char* key, const void* length, int* flag, Use use) noexcept {
    return with_info(handle, [&](const info& pairs) -> int {
        const core::text key_text = info_key(key);
        if (!is_info_key(key_text)) return MPI_ERR_INFO_KEY;
        if (length == nullptr || flag == nullptr) return MPI_ERR_ARG;
        const core::text* value = pairs.find(key_text);
        const int code = use(value);
        if (code == MPI_SUCCESS) *flag = value != nullptr;
        return code;
    });
}

} // namespace mpi_t
} // namespace mpit

// MPI_INFO_CREATE(info). Makes an info object without keys. Returns MPI_ERR_NO_MEM if memory is exhausted. If the call
// fails, `info` is unchanged.
MPIT_C_INFO_FUNCTION(create, (MPI_Info * info)) {
    if (info == nullptr) return mpit::mpi_t::return_info_code(MPI_ERR_ARG);
    return mpit::mpi_t::return_info_code(mpit::mpi_t::info_code_of(mpit::mpi_t::make_info({}, *info)));
}

// MPI_INFO_CREATE_ENV(argc, argv, info). Makes an info object that describes how this process was started. The values
// of the keys `command` and `argv` come from the argument `argv`. Further keys are `host`, `arch` and `wdir`. Returns
// MPI_ERR_ARG if `argc` is negative, or if `argv` is null and `argc` is not 0.
MPIT_C_INFO_FUNCTION(create_env, (int argc, char* argv[], MPI_Info* info)) {
    if (info == nullptr || argc < 0 || (argc > 0 && argv == nullptr)) return mpit::mpi_t::return_info_code(MPI_ERR_ARG);
    mpit::info pairs;
    mpit::result status = mpit::session::the_info_environment.describe(argc, argv, pairs);
    if (status == mpit::result::success) status = mpit::mpi_t::make_info(pairs, *info);
    return mpit::mpi_t::return_info_code(mpit::mpi_t::info_code_of(status));
}

// MPI_INFO_DELETE(info, key). Returns MPI_ERR_INFO_NOKEY if the info object does not have the key.
MPIT_C_INFO_FUNCTION(delete, (MPI_Info info, const char* key)) {
    return mpit::mpi_t::change_info(info, [&](mpit::info& pairs) -> int {
        const mpit::core::text key_text = mpit::mpi_t::info_key(key);
        if (!mpit::mpi_t::is_info_key(key_text)) return MPI_ERR_INFO_KEY;
        return mpit::mpi_t::info_code_of(pairs.erase(key_text));
    });
}

// MPI_INFO_DUP(info, newinfo). Makes an independent copy of an info object, with the same pairs in the same order.
MPIT_C_INFO_FUNCTION(dup, (MPI_Info info, MPI_Info* newinfo)) {
    mpit::info pairs;
    mpit::result status = info != MPI_INFO_NULL ? mpit::mpi_t::read_info(info, pairs) : mpit::result::invalid;
    if (status == mpit::result::success && newinfo == nullptr) return mpit::mpi_t::return_info_code(MPI_ERR_ARG);
    if (status == mpit::result::success) status = mpit::mpi_t::make_info(pairs, *newinfo);
    return mpit::mpi_t::return_info_code(mpit::mpi_t::info_code_of(status));
}

// MPI_INFO_FREE(info). Sets `info` to MPI_INFO_NULL. Returns MPI_ERR_INFO for MPI_INFO_ENV, which cannot be freed.
MPIT_C_INFO_FUNCTION(free, (MPI_Info * info)) {
    if (info == nullptr) return mpit::mpi_t::return_info_code(MPI_ERR_ARG);
    if (!mpit::session::the_info_objects.free(mpit::mpi_t::word_of(*info)))
        return mpit::mpi_t::return_info_code(MPI_ERR_INFO);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

// MPI_INFO_GET(info, key, valuelen, value, flag). MPI deprecates this function. `valuelen` does not count the null.
MPIT_C_INFO_FUNCTION(get, (MPI_Info info, const char* key, int valuelen, char* value, int* flag)) {
    return mpit::mpi_t::look_up_info(info, key, &valuelen, flag, [&](const mpit::core::text* source) -> int {
        if (value == nullptr) return MPI_ERR_INFO_VALUE;
        if (valuelen < 0) return MPI_ERR_ARG;
        int size = valuelen < MPI_MAX_INFO_VAL ? valuelen + 1 : MPI_MAX_INFO_VAL;
        if (source != nullptr) mpit::core::text_pair{value, &size}.put(*source);
        return MPI_SUCCESS;
    });
}

// MPI_INFO_GET_NKEYS(info, nkeys)
MPIT_C_INFO_FUNCTION(get_nkeys, (MPI_Info info, int* nkeys)) {
    return mpit::mpi_t::with_info(info, [&](const mpit::info& pairs) -> int {
        if (nkeys == nullptr) return MPI_ERR_ARG;
        *nkeys = static_cast<int>(pairs.size());
        return MPI_SUCCESS;
    });
}

// MPI_INFO_GET_NTHKEY(info, n, key). Keys are numbered in the order in which the keys were added. Returns MPI_ERR_ARG
// if no key has the number `n`. The buffer `key` must have room for MPI_MAX_INFO_KEY characters.
MPIT_C_INFO_FUNCTION(get_nthkey, (MPI_Info info, int n, char* key)) {
    return mpit::mpi_t::with_info(info, [&](const mpit::info& pairs) -> int {
        const auto index = static_cast<std::uint32_t>(n); // a negative n becomes greater than every size
        if (key == nullptr || index >= pairs.size()) return MPI_ERR_ARG;
        int size = MPI_MAX_INFO_KEY;
        mpit::core::text_pair{key, &size}.put(pairs[index].key);
        return MPI_SUCCESS;
    });
}

// MPI_INFO_GET_STRING(info, key, buflen, value, flag). The size `buflen` includes the terminating null. On return,
// `buflen` is the size that the complete value needs. If `buflen` is 0 on entry, `value` is unchanged.
MPIT_C_INFO_FUNCTION(get_string, (MPI_Info info, const char* key, int* buflen, char* value, int* flag)) {
    return mpit::mpi_t::look_up_info(info, key, buflen, flag, [&](const mpit::core::text* source) -> int {
        if (*buflen < 0) return MPI_ERR_ARG;
        if (*buflen > 0 && value == nullptr) return MPI_ERR_INFO_VALUE;
        if (source != nullptr) mpit::core::text_pair{value, buflen}.put(*source);
        return MPI_SUCCESS;
    });
}

// MPI_INFO_GET_VALUELEN(info, key, valuelen, flag). MPI deprecates this function. `valuelen` does not count the null.
MPIT_C_INFO_FUNCTION(get_valuelen, (MPI_Info info, const char* key, int* valuelen, int* flag)) {
    return mpit::mpi_t::look_up_info(info, key, valuelen, flag, [&](const mpit::core::text* value) -> int {
        if (value != nullptr) *valuelen = static_cast<int>(value->length);
        return MPI_SUCCESS;
    });
}

// MPI_INFO_SET(info, key, value). Copies both texts. The new value replaces the value of an existing key. Returns
// MPI_ERR_INFO_KEY if the key is null, empty or too long. Returns MPI_ERR_INFO_VALUE if the value is null or too long.
MPIT_C_INFO_FUNCTION(set, (MPI_Info info, const char* key, const char* value)) {
    return mpit::mpi_t::change_info(info, [&](mpit::info& pairs) -> int {
        const mpit::core::text key_text = mpit::mpi_t::info_key(key);
        if (!mpit::mpi_t::is_info_key(key_text)) return MPI_ERR_INFO_KEY;
        if (value == nullptr) return MPI_ERR_INFO_VALUE;
        const mpit::core::text value_text = mpit::mpi_t::info_text(value, mpit::mpi_t::header_limits.value);
        return mpit::mpi_t::info_code_of(pairs.set(key_text, value_text, mpit::mpi_t::header_limits));
    });
}

#endif
