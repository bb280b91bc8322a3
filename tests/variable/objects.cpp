// Variables that are bound to MPI objects: a cell for each object, which comes with the object and goes with it, and which a
// library may also keep inside its own objects. And arrays and texts, which are read and written whole: four threads, a tool
// and a signal handler never see half of a write, and nobody waits for anybody.
#include "../alarms.hpp"
#include "../repeated_text.hpp"
#include "../tool.hpp"

#include <atomic>
#include <cstring>
#include <latch>
#include <new>
#include <sched.h>
#include <string>
#include <thread>

namespace {

using datatype = MPI_ABI_Datatype*;

// An object of a library that keeps the cells of its communicators itself.
struct endpoint {
    bool is_open = true;
    mpit::counter_cell sent;
    mpit::control_cell<int> limit{5};
    mpit::level_cell<unsigned long> queued{1};
};
endpoint endpoints[3];

endpoint* find(int handle) {
    const bool is_known = handle >= 0 && handle < 3 && endpoints[handle].is_open;
    return is_known ? &endpoints[handle] : nullptr;
}
using endpoint_handle = mpit::object<mpit::binding::communicator, int>;

struct object_variables : mpit::category<"objects", "Variables that are bound to objects"> {
    mpit::counter<unsigned long, communicator> calls{this, "calls", "A communicator's calls", {.continuous = true}};
    mpit::aggregate<double, communicator> amount{this, "amount", "A communicator's amounts"};
    mpit::timer_of<double, communicator> time{this, "time", "A communicator's time"};
    struct inner_variables : mpit::category<"objects_inside", "Deeper in the tree"> {
        mpit::level<unsigned long, communicator> queued{this, "queued", "A communicator's queue", {.initial = 4}};
        mpit::control<int, communicator> limit{this, "OBJECT_LIMIT", "A communicator's limit", {.initial = 7}};
        mpit::control<char[16], communicator> name{this, "OBJECT_NAME", "A communicator's name", {.initial = "new"}};
        mpit::counter<unsigned long, datatype> uses{this, "uses", "A datatype's uses"};
        using category::category;
    } inner{this};
    mpit::counter<unsigned long, endpoint_handle> sent{
        this, "sent", "An endpoint's messages", {.continuous = true, .locate = [](int h) {
        return find(h) != nullptr ? &find(h)->sent : nullptr;
    }}};
    mpit::level<unsigned long, endpoint_handle> endpoint_queued{
        this, "endpoint_queued", "An endpoint's queue", {.continuous = true, .locate = [](int h) {
        return find(h) != nullptr ? &find(h)->queued : nullptr;
    }}};
    mpit::control<int, endpoint_handle> endpoint_limit{
        this, "ENDPOINT_LIMIT", "An endpoint's limit", {.locate = [](int h) {
        return find(h) != nullptr ? &find(h)->limit : nullptr;
    }}};
    mpit::control<int[8], endpoint_handle> weights{
        this, "WEIGHTS", "As many elements as the handle says", {.count = [](int handle) {
        return static_cast<std::uint32_t>(handle);
    }}};
};
constexpr auto& objects = mpit::registered<object_variables>;

// A tool's attempt to bind to an object.
int bind_counter(const session& s, const char* name, void* object) {
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int count = 0;
    return MPI_T_pvar_handle_alloc(s.handle, pvar_index(name, MPI_T_PVAR_CLASS_COUNTER), object, &handle, &count);
}

} // namespace

TEST_CASE("Each object has a cell of its own, with or without mpit::created", "[BIND-02][HNDL-24]") {
    const auto first = handle_number<communicator>(0x10), second = handle_number<communicator>(0x20);
    mpit::created(objects, first);
    objects.calls[first] += 3;
    ++objects.calls[second];
    objects.amount[first] += 0.5;
    objects.time[second].add(9);
    CHECK(objects.calls[first].get() == 3);
    CHECK(objects.calls[second].get() == 1);
    CHECK(objects.amount[first].get() == 0.5);
    CHECK(objects.amount[second].get() == 0);
    CHECK(objects.time[first].word() == 0);
    CHECK(&objects.calls[first] == &objects.calls[first]);
}

