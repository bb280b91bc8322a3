// SPDX-License-Identifier: BSD-3-Clause
// Lets tool::library use the tool interface of the MPI in the process. The MPI may be MPICH, Open MPI, or a library
// with mpit's shims. This header calls the functions of the standard (MPI-3.0 and later) and converts their results to
// the types of mpit.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/tool/over_mpi.hpp>
//   mpit::tool::library<mpit::tool::over_mpi> interface;
#pragma once

#include <mpit/begin.hpp>

#include <mpit/host/null_object.hpp>
#include <mpit/host/plugins.hpp>
#include <mpit/host/reader.hpp>
#include <mpit/host/thread_level.hpp> // IWYU pragma: keep
#include <mpit/tool/library.hpp>      // IWYU pragma: export

#include <algorithm>

namespace mpit::inline v1_0::tool {

// The functions of over_mpi that register callbacks and read event instances. An MPI before MPI-4.0 has no events
// (MPI-5.0, 15.3.8). An includer that finds the functions by name has macros for them. For the library's own use.
struct events_over_mpi {
#if !defined(MPI_VERSION) || MPI_VERSION >= 4 || defined(MPI_T_event_get_num)
    using event_registration = MPI_T_event_registration;
    using event_instance = MPI_T_event_instance;

    MPIT_MODULE_LOCAL static result allocate_event(int index, const void* object, event_registration& handle) noexcept {
        return mpi_t::result_of(MPI_T_event_handle_alloc(index, const_cast<void*>(object), MPI_INFO_NULL, &handle));
    }
    template <class Listener>
    MPIT_MODULE_LOCAL static result register_callback(event_registration handle, safety level,
                                                      Listener& listener) noexcept {
        const auto call = [](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
            static_cast<Listener*>(data)->call(instance);
        };
        const auto drop = [](MPI_Count count, MPI_T_event_registration, int, MPI_T_cb_safety, void* data) {
            static_cast<Listener*>(data)->drop(count);
        };
        const int code =
            MPI_T_event_register_callback(handle, mpi_t::constant_of(level), MPI_INFO_NULL, &listener, call);
        if (code != MPI_SUCCESS) return mpi_t::result_of(code);
        return mpi_t::result_of(MPI_T_event_set_dropped_handler(handle, drop));
    }
    // Frees a registration. `listener` is deleted when no callback of the registration runs any more.
    template <class Listener>
    MPIT_MODULE_LOCAL static void end_event(event_registration handle, Listener* listener) noexcept {
        const auto delete_listener = [](MPI_T_event_registration, MPI_T_cb_safety, void* data) {
            delete static_cast<Listener*>(data);
        };
        if (MPI_T_event_handle_free(handle, listener, delete_listener) != MPI_SUCCESS) delete listener;
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

// Selects the MPI in use as the tool interface, as in `library<over_mpi>` and `session<over_mpi>`. The class members
// are for the library's own use.
struct over_mpi : events_over_mpi {
    using control_handle = MPI_T_cvar_handle;
    using performance_session = MPI_T_pvar_session;
    using performance_handle = MPI_T_pvar_handle;

    MPIT_MODULE_LOCAL static result initialize(thread_level required, thread_level& provided) noexcept {
        const int requested = level_to_request(mpi_t::constant_of(required));
        int level = requested; // Open MPI 4.1.4 stores no level if the interface is initialized already
        if (implementation() != mpit::host::implementation::other) {
            // If the tool interface is initialized again after the last finalize, MPICH 4.0.2 crashes, and Open MPI
            // 4.1.4 assigns other indices, or crashes after MPI_Finalize. The next call of MPI_T_init_thread has no
            // matching MPI_T_finalize, so that a last finalize never happens.
            static const int first_code = MPI_T_init_thread(requested, &level);
            if (first_code != MPI_SUCCESS) return mpi_t::result_of(first_code);
        }
        const int code = MPI_T_init_thread(requested, &level);
        if (code != MPI_SUCCESS) return mpi_t::result_of(code);
        if (!mpi_t::level_of(level, provided)) provided = thread_level::single;
        keep_new_plugins();
        return result::success;
    }
    MPIT_MODULE_LOCAL static void finalize() noexcept { MPI_T_finalize(); }

    MPIT_MODULE_LOCAL static int count(kind item_kind) noexcept {
        keep_new_plugins();
        return mpi{}.count(item_kind);
    }
    MPIT_MODULE_LOCAL static result find(kind item_kind, const char* name, performance_class variable_class,
                                         int& index) noexcept {
        switch (item_kind) {
        case kind::control: return mpi_t::result_of(MPI_T_cvar_get_index(name, &index));
        case kind::performance:
            return mpi_t::result_of(MPI_T_pvar_get_index(name, mpi_t::constant_of(variable_class), &index));
        case kind::category: return mpi_t::result_of(MPI_T_category_get_index(name, &index));
#if !defined(MPI_VERSION) || MPI_VERSION >= 4 || defined(MPI_T_event_get_num)
        case kind::event: return mpi_t::result_of(MPI_T_event_get_index(name, &index));
#endif
        default: return result::invalid_name;
        }
    }

    MPIT_MODULE_LOCAL static result tell(int index, control_info& info) {
        text_buffer buffer;
        mpit::host::described_variable item;
        const result status =
            copy_names(kind::control, index, info, item, [&] { return mpi{}.control(index, item, buffer); });
        if (status != result::success) return status;
        return copy_variable(item, info) && mpi_t::scope_of(item.scope, info.scope) ? result::success : result::invalid;
    }
    MPIT_MODULE_LOCAL static result tell(int index, performance_info& info) {
        text_buffer buffer;
        mpit::host::described_variable item;
        const result status =
            copy_names(kind::performance, index, info, item, [&] { return mpi{}.performance(index, item, buffer); });
        if (status != result::success) return status;
        info.is_readonly = item.readonly != 0;
        info.is_continuous = item.continuous != 0;
        info.is_atomic = item.atomically != 0;
        const bool is_valid = copy_variable(item, info) && mpi_t::class_of(item.variable_class, info.variable_class);
        return is_valid ? result::success : result::invalid;
    }
    MPIT_MODULE_LOCAL static result tell(int index, category_info& info) {
        text_buffer buffer;
        mpit::host::described_item item;
        const result status =
            copy_names(kind::category, index, info, item, [&] { return mpi{}.category(index, item, buffer); });
        if (status != result::success) return status;
        const auto list = [index](kind item_kind, std::vector<int>& members) {
            const int count = mpi{}.member_count(index, item_kind);
            members.assign(static_cast<std::size_t>(std::max(count, 0)), -1);
            return members.empty() || mpi{}.members(index, item_kind, count, members.data());
        };
        const bool is_complete = list(kind::control, info.controls) && list(kind::performance, info.performances) &&
                                 list(kind::category, info.categories) && list(kind::event, info.events);
        return is_complete ? result::success : result::invalid;
    }
#if !defined(MPI_VERSION) || MPI_VERSION >= 4 || defined(MPI_T_event_get_num)
    MPIT_MODULE_LOCAL static result tell(int index, event_info& info) {
        text_buffer buffer;
        std::vector<MPI_Datatype> types;
        std::vector<MPI_Aint> displacements;
        mpit::host::described_event item;
        const auto allocate_elements = [&](int count) {
            types.assign(static_cast<std::size_t>(std::max(count, 1)), MPI_Datatype{});
            displacements.assign(types.size(), 0);
            item.datatypes = types.data();
            item.displacements = displacements.data();
            return true;
        };
        const result status = copy_names(kind::event, index, info, item,
                                         [&] { return mpi{}.event(index, item, buffer, allocate_elements); });
        if (status != result::success) return status;
        const enumeration_info names = enumeration_of(item.enumeration);
        info.elements.clear();
        for (std::size_t i = 0; i < static_cast<std::size_t>(item.element_count); i++) {
            datatype type{};
            event_element element;
            if (mpi_t::datatype_of(types[i], type)) element.type = type;
            element.displacement = displacements[i];
            if (i < names.items.size()) element.name = names.items[i].name;
            info.elements.push_back(std::move(element));
        }
        return mpi_t::verbosity_of(item.verbosity, info.verbosity) && mpi_t::binding_of(item.binding, info.binding)
                   ? result::success
                   : result::invalid;
    }
    MPIT_MODULE_LOCAL static result tell(int index, source_info& info) {
        struct : mpit::host::described_item {
            MPI_T_source_order ordering{};
            MPI_Count ticks_per_second = 0, max_ticks = 0;
        } item;
        text_buffer buffer;
        const result status =
            copy_names(kind::source, index, info, item, [&] { return mpi{}.source(index, item, buffer); });
        info.ordering = item.ordering == MPI_T_SOURCE_ORDERED ? ordering::ordered : ordering::unordered;
        info.ticks_per_second = item.ticks_per_second;
        info.max_ticks = item.max_ticks;
        return status;
    }
#else
    MPIT_MODULE_LOCAL static result tell(int, event_info&) noexcept { return result::not_supported; }
    MPIT_MODULE_LOCAL static result tell(int, source_info&) noexcept { return result::not_supported; }
#endif
    MPIT_MODULE_LOCAL static result changes_of_categories(int& stamp) noexcept {
        return mpi_t::result_of(MPI_T_category_changed(&stamp));
    }

    MPIT_MODULE_LOCAL static result allocate(int index, const void* object, control_handle& handle,
                                             std::uint32_t& count) noexcept {
        int elements = 0;
        if (object != nullptr && !has_objects()) return result::invalid_handle;
        const int code = MPI_T_cvar_handle_alloc(index, const_cast<void*>(object), &handle, &elements);
        count = static_cast<std::uint32_t>(std::max(elements, 0));
        return mpi_t::result_of(code);
    }
    MPIT_MODULE_LOCAL static void free(control_handle handle) noexcept { MPI_T_cvar_handle_free(&handle); }
    // Returns how many characters a read of a text variable may store, or 0 if these are not more than its elements.
    MPIT_MODULE_LOCAL static std::uint32_t longest_text() noexcept {
        return implementation() == mpit::host::implementation::open_mpi ? mpit::host::longest_text : 0;
    }
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
        if (mpit::host::crashes_on_allocation(info.name.c_str(), implementation())) return result::not_supported;
        if (object != nullptr && !has_objects()) return result::invalid_handle;
        if (info.binding == binding::communicator && object != nullptr && mpit::host::is_null_communicator(object))
            return result::invalid_handle;
        mpit::host::padded_handle copy;
        const int code = MPI_T_pvar_handle_alloc(
            session, info.number, copy.copy_of(const_cast<void*>(object), implementation()), &handle, &elements);
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
    static performance_handle all_handles() noexcept { return MPI_T_PVAR_ALL_HANDLES; }

private:
    using mpi = mpit::host::linked_reader;
    // Allocates the memory for the name and the description of one item.
    struct text_buffer {
        std::string bytes{};
        char* operator()(std::size_t count) {
            bytes.assign(count, '\0');
            return bytes.data();
        }
    };
    // A call of MPI_T_init_thread with the returned thread level does not change the thread level of the program. In
    // MPICH a tool cannot change the thread level of the program.
    MPIT_MODULE_LOCAL static int level_to_request(int required) noexcept {
#if defined(MPI_VERSION) && !defined(MPICH_VERSION)
        return mpit::host::level_to_request(
            {&MPI_Initialized, &MPI_Finalized, &MPI_Query_thread, &MPI_Get_library_version}, required);
#else
        return required;
#endif
    }
    MPIT_MODULE_LOCAL static mpit::host::implementation implementation() noexcept {
        return mpit::host::linked_functions{}.mpi_implementation();
    }
    // Prevents Open MPI from unloading its plugins. Does nothing if no variables were added since the last call.
    MPIT_MODULE_LOCAL static void keep_new_plugins() noexcept {
        if (implementation() != mpit::host::implementation::open_mpi) return;
        static constinit core::atomic<int> previous_count;
        const int count = mpi{}.count(kind::control);
        if (count <= previous_count.load()) return;
        mpit::host::keep_plugins(implementation());
        previous_count.store(count);
    }
    // Returns false if no MPI object can exist. In an MPI before MPI-4.0, MPI objects exist only between MPI_Init and
    // MPI_Finalize. Open MPI 4.1.4 crashes if a handle on a communicator is allocated before MPI_Init.
    static bool has_objects() noexcept {
#if defined(MPI_VERSION) && MPI_VERSION < 4
        int is_initialized = 0, is_finalized = 0;
        MPI_Initialized(&is_initialized);
        MPI_Finalized(&is_finalized);
        return is_initialized != 0 && is_finalized == 0;
#else
        return true;
#endif
    }
    // Calls `query()`, which stores the item and returns an error code. If the query has succeeded, this function
    // copies the index, the name and the description of the item, and otherwise it returns the error. Without a check
    // of the index, MPICH 4.0.2 and Open MPI 4.1.4 crash in the query of a performance variable that does not exist.
    template <class Query>
    static result copy_names(kind item_kind, int index, named_info& info, const mpit::host::described_item& item,
                             Query query) {
        if (index < 0 || index >= mpi{}.count(item_kind)) return result::invalid_index;
        if (const int code = query(); code != MPI_SUCCESS) return mpi_t::result_of(code);
        info.number = index;
        info.name = item.name.characters;
        info.description = item.description.characters;
        return result::success;
    }
    static bool copy_variable(const mpit::host::described_variable& item, variable_info& info) {
        datatype type{};
        info.type.reset();
        if (mpi_t::datatype_of(item.type, type)) info.type = type;
#ifdef MPI_C_BOOL
        info.is_bool = item.type == MPI_C_BOOL;
#endif
        info.enumeration = enumeration_of(item.enumeration);
        return mpi_t::verbosity_of(item.verbosity, info.verbosity) && mpi_t::binding_of(item.binding, info.binding);
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
