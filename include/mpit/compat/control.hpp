// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions on control variables (1.2.6 of the draft of 2011).
#pragma once

#include <mpit/compat/converted_value.hpp>
#include <mpit/compat/indices.hpp>
#include <mpit/compat/resource.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

constexpr int verbosity_of(verbosity v) { return static_cast<int>(v) + MPIT_VERBOSITY_USER_BASIC; }
constexpr int scope_of(scope s) {
    return s <= scope::readonly ? MPIT_SCOPE_READONLY : s == scope::local ? MPIT_SCOPE_LOCAL : MPIT_SCOPE_GLOBAL;
}

// Returns the error code of a read or a write through a valid handle. For a valid handle, result::invalid_handle means
// that the library of the variable is unloaded or that the bound MPI object is freed.
inline int code_of_access(result status) noexcept {
    return status == result::invalid_handle ? MPIT_ERR_INVALIDVAR : code_of(status);
}

} // namespace compat
} // namespace mpit

// MPIT_CONTROLVAR_GET_NUM(num)
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_get_num, PMPIT_Controlvar_get_num, (int* num)) {
    return mpit::compat::store_count(mpit::compat::control_indices, num);
}

// MPIT_CONTROLVAR_GET_INFO(index, name, name_len, verbosity, datatype, count, desc, desc_len, assoc, attributes)
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_get_info, PMPIT_Controlvar_get_info,
                      (int index, char* name, int* name_len, int* verbosity, MPIT_Datatype* datatype, int* count,
                       char* desc, int* desc_len, int* assoc, MPIT_Controlvar_attributes* attributes)) {
    using namespace mpit::compat;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPIT_ERR_INVALID;
    const auto* record = static_cast<const variable_record*>(control_indices.at(index));
    if (record == nullptr) return MPIT_ERR_INVALIDINDEX;
    name_text.put(record->name);
    put(verbosity, verbosity_of(record->verbosity));
    put(datatype, datatype_of(*record));
    put(count, static_cast<int>(record->count));
    description.put(record->description);
    put(assoc, resource_type_of(record->binding));
    put(attributes, MPIT_Controlvar_attributes{scope_of(record->scope)});
    return MPIT_SUCCESS;
}

// MPIT_CONTROLVAR_ATTR_GET_SCOPE(attributes, scope)
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_attr_get_scope, PMPIT_Controlvar_attr_get_scope,
                      (MPIT_Controlvar_attributes * attributes, int* scope)) {
    if (!mpit::compat::is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (attributes == nullptr || scope == nullptr) return MPIT_ERR_INVALID;
    *scope = attributes->mpit_scope;
    return MPIT_SUCCESS;
}

// MPIT_CONTROLVAR_HANDLE_ALLOCATE(index, resource, handle). Returns MPIT_ERR_INVALIDHANDLE if the variable is bound to
// another kind of objects than the resource, or if the MPI object does not exist. On an error, sets `handle` to null.
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_handle_allocate, PMPIT_Controlvar_handle_allocate,
                      (int index, MPIT_MPI_Resource resource, MPIT_Controlvar_handle* handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (handle == nullptr) return MPIT_ERR_INVALID;
    *handle = MPIT_CONTROLVAR_HANDLE_NULL;
    const auto* record = static_cast<const variable_record*>(control_indices.at(index));
    if (record == nullptr) return MPIT_ERR_INVALIDINDEX;
    const void* object = nullptr;
    if (!get_object(*record, resource, object)) return MPIT_ERR_INVALIDHANDLE;
    std::uint64_t word = 0;
    std::uint32_t elements = 0;
    const mpit::result status = tools().allocate_control(record->index.load(), object, word, elements);
    if (status == mpit::result::success) *handle = handle_of<MPIT_Controlvar_handle>(word);
    return code_of(status);
}

// MPIT_CONTROLVAR_HANDLE_FREE(handle)
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_handle_free, PMPIT_Controlvar_handle_free, (MPIT_Controlvar_handle * handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (handle == nullptr) return MPIT_ERR_INVALID;
    const mpit::result status = tools().controls.free(word_of(*handle));
    if (status == mpit::result::success) *handle = MPIT_CONTROLVAR_HANDLE_NULL;
    return code_of(status);
}

// MPIT_CONTROLVAR_READ(handle, buf). Returns MPIT_ERR_INVALIDVAR if the library of the variable is unloaded or the MPI
// object of the handle is freed.
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_read, PMPIT_Controlvar_read, (MPIT_Controlvar_handle handle, void* buf)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (buf == nullptr) return MPIT_ERR_INVALID;
    const variable_record* record = tools().controls.record_of(word_of(handle));
    if (record == nullptr) return MPIT_ERR_INVALIDHANDLE;
    // For some MPI objects, a variable has fewer elements than get_info returns. The other elements of `buf` are then
    // 0.
    if (record->binding != mpit::binding::none) std::memset(buf, 0, record->count * mpit::core::size_of(record->type));
    const mpit::result status = tools().controls.read(word_of(handle), buf);
    if (status == mpit::result::success) widen(*record, buf);
    return code_of_access(status);
}

// MPIT_CONTROLVAR_WRITE(handle, buf). Returns MPIT_ERR_SETNEVER if the variable can never be changed,
// MPIT_ERR_SETNOTNOW if the variable cannot be changed now, and MPIT_ERR_INVALID if the variable cannot have the value.
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_write, PMPIT_Controlvar_write, (MPIT_Controlvar_handle handle, void* buf)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (buf == nullptr) return MPIT_ERR_INVALID;
    const variable_record* record = tools().controls.record_of(word_of(handle));
    if (record == nullptr) return MPIT_ERR_INVALIDHANDLE;
    if (record->scope <= mpit::scope::readonly) return MPIT_ERR_SETNEVER;
    const narrowed_value value{*record, buf};
    if (value.code() != MPIT_SUCCESS) return value.code();
    return code_of_access(tools().controls.write(word_of(handle), value.get()));
}
