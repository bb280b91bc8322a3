// SPDX-License-Identifier: BSD-3-Clause
// Publishes events and sources: a record with a channel, to which registrations are linked while libraries are loaded
// and unloaded.
//
//   event_publisher{make}.add_sources(tree);   event_record* r = event_publisher{make}.fresh(event);
#pragma once

#include <mpit/registry/record_builder.hpp>
#include <mpit/registry/redeclaration.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

class event_publisher {
public:
    explicit event_publisher(record_builder& builder) noexcept : make_{builder} {}

    // Sources come before the events that they stamp.
    bool add_sources(descriptor::category& category) noexcept {
        for (descriptor::item* item = category.first; item != nullptr; item = item->next) {
            if (item->item_kind == kind::category && !add_sources(static_cast<descriptor::category&>(*item)))
                return false;
            if (item->item_kind != kind::source) continue;
            // One that a try without memory has made may have no number.
            if (record* there = item->record.load()) make_.add_pending(*static_cast<source_record*>(there));
            else if (!add_source(static_cast<descriptor::source&>(*item))) return false;
        }
        return true;
    }
    // Returns null without memory.
    event_record* fresh(descriptor::event& e) noexcept {
        auto* made = make_.fresh<event_record>(e);
        internal::source_channel* source = source_of(e);
        if (made == nullptr || source == nullptr) return nullptr;
        made->channel.source = source;
        made->channel.is_ordered =
            e.clock.load() == descriptor::clock_kind::own && e.event_source->ordering == ordering::ordered;
        return fill_elements(made->channel, e.payload) && name_elements(*made, e.payload) ? made : nullptr;
    }
    // The part of an event that differs from its record: its source or its elements. Null if both are the same. Either
    // may be missing without memory.
    const char* different_attribute(const event_record& known, descriptor::event& e) noexcept {
        const internal::event_channel& c = known.channel;
        if (c.source != source_of(e)) return "source";
        if (c.element_count != e.payload.element_count() || c.size != e.payload.size()) return "elements";
        std::uint32_t next = 0;
        for (std::uint32_t m = 0; m < e.payload.count; m++) {
            const core::payload_member& member = e.payload.members[m];
            for (std::uint32_t i = 0; i < member.count; i++, next++)
                if (c.elements[next].type != member.type || c.elements[next].displacement != member.displacement(i))
                    return "elements";
        }
        return has_element_names(known.enumeration, e.payload) ? nullptr : "names of elements";
    }
    // From now on raising the event finds its listeners.
    static void connect(descriptor::event& e, event_record& record) noexcept { e.channel.store(&record.channel); }

private:
    // An event of another tree may have entered it already.
    bool add_source(descriptor::source& s) noexcept {
        if (s.channel.load() != nullptr) {
            // The thread that stored it may have stopped before the source had its number.
            if (record* known = make_.registry().find(kind::source, s.name)) make_.add_pending(*known);
            if (s.record.load() == nullptr) make_.note_refused();
            return true;
        }
        record* there = make_.registry().find(kind::source, s.name);
        if (there == nullptr) {
            auto* made = make_.fresh<source_record>(s);
            if (made == nullptr) return false;
            made->ordering = s.ordering;
            made->ticks_per_second = s.ticks_per_second;
            made->channel.max_ticks = s.max_ticks;
            made->channel.declared = &made->number;
            made->channel.first_number = make_.registry().own_source_count();
            there = make_.find_or_insert(*made);
            if (there == nullptr) return false;
        }
        make_.add_pending(*there);
        auto& known = static_cast<source_record&>(*there);
        const bool is_same = known.ordering == s.ordering && known.ticks_per_second == s.ticks_per_second &&
                             known.channel.max_ticks == s.max_ticks;
        descriptor::source* there_already = nullptr;
        if (is_same && (known.live.compare_exchange(there_already, &s) || there_already == &s)) s.record.store(&known);
        else make_.note_refused();
        s.channel.store(&known.channel);
        return true;
    }
    // Whose clock stamps an event; null without memory.
    internal::source_channel* source_of(descriptor::event& e) noexcept {
        if (e.clock.load() == descriptor::clock_kind::own)
            return add_source(*e.event_source) ? e.event_source->channel.load() : nullptr;
        if (e.clock.load() == descriptor::clock_kind::cycles && make_.registry().own_source_count() <= cycle_source)
            e.clock.store(descriptor::clock_kind::steady);
        return &make_.registry()
                    .own_sources[e.clock.load() == descriptor::clock_kind::steady ? steady_source : cycle_source];
    }

    bool fill_elements(internal::event_channel& channel, const core::payload_view& payload) noexcept {
        const std::uint32_t count = payload.element_count();
        auto* elements = static_cast<internal::payload_element*>(
            make_.registry().memory.allocate(count * sizeof(internal::payload_element)));
        if (elements == nullptr) return false;
        channel.elements = elements;
        channel.element_count = count;
        channel.size = payload.size();
        for (std::uint32_t m = 0; m < payload.count; m++)
            for (std::uint32_t i = 0; i < payload.members[m].count; i++)
                *elements++ = {payload.members[m].type, payload.members[m].displacement(i)};
        return true;
    }
    // The names of the elements are an enumeration of the event's own.
    bool name_elements(event_record& record, const core::payload_view& payload) noexcept {
        const std::uint32_t count = payload.element_count();
        if (count == 0) return true;
        auto* items = static_cast<core::enumeration_item*>(
            make_.registry().memory.allocate(count * sizeof(core::enumeration_item)));
        if (items == nullptr) return false;
        int next = 0;
        for (std::uint32_t m = 0; m < payload.count; m++) {
            for (std::uint32_t i = 0; i < payload.members[m].count; i++, next++) {
                new (core::place{items + next}) core::enumeration_item;
                items[next].value = next;
                if (!name_element(payload.members[m], i, items[next].name)) return false;
            }
        }
        char name[core::longest_name + 16];
        const int length = std::snprintf(name, sizeof name, "%s_payload", record.name.characters);
        core::enumeration_view view;
        view.name = text{name, static_cast<std::uint32_t>(length)};
        view.items = items;
        view.count = next;
        record.enumeration = make_.enumeration_of(view);
        return record.enumeration != nullptr;
    }
    bool name_element(const core::payload_member& member, std::uint32_t element, text& target) noexcept {
        char room[longest_element_name];
        target = element_name(member, element, room);
        return !member.is_array || make_.copy(target, target);
    }

    record_builder& make_;
};

} // namespace registry
} // namespace mpit
