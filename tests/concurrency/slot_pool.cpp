// The slots behind handles and sessions: what a word has to be to find its slot, how often a slot is used again, and
// that several threads never get the same one.

#include "catch.hpp"

#include <mpit/concurrency/slot_pool.hpp>

#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace {

using mpit::core::handle_word;
using mpit::core::slot_header;
using mpit::core::slot_pool;

struct numbered_slot : slot_header {
    std::uint64_t content = 0;
};
using numbered_pool = slot_pool<numbered_slot>;
constexpr std::uint8_t tag = 0xb7;

struct opened {
    numbered_slot* slot = nullptr;
    std::uint64_t word = 0;
};
opened open_one(numbered_pool& pool) {
    opened made;
    made.slot = pool.take(made.word);
    if (made.slot != nullptr) made.slot->word.store(made.word);
    return made;
}
void close_one(numbered_pool& pool, const opened& made) {
    REQUIRE(numbered_pool::close(*made.slot, made.word));
    pool.release(*made.slot, made.word);
}

} // namespace

TEST_CASE("A word contains the slot and the generation it was made of") {
    const std::uint64_t word = handle_word::make(tag, 0xabcdef, 0x71234567);
    CHECK(handle_word::tag(word) == tag);
    CHECK(handle_word::slot(word) == 0x71234567);
    CHECK(word >> handle_word::generation_shift == (std::uint64_t{tag} << 24 | 0xabcdef));
}

TEST_CASE("A slot is found by its word while it is open, and not before or after") {
    numbered_pool pool{tag};
    std::uint64_t word = 0;
    numbered_slot* slot = pool.take(word);
    REQUIRE(slot != nullptr);
    CHECK(pool.find(word) == nullptr);
    slot->word.store(word);
    CHECK(pool.find(word) == slot);
    CHECK(numbered_pool::close(*slot, word));
    CHECK(pool.find(word) == nullptr);
    CHECK_FALSE(numbered_pool::close(*slot, word));
}

TEST_CASE("Garbage finds nothing, in an empty pool and in one that is in use") {
    numbered_pool pool{tag};
    const std::uint64_t garbage[] = {0,
                                     1,
                                     4095,
                                     ~std::uint64_t{0},
                                     reinterpret_cast<std::uintptr_t>(&pool),
                                     handle_word::make(tag, 1, 0),
                                     handle_word::make(tag, 1, 63),
                                     handle_word::make(tag, 1, 0xffffffff - handle_word::first_slot),
                                     handle_word::make(tag, 0, 1),
                                     handle_word::make(tag, 2, 1),
                                     handle_word::make(tag, handle_word::last_generation, 1),
                                     handle_word::make(tag - 1, 1, 1)};
    for (const std::uint64_t word : garbage) CHECK(pool.find(word) == nullptr);
    const opened first = open_one(pool), second = open_one(pool);
    close_one(pool, first);
    REQUIRE(pool.find(second.word) == second.slot);
    CHECK(second.word == handle_word::make(tag, 1, 1));
    for (const std::uint64_t word : garbage) CHECK(pool.find(word) == nullptr);
    for (int bit = 0; bit < 64; bit++) CHECK(pool.find(second.word ^ std::uint64_t{1} << bit) == nullptr);
}

TEST_CASE("A slot that is used again has another word, and the old one stays invalid") {
    numbered_pool pool{tag};
    std::set<std::uint64_t> words;
    opened last = open_one(pool);
    for (int i = 0; i < 1000; i++) {
        const opened before = last;
        close_one(pool, before);
        last = open_one(pool);
        CHECK(last.slot == before.slot);
        CHECK(words.insert(last.word).second);
        CHECK(pool.find(before.word) == nullptr);
    }
}

TEST_CASE("A slot whose generations are used up is never used again") {
    numbered_pool pool{tag};
    opened old = open_one(pool);
    close_one(pool, old);
    old.slot->generation = handle_word::last_generation - 2;
    const opened last_but_one = open_one(pool);
    CHECK(last_but_one.slot == old.slot);
    close_one(pool, last_but_one);
    const opened last = open_one(pool);
    CHECK(last.slot == old.slot);
    CHECK(last.word == handle_word::make(tag, handle_word::last_generation, 0));
    close_one(pool, last);
    const opened other = open_one(pool);
    CHECK(other.slot != old.slot);
    CHECK(pool.find(last.word) == nullptr);
    CHECK(pool.find(other.word) == other.slot);
}

