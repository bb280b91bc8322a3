// SPDX-License-Identifier: BSD-3-Clause
// The provider on top of a host: the host's variables and ours as one list. The tag of a handle tells whose variable it
// is on, so that calls on ours cost one comparison more; sessions are ours, and each has one of the host.
//
//   functions<over_mpi::provider>::cvar_get_num(&count)      // ours and the host's
#pragma once

#include <mpit/host/defects.hpp>
#include <mpit/mpi_t/registry_provider.hpp>
#include <mpit/over_mpi/category_members.hpp>
#include <mpit/over_mpi/host_events.hpp>
#include <mpit/over_mpi/host_handles.hpp>
#include <mpit/over_mpi/initialization.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

struct provider {
    using own = mpi_t::registry_provider;

    // 15.3.4. The level is the lower of the host's and ours. Refuses what the host refuses.
    static int initialize(thread_level required, int* provided) {
        return the_interfaces.initialize(required, provided);
    }
    static int finalize() { return the_interfaces.finalize(); }

    static int count(kind item_kind) {
        the_numbers.discover(item_kind);
        return the_numbers.list(item_kind).count();
    }
    static int number_of(kind item_kind, const char* name, int var_class = 0) {
        int number = -1;
        const text wanted = name;
        find_or_discover(item_kind, [&] {
            const merged_entry* entry = the_numbers.list(item_kind).find(wanted, var_class);
            if (entry != nullptr) number = entry->number.load();
            return entry != nullptr;
        });
        return number;
    }
    // A handle says whose enumeration it is.
    static const registry::enumeration_record* enumeration(MPI_T_enum handle) {
        const registry::enumeration_record* of_host = the_numbers.facts.enumerations.find(handle);
        return of_host != nullptr ? of_host : own::enumeration(handle);
    }

