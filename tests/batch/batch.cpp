// Batches: chosen variables are read into one structure, and have the values that handles of their own would have.
//     MPIT_MODEL_SEED=7 batch-batch     repeats the random sequence that a failure has named
#include "../session/modelled.hpp"
#include "../tool.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/mpi_t/constants.hpp>
#include <mpit/tool.hpp>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

namespace {

using mpit::performance_class;
using mpit::result;
using mpit::tool::batch;

unsigned long computed_calls = 0;
struct batch_variables : mpit::category<"batched", "Variables that are read together"> {
    mpit::counter<> messages{this, "messages_sent", "Messages"};
    mpit::counter<unsigned> narrow{this, "narrow", "Messages"};
    mpit::counter<unsigned long[3]> each{this, "each", "Messages of three kinds"};
    mpit::counter<> always{this, "always", "Messages", {.continuous = true}};
    mpit::aggregate<double> energy{this, "energy", "Energy"};
    mpit::timer waiting{this, "waiting", "Time"};
    mpit::level<> queued{this, "queued", "A level"};
    mpit::high_watermark<> deepest{this, "queued", "The highest level", {.of = &queued}};
    mpit::state<colour> state{this, "state", "A state", {.initial = colour::red}};
    mpit::generic<int> signed_number{this, "signed", "A number"};
    mpit::computed<performance_class::generic, char[8]> text{
        this, "text", "A text", {.value = [](char (&to)[8]) { to[0] = 'x'; }}};
    mpit::counter<unsigned long, communicator> calls{this, "calls", "Of a communicator"};
    mpit::high_watermark<unsigned long, communicator> most{this, "calls", "Of a communicator"};
    mpit::counter<> parts{this, "parts_sent", "Parts"};
    mpit::aggregate<> bytes{this, "bytes_sent", "Bytes"};
};
constexpr auto& batched = mpit::registered<batch_variables>;

communicator comm(std::uintptr_t n) { return handle_number<communicator>(0x2000 + n); }

} // namespace

