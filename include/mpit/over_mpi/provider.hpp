// SPDX-License-Identifier: BSD-3-Clause
// Implements the functions of the standard over the items of the host MPI and of this process's registry, which tools
// see as one list. One comparison of the tag in a handle shows whether the host MPI or the registry owns the handle.
// Tools receive sessions of mpit, and each session has an associated session of the host MPI.
//
//   functions<over_mpi::provider>::cvar_get_num(&count)      // the number of all control variables
#pragma once

#include <mpit/host/defects.hpp>
#include <mpit/mpi_t/registry_provider.hpp>
#include <mpit/over_mpi/category_members.hpp>
#include <mpit/over_mpi/host_events.hpp>
#include <mpit/over_mpi/host_handles.hpp>
#include <mpit/over_mpi/initialization.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL over_mpi {

struct provider {
    // Stores the lower of the thread levels of the host MPI and of mpit in `provided` (MPI-5.0, 15.3.4). If the host
    // MPI cannot be initialized, returns the error of the host MPI.
    static int initialize(thread_level required, int* provided) {
        return the_interfaces.initialize(required, provided);
    }
    static int finalize() { return the_interfaces.finalize(); }

    static int count(kind item_kind) {
        the_indices.discover(item_kind);
        return the_indices.list(item_kind).count();
    }
    static int index_of(kind item_kind, const char* name, int var_class = 0) {
        int index = -1;
        const text item_name = name;
        find_or_discover(item_kind, [&] {
            const merged_entry* entry = the_indices.list(item_kind).find(item_name, var_class);
            if (entry != nullptr) index = entry->index.load();
            return entry != nullptr;
        });
        return index;
    }
    static const registry::enumeration_record* enumeration(MPI_T_enum handle) {
        const registry::enumeration_record* host_record = the_indices.host_items.enumerations.find(handle);
        return host_record != nullptr ? host_record : registry_provider::enumeration(handle);
    }

