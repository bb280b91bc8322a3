// SPDX-License-Identifier: BSD-3-Clause
// Defines Fortran functions that name MPI objects (MPI-5.0, 7.8), and Fortran functions on info objects (chapter 10),
// for programs that include mpif.h. A Fortran function is defined only if mpit defines the C function, too
// (MPIT_C_OBJECT_NAMES, MPIT_C_INFO). A Fortran function calls the profiling name of the C function and stores the
// error code in `ierror`. A handle is an INTEGER in Fortran. The runtime's MPI_Comm_f2c, MPI_Type_f2c and MPI_Win_f2c
// convert INTEGERs to handles. This header defines MPI_Info_f2c and MPI_Info_c2f.
//
//   #define MPIT_FORTRAN_NAMES one_underscore    // before <mpit/mpi_t.hpp> (see fortran_call.hpp for more)
#pragma once

#include <mpit/mpi_t/fortran_call.hpp> // IWYU pragma: keep
#include <mpit/mpi_t/info.hpp>         // IWYU pragma: keep
#include <mpit/mpi_t/object_name.hpp>  // IWYU pragma: keep

#ifdef MPIT_C_OBJECT_NAMES

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

template <class Object>
MPI_Fint set_name_for_fortran(int (*set)(Object, const char*), Object object, const char* name,
                              fortran_length name_length) {
    return set(object,
               text_from_fortran<MPI_MAX_OBJECT_NAME>{whole_fortran_text(name, static_cast<std::size_t>(name_length))});
}

// Stores only blanks in `name` if the object has an empty name. The stored `length` is at most `name_length`.
template <class Object>
MPI_Fint get_name_for_fortran(int (*get)(Object, char*, int*), Object object, char* name, MPI_Fint* length,
                              fortran_length name_length) {
    char c_name[MPI_MAX_OBJECT_NAME] = "";
    int c_length = 0;
    const int code = get(object, c_name, &c_length);
    const core::text source{c_name, static_cast<std::uint32_t>(c_length)};
    *length = static_cast<MPI_Fint>(return_to_fortran(source, name, name_length));
    return code;
}

} // namespace mpi_t
} // namespace mpit

// MPI_COMM_SET_NAME(COMM, COMM_NAME, IERROR). Trailing blanks of COMM_NAME are not part of the name.
MPIT_FORTRAN_FUNCTION(comm_set_name, COMM_SET_NAME,
                      (const MPI_Fint* comm, const char* comm_name, MPI_Fint* ierror,
                       MPIT_FORTRAN_LENGTH comm_name_length)) {
    *ierror = mpit::mpi_t::set_name_for_fortran(&PMPI_Comm_set_name, MPI_Comm_f2c(*comm), comm_name, comm_name_length);
}

// MPI_COMM_GET_NAME(COMM, COMM_NAME, RESULTLEN, IERROR). A name that is longer than COMM_NAME is cut.
MPIT_FORTRAN_FUNCTION(comm_get_name, COMM_GET_NAME,
                      (const MPI_Fint* comm, char* comm_name, MPI_Fint* resultlen, MPI_Fint* ierror,
                       MPIT_FORTRAN_LENGTH comm_name_length)) {
    *ierror = mpit::mpi_t::get_name_for_fortran(&PMPI_Comm_get_name, MPI_Comm_f2c(*comm), comm_name, resultlen,
                                                comm_name_length);
}

// MPI_TYPE_SET_NAME(DATATYPE, TYPE_NAME, IERROR)
MPIT_FORTRAN_FUNCTION(type_set_name, TYPE_SET_NAME,
                      (const MPI_Fint* datatype, const char* type_name, MPI_Fint* ierror,
                       MPIT_FORTRAN_LENGTH type_name_length)) {
    *ierror =
        mpit::mpi_t::set_name_for_fortran(&PMPI_Type_set_name, MPI_Type_f2c(*datatype), type_name, type_name_length);
}

// MPI_TYPE_GET_NAME(DATATYPE, TYPE_NAME, RESULTLEN, IERROR)
MPIT_FORTRAN_FUNCTION(type_get_name, TYPE_GET_NAME,
                      (const MPI_Fint* datatype, char* type_name, MPI_Fint* resultlen, MPI_Fint* ierror,
                       MPIT_FORTRAN_LENGTH type_name_length)) {
    *ierror = mpit::mpi_t::get_name_for_fortran(&PMPI_Type_get_name, MPI_Type_f2c(*datatype), type_name, resultlen,
                                                type_name_length);
}