    template <class Visit> static int visit_variable(kind item_kind, int index, Visit visit) {
        const merged_entry* entry = entry_at(item_kind, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return entry->own != nullptr ? visit(*entry->own) : visit(static_cast<const host_variable&>(*entry));
    }
    template <class Visit> static int visit_event(int index, Visit visit) {
        const merged_entry* entry = entry_at(kind::event, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return entry->is_of_host ? visit(static_cast<const host_event&>(*entry))
                                 : own::visit_event(entry->own_number.load(), visit);
    }
    template <class Visit> static int visit_source(int index, Visit visit) {
        const merged_entry* entry = entry_at(kind::source, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        if (entry->is_of_host) return visit(static_cast<const host_source&>(*entry));
        return own::visit_source(entry->own_number.load(), [&](session::source_info source) {
            source.name = entry->name; // of two sources with one name, one has another name here
            return visit(source);
        });
    }
    template <class Visit> static int visit_category(int index, Visit visit) {
        merged_category* category = category_at(index);
        return category == nullptr ? int{MPI_T_ERR_INVALID_INDEX} : visit(*category);
    }

    // 15.3.6
    static int allocate_control(int index, void* object, std::uint64_t& handle, int& count) {
        count = 0;
        const merged_entry* entry = entry_at(kind::control, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return entry->is_of_host
                   ? the_host_handles.allocate_control(static_cast<const host_variable&>(*entry), object, handle, count)
                   : own::allocate_control(entry->own_number.load(), object, handle, count);
    }
    static int free_control(std::uint64_t handle) {
        if (!host_handles::is_control(handle)) return own::free_control(handle);
        host_control* slot = the_host_handles.controls.find(handle);
        return slot != nullptr && the_host_handles.free(*slot, handle) ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
    }
    // A text that the host fails to read is empty.
    static int read_control(std::uint64_t handle, void* buffer) {
        if (!host_handles::is_control(handle)) return own::read_control(handle, buffer);
        const host_control* slot = the_host_handles.controls.find(handle);
        if (slot == nullptr) return MPI_T_ERR_INVALID_HANDLE;
        const int code = the_host.cvar_read(slot->handle.load(), buffer);
        if (code != MPI_SUCCESS && slot->variable.load()->type == MPI_CHAR) *static_cast<char*>(buffer) = '\0';
        return code;
    }
    static int write_control(std::uint64_t handle, const void* buffer) {
        if (!host_handles::is_control(handle)) return own::write_control(handle, buffer);
        const host_control* slot = the_host_handles.controls.find(handle);
        return slot == nullptr ? int{MPI_T_ERR_INVALID_HANDLE} : the_host.cvar_write(slot->handle.load(), buffer);
    }

    // 15.3.7. Refuses what the host refuses.
    static int create_session(std::uint64_t& session) {
        if (const int code = own::create_session(session); code != MPI_SUCCESS) return code;
        MPI_T_pvar_session of_host = MPI_T_PVAR_SESSION_NULL;
        const bool has_host = the_host.is_open() && the_host.has(function_group::performances);
        int code = has_host ? the_host.pvar_session_create(&of_host) : MPI_SUCCESS;
        if (code == MPI_SUCCESS && !the_host_handles.keep_session(session, of_host)) code = MPI_T_ERR_OUT_OF_SESSIONS;
        if (code == MPI_SUCCESS) return MPI_SUCCESS;
        if (of_host != MPI_T_PVAR_SESSION_NULL) the_host.pvar_session_free(&of_host);
        own::free_session(session);
        return code;
    }
    static int free_session(std::uint64_t session) {
        const MPI_T_pvar_session of_host = the_host_handles.host_session(session);
        const int code = own::free_session(session);
        if (code == MPI_SUCCESS) the_host_handles.free_session(session, of_host);
        return code;
    }
    static int allocate_performance(std::uint64_t session, int index, void* object, std::uint64_t& handle, int& count) {
        count = 0;
        if (!mpi_t::tools().sessions.is_session(session)) return MPI_T_ERR_INVALID_SESSION;
        const merged_entry* entry = entry_at(kind::performance, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return entry->is_of_host ? the_host_handles.allocate_performance(static_cast<const host_variable&>(*entry),
                                                                         session, object, handle, count)
                                 : own::allocate_performance(session, entry->own_number.load(), object, handle, count);
    }
    static int free_performance(std::uint64_t session, std::uint64_t handle) {
        if (!host_handles::is_performance(handle)) return own::free_performance(session, handle);
        return with_host_handle(session, handle, [&](host_performance& slot) {
            return the_host_handles.free(slot, handle) ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
        });
    }
    static int start(std::uint64_t session, MPI_T_pvar_handle handle) {
        return change(the_host.pvar_start, &own::start, session, handle, &host_variable::continuous,
                      MPI_T_ERR_PVAR_NO_STARTSTOP);
    }
    static int stop(std::uint64_t session, MPI_T_pvar_handle handle) {
        return change(the_host.pvar_stop, &own::stop, session, handle, &host_variable::continuous,
                      MPI_T_ERR_PVAR_NO_STARTSTOP);
    }
    static int reset(std::uint64_t session, MPI_T_pvar_handle handle) {
        return change(the_host.pvar_reset, &own::reset, session, handle, &host_variable::readonly,
                      MPI_T_ERR_PVAR_NO_WRITE);
    }
    static int read(std::uint64_t session, std::uint64_t handle, void* buffer) {
        if (!host_handles::is_performance(handle)) return own::read(session, handle, buffer);
        return with_host_handle(session, handle, [&](const host_performance& slot) {
            return the_host.pvar_read(slot.host_session.load(), slot.handle.load(), buffer);
        });
    }
    static int write(std::uint64_t session, std::uint64_t handle, const void* buffer) {
        if (!host_handles::is_performance(handle)) return own::write(session, handle, buffer);
        return with_host_handle(session, handle, [&](const host_performance& slot) {
            if (slot.variable.load()->readonly != 0) return int{MPI_T_ERR_PVAR_NO_WRITE};
            return the_host.pvar_write(slot.host_session.load(), slot.handle.load(), buffer);
        });
    }
    static int read_and_reset(std::uint64_t session, std::uint64_t handle, void* buffer) {
        if (!host_handles::is_performance(handle)) return own::read_and_reset(session, handle, buffer);
        return with_host_handle(session, handle, [&](const host_performance& slot) {
            if (slot.variable.load()->atomically == 0) return int{MPI_T_ERR_PVAR_NO_ATOMIC};
            return the_host.pvar_readreset(slot.host_session.load(), slot.handle.load(), buffer);
        });
    }

    // 15.3.8. Where the host can make no info object for an event of ours, there is none.
    static int element_count(const session::event_record& event) { return own::element_count(event); }
    static int element_count(const host_event& event) { return event.element_count; }
    static MPI_Datatype element_type(const session::event_record& event, int i) { return own::element_type(event, i); }
    static MPI_Datatype element_type(const host_event& event, int i) { return event.datatypes[i]; }
    static MPI_Aint element_displacement(const session::event_record& event, int i) {
        return own::element_displacement(event, i);
    }
    static MPI_Aint element_displacement(const host_event& event, int i) { return event.displacements[i]; }
    static int make_info_of(const session::event_record& event, MPI_Info* info) {
        return can_make(info) ? own::make_info_of(event, info) : MPI_SUCCESS;
    }
    static int make_info_of(const host_event& event, MPI_Info* info) {
        return take_info(info, [&](MPI_Info* made) {
            return the_host.event_get_info(event.host_number.load(), nullptr, nullptr, nullptr, nullptr, nullptr,
                                           nullptr, nullptr, made, nullptr, nullptr, nullptr);
        });
    }
    static int make_info_of(const session::source_info&, MPI_Info* info) {
        return take_info(info, [](MPI_Info*) { return int{MPI_SUCCESS}; });
    }
    static int make_info_of(const host_source& source, MPI_Info* info) {
        return take_info(info, [&](MPI_Info* made) {
            return the_host.source_get_info(source.host_number.load(), nullptr, nullptr, nullptr, nullptr, nullptr,
                                            nullptr, nullptr, made);
        });
    }

    static int source_index(int registry_number) {
        int index = -1;
        find_or_discover(kind::source,
                         [&] { return (index = the_numbers.list(kind::source).number_of_own(registry_number)) >= 0; });
        return index;
    }
    static int source_time(int index, MPI_Count* ticks) {
        const merged_entry* entry = entry_at(kind::source, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return entry->is_of_host ? the_host.source_get_timestamp(entry->host_number.load(), ticks)
                                 : own::source_time(entry->own_number.load(), ticks);
    }

    static int allocate_registration(int index, void* object, MPI_Info info, const internal::tool_calls& calls,
                                     std::uint64_t& registration) {
        const merged_entry* entry = entry_at(kind::event, index);
        if (entry == nullptr) return MPI_T_ERR_INVALID_INDEX;
        discover_source_of(*entry);
        return entry->is_of_host
                   ? the_host_events.allocate(static_cast<const host_event&>(*entry), object, info, registration)
                   : own::allocate_registration(entry->own_number.load(), object, info, calls, registration);
    }
    // The function is called when the host says that nothing calls back any more.
    static int free_registration(std::uint64_t handle, mpi_t::free_function function, void* user_data) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host_events.free(slot, handle, function, user_data);
        }, [&] { return own::free_registration(handle, function, user_data); });
    }
    static int set_hints(std::uint64_t handle, MPI_Info info) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host.event_handle_set_info(slot.handle.load(), info);
        }, [&] { return own::set_hints(handle, info); });
    }
    static int get_hints(std::uint64_t handle, MPI_Info* info) {
        if (!can_make(info)) return MPI_T_ERR_INVALID;
        return with_registration(handle, [&](host_registration& slot) {
            return take_info(info,
                             [&](MPI_Info* made) { return the_host.event_handle_get_info(slot.handle.load(), made); });
        }, [&] { return own::get_hints(handle, info); });
    }
    static int register_callback(std::uint64_t handle, safety level, MPI_Info info, mpi_t::event_function function,
                                 void* user_data) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host_events.register_callback(slot, handle, level, info, function, user_data);
        }, [&] { return own::register_callback(handle, level, info, function, user_data); });
    }
    static int set_callback_hints(std::uint64_t handle, safety level, MPI_Info info) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host.event_callback_set_info(slot.handle.load(), mpi_t::constant_of(level), info);
        }, [&] { return own::set_callback_hints(handle, level, info); });
    }
    static int get_callback_hints(std::uint64_t handle, safety level, MPI_Info* info) {
        if (!can_make(info)) return MPI_T_ERR_INVALID;
        return with_registration(handle, [&](host_registration& slot) {
            return take_info(info, [&](MPI_Info* made) {
                return the_host.event_callback_get_info(slot.handle.load(), mpi_t::constant_of(level), made);
            });
        }, [&] { return own::get_callback_hints(handle, level, info); });
    }
    static int set_dropped_handler(std::uint64_t handle, mpi_t::dropped_function function) {
        return with_registration(handle, [&](host_registration& slot) {
            return the_host_events.set_dropped_handler(slot, function);
        }, [&] { return own::set_dropped_handler(handle, function); });
    }

    static int read_element(std::uint64_t instance, int index, void* buffer) {
        return with_instance(instance, [&](const host_instance& seen) {
            if (index < 0 || index >= seen.event->element_count) return int{MPI_T_ERR_INVALID_INDEX};
            return the_host.event_read(seen.handle, index, buffer);
        }, [&] { return own::read_element(instance, index, buffer); });
    }
    static int copy_payload(std::uint64_t instance, void* buffer) {
        return with_instance(instance, [&](const host_instance& seen) {
            return the_host.event_copy(seen.handle, buffer);
        }, [&] { return own::copy_payload(instance, buffer); });
    }
    static int time_of(std::uint64_t instance, MPI_Count* ticks) {
        return with_instance(instance, [&](const host_instance& seen) {
            return the_host.event_get_timestamp(seen.handle, ticks);
        }, [&] { return own::time_of(instance, ticks); });
    }
    static int source_of(std::uint64_t instance, int* index) {
        int number = -1;
        const auto of_host = [&](const host_instance& seen) {
            const int code = the_host.event_get_source(seen.handle, &number);
            if (code == MPI_SUCCESS) *index = source_index_of_host(number);
            return code;
        };
        return with_instance(instance, of_host, [&] {
            const int code = own::source_of(instance, &number);
            if (code == MPI_SUCCESS) *index = source_index(number);
            return code;
        });
    }

    // 15.3.9. Categories of both by name, the host's members of one before ours.
    static int member_count(merged_category& category, kind item_kind) {
        return members_of(category, item_kind).count();
    }
    static void members(merged_category& category, kind item_kind, int length, int* indices) {
        members_of(category, item_kind).copy(length, indices);
    }
    // Grows with the host's, with ours, and with each thing that was taken in.
    static int update_number() {
        if (!the_members.knows_both()) discover_all();
        const std::int64_t sum = the_members.seen();
        return sum < INT_MAX ? static_cast<int>(sum) : INT_MAX;
    }

