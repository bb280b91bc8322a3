// Batches of a tool that is another shared object, and of variables whose library is unloaded and comes back.
#include "../long_tests.hpp"
#include "batch_sample.hpp"
#include "plugin.hpp"

#include <mpit/tool.hpp>

#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

using mpit::performance_class;
using mpit::result;

struct program_variables : mpit::category<"batch_program", "Of the program"> {
    mpit::counter<> calls{this, "program_calls", "Calls"};
};
constexpr auto& of_program = mpit::registered<program_variables>;

// The tool in batch_tool.cpp.
struct loaded_tool : plugin {
    loaded_tool() : plugin{"batch_tool"} {}
    int add_all() const { return function<int()>("tool_add_all")(); }
    result start() const { return static_cast<result>(function<int()>("tool_start")()); }
    result reset() const { return static_cast<result>(function<int()>("tool_reset")()); }
    result read(batch_sample& to) const { return static_cast<result>(function<int(batch_sample*)>("tool_read")(&to)); }
};

template <class Batch> void add_all(Batch& b) {
    using enum performance_class;
    REQUIRE(b.add({{&batch_sample::of_program, counter, "program_calls"},
                   {&batch_sample::calls, counter, "batch_calls"},
                   {&batch_sample::queued, level, "batch_queue"},
                   {&batch_sample::deepest, high_watermark, "batch_queue"},
                   {&batch_sample::computed, level, "batch_computed"},
                   {&batch_sample::messages, counter, "batch_messages"},
                   {&batch_sample::bytes, aggregate, "batch_bytes"}}) == result::success);
}

// Of the library's variables.
bool is_same(const batch_sample& a, const batch_sample& b) {
    return a.calls == b.calls && a.queued == b.queued && a.deepest == b.deepest && a.computed == b.computed &&
           a.messages == b.messages && a.bytes == b.bytes;
}

} // namespace

TEST_CASE("A tool that is a library and has only the reader's header reads the program and its plugins") {
    loaded_tool tool;
    batch_sample now{};
    CHECK(tool.read(now) == result::success);
    CHECK(tool.add_all() == 6);
    plugin library{"batch_plugin"};
    CHECK(tool.add_all() == 1);
    REQUIRE(tool.start() == result::success);
    of_program.calls += 4;
    library.count(5);
    REQUIRE(tool.read(now) == result::success);
    CHECK(now.of_program == 4);
    CHECK(now.calls == 5);
    CHECK(now.queued == 1);
    CHECK(now.deepest == 5);
    CHECK(now.computed == 5);
    CHECK(now.messages == 5);
    CHECK(now.bytes == 15);
    REQUIRE(tool.reset() == result::success);
    REQUIRE(tool.read(now) == result::success);
    CHECK(now.calls == 0);
    CHECK(now.queued == 1);
    tool.close();
    if (unloads_libraries) CHECK_FALSE(tool.is_loaded());
    library.count(2);
}

TEST_CASE(
    "Values that a batch has read of a library stay when it is unloaded, and are read again when it is loaded again") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    mpit::tool::batch<batch_sample> b;
    batch_sample now{};
    {
        plugin library{"batch_plugin"};
        add_all(b);
        REQUIRE(b.start() == result::success);
        library.count(5);
        REQUIRE(b.read(now) == result::success);
        library.count(3);
        library.close();
        REQUIRE_FALSE(library.is_loaded());
    }
    const auto has_stayed = [&] {
        return now.calls == 5 && now.queued == 1 && now.deepest == 5 && now.computed == 5 && now.messages == 5 &&
               now.bytes == 15;
    };
    ++of_program.calls;
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(has_stayed());
    CHECK(now.of_program == 1);
    CHECK(b.reset() == result::invalid_handle);
    CHECK(b.add(&batch_sample::calls, performance_class::counter, "batch_calls") == result::invalid_index);
    ++of_program.calls;
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(has_stayed());
    CHECK(now.of_program == 1);

    plugin library{"batch_plugin"};
    library.count(7);
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(has_stayed());
    using enum performance_class;
    CHECK(b.add(&batch_sample::of_program, counter, "program_calls") == result::field_in_use);
    REQUIRE(b.add({{&batch_sample::bytes, aggregate, "batch_bytes"},
                   {&batch_sample::calls, counter, "batch_calls"},
                   {&batch_sample::deepest, high_watermark, "batch_queue"},
                   {&batch_sample::computed, level, "batch_computed"},
                   {&batch_sample::queued, level, "batch_queue"},
                   {&batch_sample::messages, counter, "batch_messages"}}) == result::success);
    REQUIRE(b.start() == result::success);
    library.count(2);
    REQUIRE(b.read(now) == result::success);
    CHECK(now.of_program == 1);
    CHECK(now.calls == 2);
    CHECK(now.deepest == 3);
    CHECK(now.computed == 9);
    CHECK(now.messages == 2);
    CHECK(now.bytes == 6);
}

TEST_CASE("Threads read a batch while its library is unloaded, and use nothing of it afterwards") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    const int rounds = is_long() ? 2000 : 30;
    for (int round = 0; round < rounds; round++) {
        plugin library{"batch_plugin"};
        mpit::tool::batch<batch_sample> b;
        add_all(b);
        REQUIRE(b.start() == result::success);
        std::atomic<int> reads{0}, mistakes{0};
        std::atomic<bool> is_closed{false}, ends{false};
        std::vector<std::thread> readers;
        for (int i = 0; i < 2; i++)
            readers.emplace_back([&] {
                batch_sample now{};
                bool is_gone = false, was_closed = false;
                while (!ends) {
                    const batch_sample before = now;
                    // While the variables are unregistered, one may be gone and another one still be read.
                    const bool begins_closed = is_closed;
                    const result answer = b.read(now);
                    if ((is_gone || begins_closed) && answer != result::invalid_handle) mistakes++;
                    if (was_closed && !is_same(now, before)) mistakes++;
                    if (now.calls > 5 || now.deepest > 5 || now.bytes > 15) mistakes++;
                    is_gone = answer == result::invalid_handle;
                    was_closed = begins_closed;
                    reads++;
                }
            });
        const auto wait_for_reads = [&] {
            for (const int before = reads; reads < before + 20;) std::this_thread::yield();
        };
        library.count(5);
        wait_for_reads();
        library.close();
        CHECK_FALSE(library.is_loaded());
        is_closed = true;
        wait_for_reads();
        ends = true;
        for (std::thread& each : readers) each.join();
        CHECK(mistakes == 0);
    }
}
