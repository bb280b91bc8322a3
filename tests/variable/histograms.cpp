// Histograms through the functions of the standard, as a tool reads them that does not know mpit: each value in its bucket, exact
// counts over threads, signal handlers and tools that come and go, sessions that do not disturb each other, and nothing
// recorded where nobody looks, if the library wants that.
#include "../alarms.hpp"
#include "../tool.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using mpit::buckets;

struct histogram_variables : mpit::category<"histograms", "Distributions"> {
    mpit::histogram<> sizes{this, "sizes", "Sizes, in bytes"};
    mpit::histogram<unsigned, buckets{.scale = 3, .lowest = 4, .highest = 18}> fine{
        this, "fine", "Sizes, in bytes", {.verbosity = mpit::verbosity::tuner_basic}};
    mpit::histogram<unsigned long, buckets{.highest = 63}> everything{this, "everything", "Numbers"};
    mpit::histogram<double, buckets{.scale = 2, .lowest = -8, .highest = 8}> ratios{this, "ratios", "Ratios"};
    mpit::latency<> sending{this, "sending", "Time of a send, in seconds"};
    mpit::latency<> rare{this, "rare", "Time of a rare operation, in seconds", {.when_watched = true}};
    mpit::histogram<unsigned long, buckets{}, communicator> sent{this, "sent", "Sizes, in bytes, of a communicator"};
    mpit::latency<buckets{.scale = 1, .highest = 40}, communicator> waits{
        this, "waits", "Time of a wait, in seconds, of a communicator", {.when_watched = true}};
};
constexpr auto& histograms = mpit::registered<histogram_variables>;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> bounds_of(const std::string& name) {
    const cvar bounds{(name + "_bounds").c_str()};
    std::vector<double> values(static_cast<std::size_t>(bounds.count));
    REQUIRE(MPI_T_cvar_read(bounds.handle, values.data()) == MPI_SUCCESS);
    return values;
}

// The handles of a session on the five performance variables of a histogram whose values have the type T.
template <class T> struct handles {
    using total = std::conditional_t<std::is_same_v<T, double>, double, unsigned long long>;
    pvar samples, sum, count, smallest, largest;
    handles(const session& in, const std::string& name, int class_of_sum = MPI_T_PVAR_CLASS_AGGREGATE,
            void* object = nullptr)
        : samples{in, name.c_str(), MPI_T_PVAR_CLASS_COUNTER, object},
          sum{in, (name + "_sum").c_str(), class_of_sum, object},
          count{in, (name + "_count").c_str(), MPI_T_PVAR_CLASS_COUNTER, object},
          smallest{in, (name + "_min").c_str(), MPI_T_PVAR_CLASS_LOWWATERMARK, object},
          largest{in, (name + "_max").c_str(), MPI_T_PVAR_CLASS_HIGHWATERMARK, object} {}
    template <class Visit> void each(Visit visit) const {
        for (const pvar* handle : {&samples, &sum, &count, &smallest, &largest}) REQUIRE(visit(*handle) == MPI_SUCCESS);
    }
    void start() const {
        each([](const pvar& handle) { return handle.start(); });
    }
    std::vector<unsigned long long> buckets() const {
        std::vector<unsigned long long> values(static_cast<std::size_t>(samples.count));
        REQUIRE(MPI_T_pvar_read(samples.in, samples.handle, values.data()) == MPI_SUCCESS);
        return values;
    }
};

// What a session must read: the values that it was told, in buckets that are searched in the bounds one after the other.
template <class T> struct oracle {
    std::vector<double> bounds;
    std::vector<unsigned long long> buckets = std::vector<unsigned long long>(bounds.size());
    typename handles<T>::total sum{};
    unsigned long long count = 0;
    T smallest =
        std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    T largest{};
    void record(T value) {
        std::size_t bucket = 0;
        while (static_cast<long double>(value) > static_cast<long double>(bounds[bucket])) bucket++;
        buckets[bucket]++;
        sum += value;
        count++;
        smallest = std::min(smallest, value);
        largest = std::max(largest, value);
    }
    void check(const handles<T>& handle) const {
        CHECK(handle.buckets() == buckets);
        CHECK(handle.sum.template read<typename handles<T>::total>() == sum);
        CHECK(handle.count.read() == count);
        CHECK(handle.smallest.template read<T>() == smallest);
        CHECK(handle.largest.template read<T>() == largest);
    }
};

