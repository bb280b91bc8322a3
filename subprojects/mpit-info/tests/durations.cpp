// The histograms of the durations of calls: in which bucket a duration is, and that no call is lost when threads, more
// than have a place, and signal handlers count, and when a table is full.

#include "../agent/calls/distributions.hpp"
#include "checks.hpp"

#include <cmath>
#include <csignal>
#include <sys/time.h>
#include <thread>

namespace {

using namespace mpit_info;

void check_buckets() {
    bool is_right = mpit::core::bucket_of<duration_buckets>(0) == 0;
    for (std::size_t bucket = 0; bucket + 1 < duration_buckets.count(); bucket++) {
        const long double power =
            duration_buckets.lowest + static_cast<long double>(bucket) / (1 << duration_buckets.scale);
        const auto bound = static_cast<std::uint64_t>(std::exp2(power));
        is_right = is_right && mpit::core::bucket_of<duration_buckets>(bound) == bucket &&
                   mpit::core::bucket_of<duration_buckets>(bound + 1) == bucket + 1;
    }
    check(is_right, "the bound of a bucket is its largest duration");
    check(mpit::core::bucket_of<duration_buckets>(~std::uint64_t{0}) == duration_buckets.count() - 1,
          "the last bucket has no end");
    bool is_in_class = size_class_of(0) == 0 && size_class_of(1) == 1;
    for (std::uint32_t n = 2; n < 65; n++)
        is_in_class = is_in_class && size_class_of((std::uint64_t{1} << (n - 2)) + 1) == n &&
                      size_class_of(std::uint64_t{1} << (n - 1)) == n;
    check(is_in_class, "a class of sizes ends with a power of two");
}

std::uint32_t key(std::uint32_t size) { return key_of(function::MPI_Send, 1, size); }
struct totals {
    std::uint64_t calls = 0, nanoseconds = 0, longest = 0, others = 0;
};
// Since the last call, of sums that are told.
totals told() {
    totals all;
    distributions.for_each_changed([&](std::uint32_t of, const call_distributions::sum& each) {
        all.calls += each.calls;
        all.nanoseconds += each.nanoseconds;
        all.longest = std::max(all.longest, each.longest);
        if ((of & distribution_table::others) == distribution_table::others) all.others += each.calls;
    });
    return all;
}

volatile std::uint64_t handled = 0;
void count_in_handler(int) {
    distributions.add(key(3), 4, 100 + handled % 1000);
    distributions.add(key(4 + static_cast<std::uint32_t>(handled % 60)), 4, 100);
    handled = handled + 1;
}
void check_handlers() {
    distributions.begin();
    struct sigaction action{};
    action.sa_handler = count_in_handler;
    sigaction(SIGALRM, &action, nullptr);
    itimerval often{{0, 20}, {0, 20}};
    setitimer(ITIMER_REAL, &often, nullptr);
    std::uint64_t counted = 0;
    while (handled < 2000 || counted < 2'000'000) {
        distributions.add(key(3), 4, 100 + counted % 1000);
        counted++;
    }
    often = {};
    setitimer(ITIMER_REAL, &often, nullptr);
    check(told().calls == counted + 2 * handled, "a signal handler and the call that it interrupts are both counted");
}

void check_threads() {
    constexpr int count = 100, each = 10000;
    distributions.begin();
    std::atomic<int> there{0};
    const auto run = [&] {
        distributions.add(key(3), 8, 1);
        there++;
        while (there.load() < count) std::this_thread::yield();
        for (int i = 1; i < each; i++) distributions.add(key(3), 8, 2);
    };
    std::vector<std::thread> all;
    for (int i = 0; i < count; i++) all.emplace_back(run);
    for (std::thread& one : all) one.join();
    const totals found = told();
    check(found.calls == count * each, "calls of more threads than have a place are counted");
    check(found.nanoseconds == count + 2 * count * (each - 1), "their time is counted");
    std::thread{[] { distributions.add(key(3), 8, 7); }}.join();
    check(told().calls == count * each + 1, "a thread continues what one that has ended has counted");
}

void check_others() {
    distributions.begin();
    for (std::uint32_t in = 0; in < 64; in++)
        for (std::uint32_t size = 0; size < 10; size++) distributions.add(key_of(function::MPI_Bcast, in, size), 1, 5);
    const totals found = told();
    check(found.calls == 640, "no call is lost when a table is full");
    check(found.others >= 640 - distribution_table::most && found.others < 640,
          "those without a place are told as others");
}

void check_tools() {
    distributions.begin();
    check(told().calls == 0, "a tool is not told what was counted for an earlier one");
    distributions.add(key(3), 4, 3);
    const totals one = told();
    check(one.calls == 1 && one.nanoseconds == 3, "and is told what comes then");
    check(one.longest == 0, "of which the longest is not known if an earlier call was longer");
    check(told().calls == 0, "what has not changed is not told again");
    distributions.add(key(3), 4, 1'000'000'000);
    check(told().longest == 1'000'000'000, "but is if it was the longest of all");
}

} // namespace

int main() {
    the_call_log.begin(nullptr, 0, 1, "", names_of_functions);
    check_buckets();
    check_handlers();
    check_threads();
    check_others();
    check_tools();
    return failures;
}
