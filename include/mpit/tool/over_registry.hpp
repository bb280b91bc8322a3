// SPDX-License-Identifier: BSD-3-Clause
// Lets tool::library access mpit's registry in the process without functions of the standard. The interface
// over_registry shares no handles, no sessions and no count of initializations with the shims. The header needs neither
// mpi.h nor mpit/host/reader.hpp, because the records of the registry already contain texts.
//
//   mpit::tool::library interface;   // over_registry is the default
#pragma once

#include <mpit/begin.hpp>

#include <mpit/session/library.hpp>
#include <mpit/session/variable_view.hpp> // IWYU pragma: export
#include <mpit/tool/library.hpp>          // IWYU pragma: export

namespace mpit::inline v1_0::tool {

// For the library's own use.
MPIT_MODULE_LOCAL inline constinit mpit::session::library reader_library;

// The functions of over_registry that register callbacks and read event instances. For the library's own use.
struct events_over_registry {
    using event_registration = std::uint64_t;
    using event_instance = std::uint64_t;

    MPIT_MODULE_LOCAL static result allocate_event(int index, const void* object, event_registration& handle) noexcept {
        mpit::session::event_record* record = reader_library.event(index);
        if (record == nullptr) return result::invalid_index;
        return reader_library.events.allocate(reader_library.registry(), *record, object, {}, calls,
                                              reader_library.epochs, handle);
    }
    template <class Listener>
    MPIT_MODULE_LOCAL static result register_callback(event_registration handle, safety level,
                                                      Listener& listener) noexcept {
        const event_function call = [](void* data, std::uint64_t instance) {
            static_cast<Listener*>(data)->call(instance);
        };
        const dropped_function drop = [](void* data, std::int64_t count) { static_cast<Listener*>(data)->drop(count); };
        const result status = reader_library.events.register_callback(handle, level, untyped(call), &listener, {});
        if (status != result::success) return status;
        return reader_library.events.set_dropped_handler(handle, untyped(drop));
    }
    // Frees a registration. The listener is deleted when no callback of the registration runs any more.
    template <class Listener>
    MPIT_MODULE_LOCAL static void end_event(event_registration handle, Listener* listener) noexcept {
        const free_function delete_listener = [](void* data) { delete static_cast<Listener*>(data); };
        if (reader_library.events.free(reader_library.registry(), handle, untyped(delete_listener), listener) !=
            result::success)
            delete listener;
    }
    MPIT_MODULE_LOCAL static result read_element(event_instance instance, int element, void* value) noexcept {
        return internal::read_element(instance, element, value);
    }
    MPIT_MODULE_LOCAL static result copy_payload(event_instance instance, void* payload) noexcept {
        return internal::copy_payload(instance, payload);
    }
    MPIT_MODULE_LOCAL static result time_of(event_instance instance, std::int64_t& ticks, int& source) noexcept {
        const result status = internal::time_of(instance, ticks);
        return status == result::success ? internal::source_of(instance, source) : status;
    }

private:
    using event_function = void (*)(void* data, std::uint64_t instance);
    using dropped_function = void (*)(void* data, std::int64_t count);
    using free_function = void (*)(void* data);

    // mpit stores all callback functions of tools as internal::tool_function. The following functions convert function
    // pointers to internal::tool_function and back.
    template <class Function> static internal::tool_function untyped(Function function) noexcept {
        return reinterpret_cast<internal::tool_function>(function);
    }
    static void call_event(internal::tool_function function, void* data, std::uint64_t instance, std::uint64_t,
                           safety) {
        reinterpret_cast<event_function>(function)(data, instance);
    }
    static void call_dropped(internal::tool_function function, std::int64_t count, std::uint64_t, int, safety,
                             void* data) {
        reinterpret_cast<dropped_function>(function)(data, count);
    }
    MPIT_MODULE_LOCAL static void call_free(internal::subscription& ended, std::uint64_t registration, safety) {
        if (ended.free_function != nullptr) reinterpret_cast<free_function>(ended.free_function)(ended.free_data);
        reader_library.events.release(ended, registration);
    }
    static constexpr internal::tool_calls calls{&call_event, &call_dropped, &call_free};
};

// Selects the registry of the process as the tool interface, as in `library<>` and `session<over_registry>`. The class
// members are for the library's own use.
struct over_registry : events_over_registry {
    using control_handle = std::uint64_t;
    using performance_session = std::uint64_t;
    using performance_handle = std::uint64_t;

    MPIT_MODULE_LOCAL static result initialize(thread_level required, thread_level& provided) noexcept {
        return reader_library.initialize(required, provided);
    }
    MPIT_MODULE_LOCAL static void finalize() noexcept { static_cast<void>(reader_library.finalize()); }

    MPIT_MODULE_LOCAL static int count(kind item_kind) noexcept {
        return item_kind == kind::source ? mpit::session::source_count(registry()) : registry().count(item_kind);
    }
    MPIT_MODULE_LOCAL static result find(kind item_kind, const char* name, performance_class variable_class,
                                         int& index) noexcept {
        index = registry().index_of(item_kind, name, variable_class);
        return index < 0 ? result::invalid_name : result::success;
    }

