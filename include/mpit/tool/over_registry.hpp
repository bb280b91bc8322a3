// SPDX-License-Identifier: BSD-3-Clause
// The registry of the process as a reader's interface: it needs no function of the standard, and calls none. Its count
// of inits, its handles and its sessions are apart from those of the shims.
//
//   mpit::tool::library interface;   // over_registry is what a reader takes where nothing is said
#pragma once

#include <mpit/tool/events_over_registry.hpp>
#include <mpit/tool/library.hpp> // IWYU pragma: export

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

// The interface of the registry of the process: `library<>`, `session<over_registry>`. Its members are for the library's own
// use.
struct over_registry : events_over_registry {
    using control_handle = std::uint64_t;
    using performance_session = std::uint64_t;
    using performance_handle = std::uint64_t;

    MPIT_MODULE_LOCAL static result initialize(thread_level required, thread_level& provided) noexcept {
        return readers_library.initialize(required, provided);
    }
    MPIT_MODULE_LOCAL static void finalize() noexcept { static_cast<void>(readers_library.finalize()); }

    MPIT_MODULE_LOCAL static int count(kind item_kind) noexcept {
        return item_kind == kind::source ? mpit::session::source_count(names()) : names().count(item_kind);
    }
    MPIT_MODULE_LOCAL static result find(kind item_kind, const char* name, performance_class variable_class,
                                         int& number) noexcept {
        number = names().number_of(item_kind, name, variable_class);
        return number < 0 ? result::invalid_name : result::success;
    }

    MPIT_MODULE_LOCAL static result tell(int number, control_info& info) {
        const registry::variable_record* record = names().variable(kind::control, number);
        if (record == nullptr) return result::invalid_index;
        tell_variable(*record, info);
        info.scope = record->scope;
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int number, performance_info& info) {
        const registry::variable_record* record = names().variable(kind::performance, number);
        if (record == nullptr) return result::invalid_index;
        tell_variable(*record, info);
        info.variable_class = record->variable_class;
        info.is_readonly = record->readonly;
        info.is_continuous = record->continuous;
        info.is_atomic = record->atomically;
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int number, event_info& info) {
        const registry::event_record* record = readers_library.event(number);
        if (record == nullptr) return result::invalid_index;
        tell_names(*record, info);
        info.verbosity = record->verbosity;
        info.binding = record->binding;
        info.elements.clear();
        for (std::uint32_t i = 0; i < record->channel.element_count; i++) {
            const internal::payload_element& element = record->channel.elements[i];
            std::string name;
            if (record->enumeration != nullptr && static_cast<int>(i) < record->enumeration->count)
                name = record->enumeration->items[i].name.characters;
            info.elements.push_back({element.type, element.displacement, std::move(name)});
        }
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int number, source_info& info) {
        mpit::session::source_info source;
        if (!mpit::session::find_source(names(), number, source)) return result::invalid_index;
        info.number = number;
        info.name.assign(source.name.characters, source.name.length);
        info.description.assign(source.description.characters, source.description.length);
        info.ordering = source.ordering;
        info.ticks_per_second = source.ticks_per_second;
        info.max_ticks = source.max_ticks;
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int number, category_info& info) {
        const registry::category_record* record = names().category(number);
        if (record == nullptr) return result::invalid_index;
        tell_names(*record, info);
        info.controls = members(*record, kind::control);
        info.performances = members(*record, kind::performance);
        info.events = members(*record, kind::event);
        info.categories = members(*record, kind::category);
        return result::success;
    }
    // Grows with every change of a category.
    MPIT_MODULE_LOCAL static result changes_of_categories(int& number) noexcept {
        number = names().update_number();
        return result::success;
    }

