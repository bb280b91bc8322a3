// SPDX-License-Identifier: BSD-3-Clause
// Compares the descriptions of the variables in all processes of a communicator, writes a control variable in all
// processes or in none, and reduces the values of performance variables. To compare descriptions, one small reduction
// compares their fingerprints. If the fingerprints differ, process 0 gathers the differences. The functions of this
// header call the MPI_T functions of the MPI library. Every function is collective, so that all processes must call the
// function with the same arguments, in one thread each. The functions allocate memory and wait for other processes, and
// so must not be called in a signal handler.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/collective.hpp>
//   mpit::across all{MPI_COMM_WORLD};   all.write("EAGER_LIMIT", 4096);
//   mpit::across::measurement sent = all.measure({{"sent", mpit::performance_class::counter}});   sent.now()[0][0].sum
#pragma once

#include <mpit/begin.hpp>

#include <mpit/collective/description.hpp>
#include <mpit/tool/over_mpi.hpp>

#include <climits>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace mpit::inline v1_0 {

namespace MPIT_MODULE_LOCAL detail {

// Returns a hash of the facts about a process. The hash does not depend on the order of the facts.
inline std::uint64_t fingerprint_of(const std::vector<fact>& facts) {
    std::uint64_t sum = facts.size();
    for (const fact& entry : facts) sum += entry.hash();
    return sum;
}

// packed() and texts_of() convert between a list of texts and a message, in which a null follows each text.
inline std::string packed(const std::vector<fact>& facts) {
    std::string buffer;
    for (const fact& entry : facts)
        for (const std::string* text : {&entry.subject, &entry.aspect, &entry.value}) buffer += *text + '\0';
    return buffer;
}
inline std::vector<std::string> texts_of(const std::string& buffer) {
    std::vector<std::string> texts;
    for (std::size_t offset = 0; offset < buffer.size(); offset += texts.back().size() + 1)
        texts.emplace_back(buffer.c_str() + offset);
    return texts;
}
inline std::vector<fact> description_of(const std::string& buffer) {
    const std::vector<std::string> texts = texts_of(buffer);
    std::vector<fact> facts;
    for (std::size_t i = 0; i + 2 < texts.size(); i += 3) facts.push_back({texts[i], texts[i + 1], texts[i + 2]});
    return facts;
}

// Broadcasts the text of process 0. Returns the text of process 0 in all processes.
inline std::string broadcast(MPI_Comm comm, std::string text) {
    int length = static_cast<int>(text.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, comm);
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm);
    return text;
}

// Returns the start of a sentence for each difference from process 0. gathered() appends the ranks to the sentence.
inline std::vector<std::string> differences_between(const std::vector<fact>& root_facts,
                                                    const std::vector<fact>& local_facts) {
    std::map<std::pair<std::string, std::string>, std::pair<const fact*, const fact*>> pairs;
    for (const fact& entry : root_facts) pairs[{entry.subject, entry.aspect}].first = &entry;
    for (const fact& entry : local_facts) pairs[{entry.subject, entry.aspect}].second = &entry;
    std::vector<std::string> lines;
    for (const auto& [key, facts] : pairs) {
        const auto& [subject, aspect] = key;
        const auto& [root, local] = facts;
        if (aspect.empty() && root == nullptr) lines.push_back(subject + " is missing in process 0, and present in");
        else if (aspect.empty() && local == nullptr)
            lines.push_back(subject + " is present in process 0, and missing in");
        else if (root != nullptr && local != nullptr && root->value != local->value)
            lines.push_back(subject + ": " + aspect + " \"" + root->value + "\" in process 0, and \"" + local->value +
                            "\" in");
    }
    return lines;
}

// Returns the ranks as a text, such as "process 1" or "processes 1, 3 to 7".
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

