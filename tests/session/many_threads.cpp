// Reads of sums in which more and more threads have counted that still live: handles walk over few of them one by one,
// and over more of them eight at once.
#include "../tool.hpp"

#include <mpit/tool.hpp>

#include <barrier>
#include <memory>
#include <thread>

namespace {

struct summed_variables : mpit::category<"summed", "Sums over threads"> {
    mpit::counter<> summed{this, "summed", "Counts"};
    mpit::aggregate<double> real{this, "summed_real", "Amounts"};
    mpit::aggregate<> amounts{this, "summed_amounts", "Amounts"};
};
constexpr auto& tree = mpit::registered<summed_variables>;

struct sample {
    unsigned long long summed, amounts;
    double real;
};

// A thread that counts once, and lives as long as this.
class counting_thread {
public:
    counting_thread()
        : thread_{[this] {
              ++tree.summed;
              tree.real += 0.5;
              tree.amounts += 3;
              has_counted_.arrive_and_wait();
              end_.arrive_and_wait();
          }} {
        has_counted_.arrive_and_wait();
    }
    counting_thread(const counting_thread&) = delete;
    ~counting_thread() {
        end_.arrive_and_wait();
        thread_.join();
    }

private:
    std::barrier<> has_counted_{2}, end_{2};
    std::thread thread_; // the last member, so that it finds the others
};

} // namespace

TEST_CASE("A sum has the counts of each thread, however many live", "[HNDL-15]") {
    const initialized tool;
    const session s;
    const pvar counter{s, "summed", MPI_T_PVAR_CLASS_COUNTER}, real{s, "summed_real", MPI_T_PVAR_CLASS_AGGREGATE};
    const pvar stopped{s, "summed", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(counter.start() == MPI_SUCCESS);
    REQUIRE(real.start() == MPI_SUCCESS);
    REQUIRE(stopped.start() == MPI_SUCCESS);
    mpit::tool::batch<sample> together;
    REQUIRE(together.add({{&sample::summed, mpit::performance_class::counter, "summed"},
                          {&sample::amounts, mpit::performance_class::aggregate, "summed_amounts"},
                          {&sample::real, mpit::performance_class::aggregate, "summed_real"}}) ==
            mpit::result::success);
    REQUIRE(together.start() == mpit::result::success);
    std::vector<std::unique_ptr<counting_thread>> threads;
    for (unsigned long long count = 1; count <= 40; count++) {
        threads.push_back(std::make_unique<counting_thread>());
        CHECK(counter.read() == count);
        CHECK(real.read<double>() == 0.5 * static_cast<double>(count));
        CHECK(stopped.stop() == MPI_SUCCESS);
        CHECK(stopped.readreset() == 1);
        CHECK(stopped.start() == MPI_SUCCESS);
        sample now{};
        CHECK(together.read(now) == mpit::result::success);
        CHECK(now.summed == count);
        CHECK(now.amounts == 3 * count);
        CHECK(now.real == 0.5 * static_cast<double>(count));
    }
}
