// SPDX-License-Identifier: BSD-3-Clause
// The tool interface of the MPI in use as a reader's interface: MPICH, Open MPI, or a library with our shims, through
// the functions of the standard (MPI-3.0 and later). Answers of the MPI are checked and translated to the core's words.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/tool/over_mpi.hpp>
//   mpit::tool::library<mpit::tool::over_mpi> interface;
#pragma once

// A global of the program may have the name of a parameter in these headers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/host/null_object.hpp>
#include <mpit/host/plugins.hpp>
#include <mpit/host/thread_level.hpp>
#include <mpit/tool/events_over_mpi.hpp>
#include <mpit/tool/library.hpp> // IWYU pragma: export

#include <algorithm>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

// The interface of the MPI in use: `library<over_mpi>`, `session<over_mpi>`. Its members are for the library's own use.
struct over_mpi : events_over_mpi {
    using control_handle = MPI_T_cvar_handle;
    using performance_session = MPI_T_pvar_session;
    using performance_handle = MPI_T_pvar_handle;

    MPIT_MODULE_LOCAL static result initialize(thread_level required, thread_level& provided) noexcept {
        const int asked = level_to_ask(mpi_t::constant_of(required));
        int given = asked; // Open MPI 4.1.4 returns none if the interface is initialized already
        if (which() != mpit::over_mpi::implementation::other) {
            // MPICH 4.0.2 and Open MPI 4.1.4 crash when they are initialized again after the last finalize, so that there is none.
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
        int number = 0;
        keep_new_plugins();
        switch (item_kind) {
        case kind::control: return MPI_T_cvar_get_num(&number) == MPI_SUCCESS ? number : 0;
        case kind::performance: return MPI_T_pvar_get_num(&number) == MPI_SUCCESS ? number : 0;
        case kind::category: return MPI_T_category_get_num(&number) == MPI_SUCCESS ? number : 0;
#if !defined(MPI_VERSION) || MPI_VERSION >= 4
        case kind::event: return MPI_T_event_get_num(&number) == MPI_SUCCESS ? number : 0;
        case kind::source: return MPI_T_source_get_num(&number) == MPI_SUCCESS ? number : 0;
#endif
        default: return 0;
        }
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
        int verbosity = -1, bind = -1, scope = -1;
        MPI_Datatype type{};
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        const result answer = tell_names(number, info, [&](const text_arguments& to_texts) {
            return MPI_T_cvar_get_info(number, to_texts.name, to_texts.name_size, &verbosity, &type, &enumeration,
                                       to_texts.description, to_texts.description_size, &bind, &scope);
        });
        if (answer != result::success) return answer;
        return tell_variable(info, verbosity, bind, type, enumeration) && mpi_t::scope_of(scope, info.scope)
                   ? result::success
                   : result::invalid;
    }
    MPIT_MODULE_LOCAL static result tell(int number, performance_info& info) {
        int verbosity = -1, variable_class = -1, bind = -1, readonly = 0, continuous = 0, atomic = 0;
        MPI_Datatype type{};
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        const result answer = tell_names(number, info, [&](const text_arguments& to_texts) {
            return MPI_T_pvar_get_info(number, to_texts.name, to_texts.name_size, &verbosity, &variable_class, &type,
                                       &enumeration, to_texts.description, to_texts.description_size, &bind, &readonly,
                                       &continuous, &atomic);
        });
        if (answer != result::success) return answer;
        info.is_readonly = readonly != 0;
        info.is_continuous = continuous != 0;
        info.is_atomic = atomic != 0;
        return tell_variable(info, verbosity, bind, type, enumeration) &&
                       mpi_t::class_of(variable_class, info.variable_class)
                   ? result::success
                   : result::invalid;
    }
    MPIT_MODULE_LOCAL static result tell(int number, category_info& info) {
        int controls = 0, performances = 0, categories = 0, events = 0;
        const result answer = tell_names(number, info, [&](const text_arguments& to_texts) {
            return MPI_T_category_get_info(number, to_texts.name, to_texts.name_size, to_texts.description,
                                           to_texts.description_size, &controls, &performances, &categories);
        });
        if (answer != result::success) return answer;
        const auto list = [&](int length, std::vector<int>& all, auto get) {
            all.assign(static_cast<std::size_t>(std::max(length, 0)), -1);
            return all.empty() || get(number, length, all.data()) == MPI_SUCCESS;
        };
        bool is_whole = list(controls, info.controls, &MPI_T_category_get_cvars) &&
                        list(performances, info.performances, &MPI_T_category_get_pvars) &&
                        list(categories, info.categories, &MPI_T_category_get_categories);
#if !defined(MPI_VERSION) || MPI_VERSION >= 4
        is_whole = is_whole && MPI_T_category_get_num_events(number, &events) == MPI_SUCCESS &&
                   list(events, info.events, &MPI_T_category_get_events);
#else
        static_cast<void>(events);
#endif
        return is_whole ? result::success : result::invalid;
    }
#if !defined(MPI_VERSION) || MPI_VERSION >= 4
    MPIT_MODULE_LOCAL static result tell(int number, event_info& info) {
        int verbosity = -1, bind = -1, count = 0;
        std::vector<MPI_Datatype> types;
        std::vector<MPI_Aint> displacements;
        MPI_T_enum names = MPI_T_ENUM_NULL;
        const result answer = tell_names(number, info, [&](const text_arguments& to_texts) {
            types.assign(static_cast<std::size_t>(std::max(count, 0)), MPI_Datatype{});
            displacements.assign(types.size(), 0);
            return MPI_T_event_get_info(number, to_texts.name, to_texts.name_size, &verbosity, types.data(),
                                        displacements.data(), &count, &names, nullptr, to_texts.description,
                                        to_texts.description_size, &bind);
        });
        if (answer != result::success) return answer;
        // MPICH 4.0.2 leaves the enumeration of an event undefined, and crashes where it is asked for its items; ours have a tag.
        const auto tag = static_cast<std::uint8_t>(reinterpret_cast<std::uintptr_t>(names) >> 56);
        const bool is_ours = tag == descriptor::handle_tag::enumeration || tag == descriptor::handle_tag::host_enumeration;
        if (which() == mpit::over_mpi::implementation::mpich && !is_ours) names = MPI_T_ENUM_NULL;
        const enumeration_info named = tell_enumeration(names);
        info.elements.clear();
        for (std::size_t i = 0; i < types.size(); i++) {
            datatype type{};
            event_element element;
            if (mpi_t::datatype_of(types[i], type)) element.type = type;
            element.displacement = displacements[i];
            if (i < named.items.size()) element.name = named.items[i].name;
            info.elements.push_back(std::move(element));
        }
        return mpi_t::verbosity_of(verbosity, info.verbosity) && mpi_t::object_kind_of(bind, info.binding)
                   ? result::success
                   : result::invalid;
    }
    MPIT_MODULE_LOCAL static result tell(int number, source_info& info) {
        MPI_T_source_order order{};
        MPI_Count ticks_per_second = 0, max_ticks = 0;
        const result answer = tell_names(number, info, [&](const text_arguments& to_texts) {
            return MPI_T_source_get_info(number, to_texts.name, to_texts.name_size, to_texts.description,
                                         to_texts.description_size, &order, &ticks_per_second, &max_ticks, nullptr);
        });
        info.ordering = order == MPI_T_SOURCE_ORDERED ? ordering::ordered : ordering::unordered;
        info.ticks_per_second = ticks_per_second;
        info.max_ticks = max_ticks;
        return answer;
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
        if (mpit::over_mpi::is_fatal(info.name.c_str(), which())) return result::not_supported;
        if (object != nullptr && !has_objects()) return result::invalid_handle;
        if (info.binding == binding::communicator && object != nullptr && mpit::over_mpi::is_null_communicator(object))
            return result::invalid_handle;
        mpit::over_mpi::lone_handle copy;
        const int code =
            MPI_T_pvar_handle_alloc(session, info.number, copy.of(const_cast<void*>(object), which()), &handle, &elements);
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
    static constexpr int longest_name = 1024;
    struct text_arguments {
        char* name;
        int* name_size;
        char* description;
        int* description_size;
    };
    // So that the program's level stays as it is. MPICH's does whatever is asked for.
    MPIT_MODULE_LOCAL static int level_to_ask(int required) noexcept {
#if defined(MPI_VERSION) && !defined(MPICH_VERSION)
        return mpit::over_mpi::level_to_ask({&MPI_Initialized, &MPI_Finalized, &MPI_Query_thread, &MPI_Get_library_version}, required);
#else
        return required;
#endif
    }
    MPIT_MODULE_LOCAL static mpit::over_mpi::implementation which() noexcept {
#ifdef MPI_VERSION
        return mpit::over_mpi::implementation_of(&MPI_Get_library_version);
#else
        return mpit::over_mpi::implementation_of(nullptr);
#endif
    }
    // The plugins of the variables that were added since the last call.
    MPIT_MODULE_LOCAL static void keep_new_plugins() noexcept {
        if (which() != mpit::over_mpi::implementation::open_mpi) return;
        static constinit core::atomic<int> seen;
        int present = 0;
        if (MPI_T_cvar_get_num(&present) != MPI_SUCCESS || present <= seen.load()) return;
        mpit::over_mpi::keep_plugins(which());
        seen.store(present);
    }
    // Open MPI 4.1.4 crashes where a variable is bound to a communicator before MPI_Init. Before MPI-4.0, which has sessions,
    // no object exists then.
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
    // Asks for the sizes first. Outputs that an implementation leaves unset after an error are not read.
    template <class Ask> static result tell_names(int number, named_info& info, Ask ask) {
        int name_size = 0, description_size = 0;
        if (const int code = ask({nullptr, &name_size, nullptr, &description_size}); code != MPI_SUCCESS)
            return mpi_t::result_of(code);
        std::string name(static_cast<std::size_t>(std::max(name_size, 1)), '\0');
        std::string description(static_cast<std::size_t>(std::max(description_size, 1)), '\0');
        name_size = static_cast<int>(name.size());
        description_size = static_cast<int>(description.size());
        if (const int code = ask({name.data(), &name_size, description.data(), &description_size}); code != MPI_SUCCESS)
            return mpi_t::result_of(code);
        info.number = number;
        info.name = name.c_str();
        info.description = description.c_str();
        return info.name.empty() ? result::invalid : result::success;
    }
    static bool tell_variable(variable_info& info, int verbosity, int bind, MPI_Datatype type, MPI_T_enum enumeration) {
        datatype known{};
        info.type.reset();
        if (mpi_t::datatype_of(type, known)) info.type = known;
#ifdef MPI_C_BOOL
        info.is_bool = type == MPI_C_BOOL;
#endif
        info.enumeration = tell_enumeration(enumeration);
        return mpi_t::verbosity_of(verbosity, info.verbosity) && mpi_t::object_kind_of(bind, info.binding);
    }
    static enumeration_info tell_enumeration(MPI_T_enum enumeration) {
        enumeration_info told;
        char name[longest_name] = "";
        int size = sizeof name, count = 0;
        if (enumeration == MPI_T_ENUM_NULL || MPI_T_enum_get_info(enumeration, &count, name, &size) != MPI_SUCCESS)
            return told;
        told.name = name;
        for (int i = 0; i < count; i++) {
            int value = 0;
            size = sizeof name;
            if (MPI_T_enum_get_item(enumeration, i, &value, name, &size) == MPI_SUCCESS)
                told.items.push_back({value, name});
        }
        return told;
    }
};

} // namespace mpit::tool

#pragma GCC diagnostic pop

#pragma GCC diagnostic pop