// MPI_WIN_SET_NAME(WIN, WIN_NAME, IERROR)
MPIT_FORTRAN_FUNCTION(win_set_name, WIN_SET_NAME,
                      (const MPI_Fint* win, const char* win_name, MPI_Fint* ierror,
                       MPIT_FORTRAN_LENGTH win_name_length)) {
    *ierror = mpit::mpi_t::set_name_for_fortran(&PMPI_Win_set_name, MPI_Win_f2c(*win), win_name, win_name_length);
}

// MPI_WIN_GET_NAME(WIN, WIN_NAME, RESULTLEN, IERROR)
MPIT_FORTRAN_FUNCTION(win_get_name, WIN_GET_NAME,
                      (const MPI_Fint* win, char* win_name, MPI_Fint* resultlen, MPI_Fint* ierror,
                       MPIT_FORTRAN_LENGTH win_name_length)) {
    *ierror =
        mpit::mpi_t::get_name_for_fortran(&PMPI_Win_get_name, MPI_Win_f2c(*win), win_name, resultlen, win_name_length);
}

#endif

#if MPIT_C_INFO

// Suppresses warnings about functions that a runtime's mpi.h marks as deprecated.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define MPIT_FORTRAN_INFO_CONVERSION(result, name, parameters)                                                         \
    MPIT_FORTRAN_INFO_CONVERSION_NAMED(result, MPIT_C_INFO_PLAIN(name), MPIT_C_INFO_PROFILED(name), parameters)
#define MPIT_FORTRAN_INFO_CONVERSION_NAMED(result, plain, profiled, parameters)                                        \
    extern "C" [[gnu::visibility("default"), gnu::weak, gnu::alias(MPIT_C_TEXT(profiled))]] result plain parameters;   \
    extern "C" [[gnu::visibility("default"), gnu::weak]] result profiled parameters

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

static_assert(core::constexpr_equal(MPIT_C_TEXT(MPIT_C_INFO_PREFIX), "MPI_Info_") ||
                  !core::constexpr_equal(MPIT_C_TEXT(MPIT_FORTRAN_PREFIX), "mpi_"),
              "a library that defines MPIT_C_INFO_PREFIX must define MPIT_FORTRAN_PREFIX, too");

// In Fortran MPI_INFO_NULL and MPI_INFO_ENV are the INTEGERs of the MPI-5.0 ABI, whatever values the C handles have.
inline constexpr MPI_Fint info_null_of_fortran = 0x130, info_env_of_fortran = 0x131;

} // namespace mpi_t
} // namespace mpit

// MPI_Info_c2f(info). No INTEGER is ever used for a second info object. Returns 0, which is the INTEGER of no object,
// if `info` is not an info object or if memory is exhausted.
MPIT_FORTRAN_INFO_CONVERSION(MPI_Fint, c2f, (MPI_Info info)) {
    if (info == MPI_INFO_NULL) return mpit::mpi_t::info_null_of_fortran;
    if (info == MPI_INFO_ENV) return mpit::mpi_t::info_env_of_fortran;
    return static_cast<MPI_Fint>(mpit::session::the_info_objects.integer_of(mpit::mpi_t::word_of(info)));
}

// MPI_Info_f2c(info). If no existing info object has the INTEGER `info`, returns a handle that all functions reject.
MPIT_FORTRAN_INFO_CONVERSION(MPI_Info, f2c, (MPI_Fint info)) {
    if (info == mpit::mpi_t::info_null_of_fortran) return MPI_INFO_NULL;
    if (info == mpit::mpi_t::info_env_of_fortran) return MPI_INFO_ENV;
    return mpit::mpi_t::handle_of<MPI_Info>(
        mpit::session::the_info_objects.handle_of(static_cast<std::uint32_t>(info)));
}

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// A Fortran text that is a key or a value, without leading and trailing blanks. A text that is too long keeps one
// character more than the C function accepts, so that the C function rejects the text.
struct fortran_info_key : text_from_fortran<MPI_MAX_INFO_KEY> {
    fortran_info_key(const char* key, fortran_length length) noexcept
        : text_from_fortran{fortran_text(key, static_cast<std::size_t>(length))} {}
};
struct fortran_info_value : text_from_fortran<MPI_MAX_INFO_VAL> {
    fortran_info_value(const char* value, fortran_length length) noexcept
        : text_from_fortran{fortran_text(value, static_cast<std::size_t>(length))} {}
};

