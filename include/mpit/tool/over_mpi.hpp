// SPDX-License-Identifier: BSD-3-Clause
// The tool interface of the MPI in use as a reader's interface: MPICH, Open MPI, or a library with our shims, through
// the functions of the standard (MPI-3.0 and later). Answers of the MPI are checked and translated to the core's words.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/tool/over_mpi.hpp>
//   mpit::tool::library<mpit::tool::over_mpi> interface;
#pragma once

#include <mpit/begin.hpp>

#include <mpit/host/null_object.hpp>
#include <mpit/host/plugins.hpp>
#include <mpit/host/reader.hpp>
#include <mpit/host/thread_level.hpp>
#include <mpit/tool/library.hpp> // IWYU pragma: export

#include <algorithm>

namespace mpit::inline v0_1::tool {

// The part of over_mpi for events: registrations, and the instances of its callbacks. An MPI before MPI-4.0 has none
// (MPI-5.0, 15.3.8). For the library's own use.
struct events_over_mpi {
#if !defined(MPI_VERSION) || MPI_VERSION >= 4
    using event_registration = MPI_T_event_registration;
    using event_instance = MPI_T_event_instance;

    MPIT_MODULE_LOCAL static result allocate_event(int number, const void* object,
                                                   event_registration& handle) noexcept {
        return mpi_t::result_of(MPI_T_event_handle_alloc(number, const_cast<void*>(object), MPI_INFO_NULL, &handle));
    }
    template <class Listener>
    MPIT_MODULE_LOCAL static result register_callback(event_registration handle, safety level,
                                                      Listener& listener) noexcept {
        const auto happened = [](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
            static_cast<Listener*>(data)->happened(instance);
        };
        const auto dropped = [](MPI_Count count, MPI_T_event_registration, int, MPI_T_cb_safety, void* data) {
            static_cast<Listener*>(data)->lost(count);
        };
        const int code =
            MPI_T_event_register_callback(handle, mpi_t::constant_of(level), MPI_INFO_NULL, &listener, happened);
        if (code != MPI_SUCCESS) return mpi_t::result_of(code);
        return mpi_t::result_of(MPI_T_event_set_dropped_handler(handle, dropped));
    }
    // The listener is deleted when no callback runs any more.
    template <class Listener>
    MPIT_MODULE_LOCAL static void end_event(event_registration handle, Listener* listener) noexcept {
        const auto freed = [](MPI_T_event_registration, MPI_T_cb_safety, void* data) {
            delete static_cast<Listener*>(data);
        };
        if (MPI_T_event_handle_free(handle, listener, freed) != MPI_SUCCESS) delete listener;
    }
    MPIT_MODULE_LOCAL static result read_element(event_instance instance, int element, void* value) noexcept {
        return mpi_t::result_of(MPI_T_event_read(instance, element, value));
    }
    MPIT_MODULE_LOCAL static result copy_payload(event_instance instance, void* payload) noexcept {
        return mpi_t::result_of(MPI_T_event_copy(instance, payload));
    }
    MPIT_MODULE_LOCAL static result time_of(event_instance instance, std::int64_t& ticks, int& source) noexcept {
        MPI_Count stamp = 0;
        const int code = MPI_T_event_get_timestamp(instance, &stamp);
        ticks = stamp;
        return mpi_t::result_of(code != MPI_SUCCESS ? code : MPI_T_event_get_source(instance, &source));
    }
#else
    using event_registration = void*;
    using event_instance = void*;

    static result allocate_event(int, const void*, event_registration&) noexcept { return result::not_supported; }
    template <class Listener> static result register_callback(event_registration, safety, Listener&) noexcept {
        return result::not_supported;
    }
    template <class Listener> static void end_event(event_registration, Listener* listener) noexcept {
        delete listener;
    }
    static result read_element(event_instance, int, void*) noexcept { return result::not_supported; }
    static result copy_payload(event_instance, void*) noexcept { return result::not_supported; }
    static result time_of(event_instance, std::int64_t&, int&) noexcept { return result::not_supported; }
#endif
};

// The interface of the MPI in use: `library<over_mpi>`, `session<over_mpi>`. Its members are for the library's own use.
struct over_mpi : events_over_mpi {
    using control_handle = MPI_T_cvar_handle;
    using performance_session = MPI_T_pvar_session;
    using performance_handle = MPI_T_pvar_handle;

