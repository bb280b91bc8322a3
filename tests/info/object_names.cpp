// The names of objects that a runtime keeps by their handles.

#include "catch.hpp"
#include "repeated_text.hpp"

#include <mpit/concurrency/arena.hpp>
#include <mpit/info/object_names.hpp>

#include <atomic>
#include <latch>
#include <thread>

namespace {

using mpit::result;
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
