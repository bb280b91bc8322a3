// SPDX-License-Identifier: BSD-3-Clause
// Adds the rows of C tables of events and event sources, and reports why a row cannot be added. The descriptor of an
// event is in the mpit_event. Thus a raise without a registered callback reads only one word of the mpit_event. The
// descriptor of a source is in the mpit_source. The run-time group allocates the texts and the elements of events.
//
//   const result status = declare::add_row(category, row, nullptr);
//   append_defect(reason, row, nullptr);   // appends ".source is not in an open group, ..."
#pragma once

#include <mpit/declare/event.h>
#include <mpit/declare/rows.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL declare {

using core::text;

using event_storage = internal::descriptor_storage<internal::dynamic_event>;
using source_storage = internal::descriptor_storage<internal::dynamic_source>;
static_assert(sizeof(event_storage) <= sizeof(mpit_event) && sizeof(source_storage) <= sizeof(mpit_source),
              "mpit_event and mpit_source must have room for their descriptors");
static_assert(offsetof(descriptor::event, listening) == offsetof(mpit_event, listening),
              "the number of listeners must have the offset that C code uses");

inline descriptor::event& event_of(mpit_event* event) noexcept { return *reinterpret_cast<descriptor::event*>(event); }

// Checks the row of an event source. If the row has a defect, returns false and appends the defect to `reason`.
inline bool is_valid(const mpit_source_type& row, message* reason) noexcept {
    if (row.source == nullptr) return refuse(reason, ".source is NULL, expected the address of an mpit_source");
    if (!is_aligned(reason, ".source", row.source, alignof(mpit_source))) return false;
    if (reinterpret_cast<const source_storage*>(row.source)->is_described())
        return refuse(reason, ".source is in another row of an open group, expected one row for each");
    if (row.ticks_per_second < 0) return refuse(reason, ".ticks_per_second is negative, expected 0 or more");
    return row.max_ticks >= 0 || refuse(reason, ".max_ticks is negative, expected 0 or more");
}
inline result add_row(const dynamic_category& category, const mpit_source_type& row, void*) noexcept {
    if (!is_valid(row, nullptr)) return result::invalid;
    dynamic_source_settings settings;
    settings.ordering = row.is_ordered ? ordering::ordered : ordering::unordered;
    if (row.ticks_per_second != 0) settings.ticks_per_second = row.ticks_per_second;
    if (row.max_ticks != 0) settings.max_ticks = row.max_ticks;
    settings.clock = row.clock;
    return category.add_source(row.name, row.description, *reinterpret_cast<source_storage*>(row.source), settings);
}

// Returns false if `element` is MPIT_ROW_END or null.
inline bool is_element(const mpit_element* element) noexcept { return element != nullptr && element->name != nullptr; }

