// Names of objects, and the INTEGERs that Fortran has for info objects: what no function of C shows, and what threads see.
#include "../catch.hpp"
#include "../repeated_text.hpp"

#include <mpit/concurrency/arena.hpp>
#include <mpit/info/object_names.hpp>
#include <mpit/info/objects.hpp>
#include <mpit/object_name.hpp>

#include <atomic>
#include <latch>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace {

using mpit::result;

std::string name_of(const mpit::object_name& of) {
    char name[128];
    for (char& each : name) each = '?';
    const std::uint32_t length = of.get(name);
    CHECK(length < 128);
    CHECK(name[length] == '\0');
    for (std::uint32_t i = length + 1; i < 128; i++) CHECK(name[i] == '?');
    return {name, length};
}

struct communicator {
    mpit::object_name name;
    int context = 0;
};
constinit communicator world{"MPI_COMM_WORLD", 1};

} // namespace

TEST_CASE("A name may be a part of a text, and is copied up to its first null") {
    mpit::object_name name;
    REQUIRE(name.set({"halo exchange", 4}) == result::success);
    CHECK(name_of(name) == "halo");
    REQUIRE(name.set({"two\0parts", 9}) == result::success);
    CHECK(name_of(name) == "two");
}

TEST_CASE("The three predefined communicators have default names, set at compile time", "[NAME-07]") {
    static constinit communicator itself{"MPI_COMM_SELF"}, parent{"MPI_COMM_PARENT"};
    CHECK(name_of(world.name) == "MPI_COMM_WORLD");
    CHECK(name_of(itself.name) == "MPI_COMM_SELF");
    CHECK(name_of(parent.name) == "MPI_COMM_PARENT");
}

TEST_CASE("A copy of an object has its other members, and no name") {
    const communicator duplicate = world;
    CHECK(duplicate.context == 1);
    CHECK(name_of(duplicate.name).empty());
    CHECK(name_of(world.name) == "MPI_COMM_WORLD");
}

TEST_CASE("A runtime with another MPI_MAX_OBJECT_NAME stores names of that length") {
    mpit::basic_object_name<64> name;
    REQUIRE(name.set(std::string(100, 'a').c_str()) == result::success);
    char seen[64];
    CHECK(name.get(seen) == 63);
    CHECK(std::string{seen} == std::string(63, 'a'));
}

