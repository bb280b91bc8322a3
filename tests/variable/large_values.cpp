// Arrays and texts are read and written whole: four threads, a tool and a signal handler never see half of a write, and
// nobody waits for anybody.
#include "../alarms.hpp"
#include "repeated_text.hpp"
#include "tool.hpp"

#include <atomic>
#include <cstring>
#include <latch>
#include <new>
#include <string>
#include <thread>

namespace {

constexpr std::size_t length = 24;
using row = mpit::elements<int, length>;

struct large_variables : mpit::category<"large", "Values of several words"> {
    mpit::control<int[length]> row{this, "ROW", "Numbers that are always equal"};
    mpit::control<char[64]> word{this, "WORD", "A text of one repeated character", {.initial = "aaaa"}};
    mpit::control<double[2]> bounded{
        this, "BOUNDED", "Two fractions", {.initial = {0.25, 0.5}, .minimum = 0, .maximum = 1}};
    mpit::control<char[4096]> page{this, "PAGE", "A text that takes long to write", {.initial = "aaaa"}};
    mpit::control<int[length]> interrupted{this, "INTERRUPTED", "Numbers that are always equal"};
};
constexpr auto& large = mpit::registered<large_variables>;

row row_of(int value) {
    row made;
    for (std::size_t i = 0; i < length; i++) made[i] = value;
    return made;
}
bool is_whole(const row& seen) {
    for (const int each : seen)
        if (each != seen[0]) return false;
    return true;
}
std::string word_of(int n) { return repeated_text(n, 63); }
bool is_whole(const char* seen) {
    const std::string_view word{seen, strnlen(seen, 64)};
    return !word.empty() && word.size() < 64 && is_repeated(word);
}

// Two threads write and two read, one of each through the tool interface, until both readers have read often.
template <class Author, class Tool, class Read, class ToolRead>
int torn_values(Author author, Tool tool, Read read, ToolRead tool_read) {
    std::atomic<int> torn{0}, readers{2};
    std::latch present{4};
    const auto write_all = [&](auto write) {
        present.arrive_and_wait();
        for (int n = 0; readers > 0; n++) write(n % 10000);
    };
    const auto read_all = [&](auto is_read_whole) {
        present.arrive_and_wait();
        for (int n = 0; n < 100000; n++) torn += !is_read_whole();
        readers--;
    };
    std::thread threads[] = {std::thread{[&] { write_all(author); }}, std::thread{[&] { write_all(tool); }},
                             std::thread{[&] { read_all(read); }}, std::thread{[&] { read_all(tool_read); }}};
    for (std::thread& each : threads) each.join();
    return torn;
}

std::atomic<int> handler_runs{0}, torn_in_handler{0};
void write_in_handler(int) {
    large.interrupted = row_of(-1);
    torn_in_handler += !is_whole(large.interrupted.get());
    handler_runs++;
}

} // namespace

TEST_CASE("No thread sees half of an array while two others write it", "[CVAR-24]") {
    const initialized interface;
    const cvar handle{"ROW"};
    std::atomic<int> refused{0};
    CHECK(torn_values([](int n) { large.row = row_of(n); }, [&](int n) {
        refused += handle.write(row_of(-n)) != MPI_SUCCESS;
    }, [] { return is_whole(large.row.get()); }, [&] {
        row seen;
        return MPI_T_cvar_read(handle.handle, seen.values) == MPI_SUCCESS && is_whole(seen);
    }) == 0);
    CHECK(refused == 0);
}

TEST_CASE("No thread sees half of a text while two others write it", "[CVAR-24]") {
    const initialized interface;
    const cvar handle{"WORD"};
    CHECK(torn_values([](int n) { large.word = word_of(n).c_str(); },
                      [&](int n) { MPI_T_cvar_write(handle.handle, word_of(n + 7).c_str()); }, [] {
        const auto seen = large.word.get();
        return is_whole(seen.c_str());
    }, [&] {
        char seen[64];
        return MPI_T_cvar_read(handle.handle, seen) == MPI_SUCCESS && is_whole(seen);
    }) == 0);
}

TEST_CASE("A signal handler writes and reads an array whose write it interrupts", "[CVAR-24]") {
    int torn = 0;
    {
        const alarms interrupting{&write_in_handler};
        for (int n = 0; handler_runs < 3000; n++) {
            large.interrupted = row_of(n);
            torn += !is_whole(large.interrupted.get());
        }
    }
    CHECK(torn == 0);
    CHECK(torn_in_handler == 0);
}

TEST_CASE("A short text leaves nothing of a longer one before it", "[DT-06]") {
    const initialized interface;
    const cvar handle{"WORD"};
    large.word = "a text that is rather long";
    CHECK(MPI_T_cvar_write(handle.handle, "short") == MPI_SUCCESS);
    char seen[64];
    std::memset(seen, 'x', sizeof seen);
    REQUIRE(MPI_T_cvar_read(handle.handle, seen) == MPI_SUCCESS);
    CHECK(seen == std::string("short"));
    for (std::size_t i = 5; i < sizeof seen; i++) CHECK(seen[i] == '\0');
    CHECK(large.word.get() == "short");
}

TEST_CASE("Each element of an array stays in the range, or nothing is written", "[CVAR-18]") {
    const initialized interface;
    const cvar handle{"BOUNDED"};
    using pair = mpit::elements<double, 2>;
    CHECK(handle.write(pair{0.5, 1.5}) == MPI_T_ERR_INVALID);
    CHECK(handle.write(pair{-0.5, 0.5}) == MPI_T_ERR_INVALID);
    CHECK(large.bounded.get()[0] == 0.25);
    CHECK(large.bounded.get()[1] == 0.5);
    CHECK(handle.write(pair{0.0, 1.0}) == MPI_SUCCESS);
    CHECK(large.bounded.get()[1] == 1.0);
}

TEST_CASE("Sixty threads on fewer processors write one text at once, and none is refused") {
    initialized tools;
    const cvar page{"PAGE"};
    std::atomic<int> refused{0};
    std::latch present{60};
    std::vector<std::thread> threads;
    for (int writer = 0; writer < 60; writer++)
        threads.emplace_back([&, writer] {
            const std::string text = repeated_text(writer, 4095);
            present.arrive_and_wait();
            for (int n = 0; n < 200; n++) refused += MPI_T_cvar_write(page.handle, text.c_str()) != MPI_SUCCESS;
        });
    for (std::thread& each : threads) each.join();
    CHECK(refused == 0);
}

TEST_CASE("A text that is made of a longer one at run time is cut, and writes nothing behind itself") {
    alignas(mpit::characters<4>) char room[8];
    std::memset(room, 'x', sizeof room);
    const std::string longer = "longer";
    const auto* text = new (room) mpit::characters<4>{longer.c_str()};
    CHECK(std::string{text->c_str()} == "lon");
    CHECK(std::string(room + 4, 4) == "xxxx");
}