    MPIT_MODULE_LOCAL static result initialize(thread_level required, thread_level& provided) noexcept {
        const int asked = level_to_ask(mpi_t::constant_of(required));
        int given = asked; // Open MPI 4.1.4 returns none if the interface is initialized already
        if (which() != mpit::host::implementation::other) {
            // MPICH 4.0.2 and Open MPI 4.1.4 crash when they are initialized again after the last finalize, so that
            // there is none.
            static const int kept = MPI_T_init_thread(asked, &given);
            if (kept != MPI_SUCCESS) return mpi_t::result_of(kept);
        }
        const int code = MPI_T_init_thread(asked, &given);
        if (code != MPI_SUCCESS) return mpi_t::result_of(code);
        if (!mpi_t::level_of(given, provided)) provided = thread_level::single;
        keep_new_plugins();
        return result::success;
    }
    MPIT_MODULE_LOCAL static void finalize() noexcept { MPI_T_finalize(); }

    MPIT_MODULE_LOCAL static int count(kind item_kind) noexcept {
        keep_new_plugins();
        return mpi{}.count(item_kind);
    }
    MPIT_MODULE_LOCAL static result find(kind item_kind, const char* name, performance_class variable_class,
                                         int& number) noexcept {
        switch (item_kind) {
        case kind::control: return mpi_t::result_of(MPI_T_cvar_get_index(name, &number));
        case kind::performance:
            return mpi_t::result_of(MPI_T_pvar_get_index(name, mpi_t::constant_of(variable_class), &number));
        case kind::category: return mpi_t::result_of(MPI_T_category_get_index(name, &number));
#if !defined(MPI_VERSION) || MPI_VERSION >= 4
        case kind::event: return mpi_t::result_of(MPI_T_event_get_index(name, &number));
#endif
        default: return result::invalid_name;
        }
    }

    MPIT_MODULE_LOCAL static result tell(int number, control_info& info) {
        texts room;
        mpit::host::described_variable v;
        const result status = copy_names(number, info, v, mpi{}.control(number, v, room));
        if (status != result::success) return status;
        return copy_variable(v, info) && mpi_t::scope_of(v.scope, info.scope) ? result::success : result::invalid;
    }
    MPIT_MODULE_LOCAL static result tell(int number, performance_info& info) {
        texts room;
        mpit::host::described_variable v;
        const result status = copy_names(number, info, v, mpi{}.performance(number, v, room));
        if (status != result::success) return status;
        info.is_readonly = v.readonly != 0;
        info.is_continuous = v.continuous != 0;
        info.is_atomic = v.atomically != 0;
        const bool is_known = copy_variable(v, info) && mpi_t::class_of(v.variable_class, info.variable_class);
        return is_known ? result::success : result::invalid;
    }
    MPIT_MODULE_LOCAL static result tell(int number, category_info& info) {
        texts room;
        mpit::host::described_item c;
        const result status = copy_names(number, info, c, mpi{}.category(number, c, room));
        if (status != result::success) return status;
        const auto list = [number](kind item_kind, std::vector<int>& all) {
            const int count = mpi{}.member_count(number, item_kind);
            all.assign(static_cast<std::size_t>(std::max(count, 0)), -1);
            return all.empty() || mpi{}.members(number, item_kind, count, all.data());
        };
        const bool is_whole = list(kind::control, info.controls) && list(kind::performance, info.performances) &&
                              list(kind::category, info.categories) && list(kind::event, info.events);
        return is_whole ? result::success : result::invalid;
    }
#if !defined(MPI_VERSION) || MPI_VERSION >= 4
    MPIT_MODULE_LOCAL static result tell(int number, event_info& info) {
        texts room;
        std::vector<MPI_Datatype> types;
        std::vector<MPI_Aint> displacements;
        mpit::host::described_event e;
        const auto make_room = [&](int count) {
            types.assign(static_cast<std::size_t>(std::max(count, 1)), MPI_Datatype{});
            displacements.assign(types.size(), 0);
            e.datatypes = types.data();
            e.displacements = displacements.data();
            return true;
        };
        const result status = copy_names(number, info, e, mpi{}.event(number, e, room, make_room));
        if (status != result::success) return status;
        const enumeration_info names = enumeration_of(e.enumeration);
        info.elements.clear();
        for (std::size_t i = 0; i < static_cast<std::size_t>(e.element_count); i++) {
            datatype type{};
            event_element element;
            if (mpi_t::datatype_of(types[i], type)) element.type = type;
            element.displacement = displacements[i];
            if (i < names.items.size()) element.name = names.items[i].name;
            info.elements.push_back(std::move(element));
        }
        return mpi_t::verbosity_of(e.verbosity, info.verbosity) && mpi_t::object_kind_of(e.binding, info.binding)
                   ? result::success
                   : result::invalid;
    }
    MPIT_MODULE_LOCAL static result tell(int number, source_info& info) {
        struct : mpit::host::described_item {
            MPI_T_source_order ordering{};
            MPI_Count ticks_per_second = 0, max_ticks = 0;
        } s;
        texts room;
        const result status = copy_names(number, info, s, mpi{}.source(number, s, room));
        info.ordering = s.ordering == MPI_T_SOURCE_ORDERED ? ordering::ordered : ordering::unordered;
        info.ticks_per_second = s.ticks_per_second;
        info.max_ticks = s.max_ticks;
        return status;
    }
#else
    MPIT_MODULE_LOCAL static result tell(int, event_info&) noexcept { return result::not_supported; }
    MPIT_MODULE_LOCAL static result tell(int, source_info&) noexcept { return result::not_supported; }
#endif
    MPIT_MODULE_LOCAL static result changes_of_categories(int& number) noexcept {
        return mpi_t::result_of(MPI_T_category_changed(&number));
    }

