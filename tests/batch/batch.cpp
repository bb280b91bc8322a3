// Batches: chosen variables are read into one structure, and have the values that handles of their own would have.
#include "tool.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/tool.hpp>

#include <atomic>
#include <memory>
#include <thread>

namespace {

using mpit::performance_class;
using mpit::result;
using mpit::tool::batch;

double computed_number = 0;
unsigned long computed_calls = 0;
struct batch_variables : mpit::category<"batched", "Variables that are read together"> {
    mpit::counter<> messages{this, "messages_sent", "Messages"};
    mpit::counter<unsigned> narrow{this, "narrow", "Messages"};
    mpit::counter<unsigned long[3]> each{this, "each", "Messages of three kinds"};
    mpit::counter<> always{this, "always", "Messages", {.continuous = true}};
    mpit::counter<> readonly{this, "readonly", "Messages", {.readonly = true}};
    mpit::aggregate<double> energy{this, "energy", "Energy"};
    mpit::timer waiting{this, "waiting", "Time"};
    mpit::timer_of<unsigned long> nanoseconds{this, "waiting_exactly", "Time, in nanoseconds"};
    mpit::level<> queued{this, "queued", "A level"};
    mpit::level<double> load{this, "load", "A level"};
    mpit::percentage<> part{this, "part", "A part"};
    mpit::size<unsigned> size{this, "size", "A size"};
    mpit::high_watermark<> deepest{this, "queued", "The highest level", {.of = &queued}};
    mpit::low_watermark<unsigned long[2]> lowest{this, "lowest", "The lowest levels", {.initial = 9}};
    mpit::state<colour> state{this, "state", "A state", {.initial = colour::red}};
    mpit::generic<mpit::count> balance{this, "balance", "A number", {.initial = -4}};
    mpit::generic<int> signed_number{this, "signed", "A number"};
    mpit::computed<performance_class::level, double> computed{
        this, "computed", "A number", {.value = [] { return computed_number; }}};
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

TEST_CASE("A batch fills a field of its own for a variable of each class and type") {
    struct inner {
        double energy, waiting;
    };
    struct sample {
        unsigned long messages, nanoseconds, queued, deepest;
        unsigned narrow, size;
        unsigned long each[3], lowest[2];
        inner inside;
        double load, part, computed;
        colour state;
        int state_number, signed_number;
        mpit::count balance;
        char text[8];
        unsigned long parts, bytes;
    };
    batch<sample> b;
    using enum performance_class;
    const result added = b.add({
        {&sample::messages, counter, "messages_sent"},
        {&sample::narrow, counter, "narrow"},
        {&sample::each, counter, "each"},
        {&sample::inside, &inner::energy, aggregate, "energy"},
        {&sample::inside, &inner::waiting, timer, "waiting"},
        {&sample::nanoseconds, timer, "waiting_exactly"},
        {&sample::queued, level, "queued"},
        {&sample::load, level, "load"},
        {&sample::part, percentage, "part"},
        {&sample::size, performance_class::size, "size"},
        {&sample::deepest, high_watermark, "queued"},
        {&sample::lowest, low_watermark, "lowest"},
        {&sample::state, performance_class::state, "state"},
        {&sample::state_number, performance_class::state, "state"},
        {&sample::balance, generic, "balance"},
        {&sample::signed_number, generic, "signed"},
        {&sample::computed, level, "computed"},
        {&sample::text, generic, "text"},
        {&sample::parts, counter, "parts_sent"},
        {&sample::bytes, aggregate, "bytes_sent"},
    });
    REQUIRE(added == result::success);
    batched.messages += 1000;
    batched.energy += 1000;
    ++batched.parts;
    batched.bytes += 1000;
    REQUIRE(b.start() == result::success);

    batched.messages += 5;
    batched.narrow += 6u;
    batched.each[0] += 1;
    batched.each[2] += 3;
    batched.energy += 0.75;
    batched.waiting.add(2'500'000'000);
    batched.nanoseconds.add(77);
    batched.queued = 8;
    batched.queued -= 3;
    batched.load = -2.0;
    batched.part = 1.5;
    batched.size = 12u;
    batched.lowest[0] = 4;
    batched.lowest[1] = 40;
    batched.state = colour::blue;
    batched.balance += -6;
    batched.signed_number = -1;
    computed_number = 2.5;
    ++batched.parts;
    batched.bytes += 30;
    ++batched.parts;
    batched.bytes += 40;
    sample now{};
    REQUIRE(b.read(now) == result::success);
    CHECK(now.messages == 5);
    CHECK(now.narrow == 6);
    CHECK(now.each[0] == 1);
    CHECK(now.each[1] == 0);
    CHECK(now.each[2] == 3);
    CHECK(now.inside.energy == 0.75);
    CHECK(now.inside.waiting == 2.5);
    CHECK(now.nanoseconds == 77);
    CHECK(now.queued == 5);
    CHECK(now.deepest == 8);
    CHECK(now.load == 0);
    CHECK(now.part == 1);
    CHECK(now.size == 12);
    CHECK(now.lowest[0] == 4);
    CHECK(now.lowest[1] == 9);
    CHECK(now.state == colour::blue);
    CHECK(now.state_number == 7);
    CHECK(now.balance == -10);
    CHECK(now.signed_number == -1);
    CHECK(now.computed == 2.5);
    CHECK(std::string{now.text} == "x");
    CHECK(now.parts == 2);
    CHECK(now.bytes == 70);
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
    CHECK(b.add(&sample::messages, counter, "no_such_name") == result::invalid_name);
    CHECK(b.add(&sample::messages, counter, "") == result::invalid_name);
    CHECK(b.add(&sample::messages, counter, nullptr) == result::invalid_name);
    CHECK(b.add(&sample::messages, aggregate, "messages_sent") == result::invalid_name);
    CHECK(b.add(&sample::narrow, counter, "messages_sent") == result::wrong_type);
    CHECK(b.add(&sample::number, counter, "messages_sent") == result::wrong_type);
    CHECK(b.add(&sample::waiting, counter, "messages_sent") == result::wrong_type);
    CHECK(b.add(&sample::messages, timer, "waiting") == result::wrong_type);
    CHECK(b.add(&sample::messages, counter, "narrow") == result::wrong_type);
    CHECK(b.add(&sample::other_state, performance_class::state, "state") == result::wrong_type);
    CHECK(b.add(&sample::state, generic, "signed") == result::wrong_type);
    CHECK(b.add(&sample::two, counter, "messages_sent") == result::wrong_count);
    CHECK(b.add(&sample::messages, counter, "each") == result::wrong_count);
    CHECK(b.add(&sample::two, counter, "each") == result::wrong_count);
    CHECK(b.add(&sample::long_text, generic, "text") == result::wrong_count);
    CHECK(b.add(&sample::two, 2, counter, "messages_sent") == result::wrong_count);
    CHECK(b.add(&sample::calls, counter, "calls") == result::invalid_handle);
    communicator unused = comm(99);
    mpit::created(batched, unused);
    mpit::freed(batched, unused);
    CHECK(b.add(&sample::calls, counter, "calls", &unused) == result::invalid_handle);

    sample now;
    std::memset(&now, 0x5a, sizeof now);
    const sample untouched = now;
    CHECK(b.start() == result::success);
    CHECK(b.read(now) == result::success);
    CHECK(std::memcmp(&now, &untouched, sizeof now) == 0);

    CHECK(b.add(&sample::two, 1, counter, "messages_sent") == result::success);
    CHECK(b.add(&sample::two, 1, counter, "always") == result::field_in_use);
    CHECK(b.add(&sample::two, 0, counter, "messages_sent") == result::success);
    CHECK(b.add(&sample::text, generic, "text") == result::success);
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
        {{&sample::narrow, performance_class::counter, "narrow"},
         {&sample::messages, performance_class::counter, "messages_sent"},
         {&sample::always, performance_class::timer, "always"}},
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

TEST_CASE(
    "A batch counts while it is started, keeps what it has while it is stopped, and begins anew when it is reset") {
    struct sample {
        unsigned long messages, always, readonly, deepest;
        double waiting;
    };
    using enum performance_class;
    batched.queued = 0;
    batch<sample> b;
    REQUIRE(b.add({{&sample::messages, counter, "messages_sent"},
                   {&sample::always, counter, "always"},
                   {&sample::readonly, counter, "readonly"},
                   {&sample::deepest, high_watermark, "queued"},
                   {&sample::waiting, timer, "waiting"}}) == result::success);
    const auto change = [] {
        ++batched.messages;
        ++batched.always;
        ++batched.readonly;
        ++batched.queued;
        batched.waiting.add(1'000'000'000);
    };
    const auto read = [&] {
        sample now{};
        CHECK(b.read(now) == result::success);
        return now;
    };
    change();
    CHECK(read().messages == 0);
    CHECK(read().always == 1);
    REQUIRE(b.start() == result::success);
    change();
    REQUIRE(b.start() == result::success);
    CHECK(read().messages == 1);
    CHECK(read().always == 2);
    CHECK(read().waiting == 1);
    CHECK(read().deepest == 2);
    REQUIRE(b.stop() == result::success);
    change();
    CHECK(read().messages == 1);
    CHECK(read().always == 3);
    CHECK(read().deepest == 2);
    REQUIRE(b.start() == result::success);
    change();
    CHECK(read().messages == 2);
    CHECK(read().readonly == 2);
    REQUIRE(b.reset() == result::success);
    CHECK(read().messages == 0);
    CHECK(read().waiting == 0);
    CHECK(read().always == 0);
    CHECK(read().readonly == 2);
    change();
    CHECK(read().messages == 1);
    CHECK(read().always == 1);
    CHECK(read().deepest == 5);
}

TEST_CASE("Operations of one batch do not affect another batch or a session") {
    struct sample {
        unsigned long messages, deepest, bytes;
    };
    using enum performance_class;
    batched.queued = 0;
    initialized tools;
    session s;
    pvar messages{s, "messages_sent", MPI_T_PVAR_CLASS_COUNTER}, deepest{s, "queued", MPI_T_PVAR_CLASS_HIGHWATERMARK},
        bytes{s, "bytes_sent", MPI_T_PVAR_CLASS_AGGREGATE};
    batch<sample> first, second;
    for (batch<sample>* b : {&first, &second})
        REQUIRE(b->add({{&sample::messages, counter, "messages_sent"},
                        {&sample::deepest, high_watermark, "queued"},
                        {&sample::bytes, aggregate, "bytes_sent"}}) == result::success);
    REQUIRE(first.start() == result::success);
    for (const pvar* each : {&messages, &deepest, &bytes}) REQUIRE(each->start() == MPI_SUCCESS);
    batched.messages += 3;
    batched.queued = 6;
    batched.queued = 2;
    ++batched.parts;
    batched.bytes += 9;
    sample now{};
    REQUIRE(second.start() == result::success);
    REQUIRE(second.reset() == result::success);
    REQUIRE(second.read(now) == result::success);
    CHECK(now.messages == 0);
    CHECK(now.deepest == 2);
    CHECK(now.bytes == 0);
    REQUIRE(messages.reset() == MPI_SUCCESS);
    REQUIRE(deepest.reset() == MPI_SUCCESS);
    REQUIRE(first.read(now) == result::success);
    CHECK(now.messages == 3);
    CHECK(now.deepest == 6);
    CHECK(now.bytes == 9);
    REQUIRE(first.reset() == result::success);
    CHECK(bytes.read() == 9);
}

TEST_CASE("The field of a freed object is unchanged, and accepts a variable again") {
    struct sample {
        unsigned long calls, most, messages;
    };
    using enum performance_class;
    communicator object = comm(1);
    mpit::created(batched, object);
    batch<sample> b;
    REQUIRE(b.add({{&sample::calls, counter, "calls", &object},
                   {&sample::most, high_watermark, "calls", &object},
                   {&sample::messages, counter, "messages_sent"}}) == result::success);
    REQUIRE(b.start() == result::success);
    batched.calls[object] += 4;
    batched.most[object] = 5ul;
    batched.most[object] = 1ul;
    sample now{};
    REQUIRE(b.read(now) == result::success);
    CHECK(now.calls == 4);
    CHECK(now.most == 5);

    mpit::freed(batched, object);
    ++batched.messages;
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(now.calls == 4);
    CHECK(now.most == 5);
    CHECK(now.messages == 1);
    CHECK(b.stop() == result::invalid_handle);
    CHECK(b.start() == result::invalid_handle);

    mpit::created(batched, object);
    batched.calls[object] += 2;
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(now.calls == 4);
    CHECK(b.add(&sample::messages, counter, "messages_sent") == result::field_in_use);
    REQUIRE(b.add(&sample::calls, counter, "calls", &object) == result::success);
    REQUIRE(b.add(&sample::most, high_watermark, "calls", &object) == result::success);
    REQUIRE(b.start() == result::success);
    batched.calls[object] += 7;
    batched.most[object] = 3ul;
    REQUIRE(b.read(now) == result::success);
    CHECK(now.calls == 7);
    CHECK(now.most == 3);
    CHECK(now.messages == 1);
}

TEST_CASE("A variable that is added in place of a freed object's does not change the other values") {
    struct sample {
        unsigned long calls[4];
    };
    using enum performance_class;
    communicator objects[4];
    batch<sample> b;
    for (std::size_t i = 0; i < 4; i++) {
        objects[i] = comm(10 + i);
        mpit::created(batched, objects[i]);
        REQUIRE(b.add(&sample::calls, i, i % 2 == 0 ? counter : high_watermark, "calls", &objects[i]) ==
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
        communicator other = comm(20 + gone);
        mpit::created(batched, other);
        REQUIRE(b.add(&sample::calls, gone, counter, "calls", &other) == result::success);
        REQUIRE(b.read(now) == result::success);
        for (std::size_t i = 0; i < 4; i++) CHECK(now.calls[i] == (i <= gone ? 0 : i + 1));
    }
}

TEST_CASE("The fields of a run-time group are unchanged when it ends, and accept those of the next one") {
    struct sample {
        unsigned long retries, messages;
    };
    using enum performance_class;
    unsigned long retries = 5;
    batch<sample> b;
    REQUIRE(b.add(&sample::messages, counter, "messages_sent") == result::success);
    const auto described = [&] {
        auto group = std::make_unique<mpit::dynamic>("batch_group", "Described at run time");
        REQUIRE(group->computed<counter, unsigned long>("retries", "Retries", {.storage = &retries}) ==
                result::success);
        REQUIRE(group->publish().code == result::success);
        return group;
    };
    auto group = described();
    REQUIRE(b.add(&sample::retries, counter, "retries") == result::success);
    REQUIRE(b.start() == result::success);
    retries += 2;
    sample now{};
    REQUIRE(b.read(now) == result::success);
    CHECK(now.retries == 2);
    group.reset();
    retries++;
    ++batched.messages;
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(now.retries == 2);
    CHECK(now.messages == 1);
    CHECK(b.add(&sample::retries, counter, "retries") == result::invalid_index);
    group = described();
    CHECK(b.read(now) == result::invalid_handle);
    REQUIRE(b.add(&sample::retries, counter, "retries") == result::success);
    REQUIRE(b.start() == result::success);
    retries += 4;
    REQUIRE(b.read(now) == result::success);
    CHECK(now.retries == 4);
    CHECK(now.messages == 1);
}

TEST_CASE(
    "A run-time variable of a batch is watched from its start to its stop, and no longer than the batch is there") {
    struct sample {
        unsigned long calls;
    };
    using enum performance_class;
    int watching = 0;
    unsigned long calls = 3;
    static const unsigned long* read_from = &calls;
    mpit::dynamic group{"batch_watched"};
    REQUIRE(group.computed<counter, unsigned long>("watched_calls", "", {.value = [](void*) {
        return *read_from;
    }, .data = &watching, .on_watch = [](int change, void* data) {
        *static_cast<int*>(data) += change;
    }}) == result::success);
    REQUIRE(group.publish().code == result::success);
    {
        batch<sample> b;
        REQUIRE(b.add(&sample::calls, counter, "watched_calls") == result::success);
        CHECK(watching == 0);
        REQUIRE(b.start() == result::success);
        CHECK(watching == 1);
        REQUIRE(b.stop() == result::success);
        CHECK(watching == 0);
        REQUIRE(b.start() == result::success);
        CHECK(watching == 1);
    }
    CHECK(watching == 0);
}

TEST_CASE("A batch reads a run-time variable of n elements that are computed at once in n steps") {
    constexpr std::uint32_t elements = 200;
    struct sample {
        unsigned long calls[elements];
    };
    using enum performance_class;
    static std::uint32_t calls = 0, computed = 0;
    static unsigned long count = 3;
    mpit::dynamic group{"batch_of_many"};
    REQUIRE(group.computed<counter, unsigned long>(
                "calls_of_many", "",
                {.values = [](std::uint64_t, std::uint32_t first, std::uint32_t number, unsigned long* to, void*) {
        calls++;
        computed += number;
        for (std::uint32_t i = 0; i < number; i++) to[i] = count * (first + i);
    }, .count = elements}) == result::success);
    REQUIRE(group.publish().code == result::success);
    batch<sample> b;
    sample now{};
    REQUIRE(b.add(&sample::calls, counter, "calls_of_many") == result::success);
    const auto expect_steps = [] {
        CHECK((calls == 2 && computed == elements));
        calls = computed = 0;
    };
    calls = computed = 0;
    REQUIRE(b.start() == result::success);
    expect_steps();
    count = 5;
    REQUIRE(b.read(now) == result::success);
    expect_steps();
    CHECK((now.calls[0] == 0 && now.calls[1] == 2 && now.calls[199] == 398));
    REQUIRE(b.stop() == result::success);
    expect_steps();
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
    CHECK(b.add(&sample::one, counter, "calls_of_members", &object) == result::wrong_count);
    REQUIRE(b.add(&sample::three, counter, "calls_of_members", &object) == result::success);
    REQUIRE(b.start() == result::success);
    computed_calls += 5;
    sample now{};
    REQUIRE(b.read(now) == result::success);
    CHECK((now.three[0] == 5 && now.three[1] == 5 && now.three[2] == 5));
}

TEST_CASE("Sums are those of all threads, of few and of many") {
    struct sample {
        unsigned long messages, parts, bytes;
        double energy;
    };
    using enum performance_class;
    batch<sample> b;
    REQUIRE(b.add({{&sample::messages, counter, "messages_sent"},
                   {&sample::parts, counter, "parts_sent"},
                   {&sample::bytes, aggregate, "bytes_sent"},
                   {&sample::energy, aggregate, "energy"}}) == result::success);
    REQUIRE(b.start() == result::success);
    sample now{};
    unsigned long threads_so_far = 0;
    for (const int thread_count : {1, 3, 20}) {
        std::atomic<int> waiting{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < thread_count; i++)
            threads.emplace_back([&] {
                for (int n = 0; n < 100; n++) {
                    ++batched.messages;
                    batched.energy += 0.25;
                    ++batched.parts;
                    batched.bytes += 3;
                }
                waiting++;
                while (waiting < thread_count) std::this_thread::yield();
            });
        for (std::thread& each : threads) each.join();
        threads_so_far += static_cast<unsigned long>(thread_count);
        REQUIRE(b.read(now) == result::success);
        CHECK(now.messages == threads_so_far * 100);
        CHECK(now.energy == static_cast<double>(threads_so_far) * 25);
        CHECK(now.parts == threads_so_far * 100);
        CHECK(now.bytes == threads_so_far * 300);
    }
}

TEST_CASE("A batch that another thread resets after each ten counts never has more than ten") {
    struct sample {
        unsigned long messages, bytes;
        double energy;
    };
    using enum performance_class;
    batch<sample> b;
    REQUIRE(b.add({{&sample::messages, counter, "messages_sent"},
                   {&sample::bytes, aggregate, "bytes_sent"},
                   {&sample::energy, aggregate, "energy"}}) == result::success);
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
        CHECK(none.add(&sample::messages, counter, "messages_sent") == result::out_of_memory);
        CHECK(none.start() == result::success);
        CHECK(none.read(now) == result::success);
    }
    const std::size_t before = mpit::core::bytes_in_use();
    {
        batch<sample> b;
        REQUIRE(b.add(&sample::messages, counter, "messages_sent") == result::success);
        REQUIRE(b.add(&sample::deepest, high_watermark, "queued") == result::success);
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
        REQUIRE(b.add(&sample::deepest, performance_class::high_watermark, "queued") == result::success);
        REQUIRE(b.start() == result::success);
    };
    watch();
    const std::size_t before = mpit::core::bytes_in_use();
    for (int i = 0; i < 10'000; i++) watch();
    CHECK(mpit::core::bytes_in_use() == before);
}
