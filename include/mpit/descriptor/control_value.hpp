// SPDX-License-Identifier: BSD-3-Clause
// The functions that read, check, store and parse the value of a control variable, and a table of these functions for
// each kind of storage. The functions serve declared variables, variables that are described at run time, and rows of a
// C table. The descriptor holds the differences between variables of one storage kind (MPI-5.0, 15.3.6).
//
//   variable.operations = &text_in_seqlock;   variable.operations->write(variable, cell, key, value);
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL descriptor {

// Returns the address at an offset in the object of the variable, which begins with the descriptor.
inline unsigned char* part_of(const control& variable, std::uint32_t offset) noexcept {
    return const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(&variable)) + offset;
}
inline void* storage_of(const control& variable) noexcept {
    void* address = part_of(variable, variable.storage_offset);
    if (variable.is_adopted) std::memcpy(&address, address, sizeof address);
    return address;
}
// Returns the size of a variable's value, in bytes, in the form that tools see.
inline std::size_t bytes_of(const control& variable) noexcept {
    return std::size_t{variable.count} * core::size_of(variable.type);
}

// control_functions.hpp defines the functions below, so that MPIT_SEPARATE_COMPILATION can compile them once.
//
// Locates the value of a variable that is not bound.
void* locate_storage(control& variable, object_key, std::uint32_t& generation) noexcept;

// Read a value for a tool. The value is a number, several numbers, a seqlock_value or a text in memory.
result read_number(control& variable, void* cell, object_key, void* buffer);
result read_numbers(control& variable, void* cell, object_key, void* buffer);
result read_seqlock(control& variable, void* cell, object_key key, void* buffer);
result read_characters(control& variable, void* cell, object_key, void* buffer);
// Check a value that a tool writes, call the functions of the library and store the value. Return
// MPI_T_ERR_CVAR_SET_NEVER for the scopes constant and readonly, MPI_T_ERR_INVALID for a value that the variable cannot
// have, or the error of the library's functions.
result write_number(control& variable, void* cell, object_key key, const void* buffer);
result write_numbers(control& variable, void* cell, object_key key, const void* buffer);
result write_text(control& variable, void* cell, object_key key, const void* buffer);
// Store a value that the checks and the library have accepted.
result store_numbers(control& variable, void* cell, object_key, const void* value, bool);
result store_seqlock(control& variable, void* cell, object_key, const void* value, bool);
result store_characters(control& variable, void* cell, object_key, const void* value, bool);

// Check a value from outside of the program, call the functions of the library and store the value.
apply_result store_from_outside(control& variable, const void* value, bool notifies);
apply_result parse_number(control& variable, text value, bool is_running);
apply_result parse_numbers(control& variable, text value, bool is_running);
apply_result parse_text(control& variable, text value, bool is_running);
apply_result parse_bound(control&, text, bool) noexcept; // returns is_bound
// Parse one number. Return false if the text is not a number of the type. A program contains only the parsers of the
// types that its variables have. parse_any() serves variables whose type is known only at run time.
bool parse_signed(const control& variable, text value, std::uint64_t& word) noexcept;
bool parse_natural(const control& variable, text value, std::uint64_t& word) noexcept;
bool parse_real(const control& variable, text value, std::uint64_t& word) noexcept;
bool parse_item(const control& variable, text value, std::uint64_t& word) noexcept;
bool parse_any(const control& variable, text value, std::uint64_t& word) noexcept;

using number_parser = bool (*)(const control&, text, std::uint64_t&);
template <class T> constexpr number_parser parser_of() {
    if constexpr (core::enumerated<T>) return &parse_item;
    else if constexpr (__is_same(T, double)) return &parse_real;
    else return codec_of<T>().is_signed ? &parse_signed : &parse_natural;
}
template <number_parser Parse>
inline constexpr control_operations number_in_memory{.read = &read_number,
                                                     .write = &write_number,
                                                     .parse = &parse_number,
                                                     .parse_number = Parse,
                                                     .store = &store_numbers,
                                                     .locate = &locate_storage};
inline constexpr control_operations numbers_in_memory{.read = &read_numbers,
                                                      .write = &write_numbers,
                                                      .parse = &parse_numbers,
                                                      .parse_number = &parse_any,
                                                      .store = &store_numbers,
                                                      .locate = &locate_storage};
template <number_parser Parse>
inline constexpr control_operations numbers_in_seqlock{.read = &read_seqlock,
                                                       .write = &write_numbers,
                                                       .parse = &parse_numbers,
                                                       .parse_number = Parse,
                                                       .store = &store_seqlock,
                                                       .locate = &locate_storage};
inline constexpr control_operations text_in_seqlock{.read = &read_seqlock,
                                                    .write = &write_text,
                                                    .parse = &parse_text,
                                                    .store = &store_seqlock,
                                                    .locate = &locate_storage};
inline constexpr control_operations text_in_memory{.read = &read_characters,
                                                   .write = &write_text,
                                                   .parse = &parse_text,
                                                   .store = &store_characters,
                                                   .locate = &locate_storage};

// Copy the initial value, and the range of a number, in the form that tools see.
void copy_initial(const control& variable, void* buffer) noexcept;
void copy_range(const control& variable, void* minimum, void* maximum) noexcept;
// Makes the current value of an adopted variable its initial value, unless a default was declared.
void set_initial_from_storage(control& variable) noexcept;

} // namespace descriptor
} // namespace mpit
