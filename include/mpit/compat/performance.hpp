// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions on performance variables, sessions and handles (1.2.7 of the draft of 2011).
// MPIT_Perfvar_start, stop, read, write, reset and readreset are async-signal-safe, except a write of more than 32
// elements of an unsigned type of 32 bits.
#pragma once

#include <mpit/compat/control.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

// Maps the classes of performance variables in the standard to the classes in the draft of 2011. A variable of the
// class SIZE becomes a resource level, because the draft has no class SIZE. Variables of the class GENERIC have no
// index in the draft, because the draft has no class GENERIC.
inline constexpr int draft_classes[performance_class_count] = {
    MPIT_PERFVAR_CLASS_STATE,
    MPIT_PERFVAR_CLASS_RESOURCE_LEVEL,
    MPIT_PERFVAR_CLASS_RESOURCE_LEVEL,
    MPIT_PERFVAR_CLASS_RESOURCE_PERCENTAGE,
    MPIT_PERFVAR_CLASS_RESOURCE_HIGHWATERMARK,
    MPIT_PERFVAR_CLASS_RESOURCE_LOWWATERMARK,
    MPIT_PERFVAR_CLASS_EVENT_COUNTER,
    MPIT_PERFVAR_CLASS_EVENT_AGGREGATE,
    MPIT_PERFVAR_CLASS_EVENT_TIMER,
    0,
};

// Calls `read`, which stores a value in `buf`. Then converts the value in `buf` to the datatype of the draft of 2011.
template <class Read>
int read_widened(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf, const Read& read) noexcept {
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (buf == nullptr) return MPIT_ERR_INVALID;
    const variable_record* record = tools().sessions.record_of(word_of(session), word_of(handle));
    const result status = read(word_of(session), word_of(handle));
    if (status == result::success && record != nullptr) widen(*record, buf);
    return code_of(status);
}

} // namespace compat
} // namespace mpit

// MPIT_PERFVAR_GET_NUM(num)
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_get_num, PMPIT_Perfvar_get_num, (int* num)) {
    return mpit::compat::store_count(mpit::compat::performance_indices, num);
}

// MPIT_PERFVAR_GET_INFO(index, name, name_len, verbosity, varclass, datatype, count, desc, desc_len, assoc,
// attributes). If a variable of another class has the same name and a lower index, the class is appended to the name.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_get_info, PMPIT_Perfvar_get_info,
                      (int index, char* name, int* name_len, int* verbosity, int* varclass, MPIT_Datatype* datatype,
                       int* count, char* desc, int* desc_len, int* assoc, MPIT_Perfvar_attributes* attributes)) {
    using namespace mpit::compat;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPIT_ERR_INVALID;
    const auto* record = static_cast<const variable_record*>(performance_indices.at(index));
    if (record == nullptr) return MPIT_ERR_INVALIDINDEX;
    name_text.put(unique_name{*record}.get());
    put(verbosity, verbosity_of(record->verbosity));
    put(varclass, draft_classes[static_cast<int>(record->variable_class)]);
    put(datatype, datatype_of(*record));
    put(count, static_cast<int>(record->count));
    description.put(record->description);
    put(assoc, resource_type_of(record->binding));
    put(attributes, MPIT_Perfvar_attributes{record->readonly ? 1 : 0, record->continuous ? 1 : 0});
    return MPIT_SUCCESS;
}

// MPIT_PERFVAR_ATTR_GET_READONLY(attributes, readonly). Stores 0 or 1 in `readonly`.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_attr_get_readonly, PMPIT_Perfvar_attr_get_readonly,
                      (MPIT_Perfvar_attributes * attributes, int* readonly)) {
    if (!mpit::compat::is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (attributes == nullptr || readonly == nullptr) return MPIT_ERR_INVALID;
    *readonly = attributes->mpit_readonly;
    return MPIT_SUCCESS;
}

// MPIT_PERFVAR_ATTR_GET_CONTINUOUS(attributes, continuous). Stores 0 or 1 in `continuous`.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_attr_get_continuous, PMPIT_Perfvar_attr_get_continuous,
                      (MPIT_Perfvar_attributes * attributes, int* continuous)) {
    if (!mpit::compat::is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (attributes == nullptr || continuous == nullptr) return MPIT_ERR_INVALID;
    *continuous = attributes->mpit_continuous;
    return MPIT_SUCCESS;
}

// MPIT_PERFVAR_SESSION_CREATE(session). Sets `session` to null if the call fails.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_session_create, PMPIT_Perfvar_session_create, (MPIT_Perfvar_session * session)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (session == nullptr) return MPIT_ERR_INVALID;
    std::uint64_t word = 0;
    const mpit::result status = tools().sessions.create(tools().epochs, word);
    *session = status == mpit::result::success ? handle_of<MPIT_Perfvar_session>(word) : MPIT_PERFVAR_SESSION_NULL;
    return code_of(status);
}

