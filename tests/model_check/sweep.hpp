// All mutants of a scenario: each place of the library with an order stronger than relaxed gets each weaker order, and
// a line says whether the scenario finds a mistake then. sweep.py runs the programs and makes a table of these lines.
//
//   sweep(the_sites.met, "slot_pool.hpp", [&](const weakening& mutant) { return mistake; });   // "1" for all headers
#pragma once

#include "sites.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace model {

inline const char* name_of_order(int order) {
    switch (order) {
    case __ATOMIC_RELAXED: return "relaxed";
    case __ATOMIC_ACQUIRE: return "acquire";
    case __ATOMIC_RELEASE: return "release";
    case __ATOMIC_ACQ_REL: return "acq_rel";
    default: return "seq_cst";
    }
}
inline const char* name_of_operation(operation what) {
    switch (what) {
    case operation::load: return "load";
    case operation::store: return "store";
    case operation::exchange: return "exchange";
    case operation::compare_exchange: return "compare_exchange";
    case operation::fetch_add: return "fetch_add";
    case operation::add_as_owner: return "add_as_owner";
    case operation::compare_and_set_as_owner: return "compare_and_set_as_owner";
    case operation::dwcas: return "dwcas";
    default: return "fence";
    }
}

// From the weakest one: if that is no mistake, a stronger one is none either.
inline std::vector<int> weaker_orders(const sites::place& of) {
    const bool is_sequential = of.order == __ATOMIC_SEQ_CST;
    if (of.what == operation::fence) return is_sequential ? std::vector{__ATOMIC_ACQ_REL} : std::vector<int>{};
    std::vector<int> weaker{__ATOMIC_RELAXED};
    if (!is_sequential) return weaker;
    if (of.what != operation::store) weaker.push_back(__ATOMIC_ACQUIRE);
    if (of.what != operation::load) weaker.push_back(__ATOMIC_RELEASE);
    if (weaker.size() == 3) weaker.push_back(__ATOMIC_ACQ_REL);
    return weaker;
}

template <class Explore> void sweep(const std::vector<sites::place> places, const char* header, Explore mistake_of) {
    const bool takes_all = std::strcmp(header, "1") == 0;
    for (const sites::place& of : places) {
        const char* file = std::strstr(of.at.file, "include/mpit/");
        if (file == nullptr) continue; // it is a part of the scenario
        if (!takes_all && std::strstr(file, header) == nullptr) continue;
        for (const int to : weaker_orders(of)) {
            const std::string mistake = mistake_of(weakening{of.at.file, of.at.function, of.what, to, of.at.line});
            const bool is_open = mistake.find("too many") != std::string::npos;
            std::printf("sweep\t%s:%d\t%s\t%s\t%s\t%s\t%s\t%s\n", file + 13, of.at.line, of.at.function,
                        name_of_operation(of.what), name_of_order(of.order), name_of_order(to),
                        mistake.empty() ? "missed"
                        : is_open       ? "open"
                                        : "caught",
                        mistake.substr(0, mistake.find('\n')).c_str());
            std::fflush(stdout);
            if (mistake.empty()) break;
        }
    }
}

} // namespace model
