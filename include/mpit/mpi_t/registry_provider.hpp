// SPDX-License-Identifier: BSD-3-Clause
// Defines the provider that serves the variables in mpit's registry. A provider is a class with the same members as
// registry_provider. The bodies of the MPI_T functions (mpit/mpi_t/functions.hpp) check arguments and call one member
// of the provider. A library that also serves the variables of an MPI has another provider
// (mpit/over_mpi/provider.hpp). All members return error codes of the MPI standard. No member is noexcept, because a
// member may call a function of a tool or of a library, and that function may end the calling thread.
//
//   functions<registry_provider>::cvar_get_num(&count)      // calls registry_provider::count(kind::control)
#pragma once

#include <mpit/mpi_t/info_exchange.hpp>
#include <mpit/mpi_t/shim.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

struct registry_provider {
    // Initializes the interface (MPI-5.0, 15.3.4). The first call determines the thread level that all calls provide
    // until the last finalize(). If a function that was passed to mpit::before_tools() returns an error code,
    // initialize() returns this code and does not initialize the interface.
    static int initialize(thread_level required, int* provided) {
        thread_level level{};
        int refusal = 0;
        const result status = tools().initialize(required, level, refusal);
        if (status == result::success) put(provided, constant_of(level));
        return refusal != 0 ? refusal : code_of(status);
    }
    static int finalize() { return code_of(tools().finalize()); }

    // count() returns the number of items of a kind, such as control variables. index_of() returns the index of the
    // item with a name, or -1 if no item has the name. The argument `var_class` is used for performance variables only.
    static int count(kind item_kind) {
        return item_kind == kind::source ? session::source_count(registry()) : registry().count(item_kind);
    }
    [[gnu::always_inline]] static int index_of(kind item_kind, const char* name, int var_class = 0) {
        performance_class variable_class{};
        if (item_kind == kind::performance && !class_of(var_class, variable_class)) return -1;
        return registry().index_of(item_kind, name, variable_class);
    }
    static const registry::enumeration_record* enumeration(MPI_T_enum handle) { return enumeration_record_of(handle); }

    // Each visit_ function calls `visit` with the stored record of the item at an index, and returns the result of
    // `visit`. If no item has the index, the visit_ function returns MPI_T_ERR_INVALID_INDEX.
    template <class Visit> [[gnu::always_inline]] static int visit_variable(kind item_kind, int index, Visit visit) {
        const registry::variable_record* record = registry().variable(item_kind, index);
        return record == nullptr ? int{MPI_T_ERR_INVALID_INDEX} : visit(*record);
    }
    template <class Visit> [[gnu::always_inline]] static int visit_event(int index, Visit visit) {
        const session::event_record* record = tools().event(index);
        return record == nullptr ? int{MPI_T_ERR_INVALID_INDEX} : visit(*record);
    }
    template <class Visit> [[gnu::always_inline]] static int visit_source(int index, Visit visit) {
        session::source_info source;
        return session::find_source(registry(), index, source) ? visit(source) : int{MPI_T_ERR_INVALID_INDEX};
    }
    template <class Visit> [[gnu::always_inline]] static int visit_category(int index, Visit visit) {
        const registry::category_record* record = registry().category(index);
        return record == nullptr ? int{MPI_T_ERR_INVALID_INDEX} : visit(*record);
    }

    // The functions on control variables (MPI-5.0, 15.3.6). If a function fails, the 64-bit handle is unchanged.
    static int allocate_control(int index, void* object, std::uint64_t& handle, int& count) {
        std::uint32_t elements = 0;
        const result status = tools().allocate_control(index, object, handle, elements);
        if (status == result::success) count = static_cast<int>(elements);
        return code_of(status);
    }
    static int free_control(std::uint64_t handle) { return code_of(tools().controls.free(handle)); }
    static int read_control(std::uint64_t handle, void* buffer) {
        return code_of(tools().controls.read(handle, buffer));
    }
    static int write_control(std::uint64_t handle, const void* buffer) {
        return code_of(tools().controls.write(handle, buffer));
    }

    // The functions on performance variables (MPI-5.0, 15.3.7).
    static int create_session(std::uint64_t& session) {
        return code_of(tools().sessions.create(tools().epochs, session));
    }
    static int free_session(std::uint64_t session) { return code_of(tools().sessions.free(session)); }
    static int allocate_performance(std::uint64_t session, int index, void* object, std::uint64_t& handle, int& count) {
        std::uint32_t elements = 0;
        const result status = tools().allocate_performance(session, index, object, handle, elements);
        if (status == result::success) count = static_cast<int>(elements);
        return code_of(status);
    }
    static int free_performance(std::uint64_t session, std::uint64_t handle) {
        return code_of(tools().sessions.free_handle(session, handle));
    }
    static int start(std::uint64_t session, MPI_T_pvar_handle handle) {
        return code_of(tools().sessions.start(session, performance_word_of(handle)));
    }
    static int stop(std::uint64_t session, MPI_T_pvar_handle handle) {
        return code_of(tools().sessions.stop(session, performance_word_of(handle)));
    }
    static int reset(std::uint64_t session, MPI_T_pvar_handle handle) {
        return code_of(tools().sessions.reset(session, performance_word_of(handle)));
    }
    static int read(std::uint64_t session, std::uint64_t handle, void* buffer) {
        return code_of(tools().sessions.read(session, handle, buffer));
    }
    static int write(std::uint64_t session, std::uint64_t handle, const void* buffer) {
        return code_of(tools().sessions.write(session, handle, buffer));
    }
    static int read_and_reset(std::uint64_t session, std::uint64_t handle, void* buffer) {
        return code_of(tools().sessions.read_and_reset(session, handle, buffer));
    }

