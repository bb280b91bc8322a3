// SPDX-License-Identifier: BSD-3-Clause
// The constants of the standard as enumerations. Their numeric values belong to mpit: the shims translate them to and
// from the constants of the mpi.h in use. Models MPI-5.0, 15.3.1, 15.3.2, 15.3.5 to 15.3.8 and 15.3.10.
//
//   mpit::verbosity level = mpit::verbosity::tuner_basic;
#pragma once

#include <mpit/config.hpp>

#include <cstdint>

namespace mpit::inline v0_1 {

// The result of a call; the shims translate it to MPI_SUCCESS or one of the MPI_T_ERR_ codes.
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
    cannot_set_now,
    cannot_set_ever,
    cannot_write,
    cannot_start_or_stop,
    not_atomic,
    // Results of the typed reader alone (tool.hpp):
    wrong_type,
    wrong_count,
    field_in_use,
};

// The users of a variable (MPI_T_VERBOSITY_*), and the level of detail at which it is shown.
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

// The kind of MPI object that a variable belongs to.
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

// Whether a control variable can be changed, and in which processes together (MPI_T_SCOPE_*).
enum class scope : std::uint8_t { constant, readonly, local, group, group_equal, all, all_equal };

// The unit of a number: values of bytes from outside the library may be spelled as 64k or 2MiB.
enum class unit : std::uint8_t { none, bytes };

// The origin of a control variable's value: the library, which declares an initial value, or a source outside the
// library. Later assignments by the library are not counted as an origin. An enumerator has precedence over those
// before it; the order of those between `library` and `tool` can be changed with mpit::set_order().
enum class origin : std::uint8_t { library, configuration, environment, command_line, info, tool };

// The class of a performance variable: what its value represents.
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

// The eleven basic types that a value may have.
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

// The level of thread support that a tool requires: MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE.
enum class thread_level : std::uint8_t { single, funneled, serialized, multiple };

// The safety level of a callback (MPI_T_CB_REQUIRE_*), each stricter than the one before: no restriction; calls of the
// tool interface only; these, beside callbacks in other threads; these, in a signal handler.
enum class safety : std::uint8_t { none, restricted, thread_safe, async_signal_safe };

// Ordered: the time stamps of a source's events never decrease in the sequence in which a callback receives them.
enum class ordering : std::uint8_t { ordered, unordered };

// The number of enumerators of each enumeration.
inline constexpr int verbosity_count = 9;
inline constexpr int binding_count = 12;
inline constexpr int scope_count = 7;
inline constexpr int origin_count = 6;
inline constexpr int performance_class_count = 10;
inline constexpr int datatype_count = 11;
inline constexpr int thread_level_count = 4;
inline constexpr int safety_count = 4;

} // namespace mpit
