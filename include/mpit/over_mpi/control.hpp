// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.6 on top of a host: control variables of both.
#pragma once

#include <mpit/over_mpi/discovery.hpp>
#include <mpit/over_mpi/host_handles.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

// The entry of a number, after a discovery if it is not known; null if there is none.
MPIT_MODULE_LOCAL inline merged_entry* entry_at(kind item_kind, int number) noexcept {
    merged_entry* found = nullptr;
    find_or_discover(item_kind, [&] { return (found = the_numbers.list(item_kind).at(number)) != nullptr; });
    return found;
}
// The number of a name, likewise.
MPIT_MODULE_LOCAL inline int look_up(kind item_kind, const char* name, int variable_class, int* number) noexcept {
    if (!mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (name == nullptr || number == nullptr) return MPI_T_ERR_INVALID;
    const core::text wanted = name;
    const bool is_there = find_or_discover(item_kind, [&] {
        const merged_entry* found = the_numbers.list(item_kind).find(wanted, variable_class);
        if (found != nullptr) *number = found->number.load();
        return found != nullptr;
    });
    return is_there ? MPI_SUCCESS : MPI_T_ERR_INVALID_NAME;
}
MPIT_MODULE_LOCAL inline int count(kind item_kind, int* number) noexcept {
    if (!mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (number == nullptr) return MPI_T_ERR_INVALID;
    the_numbers.discover(item_kind);
    *number = the_numbers.list(item_kind).count();
    return MPI_SUCCESS;
}
MPIT_MODULE_LOCAL inline int allocate_control(const host_variable& v, void* object, MPI_T_cvar_handle& handle,
                                              int& elements) noexcept {
    const int host_number = v.host_number.load();
    if (host_number < 0) return MPI_T_ERR_INVALID_INDEX;
    if (!takes_object(v.bind, object)) return MPI_T_ERR_INVALID_HANDLE;
    MPI_T_cvar_handle of_host = MPI_T_CVAR_HANDLE_NULL;
    int count_of_host = 0;
    if (const int wrong = the_host.cvar_handle_alloc(host_number, object, &of_host, &count_of_host);
        wrong != MPI_SUCCESS)
        return wrong;
    std::uint64_t word = 0;
    host_control* made = the_host_handles.controls.take(word);
    if (made == nullptr) {
        the_host.cvar_handle_free(&of_host);
        return MPI_T_ERR_OUT_OF_HANDLES;
    }
    made->handle.store(of_host);
    made->variable.store(&v);
    made->word.store(word);
    handle = mpi_t::handle_of<MPI_T_cvar_handle>(word);
    elements = count_of_host;
    return MPI_SUCCESS;
}

} // namespace over_mpi
} // namespace mpit

// MPI_T_CVAR_GET_NUM(num_cvar)
MPIT_C_STACKED_FUNCTION(cvar_get_num, (int* num_cvar)) { return mpit::over_mpi::count(mpit::mpi_t::kind::control, num_cvar); }

// MPI_T_CVAR_GET_INFO(cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len, bind, scope)
MPIT_C_STACKED_FUNCTION(cvar_get_info,
                        (int cvar_index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype,
                         MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* scope)) {
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    const mpit::over_mpi::merged_entry* found = mpit::over_mpi::entry_at(kind::control, cvar_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    if (found->own != nullptr) {
        tell_control(*found->own, name_text, verbosity, datatype, enumtype, description, bind, scope);
        return MPI_SUCCESS;
    }
    const auto& of_host = static_cast<const mpit::over_mpi::host_variable&>(*found);
    name_text.put(of_host.name);
    put(verbosity, of_host.verbosity);
    put(datatype, of_host.datatype);
    put(enumtype, of_host.enumeration);
    description.put(of_host.description);
    put(bind, of_host.bind);
    put(scope, of_host.scope);
    return MPI_SUCCESS;
}

// MPI_T_CVAR_GET_INDEX(name, cvar_index)
MPIT_C_STACKED_FUNCTION(cvar_get_index, (const char* name, int* cvar_index)) {
    return mpit::over_mpi::look_up(mpit::mpi_t::kind::control, name, 0, cvar_index);
}

// MPI_T_CVAR_HANDLE_ALLOC(cvar_index, obj_handle, handle, count). A failure sets the handle to null and the count to 0.
MPIT_C_STACKED_FUNCTION(cvar_handle_alloc, (int cvar_index, void* obj_handle, MPI_T_cvar_handle* handle, int* count)) {
    using namespace mpit::mpi_t;
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (handle == nullptr || count == nullptr) return MPI_T_ERR_INVALID;
    *handle = MPI_T_CVAR_HANDLE_NULL;
    *count = 0;
    const mpit::over_mpi::merged_entry* found = mpit::over_mpi::entry_at(kind::control, cvar_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    if (!found->is_of_host) return mpit::own::cvar_handle_alloc(found->own_number.load(), obj_handle, handle, count);
    const auto& of_host = static_cast<const mpit::over_mpi::host_variable&>(*found);
    return mpit::over_mpi::allocate_control(of_host, obj_handle, *handle, *count);
}

// MPI_T_CVAR_HANDLE_FREE(handle)
MPIT_C_STACKED_FUNCTION(cvar_handle_free, (MPI_T_cvar_handle* handle)) {
    using namespace mpit::over_mpi;
    if (!mpit::mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (handle == nullptr) return MPI_T_ERR_INVALID;
    const std::uint64_t word = mpit::mpi_t::word_of(*handle);
    if (!host_handles::is_control(word)) return mpit::own::cvar_handle_free(handle);
    host_control* h = the_host_handles.controls.find(word);
    if (h == nullptr || !the_host_handles.free(*h, word)) return MPI_T_ERR_INVALID_HANDLE;
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

// MPI_T_CVAR_READ(handle, buf). A text that the host fails to read is empty.
MPIT_C_STACKED_FUNCTION(cvar_read, (MPI_T_cvar_handle handle, void* buf)) {
    using namespace mpit::over_mpi;
    const std::uint64_t word = mpit::mpi_t::word_of(handle);
    if (!host_handles::is_control(word)) return mpit::own::cvar_read(handle, buf);
    if (!mpit::mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (buf == nullptr) return MPI_T_ERR_INVALID;
    const host_control* h = the_host_handles.controls.find(word);
    if (h == nullptr) return MPI_T_ERR_INVALID_HANDLE;
    const int code = the_host.cvar_read(h->handle.load(), buf);
    if (code != MPI_SUCCESS && h->variable.load()->datatype == MPI_CHAR) *static_cast<char*>(buf) = '\0';
    return code;
}

// MPI_T_CVAR_WRITE(handle, buf)
MPIT_C_STACKED_FUNCTION(cvar_write, (MPI_T_cvar_handle handle, const void* buf)) {
    using namespace mpit::over_mpi;
    const std::uint64_t word = mpit::mpi_t::word_of(handle);
    if (!host_handles::is_control(word)) return mpit::own::cvar_write(handle, buf);
    if (!mpit::mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (buf == nullptr) return MPI_T_ERR_INVALID;
    const host_control* h = the_host_handles.controls.find(word);
    return h == nullptr ? MPI_T_ERR_INVALID_HANDLE : the_host.cvar_write(h->handle.load(), buf);
}
