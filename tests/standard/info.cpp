// MPI-5.0, chapter 10: info objects, as the library brings them if there is no MPI. The tool interface is never
// initialised here, because these functions do not need it. Lengths of texts, null arguments and outputs are tried in tests/fuzz.
#include "../catch.hpp"

#include <mpit/implementation.hpp>
#include <mpit/info/text.hpp>
#include <mpit/mpi_t.h>
#include <mpit/mpi_t/info_exchange.hpp>

#include <sys/utsname.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using pairs = std::vector<std::pair<std::string, std::string>>;

// An info object that frees itself.
struct object {
    MPI_Info handle = MPI_INFO_NULL;
    object() { REQUIRE(MPI_Info_create(&handle) == MPI_SUCCESS); }
    explicit object(const pairs& all) : object{} {
        for (const auto& [key, value] : all) REQUIRE(MPI_Info_set(handle, key.c_str(), value.c_str()) == MPI_SUCCESS);
    }
    explicit object(MPI_Info made) : handle{made} {}
    ~object() {
        if (handle != MPI_INFO_NULL) MPI_Info_free(&handle);
    }
    object(const object&) = delete;
    operator MPI_Info() const { return handle; }
};

int number_of_keys(MPI_Info info) {
    int count = -1;
    REQUIRE(MPI_Info_get_nkeys(info, &count) == MPI_SUCCESS);
    return count;
}
pairs pairs_of(MPI_Info info) {
    pairs all;
    for (int i = 0; i < number_of_keys(info); i++) {
        char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
        int size = sizeof value, found = 0;
        REQUIRE(MPI_Info_get_nthkey(info, i, key) == MPI_SUCCESS);
        REQUIRE(MPI_Info_get_string(info, key, &size, value, &found) == MPI_SUCCESS);
        REQUIRE(found == 1);
        all.emplace_back(key, value);
    }
    return all;
}

MPI_Info duplicate_of(MPI_Info info) {
    MPI_Info copy = MPI_INFO_NULL;
    REQUIRE(MPI_Info_dup(info, &copy) == MPI_SUCCESS);
    return copy;
}
MPI_Info environment_of(int count, char** arguments) {
    MPI_Info made = MPI_INFO_NULL;
    REQUIRE(MPI_Info_create_env(count, arguments, &made) == MPI_SUCCESS);
    return made;
}

// A buffer with marks that show how far a function has written.
struct marked {
    char characters[16];
    marked() { std::memset(characters, '#', sizeof characters); }
    // Ends with a null after `text`, and is untouched behind it.
    bool holds(const std::string& text) const {
        std::string expected(sizeof characters, '#');
        expected.replace(0, text.size() + 1, text.c_str(), text.size() + 1);
        return std::memcmp(characters, expected.data(), sizeof characters) == 0;
    }
    bool is_untouched() const {
        return std::string(characters, sizeof characters) == std::string(sizeof characters, '#');
    }
};

// What every function answers for an object, with arguments that are good otherwise.
std::vector<int> codes_of_every_function(MPI_Info info) {
    char buffer[MPI_MAX_INFO_KEY] = "";
    int number = 3, found = 3;
    MPI_Info copy = MPI_INFO_NULL, freed = info;
    std::vector<int> codes{MPI_Info_set(info, "key", "value"),
                           MPI_Info_delete(info, "key"),
                           MPI_Info_get(info, "key", 3, buffer, &found),
                           MPI_Info_get_valuelen(info, "key", &number, &found),
                           MPI_Info_get_string(info, "key", &number, buffer, &found),
                           MPI_Info_get_nkeys(info, &number),
                           MPI_Info_get_nthkey(info, 0, buffer),
                           MPI_Info_dup(info, &copy),
                           MPI_Info_free(&freed)};
    CHECK((number == 3 && found == 3 && buffer[0] == '\0' && copy == MPI_INFO_NULL && freed == info));
    return codes;
}

template <class Text> MPI_Info as_handle(Text word) { return reinterpret_cast<MPI_Info>(word); }

const pairs three{{"c", "ccc"}, {"a", "aaa"}, {"b", ""}};

} // namespace

TEST_CASE("A new object is empty, and no other object", "[INFO-01]") {
    const object one, other;
    CHECK(number_of_keys(one) == 0);
    CHECK(one.handle != other.handle);
    CHECK(reinterpret_cast<std::uintptr_t>(one.handle) > 4095);
    CHECK(MPI_Info_create(nullptr) == MPI_ERR_ARG);
}

