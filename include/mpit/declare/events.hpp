// SPDX-License-Identifier: BSD-3-Clause
// The rows of a C table of events as run-time descriptions. The descriptor is in the object that C raises, so that a raise without a
// listener reads one word there; its texts and elements are in memory of the group.
//
//   const result added = declare::event_row{row, nullptr}.add_to(category, nothing);
#pragma once

#include <mpit/declare/event.h>
#include <mpit/dynamic.hpp>
#include <mpit/event/delivery.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

using core::text;

class raised_event : public internal::dynamic_event {
public:
    raised_event(descriptor::category* in_category, text called, text meaning, const core::payload_view& elements,
                 const mpit_event_type& row, void* memory) noexcept
        : dynamic_event{in_category, called, meaning, memory}, exists_{row.exists} {
        payload = elements;
        verbosity = static_cast<mpit::verbosity>(row.verbosity);
        binding = static_cast<mpit::binding>(row.bind);
        operations = row.bind == MPIT_BIND_NO_OBJECT ? &of_the_process
                     : row.handle_size == 4          ? &of_objects<std::uint32_t>
                                                     : &of_objects<std::uint64_t>;
    }
    static descriptor::event& in(mpit_event* event) noexcept { return *reinterpret_cast<descriptor::event*>(event); }

private:
    static void* locate(descriptor::event& e, descriptor::object_key key, std::uint32_t& generation) {
        generation = 0;
        const auto exists = static_cast<raised_event&>(e).exists_;
        return exists == nullptr || exists(key) ? &e : nullptr;
    }
    static constexpr descriptor::event_operations of_the_process{.key = nullptr, .locate = &descriptor::locate_descriptor};
    template <class Handle>
    static constexpr descriptor::event_operations of_objects{.key = &descriptor::key_at<Handle>, .locate = &locate};

    bool (*exists_)(std::uint64_t);
};
static_assert(sizeof(raised_event) <= sizeof(mpit_event), "mpit_event has room for the descriptor of an event");
// Both compilers give the members of such classes an offset.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(offsetof(descriptor::event, listening) == offsetof(mpit_event, listening),
              "the number of listeners is where C code expects it");
#pragma GCC diagnostic pop

class event_row {
public:
    event_row(const mpit_event_type& row, void*) noexcept : row_{row} {}

    // `invalid` for a row without an event, with one that another row describes, or with elements that the struct cannot have.
    template <class Memory> result add_to(const dynamic_category& category, Memory&) const noexcept {
        if (!is_possible()) return result::invalid;
        const text name = internal::text_of(row_.name), description = internal::text_of(row_.description);
        if (!core::is_possible_name(name)) return result::invalid_name;
        std::uint32_t count = 0;
        std::size_t bytes = name.length + description.length + 2;
        for (const mpit_element* each = row_.elements; is_there(each); each++, count++)
            bytes += sizeof(core::payload_member) + std::strlen(each->name) + 1;
        return category.add_made(bytes, [&](descriptor::category* in_category, internal::dynamic_room& room) {
            void* const memory = room.take(count * sizeof(core::payload_member));
            core::payload_view view;
            view.name = name;
            view.members = keep_members(static_cast<core::payload_member*>(memory), room);
            view.count = count;
            const text called = room.keep(name);
            new (core::place{row_.event}) raised_event{in_category, called, room.keep(description), view, row_, memory};
        });
    }

private:
    static bool is_there(const mpit_element* each) noexcept { return each != nullptr && each->name != nullptr; }

    // Returns false for a type that no element has.
    static bool find_type(const mpit_element& element, datatype& type) noexcept {
        switch (element.type) {
        case MPIT_TYPE_INT: return type = datatype::int_type, true;
        case MPIT_TYPE_UNSIGNED: return type = datatype::unsigned_type, true;
        case MPIT_TYPE_LONG: return type = core::datatype_of<long>(), true;
        case MPIT_TYPE_UNSIGNED_LONG: return type = datatype::unsigned_long_type, true;
        case MPIT_TYPE_LONG_LONG: return type = datatype::int64_type, true;
        case MPIT_TYPE_UNSIGNED_LONG_LONG: return type = datatype::unsigned_long_long_type, true;
        case MPIT_TYPE_DOUBLE: return type = datatype::double_type, true;
        case MPIT_TYPE_CHAR: return type = datatype::char_type, true;
        default: return false;
        }
    }
    bool is_possible() const noexcept {
        if (row_.event == nullptr || reinterpret_cast<const internal::dynamic_event*>(row_.event)->room != nullptr) return false;
        const auto verbosity = static_cast<unsigned>(row_.verbosity), bind = static_cast<unsigned>(row_.bind);
        if (verbosity >= static_cast<unsigned>(verbosity_count) || bind > MPIT_BIND_SESSION) return false;
        if (bind != MPIT_BIND_NO_OBJECT && row_.handle_size != 4 && row_.handle_size != 8) return false;
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

} // namespace declare
} // namespace mpit
