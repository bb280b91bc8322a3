// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, chapter 10: The info object. The functions need no initialization, and several threads may call them at
// once; a tool may call none of them in a signal handler. They exist where a library or a runtime asks for them, with
// its way of answering errors, and with a prefix of its own (MPIT_C_PREFIX) without being asked for. A library that is
// used beside an MPI must not ask: its MPI_Info_create would be called in place of the MPI's.
//
//   #define MPIT_C_INFO 1
//   #define MPIT_C_INFO_ERROR(code) my_runtime::call_the_error_handler(code)
#pragma once

#include <mpit/mpi_t/info_exchange.hpp> // IWYU pragma: keep

#if MPIT_C_INFO

// The error of a function: the code, unless the library has error handlers. It must be the same in
// all source files of a library.
#ifndef MPIT_C_INFO_ERROR
#define MPIT_C_INFO_ERROR(code) (code)
#endif

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// Code that depends on the constants of a header stays in the shared object that was built with it.
inline constexpr info_limits info_limits_here{MPI_MAX_INFO_KEY - 1, MPI_MAX_INFO_VAL - 1};

inline int answer_info(int code) noexcept { return code == MPI_SUCCESS ? MPI_SUCCESS : MPIT_C_INFO_ERROR(code); }

inline int info_code_of(info_result answer) noexcept {
    switch (answer) {
    case info_result::success: return MPI_SUCCESS;
    case info_result::bad_key: return MPI_ERR_INFO_KEY;
    case info_result::bad_value: return MPI_ERR_INFO_VALUE;
    case info_result::no_key: return MPI_ERR_INFO_NOKEY;
    case info_result::out_of_memory: return MPI_ERR_NO_MEM;
    }
    return MPI_ERR_INFO;
}
inline int info_code_of(result answer) noexcept {
    if (answer == result::success) return MPI_SUCCESS;
    return answer == result::out_of_memory ? MPI_ERR_NO_MEM : MPI_ERR_INFO;
}

// Reads no more than tells that a text is too long.
inline core::text info_text(const char* source, std::uint32_t longest) noexcept {
    return core::text_of_at_most(longest + 1, source);
}
inline core::text info_key(const char* key) noexcept { return info_text(key, info_limits_here.key); }
inline bool is_info_key(core::text key) noexcept { return key.length != 0 && key.length <= info_limits_here.key; }

// Answers what `use` answers for the pairs of an object, once the object is free for others again.
template <class Use> int with_info(MPI_Info handle, Use use) noexcept {
    int code = MPI_SUCCESS;
    const result found = use_info(handle, [&](const info& hints) { code = use(hints); });
    return answer_info(found == result::success ? code : info_code_of(found));
}
// The same for a change, which MPI_INFO_ENV refuses: it is not a handle of the library's objects.
template <class Change> int change_info(MPI_Info handle, Change change) noexcept {
    int code = MPI_ERR_INFO;
    session::the_info_objects.use(word_of(handle), [&](info& hints) { code = change(hints); });
    return answer_info(code);
}

// Shows the value of a key to `take`, and tells through `flag` whether there is one. Without a value nothing else
// changes.
template <class Take>
int look_up_info(MPI_Info handle, const char* key, const void* length, int* flag, Take take) noexcept {
    return with_info(handle, [&](const info& hints) -> int {
        const core::text wanted = info_key(key);
        if (!is_info_key(wanted)) return MPI_ERR_INFO_KEY;
        if (length == nullptr || flag == nullptr) return MPI_ERR_ARG;
        const core::text* value = hints.find(wanted);
        const int code = take(value);
        if (code == MPI_SUCCESS) *flag = value != nullptr;
        return code;
    });
}

} // namespace mpi_t
} // namespace mpit

// MPI_INFO_CREATE(info). A new object without pairs. MPI_ERR_NO_MEM without memory, and `info` unchanged as with any
// error.
MPIT_C_INFO_FUNCTION(create, (MPI_Info * info)) {
    if (info == nullptr) return mpit::mpi_t::answer_info(MPI_ERR_ARG);
    return mpit::mpi_t::answer_info(mpit::mpi_t::info_code_of(mpit::mpi_t::make_info({}, *info)));
}

// MPI_INFO_CREATE_ENV(argc, argv, info). A new object with what is known of the start of this process: command and argv
// from the arguments, then host, arch and wdir. MPI_ERR_ARG for a negative count, or for arguments that are not there.
MPIT_C_INFO_FUNCTION(create_env, (int argc, char* argv[], MPI_Info* info)) {
    if (info == nullptr || argc < 0 || (argc > 0 && argv == nullptr)) return mpit::mpi_t::answer_info(MPI_ERR_ARG);
    mpit::info known;
    mpit::result answer = mpit::session::the_info_environment.describe(argc, argv, known);
    if (answer == mpit::result::success) answer = mpit::mpi_t::make_info(known, *info);
    return mpit::mpi_t::answer_info(mpit::mpi_t::info_code_of(answer));
}

// MPI_INFO_DELETE(info, key). MPI_ERR_INFO_NOKEY for a key that is not there.
MPIT_C_INFO_FUNCTION(delete, (MPI_Info info, const char* key)) {
    return mpit::mpi_t::change_info(info, [&](mpit::info& hints) -> int {
        const mpit::core::text ended = mpit::mpi_t::info_key(key);
        if (!mpit::mpi_t::is_info_key(ended)) return MPI_ERR_INFO_KEY;
        return mpit::mpi_t::info_code_of(hints.erase(ended));
    });
}