TEST_CASE("Slots are spaced by the size of their data, and do not move while the pool grows") {
    constexpr std::size_t extra = 1000;
    struct spaced_slot : numbered_slot {
        unsigned char behind[extra];
    };
    slot_pool<spaced_slot> pool{tag};
    struct {
        std::uint64_t word = 0;
        spaced_slot* slot = nullptr;
    } all[1000];
    for (std::uint64_t i = 0; i < 1000; i++) {
        all[i].slot = pool.take(all[i].word);
        REQUIRE(all[i].slot != nullptr);
        all[i].slot->word.store(all[i].word);
        all[i].slot->content = i;
        std::memset(all[i].slot->behind, static_cast<int>(i & 255), extra);
    }
    for (std::uint64_t i = 0; i < 1000; i++) {
        CHECK(pool.find(all[i].word) == all[i].slot);
        CHECK(all[i].slot->content == i);
        const unsigned char* const behind = all[i].slot->behind;
        CHECK(behind[0] == (i & 255));
        CHECK(behind[extra - 1] == (i & 255));
        CHECK(reinterpret_cast<std::uintptr_t>(all[i].slot) % 64 == 0);
    }
}

TEST_CASE("Without memory no new slot is created, and released slots are still available") {
    numbered_pool pool{tag};
    const opened known = open_one(pool);
    mpit::core::allocations_left.store(0);
    std::vector<opened> all;
    for (opened made = open_one(pool); made.slot != nullptr; made = open_one(pool)) all.push_back(made);
    CHECK(all.size() == 63);
    close_one(pool, known);
    const opened again = open_one(pool);
    CHECK(again.slot == known.slot);
    CHECK(open_one(pool).slot == nullptr);
    mpit::core::allocations_left.store(-1);
    CHECK(open_one(pool).slot != nullptr);
}

TEST_CASE("An iteration visits every open slot once, with its word") {
    numbered_pool pool{tag};
    std::set<std::uint64_t> open;
    for (int i = 0; i < 200; i++) {
        const opened made = open_one(pool);
        if (i % 3 == 0) close_one(pool, made);
        else open.insert(made.word);
    }
    std::set<std::uint64_t> visited;
    pool.each([&](numbered_slot& slot, std::uint64_t word) {
        CHECK(pool.find(word) == &slot);
        CHECK(visited.insert(word).second);
    });
    CHECK(visited == open);
}

TEST_CASE("Threads never hold one slot at once, and exactly one of them ends a handle") {
    numbered_pool pool{tag};
    std::atomic<int> shared{0}, invalid{0}, ended{0};
    opened contested = open_one(pool);
    std::vector<std::thread> threads;
    for (std::uint64_t t = 1; t <= 4; t++)
        threads.emplace_back([&, t] {
            for (int round = 0; round < 20000; round++) {
                opened mine[3];
                for (opened& one : mine) {
                    one.slot = pool.take(one.word);
                    shared += std::exchange(one.slot->content, t) != 0;
                    one.slot->word.store(one.word);
                }
                for (const opened& one : mine) {
                    invalid += pool.find(one.word) != one.slot || one.slot->content != t;
                    one.slot->content = 0;
                    invalid += !numbered_pool::close(*one.slot, one.word);
                    pool.release(*one.slot, one.word);
                }
            }
            ended += numbered_pool::close(*contested.slot, contested.word);
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(shared == 0);
    CHECK(invalid == 0);
    CHECK(ended == 1);
    int left = 0;
    pool.each([&](numbered_slot&, std::uint64_t) { left++; });
    CHECK(left == 0);
}

TEST_CASE("A word that another thread has freed is refused, whatever its slot is by now") {
    numbered_pool pool{tag};
    std::atomic<std::uint64_t> freed{0};
    std::atomic<bool> stop{false};
    std::atomic<int> found{0};
    std::thread reader{[&] {
        while (!stop) {
            const std::uint64_t word = freed;
            found += word != 0 && pool.find(word) != nullptr;
        }
    }};
    for (int i = 0; i < 50000; i++) {
        const opened one = open_one(pool);
        close_one(pool, one);
        freed = one.word;
    }
    stop = true;
    reader.join();
    CHECK(found == 0);
}
