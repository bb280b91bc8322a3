// SPDX-License-Identifier: BSD-3-Clause
// Detects that a library has overwritten a setting (a value from outside the program) in an adopted control variable.
// The value of an adopted variable is in an object of the library, and the object's initializer may run after mpit has
// stored a setting. mpit compares the hash of the current value with the recorded hash (fingerprint) of the setting.
//
//   record_fingerprint(variable);   …   if (is_overwritten(variable)) …
#pragma once

#include <mpit/descriptor/control_value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Returns the FNV-1a hash of a variable's value in the form that tools read, or 1 if the hash is 0. A text is hashed up
// to its terminating null. The code is short, because every file that declares variables contains a copy.
[[gnu::cold]] inline std::uint32_t fingerprint_of(const descriptor::control& variable, const void* value) noexcept {
    const auto* byte = static_cast<const unsigned char*>(value);
    const bool is_text = variable.type == datatype::char_type;
    std::uint32_t hash = 0x811c9dc5;
    for (std::size_t size = descriptor::bytes_of(variable); size != 0 && !(is_text && *byte == 0); size--)
        hash = (hash ^ *byte++) * 0x01000193;
    return hash != 0 ? hash : 1;
}
inline constexpr std::size_t largest_adopted = 4096; // size in bytes up to which assignments are detected

// Returns the fingerprint of a variable's current value, or 0 if the value cannot be read.
[[gnu::cold]] inline std::uint32_t present_fingerprint(descriptor::control& variable) noexcept {
    alignas(8) char value[largest_adopted];
    std::uint32_t generation = 0;
    void* const cell = variable.operations->locate(variable, 0, generation);
    const bool is_read = descriptor::bytes_of(variable) <= sizeof value && cell != nullptr &&
                         variable.operations->read(variable, cell, 0, value) == result::success;
    return is_read ? fingerprint_of(variable, value) : 0;
}

// Records the fingerprint of a variable's current value. The caller has just stored a setting in the variable.
[[gnu::cold]] inline void record_fingerprint(descriptor::control& variable) noexcept {
    if (variable.is_adopted) variable.applied_fingerprint.store(present_fingerprint(variable));
}
// Calls `store()`, and records the result of `fingerprint()` if `store()` returns true. While `store()` runs, the
// recorded fingerprint is 0 (unknown), so that no other thread mistakes the new value for an assignment by the library.
template <class Store, class Fingerprint>
[[gnu::cold]] bool store_adopted(descriptor::control& variable, const Store& store,
                                 const Fingerprint& fingerprint) noexcept {
    const std::uint32_t previous = variable.applied_fingerprint.exchange(0);
    const bool is_stored = store();
    variable.applied_fingerprint.store(is_stored ? fingerprint() : previous);
    return is_stored;
}
inline bool has_adopted_value(const descriptor::item& item) noexcept {
    if (item.item_kind != descriptor::kind::control) return false;
    const auto& variable = static_cast<const descriptor::control&>(item);
    return variable.provenance_word.load() != 0 && variable.is_adopted;
}
// True if the library has assigned another value after mpit stored a setting in the variable.
[[gnu::cold]] inline bool is_overwritten(descriptor::control& variable) noexcept {
    const descriptor::provenance current{variable.provenance_word.load()};
    if (current.word() == 0 || current.is_assigned()) return current.is_assigned();
    const std::uint32_t applied = variable.is_adopted ? variable.applied_fingerprint.load() : 0;
    if (applied == 0) return false;
    const std::uint32_t present = present_fingerprint(variable);
    return present != 0 && present != applied && variable.applied_fingerprint.load() == applied &&
           variable.provenance_word.load() == current.word();
}
// Returns the origin of a variable's current value and the location of the setting, such as a line of a file.
[[gnu::cold]] inline descriptor::provenance current_provenance(descriptor::control& variable) noexcept {
    const descriptor::provenance current{variable.provenance_word.load()};
    return is_overwritten(variable) ? descriptor::provenance{} : current;
}

// The value that the library has assigned becomes the initial value. Skips published texts, which tools may be reading.
[[gnu::cold]] inline void adopt_assigned_value(descriptor::control& variable) noexcept {
    if (variable.type == datatype::char_type && variable.record.load() != nullptr) return;
    if (variable.provenance_word.load() == 0 || is_overwritten(variable))
        descriptor::set_initial_from_storage(variable);
}
// Calls adopt_assigned_value() if the recorded initial value is zero, because an initializer may have run after load.
[[gnu::cold]] inline void adopt_late_initial_value(descriptor::control& variable) noexcept {
    alignas(8) char initial[512];
    const std::size_t size = descriptor::bytes_of(variable);
    if (!variable.is_adopted || size > sizeof initial) return;
    descriptor::copy_initial(variable, initial);
    for (std::size_t i = 0; i < size; i++)
        if (initial[i] != 0) return;
    adopt_assigned_value(variable);
}

} // namespace registry
} // namespace mpit
