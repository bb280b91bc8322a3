// Between the words of the core and the constants of the header that the roof speaks. Their values differ between
// implementations, so each table names the constants, and belongs to its shared object alone.
//
//   mpit::c::constant_of(mpit::scope::local) == MPI_T_SCOPE_LOCAL
#pragma once

#include <mpit/c/roof.hpp>

namespace mpit::inline v0_1::c {

MPIT_MODULE_LOCAL inline int constant_of(verbosity v) noexcept {
    static constexpr int constants[verbosity_count] = {
        MPI_T_VERBOSITY_USER_BASIC,   MPI_T_VERBOSITY_USER_DETAIL,   MPI_T_VERBOSITY_USER_ALL,
        MPI_T_VERBOSITY_TUNER_BASIC,  MPI_T_VERBOSITY_TUNER_DETAIL,  MPI_T_VERBOSITY_TUNER_ALL,
        MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, MPI_T_VERBOSITY_MPIDEV_ALL,
    };
    return constants[static_cast<int>(v)];
}
MPIT_MODULE_LOCAL inline int constant_of(binding b) noexcept {
    static constexpr int constants[binding_count] = {
        MPI_T_BIND_NO_OBJECT, MPI_T_BIND_MPI_COMM, MPI_T_BIND_MPI_DATATYPE, MPI_T_BIND_MPI_ERRHANDLER,
        MPI_T_BIND_MPI_FILE,  MPI_T_BIND_MPI_GROUP, MPI_T_BIND_MPI_OP,      MPI_T_BIND_MPI_REQUEST,
        MPI_T_BIND_MPI_WIN,   MPI_T_BIND_MPI_MESSAGE, MPI_T_BIND_MPI_INFO,
        MPI_T_BIND_MPI_INFO + 1, // MPI_T_BIND_MPI_SESSION, where an mpi.h has it
    };
    return constants[static_cast<int>(b)];
}
MPIT_MODULE_LOCAL inline int constant_of(scope s) noexcept {
    static constexpr int constants[scope_count] = {
        MPI_T_SCOPE_CONSTANT, MPI_T_SCOPE_READONLY, MPI_T_SCOPE_LOCAL, MPI_T_SCOPE_GROUP,
        MPI_T_SCOPE_GROUP_EQ, MPI_T_SCOPE_ALL,      MPI_T_SCOPE_ALL_EQ,
    };
    return constants[static_cast<int>(s)];
}

// The word of a constant, by the table that has a constant for each word; false where it has not this one.
template <class Word, class Constant, int Count>
bool find_word(const Constant (&constants)[Count], Constant wanted, Word& word) noexcept {
    for (int i = 0; i < Count; i++) {
        if (constants[i] != wanted) continue;
        word = static_cast<Word>(i);
        return true;
    }
    return false;
}

MPIT_MODULE_LOCAL inline constexpr int class_constants[performance_class_count] = {
    MPI_T_PVAR_CLASS_STATE,         MPI_T_PVAR_CLASS_LEVEL,        MPI_T_PVAR_CLASS_SIZE,    MPI_T_PVAR_CLASS_PERCENTAGE,
    MPI_T_PVAR_CLASS_HIGHWATERMARK, MPI_T_PVAR_CLASS_LOWWATERMARK, MPI_T_PVAR_CLASS_COUNTER, MPI_T_PVAR_CLASS_AGGREGATE,
    MPI_T_PVAR_CLASS_TIMER,         MPI_T_PVAR_CLASS_GENERIC,
};
MPIT_MODULE_LOCAL inline int constant_of(performance_class c) noexcept { return class_constants[static_cast<int>(c)]; }
// False for what is no class.
MPIT_MODULE_LOCAL inline bool class_of(int constant, performance_class& c) noexcept {
    return find_word(class_constants, constant, c);
}

MPIT_MODULE_LOCAL inline constexpr int level_constants[thread_level_count] = {
    MPI_THREAD_SINGLE,
    MPI_THREAD_FUNNELED,
    MPI_THREAD_SERIALIZED,
    MPI_THREAD_MULTIPLE,
};
MPIT_MODULE_LOCAL inline int constant_of(thread_level l) noexcept { return level_constants[static_cast<int>(l)]; }
// False for what is no thread level.
MPIT_MODULE_LOCAL inline bool level_of(int constant, thread_level& l) noexcept {
    return find_word(level_constants, constant, l);
}

MPIT_MODULE_LOCAL inline constexpr MPI_T_cb_safety safety_constants[safety_count] = {
    MPI_T_CB_REQUIRE_NONE,
    MPI_T_CB_REQUIRE_MPI_RESTRICTED,
    MPI_T_CB_REQUIRE_THREAD_SAFE,
    MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE,
};
MPIT_MODULE_LOCAL inline MPI_T_cb_safety constant_of(safety s) noexcept { return safety_constants[static_cast<int>(s)]; }
// False for what is no level of safety.
MPIT_MODULE_LOCAL inline bool safety_of(MPI_T_cb_safety constant, safety& s) noexcept {
    return find_word(safety_constants, constant, s);
}
MPIT_MODULE_LOCAL inline MPI_T_source_order constant_of(ordering o) noexcept {
    return o == ordering::ordered ? MPI_T_SOURCE_ORDERED : MPI_T_SOURCE_UNORDERED;
}

MPIT_MODULE_LOCAL inline MPI_Datatype datatype_of(datatype t) noexcept {
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
    return MPI_INT;
}

// The index that tools see of one of the library's sources.
#if MPIT_C_IS_OWN
MPIT_MODULE_LOCAL int source_index_of(int own_number) noexcept; // mpit/stack/source.hpp
#else
MPIT_MODULE_LOCAL inline int source_index_of(int own_number) noexcept { return own_number; }
#endif

// The library's word for the handle that stands for all of a session differs from that of most headers.
MPIT_MODULE_LOCAL inline std::uint64_t performance_word_of(MPI_T_pvar_handle handle) noexcept {
    if (handle == MPI_T_PVAR_ALL_HANDLES) return session::all_handles;
    const std::uint64_t word = word_of(handle);
    return word == session::all_handles ? 0 : word;
}

// The handle of an enumeration is its number behind a tag, so that a foreign one is known as such.
inline constexpr std::uint64_t enumeration_tag = std::uint64_t{0xe1} << 56;
MPIT_MODULE_LOCAL inline MPI_T_enum enumeration_handle(const index::enumeration_record* e) noexcept {
    if (e == nullptr) return MPI_T_ENUM_NULL;
    return handle_of<MPI_T_enum>(enumeration_tag | static_cast<std::uint32_t>(e->number.load()));
}
MPIT_MODULE_LOCAL inline const index::enumeration_record* enumeration_record_of(MPI_T_enum handle) noexcept {
    const std::uint64_t number = word_of(handle) ^ enumeration_tag;
    if (number > INT_MAX) return nullptr;
    return static_cast<const index::enumeration_record*>(names().at(kind::enumeration, static_cast<int>(number)));
}

} // namespace mpit::c