TEST_CASE("A key that is set twice has the second value, and its old position", "[INFO-02]") {
    const object info{three};
    REQUIRE(MPI_Info_set(info, "a", "other") == MPI_SUCCESS);
    CHECK(pairs_of(info) == pairs{{"c", "ccc"}, {"a", "other"}, {"b", ""}});
}

TEST_CASE("The buffers of a key and its value can be used again at once", "[INFO-03]") {
    const object info;
    char key[] = "key", value[] = "value";
    REQUIRE(MPI_Info_set(info, key, value) == MPI_SUCCESS);
    std::memset(key, '#', 3);
    std::memset(value, '#', 5);
    CHECK(pairs_of(info) == pairs{{"key", "value"}});
}

TEST_CASE("Any key is stored unchanged, known or not", "[INFO-04]") {
    const pairs all{
        {"Key", "1"}, {"key", "2"}, {"no such hint", "3"}, {"\xf0\x9f\x94\x91", "\xc3\xbc"}, {" ", "\x01\xff"}};
    CHECK(pairs_of(object{all}) == all);
}

TEST_CASE("Every function refuses an invalid object: null, freed, foreign or garbage", "[INFO-08]") {
    object freed{three};
    const MPI_Info old = freed.handle;
    REQUIRE(MPI_Info_free(&freed.handle) == MPI_SUCCESS);
    const object reused; // has the slot of the freed one
    const std::uintptr_t other_slot = reinterpret_cast<std::uintptr_t>(reused.handle) + 77;
    int variable = 0;
    for (MPI_Info handle : {MPI_INFO_NULL, static_cast<MPI_Info>(nullptr), old, as_handle(other_slot),
                            as_handle(&variable), as_handle(~std::uintptr_t{0}), as_handle(std::uintptr_t{1})})
        CHECK(codes_of_every_function(handle) == std::vector<int>(9, MPI_ERR_INFO));
    CHECK(number_of_keys(reused) == 0);
}

TEST_CASE("Keys are numbered in the order of insertion, and reading changes no number", "[INFO-17][INFO-18]") {
    const object info{three};
    const pairs first = pairs_of(info);
    CHECK(first == three);
    CHECK(pairs_of(info) == first);
    marked buffer;
    for (int n : {-1, 3, INT_MAX, INT_MIN}) CHECK(MPI_Info_get_nthkey(info, n, buffer.characters) == MPI_ERR_ARG);
    CHECK(buffer.is_untouched());
    CHECK(MPI_Info_get_nthkey(info, 0, buffer.characters) == MPI_SUCCESS);
    CHECK(buffer.holds("c"));
}

TEST_CASE("A duplicate has the same pairs in the same order, and each is changed on its own", "[INFO-19]") {
    const object info{three};
    const object copy{duplicate_of(info)};
    CHECK(copy.handle != info.handle);
    CHECK(pairs_of(copy) == three);
    CHECK(MPI_Info_delete(copy, "a") == MPI_SUCCESS);
    CHECK(MPI_Info_set(info, "c", "new") == MPI_SUCCESS);
    CHECK(pairs_of(copy) == pairs{{"c", "ccc"}, {"b", ""}});
    CHECK(pairs_of(info) == pairs{{"c", "new"}, {"a", "aaa"}, {"b", ""}});
}

TEST_CASE("A freed object's handle becomes null, and predefined objects stay", "[INFO-20]") {
    MPI_Info info = MPI_INFO_NULL, environment = MPI_INFO_ENV;
    REQUIRE(MPI_Info_create(&info) == MPI_SUCCESS);
    MPI_Info again = info;
    CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
    CHECK(info == MPI_INFO_NULL);
    CHECK(MPI_Info_free(&info) == MPI_ERR_INFO);
    CHECK(MPI_Info_free(&again) == MPI_ERR_INFO);
    CHECK(MPI_Info_free(&environment) == MPI_ERR_INFO);
    CHECK(environment == MPI_INFO_ENV);
    CHECK(number_of_keys(MPI_INFO_ENV) > 0);
}

TEST_CASE("Values that were read from an object do not follow its later changes", "[INFO-21]") {
    object info{three};
    mpit::info hints;
    REQUIRE(mpit::mpi_t::read_info(info, hints) == mpit::result::success);
    REQUIRE(MPI_Info_set(info, "a", "new") == MPI_SUCCESS);
    REQUIRE(MPI_Info_free(&info.handle) == MPI_SUCCESS);
    REQUIRE(hints.size() == 3);
    CHECK(std::string{hints.find("a")->characters} == "aaa");
    CHECK(mpit::mpi_t::read_info(info, hints) == mpit::result::success); // MPI_INFO_NULL: no hints
    CHECK(hints.size() == 0);
}

