// SPDX-License-Identifier: BSD-3-Clause
// What the rows of all tables of C share: the types of values, storage that is aligned, the items of an enumeration,
// and a report, which is sent at once. Any thread may send one; it is not async-signal-safe.
//
//   registry::message said;   said.append("%s cannot be added", name);   declare::send(said);
#pragma once

#include <mpit/declare/control.h>
#include <mpit/dynamic.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

using descriptor::object_key;

// How values of a type are stored, and whether they are plain numbers, which can be several, have a range, and be
// elements of events.
struct row_type {
    // Its stored_size is 0 for a text, for a character of an element, and for an unknown type.
    descriptor::number_codec codec;
    bool is_number = false;
    std::uint64_t lowest = 0, highest = 0;

    constexpr row_type() noexcept {}
    constexpr row_type(const descriptor::number_codec& stored, bool number) noexcept
        : codec{stored},
          is_number{number},
          lowest{descriptor::lowest_of(stored)},
          highest{descriptor::highest_of(stored)} {}
};
struct row_types {
    row_type types[MPIT_TYPE_CHAR + 1];

    constexpr row_types() noexcept {
        using descriptor::codec_of;
        types[MPIT_TYPE_INT] = {codec_of<int>(), true};
        types[MPIT_TYPE_UNSIGNED] = {codec_of<unsigned>(), true};
        types[MPIT_TYPE_LONG] = {codec_of<long>(), true};
        types[MPIT_TYPE_UNSIGNED_LONG] = {codec_of<unsigned long>(), true};
        types[MPIT_TYPE_LONG_LONG] = {codec_of<long long>(), true};
        types[MPIT_TYPE_UNSIGNED_LONG_LONG] = {codec_of<unsigned long long>(), true};
        types[MPIT_TYPE_DOUBLE] = {codec_of<double>(), true};
        types[MPIT_TYPE_BOOL] = {codec_of<bool>(), false};
        types[MPIT_TYPE_SWITCH] = {codec_of<bool, int>(), false};
        types[MPIT_TYPE_CHOICE] = {codec_of<int>(), false};
    }
};
inline constexpr row_types all_row_types;
inline const row_type& type_of_row(mpit_type type) noexcept {
    return all_row_types.types[static_cast<unsigned>(type) <= MPIT_TYPE_CHAR ? type : MPIT_TYPE_NONE];
}

// The address of storage or of a cell. What is misaligned has no atomic access on each processor.
inline bool is_aligned(const void* address, std::size_t alignment) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
}

static_assert(sizeof(mpit_item) == sizeof(enumerator<int>) &&
                  offsetof(mpit_item, value) == offsetof(enumerator<int>, value) &&
                  offsetof(mpit_item, also) == offsetof(enumerator<int>, also),
              "the items of C are those of C++");
// Returns false for an enumeration without items.
inline bool find_items(const mpit_enumeration* from, dynamic_items& items) noexcept {
    if (from == nullptr || from->items == nullptr) return false;
    int count = 0;
    while (from->items[count].name != nullptr) count++;
    items = {from->name, reinterpret_cast<const enumerator<int>*>(from->items), count};
    return count != 0;
}

inline void send(const registry::message& said) noexcept {
    const registry::process_registry* const known = registry::known_registry.load();
    registry::report_list reports;
    reports.add(said);
    reports.send(known == nullptr ? nullptr : known->reports_to.load());
}

} // namespace declare
} // namespace mpit