// MPIT_PERFVAR_SESSION_FREE(session). Frees the session and its handles.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_session_free, PMPIT_Perfvar_session_free, (MPIT_Perfvar_session * session)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (session == nullptr) return MPIT_ERR_INVALID;
    const mpit::result status = tools().sessions.free(word_of(*session));
    if (status == mpit::result::success) *session = MPIT_PERFVAR_SESSION_NULL;
    return code_of(status);
}

// MPIT_PERFVAR_HANDLE_ALLOCATE(session, index, resource, handle). Returns MPIT_ERR_INVALIDHANDLE if the variable is
// bound to another kind of objects than the resource, or if the MPI object does not exist. On an error, sets `handle`
// to null.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_handle_allocate, PMPIT_Perfvar_handle_allocate,
                      (MPIT_Perfvar_session session, int index, MPIT_MPI_Resource resource,
                       MPIT_Perfvar_handle* handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (handle == nullptr) return MPIT_ERR_INVALID;
    *handle = MPIT_PERFVAR_HANDLE_NULL;
    if (!tools().sessions.is_session(word_of(session))) return MPIT_ERR_INVALIDSESSION;
    const auto* record = static_cast<const variable_record*>(performance_indices.at(index));
    if (record == nullptr) return MPIT_ERR_INVALIDINDEX;
    const void* object = nullptr;
    if (!get_object(*record, resource, object)) return MPIT_ERR_INVALIDHANDLE;
    std::uint64_t word = 0;
    std::uint32_t elements = 0;
    const mpit::result status =
        tools().allocate_performance(word_of(session), record->index.load(), object, word, elements);
    if (status == mpit::result::success) *handle = handle_of<MPIT_Perfvar_handle>(word);
    return code_of(status);
}

// MPIT_PERFVAR_HANDLE_FREE(session, handle)
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_handle_free, PMPIT_Perfvar_handle_free,
                      (MPIT_Perfvar_session session, MPIT_Perfvar_handle* handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (handle == nullptr) return MPIT_ERR_INVALID;
    const mpit::result status = tools().sessions.free_handle(word_of(session), word_of(*handle));
    if (status == mpit::result::success) *handle = MPIT_PERFVAR_HANDLE_NULL;
    return code_of(status);
}

// MPIT_PERFVAR_START(session, handle)
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_start, PMPIT_Perfvar_start,
                      (MPIT_Perfvar_session session, MPIT_Perfvar_handle handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    return code_of(tools().sessions.start(word_of(session), word_of(handle)));
}

// MPIT_PERFVAR_STOP(session, handle)
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_stop, PMPIT_Perfvar_stop,
                      (MPIT_Perfvar_session session, MPIT_Perfvar_handle handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    return code_of(tools().sessions.stop(word_of(session), word_of(handle)));
}

// MPIT_PERFVAR_READ(session, handle, buf)
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_read, PMPIT_Perfvar_read,
                      (MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf)) {
    using namespace mpit::compat;
    return read_widened(session, handle, buf, [buf](std::uint64_t session_word, std::uint64_t handle_word) {
        return tools().sessions.read(session_word, handle_word, buf);
    });
}

// MPIT_PERFVAR_WRITE(session, handle, buf). Returns MPIT_ERR_NOWRITE for a readonly variable, and MPIT_ERR_INVALID if
// the variable cannot have the value.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_write, PMPIT_Perfvar_write,
                      (MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (buf == nullptr) return MPIT_ERR_INVALID;
    const variable_record* record = tools().sessions.record_of(word_of(session), word_of(handle));
    if (record == nullptr)
        return tools().sessions.is_session(word_of(session)) ? MPIT_ERR_INVALIDHANDLE : MPIT_ERR_INVALIDSESSION;
    if (record->readonly) return MPIT_ERR_NOWRITE;
    const narrowed_value value{*record, buf};
    if (value.code() != MPIT_SUCCESS) return value.code();
    return code_of(tools().sessions.write(word_of(session), word_of(handle), value.get()));
}

// MPIT_PERFVAR_RESET(session, handle)
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_reset, PMPIT_Perfvar_reset,
                      (MPIT_Perfvar_session session, MPIT_Perfvar_handle handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    return code_of(tools().sessions.reset(word_of(session), word_of(handle)));
}

// MPIT_PERFVAR_READRESET(session, handle, buf). Reads and resets the variable in one atomic step. For a readonly
// variable, the function only reads the value and returns MPIT_ERR_NOWRITE.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_readreset, PMPIT_Perfvar_readreset,
                      (MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf)) {
    using namespace mpit::compat;
    const int code = read_widened(session, handle, buf, [buf](std::uint64_t session_word, std::uint64_t handle_word) {
        return tools().sessions.read_and_reset_without_promise(session_word, handle_word, buf);
    });
    if (code != MPIT_ERR_NOWRITE) return code;
    const int read_code = PMPIT_Perfvar_read(session, handle, buf);
    return read_code == MPIT_SUCCESS ? MPIT_ERR_NOWRITE : read_code;
}
