// SPDX-License-Identifier: BSD-3-Clause
// How a function is called from Fortran: the names that compilers give it, and texts, which come with their length as a
// hidden argument behind all others and without a null. A library says what is not gfortran's way before it includes
// the functions (mpit/mpi_t/fortran.hpp):
//
//   #define MPIT_FORTRAN_NAMES one_underscore   // mpi_info_create_, as gfortran, flang and ifort on Linux have it; or
//                                               // two_underscores, no_underscore, upper_case, or all, for all four
//   #define MPIT_FORTRAN_TRUE 1                 // what .true. is; .false. is 0 for all
//   #define MPIT_FORTRAN_LENGTH std::size_t     // the type of a hidden length; int for gfortran before 8
//   #define MPIT_FORTRAN_PREFIX mpi_            // of the names, with MPIT_FORTRAN_UPPER_PREFIX in upper case
#pragma once

#include <mpit/begin.hpp>

#include <mpit/info/text.hpp> // IWYU pragma: keep
#include <mpit/mpi_t/shim.hpp>

// The names that the Fortran compiler gives to functions.
#ifndef MPIT_FORTRAN_NAMES
#define MPIT_FORTRAN_NAMES one_underscore
#endif
// The number of .true. in a LOGICAL.
#ifndef MPIT_FORTRAN_TRUE
#define MPIT_FORTRAN_TRUE 1
#endif
// The type of the hidden length of a text, in characters.
#ifndef MPIT_FORTRAN_LENGTH
#define MPIT_FORTRAN_LENGTH std::size_t
#endif
// The first part of the names of the functions for Fortran.
#ifndef MPIT_FORTRAN_PREFIX
#define MPIT_FORTRAN_PREFIX mpi_
#define MPIT_FORTRAN_UPPER_PREFIX MPI_
#endif

// The compiler's spelling of a name that has underscores within.
#define MPIT_FORTRAN_one_underscore 1
#define MPIT_FORTRAN_two_underscores 2
#define MPIT_FORTRAN_no_underscore 3
#define MPIT_FORTRAN_upper_case 4
#define MPIT_FORTRAN_all 5
#define MPIT_FORTRAN_SPELLING MPIT_C_JOIN(MPIT_FORTRAN_, MPIT_FORTRAN_NAMES)
#if MPIT_FORTRAN_SPELLING == 1 || MPIT_FORTRAN_SPELLING == 5
#define MPIT_FORTRAN_SPELLED(lower, upper) MPIT_C_JOIN(lower, _)
#elif MPIT_FORTRAN_SPELLING == 2
#define MPIT_FORTRAN_SPELLED(lower, upper) MPIT_C_JOIN(lower, __)
#elif MPIT_FORTRAN_SPELLING == 3
#define MPIT_FORTRAN_SPELLED(lower, upper) lower
#elif MPIT_FORTRAN_SPELLING == 4
#define MPIT_FORTRAN_SPELLED(lower, upper) upper
#else
#error "MPIT_FORTRAN_NAMES is one_underscore, two_underscores, no_underscore, upper_case or all"
#endif

#define MPIT_FORTRAN_ALIAS(alias_name, name, parameters)                                                               \
    extern "C" [[gnu::visibility("default"), gnu::weak, gnu::alias(MPIT_C_TEXT(name))]] void alias_name parameters;
#if MPIT_FORTRAN_SPELLING == 5
#define MPIT_FORTRAN_OTHER_SPELLINGS(lower, upper, name, parameters)                                                   \
    MPIT_FORTRAN_ALIAS(MPIT_C_JOIN(lower, __), name, parameters)                                                       \
    MPIT_FORTRAN_ALIAS(lower, name, parameters)                                                                        \
    MPIT_FORTRAN_ALIAS(upper, name, parameters)
#else
#define MPIT_FORTRAN_OTHER_SPELLINGS(lower, upper, name, parameters)
#endif

// Opens the definition of a function under its profiling name; as in C, the plain name is its weak alias.
#define MPIT_FORTRAN_FUNCTION(lower, upper, parameters)                                                                \
    MPIT_FORTRAN_FUNCTION_NAMED(MPIT_C_JOIN(MPIT_FORTRAN_PREFIX, lower),                                               \
                                MPIT_C_JOIN(MPIT_FORTRAN_UPPER_PREFIX, upper), parameters)
#define MPIT_FORTRAN_FUNCTION_NAMED(lower, upper, parameters)                                                          \
    MPIT_FORTRAN_FUNCTION_TWICE(lower, upper, MPIT_C_JOIN(p, lower), MPIT_C_JOIN(P, upper), parameters)
#define MPIT_FORTRAN_FUNCTION_TWICE(lower, upper, profiled_lower, profiled_upper, parameters)                          \
    MPIT_FORTRAN_FUNCTION_SPELLED(lower, upper, profiled_lower, profiled_upper,                                        \
                                  MPIT_FORTRAN_SPELLED(profiled_lower, profiled_upper), parameters)
#define MPIT_FORTRAN_FUNCTION_SPELLED(lower, upper, profiled_lower, profiled_upper, name, parameters)                  \
    extern "C" [[gnu::visibility("default"), gnu::weak]] void name parameters;                                         \
    MPIT_FORTRAN_ALIAS(MPIT_FORTRAN_SPELLED(lower, upper), name, parameters)                                           \
    MPIT_FORTRAN_OTHER_SPELLINGS(lower, upper, name, parameters)                                                       \
    MPIT_FORTRAN_OTHER_SPELLINGS(profiled_lower, profiled_upper, name, parameters)                                     \
    void name parameters

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

using fortran_length = MPIT_FORTRAN_LENGTH;

// A text of Fortran as the functions for C take it. A text longer than `Longest` is cut: they refuse or cut such a
// text themselves, and need not see all of it.
template <std::uint32_t Longest> class text_from_fortran {
public:
    explicit text_from_fortran(core::text source) noexcept {
        const std::uint32_t length = source.length < Longest ? source.length : Longest;
        if (length != 0) std::memcpy(characters_, source.characters, length); // an empty text may have no address
        characters_[length] = '\0';
    }
    operator const char*() const noexcept { return characters_; }

private:
    char characters_[Longest + 1];
};

// Fills a text of Fortran: cut to its length, or padded with blanks, and without a null. How much of it came there.
inline std::size_t return_to_fortran(core::text source, char* target, fortran_length length) noexcept {
    const auto room = static_cast<std::size_t>(length);
    const std::size_t copied = source.length < room ? source.length : room;
    if (room == 0) return 0;
    std::memcpy(target, source.characters, copied);
    std::memset(target + copied, ' ', room - copied);
    return copied;
}

inline MPI_Fint logical_of(int flag) noexcept { return flag != 0 ? MPIT_FORTRAN_TRUE : 0; }

} // namespace mpi_t
} // namespace mpit

#include <mpit/end.hpp>
