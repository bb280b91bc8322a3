// SPDX-License-Identifier: BSD-3-Clause
// Translates between mpit's enumerations (core/words.hpp) and the constants of the included mpi.h. Each shared object
// has its own tables of constants, because the constants differ between MPIs. The MPI_T functions (mpit/mpi_t.hpp) and
// the headers in mpit/host use the translation. Any thread and any signal handler may call the functions, which read
// only the values of constants.
//
//   #define MPIT_MPI_HEADER <mpi.h>      // mpit/mpi_t.h is the default
//   mpit::mpi_t::constant_of(mpit::scope::local) == MPI_T_SCOPE_LOCAL
#pragma once

// MPIT_MPI_HEADER, by default not defined, names the mpi.h that mpit includes, as in `#define MPIT_MPI_HEADER <mpi.h>`.
// The MPI_T functions then have the types and constants of this mpi.h, and the functions of mpit/mpi_t.hpp pass no call
// on to another MPI. Without an MPIT_MPI_HEADER, mpit/mpi_t.h has the types and constants of the MPI-5.0 ABI.
#ifdef MPIT_MPI_HEADER
#include MPIT_MPI_HEADER
#endif
#include <mpit/config.hpp>
#include <mpit/core/words.hpp>
#include <mpit/mpi_t.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// Finds the enumerator for a constant of mpi.h. Returns false if the table does not contain the constant. For the
// library's own use.
template <class Enum, class Constant, std::size_t Count>
bool find_enum(const Constant (&constants)[Count], Constant constant, Enum& enumerator) noexcept {
    for (std::size_t i = 0; i < Count; i++) {
        if (constants[i] != constant) continue;
        enumerator = static_cast<Enum>(i);
        return true;
    }
    return false;
}

// Returns true if each constant is the constant before it plus 1. For the library's own use.
template <std::size_t Count> constexpr bool are_consecutive(const int (&constants)[Count]) noexcept {
    for (std::size_t i = 0; i < Count; i++)
        if (constants[i] != constants[0] + static_cast<int>(i)) return false;
    return true;
}

// Returns the constant of mpi.h for an enumerator. Addition suffices if the constants are consecutive, as in most MPIs.
// For the library's own use.
template <const auto& Constants, class Enum> int constant_in(Enum enumerator) noexcept {
    if constexpr (are_consecutive(Constants)) return Constants[0] + static_cast<int>(enumerator);
    return Constants[static_cast<int>(enumerator)];
}

// For each enumeration, the constants of mpi.h in the order of the enumerators. For the library's own use.
inline constexpr int verbosity_constants[verbosity_count] = {
    MPI_T_VERBOSITY_USER_BASIC,   MPI_T_VERBOSITY_USER_DETAIL,   MPI_T_VERBOSITY_USER_ALL,
    MPI_T_VERBOSITY_TUNER_BASIC,  MPI_T_VERBOSITY_TUNER_DETAIL,  MPI_T_VERBOSITY_TUNER_ALL,
    MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, MPI_T_VERBOSITY_MPIDEV_ALL,
};
inline constexpr int binding_constants[binding_count] = {
    MPI_T_BIND_NO_OBJECT,    MPI_T_BIND_MPI_COMM,    MPI_T_BIND_MPI_DATATYPE, MPI_T_BIND_MPI_ERRHANDLER,
    MPI_T_BIND_MPI_FILE,     MPI_T_BIND_MPI_GROUP,   MPI_T_BIND_MPI_OP,       MPI_T_BIND_MPI_REQUEST,
    MPI_T_BIND_MPI_WIN,      MPI_T_BIND_MPI_MESSAGE, MPI_T_BIND_MPI_INFO,
    MPI_T_BIND_MPI_INFO + 1, // MPI_T_BIND_MPI_SESSION, a name that older mpi.h headers lack
};
inline constexpr int scope_constants[scope_count] = {
    MPI_T_SCOPE_CONSTANT, MPI_T_SCOPE_READONLY, MPI_T_SCOPE_LOCAL,  MPI_T_SCOPE_GROUP,
    MPI_T_SCOPE_GROUP_EQ, MPI_T_SCOPE_ALL,      MPI_T_SCOPE_ALL_EQ,
};
inline constexpr int class_constants[performance_class_count] = {
    MPI_T_PVAR_CLASS_STATE,      MPI_T_PVAR_CLASS_LEVEL,         MPI_T_PVAR_CLASS_SIZE,
    MPI_T_PVAR_CLASS_PERCENTAGE, MPI_T_PVAR_CLASS_HIGHWATERMARK, MPI_T_PVAR_CLASS_LOWWATERMARK,
    MPI_T_PVAR_CLASS_COUNTER,    MPI_T_PVAR_CLASS_AGGREGATE,     MPI_T_PVAR_CLASS_TIMER,
    MPI_T_PVAR_CLASS_GENERIC,
};
inline constexpr int level_constants[thread_level_count] = {
    MPI_THREAD_SINGLE,
    MPI_THREAD_FUNNELED,
    MPI_THREAD_SERIALIZED,
    MPI_THREAD_MULTIPLE,
};
inline constexpr MPI_T_cb_safety safety_constants[safety_count] = {
    MPI_T_CB_REQUIRE_NONE,
    MPI_T_CB_REQUIRE_MPI_RESTRICTED,
    MPI_T_CB_REQUIRE_THREAD_SAFE,
    MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE,
};

