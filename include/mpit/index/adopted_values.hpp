// Values of control variables that stand in the storage of their library. An initializer that runs after the tree was
// loaded, or any assignment, replaces a value from outside without a word; the fingerprint of the value that was stored
// last tells that it is no longer there.
//
//   keep_fingerprint(variable);   …   if (is_overwritten(variable)) …
#pragma once

#include <mpit/base/hash.hpp>
#include <mpit/base/memory.hpp>
#include <mpit/describe/descriptor.hpp>

#include <cstdlib>

namespace mpit::inline v0_1::index {

using base::text;

// Of a value as a tool reads or writes it; of a text up to its null. Never 0.
[[gnu::cold]] inline std::uint32_t fingerprint_of(const describe::control& of, const void* value) noexcept {
    const auto* from = static_cast<const char*>(value);
    const std::size_t size =
        of.type == datatype::char_type ? strnlen(from, of.count) : std::size_t{of.count} * base::size_of(of.type);
    const std::uint64_t all = base::hash(text{from, static_cast<std::uint32_t>(size)}, 0);
    return static_cast<std::uint32_t>(all >> 32 ^ all) | 1;
}
// Of the present value; 0 if it cannot be read.
[[gnu::cold]] inline std::uint32_t present_fingerprint(describe::control& of) noexcept {
    const std::size_t bytes = std::size_t{of.count} * base::size_of(of.type);
    alignas(8) char small[512];
    void* const value = bytes <= sizeof small ? small : base::memory_is_left() ? std::malloc(bytes) : nullptr;
    std::uint32_t found = 0, generation = 0;
    if (value == nullptr) return 0;
    void* const cell = of.operations->locate(of, 0, generation);
    if (cell != nullptr && of.operations->read(of, cell, 0, value) == result::success)
        found = fingerprint_of(of, value);
    if (value != small) std::free(value);
    return found;
}

// To be called when a value from outside was stored.
[[gnu::cold]] inline void keep_fingerprint(describe::control& of) noexcept {
    if (of.is_adopted()) of.applied.store(present_fingerprint(of));
}
// While a value is stored no other thread takes it for an assignment of the library. `store()` returns whether it was
// stored, and `fingerprint()` is asked then.
template <class Store, class Fingerprint>
[[gnu::cold]] bool store_adopted(describe::control& in, const Store& store, const Fingerprint& fingerprint) noexcept {
    const std::uint32_t before = in.applied.exchange(0);
    const bool is_stored = store();
    in.applied.store(is_stored ? fingerprint() : before);
    return is_stored;
}
inline bool has_adopted_value(const describe::item& of) noexcept {
    if (of.of != describe::kind::control) return false;
    const auto& variable = static_cast<const describe::control&>(of);
    return variable.from.load() != 0 && variable.is_adopted();
}
// Whether the library has replaced the value that was stored last.
[[gnu::cold]] inline bool is_overwritten(describe::control& of) noexcept {
    const describe::provenance held{of.from.load()};
    if (held.word() == 0 || held.is_assigned()) return held.is_assigned();
    const std::uint32_t applied = of.is_adopted() ? of.applied.load() : 0;
    if (applied == 0) return false;
    const std::uint32_t present = present_fingerprint(of);
    return present != 0 && present != applied && of.applied.load() == applied && of.from.load() == held.word();
}
// Where the present value came from.
[[gnu::cold]] inline describe::provenance present_provenance(describe::control& of) noexcept {
    const describe::provenance held{of.from.load()};
    return is_overwritten(of) ? describe::provenance{} : held;
}

// From now on what the library has assigned is the initial value. The buffer of a text is not replaced while tools may read
// it.
[[gnu::cold]] inline void keep_assigned_as_initial(describe::control& of) noexcept {
    if (of.type == datatype::char_type && of.record.load() != nullptr) return;
    if (of.from.load() == 0 || is_overwritten(of)) of.operations->keep_initial(of);
}
// The same where the initial value is zero, as storage is before an initializer runs.
[[gnu::cold]] inline void keep_late_initial(describe::control& of) noexcept {
    alignas(8) char initial[512];
    const std::size_t bytes = std::size_t{of.count} * base::size_of(of.type);
    if (!of.is_adopted() || bytes > sizeof initial) return;
    of.operations->initial(of, initial);
    for (std::size_t i = 0; i < bytes; i++)
        if (initial[i] != 0) return;
    keep_assigned_as_initial(of);
}

} // namespace mpit::index
