// Handles on variables of many elements: arrays, whose elements are read in one walk over the threads that count, a
// block of elements at a time; cells in several parts of the shards of threads; sums in which more and more threads
// have counted that still live, of which handles walk over few one by one and over more eight at once; and texts
// (MPI-5.0, 15.3.7), declared, described at run time, and in a batch.
#include "../tool.hpp"

#include <mpit/batch.hpp>
#include <mpit/dynamic.hpp>
#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>

#include <array>
#include <atomic>
#include <barrier>
#include <cstring>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

namespace {

// Arrays that end a part, that do not fit into its rest, that are larger than one, and single cells between them.
struct variables_of_parts : mpit::category<"parts", "Arrays in several parts of the shards"> {
    mpit::counter<unsigned long long[100]> first{this, "parts_first", "All but two cells of the first part"};
    mpit::aggregate<unsigned long long[3]> second{this, "parts_second", "Three cells, of which two would fit there"};
    mpit::counter<unsigned long long[40]> third{this, "parts_third", "Too many for the rest"};
    mpit::aggregate<double[80]> fourth{this, "parts_fourth", "The rest of the second part"};
    mpit::counter<unsigned long long[290]> fifth{this, "parts_fifth", "More than two parts"};
    mpit::aggregate<double> sixth{this, "parts_sixth", "Behind it"};
    mpit::counter<> seventh{this, "parts_seventh", "A single one"};
};
constexpr auto& in_parts = mpit::registered<variables_of_parts>;

template <class Array> void count(Array& array, std::size_t elements, unsigned base) {
    for (unsigned i = 0; i < elements; i++) array[i] += base + i;
}
void count_once(unsigned thread) {
    count(in_parts.first, 100, 1000 + thread);
    count(in_parts.second, 3, 7 + thread);
    count(in_parts.third, 40, 2000 + thread);
    count(in_parts.fourth, 80, 3000 + thread);
    count(in_parts.fifth, 290, 4000 + thread);
    in_parts.sixth += 0.5;
    ++in_parts.seventh;
}

} // namespace

TEST_CASE("Counters and sums of several parts keep what each thread counts, element by element", "[HNDL-15]") {
    const initialized tool;
    const session s;
    constexpr unsigned threads = 12; // that live at one moment, more than are walked at once
    struct watched {
        const char* name;
        int var_class;
        std::size_t elements;
        unsigned base;
    };
    const watched arrays[] = {{"parts_first", MPI_T_PVAR_CLASS_COUNTER, 100, 1000},
                              {"parts_third", MPI_T_PVAR_CLASS_COUNTER, 40, 2000},
                              {"parts_fourth", MPI_T_PVAR_CLASS_AGGREGATE, 80, 3000},
                              {"parts_fifth", MPI_T_PVAR_CLASS_COUNTER, 290, 4000}};
    std::deque<pvar> handles;
    for (const watched& each : arrays) {
        handles.emplace_back(s, each.name, each.var_class);
        REQUIRE(handles.back().count == static_cast<int>(each.elements));
        CHECK(handles.back().start() == MPI_SUCCESS);
    }
    pvar second{s, "parts_second", MPI_T_PVAR_CLASS_AGGREGATE}, sixth{s, "parts_sixth", MPI_T_PVAR_CLASS_AGGREGATE},
        seventh{s, "parts_seventh", MPI_T_PVAR_CLASS_COUNTER};
    for (pvar* each : {&second, &sixth, &seventh}) CHECK(each->start() == MPI_SUCCESS);

    std::atomic<unsigned> done{0};
    std::vector<std::thread> counting;
    for (unsigned t = 0; t < threads; t++)
        counting.emplace_back([&, t] {
            count_once(t);
            done++;
            while (done.load() < threads) std::this_thread::yield();
        });
    for (std::thread& each : counting) each.join();

    for (std::size_t k = 0; k < std::size(arrays); k++) {
        const watched& each = arrays[k];
        std::vector<unsigned long long> counts(each.elements);
        std::vector<double> amounts(each.elements);
        const bool is_real = each.var_class == MPI_T_PVAR_CLASS_AGGREGATE;
        REQUIRE(MPI_T_pvar_read(s.handle, handles[k].handle,
                                is_real ? static_cast<void*>(amounts.data()) : counts.data()) == MPI_SUCCESS);
        int wrong = 0;
        for (std::size_t i = 0; i < each.elements; i++) {
            const unsigned long long expected = threads * (each.base + i) + threads * (threads - 1) / 2;
            wrong += is_real ? static_cast<unsigned long long>(amounts[i]) != expected : counts[i] != expected;
        }
        INFO(each.name);
        CHECK(wrong == 0);
    }
    unsigned long long sums[3]{};
    REQUIRE(MPI_T_pvar_read(s.handle, second.handle, sums) == MPI_SUCCESS);
    for (unsigned i = 0; i < 3; i++) CHECK(sums[i] == threads * (7 + i) + threads * (threads - 1) / 2);
    CHECK(sixth.read<double>() == 0.5 * threads);
    CHECK(seventh.read() == threads);
}