    template <class Visit> static int visit_variable(kind item_kind, int index, Visit visit) {
        const merged_entry* entry = entry_at(item_kind, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return entry->record != nullptr ? visit(*entry->record) : visit(static_cast<const host_variable&>(*entry));
    }
    template <class Visit> static int visit_event(int index, Visit visit) {
        const merged_entry* entry = entry_at(kind::event, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return entry->is_of_host ? visit(static_cast<const host_event&>(*entry))
                                 : registry_provider::visit_event(entry->own_index.load(), visit);
    }
    template <class Visit> static int visit_source(int index, Visit visit) {
        const merged_entry* entry = entry_at(kind::source, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        if (entry->is_of_host) return visit(static_cast<const host_source&>(*entry));
        return registry_provider::visit_source(entry->own_index.load(), [&](session::source_info source) {
            source.name = entry->name; // has a suffix if another source has the same name
            return visit(source);
        });
    }
    template <class Visit> static int visit_category(int index, Visit visit) {
        merged_category* category = category_at(index);
        return category == nullptr ? int{MPI_T_ERR_INVALID_INDEX} : visit(*category);
    }

    // The following functions allocate, free, read and write handles on control variables (MPI-5.0, 15.3.6).
    static int allocate_control(int index, void* object, std::uint64_t& handle, int& count) {
        count = 0;
        const merged_entry* entry = entry_at(kind::control, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return entry->is_of_host
                   ? the_host_handles.allocate_control(static_cast<const host_variable&>(*entry), object, handle, count)
                   : registry_provider::allocate_control(entry->own_index.load(), object, handle, count);
    }
    static int free_control(std::uint64_t handle) {
        if (!host_handles::is_control(handle)) return registry_provider::free_control(handle);
        host_control* slot = the_host_handles.controls.find(handle);
        return slot != nullptr && the_host_handles.free(*slot, handle) ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
    }
    // Stores an empty text if the host MPI fails to read a text variable.
    static int read_control(std::uint64_t handle, void* buffer) {
        if (!host_handles::is_control(handle)) return registry_provider::read_control(handle, buffer);
        const host_control* slot = the_host_handles.controls.find(handle);
        if (slot == nullptr) return MPI_T_ERR_INVALID_HANDLE;
        const int code = the_host.cvar_read(slot->handle.load(), buffer);
        if (code != MPI_SUCCESS && slot->variable.load()->type == MPI_CHAR) *static_cast<char*>(buffer) = '\0';
        return code;
    }
    static int write_control(std::uint64_t handle, const void* buffer) {
        if (!host_handles::is_control(handle)) return registry_provider::write_control(handle, buffer);
        const host_control* slot = the_host_handles.controls.find(handle);
        return slot == nullptr ? int{MPI_T_ERR_INVALID_HANDLE} : the_host.cvar_write(slot->handle.load(), buffer);
    }

    // Creates a session of mpit and the associated session of the host MPI (MPI-5.0, 15.3.7). If the host MPI cannot
    // create its session, returns the error of the host MPI.
    static int create_session(std::uint64_t& session) {
        if (const int code = registry_provider::create_session(session); code != MPI_SUCCESS) return code;
        MPI_T_pvar_session host_session = MPI_T_PVAR_SESSION_NULL;
        const bool has_host = the_host.is_open() && the_host.has(function_group::performances);
        int code = has_host ? the_host.pvar_session_create(&host_session) : MPI_SUCCESS;
        if (code == MPI_SUCCESS && !the_host_handles.store_host_session(session, host_session))
            code = MPI_T_ERR_OUT_OF_SESSIONS;
        if (code == MPI_SUCCESS) return MPI_SUCCESS;
        if (host_session != MPI_T_PVAR_SESSION_NULL) the_host.pvar_session_free(&host_session);
        registry_provider::free_session(session);
        return code;
    }
    static int free_session(std::uint64_t session) {
        return the_host_handles.free_session(session, &registry_provider::free_session);
    }
    static int allocate_performance(std::uint64_t session, int index, void* object, std::uint64_t& handle, int& count) {
        count = 0;
        if (!mpi_t::tools().sessions.is_session(session)) return MPI_T_ERR_INVALID_SESSION;
        const merged_entry* entry = entry_at(kind::performance, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        if (!entry->is_of_host)
            return registry_provider::allocate_performance(session, entry->own_index.load(), object, handle, count);
        return the_host_handles.allocate_performance(static_cast<const host_variable&>(*entry), session, object, handle,
                                                     count);
    }
    static int free_performance(std::uint64_t session, std::uint64_t handle) {
        if (!host_handles::is_performance(handle)) return registry_provider::free_performance(session, handle);
        return with_host_handle(session, handle, [&](host_performance& slot) {
            return the_host_handles.free(slot, handle) ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
        });
    }
    static int start(std::uint64_t session, MPI_T_pvar_handle handle) {
        return change(the_host.pvar_start, &registry_provider::start, session, handle, &host_variable::continuous,
                      MPI_T_ERR_PVAR_NO_STARTSTOP);
    }
    static int stop(std::uint64_t session, MPI_T_pvar_handle handle) {
        return change(the_host.pvar_stop, &registry_provider::stop, session, handle, &host_variable::continuous,
                      MPI_T_ERR_PVAR_NO_STARTSTOP);
    }
    static int reset(std::uint64_t session, MPI_T_pvar_handle handle) {
        return change(the_host.pvar_reset, &registry_provider::reset, session, handle, &host_variable::readonly,
                      MPI_T_ERR_PVAR_NO_WRITE);
    }
    static int read(std::uint64_t session, std::uint64_t handle, void* buffer) {
        if (!host_handles::is_performance(handle)) return registry_provider::read(session, handle, buffer);
        return with_host_handle(session, handle, [&](const host_performance& slot) {
            return the_host.pvar_read(slot.host_session.load(), slot.handle.load(), buffer);
        });
    }
    static int write(std::uint64_t session, std::uint64_t handle, const void* buffer) {
        if (!host_handles::is_performance(handle)) return registry_provider::write(session, handle, buffer);
        return with_host_handle(session, handle, [&](const host_performance& slot) {
            if (slot.variable.load()->readonly != 0) return int{MPI_T_ERR_PVAR_NO_WRITE};
            return the_host.pvar_write(slot.host_session.load(), slot.handle.load(), buffer);
        });
    }
    static int read_and_reset(std::uint64_t session, std::uint64_t handle, void* buffer) {
        if (!host_handles::is_performance(handle)) return registry_provider::read_and_reset(session, handle, buffer);
        return with_host_handle(session, handle, [&](const host_performance& slot) {
            if (slot.variable.load()->atomically == 0) return int{MPI_T_ERR_PVAR_NO_ATOMIC};
            return the_host.pvar_readreset(slot.host_session.load(), slot.handle.load(), buffer);
        });
    }

    // Attributes of events and sources (MPI-5.0, 15.3.8). If the host MPI cannot create an info object, a tool gets
    // MPI_INFO_NULL for an event or source of the registry.
    static int element_count(const session::event_record& event) { return registry_provider::element_count(event); }
    static int element_count(const host_event& event) { return event.element_count; }
    static MPI_Datatype element_type(const session::event_record& event, int i) {
        return registry_provider::element_type(event, i);
    }
    static MPI_Datatype element_type(const host_event& event, int i) { return event.datatypes[i]; }
    static MPI_Aint element_displacement(const session::event_record& event, int i) {
        return registry_provider::element_displacement(event, i);
    }
    static MPI_Aint element_displacement(const host_event& event, int i) { return event.displacements[i]; }
    static int make_info_of(const session::event_record& event, MPI_Info* info) {
        return can_make_info(info) ? registry_provider::make_info_of(event, info) : MPI_SUCCESS;
    }
    static int make_info_of(const host_event& event, MPI_Info* info) {
        return get_host_info(info, [&](MPI_Info* object) {
            return the_host.event_get_info(event.host_index.load(), nullptr, nullptr, nullptr, nullptr, nullptr,
                                           nullptr, nullptr, object, nullptr, nullptr, nullptr);
        });
    }
    static int make_info_of(const session::source_info&, MPI_Info* info) {
        return get_host_info(info, [](MPI_Info*) { return int{MPI_SUCCESS}; });
    }
    static int make_info_of(const host_source& source, MPI_Info* info) {
        return get_host_info(info, [&](MPI_Info* object) {
            return the_host.source_get_info(source.host_index.load(), nullptr, nullptr, nullptr, nullptr, nullptr,
                                            nullptr, nullptr, object);
        });
    }

    static int source_index(int own_index) {
        int index = -1;
        find_or_discover(kind::source,
                         [&] { return (index = the_indices.list(kind::source).index_of_own(own_index)) >= 0; });
        return index;
    }
    static int source_time(int index, MPI_Count* ticks) {
        const merged_entry* entry = entry_at(kind::source, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return entry->is_of_host ? the_host.source_get_timestamp(entry->host_index.load(), ticks)
                                 : registry_provider::source_time(entry->own_index.load(), ticks);
    }

    static int allocate_registration(int index, void* object, MPI_Info info, const internal::tool_calls& calls,
                                     std::uint64_t& registration) {
        const merged_entry* entry = entry_at(kind::event, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        discover_source_of(*entry);
        if (!entry->is_of_host)
            return registry_provider::allocate_registration(entry->own_index.load(), object, info, calls, registration);
        return the_host_events.allocate(static_cast<const host_event&>(*entry), object, info, registration);
    }
    // Frees a registration. `function` is called after the last callback of the registration.
    static int free_registration(std::uint64_t handle, mpi_t::free_function function, void* user_data) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host_events.free(slot, handle, function, user_data);
        }, [&] { return registry_provider::free_registration(handle, function, user_data); });
    }
    static int set_hints(std::uint64_t handle, MPI_Info info) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host.event_handle_set_info(slot.handle.load(), info);
        }, [&] { return registry_provider::set_hints(handle, info); });
    }
    static int get_hints(std::uint64_t handle, MPI_Info* info) {
        if (!can_make_info(info)) return MPI_T_ERR_INVALID;
        return with_registration(handle, [&](host_registration& slot) {
            return get_host_info(
                info, [&](MPI_Info* object) { return the_host.event_handle_get_info(slot.handle.load(), object); });
        }, [&] { return registry_provider::get_hints(handle, info); });
    }
    static int register_callback(std::uint64_t handle, safety level, MPI_Info info, mpi_t::event_function function,
                                 void* user_data) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host_events.register_callback(slot, handle, level, info, function, user_data);
        }, [&] { return registry_provider::register_callback(handle, level, info, function, user_data); });
    }
    static int set_callback_hints(std::uint64_t handle, safety level, MPI_Info info) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host.event_callback_set_info(slot.handle.load(), mpi_t::constant_of(level), info);
        }, [&] { return registry_provider::set_callback_hints(handle, level, info); });
    }
    static int get_callback_hints(std::uint64_t handle, safety level, MPI_Info* info) {
        if (!can_make_info(info)) return MPI_T_ERR_INVALID;
        return with_registration(handle, [&](host_registration& slot) {
            return get_host_info(info, [&](MPI_Info* object) {
                return the_host.event_callback_get_info(slot.handle.load(), mpi_t::constant_of(level), object);
            });
        }, [&] { return registry_provider::get_callback_hints(handle, level, info); });
    }
    static int set_dropped_handler(std::uint64_t handle, mpi_t::dropped_function function) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host_events.set_dropped_handler(slot, function);
        }, [&] { return registry_provider::set_dropped_handler(handle, function); });
    }

    static int read_element(std::uint64_t instance, int index, void* buffer) {
        return with_instance(instance, [&](const host_instance& payload) {
            if (index < 0 || index >= payload.event->element_count) return int{MPI_T_ERR_INVALID_INDEX};
            return the_host.event_read(payload.handle, index, buffer);
        }, [&] { return registry_provider::read_element(instance, index, buffer); });
    }
    static int copy_payload(std::uint64_t instance, void* buffer) {
        return with_instance(instance, [&](const host_instance& payload) {
            return the_host.event_copy(payload.handle, buffer);
        }, [&] { return registry_provider::copy_payload(instance, buffer); });
    }
    static int time_of(std::uint64_t instance, MPI_Count* ticks) {
        return with_instance(instance, [&](const host_instance& payload) {
            return the_host.event_get_timestamp(payload.handle, ticks);
        }, [&] { return registry_provider::time_of(instance, ticks); });
    }
    static int source_of(std::uint64_t instance, int* index) {
        int host_or_own_index = -1;
        return with_instance(instance, [&](const host_instance& payload) {
            const int code = the_host.event_get_source(payload.handle, &host_or_own_index);
            if (code == MPI_SUCCESS) *index = source_index_of_host(host_or_own_index);
            return code;
        }, [&] {
            const int code = registry_provider::source_of(instance, &host_or_own_index);
            if (code == MPI_SUCCESS) *index = source_index(host_or_own_index);
            return code;
        });
    }

    // Categories with the same name are merged. Members of the host MPI precede registry members (MPI-5.0, 15.3.9).
    static int member_count(merged_category& category, kind item_kind) {
        return members_of(category, item_kind).count();
    }
    static void members(merged_category& category, kind item_kind, int length, int* indices) {
        members_of(category, item_kind).copy(length, indices);
    }
    // Returns a number that grows with the update number of the host MPI, with the update number of the registry, and
    // with each item that discovery adds.
    static int update_number() {
        if (!the_members.is_current(true)) discover_all();
        const std::int64_t number = the_members.update_number();
        return number < INT_MAX ? static_cast<int>(number) : INT_MAX;
    }