template <class T, class Histogram, class Draw>
void check_values(Histogram& histogram, const char* name, int count, Draw draw) {
    const in_session tool;
    const handles<T> handle{tool.in, name};
    oracle<T> expected{bounds_of(name)};
    expected.check(handle);
    handle.start();
    for (int i = 0; i < count; i++) {
        const T value = draw(i);
        histogram.record(value);
        expected.record(value);
    }
    expected.check(handle);
}

std::mt19937_64 random_number{20};
unsigned long draw_any_size(int) { return random_number() >> random_number() % 64; }

} // namespace

TEST_CASE("A histogram counts each value in the bucket that the bounds name", "[histogram]") {
    check_values<unsigned long long>(histograms.sizes, "sizes", 20000, draw_any_size);
    check_values<unsigned long long>(histograms.sizes, "sizes", 5000, [](int i) { return static_cast<unsigned>(i); });
    check_values<unsigned>(histograms.fine, "fine", 20000,
                           [](int i) { return static_cast<unsigned>(draw_any_size(i)); });
    check_values<unsigned>(histograms.fine, "fine", 300000, [](int i) { return static_cast<unsigned>(i); });
    check_values<unsigned long>(histograms.everything, "everything", 20000, draw_any_size);
    check_values<unsigned long>(histograms.everything, "everything", 64 * 3,
                                [](int i) { return (1ul << i / 3) + static_cast<unsigned long>(i % 3) - 1; });
    check_values<double>(histograms.ratios, "ratios", 20000,
                         [](int) { return std::exp2(std::uniform_real_distribution<>{-12, 12}(random_number)); });
}

TEST_CASE("The bounds are the powers of two and their roots that Prometheus and OpenTelemetry have", "[histogram]") {
    const in_session tool;
    const std::vector<double> bounds = bounds_of("fine");
    REQUIRE(bounds.size() == 14 * 8 + 2);
    for (std::size_t i = 0; i + 1 < bounds.size(); i++) {
        CHECK(std::abs(bounds[i] / std::exp2(4 + static_cast<double>(i) / 8) - 1) < 3e-16);
        if (i % 8 == 0) CHECK(bounds[i] == std::exp2(4 + static_cast<double>(i) / 8));
        // A value that equals a bound is in the bucket of the bound.
        CHECK(mpit::core::bucket_of_real<buckets{.scale = 3, .lowest = 4, .highest = 18}>(bounds[i]) == i);
        CHECK(mpit::core::bucket_of_real<buckets{.scale = 3, .lowest = 4, .highest = 18}>(
                  std::nextafter(bounds[i], infinity)) == i + 1);
    }
    CHECK(bounds.back() == infinity);
    CHECK(bounds_of("sending").front() == 64e-9);
    CHECK(bounds_of("ratios").front() == 1. / 256);
    for (int scale = 0; scale <= 4; scale++)
        for (int i = 0; i < 20000; i++) {
            const unsigned long value = draw_any_size(i);
            const buckets scheme{.scale = scale, .lowest = 3, .highest = 3 + (116 >> scale) % 60};
            unsigned bucket = 0;
            while (value > static_cast<long double>(mpit::core::bound_of_bucket(scheme, bucket))) bucket++;
            REQUIRE(mpit::core::bucket_of(scheme, value) == bucket);
        }
}