TEST_CASE("A batch fills fields of structures in structures, enumerations and their numbers, and texts") {
    struct inner {
        double energy, waiting;
    };
    struct sample {
        unsigned long messages;
        inner inside;
        colour state;
        int state_number;
        char text[8];
    };
    batch<sample> b;
    using enum performance_class;
    REQUIRE(b.add({{&sample::messages, "messages_sent", counter},
                   {&sample::inside, &inner::energy, "energy", aggregate},
                   {&sample::inside, &inner::waiting, "waiting", timer},
                   {&sample::state, "state", performance_class::state},
                   {&sample::state_number, "state", performance_class::state},
                   {&sample::text, "text", generic}}) == result::success);
    batched.messages += 1000;
    batched.energy += 1000;
    REQUIRE(b.start() == result::success);
    batched.messages += 5;
    batched.energy += 0.75;
    batched.waiting.add(2'500'000'000);
    batched.state = colour::blue;
    sample now{};
    REQUIRE(b.read(now) == result::success);
    CHECK(now.messages == 5);
    CHECK(now.inside.energy == 0.75);
    CHECK(now.inside.waiting == 2.5);
    CHECK(now.state == colour::blue);
    CHECK(now.state_number == 7);
    CHECK(std::string{now.text} == "x");
}

TEST_CASE("Each reason why a variable cannot be added has a result of its own, and nothing is added") {
    struct sample {
        unsigned long messages;
        unsigned narrow;
        long number;
        double waiting;
        unsigned long two[2];
        colour state;
        lamp other_state;
        char text[8], long_text[9];
        unsigned long calls;
    };
    batch<sample> b;
    using enum performance_class;
    CHECK(b.add(&sample::messages, "no_such_name", counter) == result::invalid_name);
    CHECK(b.add(&sample::messages, "", counter) == result::invalid_name);
    CHECK(b.add(&sample::messages, nullptr, counter) == result::invalid_name);
    CHECK(b.add(&sample::messages, "messages_sent", aggregate) == result::invalid_name);
    CHECK(b.add(&sample::narrow, "messages_sent", counter) == result::wrong_type);
    CHECK(b.add(&sample::number, "messages_sent", counter) == result::wrong_type);
    CHECK(b.add(&sample::waiting, "messages_sent", counter) == result::wrong_type);
    CHECK(b.add(&sample::messages, "waiting", timer) == result::wrong_type);
    CHECK(b.add(&sample::messages, "narrow", counter) == result::wrong_type);
    CHECK(b.add(&sample::other_state, "state", performance_class::state) == result::wrong_type);
    CHECK(b.add(&sample::state, "signed", generic) == result::wrong_type);
    CHECK(b.add(&sample::two, "messages_sent", counter) == result::wrong_count);
    CHECK(b.add(&sample::messages, "each", counter) == result::wrong_count);
    CHECK(b.add(&sample::two, "each", counter) == result::wrong_count);
    CHECK(b.add(&sample::long_text, "text", generic) == result::wrong_count);
    CHECK(b.add(&sample::two, 2, "messages_sent", counter) == result::wrong_count);
    CHECK(b.add(&sample::calls, "calls", counter) == result::invalid_handle);
    communicator unused = comm(99);
    mpit::created(batched, unused);
    mpit::freed(batched, unused);
    CHECK(b.add(&sample::calls, "calls", counter, unused) == result::invalid_handle);

    sample now;
    std::memset(&now, 0x5a, sizeof now);
    const sample untouched = now;
    CHECK(b.start() == result::success);
    CHECK(b.read(now) == result::success);
    CHECK(std::memcmp(&now, &untouched, sizeof now) == 0);

    CHECK(b.add(&sample::two, 1, "messages_sent", counter) == result::success);
    CHECK(b.add(&sample::two, 1, "always", counter) == result::field_in_use);
    CHECK(b.add(&sample::two, 0, "messages_sent", counter) == result::success);
    CHECK(b.add(&sample::text, "text", generic) == result::success);
    for (int i = 0; i <= static_cast<int>(result::field_in_use); i++)
        CHECK(std::string{mpit::tool::to_string(static_cast<result>(i))}.size() > 3);
}

TEST_CASE("All valid variables of a list are added, and the others are reported with the reason") {
    struct sample {
        unsigned long messages, always, narrow;
    };
    batch<sample> b;
    std::string told;
    const result added = b.add(
        {{&sample::narrow, "narrow", performance_class::counter},
         {&sample::messages, "messages_sent", performance_class::counter},
         {&sample::always, "always", performance_class::timer}},
        [&](const char* name, result why) { told += std::string{name} + ": " + mpit::tool::to_string(why) + ". "; });
    CHECK(added == result::wrong_type);
    CHECK(told == "narrow: the variable has another type. always: there is no item of this kind and name. ");
    REQUIRE(b.start() == result::success);
    ++batched.messages;
    sample now{7, 7, 7};
    CHECK(b.read(now) == result::success);
    CHECK(now.messages == 1);
    CHECK(now.narrow == 7);
}

TEST_CASE("The field of a freed object is unchanged, and accepts a variable again, which changes no other value") {
    struct sample {
        unsigned long calls[4];
    };
    using enum performance_class;
    communicator objects[4];
    batch<sample> b;
    for (std::size_t i = 0; i < 4; i++) {
        objects[i] = comm(10 + i);
        mpit::created(batched, objects[i]);
        REQUIRE(b.add(&sample::calls, i, "calls", i % 2 == 0 ? counter : high_watermark, objects[i]) ==
                result::success);
    }
    REQUIRE(b.start() == result::success);
    for (std::size_t i = 0; i < 4; i++) {
        batched.calls[objects[i]] += i + 1;
        batched.most[objects[i]] = i + 1;
    }
    sample now{};
    for (std::size_t gone = 0; gone < 4; gone++) {
        mpit::freed(batched, objects[gone]);
        CHECK(b.read(now) == result::invalid_handle);
        CHECK(b.stop() == result::invalid_handle);
        CHECK(b.start() == result::invalid_handle);
        mpit::created(batched, objects[gone]); // it is another object
        CHECK(b.read(now) == result::invalid_handle);
        CHECK(now.calls[gone] == (gone == 0 ? 0 : gone + 1));
        communicator other = comm(20 + gone);
        mpit::created(batched, other);
        REQUIRE(b.add(&sample::calls, gone, "calls", counter, other) == result::success);
        REQUIRE(b.read(now) == result::success);
        for (std::size_t i = 0; i < 4; i++) CHECK(now.calls[i] == (i <= gone ? 0 : i + 1));
    }
}

TEST_CASE("A batch reads a run-time variable of n elements that are computed at once in n steps, and it is watched "
          "from its start to its stop or the end of the batch") {
    constexpr std::uint32_t elements = 200;
    struct sample {
        unsigned long calls[elements];
    };
    using enum performance_class;
    static std::uint32_t calls = 0, computed = 0;
    static unsigned long count = 3;
    static int watching = 0;
    mpit::dynamic group{"batch_of_many"};
    REQUIRE(group.computed<counter, unsigned long>(
                "calls_of_many", "",
                {.values = [](std::uint64_t, std::uint32_t first, std::uint32_t number, unsigned long* to, void*) {
        calls++;
        computed += number;
        for (std::uint32_t i = 0; i < number; i++) to[i] = count * (first + i);
    }, .on_watch = [](int change, void*) { watching += change; }, .count = elements}) == result::success);
    REQUIRE(group.publish().code == result::success);
    {
        batch<sample> b;
        sample now{};
        REQUIRE(b.add(&sample::calls, "calls_of_many", counter) == result::success);
        const auto expect_steps = [] {
            CHECK((calls == 2 && computed == elements));
            calls = computed = 0;
        };
        calls = computed = 0;
        CHECK(watching == 0);
        REQUIRE(b.start() == result::success);
        expect_steps();
        CHECK(watching == 1);
        count = 5;
        REQUIRE(b.read(now) == result::success);
        expect_steps();
        CHECK((now.calls[0] == 0 && now.calls[1] == 2 && now.calls[199] == 398));
        REQUIRE(b.stop() == result::success);
        expect_steps();
        CHECK(watching == 0);
        REQUIRE(b.start() == result::success);
        CHECK(watching == 1);
    }
    CHECK(watching == 0);
}

TEST_CASE("A field for a run-time variable of an object has as many elements as the object has") {
    struct sample {
        unsigned long one, three[3];
    };
    using enum performance_class;
    mpit::dynamic group{"batch_of_objects"};
    REQUIRE(group.computed<counter, unsigned long>(
                "calls_of_members", "",
                {.values = [](std::uint64_t, std::uint32_t first, std::uint32_t number, unsigned long* to, void*) {
        for (std::uint32_t i = 0; i < number; i++) to[i] = computed_calls + first + i;
    }, .bound = {.kind = mpit::binding::communicator, .handle_size = 8, .elements = [](std::uint64_t, void*) {
        return std::uint32_t{3};
    }}}) == result::success);
    REQUIRE(group.publish().code == result::success);
    batch<sample> b;
    const communicator object = comm(40);
    CHECK(b.add(&sample::one, "calls_of_members", counter, object) == result::wrong_count);
    REQUIRE(b.add(&sample::three, "calls_of_members", counter, object) == result::success);
    REQUIRE(b.start() == result::success);
    computed_calls += 5;
    sample now{};
    REQUIRE(b.read(now) == result::success);
    CHECK((now.three[0] == 5 && now.three[1] == 5 && now.three[2] == 5));
}

TEST_CASE("A batch that another thread resets after each ten counts never has more than ten") {
    struct sample {
        unsigned long messages, bytes;
        double energy;
    };
    using enum performance_class;
    batch<sample> b;
    REQUIRE(b.add({{&sample::messages, "messages_sent", counter},
                   {&sample::bytes, "bytes_sent", aggregate},
                   {&sample::energy, "energy", aggregate}}) == result::success);
    REQUIRE(b.start() == result::success);
    std::atomic<bool> is_over{false};
    std::thread counting{[&] {
        for (int round = 0; round < 100'000; round++) {
            for (int i = 0; i < 10; i++) {
                ++batched.messages;
                batched.energy += 1.0;
                ++batched.parts;
                batched.bytes += 1;
            }
            static_cast<void>(b.reset());
        }
        is_over.store(true);
    }};
    int wrong = 0;
    while (!is_over.load()) {
        sample now{};
        const result answer = b.read(now);
        wrong += answer != result::success;
        wrong += now.messages > 10 || now.bytes > 10 || now.energy < 0 || now.energy > 10;
    }
    counting.join();
    CHECK(wrong == 0);
}

TEST_CASE("Without memory nothing is added, and everything else needs none") {
    struct sample {
        unsigned long messages, deepest;
    };
    using enum performance_class;
    struct memory_limit {
        explicit memory_limit(int left) { mpit::core::allocations_left.store(left); }
        ~memory_limit() { mpit::core::allocations_left.store(-1); }
    };
    sample now{};
    {
        batch<sample> none;
        const memory_limit limit{0};
        CHECK(none.add(&sample::messages, "messages_sent", counter) == result::out_of_memory);
        CHECK(none.start() == result::success);
        CHECK(none.read(now) == result::success);
    }
    const std::size_t before = mpit::core::bytes_in_use();
    {
        batch<sample> b;
        REQUIRE(b.add(&sample::messages, "messages_sent", counter) == result::success);
        REQUIRE(b.add(&sample::deepest, "queued", high_watermark) == result::success);
        const memory_limit limit{0};
        CHECK(b.start() == result::success);
        ++batched.messages;
        CHECK(b.read(now) == result::success);
        CHECK(now.messages == 1);
        CHECK(b.reset() == result::success);
        CHECK(b.stop() == result::success);
    }
    CHECK(mpit::core::bytes_in_use() == before);
}

TEST_CASE("A batch that ends releases its watermarks") {
    struct sample {
        unsigned long deepest;
    };
    const auto watch = [] {
        batch<sample> b;
        REQUIRE(b.add(&sample::deepest, "queued", performance_class::high_watermark) == result::success);
        REQUIRE(b.start() == result::success);
    };
    watch();
    const std::size_t before = mpit::core::bytes_in_use();
    for (int i = 0; i < 10'000; i++) watch();
    CHECK(mpit::core::bytes_in_use() == before);
}

namespace {

struct modelled_sample {
    unsigned long long counter, continuous, readonly, watched, not_atomic, nanoseconds, always_low;
    unsigned narrow, levels[2], own_low, of_sum, bound_level;
    unsigned long counters[3], level, size, highest, lowest, high_pair[2], of_level, bound_counter, bound_high;
    double amount, timer, real_level, percentage, full, own_high, real_generic, bound_amount, bound_low;
    colour state, open_state, of_state, of_colour, bound_state;
    mpit::count generic;
    mpit::exact<std::int32_t> small_generic;
    mpit::exact<std::int64_t> bound_generic;
    char text[8];
};
using choice = mpit::tool::choice<modelled_sample>;

communicator object = handle_number<communicator>(0x4000);
std::vector<choice> all_choices() {
    using enum performance_class;
    using m = modelled_sample;
    // clang-format off
    return {
        {&m::counter, "m_counter", counter}, {&m::narrow, "m_narrow", counter}, {&m::counters, "m_counters", counter},
        {&m::continuous, "m_continuous", counter}, {&m::readonly, "m_readonly", counter},
        {&m::watched, "m_watched", counter}, {&m::not_atomic, "m_not_atomic", counter},
        {&m::amount, "m_amount", aggregate}, {&m::timer, "m_timer", timer}, {&m::nanoseconds, "m_nanoseconds", timer},
        {&m::level, "m_level", level}, {&m::real_level, "m_real_level", level}, {&m::levels, "m_levels", level},
        {&m::size, "m_size", size}, {&m::percentage, "m_percentage", percentage}, {&m::full, "m_full", percentage},
        {&m::highest, "m_level", high_watermark}, {&m::lowest, "m_level", low_watermark},
        {&m::own_high, "m_own_high", high_watermark}, {&m::own_low, "m_own_low", low_watermark},
        {&m::high_pair, "m_high_pair", high_watermark}, {&m::always_low, "m_always_low", low_watermark},
        {&m::state, "m_state", state}, {&m::open_state, "m_open_state", state}, {&m::generic, "m_generic", generic},
        {&m::small_generic, "m_small_generic", generic}, {&m::real_generic, "m_real_generic", generic},
        {&m::of_level, "m_computed_level", level}, {&m::of_sum, "m_computed_sum", counter},
        {&m::of_state, "m_computed_state", state}, {&m::of_colour, "m_computed_colour", generic},
        {&m::text, "m_text", generic}, {&m::bound_counter, "m_bound_counter", counter, object},
        {&m::bound_amount, "m_bound_amount", aggregate, object}, {&m::bound_level, "m_bound_level", level, object},
        {&m::bound_high, "m_bound_high", high_watermark, object},
        {&m::bound_low, "m_bound_low", low_watermark, object}, {&m::bound_state, "m_bound_state", state, object},
        {&m::bound_generic, "m_bound_generic", generic, object}};
    // clang-format on
}

using random_source = std::mt19937_64;
int up_to(random_source& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

// One change of the library.
void change(random_source& random) {
    const int n = up_to(random, 12);
    const double quarters = n * 0.25;
    const colour any = std::vector<colour>{colour::red, colour::green, colour::blue}[static_cast<std::size_t>(n) % 3];
    auto& v = modelled;
    // clang-format off
    const std::vector<std::function<void()>> changes{
        [&] { v.counter += n; }, [&] { v.narrow += static_cast<unsigned>(n) * 0x2000'0000u; },
        [&] { v.counters[static_cast<std::size_t>(n) % 3] += n; }, [&] { v.continuous += n; },
        [&] { v.readonly += n; }, [&] { v.watched += n; }, [&] { v.not_atomic += n; }, [&] { v.amount += quarters; },
        [&] { v.timer.add(static_cast<std::uint64_t>(n) * 250'000'000); },
        [&] { v.nanoseconds.add(static_cast<std::uint64_t>(n)); }, [&] { v.level = static_cast<unsigned long>(n); },
        [&] { v.real_level = quarters - 1; },
        [&] { v.levels[static_cast<std::size_t>(n) % 2] = static_cast<unsigned>(n); },
        [&] { v.size = static_cast<unsigned long>(n); }, [&] { v.percentage = quarters - 0.5; },
        [&] { v.full = quarters - 0.5; }, [&] { v.own_high = quarters; },
        [&] { v.own_low = static_cast<unsigned>(n); },
        [&] { v.high_pair[static_cast<std::size_t>(n) % 2] = static_cast<unsigned long>(n); },
        [&] { v.always_low = static_cast<unsigned long long>(n); }, [&] { v.state = any; },
        [&] { v.open_state = any; }, [&] { v.generic += n - 6; }, [&] { v.small_generic += n - 6; },
        [&] { v.real_generic += quarters - 1; }, [&] { computed_level = n; }, [&] { computed_sum += n; },
        [&] { computed_state = any; }, [&] { computed_colour = any; }, [&] { v.bound_counter[object] += n; },
        [&] { v.bound_amount[object] += quarters; }, [&] { v.bound_level[object] = static_cast<unsigned>(n); },
        [&] { v.bound_high[object] = static_cast<unsigned long>(n); }, [&] { v.bound_low[object] = quarters; },
        [&] { v.bound_state[object] = any; }, [&] { v.bound_generic[object] += n - 6; }};
    // clang-format on
    changes[random() % changes.size()]();
}

// A batch, and a session with the same variables.
struct both_ways {
    mpit::tool::batch<modelled_sample> batch;
    session in;
    struct single {
        choice of;
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    };
    std::vector<single> singles;
    modelled_sample now;

    explicit both_ways(random_source& random) {
        std::memset(static_cast<void*>(&now), 0x5a, sizeof now);
        for (const choice& each : all_choices())
            if (up_to(random, 4) != 0) add(each);
    }
    both_ways(const both_ways&) = delete;
    void add(const choice& of) {
        INFO(of.request.name);
        REQUIRE(batch.add(of) == result::success);
        const int var_class = mpit::mpi_t::class_constants[static_cast<int>(of.request.variable_class)];
        single& made = singles.emplace_back(single{of});
        int count = -1;
        REQUIRE(MPI_T_pvar_handle_alloc(in.handle, pvar_index(of.request.name, var_class),
                                        const_cast<void*>(of.bound_to.address()), &made.handle, &count) == MPI_SUCCESS);
    }
    bool is_added(const choice& of) const {
        for (const single& each : singles)
            if (each.of.request.offset == of.request.offset) return true;
        return false;
    }
    void step(random_source& random, bool object_is_there) {
        switch (up_to(random, 5)) {
        case 0:
            static_cast<void>(batch.start());
            MPI_T_pvar_start(in.handle, MPI_T_PVAR_ALL_HANDLES);
            break;
        case 1:
            static_cast<void>(batch.stop());
            MPI_T_pvar_stop(in.handle, MPI_T_PVAR_ALL_HANDLES);
            break;
        case 2:
            static_cast<void>(batch.reset());
            MPI_T_pvar_reset(in.handle, MPI_T_PVAR_ALL_HANDLES);
            break;
        default:
            if (up_to(random, 10) != 0) break;
            for (const choice& each : all_choices())
                if (!is_added(each) && (!each.bound_to.is_there() || object_is_there)) return add(each);
        }
    }
    // The first disagreement, in words.
    std::string compare() {
        const modelled_sample before = now;
        const result answer = batch.read(now);
        bool is_gone = false;
        for (const single& each : singles) {
            char value[64];
            std::memset(value, 0x5a, sizeof value);
            const auto& of = each.of.request;
            const std::size_t bytes = of.count * mpit::core::size_of(of.type);
            const char* field = reinterpret_cast<const char*>(&now) + of.offset;
            const int read = MPI_T_pvar_read(in.handle, each.handle, value);
            is_gone = is_gone || read == MPI_T_ERR_INVALID_HANDLE;
            const char* wanted = read == MPI_SUCCESS ? value : reinterpret_cast<const char*>(&before) + of.offset;
            if (std::memcmp(field, wanted, bytes) == 0) continue;
            std::ostringstream said;
            said << of.name << " of class " << static_cast<int>(of.variable_class)
                 << " is another value in the batch, the call answers " << read << ", the bytes are";
            for (std::size_t i = 0; i < bytes; i++)
                said << " " << static_cast<int>(field[i]) << "/" << static_cast<int>(wanted[i]);
            return said.str();
        }
        const bool is_right = answer == (is_gone ? result::invalid_handle : result::success);
        return is_right ? "" : std::string{"the batch answers that "} + mpit::tool::to_string(answer);
    }
};

} // namespace

TEST_CASE("A batch always has the values of handles of a session") {
    initialized tools;
    const char* chosen = std::getenv("MPIT_MODEL_SEED");
    const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
    const std::uint64_t sequences = chosen != nullptr ? 1 : std::getenv("MPIT_LONG_TESTS") != nullptr ? 20'000 : 200;
    for (std::uint64_t seed = first; seed < first + sequences; seed++) {
        random_source random{seed};
        mpit::created(modelled, object);
        bool object_is_there = true;
        both_ways one{random}, other{random};
        for (int step = 0; step < 60; step++) {
            for (int i = up_to(random, 8); i > 0; i--) change(random);
            // Any change makes the object known again.
            one.step(random, object_is_there);
            other.step(random, object_is_there);
            if (up_to(random, 50) == 0) {
                mpit::freed(modelled, object);
                mpit::created(modelled, object);
            }
            const std::string said = one.compare() + other.compare();
            if (said.empty()) continue;
            FAIL("MPIT_MODEL_SEED=" << seed << ", step " << step << ": " << said);
        }
        mpit::freed(modelled, object);
    }
}
