// What is kept of the host's things, and of the categories, which both have. Of our other things only what merged_entry has is
// kept: the rest is asked for where it is needed.
//
//   auto& v = static_cast<host_variable&>(*controls.at(3));   v.is_of_host && v.scope == MPI_T_SCOPE_ALL
#pragma once

#include <mpit/c/own.hpp>
#include <mpit/stack/merged_numbers.hpp>

namespace mpit::inline v0_1::stack {

// A scope for control variables; for performance variables the three flags.
struct host_variable : merged_entry {
    int verbosity = 0;
    int bind = 0;
    int scope = 0;
    int readonly = 0;
    int continuous = 0;
    int atomically = 0;
    MPI_Datatype datatype{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL; // as tools see it
};

struct host_event : merged_entry {
    int verbosity = 0;
    int bind = 0;
    int element_count = 0;
    MPI_Datatype* datatypes = nullptr; // one of each element, and its displacement
    MPI_Aint* displacements = nullptr;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
};

struct host_source : merged_entry {
    MPI_T_source_order ordering{};
    MPI_Count ticks_per_second = 0;
    MPI_Count max_ticks = 0;
};

// The members of each kind that tools see, by their numbers; they are only added.
struct merged_member {
    int number = -1;
    atomic<merged_member*> next;
};
struct merged_members {
    atomic<merged_member*> first;
    merged_member* last = nullptr;
    atomic<int> count;
};

// A category of the host, of ours, or of both.
struct merged_category : merged_entry {
    merged_members controls, performances, categories, events;
};

} // namespace mpit::stack
