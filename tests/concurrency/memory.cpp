// Memory without an owner, the pair of words that changes as one, the array that only grows, and the table that is
// only added to: places that never move, whoever asks for them and in whatever order, against simple models and under
// threads.
#include "../catch.hpp"

#include <mpit/concurrency/append_array.hpp>
#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/double_word.hpp>
#include <mpit/concurrency/insert_only_table.hpp>

#include <algorithm>
#include <atomic>
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

template <class Count, class Work> void run_in_threads(Count count, Work work) {
    std::vector<std::thread> threads;
    for (Count i = 0; i < count; i++) threads.emplace_back([=] { work(i); });
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

using mpit::core::double_word;
using mpit::core::word_pair;

TEST_CASE("A double word begins as zeros and keeps both written halves") {
    double_word word;
    CHECK(word.load().value == 0);
    CHECK(word.load().flags == 0);
    word.overwrite({~std::uint64_t{0}, 0xffffffff});
    CHECK(word.load().value == ~std::uint64_t{0});
    CHECK((word.load().flags & double_word::user_mask) == 0xffffffff);
}

TEST_CASE("An exchange with another expected value changes nothing and returns the present value") {
    double_word word;
    word.overwrite({1, 2});
    word_pair stale = word.load();
    word.overwrite({3, 4});
    CHECK_FALSE(word.replace(stale, {5, 6}));
    CHECK(stale.value == 3);
    CHECK((stale.flags & double_word::user_mask) == 4);
    CHECK(word.load().value == 3);
    CHECK(word.replace(stale, {5, 6}));
    CHECK(word.load().value == 5);
}

TEST_CASE("A value that was changed and changed back is not taken for an unchanged one") {
    double_word word;
    word.overwrite({1, 7});
    word_pair seen = word.load();
    word.overwrite({2, 7});
    word.overwrite({1, 7});
    CHECK_FALSE(word.replace(seen, {9, 9}));
    CHECK(word.load().value == 1);
}

TEST_CASE("No thread sees half of a change, and none of the changes is lost") {
    constexpr std::uint64_t changes = 20000;
    double_word word;
    std::atomic<int> halves{0};
    run_in_threads(4, [&](int me) {
        word_pair seen = word.load();
        for (std::uint64_t i = 0; i < changes; i++) {
            if (me == 0) {
                seen = word.load();
                halves += (seen.flags & double_word::user_mask) != (seen.value * 3 & double_word::user_mask);
            } else {
                while (!word.replace(seen, {seen.value + 1, (seen.value + 1) * 3 & double_word::user_mask}))
                    halves += (seen.flags & double_word::user_mask) != (seen.value * 3 & double_word::user_mask);
                seen = word.load();
            }
        }
    });
    CHECK(halves == 0);
    CHECK(word.load().value == 3 * changes);
    CHECK(word.load().flags >> 32 == 3 * changes);
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
        places.push_back(a.place(i));
        places.back()->store(i + 1);
    }
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < count; i++)
        wrong += a.get(i) != i + 1 || a.find(i) != i + 1 || a.place(i) != places[i];
    CHECK(wrong == 0);
    CHECK(std::set(places.begin(), places.end()).size() == count);
}

TEST_CASE("Elements can be stored in any order, with gaps between them") {
    array a;
    for (int i = static_cast<int>(std::size(edges)) - 1; i >= 0; i--) a.place(edges[i])->store(edges[i] + 7);
    for (std::uint32_t at : edges) CHECK(a.get(at) == at + 7);
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
                seen[me].push_back(a.place(i));
                seen[me].back()->fetch_add(1);
            }
        });
    for (std::thread& t : running) t.join();
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < count; i++) wrong += a.get(i) != threads;
    CHECK(wrong == 0);
    for (std::size_t other = 1; other < threads; other++) CHECK(seen[other] == seen[0]);
}