TEST_CASE("Tools see a histogram as six variables of one category", "[histogram]") {
    const in_session tool;
    const int bounds = cvar_index("fine_bounds");
    int verbosity = 0, bind = 0, scope = 0, length = 0;
    MPI_Datatype type{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    REQUIRE(MPI_T_cvar_get_info(bounds, nullptr, &length, &verbosity, &type, &enumeration, nullptr, nullptr, &bind,
                                &scope) == MPI_SUCCESS);
    CHECK(type == MPI_DOUBLE);
    CHECK(scope == MPI_T_SCOPE_CONSTANT);
    CHECK(bind == MPI_T_BIND_NO_OBJECT);
    CHECK(verbosity == MPI_T_VERBOSITY_TUNER_BASIC);
    const cvar handle{"fine_bounds"};
    CHECK(handle.write(std::array<double, 114>{}) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(MPI_T_cvar_handle_free(const_cast<MPI_T_cvar_handle*>(&handle.handle)) == MPI_SUCCESS);

    int category = -1, cvars = 0, pvars = 0, categories = 0;
    REQUIRE(MPI_T_category_get_index("histograms", &category) == MPI_SUCCESS);
    REQUIRE(MPI_T_category_get_info(category, nullptr, &length, nullptr, nullptr, &cvars, &pvars, &categories) ==
            MPI_SUCCESS);
    CHECK(cvars == 8);
    CHECK(pvars == 8 * 5);
    const struct {
        const char* name;
        int variable_class;
        MPI_Datatype type;
    } parts[] = {{"fine", MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED_LONG_LONG},
                 {"fine_sum", MPI_T_PVAR_CLASS_AGGREGATE, MPI_UNSIGNED_LONG_LONG},
                 {"fine_count", MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED_LONG_LONG},
                 {"fine_min", MPI_T_PVAR_CLASS_LOWWATERMARK, MPI_UNSIGNED},
                 {"fine_max", MPI_T_PVAR_CLASS_HIGHWATERMARK, MPI_UNSIGNED},
                 {"ratios_sum", MPI_T_PVAR_CLASS_AGGREGATE, MPI_DOUBLE},
                 {"ratios_min", MPI_T_PVAR_CLASS_LOWWATERMARK, MPI_DOUBLE},
                 {"sending", MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED_LONG_LONG},
                 {"sending_sum", MPI_T_PVAR_CLASS_TIMER, MPI_DOUBLE},
                 {"sending_max", MPI_T_PVAR_CLASS_HIGHWATERMARK, MPI_DOUBLE}};
    for (const auto& part : parts) {
        int variable_class = 0, readonly = 0, continuous = 0, atomic = 0;
        REQUIRE(MPI_T_pvar_get_info(pvar_index(part.name, part.variable_class), nullptr, &length, &verbosity,
                                    &variable_class, &type, &enumeration, nullptr, nullptr, &bind, &readonly,
                                    &continuous, &atomic) == MPI_SUCCESS);
        INFO(part.name);
        CHECK(type == part.type);
        CHECK((readonly == 0 && continuous == 0 && atomic == 1 && bind == MPI_T_BIND_NO_OBJECT));
    }
}

TEST_CASE("A double that is negative, infinite or not a number is in no bucket", "[histogram]") {
    check_values<double>(histograms.ratios, "ratios", 1, [](int) { return 0.; });
    const in_session tool;
    const handles<double> handle{tool.in, "ratios"};
    handle.start();
    for (const double value : {-1., -infinity, infinity, std::numeric_limits<double>::quiet_NaN()})
        histograms.ratios.record(value);
    oracle<double>{bounds_of("ratios")}.check(handle);
}

TEST_CASE("Sessions on a histogram are independent of each other", "[histogram]") {
    // Random operations on the handles of four sessions against an oracle for each, with slots of freed handles used again.
    const initialized tool;
    struct user {
        session in;
        handles<unsigned long long> handle{in, "sizes"};
        std::array<bool, 5> runs{};
        std::array<oracle<unsigned long long>, 5> expected;
        explicit user(const std::vector<double>& bounds)
            : expected{{{bounds}, {bounds}, {bounds}, {bounds}, {bounds}}} {}
        void check() const {
            CHECK(handle.buckets() == expected[0].buckets);
            CHECK(handle.sum.read() == expected[1].sum);
            CHECK(handle.count.read() == expected[2].count);
            CHECK(handle.smallest.read() == expected[3].smallest);
            CHECK(handle.largest.read() == expected[4].largest);
        }
    };
    const std::vector<double> bounds = bounds_of("sizes");
    std::vector<std::unique_ptr<user>> users;
    for (int i = 0; i < 4; i++) users.push_back(std::make_unique<user>(bounds));
    for (int step = 0; step < 20000; step++) {
        std::unique_ptr<user>& one = users[random_number() % users.size()];
        const std::size_t part = random_number() % 5;
        const pvar* const handle = std::array{&one->handle.samples, &one->handle.sum, &one->handle.count,
                                              &one->handle.smallest, &one->handle.largest}[part];
        switch (random_number() % 24) {
        case 0:
        case 1:
            REQUIRE(handle->start() == MPI_SUCCESS);
            one->runs[part] = true;
            break;
        case 2:
            REQUIRE(handle->stop() == MPI_SUCCESS);
            one->runs[part] = false;
            break;
        case 3:
            REQUIRE(handle->reset() == MPI_SUCCESS);
            one->expected[part] = {bounds};
            break;
        case 4: one = std::make_unique<user>(bounds); break;
        case 5:
        case 6: one->check(); break;
        default: {
            const unsigned long value = draw_any_size(step);
            histograms.sizes.record(value);
            for (const auto& other : users)
                for (std::size_t i = 0; i < 5; i++)
                    if (other->runs[i]) other->expected[i].record(value);
        }
        }
    }
    for (const auto& one : users) one->check();
}

TEST_CASE("No value is lost among ten thousand threads, signal handlers, and tools that come and go", "[histogram]") {
    const in_session tool;
    const handles<unsigned long long> handle{tool.in, "sizes"};
    handle.start();
    std::atomic<bool> ends{false};
    // This tool makes record() change between its two paths.
    std::thread other{[&] {
        session in;
        while (!ends.load()) {
            const pvar largest{in, "sizes_max", MPI_T_PVAR_CLASS_HIGHWATERMARK};
            REQUIRE(largest.start() == MPI_SUCCESS);
            MPI_T_pvar_handle freed = largest.handle;
            REQUIRE(MPI_T_pvar_handle_free(in.handle, &freed) == MPI_SUCCESS);
        }
    }};
    constexpr int groups = 1250, threads = 8, values = 20;
    oracle<unsigned long long> expected{bounds_of("sizes")};
    for (int group = 0; group < groups; group++) {
        std::vector<std::thread> running;
        for (int i = 0; i < threads; i++)
            running.emplace_back([=] {
                for (int value = 0; value < values; value++)
                    histograms.sizes.record(static_cast<unsigned>(i * 1000 + value));
            });
        for (std::thread& each : running) each.join();
        for (int i = 0; i < threads; i++)
            for (int value = 0; value < values; value++) expected.record(static_cast<unsigned>(i * 1000 + value));
    }
    ends.store(true);
    other.join();
    expected.check(handle);
}

TEST_CASE("A signal handler records in the middle of a record", "[histogram]") {
    static std::atomic<unsigned long long> handled{0};
    const in_session tool;
    const handles<unsigned long long> handle{tool.in, "everything"};
    const pvar samples{tool.in, "everything", MPI_T_PVAR_CLASS_COUNTER};
    const pvar sum{tool.in, "everything_sum", MPI_T_PVAR_CLASS_AGGREGATE};
    REQUIRE(samples.start() == MPI_SUCCESS);
    REQUIRE(sum.start() == MPI_SUCCESS);
    unsigned long long recorded = 0;
    {
        const alarms running{[](int) {
            histograms.everything.record(3);
            handled.fetch_add(1);
        }};
        while (handled.load() < 200 || recorded < 100000) {
            histograms.everything.record(5);
            recorded++;
        }
    }
    std::array<unsigned long long, 65> buckets{};
    REQUIRE(MPI_T_pvar_read(samples.in, samples.handle, buckets.data()) == MPI_SUCCESS);
    CHECK(buckets[2] == handled.load());
    CHECK(buckets[3] == recorded);
    CHECK(sum.read() == 3 * handled.load() + 5 * recorded);
}

TEST_CASE("A latency measures in nanoseconds and is read in seconds", "[histogram]") {
    const in_session tool;
    const handles<double> handle{tool.in, "sending", MPI_T_PVAR_CLASS_TIMER};
    handle.start();
    histograms.sending.record(1'500'000'000);
    CHECK(handle.sum.read<double>() == 1.5);
    CHECK(handle.largest.read<double>() == 1.5);
    CHECK(handle.smallest.read<double>() == 1.5);
    {
        auto running = histograms.sending.start();
        running.stop();
        running.stop();
    }
    CHECK(handle.count.read() == 2);
    CHECK(handle.smallest.read<double>() < 1.5);
}

TEST_CASE("A histogram with .when_watched records only while a tool reads it", "[histogram]") {
    const in_session tool;
    // A handle counts from its start, so what the library has recorded before is asked from the library.
    const auto check_that_nothing_is_recorded = [] {
        CHECK_FALSE(histograms.rare.is_watched());
        const std::uint64_t before = histograms.rare.count();
        histograms.rare.record(100);
        { auto running = histograms.rare.start(); }
        CHECK(histograms.rare.count() == before);
    };
    check_that_nothing_is_recorded();
    const pvar count{tool.in, "rare_count", MPI_T_PVAR_CLASS_COUNTER};
    check_that_nothing_is_recorded();
    REQUIRE(count.start() == MPI_SUCCESS);
    CHECK(histograms.rare.is_watched());
    CHECK(count.read() == 0);
    { auto running = histograms.rare.start(); }
    histograms.rare.record(100);
    CHECK(count.read() == 2);
    {
        const session other;
        const pvar largest{other, "rare_max", MPI_T_PVAR_CLASS_HIGHWATERMARK};
        REQUIRE(count.stop() == MPI_SUCCESS);
        CHECK(histograms.rare.is_watched());
        REQUIRE(largest.start() == MPI_SUCCESS);
        histograms.rare.record(7'000'000'000);
        CHECK(largest.read<double>() == 7);
    }
    check_that_nothing_is_recorded();
    REQUIRE(count.start() == MPI_SUCCESS);
    CHECK(count.read() == 2);
}

TEST_CASE("Each communicator has its own histogram", "[histogram]") {
    auto* first = reinterpret_cast<communicator>(0x100);
    auto* second = reinterpret_cast<communicator>(0x200);
    const in_session tool;
    mpit::created(histograms, first);
    mpit::created(histograms, second);
    histograms.sent[first].record(1000);
    {
        const handles<unsigned long> handle{tool.in, "sent", MPI_T_PVAR_CLASS_AGGREGATE, &first};
        const handles<unsigned long> other{tool.in, "sent", MPI_T_PVAR_CLASS_AGGREGATE, &second};
        handle.start();
        other.start();
        oracle<unsigned long> expected{bounds_of("sent")}, none = expected;
        for (const unsigned long value : {0ul, 1ul, 7ul, 1ul << 40, 12345ul}) {
            histograms.sent[first].record(value);
            expected.record(value);
        }
        expected.check(handle);
        none.check(other);
        histograms.waits[first].record(50); // nobody watches
        const handles<double> waits{tool.in, "waits", MPI_T_PVAR_CLASS_TIMER, &first};
        waits.start();
        histograms.waits[first].record(2'000'000'000);
        { auto running = histograms.waits[second].start(); }
        CHECK(waits.count.read() == 1);
        CHECK(waits.largest.read<double>() == 2);
        mpit::freed(histograms, first);
        unsigned long long value = 0;
        CHECK(MPI_T_pvar_read(waits.count.in, waits.count.handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    }
    // A communicator with the handle of the freed one begins with nothing.
    mpit::created(histograms, first);
    const handles<unsigned long> again{tool.in, "sent", MPI_T_PVAR_CLASS_AGGREGATE, &first};
    again.start();
    oracle<unsigned long>{bounds_of("sent")}.check(again);
    mpit::freed(histograms, first);
    mpit::freed(histograms, second);
}
