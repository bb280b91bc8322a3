// The variables of the counting layer, declared with mpit in a registry of their own: those of each function, their
// sums for each class of functions, and the same for each communicator.
//
//   ++functions.MPI_Send_calls;   functions.MPI_Send_time.add(nanoseconds);   communicators.of(comm).of_class[…].bytes += n;
#pragma once

#include "communicators.hpp"

namespace mpit_info {

using communicator_object = mpit::object<mpit::binding::communicator, MPI_Comm>;

template <function_class Class, auto Member> auto* located(MPI_Comm comm) noexcept {
    communicator* const there = communicators.find(comm);
    using cell = std::remove_reference_t<decltype(there->of_class[0].*Member)>;
    if (there == nullptr || there->is_freed.load()) return static_cast<cell*>(nullptr);
    return &(there->of_class[static_cast<std::size_t>(Class)].*Member);
}

struct function_variables : mpit::category<"mpi_functions", "Calls of each function of the MPI, counted by mpit-info"> {
#define MPIT_INFO_VARIABLES
#include "counting.inc"
#undef MPIT_INFO_VARIABLES
    mpit::counter<> late_senders{this, "late_senders",
                                 "Receives, probes and waits that took longer than the transfer: an estimate"};
};
inline constexpr auto& functions = mpit::registered<function_variables>;

// The cells of a function; null if the function has none of that kind.
struct function_cells {
    const char* name;
    function_class of;
    mpit::counter<>* calls;
    mpit::aggregate<>* bytes;
    mpit::timer* time;
    mpit::timer* waited;
};
inline constexpr function_cells all_functions[] = {
#define MPIT_INFO_CELLS
#include "counting.inc"
#undef MPIT_INFO_CELLS
};

template <function_class Class, class Cell> std::uint64_t total(Cell* function_cells::* member) noexcept {
    std::uint64_t sum = 0;
    for (const function_cells& each : all_functions)
        if (each.of == Class && each.*member != nullptr) sum += (each.*member)->word();
    return sum;
}
template <function_class Class> unsigned long long total_calls() noexcept {
    return total<Class>(&function_cells::calls);
}
template <function_class Class> unsigned long long total_bytes() noexcept {
    return total<Class>(&function_cells::bytes);
}
template <function_class Class> double total_time() noexcept {
    return static_cast<double>(total<Class>(&function_cells::time)) * 1e-9;
}
template <function_class Class> double total_waited() noexcept {
    return static_cast<double>(total<Class>(&function_cells::waited)) * 1e-9;
}

struct class_variables
    : mpit::category<"mpi_calls", "Calls of each class of functions of the MPI, counted by mpit-info"> {
#define MPIT_INFO_COMPUTED
#include "counting.inc"
#undef MPIT_INFO_COMPUTED
};
inline constexpr auto& class_totals = mpit::registered<class_variables>;

struct communicator_variables
    : mpit::category<"mpi_communicators",
                     "Calls of each class of functions in each communicator, counted by mpit-info"> {
#define MPIT_INFO_BOUND
#include "counting.inc"
#undef MPIT_INFO_BOUND
};
inline constexpr auto& in_communicators = mpit::registered<communicator_variables>;

} // namespace mpit_info
