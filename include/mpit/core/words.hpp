// SPDX-License-Identifier: BSD-3-Clause
// Enumerations for the constants of MPI-5.0, 15.3.1, 15.3.2, 15.3.5 to 15.3.8 and 15.3.10. The enumerators have numbers
// of their own, which the MPI_T functions of mpit convert to and from the constants in mpi.h.
//
//   mpit::verbosity level = mpit::verbosity::tuner_basic;
#pragma once

#include <mpit/config.hpp>

#include <cstdint>

namespace mpit::inline v1_0 {

// The result of a tool-interface call. The MPI_T functions return MPI_SUCCESS or an MPI_T_ERR_ code for each result.
enum class [[nodiscard]] result : std::uint8_t {
    success,
    cannot_initialize,
    not_accessible,
    not_initialized,
    not_supported,
    out_of_memory,
    invalid,
    invalid_index,
    invalid_item,
    invalid_session,
    invalid_handle,
    invalid_name,
    out_of_handles,
    out_of_sessions,
    set_not_now,
    set_never,
    cannot_write,
    cannot_start_or_stop,
    not_atomic,
    // Only the C++ reader interface in tool.hpp returns the following results.
    wrong_type,
    wrong_count,
    field_in_use,
};

// The verbosity of a variable, which names its intended users and the level of detail (MPI_T_VERBOSITY_*).
enum class verbosity : std::uint8_t {
    user_basic,
    user_detail,
    user_all,
    tuner_basic,
    tuner_detail,
    tuner_all,
    developer_basic,
    developer_detail,
    developer_all,
};

// The kind of MPI object to which a variable is bound.
enum class binding : std::uint8_t {
    none,
    communicator,
    datatype,
    error_handler,
    file,
    group,
    operation,
    request,
    window,
    message,
    info,
    session,
};

// Tells whether a control variable can be changed, and which processes must change it together (MPI_T_SCOPE_*).
enum class scope : std::uint8_t { constant, readonly, local, group, group_equal, all, all_equal };

// The unit of a variable. A configuration file may spell a value in bytes as 64k or 2MiB.
enum class unit : std::uint8_t { none, bytes };

// The origin of a control variable's value, such as the environment. `library` means the initial value that the library
// declares. If the library assigns a value while it runs, the origin stays the same. An origin later in this list has
// precedence over an earlier origin. mpit::set_order_of_origins() changes the order of the origins between `library`
// and `tool`.
enum class origin : std::uint8_t { library, configuration, environment, command_line, info, tool };

// The class of a performance variable, which defines what the value of the variable represents (MPI_T_PVAR_CLASS_*).
enum class performance_class : std::uint8_t {
    state,
    level,
    size,
    percentage,
    high_watermark,
    low_watermark,
    counter,
    aggregate,
    timer,
    generic,
};

// The eleven basic datatypes that the value of a variable may have.
enum class datatype : std::uint8_t {
    int_type,
    unsigned_type,
    unsigned_long_type,
    unsigned_long_long_type,
    double_type,
    int32_type,
    int64_type,
    uint32_type,
    uint64_type,
    count_type,
    char_type,
};

// The level of thread support that a tool requires, from MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE.
enum class thread_level : std::uint8_t { single, funneled, serialized, multiple };

// The safety level of a callback (MPI_T_CB_REQUIRE_*). A restricted callback may call only functions of the tool
// interface. A thread-safe callback may run in several threads at once, and an async-signal-safe callback also in a
// signal handler.
enum class safety : std::uint8_t { none, restricted, thread_safe, async_signal_safe };

// The ordering of an event source. A callback receives the events of an ordered source with non-decreasing time stamps.
enum class ordering : std::uint8_t { ordered, unordered };

// The number of enumerators of each enumeration in this file. For the library's own use.
inline constexpr int verbosity_count = 9;
inline constexpr int binding_count = 12;
inline constexpr int scope_count = 7;
inline constexpr int origin_count = 6;
inline constexpr int performance_class_count = 10;
inline constexpr int datatype_count = 11;
inline constexpr int thread_level_count = 4;
inline constexpr int safety_count = 4;

} // namespace mpit