    MPIT_MODULE_LOCAL static result allocate(int number, const void* object, control_handle& handle,
                                             std::uint32_t& count) noexcept {
        return readers_library.allocate_control(number, object, handle, count);
    }
    MPIT_MODULE_LOCAL static void free(control_handle handle) noexcept {
        static_cast<void>(readers_library.controls.free(handle));
    }
    // Not inline, since g++ does not see that the size of a value is that of the handle's type.
    [[gnu::noinline]] MPIT_MODULE_LOCAL static result read(control_handle handle, void* value) noexcept {
        if (readers_library.controls.read_number(handle, value)) [[likely]]
            return result::success;
        return readers_library.controls.read(handle, value);
    }
    MPIT_MODULE_LOCAL static result write(control_handle handle, const void* value) noexcept {
        return readers_library.controls.write(handle, value);
    }

    MPIT_MODULE_LOCAL static result create(performance_session& session) noexcept {
        return readers_library.sessions.create(readers_library.counting.present(), session);
    }
    MPIT_MODULE_LOCAL static void end(performance_session session) noexcept {
        static_cast<void>(readers_library.sessions.free(session));
    }
    MPIT_MODULE_LOCAL static result allocate(performance_session session, const performance_info& info,
                                             const void* object, performance_handle& handle,
                                             std::uint32_t& count) noexcept {
        return readers_library.allocate_performance(session, info.number, object, handle, count);
    }
    MPIT_MODULE_LOCAL static void free(performance_session session, performance_handle handle) noexcept {
        static_cast<void>(readers_library.sessions.free_handle(session, handle));
    }
    MPIT_MODULE_LOCAL static result start(performance_session session, performance_handle handle) noexcept {
        return readers_library.sessions.start(session, handle);
    }
    MPIT_MODULE_LOCAL static result stop(performance_session session, performance_handle handle) noexcept {
        return readers_library.sessions.stop(session, handle);
    }
    [[gnu::noinline]] MPIT_MODULE_LOCAL static result read(performance_session session, performance_handle handle,
                                                           void* value) noexcept {
        if (readers_library.sessions.read_sum(session, handle, value)) [[likely]]
            return result::success;
        return readers_library.sessions.read(session, handle, value);
    }
    MPIT_MODULE_LOCAL static result write(performance_session session, performance_handle handle,
                                          const void* value) noexcept {
        return readers_library.sessions.write(session, handle, value);
    }
    MPIT_MODULE_LOCAL static result reset(performance_session session, performance_handle handle) noexcept {
        return readers_library.sessions.reset(session, handle);
    }
    MPIT_MODULE_LOCAL static result read_and_reset(performance_session session, performance_handle handle,
                                                   void* value) noexcept {
        return readers_library.sessions.read_and_reset(session, handle, value);
    }
    static performance_handle every_handle() noexcept { return mpit::session::all_handles; }

private:
    MPIT_MODULE_LOCAL static registry::process_registry& names() noexcept { return readers_library.names(); }

    template <class Record> static void tell_names(const Record& record, named_info& info) {
        info.number = record.number.load();
        info.name.assign(record.name.characters, record.name.length);
        info.description.assign(record.description.characters, record.description.length);
    }
    static void tell_variable(const registry::variable_record& record, variable_info& info) {
        tell_names(record, info);
        info.verbosity = record.verbosity;
        info.binding = record.binding;
        info.type = record.type;
        info.enumeration = {};
        if (record.enumeration == nullptr) return;
        info.enumeration.name = record.enumeration->name.characters;
        for (int i = 0; i < record.enumeration->count; i++)
            info.enumeration.items.push_back(
                {record.enumeration->items[i].value, record.enumeration->items[i].name.characters});
    }
    static std::vector<int> members(const registry::category_record& category, kind item_kind) {
        std::vector<int> numbers(
            static_cast<std::size_t>(registry::process_registry::member_count(category, item_kind)));
        registry::process_registry::members(category, item_kind, static_cast<int>(numbers.size()), numbers.data());
        return numbers;
    }
};

} // namespace mpit::tool

#pragma GCC diagnostic pop
