// SPDX-License-Identifier: BSD-3-Clause
// 1.2.7 of the draft: Performance variables, sessions and handles. Start, stop, read, write, reset and readreset are
// async-signal-safe, but for the write of a long array of unsigned numbers.
#pragma once

#include <mpit/compat/control.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL compat {

// The draft has no SIZE; GENERIC is not in it.
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

// Converts the result of a read, or of a read with a reset, to a value of the draft.
template <class Read>
int read_widened(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf, const Read& read) noexcept {
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (buf == nullptr) return MPIT_ERR_INVALID;
    const variable_record* record = tools().sessions.record_of(word_of(session), word_of(handle));
    const result answer = read(word_of(session), word_of(handle));
    if (answer == result::success && record != nullptr) widen(*record, buf);
    return code_of(answer);
}

} // namespace compat
} // namespace mpit

// MPIT_PERFVAR_GET_NUM(num)
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_get_num, PMPIT_Perfvar_get_num, (int* num)) {
    return mpit::compat::count_shown(mpit::compat::the_performances, num);
}

// MPIT_PERFVAR_GET_INFO(index, name, name_len, verbosity, varclass, datatype, count, desc, desc_len, assoc,
// attributes). A name that an earlier variable of another class has is followed by the class.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_get_info, PMPIT_Perfvar_get_info,
                      (int number, char* name, int* name_len, int* verbosity, int* varclass, MPIT_Datatype* datatype,
                       int* count, char* desc, int* desc_len, int* assoc, MPIT_Perfvar_attributes* attributes)) {
    using namespace mpit::compat;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPIT_ERR_INVALID;
    const auto* found = static_cast<const variable_record*>(the_performances.at(number));
    if (found == nullptr) return MPIT_ERR_INVALIDINDEX;
    name_text.put(unique_name{*found}.get());
    put(verbosity, verbosity_of(found->verbosity));
    put(varclass, draft_classes[static_cast<int>(found->variable_class)]);
    put(datatype, datatype_of(*found));
    put(count, static_cast<int>(found->count));
    description.put(found->description);
    put(assoc, resource_type_of(found->binding));
    put(attributes, MPIT_Perfvar_attributes{found->readonly ? 1 : 0, found->continuous ? 1 : 0});
    return MPIT_SUCCESS;
}

// MPIT_PERFVAR_ATTR_GET_READONLY(attributes, readonly). 0 or 1.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_attr_get_readonly, PMPIT_Perfvar_attr_get_readonly,
                      (MPIT_Perfvar_attributes * attributes, int* readonly)) {
    if (!mpit::compat::is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (attributes == nullptr || readonly == nullptr) return MPIT_ERR_INVALID;
    *readonly = attributes->mpit_readonly;
    return MPIT_SUCCESS;
}

// MPIT_PERFVAR_ATTR_GET_CONTINUOUS(attributes, continuous). 0 or 1.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_attr_get_continuous, PMPIT_Perfvar_attr_get_continuous,
                      (MPIT_Perfvar_attributes * attributes, int* continuous)) {
    if (!mpit::compat::is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (attributes == nullptr || continuous == nullptr) return MPIT_ERR_INVALID;
    *continuous = attributes->mpit_continuous;
    return MPIT_SUCCESS;
}

// MPIT_PERFVAR_SESSION_CREATE(session). A failure sets the session to null.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_session_create, PMPIT_Perfvar_session_create, (MPIT_Perfvar_session * session)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (session == nullptr) return MPIT_ERR_INVALID;
    std::uint64_t word = 0;
    const mpit::result answer = tools().sessions.create(tools().counting, word);
    *session = answer == mpit::result::success ? handle_of<MPIT_Perfvar_session>(word) : MPIT_PERFVAR_SESSION_NULL;
    return code_of(answer);
}

// MPIT_PERFVAR_SESSION_FREE(session). Frees the handles of the session as well.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_session_free, PMPIT_Perfvar_session_free, (MPIT_Perfvar_session * session)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (session == nullptr) return MPIT_ERR_INVALID;
    const mpit::result answer = tools().sessions.free(word_of(*session));
    if (answer == mpit::result::success) *session = MPIT_PERFVAR_SESSION_NULL;
    return code_of(answer);
}

// MPIT_PERFVAR_HANDLE_ALLOCATE(session, index, resource, handle). MPIT_ERR_INVALIDHANDLE if the resource is of another
// kind, or the object is none. A failure sets the handle to null.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_handle_allocate, PMPIT_Perfvar_handle_allocate,
                      (MPIT_Perfvar_session session, int number, MPIT_MPI_Resource resource,
                       MPIT_Perfvar_handle* handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (handle == nullptr) return MPIT_ERR_INVALID;
    *handle = MPIT_PERFVAR_HANDLE_NULL;
    if (!tools().sessions.is_session(word_of(session))) return MPIT_ERR_INVALIDSESSION;
    const auto* found = static_cast<const variable_record*>(the_performances.at(number));
    if (found == nullptr) return MPIT_ERR_INVALIDINDEX;
    const void* object = nullptr;
    if (!find_object(*found, resource, object)) return MPIT_ERR_INVALIDHANDLE;
    std::uint64_t word = 0;
    std::uint32_t elements = 0;
    const mpit::result answer =
        tools().allocate_performance(word_of(session), found->number.load(), object, word, elements);
    if (answer == mpit::result::success) *handle = handle_of<MPIT_Perfvar_handle>(word);
    return code_of(answer);
}

// MPIT_PERFVAR_HANDLE_FREE(session, handle)
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_handle_free, PMPIT_Perfvar_handle_free,
                      (MPIT_Perfvar_session session, MPIT_Perfvar_handle* handle)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (handle == nullptr) return MPIT_ERR_INVALID;
    const mpit::result answer = tools().sessions.free_handle(word_of(session), word_of(*handle));
    if (answer == mpit::result::success) *handle = MPIT_PERFVAR_HANDLE_NULL;
    return code_of(answer);
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
    return read_widened(session, handle, buf, [buf](std::uint64_t session_word, std::uint64_t word) {
        return tools().sessions.read(session_word, word, buf);
    });
}

// MPIT_PERFVAR_WRITE(session, handle, buf). MPIT_ERR_NOWRITE for a readonly variable, MPIT_ERR_INVALID for a value that
// the variable cannot have.
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

// MPIT_PERFVAR_READRESET(session, handle, buf). One step for every variable that can be reset; a readonly one is read,
// and the answer is MPIT_ERR_NOWRITE.
MPIT_C_FUNCTION_NAMED(MPIT_Perfvar_readreset, PMPIT_Perfvar_readreset,
                      (MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf)) {
    using namespace mpit::compat;
    const int code = read_widened(session, handle, buf, [buf](std::uint64_t session_word, std::uint64_t word) {
        return tools().sessions.read_and_reset_of_drafts(session_word, word, buf);
    });
    if (code != MPIT_ERR_NOWRITE) return code;
    const int read = PMPIT_Perfvar_read(session, handle, buf);
    return read == MPIT_SUCCESS ? MPIT_ERR_NOWRITE : read;
}
