// The place of a callback: what is read is one callback that was stored, never a mixture of two, also in the middle of
// a replacement, and who interrupts a replacement is told that it cannot make another one.

#include "../alarms.hpp"

#include <mpit/event/callback_slot.hpp>

#include <atomic>
#include <thread>

namespace {

using mpit::internal::callback;
using mpit::internal::callback_slot;

void some_function() {}
void other_function() {}

// A callback whose parts belong together.
callback numbered(std::uint64_t n) {
    return {n % 2 == 0 ? &some_function : &other_function, reinterpret_cast<void*>(n), n};
}
bool is_whole(const callback& c) {
    const callback wanted = numbered(c.one_in);
    return c.user_data == wanted.user_data && c.function == wanted.function;
}
bool store(callback_slot& in, std::uint64_t n) {
    return in.change([n](callback& to) { return to = numbered(n), true; });
}

callback_slot interrupted;
std::atomic<int> mixtures{0}, reads{0};

} // namespace

TEST_CASE("A slot without a callback has no function, and one with a callback has the last one") {
    callback_slot place;
    CHECK(place.load().function == nullptr);
    CHECK(store(place, 2));
    CHECK(place.load().function == &some_function);
    CHECK(store(place, 3));
    CHECK(place.load().function == &other_function);
    CHECK(place.load().one_in == 3);
    CHECK(place.change([](callback& to) {
        CHECK(to.one_in == 3);
        to = numbered(4);
        return false;
    }));
    CHECK(place.load().one_in == 3);
}

TEST_CASE("Two threads that replace a callback never show a mixture of two to a third one") {
    static callback_slot place;
    store(place, 1);
    std::atomic<bool> done{false};
    std::atomic<int> replacements{0}, refused{0};
    const auto replace = [&](std::uint64_t from) {
        for (std::uint64_t n = from; !done.load(); n++) {
            refused += !store(place, n);
            replacements++;
        }
    };
    std::thread first{replace, 2}, second{replace, 1'000'000'000};
    int wrong = 0;
    while (replacements.load() < 1'000'000)
        for (int i = 0; i < 100; i++) wrong += !is_whole(place.load());
    done = true;
    first.join();
    second.join();
    CHECK(refused.load() == 0);
    CHECK(wrong == 0);
}

TEST_CASE("Changes of two threads are serialized, so that none is lost") {
    static callback_slot place;
    std::atomic<int> ready{0};
    std::atomic<std::uint64_t> count{0}, mine[2]{};
    const auto add = [&](int t) {
        ready++;
        while (ready.load() < 2) {}
        while (count.load() < 3'000'000) {
            while (!place.change([](callback& to) { return to.one_in++, true; })) {}
            mine[t]++;
            if (mine[t].load() % 16 == 0) count += 16;
        }
    };
    std::thread first{add, 0}, second{add, 1};
    first.join();
    second.join();
    CHECK(place.load().one_in == mine[0].load() + mine[1].load());
}

TEST_CASE("A signal handler that interrupts a replacement reads a whole callback") {
    reads = mixtures = 0;
    store(interrupted, 1);
    {
        const alarms every{[](int) {
            mixtures += !is_whole(interrupted.load());
            reads++;
        }};
        for (std::uint64_t n = 2; reads.load() < 1000; n++) store(interrupted, n);
    }
    CHECK(mixtures.load() == 0);
}

TEST_CASE("A callback with a sampling of n is called for one instance in n, and without sampling for each") {
    callback_slot place;
    int due = 0;
    for (int i = 0; i < 100; i++) due += place.is_due(1);
    CHECK(due == 100);
    for (const std::uint64_t n : {2u, 3u, 7u, 1000u}) {
        callback_slot sampled;
        std::uint64_t count = 0;
        for (std::uint64_t i = 0; i < 10 * n; i++) {
            const bool is_first = i % n == 0;
            CHECK(sampled.is_due(n) == is_first);
            count += is_first;
        }
        CHECK(count == 10);
    }
}
