// SPDX-License-Identifier: BSD-3-Clause
// Checks whether processes agree on their variables: first a fingerprint, which costs one small reduction, and the
// differences if it differs. All processes must call these functions at the same time.
// One thread of each process calls them, outside of signal handlers.
//
//   for (const std::string& difference : mpit::differences(comm)) …   // empty if all agree
#pragma once

#include <mpit/collective/description.hpp>

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

} // namespace detail

namespace MPIT_MODULE_LOCAL detail {

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

} // namespace mpit
