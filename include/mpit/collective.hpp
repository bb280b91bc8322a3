// SPDX-License-Identifier: BSD-3-Clause
// The variables of all processes of a communicator: whether they agree, one value for a control variable in all
// processes or in none, and what performance variables have measured in all of them. Whether they agree is a
// fingerprint first, which costs one small reduction, and the differences if it differs. It uses the tool interface of
// the MPI in use. Every function is collective: all processes call it with the same arguments. One thread of each
// process calls it, outside of signal handlers: the functions wait for the other processes and allocate.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/collective.hpp>
//   mpit::across all{MPI_COMM_WORLD};   all.write("EAGER_LIMIT", 4096);
//   mpit::across::measurement sent = all.measure({{"messages_sent", MPI_T_PVAR_CLASS_COUNTER}});   sent.now()[0][0].sum
#pragma once

#include <mpit/begin.hpp>

#include <mpit/collective/description.hpp>

#include <cstring>
#include <map>

namespace mpit::inline v0_1 {

namespace MPIT_MODULE_LOCAL detail {

// The same for the same facts in any order.
inline std::uint64_t fingerprint_of(const std::vector<fact>& facts) {
    std::uint64_t sum = facts.size();
    for (const fact& each : facts) sum += each.hash();
    return sum;
}

// Null characters part the texts of a list, so that it can be sent as one piece.
inline std::string packed(const std::vector<fact>& facts) {
    std::string all;
    for (const fact& each : facts)
        for (const std::string* part : {&each.subject, &each.aspect, &each.value}) all += *part + '\0';
    return all;
}
inline std::vector<std::string> texts_of(const std::string& all) {
    std::vector<std::string> texts;
    for (std::size_t offset = 0; offset < all.size(); offset += texts.back().size() + 1)
        texts.emplace_back(all.c_str() + offset);
    return texts;
}
inline std::vector<fact> description_of(const std::string& all) {
    const std::vector<std::string> texts = texts_of(all);
    std::vector<fact> facts;
    for (std::size_t i = 0; i + 2 < texts.size(); i += 3) facts.push_back({texts[i], texts[i + 1], texts[i + 2]});
    return facts;
}

// The text of the first process, for all.
inline std::string from_the_first(MPI_Comm comm, std::string text) {
    int length = static_cast<int>(text.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, comm);
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm);
    return text;
}

// The facts of this process that the first process lacks, and the reverse.
inline std::vector<std::string> differences_between(const std::vector<fact>& first, const std::vector<fact>& here) {
    std::map<std::pair<std::string, std::string>, std::pair<const fact*, const fact*>> both;
    for (const fact& each : first) both[{each.subject, each.aspect}].first = &each;
    for (const fact& each : here) both[{each.subject, each.aspect}].second = &each;
    std::vector<std::string> found;
    for (const auto& [what, values] : both) {
        const auto& [subject, aspect] = what;
        const auto& [there, mine] = values;
        if (aspect.empty() && there == nullptr) found.push_back(subject + " is not in process 0, and in");
        else if (aspect.empty() && mine == nullptr) found.push_back(subject + " is in process 0, and not in");
        else if (there != nullptr && mine != nullptr && there->value != mine->value)
            found.push_back(subject + ": " + aspect + " \"" + there->value + "\" in process 0, and \"" + mine->value +
                            "\" in");
    }
    return found;
}

// "process 1", "processes 1, 3 to 7".
inline std::string to_string(const std::vector<int>& processes) {
    std::string words = processes.size() == 1 ? "process " : "processes ";
    for (std::size_t i = 0; i < processes.size();) {
        std::size_t last = i;
        while (last + 1 < processes.size() && processes[last + 1] == processes[last] + 1) last++;
        words += (i == 0 ? "" : ", ") + std::to_string(processes[i]);
        if (last > i + 1) words += " to " + std::to_string(processes[last]);
        else last = i;
        i = last + 1;
    }
    return words;
}

// The lines of all processes at the first one, equal ones made one.
inline std::string gathered(MPI_Comm comm, const std::vector<std::string>& mine) {
    std::string own;
    for (const std::string& each : mine) own += each + '\0';
    int length = static_cast<int>(own.size()), rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    std::vector<int> lengths(static_cast<std::size_t>(size)), begins(lengths.size());
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm);
    for (std::size_t i = 1; i < begins.size(); i++) begins[i] = begins[i - 1] + lengths[i - 1];
    std::string all(static_cast<std::size_t>(begins.back() + lengths.back()), '\0');
    MPI_Gatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(), MPI_CHAR, 0, comm);
    std::map<std::string, std::vector<int>> processes;
    if (rank == 0)
        for (int i = 0; i < size; i++) {
            const auto process = static_cast<std::size_t>(i);
            for (const std::string& line : texts_of(
                     all.substr(static_cast<std::size_t>(begins[process]), static_cast<std::size_t>(lengths[process]))))
                processes[line].push_back(i);
        }
    std::string merged;
    for (const auto& [line, numbers] : processes) merged += line + " " + to_string(numbers) + '\0';
    return merged;
}