TEST_CASE("Hints are converted to an object and back, and an invalid object does not change them", "[INFO-21]") {
    mpit::info hints, back;
    REQUIRE(hints.set("key", "value") == mpit::info_result::success);
    object info{MPI_INFO_NULL};
    const MPI_Info garbage = as_handle(std::uintptr_t{12345});
    REQUIRE(mpit::mpi_t::make_info(hints, info.handle) == mpit::result::success);
    CHECK(pairs_of(info) == pairs{{"key", "value"}});
    CHECK(mpit::mpi_t::is_info(info));
    CHECK(mpit::mpi_t::read_info(info, back) == mpit::result::success);
    CHECK(back == hints);
    CHECK(mpit::mpi_t::read_info(garbage, back) == mpit::result::invalid);
    CHECK(!mpit::mpi_t::is_info(garbage));
    CHECK(back == hints);
}

TEST_CASE("Equal arguments make distinct objects of equal content that their caller may change", "[INFO-22]") {
    char program[] = "program", first[] = "-x", second[] = "a b";
    char* arguments[] = {program, first, second, nullptr};
    const object one{environment_of(3, arguments)}, other{environment_of(3, arguments)};
    CHECK(one.handle != other.handle);
    const pairs content = pairs_of(one);
    CHECK(pairs_of(other) == content);
    const pairs environment = pairs_of(MPI_INFO_ENV);
    CHECK(MPI_Info_set(one, "command", "changed") == MPI_SUCCESS);
    CHECK(pairs_of(other) == content);
    CHECK(pairs_of(MPI_INFO_ENV) == environment);
    char here[4096];
    REQUIRE(getcwd(here, sizeof here) != nullptr);
    REQUIRE(chdir("/") == 0);
    const object later{environment_of(3, arguments)};
    CHECK(pairs_of(later) == content);
    CHECK(chdir(here) == 0);
}

TEST_CASE("The environment has the known values under the keys of the standard, and no other key", "[INFO-23]") {
    char program[] = "program", first[] = "-x", second[] = "a b";
    char* arguments[] = {program, first, second, nullptr};
    utsname system;
    REQUIRE(uname(&system) == 0);
    const object with{environment_of(3, arguments)}, without{environment_of(0, nullptr)};
    pairs all = pairs_of(with);
    REQUIRE(all.size() == 5);
    CHECK(all[0] == std::pair<std::string, std::string>{"command", "program"});
    CHECK(all[1] == std::pair<std::string, std::string>{"argv", "-x a b"});
    CHECK(all[2] == std::pair<std::string, std::string>{"host", system.nodename});
    CHECK(all[3] == std::pair<std::string, std::string>{"arch", system.machine});
    CHECK(all[4].first == "wdir");
    all.erase(all.begin(), all.begin() + 2);
    CHECK(pairs_of(without) == all);
}

TEST_CASE("A command alone has no arguments, and a text longer than a value is left out", "[INFO-23]") {
    const auto keys = [](int count, char** arguments) {
        const object info{environment_of(count, arguments)};
        std::string all;
        for (const auto& [key, value] : pairs_of(info))
            if (key == "command" || key == "argv") all += key + "=" + std::to_string(value.size()) + " ";
        return all;
    };
    char program[] = "program", empty[] = "", one[] = "1";
    std::string exact(1021, 'x'), longer(1024, 'x');
    char* alone[] = {program, nullptr};
    char* fitting[] = {program, exact.data(), one, nullptr};
    char* too_many[] = {program, exact.data(), one, empty, one, nullptr};
    char* too_long[] = {longer.data(), longer.data(), one, nullptr};
    CHECK(keys(1, alone) == "command=7 ");
    CHECK(keys(5, alone) == "command=7 ");
    CHECK(keys(3, fitting) == "command=7 argv=1023 ");
    CHECK(keys(5, too_many) == "command=7 ");
    CHECK(keys(3, too_long).empty());
}

TEST_CASE("The environment of the process can be read and duplicated, and not changed", "[INFO-20][INFO-23]") {
    const pairs before = pairs_of(MPI_INFO_ENV);
    REQUIRE(!before.empty());
    CHECK(before[0].first == "command");
    CHECK(before[0].second == program_invocation_name);
    CHECK(MPI_Info_set(MPI_INFO_ENV, "command", "another") == MPI_ERR_INFO);
    CHECK(MPI_Info_delete(MPI_INFO_ENV, "command") == MPI_ERR_INFO);
    CHECK(pairs_of(MPI_INFO_ENV) == before);
    const object copy{duplicate_of(MPI_INFO_ENV)};
    CHECK(MPI_Info_set(copy, "command", "another") == MPI_SUCCESS);
    CHECK(pairs_of(MPI_INFO_ENV) == before);
}

