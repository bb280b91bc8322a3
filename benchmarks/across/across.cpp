// The costs of variables over many processes: agreement, writing a control variable in all, and summing performance
// variables. Every process runs this program; the first one prints a line of JSON for each measurement.
//
//   mpiexec -n 4 across <repetitions>
#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/collective.hpp>
#include <mpit/module/publish_pending.hpp>
#include <mpit/mpit.hpp>
#include <mpit/over_mpi.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr int most = 1000;

struct variables : mpit::category<"across", "Variables of each process"> {
    mpit::control<int> limit{this, "across_limit", "A number", {.initial = 5, .scope = mpit::scope::all_equal}};
    variables() {
        names.reserve(most);
        for (int i = 0; i < most; i++) {
            const std::string& called = names.emplace_back("across_counter_" + std::to_string(i));
            counters.push_back(
                std::make_unique<mpit::counter<>>(this, mpit::core::checked_name{called.c_str()}, "A counter"));
        }
    }
    std::vector<std::string> names{};
    std::vector<std::unique_ptr<mpit::counter<>>> counters{};
};

struct world {
    int rank = 0, size = 0, repetitions = 0;

    // The time in microseconds from a barrier until the last process has finished.
    template <class Call> double microseconds_of(Call& call) const {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        call();
        double taken = (MPI_Wtime() - begin) * 1e6;
        MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        return taken;
    }
    template <class Call> void measure(const char* what, int count, Call call) const {
        measure(what, count, [] {}, call);
    }
    template <class Prepare, class Call> void measure(const char* what, int count, Prepare prepare, Call call) const {
        std::vector<double> samples;
        for (int i = 0; i < repetitions + 1; i++) {
            prepare();
            samples.push_back(microseconds_of(call));
        }
        samples.erase(samples.begin()); // the first one opens connections
        if (rank != 0) return;
        std::printf("{\"ranks\": %d, \"what\": \"%s\", \"count\": %d, \"samples\": [", size, what, count);
        for (std::size_t i = 0; i < samples.size(); i++) std::printf("%s%.2f", i == 0 ? "" : ", ", samples[i]);
        std::printf("]}\n");
        std::fflush(stdout);
    }
};

void check(bool is_right, const char* what) {
    if (is_right) return;
    std::fprintf(stderr, "%s failed\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

} // namespace

int main(int count, char** arguments) {
    int provided = 0;
    MPI_Init(&count, &arguments);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    static variables tree;
    mpit::registry::register_tree(tree, "the benchmark");
    for (const auto& each : tree.counters) ++*each;

    world here;
    here.repetitions = count > 1 ? std::atoi(arguments[1]) : 50;
    MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &here.size);
    const mpit::across all{MPI_COMM_WORLD};

    const int facts = static_cast<int>(mpit::description_of_this_process().size());
    here.measure("facts", facts, [] {
        check(mpit::detail::fingerprint_of(mpit::description_of_this_process()) != 0, "the fingerprint");
    });
    here.measure("agree", facts, [&] { check(all.do_agree(), "agreement"); });
    here.measure("write", 1, [&, value = 6]() mutable {
        check(all.write("across_limit", value) == MPI_SUCCESS, "the write");
        value = 13 - value;
    });
    for (const int chosen : {1, 10, 100, most}) {
        std::vector<mpit::across::variable> wanted;
        for (int i = 0; i < chosen; i++)
            wanted.push_back({tree.names[static_cast<std::size_t>(i)].c_str(), mpit::performance_class::counter});
        mpit::across::measurement measured = all.measure(wanted);
        here.measure("summary", chosen, [&] { check(measured.now()[0][0].processes == here.size, "the summary"); });
        // The cost of the same reduction without reading, and of one step of it in a process.
        const std::vector<mpit::summary> fresh(wanted.size(), mpit::summary{1, 1, 1, here.rank, here.rank, 1});
        std::vector<mpit::summary> from = fresh, into;
        const auto begin = [&] { into = fresh; };
        here.measure("reduction", chosen, begin, [&] { mpit::reduce(MPI_COMM_WORLD, into); });
        here.measure("combination", chosen, begin, [&, length = chosen]() mutable {
            MPI_Datatype unused = MPI_BYTE;
            mpit::detail::combine(from.data(), into.data(), &length, &unused);
        });
    }
    here.measure("allreduce", 3, [] {
        std::uint64_t words[3] = {0, 1, 2};
        MPI_Allreduce(MPI_IN_PLACE, words, 3, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    });
    MPI_T_finalize();
    MPI_Finalize();
}
