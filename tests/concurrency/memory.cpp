// Memory without an owner, the pair of words that changes as one, the array that only grows, the table that is only
// added to, and the slots behind handles and sessions, against simple models. tests/model_check explores the moments
// at which threads meet there.
#include "../catch.hpp"

#include <mpit/concurrency/append_array.hpp>
#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/atomic_word_pair.hpp>
#include <mpit/concurrency/insert_only_table.hpp>
#include <mpit/concurrency/slot_pool.hpp>

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
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

namespace {

struct entry {
    std::uint64_t hash;
    std::string name;
};
using table = mpit::core::insert_only_table<entry>;

// Hashes that share their place, their tag, or everything must cost time and nothing else.
std::uint64_t good_hash(const std::string& name) { return std::hash<std::string>{}(name); }
std::uint64_t same_place(const std::string& name) { return good_hash(name) << 32; }
std::uint64_t same_tag(const std::string& name) { return good_hash(name) & 0xffff; }
std::uint64_t same_everything(const std::string&) { return 42; }

entry* insert(table& into, entry& fresh) {
    return into.insert(fresh, [&](const entry& e) { return e.name == fresh.name; });
}
entry* find(const table& in, std::uint64_t hash, const std::string& name) {
    return in.find(hash, [&](const entry& e) { return e.name == name; });
}
std::string numbered(std::size_t i) { return "name_" + std::to_string(i); }

} // namespace

TEST_CASE(
    "A table answers like std::unordered_map for any sequence of insertions and look-ups, whatever the hashes are") {
    struct variant {
        std::uint64_t (*hash)(const std::string&);
        unsigned names, steps;
    };
    for (const variant v : {variant{good_hash, 4000, 20000}, variant{same_place, 500, 2000},
                            variant{same_tag, 2000, 8000}, variant{same_everything, 400, 2000}}) {
        table t;
        std::deque<entry> entries;
        std::unordered_map<std::string, entry*> model;
        std::mt19937 random{2026};
        bool alike = true;
        for (unsigned step = 0; step < v.steps; step++) {
            const std::string name = numbered(random() % v.names);
            if (random() % 2 == 0) {
                entry& fresh = entries.emplace_back(entry{v.hash(name), name});
                alike = alike && insert(t, fresh) == model.emplace(name, &fresh).first->second;
            } else {
                const auto known = model.find(name);
                alike = alike && find(t, v.hash(name), name) == (known == model.end() ? nullptr : known->second);
            }
        }
        CHECK(alike);
        CHECK(model.size() > 300);
    }
}

TEST_CASE("A table that cannot grow keeps its entries, refuses new ones, and works again when memory is available") {
    table t;
    std::deque<entry> entries;
    for (std::size_t i = 0; i < 1000; i++) entries.push_back({good_hash(numbered(i)), numbered(i)});
    REQUIRE(insert(t, entries[0]) == &entries[0]);

    mpit::core::allocations_left.store(0);
    std::size_t there = 1;
    while (there < 1000 && insert(t, entries[there]) == &entries[there]) there++;
    CHECK(insert(t, entries[there]) == nullptr);
    CHECK(insert(t, entries[there + 1]) == nullptr);
    std::size_t found = 0;
    for (std::size_t i = 0; i < 1000; i++) found += find(t, entries[i].hash, entries[i].name) == &entries[i];
    mpit::core::allocations_left.store(-1);
    CHECK(there > 100);
    CHECK(there < 256);
    CHECK(found == there);

    for (entry& e : entries) insert(t, e);
    found = 0;
    for (entry& e : entries) found += find(t, e.hash, e.name) == &e;
    CHECK(found == 1000);
}

TEST_CASE("Without memory for its first entries a table returns null") {
    table t;
    entry e{1, "x"};
    mpit::core::allocations_left.store(0);
    entry* const answer = insert(t, e);
    mpit::core::allocations_left.store(-1);
    CHECK(answer == nullptr);
    CHECK(find(t, 1, "x") == nullptr);
    CHECK(insert(t, e) == &e);
}

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