private:
    // Returns true if the host MPI can create an info object, or if `info` is null. If the host MPI would abort the
    // program, returns false and sets `*info` to MPI_INFO_NULL.
    static bool can_make_info(MPI_Info* info) {
        if (info == nullptr || host::has_objects()) return true;
        *info = MPI_INFO_NULL;
        return false;
    }
    // Stores the info object that `get(info)` creates. If `get` leaves the info object null, as MPICH does, stores an
    // empty info object instead, because tools pass the info object to MPI_Info_free.
    template <class Get> static int get_host_info(MPI_Info* info, Get get) {
        if (!can_make_info(info)) return MPI_SUCCESS;
        MPI_Info object = MPI_INFO_NULL;
        const int code = get(&object);
        if (code == MPI_SUCCESS && object == MPI_INFO_NULL && mpi_t::make_info({}, object) != result::success)
            return MPI_T_ERR_MEMORY;
        *info = code == MPI_SUCCESS ? object : MPI_INFO_NULL;
        return code;
    }

    // Returns the entry of the item at a merged index, or null. Runs discovery if no item has the index yet.
    static merged_entry* entry_at(kind item_kind, int index) {
        merged_entry* entry = nullptr;
        find_or_discover(item_kind, [&] { return (entry = the_indices.list(item_kind).at(index)) != nullptr; });
        return entry;
    }
    // Returns the category at a merged index, or null. Calls the host MPI only for categories that the host MPI has.
    static merged_category* category_at(int index) {
        merged_entry* entry = the_indices.list(kind::category).at(index);
        if (entry == nullptr || !the_members.is_current(entry->host_index.load() >= 0)) {
            discover_all();
            entry = the_indices.list(kind::category).at(index);
        }
        return static_cast<merged_category*>(entry);
    }
    // Discovers the source of an event at registration, because a callback in a signal handler must not run discovery.
    static void discover_source_of(const merged_entry& event) {
        const registry::event_record* record =
            event.is_of_host ? nullptr : mpi_t::tools().event(event.own_index.load());
        if (record == nullptr || the_indices.list(kind::source).index_of_own(record->channel.source->index()) < 0)
            the_indices.discover(kind::source);
    }

    // Calls `use(slot)` for a handle on a performance variable of the host MPI. Returns an error code if the handle or
    // the session is not valid.
    template <class Use> static int with_host_handle(std::uint64_t session, std::uint64_t handle, Use use) {
        host_performance* slot = the_host_handles.performances.find(handle);
        if (slot != nullptr && slot->session.load() == session) [[likely]]
            return use(*slot);
        return mpi_t::tools().sessions.is_session(session) ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID_SESSION;
    }
    // Starts, stops or resets one handle, or all handles of a session. If the flag `refusing` of a variable of the host
    // MPI is set, returns `refusal` for a handle on the variable. If all handles are changed, an error of the registry
    // takes precedence over an error of the host MPI.
    static int change(int (*host_change)(MPI_T_pvar_session, MPI_T_pvar_handle),
                      int (*own_change)(std::uint64_t, MPI_T_pvar_handle), std::uint64_t session,
                      MPI_T_pvar_handle handle, int host_variable::* refusing, int refusal) {
        if (host_handles::is_performance(mpi_t::word_of(handle)))
            return with_host_handle(session, mpi_t::word_of(handle), [&](const host_performance& slot) {
                return slot.variable.load()->*refusing != 0 ? refusal
                                                            : host_change(slot.host_session.load(), slot.handle.load());
            });
        const int code = own_change(session, handle);
        if (handle != MPI_T_PVAR_ALL_HANDLES || code == MPI_T_ERR_INVALID_SESSION) return code;
        const MPI_T_pvar_session host_session = the_host_handles.find_host_session(session);
        if (host_session == MPI_T_PVAR_SESSION_NULL) return code;
        const int host_code = host_change(host_session, MPI_T_PVAR_ALL_HANDLES);
        return code != MPI_SUCCESS ? code : host_code;
    }
    // Calls `host(slot)` for a registration on an event of the host MPI, and `other()` for any other registration.
    template <class Host, class Other> static int with_registration(std::uint64_t handle, Host host, Other other) {
        if (!host_events::is_registration(handle)) return other();
        host_registration* slot = the_host_events.registrations.find(handle);
        return slot == nullptr ? int{MPI_T_ERR_INVALID_HANDLE} : host(*slot);
    }
    // Calls `host(payload)` for an instance of an event of the host MPI, and `other()` for any other instance.
    template <class Host, class Other> static int with_instance(std::uint64_t word, Host host, Other other) {
        internal::instance_view instance;
        if (!instance.find(word) || instance->channel != &channel_of_host) return other();
        const host_instance payload = *static_cast<const host_instance*>(instance->payload);
        return instance.is_shown() ? host(payload) : int{MPI_T_ERR_INVALID_HANDLE};
    }
};

} // namespace over_mpi
} // namespace mpit
