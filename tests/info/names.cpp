// Names of objects: what is kept of a text, what a duplicate has, and that nobody sees half of a name.

#include "catch.hpp"
#include "repeated_text.hpp"

#include <mpit/object_name.hpp>

#include <atomic>
#include <latch>
#include <thread>

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

TEST_CASE("A name of each length is stored independently of the caller's buffer") {
    mpit::object_name name;
    for (std::size_t length = 0; length <= 127; length++) {
        std::string text(length, 'n');
        REQUIRE(name.set(text.c_str()) == result::success);
        text.assign(length, 'x');
        REQUIRE(name_of(name) == std::string(length, 'n'));
    }
}

TEST_CASE("A name that is too long is truncated without a report") {
    mpit::object_name name;
    std::string text;
    for (int i = 0; i < 300; i++) text += static_cast<char>('a' + i % 26);
    REQUIRE(name.set(text.c_str()) == result::success);
    CHECK(name_of(name) == text.substr(0, 127));
}

TEST_CASE("Leading blanks are part of a name, trailing ones are not, also after truncation") {
    mpit::object_name name;
    REQUIRE(name.set("  a b  ") == result::success);
    CHECK(name_of(name) == "  a b");
    REQUIRE(name.set("     ") == result::success);
    CHECK(name_of(name).empty());
    REQUIRE(name.set((std::string(100, 'a') + std::string(100, ' ') + "b").c_str()) == result::success);
    CHECK(name_of(name) == std::string(100, 'a'));
    REQUIRE(name.set("tab\t") == result::success);
    CHECK(name_of(name) == "tab\t");
}

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

TEST_CASE("A default name is replaced by setting, and an object without one has the empty name") {
    REQUIRE(world.name.set("everybody") == result::success);
    CHECK(name_of(world.name) == "everybody");
    REQUIRE(world.name.set("") == result::success);
    CHECK(name_of(world.name).empty());
    REQUIRE(world.name.set("MPI_COMM_WORLD") == result::success);
    CHECK(name_of(communicator{}.name).empty());
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
