// The host: the MPI whose tool interface stands behind ours in the order in which the linker of the process looks for names.
// Its functions are found once, under their profiling names; a host may lack any of them, and there may be none.
//
//   if (the_host.cvar_get_num != nullptr) the_host.cvar_get_num(&count);
#pragma once

#include <mpit/c/own.hpp>

#include <dlfcn.h>

namespace mpit::inline v0_1::stack {

struct MPIT_MODULE_LOCAL host_functions {
    decltype(&PMPI_T_init_thread) init_thread = nullptr;
    decltype(&PMPI_T_finalize) finalize = nullptr;
    int (*is_initialized)(int*) = nullptr; // of the MPI itself
    int (*is_finalized)(int*) = nullptr;

    decltype(&PMPI_T_enum_get_info) enum_get_info = nullptr;
    decltype(&PMPI_T_enum_get_item) enum_get_item = nullptr;

    decltype(&PMPI_T_cvar_get_num) cvar_get_num = nullptr;
    decltype(&PMPI_T_cvar_get_info) cvar_get_info = nullptr;
    decltype(&PMPI_T_cvar_handle_alloc) cvar_handle_alloc = nullptr;
    decltype(&PMPI_T_cvar_handle_free) cvar_handle_free = nullptr;
    decltype(&PMPI_T_cvar_read) cvar_read = nullptr;
    decltype(&PMPI_T_cvar_write) cvar_write = nullptr;

    decltype(&PMPI_T_pvar_get_num) pvar_get_num = nullptr;
    decltype(&PMPI_T_pvar_get_info) pvar_get_info = nullptr;
    decltype(&PMPI_T_pvar_session_create) pvar_session_create = nullptr;
    decltype(&PMPI_T_pvar_session_free) pvar_session_free = nullptr;
    decltype(&PMPI_T_pvar_handle_alloc) pvar_handle_alloc = nullptr;
    decltype(&PMPI_T_pvar_handle_free) pvar_handle_free = nullptr;
    decltype(&PMPI_T_pvar_start) pvar_start = nullptr;
    decltype(&PMPI_T_pvar_stop) pvar_stop = nullptr;
    decltype(&PMPI_T_pvar_read) pvar_read = nullptr;
    decltype(&PMPI_T_pvar_write) pvar_write = nullptr;
    decltype(&PMPI_T_pvar_reset) pvar_reset = nullptr;
    decltype(&PMPI_T_pvar_readreset) pvar_readreset = nullptr;

    decltype(&PMPI_T_category_get_num) category_get_num = nullptr;
    decltype(&PMPI_T_category_get_info) category_get_info = nullptr;
    decltype(&PMPI_T_category_get_cvars) category_get_cvars = nullptr;
    decltype(&PMPI_T_category_get_pvars) category_get_pvars = nullptr;
    decltype(&PMPI_T_category_get_categories) category_get_categories = nullptr;
    decltype(&PMPI_T_category_changed) category_changed = nullptr;

    // To be called where an epoch begins: a host that was not there comes perhaps with a plugin. Without both ends of its
    // epochs there is none, and without one of the functions of a group it is not asked for any of that group.
    bool find() noexcept {
        if (is_there()) return true;
        take(finalize, "PMPI_T_finalize");
        if (finalize == nullptr) return false;
        take(is_initialized, "PMPI_Initialized");
        take(is_finalized, "PMPI_Finalized");
        take(enum_get_info, "PMPI_T_enum_get_info");
        take(enum_get_item, "PMPI_T_enum_get_item");
        take(cvar_get_num, "PMPI_T_cvar_get_num");
        take(cvar_get_info, "PMPI_T_cvar_get_info");
        take(cvar_handle_alloc, "PMPI_T_cvar_handle_alloc");
        take(cvar_handle_free, "PMPI_T_cvar_handle_free");
        take(cvar_read, "PMPI_T_cvar_read");
        take(cvar_write, "PMPI_T_cvar_write");
        take(pvar_get_num, "PMPI_T_pvar_get_num");
        take(pvar_get_info, "PMPI_T_pvar_get_info");
        take(pvar_session_create, "PMPI_T_pvar_session_create");
        take(pvar_session_free, "PMPI_T_pvar_session_free");
        take(pvar_handle_alloc, "PMPI_T_pvar_handle_alloc");
        take(pvar_handle_free, "PMPI_T_pvar_handle_free");
        take(pvar_start, "PMPI_T_pvar_start");
        take(pvar_stop, "PMPI_T_pvar_stop");
        take(pvar_read, "PMPI_T_pvar_read");
        take(pvar_write, "PMPI_T_pvar_write");
        take(pvar_reset, "PMPI_T_pvar_reset");
        take(pvar_readreset, "PMPI_T_pvar_readreset");
        take(category_get_num, "PMPI_T_category_get_num");
        take(category_get_info, "PMPI_T_category_get_info");
        take(category_get_cvars, "PMPI_T_category_get_cvars");
        take(category_get_pvars, "PMPI_T_category_get_pvars");
        take(category_get_categories, "PMPI_T_category_get_categories");
        take(category_changed, "PMPI_T_category_changed");
        take(init_thread, "PMPI_T_init_thread");
        return is_there();
    }
    bool is_there() const noexcept { return init_thread != nullptr; }
    bool has_enumerations() const noexcept { return enum_get_info != nullptr && enum_get_item != nullptr; }
    bool has_controls() const noexcept {
        return cvar_get_num != nullptr && cvar_get_info != nullptr && cvar_handle_alloc != nullptr &&
               cvar_handle_free != nullptr && cvar_read != nullptr && cvar_write != nullptr;
    }
    bool has_performance() const noexcept {
        return pvar_get_num != nullptr && pvar_get_info != nullptr && pvar_session_create != nullptr &&
               pvar_session_free != nullptr && pvar_handle_alloc != nullptr && pvar_handle_free != nullptr &&
               pvar_start != nullptr && pvar_stop != nullptr && pvar_read != nullptr && pvar_write != nullptr &&
               pvar_reset != nullptr && pvar_readreset != nullptr;
    }
    bool has_categories() const noexcept {
        return category_get_num != nullptr && category_get_info != nullptr && category_get_cvars != nullptr &&
               category_get_pvars != nullptr && category_get_categories != nullptr;
    }

private:
    template <class Function> static void take(Function*& function, const char* name) noexcept {
        function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    }
};

MPIT_MODULE_LOCAL inline constinit host_functions the_host;

} // namespace mpit::stack