// MPI_INFO_DUP(info, newinfo). The same pairs in the same order; each object is changed on its own afterwards.
MPIT_C_INFO_FUNCTION(dup, (MPI_Info info, MPI_Info* newinfo)) {
    mpit::info copy;
    mpit::result answer = info != MPI_INFO_NULL ? mpit::mpi_t::read_info(info, copy) : mpit::result::invalid;
    if (answer == mpit::result::success && newinfo == nullptr) return mpit::mpi_t::answer_info(MPI_ERR_ARG);
    if (answer == mpit::result::success) answer = mpit::mpi_t::make_info(copy, *newinfo);
    return mpit::mpi_t::answer_info(mpit::mpi_t::info_code_of(answer));
}

// MPI_INFO_FREE(info). Sets the handle to MPI_INFO_NULL. MPI_ERR_INFO for MPI_INFO_ENV, which is not the caller's.
MPIT_C_INFO_FUNCTION(free, (MPI_Info * info)) {
    if (info == nullptr) return mpit::mpi_t::answer_info(MPI_ERR_ARG);
    if (!mpit::session::the_info_objects.free(mpit::mpi_t::word_of(*info)))
        return mpit::mpi_t::answer_info(MPI_ERR_INFO);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

// MPI_INFO_GET(info, key, valuelen, value, flag). Deprecated: `valuelen` does not count the null behind the characters.
MPIT_C_INFO_FUNCTION(get, (MPI_Info info, const char* key, int valuelen, char* value, int* flag)) {
    return mpit::mpi_t::look_up_info(info, key, &valuelen, flag, [&](const mpit::core::text* found) -> int {
        if (value == nullptr) return MPI_ERR_INFO_VALUE;
        if (valuelen < 0) return MPI_ERR_ARG;
        int size = valuelen < MPI_MAX_INFO_VAL ? valuelen + 1 : MPI_MAX_INFO_VAL;
        if (found != nullptr) mpit::core::text_pair{value, &size}.put(*found);
        return MPI_SUCCESS;
    });
}

// MPI_INFO_GET_NKEYS(info, nkeys)
MPIT_C_INFO_FUNCTION(get_nkeys, (MPI_Info info, int* nkeys)) {
    return mpit::mpi_t::with_info(info, [&](const mpit::info& hints) -> int {
        if (nkeys == nullptr) return MPI_ERR_ARG;
        *nkeys = static_cast<int>(hints.size());
        return MPI_SUCCESS;
    });
}

// MPI_INFO_GET_NTHKEY(info, n, key). In the order in which the keys came; MPI_ERR_ARG if there is no such number. `key`
// has room for MPI_MAX_INFO_KEY characters.
MPIT_C_INFO_FUNCTION(get_nthkey, (MPI_Info info, int n, char* key)) {
    return mpit::mpi_t::with_info(info, [&](const mpit::info& hints) -> int {
        const auto number = static_cast<std::uint32_t>(n); // a negative one becomes larger than any
        if (key == nullptr || number >= hints.size()) return MPI_ERR_ARG;
        int size = MPI_MAX_INFO_KEY;
        mpit::core::text_pair{key, &size}.put(hints[number].key);
        return MPI_SUCCESS;
    });
}

// MPI_INFO_GET_STRING(info, key, buflen, value, flag). `buflen` counts the null, and comes back as what the whole value
// needs; with 0 nothing is written to `value`.
MPIT_C_INFO_FUNCTION(get_string, (MPI_Info info, const char* key, int* buflen, char* value, int* flag)) {
    return mpit::mpi_t::look_up_info(info, key, buflen, flag, [&](const mpit::core::text* found) -> int {
        if (*buflen < 0) return MPI_ERR_ARG;
        if (*buflen > 0 && value == nullptr) return MPI_ERR_INFO_VALUE;
        if (found != nullptr) mpit::core::text_pair{value, buflen}.put(*found);
        return MPI_SUCCESS;
    });
}

// MPI_INFO_GET_VALUELEN(info, key, valuelen, flag). Deprecated: the length does not count the null.
MPIT_C_INFO_FUNCTION(get_valuelen, (MPI_Info info, const char* key, int* valuelen, int* flag)) {
    return mpit::mpi_t::look_up_info(info, key, valuelen, flag, [&](const mpit::core::text* found) -> int {
        if (found != nullptr) *valuelen = static_cast<int>(found->length);
        return MPI_SUCCESS;
    });
}

// MPI_INFO_SET(info, key, value). Copies both texts; the value of a key that is there is replaced. MPI_ERR_INFO_KEY for
// a key that is null, empty or too long, MPI_ERR_INFO_VALUE for a value that is null or too long.
MPIT_C_INFO_FUNCTION(set, (MPI_Info info, const char* key, const char* value)) {
    return mpit::mpi_t::change_info(info, [&](mpit::info& hints) -> int {
        const mpit::core::text wanted = mpit::mpi_t::info_key(key);
        if (!mpit::mpi_t::is_info_key(wanted)) return MPI_ERR_INFO_KEY;
        if (value == nullptr) return MPI_ERR_INFO_VALUE;
        const mpit::core::text setting = mpit::mpi_t::info_text(value, mpit::mpi_t::info_limits_here.value);
        return mpit::mpi_t::info_code_of(hints.set(wanted, setting, mpit::mpi_t::info_limits_here));
    });
}

#endif