inline bool do_agree(MPI_Comm comm, const std::vector<fact>& here) {
    const std::uint64_t print = fingerprint_of(here);
    std::uint64_t both[2] = {print, ~print}, greatest[2] = {};
    MPI_Allreduce(both, greatest, 2, MPI_UINT64_T, MPI_MAX, comm);
    return greatest[0] == ~greatest[1];
}

} // namespace detail

// Whether all processes of the communicator say the same of the same names, and have the same names.
MPIT_MODULE_LOCAL inline bool do_agree(MPI_Comm comm) { return detail::do_agree(comm, description_of_this_process()); }

// One sentence for each difference, with the processes that differ from the first one; all of them get the same answer.
MPIT_MODULE_LOCAL inline std::vector<std::string> differences(MPI_Comm comm) {
    const std::vector<fact> here = description_of_this_process();
    if (detail::do_agree(comm, here)) return {};
    const std::vector<fact> first = detail::description_of(detail::from_the_first(comm, detail::packed(here)));
    return detail::texts_of(
        detail::from_the_first(comm, detail::gathered(comm, detail::differences_between(first, here))));
}

// The `minimum`, `maximum` and `sum` over the processes that have the variable, in its unit. Whole numbers up to 64
// bits are exact.
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

// Combines the summaries of all processes, in each of them: one reduction for all elements, whatever their number. They
// travel as bytes, so that all processes must have one machine architecture.
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

// The processes of a communicator. Names, classes and constants are those of MPI-5.0, 15.3; the caller initializes the
// tool interface. Errors of the communicator itself go to its error handler.
class across {
public:
    MPIT_MODULE_LOCAL explicit across(MPI_Comm comm) noexcept : comm_{comm} {}

    // Whether all have variables, events and categories of the same names, descriptions and datatypes: one small
    // reduction.
    MPIT_MODULE_LOCAL bool do_agree() const { return mpit::do_agree(comm_); }
    // A sentence for each difference, the same in every process; none if all agree.
    MPIT_MODULE_LOCAL std::vector<std::string> differences() const { return mpit::differences(comm_); }

    // `value` has the type and the number of elements of the variable. MPI_SUCCESS where every process has written it;
    // else the answer of one that has not, such as MPI_T_ERR_INVALID_NAME, MPI_T_ERR_CVAR_SET_NOT_NOW or
    // MPI_T_ERR_CVAR_SET_NEVER, and every process has the value that it had before. MPI_T_ERR_INVALID if a variable
    // that must be equal everywhere gets different values.
    MPIT_MODULE_LOCAL int write(const char* name, const void* value) const {
        control_handle variable{name};
        if (variable.answer == MPI_SUCCESS &&
            (variable.scope == MPI_T_SCOPE_CONSTANT || variable.scope == MPI_T_SCOPE_READONLY))
            variable.answer = MPI_T_ERR_CVAR_SET_NEVER;
        std::vector<char> previous(variable.bytes);
        if (variable.answer == MPI_SUCCESS) variable.answer = MPI_T_cvar_read(variable.handle, previous.data());
        const bool must_be_equal = variable.scope == MPI_T_SCOPE_GROUP_EQ || variable.scope == MPI_T_SCOPE_ALL_EQ;
        const std::uint64_t print =
            must_be_equal ? core::hash({static_cast<const char*>(value), static_cast<std::uint32_t>(variable.bytes)}, 0)
                          : 0;
        int answer = worst(variable.answer, print);
        if (answer != MPI_SUCCESS) return answer;
        const int written = MPI_T_cvar_write(variable.handle, value);
        answer = worst(written, 0);
        if (answer != MPI_SUCCESS && written == MPI_SUCCESS) MPI_T_cvar_write(variable.handle, previous.data());
        return answer;
    }
    MPIT_MODULE_LOCAL int write(const char* name, int value) const {
        return write(name, static_cast<const void*>(&value));
    }

