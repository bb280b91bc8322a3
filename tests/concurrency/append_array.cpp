// The array that only grows: places that never move, whoever asks for them and in whatever order.
#include "../catch.hpp"

#include <mpit/concurrency/append_array.hpp>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

using array = mpit::core::append_array<std::uint32_t>;

namespace {

// The last element of a piece and the first of the next one, for pieces of 512, 1024, 2048 … elements.
constexpr std::uint32_t edges[] = {0, 1, 511, 512, 1535, 1536, 3583, 3584, 7679, 7680, 130559, 130560};

} // namespace

TEST_CASE("An element that was not stored is the zero of its type") {
    const array empty;
    for (std::uint32_t at : edges) CHECK(empty.find(at) == 0);
}

TEST_CASE("Every element has an address of its own, which never changes") {
    constexpr std::uint32_t count = 9000;
    array a;
    std::vector<mpit::core::atomic<std::uint32_t>*> places;
    for (std::uint32_t i = 0; i < count; i++) {
        places.push_back(a.ensure(i));
        places.back()->store(i + 1);
    }
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < count; i++)
        wrong += a.at(i) != i + 1 || a.find(i) != i + 1 || a.ensure(i) != places[i];
    CHECK(wrong == 0);
    CHECK(std::set(places.begin(), places.end()).size() == count);
}

TEST_CASE("Elements can be stored in any order, with gaps between them") {
    array a;
    for (int i = static_cast<int>(std::size(edges)) - 1; i >= 0; i--) a.ensure(edges[i])->store(edges[i] + 7);
    for (std::uint32_t at : edges) CHECK(a.at(at) == at + 7);
    CHECK(a.find(2) == 0);
    CHECK(a.find(130561) == 0);
}

TEST_CASE("Threads that request one element get the same address") {
    constexpr std::size_t threads = 4, count = 20000;
    array a;
    std::vector<std::vector<mpit::core::atomic<std::uint32_t>*>> seen(threads);
    std::vector<std::thread> running;
    for (std::size_t me = 0; me < threads; me++)
        running.emplace_back([&, me] {
            for (std::uint32_t i = 0; i < count; i++) {
                seen[me].push_back(a.ensure(i));
                seen[me].back()->fetch_add(1);
            }
        });
    for (std::thread& t : running) t.join();
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < count; i++) wrong += a.at(i) != threads;
    CHECK(wrong == 0);
    for (std::size_t other = 1; other < threads; other++) CHECK(seen[other] == seen[0]);
}

TEST_CASE("Threads that need the same new piece at once use one piece") {
    constexpr std::size_t rounds = 300;
    std::vector<array> arrays(rounds);
    std::atomic<std::size_t> arrived{0};
    std::vector<mpit::core::atomic<std::uint32_t>*> seen[2];
    std::vector<std::thread> running;
    for (std::size_t me = 0; me < 2; me++)
        running.emplace_back([&, me] {
            for (std::size_t round = 0; round < rounds; round++) {
                arrived++;
                for (int spins = 0; arrived < 2 * (round + 1); spins++)
                    if (spins > 1000) std::this_thread::yield();
                seen[me].push_back(arrays[round].ensure(0));
            }
        });
    for (std::thread& t : running) t.join();
    CHECK(seen[0] == seen[1]);
}

TEST_CASE("Without memory a new element is null, the old ones remain, and later it succeeds") {
    array a;
    a.ensure(511)->store(5);
    mpit::core::allocations_left.store(0);
    auto* const none = a.ensure(512);
    auto* const old = a.ensure(511);
    mpit::core::allocations_left.store(-1);
    CHECK(none == nullptr);
    CHECK(a.find(512) == 0);
    REQUIRE(old != nullptr);
    CHECK(old->load() == 5);
    REQUIRE(a.ensure(512) != nullptr);
    a.ensure(512)->store(6);
    CHECK(a.at(512) == 6);
    CHECK(a.at(511) == 5);
}
