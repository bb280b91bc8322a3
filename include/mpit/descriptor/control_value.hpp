// SPDX-License-Identifier: BSD-3-Clause
// How the value of a control variable is kept, whatever its type and wherever it is: the functions that read, check,
// store and parse it, and a table of them for each way. One set of functions serves all variables that are declared,
// described at run time, or rows of C; what differs between them is data of the descriptor (MPI-5.0, 15.3.6).
//
//   d.operations = &text_in_buffers;   d.operations->write(d, cell, key, value);   // checks, d.ask, d.operations->store
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL descriptor {

// Where the descriptor has the value, or another part of it.
inline unsigned char* part_of(const control& d, std::uint32_t offset) noexcept {
    return const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(&d)) + offset;
}
inline void* storage_of(const control& d) noexcept {
    void* address = part_of(d, d.storage_offset);
    if (d.is_adopted) std::memcpy(&address, address, sizeof address);
    return address;
}
// Of a whole value, as tools see it.
inline std::size_t bytes_of(const control& d) noexcept { return std::size_t{d.count} * core::size_of(d.type); }

// Functions of all variables. They are compiled once where files are compiled apart (control_functions.hpp).
//
// Locates a value that has no cell of its own for each object.
void* locate_storage(control& d, object_key, std::uint32_t& generation) noexcept;

// Read a value for a tool: a number, several ones in memory, those in a seqlock_value, and a text in memory.
result read_number(control& d, void* cell, object_key, void* buffer);
result read_numbers(control& d, void* cell, object_key, void* buffer);
result read_buffers(control& d, void* cell, object_key key, void* buffer);
result read_characters(control& d, void* cell, object_key, void* buffer);
// Check what a tool writes, and take() it. MPI_T_ERR_CVAR_SET_NEVER for scopes constant and readonly, MPI_T_ERR_INVALID
// for a value that the variable cannot have, or the answer of its library.
result write_number(control& d, void* cell, object_key key, const void* buffer);
result write_numbers(control& d, void* cell, object_key key, const void* buffer);
result write_text(control& d, void* cell, object_key key, const void* buffer);
// Store what was accepted.
result store_numbers(control& d, void* cell, object_key, const void* value, bool);
result store_buffers(control& d, void* cell, object_key, const void* value, bool);
result store_characters(control& d, void* cell, object_key, const void* value, bool);

// Take a value from outside of the program.
apply_result take_from_outside(control& d, const void* value, bool notifies);
apply_result parse_number(control& d, text written, bool is_running);
apply_result parse_numbers(control& d, text written, bool is_running);
apply_result parse_text(control& d, text written, bool is_running);
apply_result parse_bound(control&, text, bool) noexcept; // a value for all objects is none
// Parse one number; false for a text that is none of the type. A library has only those of its types, and parse_any
// where types are known at run time.
bool parse_signed(const control& d, text written, std::uint64_t& word) noexcept;
bool parse_natural(const control& d, text written, std::uint64_t& word) noexcept;
bool parse_real(const control& d, text written, std::uint64_t& word) noexcept;
bool parse_item(const control& d, text written, std::uint64_t& word) noexcept;
bool parse_any(const control& d, text written, std::uint64_t& word) noexcept;

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
inline constexpr control_operations numbers_in_buffers{.read = &read_buffers,
                                                       .write = &write_numbers,
                                                       .parse = &parse_numbers,
                                                       .parse_number = Parse,
                                                       .store = &store_buffers,
                                                       .locate = &locate_storage};
inline constexpr control_operations text_in_buffers{.read = &read_buffers,
                                                    .write = &write_text,
                                                    .parse = &parse_text,
                                                    .store = &store_buffers,
                                                    .locate = &locate_storage};
inline constexpr control_operations text_in_memory{.read = &read_characters,
                                                   .write = &write_text,
                                                   .parse = &parse_text,
                                                   .store = &store_characters,
                                                   .locate = &locate_storage};

// The initial value, and the range of a number, as tools see them.
void put_initial(const control& d, void* buffer) noexcept;
void put_range(const control& d, void* minimum, void* maximum) noexcept;
// Makes the present value of the storage the initial value of an adopted variable, unless its library has declared a
// default.
void keep_initial(control& d) noexcept;

} // namespace descriptor
} // namespace mpit
