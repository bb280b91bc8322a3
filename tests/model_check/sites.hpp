// The places of the code that call an atomic operation, and the mutant that is explored: one of them with a weaker
// order.
//
//   the_sites.begin(mutant);   // from then on order_of() answers the order that the place has
#pragma once

#include "explorer.hpp"

#include <mpit/concurrency/atomic.hpp>

#include <cstring>
#include <vector>

namespace model {

class sites {
public:
    struct place {
        site at;
        operation what;
        int order;
    };
    // All that were met since the mutant was chosen.
    std::vector<place> met;

    void begin(const weakening& mutant) {
        mutant_ = mutant;
        met.clear();
    }
    int order_of(const site& from, operation what, int order) {
        if (order != __ATOMIC_RELAXED) meet({from, what, order});
        return is_mutant(from, what) ? mutant_.to : order;
    }

private:
    void meet(const place& now) {
        for (const place& p : met)
            if (p.at.line == now.at.line && p.what == now.what && p.order == now.order &&
                std::strcmp(p.at.file, now.at.file) == 0)
                return;
        met.push_back(now);
    }
    bool is_mutant(const site& from, operation what) const {
        if (mutant_.file == nullptr || what != mutant_.what || (mutant_.line != 0 && from.line != mutant_.line))
            return false;
        const std::size_t length = std::strlen(from.file), wanted = std::strlen(mutant_.file);
        return length >= wanted && std::strcmp(from.file + length - wanted, mutant_.file) == 0 &&
               is_called(from.function, mutant_.function);
    }
    // g++ appends the arguments of a template.
    static bool is_called(const char* function, const char* wanted) {
        const std::size_t length = std::strlen(wanted);
        return std::strncmp(function, wanted, length) == 0 && (function[length] == 0 || function[length] == '<');
    }
    weakening mutant_{};
};

inline sites the_sites;

} // namespace model