TEST_CASE("Without memory a new element is null, the old ones remain, and later it succeeds") {
    array a;
    a.place(511)->store(5);
    mpit::core::allocations_left.store(0);
    auto* const none = a.place(512);
    auto* const old = a.place(511);
    mpit::core::allocations_left.store(-1);
    CHECK(none == nullptr);
    CHECK(a.find(512) == 0);
    REQUIRE(old != nullptr);
    CHECK(old->load() == 5);
    REQUIRE(a.place(512) != nullptr);
    a.place(512)->store(6);
    CHECK(a.get(512) == 6);
    CHECK(a.get(511) == 5);
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

TEST_CASE("Of two entries that are the same the first one stays") {
    table t;
    entry first{7, "x"}, second{7, "x"}, other{7, "y"};
    CHECK(find(t, 7, "x") == nullptr);
    CHECK(insert(t, first) == &first);
    CHECK(insert(t, second) == &first);
    CHECK(insert(t, other) == &other);
    CHECK(insert(t, first) == &first);
    CHECK(find(t, 7, "x") == &first);
    CHECK(find(t, 7, "y") == &other);
    CHECK(find(t, 8, "x") == nullptr);
}

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

TEST_CASE("Eight threads that insert equal names agree on one winner for each") {
    constexpr std::size_t threads = 8, names = 3000;
    table t;
    std::vector<std::deque<entry>> own(threads);
    std::vector<std::vector<entry*>> answers(threads, std::vector<entry*>(names));
    std::atomic<std::size_t> ready{0};
    run_in_threads(threads, [&](auto me) {
        for (std::size_t i = 0; i < names; i++) own[me].push_back({good_hash(numbered(i)), numbered(i)});
        for (ready++; ready < threads;) {}
        for (std::size_t i = 0; i < names; i++) answers[me][i] = insert(t, own[me][i]);
    });
    int different = 0, lost = 0;
    for (std::size_t i = 0; i < names; i++) {
        for (std::size_t other = 1; other < threads; other++) different += answers[other][i] != answers[0][i];
        lost += answers[0][i] == nullptr || find(t, good_hash(numbered(i)), numbered(i)) != answers[0][i];
    }
    CHECK(different == 0);
    CHECK(lost == 0);
}

TEST_CASE("An inserted entry is found by other threads at every moment of the table's growth") {
    constexpr std::size_t names = 20000;
    table t;
    std::deque<entry> entries;
    for (std::size_t i = 0; i < names; i++) entries.push_back({good_hash(numbered(i)), numbered(i)});
    std::atomic<std::size_t> inserted{0};
    std::atomic<int> missed{0};
    run_in_threads(std::size_t{4}, [&](auto me) {
        if (me == 0) {
            for (std::size_t i = 0; i < names; i++) {
                insert(t, entries[i]);
                inserted = i + 1;
            }
            return;
        }
        for (std::size_t end = 0; end < names;) {
            end = inserted;
            for (std::size_t i = 0; i < end; i += 1 + (end - i) / 64)
                missed += find(t, entries[i].hash, entries[i].name) != &entries[i];
        }
    });
    CHECK(missed == 0);
}

TEST_CASE("An insertion that is overtaken by the table's growth ends up in the grown table") {
    table t;
    entry first{7, "first"}, late{7, "late"};
    std::deque<entry> others;
    REQUIRE(insert(t, first) == &first);
    entry* const answer = t.insert(late, [&](const entry&) {
        while (others.size() < 1000)
            insert(t, others.emplace_back(entry{others.size() + 1000, numbered(others.size())}));
        return false;
    });
    CHECK(answer == &late);
    CHECK(find(t, 7, "late") == &late);
    CHECK(find(t, 7, "first") == &first);
}

TEST_CASE("A look-up that is overtaken by the table's growth continues in the grown table") {
    table t;
    entry first{7, "first"}, late{7, "late"};
    std::deque<entry> others;
    REQUIRE(insert(t, first) == &first);
    entry* const answer = t.find(7, [&](const entry& e) {
        while (others.size() < 1000)
            insert(t, others.emplace_back(entry{others.size() + 1000, numbered(others.size())}));
        insert(t, late);
        return e.name == "late";
    });
    CHECK(answer == &late);
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