TEST_CASE("Threads that set and get a name at once see whole names") {
    mpit::object_name name;
    std::atomic<int> torn{0}, refused{0}, readers{2};
    std::latch present{4};
    const auto set_all = [&] {
        present.arrive_and_wait();
        for (int n = 0; readers > 0; n++)
            refused += name.set(repeated_text(n % 10'000, 127).c_str()) != result::success;
    };
    const auto get_all = [&] {
        present.arrive_and_wait();
        for (int n = 0; n < 100'000; n++) {
            char seen[128];
            const std::uint32_t length = name.get(seen);
            torn += !is_repeated({seen, length});
        }
        readers--;
    };
    std::thread threads[] = {std::thread{set_all}, std::thread{set_all}, std::thread{get_all}, std::thread{get_all}};
    for (std::thread& each : threads) each.join();
    CHECK(torn == 0);
    CHECK(refused == 0);
}

namespace {

using handles = mpit::object<mpit::binding::communicator, std::uintptr_t>;
using names = mpit::object_names<handles>;

std::string name_of(names& all, std::uintptr_t object) {
    char name[128] = "????";
    const std::uint32_t length = all.get(object, name);
    CHECK(name[length] == '\0');
    return {name, length};
}

} // namespace

TEST_CASE("Each handle has a name of its own, and one that was never named has the empty one") {
    names all;
    for (std::uintptr_t object = 0; object < 1000; object++)
        REQUIRE(all.set(object * 16, ("communicator " + std::to_string(object)).c_str()) == result::success);
    for (std::uintptr_t object = 0; object < 1000; object++) {
        REQUIRE(name_of(all, object * 16) == "communicator " + std::to_string(object));
        REQUIRE(name_of(all, object * 16 + 8).empty());
    }
    all.release_all();
}

TEST_CASE("A freed handle has no name when its value is reused, and may be named again") {
    names all;
    all.freed(7);
    REQUIRE(all.set(7, "first") == result::success);
    REQUIRE(all.set(8, "neighbour") == result::success);
    all.freed(7);
    CHECK(name_of(all, 7).empty());
    all.freed(7);
    CHECK(name_of(all, 7).empty());
    REQUIRE(all.set(7, "second") == result::success);
    CHECK(name_of(all, 7) == "second");
    CHECK(name_of(all, 8) == "neighbour");
    all.release_all();
    CHECK(name_of(all, 8).empty());
}

TEST_CASE("Without memory an object that has a name can be renamed, and another one gets none") {
    names all;
    REQUIRE(all.set(1, "named") == result::success);
    mpit::core::allocations_left.store(0);
    result other = result::success;
    for (std::uintptr_t object = 2; object < 5000 && other == result::success; object++)
        other = all.set(object, "other");
    const result again = all.set(1, "named again");
    mpit::core::allocations_left.store(-1);
    CHECK(other == result::out_of_memory);
    CHECK(again == result::success);
    CHECK(name_of(all, 1) == "named again");
    CHECK(name_of(all, 5000).empty());
    all.release_all();
}

TEST_CASE("Threads set, get and free the name of one handle at once, and see whole names or none") {
    names all;
    std::atomic<int> wrong{0};
    std::atomic<bool> is_over{false};
    std::latch present{3};
    std::thread namer{[&] {
        present.arrive_and_wait();
        for (int n = 0; !is_over; n++) wrong += all.set(3, repeated_text(n % 10'000, 127).c_str()) != result::success;
    }};
    std::thread freer{[&] {
        present.arrive_and_wait();
        while (!is_over) all.freed(3);
    }};
    present.arrive_and_wait();
    for (int n = 0; n < 100'000; n++) {
        char name[128];
        const std::uint32_t length = all.get(3, name);
        wrong += !is_repeated({name, length});
    }
    is_over = true;
    namer.join();
    freer.join();
    CHECK(wrong == 0);
    all.release_all();
}

namespace {

using mpit::core::handle_word;
using mpit::session::info_integer;
using mpit::session::info_integers;
using mpit::session::info_objects;

std::uint64_t word(std::uint32_t generation, std::uint32_t slot) {
    return handle_word::make(info_integer::tag, generation, slot);
}

std::uint64_t added_to(info_objects& objects) {
    mpit::info empty;
    std::uint64_t made = 0;
    REQUIRE(objects.add(empty, made) == mpit::result::success);
    return made;
}

// How many generations of a slot have an INTEGER.
std::uint32_t generations_of(std::uint32_t slot) {
    std::uint32_t known = 0, unknown = handle_word::last_generation + 1;
    while (unknown - known > 1) {
        const std::uint32_t middle = known + (unknown - known) / 2;
        (info_integer::of(word(middle, slot)) != info_integer::none ? known : unknown) = middle;
    }
    return known;
}

} // namespace

TEST_CASE("A word has the INTEGER that converts back to it, at every limit") {
    for (std::uint32_t bit = 0; bit <= 27; bit++)
        for (const std::uint32_t slot : {(1u << bit) - 1, 1u << bit, (1u << bit) + 1}) {
            const std::uint32_t last = generations_of(slot);
            for (const std::uint32_t generation : {1u, 2u, last / 2, last - 1, last}) {
                if (generation == 0 || generation > last) continue;
                const std::uint32_t integer = info_integer::of(word(generation, slot));
                REQUIRE(integer != info_integer::none);
                REQUIRE(info_integer::word_of(integer) == word(generation, slot));
                REQUIRE(info_integer::is_last(word(generation, slot)) == (generation == last));
            }
            REQUIRE(info_integer::of(word(0, slot)) == info_integer::none);
        }
}

TEST_CASE("A slot of a low number has sixteen million INTEGERs, and a hundred million objects fit") {
    CHECK(generations_of(0) == handle_word::last_generation);
    CHECK(generations_of(15) == handle_word::last_generation);
    CHECK(generations_of(100) == (1u << 21) - 1);
    CHECK(generations_of(1'000'000) == (1u << 8) - 1);
    CHECK(generations_of(100'000'000) == 1);
    CHECK(generations_of(1u << 27) == 0);
}

TEST_CASE("An INTEGER of any value converts to its own word or to no object") {
    std::mt19937 random{7};
    for (int i = 0; i < 2'000'000; i++) {
        // Half of them are near a border.
        const auto any = static_cast<std::uint32_t>(random());
        const std::uint32_t integer = i % 2 == 0 ? any : (any >> 27 << 27) + (any % 64) - 32;
        const std::uint64_t found = info_integer::word_of(integer);
        const auto generation = found >> handle_word::generation_shift & handle_word::last_generation;
        REQUIRE(handle_word::tag(found) == info_integer::tag);
        REQUIRE(info_integer::of(found) == (generation == 0 ? info_integer::none : integer));
    }
}

TEST_CASE("Small numbers are reserved for predefined handles") {
    for (std::uint32_t integer = 0; integer < 0x10000; integer++) REQUIRE(info_integer::word_of(integer) == word(0, 0));
}

TEST_CASE("A word of anything else has no INTEGER") {
    const std::uint64_t good = word(3, 5);
    REQUIRE(info_integer::of(good) != info_integer::none);
    CHECK(info_integer::of(0) == info_integer::none);
    CHECK(info_integer::of(0x130) == info_integer::none);
    CHECK(info_integer::of(handle_word::make(0xd2, 3, 5)) == info_integer::none);
}

TEST_CASE("No INTEGER is assigned again, however often a slot is used, and an ended one stays invalid") {
    constexpr std::uint32_t kept = 1u << 16, rounds = 5000; // the slots behind these have 2047 generations each
    info_integers integers;
    std::set<std::uint32_t> seen, slots;
    for (std::uint32_t i = 0; i < kept; i++) REQUIRE(seen.insert(integers.give(i + 1)).second);
    std::vector<std::uint32_t> ended;
    for (std::uint32_t i = 0; i < rounds; i++) {
        const std::uint32_t integer = integers.give(kept + i + 1);
        slots.insert(handle_word::slot(info_integer::word_of(integer)));
        REQUIRE(seen.insert(integer).second);
        REQUIRE(integers.handle_of(integer) == kept + i + 1);
        integers.end(integer);
        ended.push_back(integer);
    }
    CHECK(slots.size() == 3);
    for (const std::uint32_t each : ended) REQUIRE(integers.handle_of(each) == 0);
    for (const std::uint32_t each : ended) integers.end(each);
    std::set<std::uint64_t> handles;
    for (const std::uint32_t each : seen)
        if (const std::uint64_t handle = integers.handle_of(each)) handles.insert(handle);
    CHECK(handles.size() == kept);
}

TEST_CASE("An object has one INTEGER until it is freed, and the next object in its place another one") {
    info_objects objects;
    std::set<std::uint32_t> seen;
    for (int i = 0; i < 1000; i++) {
        const std::uint64_t handle = added_to(objects);
        const std::uint32_t integer = objects.integer_of(handle);
        REQUIRE(integer != info_integer::none);
        REQUIRE(objects.integer_of(handle) == integer);
        REQUIRE(objects.handle_of(integer) == handle);
        REQUIRE(seen.insert(integer).second);
        REQUIRE(objects.free(handle));
        REQUIRE(objects.integer_of(handle) == info_integer::none);
        REQUIRE_FALSE(objects.is_valid(objects.handle_of(integer)));
    }
}

TEST_CASE("Only objects passed to Fortran get INTEGERs") {
    info_objects objects;
    for (int i = 0; i < 1000; i++) REQUIRE(objects.free(added_to(objects)));
    const std::uint64_t handle = added_to(objects);
    CHECK(objects.integer_of(handle) == info_integer::of(word(1, 0)));
}

TEST_CASE("Threads that request the INTEGER of one object get the same one, while others are freed") {
    info_objects objects;
    const std::uint64_t shared = added_to(objects);
    std::vector<std::uint32_t> answers(4);
    std::vector<std::set<std::uint32_t>> own(4);
    std::vector<std::thread> threads;
    std::atomic<int> mistakes{0};
    for (std::size_t t = 0; t < 4; t++)
        threads.emplace_back([&, t] {
            answers[t] = objects.integer_of(shared);
            for (int i = 0; i < 3000; i++) {
                mpit::info empty;
                std::uint64_t handle = 0;
                mistakes += objects.add(empty, handle) != mpit::result::success;
                const std::uint32_t integer = objects.integer_of(handle);
                mistakes += objects.handle_of(integer) != handle || !own[t].insert(integer).second;
                mistakes += !objects.free(handle) || objects.is_valid(objects.handle_of(integer));
                mistakes += objects.handle_of(answers[t]) != shared;
            }
        });
    for (std::thread& each : threads) each.join();
    CHECK(mistakes == 0);
    std::set<std::uint32_t> all{answers.begin(), answers.end()};
    CHECK(all.size() == 1);
    for (const auto& each : own) all.insert(each.begin(), each.end());
    CHECK(all.size() == 12001);
}
