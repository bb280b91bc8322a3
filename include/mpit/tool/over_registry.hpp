// SPDX-License-Identifier: BSD-3-Clause
// The registry of the process as a reader's interface: it needs no function of the standard, and calls none. Its count
// of inits, its handles and its sessions are apart from those of the shims.
//
//   mpit::tool::library interface;   // over_registry is what a reader takes where nothing is said
#pragma once

#include <mpit/tool/events_over_registry.hpp>
#include <mpit/tool/library.hpp>

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

    MPIT_MODULE_LOCAL static int count(kind of) noexcept {
        return of == kind::source ? mpit::session::source_count(names()) : names().count(of);
    }
    MPIT_MODULE_LOCAL static result find(kind of, const char* name, performance_class in, int& number) noexcept {
        number = names().number_of(of, name, in);
        return number < 0 ? result::invalid_name : result::success;
    }

    MPIT_MODULE_LOCAL static result tell(int number, control_info& to) {
        const registry::variable_record* of = names().variable(kind::control, number);
        if (of == nullptr) return result::invalid_index;
        tell_variable(*of, to);
        to.scope = of->scope;
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int number, performance_info& to) {
        const registry::variable_record* of = names().variable(kind::performance, number);
        if (of == nullptr) return result::invalid_index;
        tell_variable(*of, to);
        to.in = of->in;
        to.is_readonly = of->readonly;
        to.is_continuous = of->continuous;
        to.is_atomic = of->atomically;
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int number, event_info& to) {
        const registry::event_record* of = readers_library.event(number);
        if (of == nullptr) return result::invalid_index;
        tell_names(*of, to);
        to.verbosity = of->verbosity;
        to.binding = of->binding;
        to.elements.clear();
        for (std::uint32_t i = 0; i < of->channel.element_count; i++) {
            const internal::payload_element& element = of->channel.elements[i];
            std::string name;
            if (of->enumeration != nullptr && static_cast<int>(i) < of->enumeration->count)
                name = of->enumeration->items[i].name.characters;
            to.elements.push_back({element.type, element.displacement, std::move(name)});
        }
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int number, source_info& to) {
        mpit::session::source_info of;
        if (!mpit::session::find_source(names(), number, of)) return result::invalid_index;
        to.number = number;
        to.name.assign(of.name.characters, of.name.length);
        to.description.assign(of.description.characters, of.description.length);
        to.ordering = of.ordering;
        to.ticks_per_second = of.ticks_per_second;
        to.max_ticks = of.max_ticks;
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int number, category_info& to) {
        const registry::category_record* of = names().category(number);
        if (of == nullptr) return result::invalid_index;
        tell_names(*of, to);
        to.controls = members(*of, kind::control);
        to.performances = members(*of, kind::performance);
        to.events = members(*of, kind::event);
        to.categories = members(*of, kind::category);
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
    MPIT_MODULE_LOCAL static result allocate(performance_session session, const performance_info& of,
                                             const void* object, performance_handle& handle,
                                             std::uint32_t& count) noexcept {
        return readers_library.allocate_performance(session, of.number, object, handle, count);
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

    template <class Record> static void tell_names(const Record& of, named_info& to) {
        to.number = of.number.load();
        to.name.assign(of.name.characters, of.name.length);
        to.description.assign(of.description.characters, of.description.length);
    }
    static void tell_variable(const registry::variable_record& of, variable_info& to) {
        tell_names(of, to);
        to.verbosity = of.verbosity;
        to.binding = of.binding;
        to.type = of.type;
        to.enumeration = {};
        if (of.enumeration == nullptr) return;
        to.enumeration.name = of.enumeration->name.characters;
        for (int i = 0; i < of.enumeration->count; i++)
            to.enumeration.items.push_back({of.enumeration->items[i].value, of.enumeration->items[i].name.characters});
    }
    static std::vector<int> members(const registry::category_record& in, kind of) {
        std::vector<int> numbers(static_cast<std::size_t>(registry::process_registry::member_count(in, of)));
        registry::process_registry::members(in, of, static_cast<int>(numbers.size()), numbers.data());
        return numbers;
    }
};

} // namespace mpit::tool

#pragma GCC diagnostic pop
