// Memory without an owner, and the pair of words that changes as one.
#include "../catch.hpp"

#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/atomic_word_pair.hpp>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace {

struct piece {
    unsigned char* begin;
    std::size_t size;
};

template <class Work> void run_in_threads(int count, Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; i++) threads.emplace_back([=] { work(i); });
    for (std::thread& t : threads) t.join();
}

// Sizes around everything that could be a boundary: nothing, the alignment, and what takes pages of its own.
std::size_t any_size(std::mt19937& random) {
    switch (random() % 8) {
    case 0: return random() % 2;
    case 1: return 16384 - 8 + random() % 16;
    case 2: return 60000 + random() % 10000;
    default: return 1 + random() % 300;
    }
}

int overlaps(std::vector<piece> all) {
    std::sort(all.begin(), all.end(), [](const piece& a, const piece& b) { return a.begin < b.begin; });
    int found = 0;
    for (std::size_t i = 1; i < all.size(); i++) found += all[i - 1].begin + all[i - 1].size > all[i].begin;
    return found;
}

} // namespace

TEST_CASE("The end of the last piece of an arena is given back, that of an earlier one and of one with its own pages "
          "is not") {
    mpit::core::arena arena;
    auto* const first = static_cast<char*>(arena.allocate(512));
    CHECK(arena.shorten(first, 512, 64));
    auto* const second = static_cast<char*>(arena.allocate(256));
    CHECK(second == first + 64);
    CHECK_FALSE(arena.shorten(first, 64, 16));
    CHECK(static_cast<char*>(arena.allocate(16)) == second + 256);
    void* const large = arena.allocate(20000);
    CHECK_FALSE(arena.shorten(large, 20000, 16));
    arena.release_all();
}

TEST_CASE("Pieces of an arena are zero, aligned to eight bytes, and do not overlap") {
    mpit::core::arena arena;
    std::mt19937 random{1};
    std::vector<piece> all;
    int unaligned = 0, dirty = 0;
    for (int i = 0; i < 2000; i++) {
        const std::size_t size = any_size(random);
        const piece p{static_cast<unsigned char*>(arena.allocate(size)), size};
        if (size == 0) continue;
        unaligned += reinterpret_cast<std::uintptr_t>(p.begin) % mpit::core::arena::unit != 0;
        dirty += std::any_of(p.begin, p.begin + size, [](unsigned char c) { return c != 0; });
        std::fill(p.begin, p.begin + size, static_cast<unsigned char>(0xa5));
        all.push_back(p);
    }
    CHECK(unaligned == 0);
    CHECK(dirty == 0);
    CHECK(overlaps(all) == 0);
}

template <class T> int misplaced(mpit::core::arena& arena) {
    const auto begin = reinterpret_cast<std::uintptr_t>(arena.make<T>());
    const auto next = reinterpret_cast<std::uintptr_t>(arena.allocate(8));
    return (begin % alignof(T) != 0) + (begin + sizeof(T) > next);
}
TEST_CASE("An object in an arena is aligned as its type demands, and all of it is its own") {
    struct alignas(16) pair {
        std::uint64_t words[2];
    };
    struct alignas(64) line {
        char bytes[64];
    };
    mpit::core::arena arena;
    int wrong = 0;
    for (int i = 0; i < 100; i++) wrong += misplaced<pair>(arena) + misplaced<line>(arena);
    CHECK(wrong == 0);
    arena.release_all();
}

TEST_CASE("Eight threads get different pieces of one arena") {
    mpit::core::arena arena;
    std::vector<std::vector<piece>> own(8);
    run_in_threads(8, [&](int me) {
        std::mt19937 random{static_cast<unsigned>(me)};
        for (int i = 0; i < 1000; i++) {
            const std::size_t size = 1 + random() % 300;
            const piece p{static_cast<unsigned char*>(arena.allocate(size)), size};
            std::fill(p.begin, p.begin + size, static_cast<unsigned char>(me));
            own[static_cast<std::size_t>(me)].push_back(p);
        }
    });
    std::vector<piece> all;
    int foreign = 0;
    for (std::size_t me = 0; me < own.size(); me++)
        for (const piece& p : own[me]) {
            foreign += std::any_of(p.begin, p.begin + p.size, [&](unsigned char c) { return c != me; });
            all.push_back(p);
        }
    CHECK(foreign == 0);
    CHECK(overlaps(all) == 0);
}

