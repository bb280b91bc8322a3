// SPDX-License-Identifier: BSD-3-Clause
// What the rows of all tables of C share: the types of values, storage that is aligned, the items of an enumeration, and a report, which
// is sent at once. Any thread may send one; it is not async-signal-safe.
//
//   registry::message said;   said.append("%s cannot be added", name);   declare::send(said);
#pragma once

#include <mpit/declare/control.h>
#include <mpit/dynamic.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

// How numbers of a type are stored; its size is 0 for a text, for a character of an element, and for what is no type.
inline descriptor::number_codec codec_of_type(mpit_type type) noexcept {
    using descriptor::codec_of;
    switch (type) {
    case MPIT_TYPE_INT:
    case MPIT_TYPE_CHOICE: return codec_of<int>();
    case MPIT_TYPE_UNSIGNED: return codec_of<unsigned>();
    case MPIT_TYPE_LONG: return codec_of<long>();
    case MPIT_TYPE_UNSIGNED_LONG: return codec_of<unsigned long>();
    case MPIT_TYPE_LONG_LONG: return codec_of<long long>();
    case MPIT_TYPE_UNSIGNED_LONG_LONG: return codec_of<unsigned long long>();
    case MPIT_TYPE_DOUBLE: return codec_of<double>();
    case MPIT_TYPE_BOOL: return codec_of<bool>();
    case MPIT_TYPE_SWITCH: return codec_of<bool, int>();
    case MPIT_TYPE_NONE:
    case MPIT_TYPE_TEXT:
    case MPIT_TYPE_CHAR: break;
    }
    return {};
}
// Whether a type is one of plain numbers, which can be several, have a range, and be elements of events.
inline bool is_number(mpit_type type) noexcept {
    return codec_of_type(type).stored_size != 0 && type != MPIT_TYPE_BOOL && type != MPIT_TYPE_SWITCH &&
           type != MPIT_TYPE_CHOICE;
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
