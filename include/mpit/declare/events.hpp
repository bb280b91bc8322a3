// SPDX-License-Identifier: BSD-3-Clause
// The rows of C tables of events and sources as run-time descriptions. The descriptor is in the object that C raises, so that a raise without
// a listener reads one word there; its texts and elements are in memory of the group.
//
//   const result added = declare::add_row(category, row, nullptr);
#pragma once

#include <mpit/declare/event.h>
#include <mpit/declare/rows.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

using core::text;

using event_place = internal::described_place<internal::dynamic_event>;
using source_place = internal::described_place<internal::dynamic_source>;
static_assert(sizeof(event_place) <= sizeof(mpit_event) && sizeof(source_place) <= sizeof(mpit_source),
              "mpit_event and mpit_source have room for their descriptors");
// Both compilers give the members of such classes an offset.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(offsetof(descriptor::event, listening) == offsetof(mpit_event, listening),
              "the number of listeners is where C code expects it");
#pragma GCC diagnostic pop

inline descriptor::event& described(mpit_event* event) noexcept { return *reinterpret_cast<descriptor::event*>(event); }

class source_row {
public:
    explicit source_row(const mpit_source_type& row) noexcept : row_{row} {}

    // `invalid` for a row without a source, with one that another row describes, or without ticks.
    result add_to(const dynamic_category& category) const noexcept {
        if (row_.source == nullptr || !is_aligned(row_.source, alignof(mpit_source))) return result::invalid;
        dynamic_source_settings chosen;
        chosen.ordering = row_.is_ordered ? ordering::ordered : ordering::unordered;
        if (row_.ticks_per_second != 0) chosen.ticks_per_second = row_.ticks_per_second;
        if (row_.max_ticks != 0) chosen.max_ticks = row_.max_ticks;
        chosen.clock = row_.clock;
        return category.add_source(row_.name, row_.description, *reinterpret_cast<source_place*>(row_.source), chosen);
    }

private:
    const mpit_source_type& row_;
};

class event_row {
public:
    explicit event_row(const mpit_event_type& row) noexcept : row_{row} {}

    // `invalid` for a row without an event, with one that another row describes, with elements that the struct cannot have, or with a source
    // that is in no group.
    result add_to(const dynamic_category& category) const noexcept {
        if (!is_possible()) return result::invalid;
        internal::dynamic_event_traits traits;
        traits.payload.name = internal::text_of(row_.name);
        std::size_t bytes = 0;
        for (const mpit_element* each = row_.elements; is_there(each); each++, traits.payload.count++)
            bytes += sizeof(core::payload_member) + std::strlen(each->name) + 1;
        traits.verbosity = static_cast<mpit::verbosity>(row_.verbosity);
        traits.kind = static_cast<mpit::binding>(row_.bind);
        traits.handle_size = row_.handle_size;
        traits.exists = row_.exists;
        traits.clock = row_.source != nullptr            ? descriptor::clock_kind::own
                       : row_.clock == MPIT_STEADY_CLOCK ? descriptor::clock_kind::steady
                                                         : descriptor::clock_kind::cycles;
        if (row_.source != nullptr) traits.source = reinterpret_cast<source_place*>(row_.source)->at();
        return category.add_event(row_.name, row_.description, *reinterpret_cast<event_place*>(row_.event), traits, bytes,
                                  [&](internal::dynamic_room& room, core::payload_view& view) {
                                      void* const memory = room.take(view.count * sizeof(core::payload_member));
                                      view.members = keep_members(static_cast<core::payload_member*>(memory), room);
                                  });
    }

private:
    static bool is_there(const mpit_element* each) noexcept { return each != nullptr && each->name != nullptr; }

    // Returns false for a type that no element has.
    static bool find_type(const mpit_element& element, datatype& type) noexcept {
        type = element.type == MPIT_TYPE_CHAR ? datatype::char_type : type_of_row(element.type).codec.type;
        return element.type == MPIT_TYPE_CHAR || type_of_row(element.type).is_number;
    }
    bool is_possible() const noexcept {
        if (row_.event == nullptr || static_cast<unsigned>(row_.bind) > MPIT_BIND_SESSION) return false;
        if (!is_aligned(row_.event, alignof(mpit_event)) || !is_aligned(row_.source, alignof(mpit_source))) return false;
        if (static_cast<unsigned>(row_.clock) > MPIT_STEADY_CLOCK) return false;
        if (row_.source != nullptr && !reinterpret_cast<const source_place*>(row_.source)->is_described()) return false;
        if (static_cast<unsigned>(row_.verbosity) >= static_cast<unsigned>(verbosity_count)) return false;
        if (row_.size > core::largest_payload) return false;
        std::size_t end = 0;
        for (const mpit_element* each = row_.elements; is_there(each); each++) {
            datatype type{};
            if (!find_type(*each, type) || each->offset < end || each->offset > row_.size) return false;
            if (each->size == 0 || each->size % core::size_of(type) != 0 || each->size > row_.size - each->offset) return false;
            end = each->offset + each->size;
        }
        return true;
    }
    const core::payload_member* keep_members(core::payload_member* members, internal::dynamic_room& room) const noexcept {
        core::payload_member* next = members;
        for (const mpit_element* each = row_.elements; is_there(each); each++, next++) {
            new (core::place{next}) core::payload_member;
            next->name = room.keep(text{each->name});
            find_type(*each, next->type);
            next->offset = static_cast<std::uint32_t>(each->offset);
            next->count = static_cast<std::uint32_t>(each->size / core::size_of(next->type));
            next->is_array = next->count > 1;
        }
        return members;
    }

    const mpit_event_type& row_;
};

inline result add_row(const dynamic_category& category, const mpit_source_type& row, void*) noexcept {
    return source_row{row}.add_to(category);
}
inline result add_row(const dynamic_category& category, const mpit_event_type& row, void*) noexcept {
    return event_row{row}.add_to(category);
}

} // namespace declare
} // namespace mpit