    MPIT_MODULE_LOCAL static result tell(int index, control_info& info) {
        const variable_view view = control_at(index);
        if (!view) return result::invalid_index;
        copy_variable(view, info);
        info.scope = view.scope();
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int index, performance_info& info) {
        const variable_view view = performance_at(index);
        if (!view) return result::invalid_index;
        copy_variable(view, info);
        info.variable_class = view.variable_class();
        info.is_readonly = view.is_readonly();
        info.is_continuous = view.is_continuous();
        info.is_atomic = view.is_atomic();
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int index, event_info& info) {
        const registry::event_record* record = reader_library.event(index);
        if (record == nullptr) return result::invalid_index;
        copy_names(record->index.load(), record->name, record->description, info);
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
    MPIT_MODULE_LOCAL static result tell(int index, source_info& info) {
        mpit::session::source_info source;
        if (!mpit::session::find_source(registry(), index, source)) return result::invalid_index;
        copy_names(index, source.name, source.description, info);
        info.ordering = source.ordering;
        info.ticks_per_second = source.ticks_per_second;
        info.max_ticks = source.max_ticks;
        return result::success;
    }
    MPIT_MODULE_LOCAL static result tell(int index, category_info& info) {
        const category_view view = category_at(index);
        if (!view) return result::invalid_index;
        copy_names(view.number(), view.name(), view.description(), info);
        info.controls = members_of(view, kind::control);
        info.performances = members_of(view, kind::performance);
        info.events = members_of(view, kind::event);
        info.categories = members_of(view, kind::category);
        return result::success;
    }
    // Stores in `stamp` a number that grows with every change of a category.
    MPIT_MODULE_LOCAL static result changes_of_categories(int& stamp) noexcept {
        stamp = registry().update_number();
        return result::success;
    }

    MPIT_MODULE_LOCAL static result allocate(int index, const void* object, control_handle& handle,
                                             std::uint32_t& count) noexcept {
        return reader_library.allocate_control(index, object, handle, count);
    }
    MPIT_MODULE_LOCAL static void free(control_handle handle) noexcept {
        static_cast<void>(reader_library.controls.free(handle));
    }
    // If this function were inlined, g++ might warn, because g++ cannot know that `value` has the size of the variable.
    [[gnu::noinline]] MPIT_MODULE_LOCAL static result read(control_handle handle, void* value) noexcept {
        return reader_library.controls.read_number(handle, value) ? result::success
                                                                  : reader_library.controls.read(handle, value);
    }
    MPIT_MODULE_LOCAL static result write(control_handle handle, const void* value) noexcept {
        return reader_library.controls.write(handle, value);
    }

    MPIT_MODULE_LOCAL static result create(performance_session& session) noexcept {
        return reader_library.sessions.create(reader_library.epochs, session);
    }
    MPIT_MODULE_LOCAL static void end(performance_session session) noexcept {
        static_cast<void>(reader_library.sessions.free(session));
    }
    MPIT_MODULE_LOCAL static result allocate(performance_session session, const performance_info& info,
                                             const void* object, performance_handle& handle,
                                             std::uint32_t& count) noexcept {
        return reader_library.allocate_performance(session, info.number, object, handle, count);
    }
    MPIT_MODULE_LOCAL static void free(performance_session session, performance_handle handle) noexcept {
        static_cast<void>(reader_library.sessions.free_handle(session, handle));
    }
    MPIT_MODULE_LOCAL static result start(performance_session session, performance_handle handle) noexcept {
        return reader_library.sessions.start(session, handle);
    }
    MPIT_MODULE_LOCAL static result stop(performance_session session, performance_handle handle) noexcept {
        return reader_library.sessions.stop(session, handle);
    }
    [[gnu::noinline]] MPIT_MODULE_LOCAL static result read(performance_session session, performance_handle handle,
                                                           void* value) noexcept {
        return reader_library.sessions.read(session, handle, value);
    }
    MPIT_MODULE_LOCAL static result write(performance_session session, performance_handle handle,
                                          const void* value) noexcept {
        return reader_library.sessions.write(session, handle, value);
    }
    MPIT_MODULE_LOCAL static result reset(performance_session session, performance_handle handle) noexcept {
        return reader_library.sessions.reset(session, handle);
    }
    MPIT_MODULE_LOCAL static result read_and_reset(performance_session session, performance_handle handle,
                                                   void* value) noexcept {
        return reader_library.sessions.read_and_reset(session, handle, value);
    }
    static performance_handle all_handles() noexcept { return mpit::session::all_handles; }

private:
    MPIT_MODULE_LOCAL static registry::process_registry& registry() noexcept { return reader_library.registry(); }

    static void copy_names(int index, text name, text description, named_info& info) {
        info.number = index;
        info.name.assign(name.characters, name.length);
        info.description.assign(description.characters, description.length);
    }
    static void copy_variable(const variable_view& view, variable_info& info) {
        copy_names(view.number(), view.name(), view.description(), info);
        info.verbosity = view.verbosity();
        info.binding = view.binding();
        info.type = view.type();
        info.enumeration = {};
        const registry::enumeration_record* enumeration = view.record().enumeration;
        if (enumeration == nullptr) return;
        info.enumeration.name = enumeration->name.characters;
        for (int i = 0; i < enumeration->count; i++)
            info.enumeration.items.push_back({enumeration->items[i].value, enumeration->items[i].name.characters});
    }
    static std::vector<int> members_of(const category_view& view, kind item_kind) {
        std::vector<int> indices(static_cast<std::size_t>(view.count(item_kind)));
        registry::process_registry::members(view.record(), item_kind, static_cast<int>(indices.size()), indices.data());
        return indices;
    }
};

} // namespace mpit::tool

#include <mpit/end.hpp>
