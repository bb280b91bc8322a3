// SPDX-License-Identifier: BSD-3-Clause
// Publishes events and event sources. The record of an event contains a channel, which keeps the registrations of tools
// while the library of the event is unloaded.
//
//   event_publisher{builder}.add_sources(tree);   event_record* r = event_publisher{builder}.new_record(event);
#pragma once

#include <mpit/registry/record_builder.hpp>
#include <mpit/registry/redeclaration.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

class event_publisher {
public:
    explicit event_publisher(record_builder& builder) noexcept : builder_{builder} {}

    // Adds all event sources of a tree (the declared items of one library) to the log entry. Must be called before the
    // events of the tree are added, because events refer to event sources. Returns false if memory is exhausted.
    bool add_sources(descriptor::category& category) noexcept {
        for (descriptor::item* item = category.first; item != nullptr; item = item->next) {
            if (item->item_kind == kind::category && !add_sources(static_cast<descriptor::category&>(*item)))
                return false;
            if (item->item_kind != kind::source) continue;
            // An earlier publication may have left the source's record without an index, because memory was exhausted.
            if (record* existing = item->record.load()) builder_.add_pending(*static_cast<source_record*>(existing));
            else if (!add_source(static_cast<descriptor::source&>(*item))) return false;
        }
        return true;
    }
    // Creates the record of an event. Returns null if memory is exhausted.
    event_record* new_record(descriptor::event& event) noexcept {
        auto* added = builder_.new_record<event_record>(event);
        internal::source_channel* source = source_of(event);
        if (added == nullptr || source == nullptr) return nullptr;
        added->channel.source = source;
        added->channel.is_ordered =
            event.clock.load() == descriptor::clock_kind::own && event.event_source->ordering == ordering::ordered;
        return fill_elements(added->channel, event.payload) && name_elements(*added, event.payload) ? added : nullptr;
    }
    // Returns the name of the attribute in which an event differs from the existing record, or null. Requires that the
    // event's source is connected to a channel.
    const char* different_attribute(const event_record& existing, const descriptor::event& event) noexcept {
        const internal::event_channel& channel = existing.channel;
        if (channel.source != connected_source(event)) return "source";
        if (channel.element_count != event.payload.element_count() || channel.size != event.payload.size())
            return "elements";
        std::uint32_t next = 0;
        for (std::uint32_t m = 0; m < event.payload.count; m++) {
            const core::payload_member& member = event.payload.members[m];
            for (std::uint32_t i = 0; i < member.count; i++, next++)
                if (channel.elements[next].type != member.type ||
                    channel.elements[next].displacement != member.displacement(i))
                    return "elements";
        }
        return has_element_names(existing.enumeration, event.payload) ? nullptr : "names of elements";
    }
    // Returns the channel of an event's source, or null if memory is exhausted. Adds an event source to the log entry
    // if the source has no index. If the processor has no suitable cycle counter, selects the steady clock instead.
    internal::source_channel* source_of(descriptor::event& event) noexcept {
        if (event.clock.load() == descriptor::clock_kind::own && !add_source(*event.event_source)) return nullptr;
        if (event.clock.load() == descriptor::clock_kind::cycles &&
            builder_.registry().own_source_count() <= cycle_source)
            event.clock.store(descriptor::clock_kind::steady);
        return connected_source(event);
    }
    // Connects an event to the channel of the record. A raise of the event then reaches the channel's registrations.
    static void connect(descriptor::event& event, event_record& record) noexcept {
        event.channel.store(&record.channel);
    }

private:
    // Adds an event source to the log entry. Another thread or tree may have connected the source to a channel already.
    bool add_source(descriptor::source& source) noexcept {
        if (source.channel.load() != nullptr) {
            // Adds the source's record, because the thread that stored the channel may be delayed before it adds the
            // record.
            if (record* existing = builder_.registry().find(kind::source, source.name)) builder_.add_pending(*existing);
            if (source.record.load() == nullptr) builder_.note_refused();
            return true;
        }
        record* existing = builder_.registry().find(kind::source, source.name);
        if (existing == nullptr) {
            auto* added = builder_.new_record<source_record>(source);
            if (added == nullptr) return false;
            added->ordering = source.ordering;
            added->ticks_per_second = source.ticks_per_second;
            added->channel.max_ticks = source.max_ticks;
            added->channel.declared = &added->index;
            added->channel.first_index = builder_.registry().own_source_count();
            existing = builder_.find_or_insert(*added);
            if (existing == nullptr) return false;
        }
        builder_.add_pending(*existing);
        auto& record = static_cast<source_record&>(*existing);
        const bool is_same = record.ordering == source.ordering && record.ticks_per_second == source.ticks_per_second &&
                             record.channel.max_ticks == source.max_ticks;
        descriptor::source* expected = nullptr;
        if (is_same && (record.live.compare_exchange(expected, &source) || expected == &source))
            source.record.store(&record);
        else builder_.note_refused();
        source.channel.store(&record.channel);
        return true;
    }
    internal::source_channel* connected_source(const descriptor::event& event) noexcept {
        if (event.clock.load() == descriptor::clock_kind::own) return event.event_source->channel.load();
        return &builder_.registry()
                    .own_sources[event.clock.load() == descriptor::clock_kind::steady ? steady_source : cycle_source];
    }

    bool fill_elements(internal::event_channel& channel, const core::payload_view& payload) noexcept {
        const std::uint32_t count = payload.element_count();
        auto* elements = static_cast<internal::payload_element*>(
            builder_.registry().memory.allocate(count * sizeof(internal::payload_element)));
        if (elements == nullptr) return false;
        channel.elements = elements;
        channel.element_count = count;
        channel.size = payload.size();
        for (std::uint32_t m = 0; m < payload.count; m++)
            for (std::uint32_t i = 0; i < payload.members[m].count; i++)
                *elements++ = {payload.members[m].type, payload.members[m].displacement(i)};
        return true;
    }
    // Creates the enumeration of one event. The items are the names of the payload elements.
    bool name_elements(event_record& record, const core::payload_view& payload) noexcept {
        const std::uint32_t count = payload.element_count();
        if (count == 0) return true;
        auto* items = static_cast<core::enumeration_item*>(
            builder_.registry().memory.allocate(count * sizeof(core::enumeration_item)));
        if (items == nullptr) return false;
        int next = 0;
        for (std::uint32_t m = 0; m < payload.count; m++) {
            for (std::uint32_t i = 0; i < payload.members[m].count; i++, next++) {
                new (core::placement{items + next}) core::enumeration_item;
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
        record.enumeration = builder_.enumeration_of(view);
        return record.enumeration != nullptr;
    }
    bool name_element(const core::payload_member& member, std::uint32_t element, text& target) noexcept {
        char buffer[longest_element_name];
        target = element_name(member, element, buffer);
        return !member.is_array || builder_.copy(target, target);
    }

    record_builder& builder_;
};

} // namespace registry
} // namespace mpit