    // A performance variable by `name` and `variable_class` (MPI_T_PVAR_CLASS_COUNTER), and in `object_handle` the
    // address of its object's handle, or null.
    struct chosen {
        const char* name;
        int variable_class;
        void* object_handle = nullptr;
    };
    // Performance variables that are measured in a session of its own, from now on.
    class measurement {
    public:
        MPIT_MODULE_LOCAL measurement(MPI_Comm comm, const std::vector<chosen>& variables) : comm_{comm} {
            MPI_T_pvar_session_create(&session_);
            for (const chosen& each : variables) handles_.push_back(open(each));
            for (const handle& each : handles_) counts_.push_back(each.count);
            MPI_Allreduce(MPI_IN_PLACE, counts_.data(), static_cast<int>(counts_.size()), MPI_INT, MPI_MAX, comm_);
            MPI_Comm_rank(comm_, &rank_);
        }
        measurement(const measurement&) = delete;
        measurement& operator=(const measurement&) = delete;
        MPIT_MODULE_LOCAL ~measurement() {
            if (session_ != MPI_T_PVAR_SESSION_NULL) MPI_T_pvar_session_free(&session_);
        }
        // One summary for each element of each chosen variable, in their order, for all processes. A variable that no
        // process has is empty, as is one whose datatype is not a number.
        MPIT_MODULE_LOCAL std::vector<std::vector<summary>> now() const {
            std::vector<summary> cells;
            for (std::size_t i = 0; i < handles_.size(); i++) {
                const std::vector<long double> numbers = read(handles_[i]);
                for (std::size_t e = 0; e < static_cast<std::size_t>(counts_[i]); e++)
                    cells.push_back(e < numbers.size() ? summary{numbers[e], numbers[e], numbers[e], rank_, rank_, 1}
                                                       : summary{});
            }
            reduce(comm_, cells);
            std::vector<std::vector<summary>> all;
            auto next = cells.begin();
            for (const int count : counts_) {
                all.emplace_back(next, next + count);
                next += count;
            }
            return all;
        }

    private:
        struct handle {
            MPI_T_pvar_handle word = MPI_T_PVAR_HANDLE_NULL;
            int count = 0;
            MPI_Datatype type = MPI_DATATYPE_NULL;
        };

        MPIT_MODULE_LOCAL handle open(const chosen& wanted) {
            handle made;
            int number = -1;
            host::described_variable v;
            if (MPI_T_pvar_get_index(wanted.name, wanted.variable_class, &number) != MPI_SUCCESS ||
                host::linked_reader{}.query_performance(number, v, {}) != MPI_SUCCESS ||
                MPI_T_pvar_handle_alloc(session_, number, wanted.object_handle, &made.word, &made.count) != MPI_SUCCESS)
                return {};
            made.type = v.type;
            if (v.continuous == 0 && MPI_T_pvar_start(session_, made.word) != MPI_SUCCESS) return {};
            return made;
        }
        MPIT_MODULE_LOCAL std::vector<long double> read(const handle& variable) const {
            int size = 0;
            if (variable.word == MPI_T_PVAR_HANDLE_NULL || MPI_Type_size(variable.type, &size) != MPI_SUCCESS)
                return {};
            std::vector<char> value(static_cast<std::size_t>(size * variable.count) + sizeof(long double));
            if (MPI_T_pvar_read(session_, variable.word, value.data()) != MPI_SUCCESS) return {};
            return detail::numbers_of(value.data(), variable.count, variable.type);
        }

        MPI_Comm comm_;
        int rank_ = -1;
        MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;
        std::vector<handle> handles_;
        std::vector<int> counts_;
    };
    // Starts to measure. It ends with what is returned, which must not outlive the tool interface.
    MPIT_MODULE_LOCAL measurement measure(const std::vector<chosen>& variables) const { return {comm_, variables}; }

private:
    struct control_handle {
        int answer = MPI_SUCCESS, scope = MPI_T_SCOPE_CONSTANT;
        std::size_t bytes = 0;
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;

        MPIT_MODULE_LOCAL explicit control_handle(const char* name) {
            int number = -1, count = 0, size = 0;
            host::described_variable v;
            answer = MPI_T_cvar_get_index(name, &number);
            if (answer == MPI_SUCCESS) answer = host::linked_reader{}.query_control(number, v, {});
            if (answer == MPI_SUCCESS) scope = v.scope;
            if (answer == MPI_SUCCESS) answer = MPI_T_cvar_handle_alloc(number, nullptr, &handle, &count);
            if (answer == MPI_SUCCESS) answer = MPI_Type_size(v.type, &size);
            bytes = static_cast<std::size_t>(size) * static_cast<std::size_t>(count);
        }
        control_handle(const control_handle&) = delete;
        MPIT_MODULE_LOCAL ~control_handle() {
            if (handle != MPI_T_CVAR_HANDLE_NULL) MPI_T_cvar_handle_free(&handle);
        }
    };

    // The greatest answer of all, and MPI_T_ERR_INVALID if the fingerprints are not equal. MPI_SUCCESS is the least.
    MPIT_MODULE_LOCAL int worst(int answer, std::uint64_t print) const {
        std::uint64_t all[3] = {static_cast<std::uint64_t>(answer), print, ~print};
        MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_UINT64_T, MPI_MAX, comm_);
        if (all[0] == MPI_SUCCESS && all[1] != ~all[2]) return MPI_T_ERR_INVALID;
        return static_cast<int>(all[0]);
    }

    MPI_Comm comm_;
};

} // namespace mpit

#include <mpit/end.hpp>