// Process 0 gathers the lines of all processes about differences, merges equal lines, and appends the ranks.
inline std::string gathered(MPI_Comm comm, const std::vector<std::string>& lines) {
    std::string local;
    for (const std::string& line : lines) local += line + '\0';
    int length = static_cast<int>(local.size()), rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    std::vector<int> lengths(static_cast<std::size_t>(size)), offsets(lengths.size());
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm);
    for (std::size_t i = 1; i < offsets.size(); i++) offsets[i] = offsets[i - 1] + lengths[i - 1];
    std::string buffer(static_cast<std::size_t>(offsets.back() + lengths.back()), '\0');
    MPI_Gatherv(local.data(), length, MPI_CHAR, buffer.data(), lengths.data(), offsets.data(), MPI_CHAR, 0, comm);
    std::map<std::string, std::vector<int>> processes;
    if (rank == 0)
        for (int i = 0; i < size; i++) {
            const auto process = static_cast<std::size_t>(i);
            const auto offset = static_cast<std::size_t>(offsets[process]);
            for (const std::string& line : texts_of(buffer.substr(offset, static_cast<std::size_t>(lengths[process]))))
                processes[line].push_back(i);
        }
    std::string merged;
    for (const auto& [line, ranks] : processes) merged += line + " " + to_string(ranks) + '\0';
    return merged;
}

// Returns true if all processes have equal fingerprints. The maximum of all complements gives the least fingerprint.
inline bool do_agree(MPI_Comm comm, const std::vector<fact>& local_facts) {
    const std::uint64_t fingerprint = fingerprint_of(local_facts);
    std::uint64_t local[2] = {fingerprint, ~fingerprint}, maxima[2] = {};
    MPI_Allreduce(local, maxima, 2, MPI_UINT64_T, MPI_MAX, comm);
    return maxima[0] == ~maxima[1];
}

} // namespace detail

// The `minimum`, `maximum` and `sum` of a variable's values in all processes that have the variable, in the unit of the
// variable. The results are exact for integers of up to 64 bits.
struct summary {
    long double minimum = 0, maximum = 0, sum = 0;
    int process_of_minimum = -1, process_of_maximum = -1; // lowest rank with the minimum or maximum
    int processes = 0;                                    // number of processes that have the variable

    // Returns the sum divided by the number of processes, or 0 if no process has the variable.
    MPIT_MODULE_LOCAL long double mean() const noexcept { return processes == 0 ? 0 : sum / processes; }
    // Merges the summary of other processes into this summary.
    MPIT_MODULE_LOCAL void add(const summary& other) noexcept {
        if (other.processes == 0) return;
        const bool is_first = processes == 0;
        const auto update = [](bool is_better, bool is_equal, long double value, int process, long double& extreme,
                               int& process_of_extreme) {
            if (!is_better && !(is_equal && process < process_of_extreme)) return;
            extreme = value;
            process_of_extreme = process;
        };
        update(is_first || other.minimum < minimum, other.minimum == minimum, other.minimum, other.process_of_minimum,
               minimum, process_of_minimum);
        update(is_first || other.maximum > maximum, other.maximum == maximum, other.maximum, other.process_of_maximum,
               maximum, process_of_maximum);
        sum += other.sum;
        processes += other.processes;
    }
};

namespace MPIT_MODULE_LOCAL detail {

inline void combine(void* source, void* target, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; i++) static_cast<summary*>(target)[i].add(static_cast<const summary*>(source)[i]);
}

// Returns the elements of a value as numbers, or an empty list for a text.
inline std::vector<long double> numbers_of(const tool::any_value& value) {
    return std::visit([](const auto& elements) {
        if constexpr (__is_same(std::decay_t<decltype(elements)>, std::string)) return std::vector<long double>{};
        else return std::vector<long double>(elements.begin(), elements.end());
    }, value);
}

} // namespace detail

// One reduction replaces the summaries of this process by the summaries over all processes. MPI sends a summary as
// bytes, so that all processes must have the same machine architecture. For the library's own use.
MPIT_MODULE_LOCAL inline void reduce(MPI_Comm comm, std::vector<summary>& summaries) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op combination = MPI_OP_NULL;
    MPI_Type_contiguous(sizeof(summary), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(&detail::combine, 1, &combination);
    MPI_Allreduce(MPI_IN_PLACE, summaries.data(), static_cast<int>(summaries.size()), type, combination, comm);
    MPI_Op_free(&combination);
    MPI_Type_free(&type);
}

// Collective operations on the variables of all processes of a communicator. Arguments are as in MPI-5.0, 15.3. The
// caller must initialize the tool interface first. If a communication fails, MPI calls the error handler of `comm`.
class across {
public:
    MPIT_MODULE_LOCAL explicit across(MPI_Comm comm) noexcept : comm_{comm} {}

