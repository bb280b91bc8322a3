// Handles on arrays: all elements are read in one walk over the threads that count, a block of elements at a time.
#include "../tool.hpp"

#include <mpit/dynamic.hpp>

#include <cstring>
#include <thread>
#include <vector>

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
        std::vector<T> values(elements + 1, T(77));
        CHECK(MPI_T_pvar_read(in_.handle, handle_.handle, values.data()) == MPI_SUCCESS);
        return without_last(values);
    }
    std::vector<T> readreset() {
        std::vector<T> values(elements + 1, T(77));
        CHECK(MPI_T_pvar_readreset(in_.handle, handle_.handle, values.data()) == MPI_SUCCESS);
        return without_last(values);
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
    array_handle<T> sums{s, name, variable_class}, stopped{s, name, variable_class},
        other{other_session, name, variable_class};
    change();
    CHECK(sums.read() == nothing<T>());
    CHECK(sums->start() == MPI_SUCCESS);
    CHECK(other->start() == MPI_SUCCESS);
    change();
    CHECK(sums.read() == rising<T>(0, step));
    CHECK(stopped.read() == nothing<T>());
    CHECK(sums->stop() == MPI_SUCCESS);
    change();
    CHECK(sums.read() == rising<T>(0, step));
    CHECK(other.read() == rising<T>(0, 2 * step));
    CHECK(sums->start() == MPI_SUCCESS);
    change();
    CHECK(sums.readreset() == rising<T>(0, 2 * step));
    CHECK(sums.read() == nothing<T>());
    CHECK(other->reset() == MPI_SUCCESS);
    change();
    CHECK(sums.read() == rising<T>(0, step));
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

TEST_CASE("An array of sums has the counts of each thread", "[HNDL-15]") {
    const initialized tool;
    const session s;
    array_handle<unsigned long long> counts{s, "arrays_counts", MPI_T_PVAR_CLASS_COUNTER};
    array_handle<double> amounts{s, "arrays_amounts", MPI_T_PVAR_CLASS_AGGREGATE};
    CHECK(counts->start() == MPI_SUCCESS);
    CHECK(amounts->start() == MPI_SUCCESS);
    // Each of them has a shard of its own while the others live, more than are walked at once.
    std::vector<std::thread> threads;
    std::atomic<unsigned> done{0};
    for (unsigned t = 0; t < 12; t++)
        threads.emplace_back([&] {
            for (std::size_t i = 0; i < elements; i++) {
                tree.counts[i] += i;
                tree.amounts[i] += 0.5;
            }
            done++;
            while (done.load() < 12) std::this_thread::yield();
        });
    for (std::thread& each : threads) each.join();
    CHECK(counts.read() == rising<unsigned long long>(0, 12));
    CHECK(amounts.read() == std::vector<double>(elements, 6.0));
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

TEST_CASE("A freed handle on an array reads nothing", "[HNDL-15]") {
    const initialized tool;
    const session s;
    array_handle<unsigned long long> first{s, "arrays_counts", MPI_T_PVAR_CLASS_COUNTER};
    const MPI_T_pvar_handle freed = first->handle;
    REQUIRE(MPI_T_pvar_handle_free(s.handle, &first->handle) == MPI_SUCCESS);
    array_handle<unsigned long long> second{s, "arrays_counts", MPI_T_PVAR_CLASS_COUNTER}; // in its place
    std::vector<unsigned long long> values(elements, 77);
    CHECK(MPI_T_pvar_read(s.handle, freed, values.data()) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(values == std::vector<unsigned long long>(elements, 77));
}