    MPIT_MODULE_LOCAL static result allocate(int number, const void* object, control_handle& handle,
                                             std::uint32_t& count) noexcept {
        int elements = 0;
        if (object != nullptr && !has_objects()) return result::invalid_handle;
        const int code = MPI_T_cvar_handle_alloc(number, const_cast<void*>(object), &handle, &elements);
        count = static_cast<std::uint32_t>(std::max(elements, 0));
        return mpi_t::result_of(code);
    }
    MPIT_MODULE_LOCAL static void free(control_handle handle) noexcept { MPI_T_cvar_handle_free(&handle); }
    MPIT_MODULE_LOCAL static result read(control_handle handle, void* value) noexcept {
        return mpi_t::result_of(MPI_T_cvar_read(handle, value));
    }
    MPIT_MODULE_LOCAL static result write(control_handle handle, const void* value) noexcept {
        return mpi_t::result_of(MPI_T_cvar_write(handle, const_cast<void*>(value)));
    }

    MPIT_MODULE_LOCAL static result create(performance_session& session) noexcept {
        return mpi_t::result_of(MPI_T_pvar_session_create(&session));
    }
    MPIT_MODULE_LOCAL static void end(performance_session session) noexcept { MPI_T_pvar_session_free(&session); }
    MPIT_MODULE_LOCAL static result allocate(performance_session session, const performance_info& info,
                                             const void* object, performance_handle& handle,
                                             std::uint32_t& count) noexcept {
        int elements = 0;
        if (mpit::host::is_fatal(info.name.c_str(), which())) return result::not_supported;
        if (object != nullptr && !has_objects()) return result::invalid_handle;
        if (info.binding == binding::communicator && object != nullptr && mpit::host::is_null_communicator(object))
            return result::invalid_handle;
        mpit::host::lone_handle copy;
        const int code = MPI_T_pvar_handle_alloc(session, info.number, copy.of(const_cast<void*>(object), which()),
                                                 &handle, &elements);
        count = static_cast<std::uint32_t>(std::max(elements, 0));
        return mpi_t::result_of(code);
    }
    MPIT_MODULE_LOCAL static void free(performance_session session, performance_handle handle) noexcept {
        MPI_T_pvar_handle_free(session, &handle);
    }
    MPIT_MODULE_LOCAL static result start(performance_session session, performance_handle handle) noexcept {
        return mpi_t::result_of(MPI_T_pvar_start(session, handle));
    }
    MPIT_MODULE_LOCAL static result stop(performance_session session, performance_handle handle) noexcept {
        return mpi_t::result_of(MPI_T_pvar_stop(session, handle));
    }
    MPIT_MODULE_LOCAL static result read(performance_session session, performance_handle handle, void* value) noexcept {
        return mpi_t::result_of(MPI_T_pvar_read(session, handle, value));
    }
    MPIT_MODULE_LOCAL static result write(performance_session session, performance_handle handle,
                                          const void* value) noexcept {
        return mpi_t::result_of(MPI_T_pvar_write(session, handle, const_cast<void*>(value)));
    }
    MPIT_MODULE_LOCAL static result reset(performance_session session, performance_handle handle) noexcept {
        return mpi_t::result_of(MPI_T_pvar_reset(session, handle));
    }
    MPIT_MODULE_LOCAL static result read_and_reset(performance_session session, performance_handle handle,
                                                   void* value) noexcept {
        return mpi_t::result_of(MPI_T_pvar_readreset(session, handle, value));
    }
    static performance_handle every_handle() noexcept { return MPI_T_PVAR_ALL_HANDLES; }

private:
    using mpi = mpit::host::linked_reader;
    // Where the texts of one item stand.
    struct texts {
        std::string bytes{};
        char* operator()(std::size_t count) {
            bytes.assign(count, '\0');
            return bytes.data();
        }
    };
    // So that the program's level stays as it is. MPICH's does whatever is asked for.
    MPIT_MODULE_LOCAL static int level_to_ask(int required) noexcept {
#if defined(MPI_VERSION) && !defined(MPICH_VERSION)
        return mpit::host::level_to_ask({&MPI_Initialized, &MPI_Finalized, &MPI_Query_thread, &MPI_Get_library_version},
                                        required);
#else
        return required;
#endif
    }
    MPIT_MODULE_LOCAL static mpit::host::implementation which() noexcept {
        return mpit::host::linked_functions{}.which();
    }
    // The plugins of the variables that were added since the last call.
    MPIT_MODULE_LOCAL static void keep_new_plugins() noexcept {
        if (which() != mpit::host::implementation::open_mpi) return;
        static constinit core::atomic<int> seen;
        const int present = mpi{}.count(kind::control);
        if (present <= seen.load()) return;
        mpit::host::keep_plugins(which());
        seen.store(present);
    }
    // Open MPI 4.1.4 crashes where a variable is bound to a communicator before MPI_Init. Before MPI-4.0, which has
    // sessions, no object exists then.
    static bool has_objects() noexcept {
#if defined(MPI_VERSION) && MPI_VERSION < 4
        int has_begun = 0, has_ended = 0;
        MPI_Initialized(&has_begun);
        MPI_Finalized(&has_ended);
        return has_begun != 0 && has_ended == 0;
#else
        return true;
#endif
    }
    // Also where nobody has described the item; then the code says so.
    static result copy_names(int number, named_info& info, const mpit::host::described_item& item, int code) {
        if (code != MPI_SUCCESS) return mpi_t::result_of(code);
        info.number = number;
        info.name = item.name.characters;
        info.description = item.description.characters;
        return result::success;
    }
    static bool copy_variable(const mpit::host::described_variable& v, variable_info& info) {
        datatype known{};
        info.type.reset();
        if (mpi_t::datatype_of(v.type, known)) info.type = known;
#ifdef MPI_C_BOOL
        info.is_bool = v.type == MPI_C_BOOL;
#endif
        info.enumeration = enumeration_of(v.enumeration);
        return mpi_t::verbosity_of(v.verbosity, info.verbosity) && mpi_t::object_kind_of(v.binding, info.binding);
    }
    static enumeration_info enumeration_of(MPI_T_enum enumeration) {
        enumeration_info info;
        const auto begin = [&](core::text name, int) { return info.name = name.characters, true; };
        const auto item = [&](int, int value, core::text name) {
            if (name.characters != nullptr) info.items.push_back({value, name.characters});
            return true;
        };
        static_cast<void>(mpi{}.enumeration(enumeration, begin, item));
        return info;
    }
};

} // namespace mpit::tool

#pragma GCC diagnostic pop // of begin.hpp