TEST_CASE("An arena without memory returns null, and works again when memory is available") {
    struct thing {
        int n = 5;
    };
    mpit::core::arena arena;
    mpit::core::allocations_left.store(0);
    thing* const none = arena.make<thing>();
    void* const no_pages = arena.allocate(100000);
    mpit::core::allocations_left.store(-1);
    CHECK(none == nullptr);
    CHECK(no_pages == nullptr);
    thing* const made = arena.make<thing>();
    REQUIRE(made != nullptr);
    CHECK(made->n == 5);
}

TEST_CASE("The number of allocations that still succeed counts down to failure") {
    mpit::core::allocations_left.store(2);
    const bool first = mpit::core::pages(1) != nullptr, second = mpit::core::pages(1) != nullptr;
    const bool third = mpit::core::pages(1) != nullptr;
    mpit::core::allocations_left.store(-1);
    CHECK(first);
    CHECK(second);
    CHECK_FALSE(third);
}

TEST_CASE("Refused allocations are counted, and so are the bytes that are allocated and not released") {
    const std::size_t refused = mpit::core::refusals(), used = mpit::core::bytes_in_use();
    void* const taken = mpit::core::pages(5000);
    CHECK(mpit::core::bytes_in_use() == used + 5000);
    mpit::core::release_memory(taken, 5000);
    CHECK(mpit::core::bytes_in_use() == used);
    CHECK(mpit::core::refusals() == refused);
    mpit::core::allocations_left.store(0);
    CHECK(mpit::core::pages(5000) == nullptr);
    CHECK_FALSE(mpit::core::memory_is_left());
    mpit::core::allocations_left.store(-1);
    CHECK(mpit::core::memory_is_left());
    CHECK(mpit::core::refusals() == refused + 2);
    CHECK(mpit::core::bytes_in_use() == used);
}

using mpit::core::atomic_word_pair;
using mpit::core::word_pair;

TEST_CASE("A double word begins as zeros and keeps both written halves") {
    atomic_word_pair word;
    CHECK(word.load().value == 0);
    CHECK(word.load().flags == 0);
    word.store({~std::uint64_t{0}, 0xffffffff});
    CHECK(word.load().value == ~std::uint64_t{0});
    CHECK((word.load().flags & atomic_word_pair::user_mask) == 0xffffffff);
}

TEST_CASE("An exchange with another expected value changes nothing and returns the present value") {
    atomic_word_pair word;
    word.store({1, 2});
    word_pair stale = word.load();
    word.store({3, 4});
    CHECK_FALSE(word.compare_exchange(stale, {5, 6}));
    CHECK(stale.value == 3);
    CHECK((stale.flags & atomic_word_pair::user_mask) == 4);
    CHECK(word.load().value == 3);
    CHECK(word.compare_exchange(stale, {5, 6}));
    CHECK(word.load().value == 5);
}

TEST_CASE("A value that was changed and changed back is not taken for an unchanged one") {
    atomic_word_pair word;
    word.store({1, 7});
    word_pair seen = word.load();
    word.store({2, 7});
    word.store({1, 7});
    CHECK_FALSE(word.compare_exchange(seen, {9, 9}));
    CHECK(word.load().value == 1);
}

TEST_CASE("No thread sees half of a change, and none of the changes is lost") {
    constexpr std::uint64_t changes = 20000;
    atomic_word_pair word;
    std::atomic<int> halves{0};
    run_in_threads(4, [&](int me) {
        word_pair seen = word.load();
        for (std::uint64_t i = 0; i < changes; i++) {
            if (me == 0) {
                seen = word.load();
                halves += (seen.flags & atomic_word_pair::user_mask) != (seen.value * 3 & atomic_word_pair::user_mask);
            } else {
                while (
                    !word.compare_exchange(seen, {seen.value + 1, (seen.value + 1) * 3 & atomic_word_pair::user_mask}))
                    halves +=
                        (seen.flags & atomic_word_pair::user_mask) != (seen.value * 3 & atomic_word_pair::user_mask);
                seen = word.load();
            }
        }
    });
    CHECK(halves == 0);
    CHECK(word.load().value == 3 * changes);
    CHECK(word.load().flags >> 32 == 3 * changes);
}