// Stores the INTEGER of a new info object. If no INTEGER is left, frees the object and returns MPI_ERR_NO_MEM.
inline MPI_Fint return_info_to_fortran(int code, MPI_Info new_info, MPI_Fint* info) noexcept {
    if (code != MPI_SUCCESS) return code;
    const MPI_Fint integer = MPIT_C_INFO_PLAIN(c2f)(new_info);
    if (integer != 0) return *info = integer, MPI_SUCCESS;
    MPIT_C_INFO_PROFILED(free)(&new_info);
    return return_info_code(MPI_ERR_NO_MEM);
}

} // namespace mpi_t
} // namespace mpit

// MPI_INFO_CREATE(INFO, IERROR)
MPIT_FORTRAN_FUNCTION(info_create, INFO_CREATE, (MPI_Fint * info, MPI_Fint* ierror)) {
    MPI_Info new_info = MPI_INFO_NULL;
    const int code = MPIT_C_INFO_PROFILED(create)(&new_info);
    *ierror = mpit::mpi_t::return_info_to_fortran(code, new_info, info);
}

// MPI_INFO_CREATE_ENV(INFO, IERROR). The C function gets no argc and argv, because the Fortran function has none.
MPIT_FORTRAN_FUNCTION(info_create_env, INFO_CREATE_ENV, (MPI_Fint * info, MPI_Fint* ierror)) {
    MPI_Info new_info = MPI_INFO_NULL;
    const int code = MPIT_C_INFO_PROFILED(create_env)(0, nullptr, &new_info);
    *ierror = mpit::mpi_t::return_info_to_fortran(code, new_info, info);
}

// MPI_INFO_DELETE(INFO, KEY, IERROR)
MPIT_FORTRAN_FUNCTION(info_delete, INFO_DELETE,
                      (const MPI_Fint* info, const char* key, MPI_Fint* ierror, MPIT_FORTRAN_LENGTH key_length)) {
    *ierror =
        MPIT_C_INFO_PROFILED(delete)(MPIT_C_INFO_PLAIN(f2c)(*info), mpit::mpi_t::fortran_info_key{key, key_length});
}

// MPI_INFO_DUP(INFO, NEWINFO, IERROR)
MPIT_FORTRAN_FUNCTION(info_dup, INFO_DUP, (const MPI_Fint* info, MPI_Fint* newinfo, MPI_Fint* ierror)) {
    MPI_Info new_info = MPI_INFO_NULL;
    const int code = MPIT_C_INFO_PROFILED(dup)(MPIT_C_INFO_PLAIN(f2c)(*info), &new_info);
    *ierror = mpit::mpi_t::return_info_to_fortran(code, new_info, newinfo);
}

// MPI_INFO_FREE(INFO, IERROR)
MPIT_FORTRAN_FUNCTION(info_free, INFO_FREE, (MPI_Fint * info, MPI_Fint* ierror)) {
    MPI_Info handle = MPIT_C_INFO_PLAIN(f2c)(*info);
    *ierror = MPIT_C_INFO_PROFILED(free)(&handle);
    if (*ierror == MPI_SUCCESS) *info = MPIT_C_INFO_PLAIN(c2f)(handle);
}

// MPI_INFO_GET(INFO, KEY, VALUELEN, VALUE, FLAG, IERROR). The standard deprecates this function. The stored value is
// cut to VALUELEN characters and padded with blanks.
MPIT_FORTRAN_FUNCTION(info_get, INFO_GET,
                      (const MPI_Fint* info, const char* key, const MPI_Fint* valuelen, char* value, MPI_Fint* flag,
                       MPI_Fint* ierror, MPIT_FORTRAN_LENGTH key_length, MPIT_FORTRAN_LENGTH value_length)) {
    char c_value[MPI_MAX_INFO_VAL] = "";
    int has_value = 0;
    *ierror = MPIT_C_INFO_PROFILED(get)(MPIT_C_INFO_PLAIN(f2c)(*info), mpit::mpi_t::fortran_info_key{key, key_length},
                                        static_cast<int>(*valuelen), c_value, &has_value);
    if (*ierror != MPI_SUCCESS) return;
    *flag = mpit::mpi_t::logical_of(has_value);
    if (has_value != 0) mpit::mpi_t::return_to_fortran(c_value, value, value_length);
}

