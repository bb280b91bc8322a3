// The functions of an MPI that the agent calls, and the objects behind Open MPI's handles: found in the MPI that was
// started, by name, when it has been started. An agent is bound to no library, so that it reads the right one of two
// MPIs, sees one that was opened for a plugin alone, and misses a function that an older MPI does not have without
// harm.
//
//   #include <mpi.h>
//   #include "mpi_functions.hpp"      // MPI_T_cvar_read(...) is a call through the table
//   mpit_info::use_mpi(find);   ...   mpit_info::leave_mpi();
#pragma once

#include "calls.h"

#include <mpit/mpi_t.h>

#include <atomic>

// clang-format off
#define MPIT_INFO_FUNCTIONS(X)                                                                                         \
    X(MPI_Comm_rank)                                                                                                   \
    X(MPI_Comm_size) X(MPI_Finalized) X(MPI_Get_library_version) X(MPI_Get_version) X(MPI_Initialized)                 \
        X(MPI_Query_thread)
#ifdef OPEN_MPI
#define MPIT_INFO_OBJECTS(X)                                                                                           \
    X(ompi_mpi_c_bool)                                                                                                 \
    X(ompi_mpi_char) X(ompi_mpi_comm_null) X(ompi_mpi_comm_world) X(ompi_mpi_count) X(ompi_mpi_datatype_null) \
        X(ompi_mpi_double) X(ompi_mpi_int)                                                                             \
        X(ompi_mpi_info_null) X(ompi_mpi_int32_t)                                                                      \
        X(ompi_mpi_int64_t) X(ompi_mpi_long) X(ompi_mpi_long_long_int) X(ompi_mpi_uint32_t) X(ompi_mpi_uint64_t)       \
            X(ompi_mpi_unsigned) X(ompi_mpi_unsigned_long) X(ompi_mpi_unsigned_long_long)
#else
#define MPIT_INFO_OBJECTS(X)
#endif
// clang-format on

namespace mpit_info {

using find_function = any_function (*)(const char* name);

// Stands for a function that the MPI does not have: returns an error.
template <class Function> struct missing;
template <class... Arguments> struct missing<int(Arguments...)> {
    static int answer(Arguments...) noexcept { return MPI_ERR_OTHER; }
};

template <class Function> class mpi_function {
public:
    Function* get() const noexcept { return present_.load(std::memory_order_relaxed); }
    bool find(find_function in, const char* name) noexcept {
        const any_function found = in(name);
        present_.store(found != nullptr ? reinterpret_cast<Function*>(found) : &missing<Function>::answer,
                       std::memory_order_relaxed);
        return found != nullptr;
    }
    void leave() noexcept { present_.store(&missing<Function>::answer, std::memory_order_relaxed); }

private:
    std::atomic<Function*> present_{&missing<Function>::answer};
};

// The tool interface is that of the newest standard for each mpi.h, since the MPI may be newer than the mpi.h.
struct mpi_functions {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments) mpi_function<int parameters> MPI_T_##name;
#include <mpit/mpi_t/functions.def>
#define MPIT_INFO_MEMBER(name) mpi_function<decltype(::name)> name;
    MPIT_INFO_FUNCTIONS(MPIT_INFO_MEMBER)
#undef MPIT_INFO_MEMBER
#define MPIT_INFO_MEMBER(name) decltype(&::name) name = nullptr;
    MPIT_INFO_OBJECTS(MPIT_INFO_MEMBER)
#undef MPIT_INFO_MEMBER
};
inline mpi_functions the_mpi;

// Returns false if the MPI has no tool interface.
inline bool use_mpi(find_function find) noexcept {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments) the_mpi.MPI_T_##name.find(find, "MPI_T_" #name);
#include <mpit/mpi_t/functions.def>
#define MPIT_INFO_FIND(name) the_mpi.name.find(find, #name);
    MPIT_INFO_FUNCTIONS(MPIT_INFO_FIND)
#undef MPIT_INFO_FIND
#define MPIT_INFO_FIND(name) the_mpi.name = reinterpret_cast<decltype(&::name)>(find(#name));
    MPIT_INFO_OBJECTS(MPIT_INFO_FIND)
