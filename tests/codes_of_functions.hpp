// Which codes each function may answer, as the standard lists them.
//
//   codes_of_functions[row].may_answer(code);   is_about_memory(code)
#pragma once

#include <mpit/mpi_t.h>

#include <string_view>

// What a function may answer beside MPI_SUCCESS. All MPI_T functions may answer MPI_T_ERR_INVALID and, when the
// interface is closed, MPI_T_ERR_NOT_INITIALIZED; `further` ends with the first 0.
struct function_codes {
    std::string_view function;
    int further[5];

    bool is_of_info() const { return function.starts_with("Info_"); }
    bool may_answer(int code) const {
        if (code == MPI_SUCCESS) return true;
        if (!is_of_info() && (code == MPI_T_ERR_INVALID || code == MPI_T_ERR_NOT_INITIALIZED)) return true;
        for (const int each : further)
            if (each != 0 && each == code) return true;
        return false;
    }
};
inline constexpr function_codes codes_of_functions[] = {
    {"init_thread", {MPI_T_ERR_CANNOT_INIT}},
    {"finalize", {}},
    {"enum_get_info", {}},
    {"enum_get_item", {MPI_T_ERR_INVALID_INDEX}},
    {"cvar_get_num", {}},
    {"cvar_get_info", {MPI_T_ERR_INVALID_INDEX}},
    {"cvar_get_index", {MPI_T_ERR_INVALID_NAME}},
    {"cvar_handle_alloc", {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_OUT_OF_HANDLES}},
    {"cvar_handle_free", {MPI_T_ERR_INVALID_HANDLE}},
    {"cvar_read", {MPI_T_ERR_INVALID_HANDLE}},
    {"cvar_write", {MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_CVAR_SET_NOT_NOW, MPI_T_ERR_CVAR_SET_NEVER}},
    {"pvar_get_num", {}},
    {"pvar_get_info", {MPI_T_ERR_INVALID_INDEX}},
    {"pvar_get_index", {MPI_T_ERR_INVALID_NAME}},
    {"pvar_session_create", {MPI_T_ERR_OUT_OF_SESSIONS}},
    {"pvar_session_free", {MPI_T_ERR_INVALID_SESSION}},
    {"pvar_handle_alloc",
     {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_OUT_OF_HANDLES}},
    {"pvar_handle_free", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE}},
    {"pvar_start", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_STARTSTOP}},
    {"pvar_stop", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_STARTSTOP}},
    {"pvar_read", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE}},
    {"pvar_write", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_WRITE}},
    {"pvar_reset", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_WRITE}},
    {"pvar_readreset",
     {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_ATOMIC, MPI_T_ERR_PVAR_NO_WRITE}},
    {"event_get_num", {}},
    {"event_get_info", {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_MEMORY}},
    {"event_get_index", {MPI_T_ERR_INVALID_NAME}},
    {"event_handle_alloc",
     {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_OUT_OF_HANDLES, MPI_T_ERR_MEMORY}},
    {"event_handle_free", {MPI_T_ERR_INVALID_HANDLE}},
    {"event_handle_get_info", {MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_MEMORY}},
    {"event_handle_set_info", {MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_MEMORY}},
    {"event_register_callback", {MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_MEMORY}},
    {"event_callback_get_info", {MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_MEMORY}},
    {"event_callback_set_info", {MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_MEMORY}},
    {"event_set_dropped_handler", {MPI_T_ERR_INVALID_HANDLE}},
    {"event_read", {MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_INVALID_INDEX}},
    {"event_copy", {MPI_T_ERR_INVALID_HANDLE}},
    {"event_get_timestamp", {MPI_T_ERR_INVALID_HANDLE}},
    {"event_get_source", {MPI_T_ERR_INVALID_HANDLE}},
    {"source_get_num", {}},
    {"source_get_info", {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_MEMORY}},
    {"source_get_timestamp", {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_NOT_SUPPORTED}},
    {"category_get_num", {}},
    {"category_get_info", {MPI_T_ERR_INVALID_INDEX}},
    {"category_get_index", {MPI_T_ERR_INVALID_NAME}},
    {"category_get_cvars", {MPI_T_ERR_INVALID_INDEX}},
    {"category_get_pvars", {MPI_T_ERR_INVALID_INDEX}},
    {"category_get_events", {MPI_T_ERR_INVALID_INDEX}},
    {"category_get_categories", {MPI_T_ERR_INVALID_INDEX}},
    {"category_get_num_events", {MPI_T_ERR_INVALID_INDEX}},
    {"category_changed", {}},
    {"Info_create", {MPI_ERR_ARG, MPI_ERR_NO_MEM}},
    {"Info_create_env", {MPI_ERR_ARG, MPI_ERR_NO_MEM}},
    {"Info_delete", {MPI_ERR_INFO, MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY}},
    {"Info_dup", {MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM}},
    {"Info_free", {MPI_ERR_INFO, MPI_ERR_ARG}},
    {"Info_get", {MPI_ERR_INFO, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE, MPI_ERR_ARG, MPI_ERR_NO_MEM}},
    {"Info_get_nkeys", {MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM}},
    {"Info_get_nthkey", {MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM}},
    {"Info_get_string", {MPI_ERR_INFO, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE, MPI_ERR_ARG, MPI_ERR_NO_MEM}},
    {"Info_get_valuelen", {MPI_ERR_INFO, MPI_ERR_INFO_KEY, MPI_ERR_ARG, MPI_ERR_NO_MEM}},
    {"Info_set", {MPI_ERR_INFO, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE, MPI_ERR_NO_MEM}},
};
inline constexpr std::size_t known_function_count = sizeof codes_of_functions / sizeof codes_of_functions[0];

// What a function answers for want of memory. Beside it the library has no reason not to open the interface.
inline bool is_about_memory(int code) {
    return code == MPI_T_ERR_MEMORY || code == MPI_T_ERR_OUT_OF_HANDLES || code == MPI_T_ERR_OUT_OF_SESSIONS ||
           code == MPI_T_ERR_CANNOT_INIT || code == MPI_ERR_NO_MEM;
}