// MPI_INFO_GET_NKEYS(INFO, NKEYS, IERROR)
MPIT_FORTRAN_FUNCTION(info_get_nkeys, INFO_GET_NKEYS, (const MPI_Fint* info, MPI_Fint* nkeys, MPI_Fint* ierror)) {
    int count = 0;
    *ierror = MPIT_C_INFO_PROFILED(get_nkeys)(MPIT_C_INFO_PLAIN(f2c)(*info), &count);
    if (*ierror == MPI_SUCCESS) *nkeys = count;
}

// MPI_INFO_GET_NTHKEY(INFO, N, KEY, IERROR). The first key has N = 0 in Fortran as well as in C.
MPIT_FORTRAN_FUNCTION(info_get_nthkey, INFO_GET_NTHKEY,
                      (const MPI_Fint* info, const MPI_Fint* n, char* key, MPI_Fint* ierror,
                       MPIT_FORTRAN_LENGTH key_length)) {
    char c_key[MPI_MAX_INFO_KEY] = "";
    *ierror = MPIT_C_INFO_PROFILED(get_nthkey)(MPIT_C_INFO_PLAIN(f2c)(*info), static_cast<int>(*n), c_key);
    if (*ierror == MPI_SUCCESS) mpit::mpi_t::return_to_fortran(c_key, key, key_length);
}

// MPI_INFO_GET_STRING(INFO, KEY, BUFLEN, VALUE, FLAG, IERROR). On entry, BUFLEN is the number of characters of VALUE
// that may be written, without a terminating null. On return, BUFLEN is the length of the complete value. If BUFLEN is
// 0 on entry, VALUE is unchanged.
MPIT_FORTRAN_FUNCTION(info_get_string, INFO_GET_STRING,
                      (const MPI_Fint* info, const char* key, MPI_Fint* buflen, char* value, MPI_Fint* flag,
                       MPI_Fint* ierror, MPIT_FORTRAN_LENGTH key_length, MPIT_FORTRAN_LENGTH value_length)) {
    char c_value[MPI_MAX_INFO_VAL] = "";
    int has_value = 0, size = static_cast<int>(*buflen);
    if (size > 0) size = size < MPI_MAX_INFO_VAL ? size + 1 : MPI_MAX_INFO_VAL;
    *ierror = MPIT_C_INFO_PROFILED(get_string)(
        MPIT_C_INFO_PLAIN(f2c)(*info), mpit::mpi_t::fortran_info_key{key, key_length}, &size, c_value, &has_value);
    if (*ierror != MPI_SUCCESS) return;
    *flag = mpit::mpi_t::logical_of(has_value);
    if (has_value == 0) return;
    if (*buflen != 0) mpit::mpi_t::return_to_fortran(c_value, value, value_length);
    *buflen = size - 1;
}

// MPI_INFO_GET_VALUELEN(INFO, KEY, VALUELEN, FLAG, IERROR). The standard deprecates this function.
MPIT_FORTRAN_FUNCTION(info_get_valuelen, INFO_GET_VALUELEN,
                      (const MPI_Fint* info, const char* key, MPI_Fint* valuelen, MPI_Fint* flag, MPI_Fint* ierror,
                       MPIT_FORTRAN_LENGTH key_length)) {
    int length = 0, has_value = 0;
    *ierror = MPIT_C_INFO_PROFILED(get_valuelen)(MPIT_C_INFO_PLAIN(f2c)(*info),
                                                 mpit::mpi_t::fortran_info_key{key, key_length}, &length, &has_value);
    if (*ierror != MPI_SUCCESS) return;
    *flag = mpit::mpi_t::logical_of(has_value);
    if (has_value != 0) *valuelen = length;
}

// MPI_INFO_SET(INFO, KEY, VALUE, IERROR)
MPIT_FORTRAN_FUNCTION(info_set, INFO_SET,
                      (const MPI_Fint* info, const char* key, const char* value, MPI_Fint* ierror,
                       MPIT_FORTRAN_LENGTH key_length, MPIT_FORTRAN_LENGTH value_length)) {
    *ierror = MPIT_C_INFO_PROFILED(set)(MPIT_C_INFO_PLAIN(f2c)(*info), mpit::mpi_t::fortran_info_key{key, key_length},
                                        mpit::mpi_t::fortran_info_value{value, value_length});
}

#pragma GCC diagnostic pop

#endif