    // Returns true if all processes have variables, events and categories with the same names and descriptions,
    // according to one small reduction.
    MPIT_MODULE_LOCAL bool do_agree() const { return detail::do_agree(comm_, description_of_this_process()); }
    // Returns a sentence for each difference, with the ranks of the processes that differ from process 0. The returned
    // sentences are the same in all processes.
    MPIT_MODULE_LOCAL std::vector<std::string> differences() const {
        const std::vector<fact> local_facts = description_of_this_process();
        if (detail::do_agree(comm_, local_facts)) return {};
        const std::vector<fact> root_facts =
            detail::description_of(detail::broadcast(comm_, detail::packed(local_facts)));
        const std::vector<std::string> lines = detail::differences_between(root_facts, local_facts);
        return detail::texts_of(detail::broadcast(comm_, detail::gathered(comm_, lines)));
    }

    // Writes a control variable in all processes. T must be a type for the variable as in tool::control<T>, such as int
    // or std::string. Returns MPI_SUCCESS if every process has written the variable. If a process cannot write the
    // variable, all processes keep or restore the old value. All processes then return the error code of one process,
    // such as MPI_T_ERR_INVALID_NAME, MPI_T_ERR_CVAR_SET_NOT_NOW or MPI_T_ERR_CVAR_SET_NEVER. Returns MPI_T_ERR_INVALID
    // for a wrong type or number of elements, for a value that the variable cannot have, and if the values of the
    // processes differ although the scope of the variable requires equal values.
    template <class T> MPIT_MODULE_LOCAL int write(const char* name, const T& value) const {
        tool::control<T, tool::over_mpi> variable{name};
        const tool::control_info& info = variable.info();
        result status = variable.status();
        std::uint64_t fingerprint = 0;
        T previous{};
        if (status == result::success && (info.scope == scope::constant || info.scope == scope::readonly))
            status = result::set_never;
        if (status == result::success) status = variable.read(previous);
        if (status == result::success && (info.scope == scope::group_equal || info.scope == scope::all_equal)) {
            std::string scratch;
            const char* bytes = tool::typed_value<T>::write_bytes(value, info, variable.count(), scratch);
            if (bytes == nullptr) status = result::wrong_count;
            else fingerprint = core::hash({bytes, variable.count() * tool::size_of_element(info)}, 0);
        }
        int code = reduce_codes(mpi_t::code_of(status), fingerprint);
        if (code != MPI_SUCCESS) return code;
        status = variable.write(value);
        code = reduce_codes(mpi_t::code_of(status), 0);
        if (code != MPI_SUCCESS && status == result::success) static_cast<void>(variable.write(previous));
        return code;
    }
    MPIT_MODULE_LOCAL int write(const char* name, const char* text) const { return write(name, std::string{text}); }

    // Merges the tool::distribution of every process, and stores the merged distribution in every process. The counts
    // are exact. A process without samples or without the variable may pass a distribution without buckets. Returns
    // MPI_T_ERR_INVALID in all processes, and changes nothing, if the bounds differ or a process has a refused one.
    template <class Distribution> MPIT_MODULE_LOCAL int merge(Distribution& value) const {
        const std::size_t local_count = value.bounds.size();
        const bool is_refused = value.status != decltype(value.status)::success || value.counts.size() != local_count;
        const int elements = static_cast<int>(local_count);
        int maxima[3] = {elements, elements == 0 ? INT_MIN : -elements, is_refused ? 1 : 0};
        MPI_Allreduce(MPI_IN_PLACE, maxima, 3, MPI_INT, MPI_MAX, comm_);
        if (maxima[2] != 0 || (maxima[0] != 0 && maxima[0] != -maxima[1])) return MPI_T_ERR_INVALID;
        const auto count = static_cast<std::size_t>(maxima[0]);
        if (count == 0) return MPI_SUCCESS;
        // The maxima of the bounds and of the negative bounds are opposite if the bounds of all processes are equal.
        constexpr double none = -std::numeric_limits<double>::infinity();
        std::vector<double> extremes(2 * count + 2, none);
        Distribution merged;
        merged.counts.assign(count, 0);
        merged.sum = 0;
        if (local_count != 0) {
            for (std::size_t i = 0; i < count; i++)
                extremes[i] = value.bounds[i], extremes[count + i] = -value.bounds[i];
            extremes[2 * count] = -value.minimum, extremes[2 * count + 1] = value.maximum;
            merged.counts = value.counts;
            merged.sum = value.sum;
        }
        MPI_Allreduce(MPI_IN_PLACE, extremes.data(), static_cast<int>(extremes.size()), MPI_DOUBLE, MPI_MAX, comm_);
        for (std::size_t i = 0; i < count; i++)
            if (extremes[i] != -extremes[count + i]) return MPI_T_ERR_INVALID;
        MPI_Allreduce(MPI_IN_PLACE, merged.counts.data(), maxima[0], MPI_UINT64_T, MPI_SUM, comm_);
        MPI_Allreduce(MPI_IN_PLACE, &merged.sum, 1, MPI_DOUBLE, MPI_SUM, comm_);
        merged.minimum = -extremes[2 * count];
        merged.maximum = extremes[2 * count + 1];
        extremes.resize(count);
        merged.bounds = std::move(extremes);
        value = std::move(merged);
        return MPI_SUCCESS;
    }

