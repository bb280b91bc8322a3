// The table that is only added to, against std::unordered_map and under threads that insert and look up while it grows.
#include "../catch.hpp"

#include <mpit/concurrency/insert_only_table.hpp>

#include <atomic>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

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

template <class Work> void run_in_threads(std::size_t count, Work work) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; i++) threads.emplace_back([=] { work(i); });
    for (std::thread& t : threads) t.join();
}

} // namespace

TEST_CASE("An empty table finds nothing") {
    const table empty;
    CHECK(find(empty, 1, "x") == nullptr);
}

TEST_CASE("Of two entries that are the same the first one stays") {
    table t;
    entry first{7, "x"}, second{7, "x"}, other{7, "y"};
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
    run_in_threads(threads, [&](std::size_t me) {
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
    run_in_threads(4, [&](std::size_t me) {
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