#undef MPIT_INFO_FIND
    return find("MPI_T_init_thread") != nullptr;
}
// Each later call returns an error and calls no MPI.
inline void leave_mpi() noexcept {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments) the_mpi.MPI_T_##name.leave();
#include <mpit/mpi_t/functions.def>
#define MPIT_INFO_LEAVE(name) the_mpi.name.leave();
    MPIT_INFO_FUNCTIONS(MPIT_INFO_LEAVE)
#undef MPIT_INFO_LEAVE
}

} // namespace mpit_info

// clang-format off
#define MPI_Comm_rank (*::mpit_info::the_mpi.MPI_Comm_rank.get())
#define MPI_Comm_size (*::mpit_info::the_mpi.MPI_Comm_size.get())
#define MPI_Finalized (*::mpit_info::the_mpi.MPI_Finalized.get())
#define MPI_Get_library_version (*::mpit_info::the_mpi.MPI_Get_library_version.get())
#define MPI_Get_version (*::mpit_info::the_mpi.MPI_Get_version.get())
#define MPI_Initialized (*::mpit_info::the_mpi.MPI_Initialized.get())
#define MPI_Query_thread (*::mpit_info::the_mpi.MPI_Query_thread.get())
#define MPI_T_category_changed (*::mpit_info::the_mpi.MPI_T_category_changed.get())
#define MPI_T_category_get_categories (*::mpit_info::the_mpi.MPI_T_category_get_categories.get())
#define MPI_T_category_get_cvars (*::mpit_info::the_mpi.MPI_T_category_get_cvars.get())
#define MPI_T_category_get_index (*::mpit_info::the_mpi.MPI_T_category_get_index.get())
#define MPI_T_category_get_info (*::mpit_info::the_mpi.MPI_T_category_get_info.get())
#define MPI_T_category_get_num (*::mpit_info::the_mpi.MPI_T_category_get_num.get())
#define MPI_T_category_get_pvars (*::mpit_info::the_mpi.MPI_T_category_get_pvars.get())
#define MPI_T_cvar_get_index (*::mpit_info::the_mpi.MPI_T_cvar_get_index.get())
#define MPI_T_cvar_get_info (*::mpit_info::the_mpi.MPI_T_cvar_get_info.get())
#define MPI_T_cvar_get_num (*::mpit_info::the_mpi.MPI_T_cvar_get_num.get())
#define MPI_T_cvar_handle_alloc (*::mpit_info::the_mpi.MPI_T_cvar_handle_alloc.get())
#define MPI_T_cvar_handle_free (*::mpit_info::the_mpi.MPI_T_cvar_handle_free.get())
#define MPI_T_cvar_read (*::mpit_info::the_mpi.MPI_T_cvar_read.get())
#define MPI_T_cvar_write (*::mpit_info::the_mpi.MPI_T_cvar_write.get())
#define MPI_T_enum_get_info (*::mpit_info::the_mpi.MPI_T_enum_get_info.get())
#define MPI_T_enum_get_item (*::mpit_info::the_mpi.MPI_T_enum_get_item.get())
#define MPI_T_finalize (*::mpit_info::the_mpi.MPI_T_finalize.get())
#define MPI_T_init_thread (*::mpit_info::the_mpi.MPI_T_init_thread.get())
#define MPI_T_pvar_get_index (*::mpit_info::the_mpi.MPI_T_pvar_get_index.get())
#define MPI_T_pvar_get_info (*::mpit_info::the_mpi.MPI_T_pvar_get_info.get())
#define MPI_T_pvar_get_num (*::mpit_info::the_mpi.MPI_T_pvar_get_num.get())
#define MPI_T_pvar_handle_alloc (*::mpit_info::the_mpi.MPI_T_pvar_handle_alloc.get())
#define MPI_T_pvar_handle_free (*::mpit_info::the_mpi.MPI_T_pvar_handle_free.get())
#define MPI_T_pvar_read (*::mpit_info::the_mpi.MPI_T_pvar_read.get())
#define MPI_T_pvar_readreset (*::mpit_info::the_mpi.MPI_T_pvar_readreset.get())
#define MPI_T_pvar_reset (*::mpit_info::the_mpi.MPI_T_pvar_reset.get())
#define MPI_T_pvar_session_create (*::mpit_info::the_mpi.MPI_T_pvar_session_create.get())
#define MPI_T_pvar_session_free (*::mpit_info::the_mpi.MPI_T_pvar_session_free.get())
#define MPI_T_pvar_start (*::mpit_info::the_mpi.MPI_T_pvar_start.get())
#define MPI_T_pvar_stop (*::mpit_info::the_mpi.MPI_T_pvar_stop.get())
#define MPI_T_pvar_write (*::mpit_info::the_mpi.MPI_T_pvar_write.get())
#define MPI_T_category_get_events (*::mpit_info::the_mpi.MPI_T_category_get_events.get())
#define MPI_T_category_get_num_events (*::mpit_info::the_mpi.MPI_T_category_get_num_events.get())
#define MPI_T_event_copy (*::mpit_info::the_mpi.MPI_T_event_copy.get())
#define MPI_T_event_get_index (*::mpit_info::the_mpi.MPI_T_event_get_index.get())
#define MPI_T_event_get_info (*::mpit_info::the_mpi.MPI_T_event_get_info.get())
#define MPI_T_event_get_num (*::mpit_info::the_mpi.MPI_T_event_get_num.get())
#define MPI_T_event_get_source (*::mpit_info::the_mpi.MPI_T_event_get_source.get())
#define MPI_T_event_get_timestamp (*::mpit_info::the_mpi.MPI_T_event_get_timestamp.get())
#define MPI_T_event_handle_alloc (*::mpit_info::the_mpi.MPI_T_event_handle_alloc.get())
#define MPI_T_event_handle_free (*::mpit_info::the_mpi.MPI_T_event_handle_free.get())
#define MPI_T_event_read (*::mpit_info::the_mpi.MPI_T_event_read.get())
#define MPI_T_event_register_callback (*::mpit_info::the_mpi.MPI_T_event_register_callback.get())
#define MPI_T_event_set_dropped_handler (*::mpit_info::the_mpi.MPI_T_event_set_dropped_handler.get())
#define MPI_T_source_get_info (*::mpit_info::the_mpi.MPI_T_source_get_info.get())
#define MPI_T_source_get_num (*::mpit_info::the_mpi.MPI_T_source_get_num.get())
#ifdef OPEN_MPI
#define ompi_mpi_c_bool (*::mpit_info::the_mpi.ompi_mpi_c_bool)
#define ompi_mpi_char (*::mpit_info::the_mpi.ompi_mpi_char)
#define ompi_mpi_comm_null (*::mpit_info::the_mpi.ompi_mpi_comm_null)
#define ompi_mpi_comm_world (*::mpit_info::the_mpi.ompi_mpi_comm_world)
#define ompi_mpi_count (*::mpit_info::the_mpi.ompi_mpi_count)
#define ompi_mpi_datatype_null (*::mpit_info::the_mpi.ompi_mpi_datatype_null)
#define ompi_mpi_double (*::mpit_info::the_mpi.ompi_mpi_double)
#define ompi_mpi_info_null (*::mpit_info::the_mpi.ompi_mpi_info_null)
#define ompi_mpi_int (*::mpit_info::the_mpi.ompi_mpi_int)
#define ompi_mpi_int32_t (*::mpit_info::the_mpi.ompi_mpi_int32_t)
#define ompi_mpi_int64_t (*::mpit_info::the_mpi.ompi_mpi_int64_t)
#define ompi_mpi_long (*::mpit_info::the_mpi.ompi_mpi_long)
#define ompi_mpi_long_long_int (*::mpit_info::the_mpi.ompi_mpi_long_long_int)
#define ompi_mpi_uint32_t (*::mpit_info::the_mpi.ompi_mpi_uint32_t)
#define ompi_mpi_uint64_t (*::mpit_info::the_mpi.ompi_mpi_uint64_t)
#define ompi_mpi_unsigned (*::mpit_info::the_mpi.ompi_mpi_unsigned)
#define ompi_mpi_unsigned_long (*::mpit_info::the_mpi.ompi_mpi_unsigned_long)
#define ompi_mpi_unsigned_long_long (*::mpit_info::the_mpi.ompi_mpi_unsigned_long_long)
#endif
// clang-format on
