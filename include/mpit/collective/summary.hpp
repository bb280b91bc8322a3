// SPDX-License-Identifier: BSD-3-Clause
// One summary over many processes for each element of a variable. All of them are combined in one reduction; they
// travel as bytes, so that all processes must have one machine architecture.
// One thread of each process calls reduce(), outside of signal handlers. A summary is a plain value.
//
//   std::vector<mpit::summary> mine = …;   mpit::reduce(comm, mine);   // now those of all processes
#pragma once

#include <mpit/collective/description.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// The `minimum`, `maximum` and `sum` over the processes that have the variable, in its unit. Whole numbers up to 64 bits are
// exact.
struct summary {
    long double minimum = 0, maximum = 0, sum = 0;
    int process_of_minimum = -1, process_of_maximum = -1; // the first one
    int processes = 0;                                    // that have the variable

    // The sum divided by the number of processes; 0 if no process has the variable.
    MPIT_MODULE_LOCAL long double mean() const noexcept { return processes == 0 ? 0 : sum / processes; }
    // Adds the summary of other processes.
    MPIT_MODULE_LOCAL void add(const summary& other) noexcept {
        if (other.processes == 0) return;
        const bool is_first = processes == 0;
        const auto take = [](bool is_better, bool is_equal, long double value, int process, long double& extreme,
                             int& holder) {
            if (!is_better && !(is_equal && process < holder)) return;
            extreme = value;
            holder = process;
        };
        take(is_first || other.minimum < minimum, other.minimum == minimum, other.minimum, other.process_of_minimum,
             minimum, process_of_minimum);
        take(is_first || other.maximum > maximum, other.maximum == maximum, other.maximum, other.process_of_maximum,
             maximum, process_of_maximum);
        sum += other.sum;
        processes += other.processes;
    }
};

namespace MPIT_MODULE_LOCAL detail {

inline void combine(void* source, void* target, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; i++) static_cast<summary*>(target)[i].add(static_cast<const summary*>(source)[i]);
}

// The elements of a value as numbers. Empty for a datatype that is not a number.
inline std::vector<long double> numbers_of(const void* value, int count, MPI_Datatype type) {
    std::vector<long double> numbers;
    const auto take = [&]<class T>(MPI_Datatype wanted, T) {
        if (type != wanted) return;
        for (int i = 0; i < count; i++) numbers.push_back(static_cast<long double>(static_cast<const T*>(value)[i]));
    };
    take(MPI_INT, int{});
    take(MPI_UNSIGNED, 0u);
    take(MPI_UNSIGNED_LONG, 0ul);
    take(MPI_UNSIGNED_LONG_LONG, 0ull);
    take(MPI_COUNT, MPI_Count{});
    take(MPI_DOUBLE, 0.0);
    take(MPI_INT32_T, std::int32_t{});
    take(MPI_INT64_T, std::int64_t{});
    take(MPI_UINT32_T, std::uint32_t{});
    take(MPI_UINT64_T, std::uint64_t{});
    return numbers;
}

} // namespace detail

// Combines the summaries of all processes, in each of them: one reduction for all elements, whatever their number.
MPIT_MODULE_LOCAL inline void reduce(MPI_Comm comm, std::vector<summary>& of_this_process) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op combination = MPI_OP_NULL;
    MPI_Type_contiguous(sizeof(summary), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(&detail::combine, 1, &combination);
    MPI_Allreduce(MPI_IN_PLACE, of_this_process.data(), static_cast<int>(of_this_process.size()), type, combination,
                  comm);
    MPI_Op_free(&combination);
    MPI_Type_free(&type);
}

} // namespace mpit

#pragma GCC diagnostic pop