TEST_CASE("Threads change one object and their own objects at once, and nothing is lost", "[INFO-24]") {
    const object shared;
    std::atomic<int> mistakes{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&shared, &mistakes, t] {
            const auto expect = [&](int code) { mistakes += code != MPI_SUCCESS; };
            const std::string mine = "key of " + std::to_string(t);
            for (int i = 0; i < 100; i++) {
                MPI_Info own = MPI_INFO_NULL, copy = MPI_INFO_NULL, environment = MPI_INFO_NULL;
                int count = 0, length = 0, found = 0;
                expect(MPI_Info_set(shared, (mine + std::to_string(i)).c_str(), "value"));
                expect(MPI_Info_create(&own));
                expect(MPI_Info_set(own, mine.c_str(), "value"));
                expect(MPI_Info_dup(shared, &copy));
                expect(MPI_Info_create_env(0, nullptr, &environment));
                expect(MPI_Info_get_valuelen(copy, (mine + std::to_string(i)).c_str(), &length, &found));
                expect(MPI_Info_get_nkeys(own, &count));
                mistakes += count != 1 || found != 1 || length != 5;
                if (i % 2 == 1) expect(MPI_Info_delete(shared, (mine + std::to_string(i)).c_str()));
                for (MPI_Info* each : {&own, &copy, &environment}) expect(MPI_Info_free(each));
            }
        });
    for (std::thread& each : threads) each.join();
    CHECK(mistakes == 0);
    CHECK(number_of_keys(shared) == 4 * 50);
}

TEST_CASE("Of the threads that free an object at once one succeeds, and the others see it whole or not at all",
          "[INFO-08][INFO-24]") {
    for (int round = 0; round < 20; round++) {
        MPI_Info info = MPI_INFO_NULL;
        REQUIRE(MPI_Info_create(&info) == MPI_SUCCESS);
        REQUIRE(MPI_Info_set(info, "key", "value") == MPI_SUCCESS);
        std::atomic<int> begun{0}, freed{0}, mistakes{0};
        std::vector<std::thread> threads;
        const auto start_threads = [&](const mpit::info&) { // while the object is held, so that they all wait for it
            for (int t = 0; t < 6; t++)
                threads.emplace_back([&, mine = info, frees = t % 3 == 1]() mutable {
                    int count = 1;
                    begun++;
                    const int code = frees ? MPI_Info_free(&mine) : MPI_Info_get_nkeys(mine, &count);
                    freed += frees && code == MPI_SUCCESS;
                    mistakes += count != 1 || (code != MPI_SUCCESS && code != MPI_ERR_INFO);
                });
            while (begun < 6) std::this_thread::yield();
            usleep(2000);
        };
        REQUIRE(mpit::mpi_t::use_info(info, start_threads) == mpit::result::success);
        for (std::thread& each : threads) each.join();
        CHECK(freed == 1);
        CHECK(mistakes == 0);
    }
}

TEST_CASE("Values come back verbatim through the functions, and are read as types by the library",
          "[INFO-25][INFO-26]") {
    const object info{{{"list", " a , b,c "}, {"size", " +64 "}, {"fast", "true"}}};
    CHECK(pairs_of(info)[0].second == " a , b,c ");
    mpit::info hints;
    REQUIRE(mpit::mpi_t::read_info(info, hints) == mpit::result::success);
    int size = 0;
    bool fast = false;
    CHECK(mpit::read_hint(hints, "size", size) == mpit::info_result::success);
    CHECK(mpit::read_hint(hints, "fast", fast) == mpit::info_result::success);
    CHECK((size == 64 && fast));
    std::string elements;
    for (mpit::core::text each : mpit::hint_list{*hints.find("list")})
        elements += std::string(each.characters, each.length);
    CHECK(elements == "abc");
}

TEST_CASE("The functions for C keep the blanks around a key and a value", "[INFO-27]") {
    const object info{{{" k ", " v "}}};
    int length = 0, found = 7;
    CHECK(pairs_of(info) == pairs{{" k ", " v "}});
    CHECK(MPI_Info_get_valuelen(info, "k", &length, &found) == MPI_SUCCESS);
    CHECK(found == 0);
}
