// Lesson 8: a library that raises events, and a recorder that can be copied.
//
// An event is a member like any variable; its payload is a plain struct, whose members a tool sees by their names.
// Without a registered callback raising costs a load and a branch. There is no MPI in this process; trace_recorder.hpp
// knows nothing of this library, and works with any MPI as well.
//
//   08-trace [file]     then open the file (trace.json) in chrome://tracing or https://ui.perfetto.dev

#include <mpit/mpit.hpp>

#include <mpit/mpi_t.hpp>

#include "trace_recorder.hpp"

#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

struct order_payload {
    int order;
    int guests;
    double butter; // grams
};
struct cook_payload {
    int order;
    int stove;
};
struct note_payload {
    int order;
    char words[16];
};

// A clock of the library's own, counting from its first read.
static std::int64_t strokes() {
    static const auto beginning = std::chrono::steady_clock::now();
    using stroke = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
    return std::chrono::duration_cast<stroke>(std::chrono::steady_clock::now() - beginning).count();
}

struct kitchen_variables : mpit::category<"kitchen", "A kitchen that cooks what guests order"> {
    mpit::counter<> dishes{this, "dishes", "Dishes served"};

    // Orders are taken one after another, and callbacks are called in that order.
    mpit::source bell{this,
                      "bell",
                      "Strokes of the kitchen's bell, ten a microsecond",
                      {.ordering = mpit::ordering::ordered, .ticks_per_second = 10'000'000, .clock = &strokes}};
    mpit::event<order_payload> order_taken{this, "order_taken", "A stove takes an order", {.source = &bell}};

    mpit::event<cook_payload> cooking_begun{this, "cooking_begun", "A dish is put on a stove"};
    mpit::event<cook_payload> cooking_ended{this, "cooking_ended", "A dish is taken off its stove"};
    mpit::event<note_payload> note_written{this, "note_written", "Something to remember about an order"};
};
inline constexpr auto& kitchen = mpit::registered<kitchen_variables>;

static constexpr int order_count = 12;
static std::mutex list_of_orders;
static int next_order = 0;

// The next order, or -1. A callback may call anything, also this function, so none runs while the lock is held: the
// event is deferred when it happens, and delivered afterwards.
static int take_order() {
    int order = -1;
    {
        const std::lock_guard guard{list_of_orders};
        if (next_order == order_count) return order;
        order = next_order++;
        kitchen.order_taken.defer(order, 1 + order % 4, 12.5 * order);
    }
    mpit::deliver(kitchen);
    return order;
}

static void work_at(int stove) {
    for (int order = take_order(); order >= 0; order = take_order()) {
        kitchen.cooking_begun(order, stove);
        std::this_thread::sleep_for(std::chrono::microseconds{200 + 50 * (order % 3)});
        if (order % 5 == 4) kitchen.note_written(note_payload{order, "no \"salt\""});
        kitchen.cooking_ended(order, stove);
        ++kitchen.dishes;
    }
}

int main(int argument_count, char** arguments) {
    const char* const path = argument_count > 1 ? arguments[1] : "trace.json";
    int provided = 0;
    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    {
        trace_recorder recorder;
        std::vector<std::thread> stoves;
        for (int stove = 0; stove < 3; stove++) stoves.emplace_back(work_at, stove);
        for (std::thread& each : stoves) each.join();
        recorder.stop();
        std::printf("%llu dishes were served.\n", static_cast<unsigned long long>(kitchen.dishes.get()));
        std::printf("Registered on %zu events; recorded %zu instances, %lld dropped.\n", recorder.event_count(),
                    recorder.recorded(), recorder.dropped());
        if (!recorder.write(path)) std::perror(path);
    }
    MPI_T_finalize();
}
