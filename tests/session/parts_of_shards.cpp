// Variables whose cells are in several parts of the shards of threads: nothing that a thread counts is lost or found
// elsewhere.
#include "../tool.hpp"

#include <mpit/mpit.hpp>

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

namespace {

// Arrays that end a part, that do not fit into its rest, that are larger than one, and single cells between them.
struct variables_of_parts : mpit::category<"parts", "Arrays in several parts of the shards"> {
    mpit::counter<unsigned long long[100]> first{this, "parts_first", "All but two cells of the first part"};
    mpit::aggregate<unsigned long long[3]> second{this, "parts_second", "Three cells, of which two would fit there"};
    mpit::counter<unsigned long long[40]> third{this, "parts_third", "Too many for the rest"};
    mpit::aggregate<double[80]> fourth{this, "parts_fourth", "The rest of the second part"};
    mpit::counter<unsigned long long[290]> fifth{this, "parts_fifth", "More than two parts"};
    mpit::aggregate<double> sixth{this, "parts_sixth", "Behind it"};
    mpit::counter<> seventh{this, "parts_seventh", "A single one"};
};
constexpr auto& tree = mpit::registered<variables_of_parts>;

template <class Array> void count(Array& array, std::size_t elements, unsigned base) {
    for (unsigned i = 0; i < elements; i++) array[i] += base + i;
}
void count_once(unsigned thread) {
    count(tree.first, 100, 1000 + thread);
    count(tree.second, 3, 7 + thread);
    count(tree.third, 40, 2000 + thread);
    count(tree.fourth, 80, 3000 + thread);
    count(tree.fifth, 290, 4000 + thread);
    tree.sixth += 0.5;
    ++tree.seventh;
}

} // namespace

TEST_CASE("Counters and sums of several parts keep what each thread counts, element by element") {
    const initialized tool;
    const session s;
    constexpr unsigned threads = 3; // that live at one moment
    struct watched {
        const char* name;
        int var_class;
        std::size_t elements;
        unsigned base;
    };
    const watched arrays[] = {{"parts_first", MPI_T_PVAR_CLASS_COUNTER, 100, 1000},
                              {"parts_third", MPI_T_PVAR_CLASS_COUNTER, 40, 2000},
                              {"parts_fourth", MPI_T_PVAR_CLASS_AGGREGATE, 80, 3000},
                              {"parts_fifth", MPI_T_PVAR_CLASS_COUNTER, 290, 4000}};
    std::deque<pvar> handles;
    for (const watched& each : arrays) {
        handles.emplace_back(s, each.name, each.var_class);
        REQUIRE(handles.back().count == static_cast<int>(each.elements));
        CHECK(handles.back().start() == MPI_SUCCESS);
    }
    pvar second{s, "parts_second", MPI_T_PVAR_CLASS_AGGREGATE}, sixth{s, "parts_sixth", MPI_T_PVAR_CLASS_AGGREGATE},
        seventh{s, "parts_seventh", MPI_T_PVAR_CLASS_COUNTER};
    for (pvar* each : {&second, &sixth, &seventh}) CHECK(each->start() == MPI_SUCCESS);

    std::atomic<unsigned> done{0};
    std::vector<std::thread> counting;
    for (unsigned t = 0; t < threads; t++)
        counting.emplace_back([&, t] {
            count_once(t);
            done++;
            while (done.load() < threads) std::this_thread::yield();
        });
    for (std::thread& each : counting) each.join();

    for (std::size_t k = 0; k < std::size(arrays); k++) {
        const watched& each = arrays[k];
        std::vector<unsigned long long> counts(each.elements);
        std::vector<double> amounts(each.elements);
        const bool is_real = each.var_class == MPI_T_PVAR_CLASS_AGGREGATE;
        REQUIRE(MPI_T_pvar_read(s.handle, handles[k].handle,
                                is_real ? static_cast<void*>(amounts.data()) : counts.data()) == MPI_SUCCESS);
        int wrong = 0;
        for (std::size_t i = 0; i < each.elements; i++) {
            const unsigned long long expected = threads * (each.base + i) + threads * (threads - 1) / 2;
            wrong += is_real ? static_cast<unsigned long long>(amounts[i]) != expected : counts[i] != expected;
        }
        INFO(each.name);
        CHECK(wrong == 0);
    }
    unsigned long long sums[3]{};
    REQUIRE(MPI_T_pvar_read(s.handle, second.handle, sums) == MPI_SUCCESS);
    for (unsigned i = 0; i < 3; i++) CHECK(sums[i] == threads * (7 + i) + threads * (threads - 1) / 2);
    CHECK(sixth.read<double>() == 0.5 * threads);
    CHECK(seventh.read() == threads);
}