private:
    // Whether the host can make an info object for a caller; where it would abort there is none, and the caller's is
    // null.
    static bool can_make(MPI_Info* info) {
        if (info == nullptr || host::has_objects()) return true;
        *info = MPI_INFO_NULL;
        return false;
    }
    // The object that `ask_host(info)` makes, or a new one if that leaves the object null, as MPICH does: a tool may
    // free what it receives.
    template <class Ask> static int take_info(MPI_Info* info, Ask ask_host) {
        if (!can_make(info)) return MPI_SUCCESS;
        MPI_Info object = MPI_INFO_NULL;
        const int code = ask_host(&object);
        if (code == MPI_SUCCESS && object == MPI_INFO_NULL && mpi_t::make_info({}, object) != result::success)
            return MPI_T_ERR_MEMORY;
        *info = code == MPI_SUCCESS ? object : MPI_INFO_NULL;
        return code;
    }

    // The entry of a number, after a discovery if it is not known; null if there is none.
    static merged_entry* entry_at(kind item_kind, int index) {
        merged_entry* entry = nullptr;
        find_or_discover(item_kind, [&] { return (entry = the_numbers.list(item_kind).at(index)) != nullptr; });
        return entry;
    }
    // The host is asked only about categories that it has.
    static merged_category* category_at(int index) {
        merged_entry* entry = the_numbers.list(kind::category).at(index);
        if (entry == nullptr || !(entry->host_number.load() < 0 ? the_members.knows_own() : the_members.knows_both())) {
            discover_all();
            entry = the_numbers.list(kind::category).at(index);
        }
        return static_cast<merged_category*>(entry);
    }
    // Sources are discovered before the first instance, because a callback may be in a context that allows little.
    static void discover_source_of(const merged_entry& event) {
        const registry::event_record* record =
            event.is_of_host ? nullptr : mpi_t::tools().event(event.own_number.load());
        if (record == nullptr || the_numbers.list(kind::source).number_of_own(record->channel.source->number()) < 0)
            the_numbers.discover(kind::source);
    }

    // Calls `use` for the slot of a handle of the host in its session, or answers what is wrong with the two.
    template <class Use> static int with_host_handle(std::uint64_t session, std::uint64_t handle, Use use) {
        host_performance* slot = the_host_handles.performances.find(handle);
        if (slot != nullptr && slot->session.load() == session) [[likely]]
            return use(*slot);
        return mpi_t::tools().sessions.is_session(session) ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID_SESSION;
    }
    // A call that starts, stops or resets one handle of either or all, which the flag of a variable of the host
    // refuses. Of a call for all, the first error is the answer.
    static int change(int (*of_host)(MPI_T_pvar_session, MPI_T_pvar_handle),
                      int (*own_change)(std::uint64_t, MPI_T_pvar_handle), std::uint64_t session,
                      MPI_T_pvar_handle handle, int host_variable::* refuses, int refusal) {
        if (host_handles::is_performance(mpi_t::word_of(handle)))
            return with_host_handle(session, mpi_t::word_of(handle), [&](const host_performance& slot) {
                return slot.variable.load()->*refuses != 0 ? refusal
                                                           : of_host(slot.host_session.load(), slot.handle.load());
            });
        const int code = own_change(session, handle);
        if (handle != MPI_T_PVAR_ALL_HANDLES || code == MPI_T_ERR_INVALID_SESSION) return code;
        const MPI_T_pvar_session host_session = the_host_handles.host_session(session);
        if (host_session == MPI_T_PVAR_SESSION_NULL) return code;
        const int host_code = of_host(host_session, MPI_T_PVAR_ALL_HANDLES);
        return code != MPI_SUCCESS ? code : host_code;
    }
    // Calls `of_host` for a registration on one of the host's events, or `otherwise`.
    template <class Host, class Own> static int with_registration(std::uint64_t handle, Host of_host, Own otherwise) {
        if (!host_events::is_registration(handle)) return otherwise();
        host_registration* slot = the_host_events.registrations.find(handle);
        return slot == nullptr ? int{MPI_T_ERR_INVALID_HANDLE} : of_host(*slot);
    }
    // The same for an instance.
    template <class Host, class Own> static int with_instance(std::uint64_t word, Host of_host, Own otherwise) {
        internal::instance_view seen;
        if (!seen.find(word) || seen->channel != &channel_of_host) return otherwise();
        const host_instance instance = *static_cast<const host_instance*>(seen->payload);
        return seen.is_shown() ? of_host(instance) : int{MPI_T_ERR_INVALID_HANDLE};
    }
};

} // namespace over_mpi
} // namespace mpit