namespace {

struct summed_variables : mpit::category<"summed", "Sums over threads"> {
    mpit::counter<> summed{this, "summed", "Counts"};
    mpit::aggregate<double> real{this, "summed_real", "Amounts"};
    mpit::aggregate<> amounts{this, "summed_amounts", "Amounts"};
};
constexpr auto& sums = mpit::registered<summed_variables>;

struct sample {
    unsigned long long summed, amounts;
    double real;
};

// A thread that counts once, and lives as long as this.
class counting_thread {
public:
    counting_thread()
        : thread_{[this] {
              ++sums.summed;
              sums.real += 0.5;
              sums.amounts += 3;
              has_counted_.arrive_and_wait();
              end_.arrive_and_wait();
          }} {
        has_counted_.arrive_and_wait();
    }
    counting_thread(const counting_thread&) = delete;
    ~counting_thread() {
        end_.arrive_and_wait();
        thread_.join();
    }

private:
    std::barrier<> has_counted_{2}, end_{2};
    std::thread thread_; // the last member, so that it finds the others
};

} // namespace

TEST_CASE("A sum has the counts of each thread, however many live", "[HNDL-15]") {
    const initialized tool;
    const session s;
    const pvar counter{s, "summed", MPI_T_PVAR_CLASS_COUNTER}, real{s, "summed_real", MPI_T_PVAR_CLASS_AGGREGATE};
    const pvar stopped{s, "summed", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(counter.start() == MPI_SUCCESS);
    REQUIRE(real.start() == MPI_SUCCESS);
    REQUIRE(stopped.start() == MPI_SUCCESS);
    mpit::tool::batch<sample> together;
    REQUIRE(together.add({{&sample::summed, "summed", mpit::performance_class::counter},
                          {&sample::amounts, "summed_amounts", mpit::performance_class::aggregate},
                          {&sample::real, "summed_real", mpit::performance_class::aggregate}}) ==
            mpit::result::success);
    REQUIRE(together.start() == mpit::result::success);
    std::vector<std::unique_ptr<counting_thread>> threads;
    for (unsigned long long count = 1; count <= 40; count++) {
        threads.push_back(std::make_unique<counting_thread>());
        CHECK(counter.read() == count);
        CHECK(real.read<double>() == 0.5 * static_cast<double>(count));
        CHECK(stopped.stop() == MPI_SUCCESS);
        CHECK(stopped.readreset() == 1);
        CHECK(stopped.start() == MPI_SUCCESS);
        sample now{};
        CHECK(together.read(now) == mpit::result::success);
        CHECK(now.summed == count);
        CHECK(now.amounts == 3 * count);
        CHECK(now.real == 0.5 * static_cast<double>(count));
    }
}

namespace {

// More than two blocks, and a part of a third one.
constexpr std::size_t elements = 300;

struct array_variables : mpit::category<"arrays", "Arrays of every class"> {
    mpit::counter<unsigned long long[elements]> counts{this, "arrays_counts", "Counts"};
    mpit::counter<unsigned[elements]> narrow{this, "arrays_narrow", "Counts"};
    mpit::aggregate<double[elements]> amounts{this, "arrays_amounts", "Amounts"};
    mpit::timer_of<double[elements]> seconds{this, "arrays_seconds", "Time, in seconds"};
    mpit::level<double[elements]> levels{this, "arrays_levels", "Levels"};
    mpit::size<unsigned long long[elements]> sizes{this, "arrays_sizes", "Sizes"};
    mpit::generic<int[elements]> numbers{this, "arrays_numbers", "Numbers"};
    mpit::high_watermark<unsigned long long[elements]> highest{this, "arrays_highest", "Highest levels"};
};
constexpr auto& tree = mpit::registered<array_variables>;

// The elements of a handle as a tool reads them.
template <class T> class array_handle {
public:
    array_handle(const session& in, const char* name, int variable_class) : in_{in}, handle_{in, name, variable_class} {
        REQUIRE(handle_.count == static_cast<int>(elements));
    }
    pvar& operator*() { return handle_; }
    pvar* operator->() { return &handle_; }
    std::vector<T> read() {
        std::vector<T> seen(elements + 1, T(77));
        CHECK(MPI_T_pvar_read(in_.handle, handle_.handle, seen.data()) == MPI_SUCCESS);
        return without_last(seen);
    }
    std::vector<T> readreset() {
        std::vector<T> seen(elements + 1, T(77));
        CHECK(MPI_T_pvar_readreset(in_.handle, handle_.handle, seen.data()) == MPI_SUCCESS);
        return without_last(seen);
    }

private:
    // No more was written than the elements.
    static std::vector<T> without_last(std::vector<T>& values) {
        CHECK(values.back() == T(77));
        values.pop_back();
        return values;
    }
    const session& in_;
    pvar handle_;
};
// What element `i` has if each has `first` and `step` more than the one before.
template <class T> std::vector<T> rising(T first, T step) {
    std::vector<T> values(elements);
    for (std::size_t i = 0; i < elements; i++) values[i] = first + static_cast<T>(i) * step;
    return values;
}
template <class T> std::vector<T> nothing() { return std::vector<T>(elements, T{}); }

// Of an array of sums: `change` adds `step * i` to element i.
template <class T, class Change> void check_sums(const char* name, int variable_class, T step, Change change) {
    const initialized tool;
    const session s, other_session;
    array_handle<T> values{s, name, variable_class}, stopped{s, name, variable_class},
        other{other_session, name, variable_class};
    change();
    CHECK(values.read() == nothing<T>());
    CHECK(values->start() == MPI_SUCCESS);
    CHECK(other->start() == MPI_SUCCESS);
    change();
    CHECK(values.read() == rising<T>(0, step));
    CHECK(stopped.read() == nothing<T>());
    CHECK(values->stop() == MPI_SUCCESS);
    change();
    CHECK(values.read() == rising<T>(0, step));
    CHECK(other.read() == rising<T>(0, 2 * step));
    CHECK(values->start() == MPI_SUCCESS);
    change();
    CHECK(values.readreset() == rising<T>(0, 2 * step));
    CHECK(values.read() == nothing<T>());
    CHECK(other->reset() == MPI_SUCCESS);
    change();
    CHECK(values.read() == rising<T>(0, step));
    CHECK(other.read() == rising<T>(0, step));
}

} // namespace

TEST_CASE("Each element of an array of sums has what was added since its handle ran", "[HNDL-15]") {
    SECTION("counters") {
        check_sums<unsigned long long>("arrays_counts", MPI_T_PVAR_CLASS_COUNTER, 1, [] {
            for (std::size_t i = 0; i < elements; i++) tree.counts[i] += i;
        });
    }
    SECTION("counters of half a word") {
        check_sums<unsigned>("arrays_narrow", MPI_T_PVAR_CLASS_COUNTER, 1, [] {
            for (std::size_t i = 0; i < elements; i++) tree.narrow[i] += i;
        });
    }
    SECTION("aggregates of doubles") {
        check_sums<double>("arrays_amounts", MPI_T_PVAR_CLASS_AGGREGATE, 0.25, [] {
            for (std::size_t i = 0; i < elements; i++) tree.amounts[i] += 0.25 * static_cast<double>(i);
        });
    }
    SECTION("timers, which convert") {
        check_sums<double>("arrays_seconds", MPI_T_PVAR_CLASS_TIMER, 0.5, [] {
            for (std::size_t i = 0; i < elements; i++) tree.seconds[i].add(i * 500'000'000);
        });
    }
}

TEST_CASE("Each element of an array of levels, sizes, numbers or marks is the library's", "[HNDL-15]") {
    const initialized tool;
    const session s;
    array_handle<double> levels{s, "arrays_levels", MPI_T_PVAR_CLASS_LEVEL};
    array_handle<unsigned long long> sizes{s, "arrays_sizes", MPI_T_PVAR_CLASS_SIZE};
    array_handle<int> numbers{s, "arrays_numbers", MPI_T_PVAR_CLASS_GENERIC};
    array_handle<unsigned long long> highest{s, "arrays_highest", MPI_T_PVAR_CLASS_HIGHWATERMARK};
    const auto change = [](int by) {
        for (std::size_t i = 0; i < elements; i++) {
            tree.levels[i] = 0.5 * static_cast<double>(i) + by;
            tree.sizes[i] = i + static_cast<std::size_t>(by);
            tree.numbers[i] = static_cast<int>(i) - by;
            tree.highest[i] = i + static_cast<std::size_t>(by);
        }
    };
    change(0);
    for (pvar* each : {&*levels, &*sizes, &*numbers, &*highest}) CHECK(each->start() == MPI_SUCCESS);
    change(100);
    CHECK(levels.read() == rising<double>(100, 0.5));
    CHECK(sizes.read() == rising<unsigned long long>(100, 1));
    CHECK(highest.read() == rising<unsigned long long>(100, 1));
    CHECK(numbers.read() == std::vector<int>(elements, -100)); // since it was started
    for (pvar* each : {&*levels, &*sizes, &*numbers, &*highest}) CHECK(each->stop() == MPI_SUCCESS);
    change(200);
    CHECK(levels.read() == rising<double>(100, 0.5));
    CHECK(sizes.read() == rising<unsigned long long>(100, 1));
    CHECK(highest.read() == rising<unsigned long long>(100, 1));
    CHECK(numbers.read() == std::vector<int>(elements, -100));
}

TEST_CASE("Each element of an array that is described at run time is the library's", "[HNDL-15]") {
    using mpit::performance_class;
    static unsigned long long stored[elements];
    static double of_function[elements];
    mpit::dynamic group{"described_arrays", "Arrays of a group"};
    REQUIRE(group.computed<performance_class::counter, unsigned long long>(
                "arrays_stored", "Counts", {.storage = stored, .count = elements}) == mpit::result::success);
    REQUIRE(group.computed<performance_class::aggregate, double>(
                "arrays_of_function", "Amounts", {.value_at = [](std::uint64_t, std::uint32_t element, void*) {
        return of_function[element];
    }, .count = elements}) == mpit::result::success);
    REQUIRE(group.publish().code == mpit::result::success);
    SECTION("numbers in storage") {
        check_sums<unsigned long long>("arrays_stored", MPI_T_PVAR_CLASS_COUNTER, 1, [] {
            for (std::size_t i = 0; i < elements; i++) stored[i] += i;
        });
    }
    SECTION("numbers of a function for one") {
        check_sums<double>("arrays_of_function", MPI_T_PVAR_CLASS_AGGREGATE, 0.25, [] {
            for (std::size_t i = 0; i < elements; i++) of_function[i] += 0.25 * static_cast<double>(i);
        });
    }
}

using mpit::performance_class;
using mpit::reply;
using mpit::result;

namespace {

// A text as long as 32 KiB, in which each letter is the same: a reader of two halves would see it.
struct repeated {
    std::atomic<char> letter = 'a';
    std::uint64_t handle = 99;
    bool refuses = false;
    int running = 0;
};

char label[8] = "first";
struct text_variables : mpit::category<"measured_texts", "Texts"> {
    mpit::computed<performance_class::generic, char[8]> stored{
        this, "mt_label", "A label", {.value = [](char (&to)[8]) {
        std::memcpy(to, label, 8);
    }, .on_write = [](const char* text) {
        if (std::strcmp(text, "no") == 0) return reply::never;
        std::strncpy(label, text, sizeof label);
        return reply::accepted;
    }}};
    mpit::computed<performance_class::generic, char[8]> kept{
        this, "mt_kept", "A label that tools do not change", {.value = [](char (&to)[8]) {
        std::memcpy(to, "kept", 5);
    }, .on_write = [](const char*) { return reply::accepted; }, .readonly = true}};
    mpit::computed<performance_class::generic, char[1]> least{
        this, "mt_least", "No letter", {.value = [](char (&to)[1]) { to[0] = 'x'; }}};
};
constexpr auto& texts = mpit::registered<text_variables>;

mpit::dynamic_computed_settings<char[]> settings_of(repeated& from, std::uint32_t length) {
    return {.value = [](std::uint64_t handle, char* buffer, std::size_t room, void* data) {
        auto& here = *static_cast<repeated*>(data);
        here.handle = handle;
        std::memset(buffer, here.letter.load(), room); // also where the null is
    }, .on_write = [](std::uint64_t handle, const char* text, void* data) {
        auto& here = *static_cast<repeated*>(data);
        here.handle = handle;
        if (here.refuses) return reply::not_now;
        here.letter = *text;
        return reply::accepted;
    }, .data = &from, .on_watch = [](int change, void* data) {
        static_cast<repeated*>(data)->running += change;
    }, .length = length};
}
int readonly_of(const char* name) {
    int readonly = -1;
    REQUIRE(MPI_T_pvar_get_info(pvar_index(name, MPI_T_PVAR_CLASS_GENERIC), nullptr, nullptr, nullptr, nullptr, nullptr,
                                nullptr, nullptr, nullptr, nullptr, &readonly, nullptr, nullptr) == MPI_SUCCESS);
    return readonly;
}

} // namespace

TEST_CASE("A declared text is the library's own for every handle, and a tool writes it where the library stores it",
          "[HNDL-17][HNDL-18]") {
    static_cast<void>(texts);
    initialized tools;
    const session in, other;
    const pvar one{in, "mt_label", MPI_T_PVAR_CLASS_GENERIC}, two{other, "mt_label", MPI_T_PVAR_CLASS_GENERIC};
    char text[9] = "????????";
    CHECK(readonly_of("mt_label") == 0);
    REQUIRE(MPI_T_pvar_write(in.handle, one.handle, "seventh") == MPI_SUCCESS);
    REQUIRE(MPI_T_pvar_read(other.handle, two.handle, text) == MPI_SUCCESS);
    CHECK(std::string{text} == "seventh");
    CHECK(text[8] == '\0');
    CHECK(MPI_T_pvar_write(in.handle, one.handle, "eight___") == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_write(in.handle, one.handle, "no") == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(std::string{label} == "seventh");
    CHECK(MPI_T_pvar_reset(other.handle, two.handle) == MPI_SUCCESS);
    CHECK(std::string{label}.empty());
}

TEST_CASE("A declared text that is readonly, or that nobody stores, is not written", "[HNDL-17][HNDL-18]") {
    initialized tools;
    const session in;
    for (const char* name : {"mt_kept", "mt_least"}) {
        const pvar text{in, name, MPI_T_PVAR_CLASS_GENERIC};
        CHECK(readonly_of(name) == 1);
        CHECK(MPI_T_pvar_write(in.handle, text.handle, "") == MPI_T_ERR_PVAR_NO_WRITE);
        CHECK(MPI_T_pvar_reset(in.handle, text.handle) == MPI_T_ERR_PVAR_NO_WRITE);
    }
    const pvar least{in, "mt_least", MPI_T_PVAR_CLASS_GENERIC};
    char text[2] = "?";
    REQUIRE(MPI_T_pvar_read(in.handle, least.handle, text) == MPI_SUCCESS);
    CHECK(text[0] == '\0');
}

TEST_CASE("A text of a group has any length, of which each handle reads and writes all", "[HNDL-01][HNDL-17]") {
    initialized tools;
    const session in;
    repeated from;
    mpit::dynamic group{"dynamic_measured_texts"};
    const std::uint32_t length = (1 << 20) - 1;
    REQUIRE(group.computed<performance_class::generic, char[]>("dm_long", "", settings_of(from, length)) ==
            result::success);
    REQUIRE(group.publish().seen == 1);
    const pvar long_text{in, "dm_long", MPI_T_PVAR_CLASS_GENERIC};
    REQUIRE(long_text.count == static_cast<int>(length) + 1);
    std::vector<char> text(length + 2, '?');
    REQUIRE(MPI_T_pvar_read(in.handle, long_text.handle, text.data()) == MPI_SUCCESS);
    CHECK(std::string(text.data()) == std::string(length, 'a'));
    CHECK(text[length + 1] == '?');
    text[length - 1] = 'b';
    text[0] = 'z';
    REQUIRE(MPI_T_pvar_write(in.handle, long_text.handle, text.data()) == MPI_SUCCESS);
    CHECK(from.letter == 'z');
    text[length] = 'x';
    CHECK(MPI_T_pvar_write(in.handle, long_text.handle, text.data()) == MPI_T_ERR_INVALID);
    CHECK(from.handle == 0);
    CHECK(from.running == 0);
    CHECK(long_text.start() == MPI_SUCCESS);
    CHECK(from.running == 1);
}

TEST_CASE("A text of a group that cannot be is refused, and one that nobody stores is readonly", "[PVAR-10]") {
    initialized tools;
    repeated from;
    mpit::dynamic group{"dynamic_refused_texts"};
    const auto add = [&group](const char* name, const mpit::dynamic_computed_settings<char[]>& chosen) {
        return group.computed<performance_class::generic, char[]>(name, "", chosen);
    };
    auto chosen = settings_of(from, 16);
    chosen.value = nullptr;
    CHECK(add("dm_nobody", chosen) == result::invalid);
    CHECK(add("dm_empty", settings_of(from, 0)) == result::invalid);
    CHECK(add("dm_longer", settings_of(from, 1 << 20)) == result::invalid);
    chosen = settings_of(from, 16);
    chosen.bound.kind = mpit::binding::communicator;
    CHECK(add("dm_no_elements", chosen) == result::invalid);
    chosen = settings_of(from, 16);
    chosen.on_write = nullptr;
    CHECK(add("dm_readonly", chosen) == result::success);
    REQUIRE(group.publish().seen == 1);
    CHECK(readonly_of("dm_readonly") == 1);
}

TEST_CASE(
    "A batch reads, starts, stops and resets a text among numbers, and leaves it as it is once its group has ended") {
    struct text_sample {
        char first[16];
        unsigned long count;
        char second[8];
    };
    initialized tools;
    repeated from;
    unsigned long counted = 3;
    mpit::tool::batch<text_sample> b;
    text_sample now{};
    {
        mpit::dynamic group{"dynamic_batched_texts"};
        REQUIRE(group.computed<performance_class::generic, char[]>("db_text", "", settings_of(from, 15)) ==
                result::success);
        REQUIRE(group.computed<performance_class::counter, unsigned long>("db_count", "", {.storage = &counted}) ==
                result::success);
        REQUIRE(group.publish().seen == 2);
        REQUIRE(b.add({{&text_sample::second, "mt_label", performance_class::generic},
                       {&text_sample::first, "db_text", performance_class::generic},
                       {&text_sample::count, "db_count", performance_class::counter}}) == result::success);
        CHECK(from.running == 0);
        std::strcpy(label, "lab");
        REQUIRE(b.start() == result::success);
        CHECK(from.running == 1);
        counted += 2;
        REQUIRE(b.read(now) == result::success);
        CHECK(std::string{now.first} == std::string(15, 'a'));
        CHECK(now.count == 2);
        CHECK(std::string{now.second} == "lab");
        REQUIRE(b.stop() == result::success);
        CHECK(from.running == 0);
        from.refuses = true;
        CHECK(b.reset() == result::cannot_write);
        CHECK(from.letter == 'a');
        CHECK(std::string{label}.empty());
        from.refuses = false;
        CHECK(b.reset() == result::success);
        CHECK(from.letter == '\0');
        REQUIRE(b.start() == result::success);
        CHECK(from.running == 1);
        {
            mpit::tool::batch<text_sample> freed;
            REQUIRE(freed.add(&text_sample::first, "db_text", performance_class::generic) == result::success);
            REQUIRE(freed.start() == result::success);
            CHECK(from.running == 2);
        }
        CHECK(from.running == 1);
    }
    std::strcpy(label, "later");
    std::strcpy(now.first, "as it was");
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(std::string{now.first} == "as it was");
    CHECK(std::string{now.second} == "later");
    // Its place is free for another one.
    REQUIRE(b.add(&text_sample::first, "p_computed_text", performance_class::generic) == result::success);
    CHECK(b.read(now) == result::invalid_handle); // the count is not there
    CHECK(std::string{now.first} == "x");
}

TEST_CASE("Threads read, write, start and reset one text at once, and no start is left when all handles are freed") {
    initialized tools;
    repeated from;
    std::atomic<int> running = 0;
    mpit::dynamic group{"dynamic_threaded_texts"};
    auto chosen = settings_of(from, 63);
    chosen.value = [](std::uint64_t, char* buffer, std::size_t room, void*) { std::memset(buffer, 'r', room - 1); };
    chosen.on_write = [](std::uint64_t, const char*, void*) { return reply::accepted; };
    chosen.on_watch = [](int change, void* data) { static_cast<std::atomic<int>*>(data)->fetch_add(change); };
    chosen.data = &running;
    REQUIRE(group.computed<performance_class::generic, char[]>("dt_text", "", chosen) == result::success);
    REQUIRE(group.publish().seen == 1);
    {
        const session in;
        const pvar shared{in, "dt_text", MPI_T_PVAR_CLASS_GENERIC};
        std::atomic<int> failures = 0;
        std::array<std::thread, 4> threads;
        for (std::thread& each : threads)
            each = std::thread{[&] {
                char text[64];
                for (int i = 0; i < 500; i++) {
                    const bool is_good = MPI_T_pvar_start(in.handle, shared.handle) == MPI_SUCCESS &&
                                         MPI_T_pvar_read(in.handle, shared.handle, text) == MPI_SUCCESS &&
                                         std::strlen(text) == 63 &&
                                         MPI_T_pvar_write(in.handle, shared.handle, "w") == MPI_SUCCESS &&
                                         MPI_T_pvar_reset(in.handle, shared.handle) == MPI_SUCCESS &&
                                         MPI_T_pvar_stop(in.handle, shared.handle) == MPI_SUCCESS;
                    failures += !is_good;
                }
            }};
        for (std::thread& each : threads) each.join();
        CHECK(failures == 0);
        CHECK(running == 0);
        CHECK(shared.start() == MPI_SUCCESS);
        CHECK(running == 1);
    }
    CHECK(running == 0);
}
