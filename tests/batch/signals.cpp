// Batches in signal handlers: no lock and no allocator is called, nobody waits, and what a handler reads in the middle
// of anything is whole.
#include "../alarms.hpp"
#include "../signal_safe.hpp"
#include "watched_allocator.hpp"

#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>

#include <atomic>

namespace {

using mpit::performance_class;
using mpit::result;

struct signal_variables : mpit::category<"signalled", "Variables that signal handlers read"> {
    mpit::counter<> calls{this, "calls", "Calls"};
    mpit::aggregate<double> energy{this, "energy", "Energy"};
    mpit::timer time{this, "time", "Time"};
    mpit::level<> queued{this, "queued", "A level"};
    mpit::high_watermark<> deepest{this, "queued", "The highest level", {.of = &queued}};
    mpit::counter<unsigned long, MPI_ABI_Comm*> bound{this, "bound", "Of a communicator"};
    mpit::aggregate<> bytes{this, "bytes", "Bytes"};
};
constexpr auto& signalled = mpit::registered<signal_variables>;

struct sample {
    unsigned long calls, queued, deepest, bound, bytes;
    double energy, time;
};
using sample_batch = mpit::tool::batch<sample>;
MPI_ABI_Comm* comm = reinterpret_cast<MPI_ABI_Comm*>(0x1234);

void add_all(sample_batch& b) {
    using enum performance_class;
    REQUIRE(b.add({{&sample::calls, "calls", counter},
                   {&sample::energy, "energy", aggregate},
                   {&sample::time, "time", timer},
                   {&sample::queued, "queued", level},
                   {&sample::deepest, "queued", high_watermark},
                   {&sample::bound, "bound", counter, comm},
                   {&sample::bytes, "bytes", aggregate}}) == result::success);
}
void change() {
    ++signalled.calls;
    signalled.energy += 0.25;
    signalled.time.add(1000);
    ++signalled.queued;
    --signalled.queued;
    signalled.bound[comm] += 1;
    signalled.bytes += 3;
}

sample_batch* read_in_handler = nullptr;
std::atomic<int> reads{0}, wrong{0};

void read_one(int) {
    is_in_handler = 1;
    sample now{};
    const result answer = read_in_handler->read(now);
    if (answer != result::success || now.bytes % 3 != 0) wrong++;
    if (now.queued > 1 || now.deepest > 1) wrong++;
    is_in_handler = 0;
    reads++;
}
void read_and_change(int number) {
    read_one(number);
    is_in_handler = 1;
    static_cast<void>(read_in_handler->stop());
    static_cast<void>(read_in_handler->reset());
    static_cast<void>(read_in_handler->start());
    is_in_handler = 0;
}

} // namespace

TEST_CASE("A signal handler reads a batch while the program counts, reads it and changes it") {
    mpit::created(signalled, comm);
    for (void (*const handler)(int) : {&read_one, &read_and_change}) {
        sample_batch b;
        add_all(b);
        REQUIRE(b.start() == result::success);
        read_in_handler = &b;
        reads = 0;
        {
            alarms every{handler};
            for (int n = 0; reads < 2000; n++) {
                change();
                sample now{};
                if (n % 8 == 0 && (b.read(now) != result::success || now.bytes % 3 != 0)) wrong++;
                if (n % 64 == 0) static_cast<void>(b.stop());
                if (n % 64 == 1) static_cast<void>(b.start());
                if (n % 64 == 32) static_cast<void>(b.reset());
            }
        }
        CHECK(wrong == 0);
        CHECK(forbidden_calls == 0);
        CHECK(b.reset() == result::success);
        CHECK(b.start() == result::success);
        change();
        sample now{};
        CHECK(b.read(now) == result::success);
        CHECK(now.calls == 1);
        CHECK(now.bound == 1);
        CHECK(now.bytes == 3);
    }
}