TEST_CASE("mpit::created affects the variables of its kind at any depth of the tree, and no others",
          "[BIND-02][BIND-03]") {
    const initialized interface;
    const session s;
    auto comm = handle_number<communicator>(0x40);
    auto type = handle_number<datatype>(0x40);
    mpit::created(objects, comm);
    CHECK(bind_counter(s, "calls", &comm) == MPI_SUCCESS);
    CHECK(bind_counter(s, "uses", &type) == MPI_T_ERR_INVALID_HANDLE);
    mpit::created(objects, type);
    CHECK(bind_counter(s, "uses", &type) == MPI_SUCCESS);
    mpit::freed(objects, comm);
    CHECK(bind_counter(s, "calls", &comm) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(bind_counter(s, "uses", &type) == MPI_SUCCESS);
}

TEST_CASE("A later object with an equal handle begins anew, and handles of the earlier one stay invalid", "[HNDL-24]") {
    const initialized interface;
    const session s;
    auto comm = handle_number<communicator>(0x50);
    mpit::created(objects, comm);
    const pvar earlier{s, "calls", MPI_T_PVAR_CLASS_COUNTER, &comm};
    const cvar earlier_limit{"OBJECT_LIMIT", &comm};
    objects.calls[comm] += 5;
    objects.inner.limit[comm] = 9;
    objects.inner.name[comm].set("old");
    objects.inner.queued[comm] += 2;
    CHECK(earlier.read<unsigned long>() == 5);

    mpit::freed(objects, comm);
    unsigned long value = 77;
    CHECK(MPI_T_pvar_read(s.handle, earlier.handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(value == 77);

    mpit::created(objects, comm);
    CHECK(objects.calls[comm].get() == 0);
    CHECK(objects.inner.limit[comm] == 7);
    CHECK(objects.inner.name[comm].get() == "new");
    CHECK(objects.inner.queued[comm].get() == 4);
    ++objects.calls[comm];
    CHECK(MPI_T_pvar_read(s.handle, earlier.handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(earlier_limit.write(1) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(objects.inner.limit[comm] == 7);
    const pvar later{s, "calls", MPI_T_PVAR_CLASS_COUNTER, &comm};
    ++objects.calls[comm];
    CHECK(later.read<unsigned long>() == 1);
}

TEST_CASE("An object that is created and freed many times is new each time") {
    const auto comm = handle_number<communicator>(0x60);
    for (int i = 0; i < 1000; i++) {
        mpit::created(objects, comm);
        mpit::created(objects, comm); // said twice is said once
        objects.calls[comm] += 2;
        CHECK(objects.calls[comm].get() == 2);
        mpit::freed(objects, comm);
        mpit::freed(objects, comm);
    }
}

TEST_CASE("An object that was used often is another one after it is freed, also without mpit::created", "[HNDL-24]") {
    const initialized interface;
    const session s;
    auto comm = handle_number<communicator>(0x70);
    auto other = handle_number<communicator>(0x80);
    for (unsigned long round = 1; round <= 3; round++) {
        for (int i = 0; i < 200; i++) ++objects.calls[i % 2 == 0 ? comm : other];
        for (int i = 0; i < 200; i++) ++objects.calls[comm];
        CHECK(objects.calls[comm].get() == 300);
        CHECK(objects.calls[other].get() == round * 100);
        mpit::freed(objects, comm);
        CHECK(bind_counter(s, "calls", &comm) == MPI_T_ERR_INVALID_HANDLE);
        ++objects.calls[comm];
        const pvar later{s, "calls", MPI_T_PVAR_CLASS_COUNTER, &comm};
        ++objects.calls[comm];
        CHECK(later.read<unsigned long>() == 1);
        mpit::freed(objects, comm);
    }
}

TEST_CASE("Threads that use many objects for the first time at once lose no count") {
    constexpr std::uintptr_t first = 0x1000, count = 2000, thread_count = 3;
    std::atomic<std::uintptr_t> arrivals{0};
    std::thread threads[thread_count];
    for (std::thread& each : threads)
        each = std::thread{[&] {
            for (std::uintptr_t i = 0; i < count; i++) {
                arrivals++;
                while (arrivals < (i + 1) * thread_count) sched_yield(); // all of them meet at each object
                ++objects.calls[handle_number<communicator>(first + i)];
            }
        }};
    for (std::thread& each : threads) each.join();
    std::uintptr_t exact = 0;
    for (std::uintptr_t i = 0; i < count; i++)
        exact += objects.calls[handle_number<communicator>(first + i)].get() == thread_count;
    CHECK(exact == count);
}

TEST_CASE("The author's function returns the cell inside the object", "[BIND-13][HNDL-24]") {
    const initialized interface;
    const session s;
    int handle = 1;
    const pvar sent{s, "sent", MPI_T_PVAR_CLASS_COUNTER, &handle};
    const pvar queued{s, "endpoint_queued", MPI_T_PVAR_CLASS_LEVEL, &handle};
    const cvar limit{"ENDPOINT_LIMIT", &handle};
    handle = 2; // the handle was fetched when the variable was bound
    ++endpoints[1].sent;
    ++objects.sent[1];
    ++objects.sent[2];
    ++endpoints[1].queued;
    CHECK(endpoints[1].sent.get() == 2);
    CHECK(endpoints[2].sent.get() == 1);
    CHECK(sent.read<unsigned long>() == 2);
    CHECK(queued.read<unsigned long>() == 2);
    CHECK(limit.write(8) == MPI_SUCCESS);
    CHECK(endpoints[1].limit == 8);
    CHECK(endpoints[2].limit == 5);
}

TEST_CASE("If the author's function returns no cell, counting does nothing and a tool is refused",
          "[BIND-14][HNDL-24]") {
    const initialized interface;
    const session s;
    int handle = 0, unknown = 9;
    const pvar sent{s, "sent", MPI_T_PVAR_CLASS_COUNTER, &handle};
    CHECK(bind_counter(s, "sent", &unknown) == MPI_T_ERR_INVALID_HANDLE);
    ++objects.sent[unknown];
    CHECK(endpoints[0].sent.get() == 0);
    endpoints[0].is_open = false;
    unsigned long value = 0;
    CHECK(MPI_T_pvar_read(s.handle, sent.handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    endpoints[0].is_open = true;
}

TEST_CASE("An array of each object has as many elements as its author declares, up to its length", "[CVAR-11]") {
    const initialized interface;
    for (int handle : {1, 3, 8, 20}) {
        mpit::created<mpit::binding::communicator>(objects, handle);
        const cvar weights{"WEIGHTS", &handle};
        CHECK(weights.count == (handle < 8 ? handle : 8));
    }
}

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