// Returns the constant of mpi.h for an enumerator.
inline int constant_of(verbosity v) noexcept { return constant_in<verbosity_constants>(v); }
inline int constant_of(binding b) noexcept { return constant_in<binding_constants>(b); }
inline int constant_of(scope s) noexcept { return constant_in<scope_constants>(s); }
inline int constant_of(performance_class c) noexcept { return constant_in<class_constants>(c); }
inline int constant_of(thread_level l) noexcept { return constant_in<level_constants>(l); }
inline MPI_T_cb_safety constant_of(safety s) noexcept { return safety_constants[static_cast<int>(s)]; }
inline MPI_T_source_order constant_of(ordering o) noexcept {
    return o == ordering::ordered ? MPI_T_SOURCE_ORDERED : MPI_T_SOURCE_UNORDERED;
}

// Stores the verbosity that a constant stands for. Returns false if `constant` is not a verbosity.
inline bool verbosity_of(int constant, verbosity& v) noexcept { return find_enum(verbosity_constants, constant, v); }

// Stores the kind of MPI object that a constant stands for. Returns false if `constant` is not such a kind.
inline bool binding_of(int constant, binding& b) noexcept { return find_enum(binding_constants, constant, b); }

// Stores the scope that a constant stands for. Returns false if `constant` is not a scope.
inline bool scope_of(int constant, scope& s) noexcept { return find_enum(scope_constants, constant, s); }

// Stores the class of performance variables that a constant stands for. Returns false if `constant` is not a class.
// Every look-up of a performance variable by name calls class_of(). A loop is needed only if the class constants are
// not consecutive, and no such mpi.h is known.
inline bool class_of(int constant, performance_class& c) noexcept {
    if constexpr (are_consecutive(class_constants)) {
        const unsigned index = static_cast<unsigned>(constant) - static_cast<unsigned>(class_constants[0]);
        if (index >= static_cast<unsigned>(performance_class_count)) return false;
        c = static_cast<performance_class>(index);
        return true;
    } else {
        return find_enum(class_constants, constant, c);
    }
}

// Stores the level of thread support that a constant stands for. Returns false if `constant` is not a level.
inline bool level_of(int constant, thread_level& l) noexcept { return find_enum(level_constants, constant, l); }

// Stores the safety level that a constant stands for. Returns false if `constant` is not a safety level.
inline bool safety_of(MPI_T_cb_safety constant, safety& s) noexcept { return find_enum(safety_constants, constant, s); }