    // Selects a performance variable by `name` and `variable_class`. `bound_object` is the MPI object, such as
    // MPI_COMM_WORLD, of a variable that is bound to one.
    struct variable {
        const char* name;
        performance_class variable_class;
        tool::object bound_object{};
    };
    // Measures performance variables in a separate session. The measurement begins when the object is constructed.
    class measurement {
    public:
        MPIT_MODULE_LOCAL measurement(MPI_Comm comm, const std::vector<variable>& variables) : comm_{comm} {
            for (const variable& entry : variables) {
                std::optional<handle>& slot = handles_.emplace_back();
                slot.emplace(
                    session_.performance<tool::any_value>(entry.name, entry.variable_class, entry.bound_object));
                if (slot->start() != result::success) slot.reset();
                counts_.push_back(slot ? static_cast<int>(slot->count()) : 0);
            }
            MPI_Allreduce(MPI_IN_PLACE, counts_.data(), static_cast<int>(counts_.size()), MPI_INT, MPI_MAX, comm_);
            MPI_Comm_rank(comm_, &rank_);
        }
        measurement(const measurement&) = delete;
        measurement& operator=(const measurement&) = delete;
        // Returns in every process a list for each variable, with one summary for each element of the variable. The
        // list of a variable is empty if no process has the variable. The member `processes` of a summary is 0 if the
        // datatype of the variable is not a number type.
        MPIT_MODULE_LOCAL std::vector<std::vector<summary>> now() {
            std::vector<summary> summaries;
            for (std::size_t i = 0; i < handles_.size(); i++) {
                const std::optional<tool::any_value> value = handles_[i] ? handles_[i]->read() : std::nullopt;
                const std::vector<long double> values = value ? detail::numbers_of(*value) : std::vector<long double>{};
                for (std::size_t e = 0; e < static_cast<std::size_t>(counts_[i]); e++)
                    summaries.push_back(e < values.size() ? summary{values[e], values[e], values[e], rank_, rank_, 1}
                                                          : summary{});
            }
            reduce(comm_, summaries);
            std::vector<std::vector<summary>> by_variable;
            auto next = summaries.begin();
            for (const int count : counts_) {
                by_variable.emplace_back(next, next + count);
                next += count;
            }
            return by_variable;
        }

    private:
        using handle = tool::performance<tool::any_value, tool::over_mpi>;

        MPI_Comm comm_;
        int rank_ = -1;
        tool::session<tool::over_mpi> session_;
        std::vector<std::optional<handle>> handles_;
        std::vector<int> counts_;
    };
    // Starts a measurement, which ends when the returned object is destroyed. The tool interface must stay initialized
    // while the returned object exists.
    MPIT_MODULE_LOCAL measurement measure(const std::vector<variable>& variables) const { return {comm_, variables}; }

private:
    // Returns the largest error code, or MPI_T_ERR_INVALID if no process has an error but fingerprints differ.
    MPIT_MODULE_LOCAL int reduce_codes(int code, std::uint64_t fingerprint) const {
        std::uint64_t maxima[3] = {static_cast<std::uint64_t>(code), fingerprint, ~fingerprint};
        MPI_Allreduce(MPI_IN_PLACE, maxima, 3, MPI_UINT64_T, MPI_MAX, comm_);
        if (maxima[0] == MPI_SUCCESS && maxima[1] != ~maxima[2]) return MPI_T_ERR_INVALID;
        return static_cast<int>(maxima[0]);
    }

    MPI_Comm comm_;
};

} // namespace mpit

#include <mpit/end.hpp>