    // The functions on events (MPI-5.0, 15.3.8). The element_ functions describe the elements of an event's payload.
    // Each make_info_of() makes a new info object with the hints of an event or of an event source.
    static int element_count(const session::event_record& event) {
        return static_cast<int>(event.channel.element_count);
    }
    static MPI_Datatype element_type(const session::event_record& event, int i) {
        return constant_of(event.channel.elements[i].type);
    }
    static MPI_Aint element_displacement(const session::event_record& event, int i) {
        return MPI_Aint{event.channel.elements[i].displacement};
    }
    static int make_info_of(const session::event_record& event, MPI_Info* info) {
        return put_hints(session::registration_hints{}, !event.channel.is_ordered, info);
    }
    static int make_info_of(const session::source_info&, MPI_Info* info) { return code_of(make_info({}, *info)); }

    // Converts the index of an event source in the registry to the index that tools use for the source.
    static int source_index(int registry_index) { return registry_index; }
    static int source_time(int index, MPI_Count* ticks) {
        std::int64_t time = 0;
        const result status = session::source_time(registry(), index, time);
        if (status != result::success) return code_of(status);
        *ticks = time;
        return MPI_SUCCESS;
    }

    static int allocate_registration(int index, void* object, MPI_Info info, const internal::tool_calls& calls,
                                     std::uint64_t& registration) {
        mpit::info pairs;
        if (const result status = read_info(info, pairs); status != result::success) return code_of(status);
        session::event_record* record = tools().event(index);
        if (record == nullptr) return MPI_T_ERR_INVALID_INDEX;
        session::registration_hints hints;
        hints.take(pairs);
        return code_of(
            tools().events.allocate(registry(), *record, object, hints, calls, tools().epochs, registration));
    }
    static int free_registration(std::uint64_t registration, free_function function, void* user_data) {
        return code_of(tools().events.free(registry(), registration, untyped(function), user_data));
    }
    static int set_hints(std::uint64_t registration, MPI_Info info) {
        return with_pairs(info, [&](const mpit::info& pairs) { return tools().events.set_hints(registration, pairs); });
    }
    static int get_hints(std::uint64_t registration, MPI_Info* info) {
        session::registration_hints hints;
        bool has_hints = false;
        const result status = tools().events.get_hints(registration, hints, has_hints);
        return status == result::success ? put_hints(hints, has_hints, info) : code_of(status);
    }
    static int register_callback(std::uint64_t registration, safety level, MPI_Info info, event_function function,
                                 void* user_data) {
        return with_pairs(info, [&](const mpit::info& pairs) {
            session::callback_hints hints;
            hints.take(pairs);
            return tools().events.register_callback(registration, level, untyped(function), user_data, hints);
        });
    }
    static int set_callback_hints(std::uint64_t registration, safety level, MPI_Info info) {
        return with_pairs(info, [&](const mpit::info& pairs) {
            return tools().events.set_callback_hints(registration, level, pairs);
        });
    }
    static int get_callback_hints(std::uint64_t registration, safety level, MPI_Info* info) {
        session::callback_hints hints;
        const result status = tools().events.get_callback_hints(registration, level, hints);
        return status == result::success ? put_hints(hints, true, info) : code_of(status);
    }
    static int set_dropped_handler(std::uint64_t registration, dropped_function function) {
        return code_of(tools().events.set_dropped_handler(registration, untyped(function)));
    }

    // The functions on event instances.
    static int read_element(std::uint64_t instance, int index, void* buffer) {
        return code_of(internal::read_element(instance, index, buffer));
    }
    static int copy_payload(std::uint64_t instance, void* buffer) {
        return code_of(internal::copy_payload(instance, buffer));
    }
    static int time_of(std::uint64_t instance, MPI_Count* ticks) {
        return code_of(internal::time_of(instance, *ticks));
    }
    // Stores the index that the instance's event source has in the registry.
    static int source_of(std::uint64_t instance, int* registry_index) {
        return code_of(internal::source_of(instance, *registry_index));
    }

    // The functions on categories (MPI-5.0, 15.3.9).
    static int member_count(const registry::category_record& category, kind item_kind) {
        return registry().member_count(category, item_kind);
    }
    static void members(const registry::category_record& category, kind item_kind, int length, int* indices) {
        registry().members(category, item_kind, length, indices);
    }
    static int update_number() { return registry().update_number(); }

private:
    template <class Use> static int with_pairs(MPI_Info info, Use use) {
        mpit::info pairs;
        const result status = read_info(info, pairs);
        return code_of(status == result::success ? use(pairs) : status);
    }
    // Makes an info object with hints, or an empty info object if `has_hints` is false. Registrations on the events of
    // an ordered source accept no hints.
    template <class Hints> static int put_hints(const Hints& hints, bool has_hints, MPI_Info* info) {
        mpit::info pairs;
        const bool is_complete = !has_hints || hints.show(pairs);
        return is_complete && make_info(pairs, *info) == result::success ? MPI_SUCCESS : MPI_T_ERR_MEMORY;
    }
};

} // namespace mpi_t
} // namespace mpit
