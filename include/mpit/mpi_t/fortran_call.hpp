// SPDX-License-Identifier: BSD-3-Clause
// Defines macros for the calling convention of Fortran compilers. Each compiler has its own spelling of function names.
// A Fortran text has no terminating null, so the compiler passes its length as a hidden argument after all declared
// arguments. The default values of the macros are for gfortran. For another compiler, a library defines the macros with
// other values before it includes mpit/mpi_t/fortran.hpp.
//
//   #define MPIT_FORTRAN_NAMES one_underscore   // mpi_info_create_, as of gfortran, flang and ifort on Linux, or
//                                               // two_underscores, no_underscore, upper_case, or all, for all four
//   #define MPIT_FORTRAN_TRUE 1                 // the value of `.true.`, while `.false.` is 0 for all compilers
//   #define MPIT_FORTRAN_LENGTH std::size_t     // the type of a hidden length, which is int for gfortran before 8
//   #define MPIT_FORTRAN_PREFIX mpi_            // the prefix of names, with MPIT_FORTRAN_UPPER_PREFIX in upper case
#pragma once

#include <mpit/begin.hpp>

#include <mpit/info/text.hpp> // IWYU pragma: keep
#include <mpit/mpi_t/shim.hpp>

// The Fortran compiler's spelling of function names.
#ifndef MPIT_FORTRAN_NAMES
#define MPIT_FORTRAN_NAMES one_underscore
#endif
// The integer by which the Fortran compiler represents the LOGICAL value `true`.
#ifndef MPIT_FORTRAN_TRUE
#define MPIT_FORTRAN_TRUE 1
#endif
// The type of the hidden argument that holds the length of a text in characters.
#ifndef MPIT_FORTRAN_LENGTH
#define MPIT_FORTRAN_LENGTH std::size_t
#endif
// The prefix of the names of Fortran functions, in lower case and in upper case.
#ifndef MPIT_FORTRAN_PREFIX
#define MPIT_FORTRAN_PREFIX mpi_
#define MPIT_FORTRAN_UPPER_PREFIX MPI_
#endif

// Numbers for the possible spellings of a Fortran function's name. In the spelling two_underscores, a name that
// contains an underscore, such as the name of an MPI function, ends with two more underscores.
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
#error "MPIT_FORTRAN_NAMES must be one_underscore, two_underscores, no_underscore, upper_case or all"
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

// Begins the definition of a Fortran function under the profiling name. The plain name is a weak alias.
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

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

using fortran_length = MPIT_FORTRAN_LENGTH;

// A copy of a Fortran text with the terminating null that C functions need. A text is cut to `Longest` characters. The
// cut changes no result, because the C function rejects or cuts every text of `Longest` or more characters.
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

// Stores a text in a CHARACTER variable, cut to the length of the variable or padded with blanks. Returns the number of
// characters of the text that were stored.
inline std::size_t return_to_fortran(core::text source, char* target, fortran_length length) noexcept {
    const auto size = static_cast<std::size_t>(length);
    const std::size_t copied = source.length < size ? source.length : size;
    if (size == 0) return 0;
    std::memcpy(target, source.characters, copied);
    std::memset(target + copied, ' ', size - copied);
    return copied;
}

inline MPI_Fint logical_of(int flag) noexcept { return flag != 0 ? MPIT_FORTRAN_TRUE : 0; }

} // namespace mpi_t
} // namespace mpit

#include <mpit/end.hpp>
