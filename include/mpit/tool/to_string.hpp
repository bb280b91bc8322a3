// SPDX-License-Identifier: BSD-3-Clause
// Converts enumerators and results of mpit to texts. Any thread and any signal handler may call the functions, because
// they have no state. The returned texts are constants and never null.
//
//   std::printf("%s", name_of(mpit::verbosity::tuner_basic));   // tuner_basic
#pragma once

#include <mpit/begin.hpp>

#include <mpit/core/words.hpp>

namespace mpit::inline v1_0 {

// Returns the name of an enumerator as written in the source, such as "tuner_basic".
constexpr const char* name_of(verbosity value) noexcept {
    constexpr const char* names[verbosity_count] = {"user_basic",      "user_detail",      "user_all",
                                                    "tuner_basic",     "tuner_detail",     "tuner_all",
                                                    "developer_basic", "developer_detail", "developer_all"};
    return names[static_cast<int>(value)];
}
constexpr const char* name_of(binding value) noexcept {
    constexpr const char* names[binding_count] = {"none",   "communicator", "datatype",  "error_handler",
                                                  "file",   "group",        "operation", "request",
                                                  "window", "message",      "info",      "session"};
    return names[static_cast<int>(value)];
}
constexpr const char* name_of(scope value) noexcept {
    constexpr const char* names[scope_count] = {"constant",    "readonly", "local",    "group",
                                                "group_equal", "all",      "all_equal"};
    return names[static_cast<int>(value)];
}
constexpr const char* name_of(performance_class value) noexcept {
    constexpr const char* names[performance_class_count] = {"state",          "level",         "size",    "percentage",
                                                            "high_watermark", "low_watermark", "counter", "aggregate",
                                                            "timer",          "generic"};
    return names[static_cast<int>(value)];
}
constexpr const char* name_of(datatype value) noexcept {
    constexpr const char* names[] = {"int",    "unsigned", "unsigned_long", "unsigned_long_long",
                                     "double", "int32",    "int64",         "uint32",
                                     "uint64", "count",    "char"};
    return names[static_cast<int>(value)];
}
constexpr const char* name_of(origin value) noexcept {
    constexpr const char* names[] = {"library", "configuration", "environment", "command_line", "info", "tool"};
    return names[static_cast<int>(value)];
}
constexpr const char* name_of(ordering value) noexcept { return value == ordering::ordered ? "ordered" : "unordered"; }

// Returns a text that explains a result to the caller of a function.
constexpr const char* to_string(result code) noexcept {
    switch (code) {
    case result::success: return "success";
    case result::cannot_initialize: return "the tool interface cannot be initialized";
    case result::not_accessible: return "the requested item is not accessible";
    case result::not_initialized: return "the tool interface is not initialized";
    case result::not_supported: return "the call is not supported";
    case result::out_of_memory: return "memory is exhausted";
    case result::invalid: return "an argument is not valid";
    case result::invalid_index: return "the index is not valid, or the library of the variable is not loaded";
    case result::invalid_item: return "the enumeration has no item of this index";
    case result::invalid_session: return "the session handle is not valid";
    case result::invalid_handle: return "the handle is not valid, or its object or library does not exist any more";
    case result::invalid_name: return "there is no item of this kind and name";
    case result::out_of_handles: return "no more handles can be allocated";
    case result::out_of_sessions: return "no more sessions can be created";
    case result::set_not_now: return "the variable cannot be set at this time";
    case result::set_never: return "the variable cannot be set";
    case result::cannot_write: return "the variable cannot be written or reset";
    case result::cannot_start_or_stop: return "the variable cannot be started or stopped";
    case result::not_atomic: return "the variable cannot be read and reset in one step";
    case result::wrong_type: return "the variable has another type";
    case result::wrong_count: return "the variable has another number of elements";
    case result::field_in_use: return "the field is already used for another variable";
    }
    return "unknown";
}

namespace tool {
// The namespace mpit::tool has the functions name_of() and to_string(), too.
using v1_0::name_of;
using v1_0::to_string;
} // namespace tool

} // namespace mpit

#pragma GCC diagnostic pop // of begin.hpp