// Returns the datatype of mpi.h for a datatype of the library.
inline MPI_Datatype constant_of(datatype t) noexcept {
    switch (t) {
    case datatype::int_type: return MPI_INT;
    case datatype::unsigned_type: return MPI_UNSIGNED;
    case datatype::unsigned_long_type: return MPI_UNSIGNED_LONG;
    case datatype::unsigned_long_long_type: return MPI_UNSIGNED_LONG_LONG;
    case datatype::double_type: return MPI_DOUBLE;
    case datatype::int32_type: return MPI_INT32_T;
    case datatype::int64_type: return MPI_INT64_T;
    case datatype::uint32_type: return MPI_UINT32_T;
    case datatype::uint64_type: return MPI_UINT64_T;
    case datatype::count_type: return MPI_COUNT;
    case datatype::char_type: return MPI_CHAR;
    }
    __builtin_unreachable();
}
// Stores the datatype that a datatype of mpi.h stands for. Returns false if `constant` is not one of the eleven
// datatypes that variables can have. MPI_LONG and MPI_LONG_LONG are converted to datatype::int64_type.
inline bool datatype_of(MPI_Datatype constant, datatype& t) noexcept {
    for (int i = 0; i < datatype_count; i++) {
        t = static_cast<datatype>(i);
        if (constant_of(t) == constant) return true;
    }
#if defined(MPI_LONG) && defined(MPI_LONG_LONG)
    t = datatype::int64_type;
    return constant == MPI_LONG || constant == MPI_LONG_LONG;
#else
    return false;
#endif
}

// Returns the MPI error code for a result of the library (MPI-5.0, 15.3.10).
inline int code_of(result status) noexcept {
    switch (status) {
    case result::success: return MPI_SUCCESS;
    case result::cannot_initialize: return MPI_T_ERR_CANNOT_INIT;
#if defined(MPI_T_ERR_INVALID) && !defined(MPI_T_ERR_NOT_ACCESSIBLE) // an mpi.h without the newer error code
    case result::not_accessible: return MPI_T_ERR_INVALID;
#else
    case result::not_accessible: return MPI_T_ERR_NOT_ACCESSIBLE;
#endif
    case result::not_initialized: return MPI_T_ERR_NOT_INITIALIZED;
#if defined(MPI_T_ERR_INVALID) && !defined(MPI_T_ERR_NOT_SUPPORTED)
    case result::not_supported: return MPI_T_ERR_INVALID;
#else
    case result::not_supported: return MPI_T_ERR_NOT_SUPPORTED;
#endif
    case result::out_of_memory: return MPI_T_ERR_MEMORY;
    case result::invalid: return MPI_T_ERR_INVALID;
    case result::invalid_index: return MPI_T_ERR_INVALID_INDEX;
    case result::invalid_item: return MPI_T_ERR_INVALID_ITEM;
    case result::invalid_session: return MPI_T_ERR_INVALID_SESSION;
    case result::invalid_handle: return MPI_T_ERR_INVALID_HANDLE;
    case result::invalid_name: return MPI_T_ERR_INVALID_NAME;
    case result::out_of_handles: return MPI_T_ERR_OUT_OF_HANDLES;
    case result::out_of_sessions: return MPI_T_ERR_OUT_OF_SESSIONS;
    case result::set_not_now: return MPI_T_ERR_CVAR_SET_NOT_NOW;
    case result::set_never: return MPI_T_ERR_CVAR_SET_NEVER;
    case result::cannot_write: return MPI_T_ERR_PVAR_NO_WRITE;
    case result::cannot_start_or_stop: return MPI_T_ERR_PVAR_NO_STARTSTOP;
    case result::not_atomic: return MPI_T_ERR_PVAR_NO_ATOMIC;
    case result::wrong_type:
    case result::wrong_count:
    case result::field_in_use: return MPI_T_ERR_INVALID;
    }
    return MPI_T_ERR_INVALID;
}

// Returns the library's result for an MPI error code, or result::invalid for an unknown code. If the mpi.h lacks newer
// error codes, MPI_T_ERR_INVALID stands for several results and becomes result::invalid.
inline result result_of(int code) noexcept {
    if (code == MPI_T_ERR_INVALID) return result::invalid;
    for (int i = 0; i <= static_cast<int>(result::not_atomic); i++)
        if (code_of(static_cast<result>(i)) == code) return static_cast<result>(i);
    return result::invalid;
}

} // namespace mpi_t
} // namespace mpit
