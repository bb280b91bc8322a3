// SPDX-License-Identifier: BSD-3-Clause
// 1.2.6 of the draft: Control variables.
#pragma once

#include <mpit/compat/converted_value.hpp>
#include <mpit/compat/numbers.hpp>
#include <mpit/compat/resource.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL compat {

constexpr int verbosity_of(verbosity v) { return static_cast<int>(v) + MPIT_VERBOSITY_USER_BASIC; }
constexpr int scope_of(scope s) {
    return s <= scope::readonly ? MPIT_SCOPE_READONLY : s == scope::local ? MPIT_SCOPE_LOCAL : MPIT_SCOPE_GLOBAL;
}

// Of a handle that is one: what is invalid then is the variable, which has gone.
inline int code_of_access(result answer) noexcept {
    return answer == result::invalid_handle ? MPIT_ERR_INVALIDVAR : code_of(answer);
}

} // namespace compat
} // namespace mpit

// MPIT_CONTROLVAR_GET_NUM(num)
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_get_num, PMPIT_Controlvar_get_num, (int* num)) {
    return mpit::compat::count_shown(mpit::compat::the_controls, num);
}

// MPIT_CONTROLVAR_GET_INFO(index, name, name_len, verbosity, datatype, count, desc, desc_len, assoc, attributes)
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_get_info, PMPIT_Controlvar_get_info,
                      (int number, char* name, int* name_len, int* verbosity, MPIT_Datatype* datatype, int* count,
                       char* desc, int* desc_len, int* assoc, MPIT_Controlvar_attributes* attributes)) {
    using namespace mpit::compat;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPIT_ERR_INVALID;
    const auto* found = static_cast<const variable_record*>(the_controls.at(number));
    if (found == nullptr) return MPIT_ERR_INVALIDINDEX;
    name_text.put(found->name);
    put(verbosity, verbosity_of(found->verbosity));
    put(datatype, datatype_of(*found));
    put(count, static_cast<int>(found->count));
    description.put(found->description);
    put(assoc, resource_type_of(found->binding));
    put(attributes, MPIT_Controlvar_attributes{scope_of(found->scope)});
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

// MPIT_CONTROLVAR_HANDLE_ALLOCATE(index, resource, handle). MPIT_ERR_INVALIDHANDLE if the resource is of another kind,
// or the object is none. A failure sets the handle to null.
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_handle_allocate, PMPIT_Controlvar_handle_allocate,
                      (int number, MPIT_MPI_Resource resource, MPIT_Controlvar_handle* handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (handle == nullptr) return MPIT_ERR_INVALID;
    *handle = MPIT_CONTROLVAR_HANDLE_NULL;
    const auto* found = static_cast<const variable_record*>(the_controls.at(number));
    if (found == nullptr) return MPIT_ERR_INVALIDINDEX;
    const void* object = nullptr;
    if (!find_object(*found, resource, object)) return MPIT_ERR_INVALIDHANDLE;
    std::uint64_t word = 0;
    std::uint32_t elements = 0;
    const mpit::result answer = tools().allocate_control(found->number.load(), object, word, elements);
    if (answer == mpit::result::success) *handle = handle_of<MPIT_Controlvar_handle>(word);
    return code_of(answer);
}

// MPIT_CONTROLVAR_HANDLE_FREE(handle)
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_handle_free, PMPIT_Controlvar_handle_free, (MPIT_Controlvar_handle * handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (handle == nullptr) return MPIT_ERR_INVALID;
    const mpit::result answer = tools().controls.free(word_of(*handle));
    if (answer == mpit::result::success) *handle = MPIT_CONTROLVAR_HANDLE_NULL;
    return code_of(answer);
}

// MPIT_CONTROLVAR_READ(handle, buf). MPIT_ERR_INVALIDVAR if the variable is unloaded or its object freed.
MPIT_C_FUNCTION_NAMED(MPIT_Controlvar_read, PMPIT_Controlvar_read, (MPIT_Controlvar_handle handle, void* buf)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (buf == nullptr) return MPIT_ERR_INVALID;
    const variable_record* record = tools().controls.record_of(word_of(handle));
    if (record == nullptr) return MPIT_ERR_INVALIDHANDLE;
    // An object may have fewer elements than the draft tells of its variable: the others are 0.
    if (record->binding != mpit::binding::none) std::memset(buf, 0, record->count * mpit::core::size_of(record->type));
    const mpit::result answer = tools().controls.read(word_of(handle), buf);
    if (answer == mpit::result::success) widen(*record, buf);
    return code_of_access(answer);
}

// MPIT_CONTROLVAR_WRITE(handle, buf). MPIT_ERR_SETNEVER or _SETNOTNOW where the variable refuses, MPIT_ERR_INVALID for
// a value that it cannot have.
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