// Sets `type` to the datatype of an event's element. Returns false if events cannot have elements of the type.
inline bool find_type(const mpit_element& element, datatype& type) noexcept {
    type = element.type == MPIT_TYPE_CHAR ? datatype::char_type : type_of_row(element.type).codec.type;
    return element.type == MPIT_TYPE_CHAR || type_of_row(element.type).is_number;
}
// Checks the row of an event. If the row has a defect, returns false and appends the defect to `reason`.
inline bool is_valid(const mpit_event_type& row, message* reason) noexcept {
    if (row.event == nullptr) return refuse(reason, ".event is NULL, expected the address of an mpit_event");
    if (!is_aligned(reason, ".event", row.event, alignof(mpit_event))) return false;
    if (reinterpret_cast<const event_storage*>(row.event)->is_described())
        return refuse(reason, ".event is in another row of an open group, expected one row for each");
    if (row.bind != MPIT_BIND_NO_OBJECT && !is_binding(reason, row.bind, row.handle_size)) return false;
    if (!is_aligned(reason, ".source", row.source, alignof(mpit_source))) return false;
    if (row.source != nullptr && !reinterpret_cast<const source_storage*>(row.source)->is_described())
        return refuse(reason, ".source is not in an open group; add its row first");
    if (static_cast<unsigned>(row.clock) > MPIT_STEADY_CLOCK)
        return refuse(reason, ".clock is %d, expected MPIT_CYCLE_COUNTER or MPIT_STEADY_CLOCK",
                      static_cast<int>(row.clock));
    if (!is_verbosity(reason, row.verbosity)) return false;
    if (row.size > core::largest_payload) return refuse(reason, ".size is %zu, expected at most 4096", row.size);
    std::size_t end = 0;
    for (const mpit_element* element = row.elements; is_element(element); element++) {
        datatype type{};
        const bool has_type = find_type(*element, type);
        const bool is_inside = element->offset <= row.size && element->size <= row.size - element->offset;
        const bool is_number_of_type = element->size != 0 && element->size % core::size_of(type) == 0;
        const char* const defect = !has_type               ? "a wrong .type, expected a number or MPIT_TYPE_CHAR"
                                   : !is_number_of_type    ? "a wrong .size, expected a multiple of the size of .type"
                                   : !is_inside            ? "an .offset and a .size beyond the .size of the event"
                                   : element->offset < end ? "an .offset before the end of the previous element"
                                                           : nullptr;
        end = element->offset + element->size;
        if (defect == nullptr) continue;
        refuse(reason, "its element ");
        if (reason != nullptr) reason->append_escaped(element->name, 60);
        return refuse(reason, " has %s", defect);
    }
    return true;
}
// Copies the elements of an event's row to the beginning of `memory`, and the names of the elements to the rest.
inline const core::payload_member* copy_members(const mpit_event_type& row, void* memory,
                                                internal::part_allocator& allocation) noexcept {
    auto* const members = static_cast<core::payload_member*>(memory);
    core::payload_member* next = members;
    for (const mpit_element* element = row.elements; is_element(element); element++, next++) {
        new (core::placement{next}) core::payload_member;
        next->name = allocation.keep(text{element->name});
        find_type(*element, next->type);
        next->offset = static_cast<std::uint32_t>(element->offset);
        next->count = static_cast<std::uint32_t>(element->size / core::size_of(next->type));
        next->is_array = next->count > 1;
    }
    return members;
}
inline result add_row(const dynamic_category& category, const mpit_event_type& row, void*) noexcept {
    if (!is_valid(row, nullptr)) return result::invalid;
    internal::dynamic_event_traits traits;
    traits.payload.name = internal::text_of(row.name);
    std::size_t bytes = 0;
    for (const mpit_element* element = row.elements; is_element(element); element++, traits.payload.count++)
        bytes += sizeof(core::payload_member) + std::strlen(element->name) + 1;
    traits.verbosity = static_cast<mpit::verbosity>(row.verbosity);
    traits.kind = static_cast<mpit::binding>(row.bind);
    traits.handle_size = row.handle_size;
    traits.exists = row.exists;
    traits.clock = row.source != nullptr            ? descriptor::clock_kind::own
                   : row.clock == MPIT_STEADY_CLOCK ? descriptor::clock_kind::steady
                                                    : descriptor::clock_kind::cycles;
    if (row.source != nullptr) traits.source = reinterpret_cast<source_storage*>(row.source)->at();
    return category.add_event(row.name, row.description, *reinterpret_cast<event_storage*>(row.event), traits, bytes,
                              [&](internal::part_allocator& allocation, core::payload_view& view) {
        void* const memory = allocation.take(view.count * sizeof(core::payload_member));
        view.members = copy_members(row, memory, allocation);
    });
}

template <class Row>
    requires requires(const Row& row) { is_valid(row, nullptr); }
[[gnu::cold]] void append_defect(message& reason, const Row& row, const void*) noexcept {
    if (is_valid(row, &reason)) reason.append("its members contradict each other");
}

} // namespace declare
} // namespace mpit
