// The explorer itself: it counts interleavings right, and sees every kind of mistake that the other tests rely on. And
// the litmus tests of the memory models: each asks whether one outcome of a small program can be. The answers of the
// explorer under its three memories are printed as a table, beside what C++20 says.
#include "scenario.hpp"

#include <mpit/concurrency/fence.hpp>

#include <cstdio>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace {

using mpit::core::atomic;

// Fibers that have nothing to do with each other.
template <int Fibers, int Steps> struct apart {
    static constexpr int fibers = Fibers;
    atomic<int> own[static_cast<std::size_t>(Fibers)];
    void run(int fiber) {
        for (int i = 0; i < Steps; i++) own[fiber].fetch_add(1);
    }
    int at_end() { return own[0].load(); }
};

// Each stores to one word and looks at the other one, behind a fence.
template <bool HasHeavyOne> struct store_then_load {
    static constexpr int fibers = 2;
    atomic<int> words[2];
    int seen[2] = {};
    mpit::core::asymmetric_fence fences;
    store_then_load() { fences.register_process(); }
    void run(int fiber) {
        words[fiber].store(1);
        if (HasHeavyOne && fiber == 1) static_cast<void>(fences.heavy());
        else fences.light();
        seen[fiber] = words[1 - fiber].load();
    }
    int at_end() { return seen[0] * 2 + seen[1]; }
};
// One stores to two words, the other one looks at them in the opposite order.
struct message {
    static constexpr int fibers = 2;
    atomic<int> content, flag;
    int seen[2] = {};
    void run(int fiber) {
        if (fiber == 0) {
            content.store(1);
            flag.store(1);
        } else {
            seen[0] = flag.load();
            seen[1] = content.load();
        }
    }
    int at_end() { return seen[0] * 2 + seen[1]; }
};
// An addition in one instruction is not torn by the fiber's own steps, but by those of others.
template <bool Locked> struct adding {
    static constexpr int fibers = 2;
    atomic<std::uint64_t> sum;
    void run(int) {
        if (Locked) sum.fetch_add(1);
        else sum.add_as_owner(1);
    }
    int at_end() { return static_cast<int>(sum.load()); }
};
// Two locked exchanges of two words each.
struct pairs {
    static constexpr int fibers = 2;
    struct alignas(16) {
        atomic<std::uint64_t> low, high;
    } both;
    bool done[2] = {};
    void run(int fiber) {
        const auto n = static_cast<std::uint64_t>(fiber + 1);
        done[fiber] = mpit::core::dwcas(&both, 0, 0, n, n);
    }
    int at_end() {
        model::check(both.low.load() == both.high.load() && done[0] != done[1], "one of two is exchanged");
        return static_cast<int>(both.low.load());
    }
};

struct waiting {
    static constexpr int fibers = 2;
    atomic<int> flag;
    void run(int fiber) {
        if (fiber == 0) flag.store(1);
        else
            while (flag.load() == 0) {}
    }
    int at_end() { return 0; }
};
struct plain_after_flag {
    static constexpr int fibers = 2;
    atomic<int> flag;
    int content = 0;
    void run(int fiber) {
        if (fiber == 0) {
            flag.store(1);
            content = 1;
        } else if (flag.load() == 1) {
            model::check(content == 1, "the content is there");
        }
    }
    int at_end() { return 0; }
};
// The content is plain memory, which the flag publishes, and which its author writes again when the reader has
// answered.
template <int Publishing, int Looking, int Answering> struct plain_content {
    static constexpr int fibers = 2;
    atomic<int> flag, answer;
    int content = 0;
    void run(int fiber) {
        if (fiber == 0) {
            content = 1;
            flag.store(1, Publishing);
            if (answer.load() == 1) content = 2;
        } else if (flag.load(Looking) == 1) {
            model::check(content == 1, "the content is there");
            answer.store(1, Answering);
        }
    }
    int at_end() { return 0; }
};
// The same for an atomic object that is constructed in memory that the flag publishes.
template <int Publishing> struct constructed_object {
    static constexpr int fibers = 2;
    atomic<atomic<int>*> flag;
    alignas(atomic<int>) char room[sizeof(atomic<int>)] = {};
    void run(int fiber) {
        if (fiber == 0) flag.store(new (room) atomic<int>{1}, Publishing);
        else if (atomic<int>* made = flag.load()) model::check(made->load() == 1, "the object is there");
    }
    int at_end() { return 0; }
};
struct using_what_is_not_kept {
    static constexpr int fibers = 1;
    static inline atomic<int> elsewhere;
    void run(int) { elsewhere.load(); }
    int at_end() { return 0; }
};
struct using_what_was_given_back {
    static constexpr int fibers = 1;
    bool twice = false;
    void run(int) {
        void* memory = mmap(nullptr, 64, PROT_READ, MAP_PRIVATE, -1, 0);
        munmap(memory, 64);
        if (twice) munmap(memory, 64);
        else static_cast<atomic<int>*>(memory)->load();
    }
    int at_end() { return 0; }
};
struct giving_back_twice : using_what_was_given_back {
    giving_back_twice() { twice = true; }
};

struct crashing {
    static constexpr int fibers = 2;
    atomic<atomic<int>*> flag;
    void run(int fiber) {
        if (fiber == 0) flag.store(&flags[0]);
        else *reinterpret_cast<volatile char*>(flag.load());
    }
    int at_end() { return 0; }
    atomic<int> flags[1];
};

using outcomes = std::set<std::uint64_t>;
template <class Scenario> outcomes all_of(const char* name, model::memory_model memory) {
    const auto all = model::explore<Scenario>(name, {memory});
    CHECK(all.mistake == "");
    return all.outcomes;
}
template <class Scenario> std::string mistake_of(const char* name, const model::options& with = {}) {
    return model::explore<Scenario>(name, with).mistake;
}
bool begins(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

} // namespace

TEST_CASE("The interleavings of independent fibers are counted") {
    const auto two = model::explore<apart<2, 5>>("two apart");
    CHECK(two.interleavings == 252); // 10 over 5
    CHECK(two.states == 36);
    CHECK(two.ends == 1);
    CHECK(two.longest == 10);
    CHECK(two.longest_alone == 5);
    CHECK(model::explore<apart<3, 2>>("three apart").interleavings == 90); // 6! over 2! 2! 2!
}

TEST_CASE("A store may pass a later load behind free fences, and not where one of two fences is heavy") {
    for (const auto memory : {model::x86, model::cxx20}) {
        CHECK(all_of<store_then_load<false>>("store, free fence, load", memory) == outcomes{0, 1, 2, 3});
        CHECK(all_of<store_then_load<true>>("store, one fence for two, load", memory) == outcomes{1, 2, 3});
    }
}

TEST_CASE("Stores become visible in their order") {
    for (const auto memory : model::all_memories) CHECK(all_of<message>("a message", memory) == outcomes{0, 1, 3});
}

TEST_CASE("An addition that is not locked loses another fiber's, and a locked one does not") {
    CHECK(all_of<adding<true>>("locked additions", model::x86) == outcomes{2});
    CHECK(all_of<adding<false>>("additions of two owners", model::x86) == outcomes{1, 2});
    CHECK(all_of<adding<false>>("additions of two owners", model::sequentially_consistent) == outcomes{2});
}

TEST_CASE("Of two exchanges of a pair at once one succeeds") {
    for (const auto memory : model::all_memories) CHECK(all_of<pairs>("two pairs", memory) == outcomes{1, 2});
}

TEST_CASE("A thread that waits for another one is detected") {
    CHECK(begins(mistake_of<waiting>("waiting"), "the fibers go in a circle"));
    CHECK(mistake_of<waiting>("waiting, which is allowed", {model::x86, false, true}) == "");
}

TEST_CASE("A mistake is reported with the steps that lead to it") {
    const std::string mistake =
        mistake_of<plain_after_flag>("content after its flag", {model::sequentially_consistent, true});
    CHECK(begins(mistake, "not so: the content is there\n"));
    CHECK(mistake.find("fiber 0: stores 1 to scenario+0\n") != std::string::npos);
    CHECK(mistake.find("fiber 1: loads 1 from scenario+0\n") != std::string::npos);
}

TEST_CASE("A data race on plain memory is detected where its publication or its return has no order") {
    if (!model::finds_races()) return std::puts("skipped: data races of the model, which needs g++"), void();
    using mpit::core::acquire, mpit::core::relaxed, mpit::core::release;
    const model::options memory{model::cxx20};
    CHECK(mistake_of<plain_content<release, acquire, release>>("published and returned", memory) == "");
    for (const std::string& mistake :
         {mistake_of<plain_content<relaxed, acquire, release>>("published without an order", memory),
          mistake_of<plain_content<release, relaxed, release>>("found without an order", memory)})
        CHECK(begins(mistake, "a data race: fiber 1 reads"));
    CHECK(begins(mistake_of<plain_content<release, acquire, relaxed>>("returned without an order", memory),
                 "a data race: fiber 0 writes"));
    CHECK(mistake_of<constructed_object<release>>("an object is published", memory) == "");
    CHECK(begins(mistake_of<constructed_object<relaxed>>("an object is published without an order", memory),
                 "an atomic object is used while it is constructed"));
}

TEST_CASE("A mutant has a weaker order at the place that is named") {
    model::options mutant{model::cxx20};
    mutant.mutant = {"litmus.cpp", "run", model::operation::store, mpit::core::relaxed};
    CHECK(model::explore<message>("a message", {model::cxx20}).outcomes == outcomes{0, 1, 3});
    CHECK(model::explore<message>("a message of a mutant", mutant).outcomes == outcomes{0, 1, 2, 3});
}

TEST_CASE("The use of memory that the explorer does not track, or that was released or is not there, is detected") {
    CHECK(begins(mistake_of<using_what_is_not_kept>("a static object"), "a fiber uses memory that is not kept"));
    CHECK(begins(mistake_of<using_what_was_given_back>("given back"), "memory is used that was given back"));
    CHECK(begins(mistake_of<crashing>("a crash"), "fiber 1 crashes"));
    CHECK(begins(mistake_of<giving_back_twice>("given back twice"), "pages are given back that are not there"));
}

namespace {

constexpr int rlx = __ATOMIC_RELAXED, acq = __ATOMIC_ACQUIRE, rel = __ATOMIC_RELEASE, both = __ATOMIC_ACQ_REL,
              sc = __ATOMIC_SEQ_CST;
enum object { x, y, z, object_count };
enum class act { write, read, add, fence };

// What a fiber does: a value that it writes or adds, or one that it is asked to read.
struct instruction {
    act what;
    object of;
    int value;
    int order;
    int added = 0;
};
constexpr instruction W(object of, int value, int order) { return {act::write, of, value, order}; }
constexpr instruction R(object of, int expected, int order) { return {act::read, of, expected, order}; }
constexpr instruction A(object of, int expected, int n, int order) { return {act::add, of, expected, order, n}; }
constexpr instruction F(int order) { return {act::fence, x, 0, order}; }

using code = std::vector<instruction>;
struct litmus {
    const char* name;
    // Whether every read can find the asked value, and the objects the last ones, 0 or 1: under sequential consistency,
    // x86, C++20 as it is explored, and C++20 by its text.
    const char* answers;
    std::vector<code> fibers;
    std::vector<std::pair<object, int>> last{};
};

const litmus* now = nullptr;

template <int Fibers> struct program {
    static constexpr int fibers = Fibers;
    atomic<int> objects[object_count];
    bool as_asked[static_cast<std::size_t>(Fibers)];

    void run(int fiber) {
        bool is_as_asked = true;
        for (const instruction& i : now->fibers[static_cast<std::size_t>(fiber)]) {
            atomic<int>& of = objects[i.of];
            switch (i.what) {
            case act::write: of.store(i.value, i.order); break;
            case act::read: is_as_asked = (of.load(i.order) == i.value) && is_as_asked; break;
            case act::add: is_as_asked = (of.fetch_add(i.added, i.order) == i.value) && is_as_asked; break;
            case act::fence: model::make(model::operation::fence, 0, i.order, nullptr, 0, 0); break;
            }
        }
        as_asked[fiber] = is_as_asked;
    }
    int at_end() {
        bool all = true;
        for (const bool each : as_asked) all = all && each;
        for (const auto& [of, value] : now->last) all = all && objects[of].load() == value;
        return all;
    }
};

bool can_be(const litmus& test, model::memory_model memory) {
    now = &test;
    const auto all = test.fibers.size() == 2   ? model::explore<program<2>>(test.name, {memory})
                     : test.fibers.size() == 3 ? model::explore<program<3>>(test.name, {memory})
                                               : model::explore<program<4>>(test.name, {memory});
    CHECK(all.mistake == "");
    return all.outcomes.count(1) != 0;
}

// clang-format off
const std::vector<litmus> tests{
    // Store buffering.
    {"SB, release and acquire", "0111", {{W(x, 1, rel), R(y, 0, acq)}, {W(y, 1, rel), R(x, 0, acq)}}},
    {"SB, seq_cst", "0000", {{W(x, 1, sc), R(y, 0, sc)}, {W(y, 1, sc), R(x, 0, sc)}}},
    {"SB, seq_cst stores, acquire loads", "0011", {{W(x, 1, sc), R(y, 0, acq)}, {W(y, 1, sc), R(x, 0, acq)}}},
    {"SB, seq_cst additions, acquire loads", "0011", {{A(x, 0, 1, sc), R(y, 0, acq)}, {A(y, 0, 1, sc), R(x, 0, acq)}}},
    {"SB, seq_cst fences", "0000", {{W(x, 1, rlx), F(sc), R(y, 0, rlx)}, {W(y, 1, rlx), F(sc), R(x, 0, rlx)}}},
    {"SB, one seq_cst fence", "0111", {{W(x, 1, rlx), F(sc), R(y, 0, rlx)}, {W(y, 1, rlx), R(x, 0, rlx)}}},
    {"SB, acq_rel fences", "0111", {{W(x, 1, rlx), F(both), R(y, 0, rlx)}, {W(y, 1, rlx), F(both), R(x, 0, rlx)}}},
    {"SB, a fence and seq_cst accesses", "0000", {{W(x, 1, rlx), F(sc), R(y, 0, rlx)}, {W(y, 1, sc), R(x, 0, sc)}}},
    // Message passing.
    {"MP, relaxed", "0011", {{W(x, 1, rlx), W(y, 1, rlx)}, {R(y, 1, rlx), R(x, 0, rlx)}}},
    {"MP, release and acquire", "0000", {{W(x, 1, rlx), W(y, 1, rel)}, {R(y, 1, acq), R(x, 0, rlx)}}},
    {"MP, release and relaxed", "0011", {{W(x, 1, rlx), W(y, 1, rel)}, {R(y, 1, rlx), R(x, 0, rlx)}}},
    {"MP, relaxed and acquire", "0011", {{W(x, 1, rlx), W(y, 1, rlx)}, {R(y, 1, acq), R(x, 0, rlx)}}},
    {"MP, release and acquire fences", "0000",
     {{W(x, 1, rlx), F(rel), W(y, 1, rlx)}, {R(y, 1, rlx), F(acq), R(x, 0, rlx)}}},
    {"MP, a release fence and relaxed", "0011", {{W(x, 1, rlx), F(rel), W(y, 1, rlx)}, {R(y, 1, rlx), R(x, 0, rlx)}}},
    {"MP, the acquire fence too early", "0011",
     {{W(x, 1, rlx), F(rel), W(y, 1, rlx)}, {F(acq), R(y, 1, rlx), R(x, 0, rlx)}}},
    {"MP, release store and acquire fence", "0000",
     {{W(x, 1, rlx), W(y, 1, rel)}, {R(y, 1, rlx), F(acq), R(x, 0, rlx)}}},
    {"ISA2, release and acquire", "0000",
     {{W(x, 1, rlx), W(y, 1, rel)}, {R(y, 1, acq), W(z, 1, rel)}, {R(z, 1, acq), R(x, 0, rlx)}}},
    {"ISA2, a relaxed one amid", "0011",
     {{W(x, 1, rlx), W(y, 1, rel)}, {R(y, 1, rlx), W(z, 1, rel)}, {R(z, 1, acq), R(x, 0, rlx)}}},
    // Load buffering, which is not explored.
    {"LB, relaxed", "0001", {{R(x, 1, rlx), W(y, 1, rlx)}, {R(y, 1, rlx), W(x, 1, rlx)}}},
    {"LB, release and acquire", "0000", {{R(x, 1, acq), W(y, 1, rel)}, {R(y, 1, acq), W(x, 1, rel)}}},
    // Independent reads of independent writes.
    {"IRIW, release and acquire", "0011",
     {{W(x, 1, rel)}, {W(y, 1, rel)}, {R(x, 1, acq), R(y, 0, acq)}, {R(y, 1, acq), R(x, 0, acq)}}},
    {"IRIW, seq_cst", "0000", {{W(x, 1, sc)}, {W(y, 1, sc)}, {R(x, 1, sc), R(y, 0, sc)}, {R(y, 1, sc), R(x, 0, sc)}}},
    {"IRIW, release stores, seq_cst loads", "0000",
     {{W(x, 1, rel)}, {W(y, 1, rel)}, {R(x, 1, sc), R(y, 0, sc)}, {R(y, 1, sc), R(x, 0, sc)}}},
    {"IRIW, seq_cst fences", "0000",
     {{W(x, 1, rlx)}, {W(y, 1, rlx)}, {R(x, 1, rlx), F(sc), R(y, 0, rlx)}, {R(y, 1, rlx), F(sc), R(x, 0, rlx)}}},
    {"IRIW, acq_rel fences", "0011",
     {{W(x, 1, rlx)}, {W(y, 1, rlx)}, {R(x, 1, rlx), F(both), R(y, 0, rlx)}, {R(y, 1, rlx), F(both), R(x, 0, rlx)}}},
    // A write is read, and that is told.
    {"WRC, relaxed", "0011", {{W(x, 1, rlx)}, {R(x, 1, rlx), W(y, 1, rlx)}, {R(y, 1, rlx), R(x, 0, rlx)}}},
    {"WRC, release and acquire", "0000", {{W(x, 1, rlx)}, {R(x, 1, rlx), W(y, 1, rel)}, {R(y, 1, acq), R(x, 0, rlx)}}},
    {"RWC, acquire", "0111", {{W(x, 1, rel)}, {R(x, 1, acq), R(y, 0, acq)}, {W(y, 1, rel), R(x, 0, acq)}}},
    {"RWC, seq_cst fences", "0000",
     {{W(x, 1, rlx)}, {R(x, 1, rlx), F(sc), R(y, 0, rlx)}, {W(y, 1, rlx), F(sc), R(x, 0, rlx)}}},
    // The order of modifications.
    {"2+2W, release", "0011", {{W(x, 1, rel), W(y, 2, rel)}, {W(y, 1, rel), W(x, 2, rel)}}, {{x, 1}, {y, 1}}},
    {"2+2W, seq_cst", "0000", {{W(x, 1, sc), W(y, 2, sc)}, {W(y, 1, sc), W(x, 2, sc)}}, {{x, 1}, {y, 1}}},
    {"2+2W, seq_cst fences", "0000",
     {{W(x, 1, rlx), F(sc), W(y, 2, rlx)}, {W(y, 1, rlx), F(sc), W(x, 2, rlx)}}, {{x, 1}, {y, 1}}},
    {"R, release and acquire", "0111", {{W(x, 1, rel), W(y, 1, rel)}, {W(y, 2, rel), R(x, 0, acq)}}, {{y, 2}}},
    {"R, seq_cst fences", "0000", {{W(x, 1, rlx), F(sc), W(y, 1, rlx)}, {W(y, 2, rlx), F(sc), R(x, 0, rlx)}}, {{y, 2}}},
    {"S, relaxed", "0011", {{W(x, 2, rlx), W(y, 1, rlx)}, {R(y, 1, rlx), W(x, 1, rlx)}}, {{x, 2}}},
    {"S, release and acquire", "0000", {{W(x, 2, rlx), W(y, 1, rel)}, {R(y, 1, acq), W(x, 1, rlx)}}, {{x, 2}}},
    {"CoRR", "0000", {{W(x, 1, rlx)}, {R(x, 1, rlx), R(x, 0, rlx)}}},
    {"CoRR, two readers", "0000",
     {{W(x, 1, rlx)}, {W(x, 2, rlx)}, {R(x, 1, rlx), R(x, 2, rlx)}, {R(x, 2, rlx), R(x, 1, rlx)}}},
    {"CoWR", "0000", {{W(x, 1, rlx), R(x, 2, rlx)}, {W(x, 2, rlx)}}, {{x, 1}}},
    {"CoRW", "0000", {{R(x, 1, rlx), W(x, 2, rlx)}, {W(x, 1, rlx)}}, {{x, 1}}},
    // Read-modify-writes.
    {"two additions find the same", "0000", {{A(x, 0, 1, rlx)}, {A(x, 0, 1, rlx)}}},
    {"a store between an addition's halves", "1111", {{A(x, 0, 1, rlx)}, {W(x, 5, rlx)}}, {{x, 5}}},
    {"a store lost by an addition", "0000", {{A(x, 0, 1, rlx)}, {W(x, 5, rlx), R(x, 1, rlx)}}},
    {"release sequence, relaxed addition", "0000",
     {{W(x, 1, rlx), W(y, 1, rel)}, {A(y, 1, 1, rlx)}, {R(y, 2, acq), R(x, 0, rlx)}}},
    {"release sequence, two additions", "0000",
     {{W(x, 1, rlx), W(y, 1, rel)}, {A(y, 1, 1, rlx)}, {A(y, 2, 1, rlx)}, {R(y, 3, acq), R(x, 0, rlx)}}},
    {"no release sequence, the author's store", "0011",
     {{W(x, 1, rlx), W(y, 1, rel), W(y, 2, rlx)}, {R(y, 2, acq), R(x, 0, rlx)}}},
    {"no release sequence, another's store", "0011",
     {{W(x, 1, rlx), W(y, 1, rel)}, {R(y, 1, rlx), W(y, 2, rlx)}, {R(y, 2, acq), R(x, 0, rlx)}}},
    {"release fence, relaxed addition", "0000",
     {{W(x, 1, rlx), F(rel), W(y, 1, rlx)}, {A(y, 1, 1, rlx)}, {R(y, 2, acq), R(x, 0, rlx)}}},
    // Where the explorer is stronger than C++20.
    {"a relaxed flag after a seq_cst store", "0001", {{W(x, 1, sc), W(y, 1, rlx)}, {R(y, 1, rlx), R(x, 0, sc)}}},
    {"Z6.U", "0001", {{W(x, 1, sc), W(y, 1, rel)}, {A(y, 1, 1, sc), R(y, 3, rlx)}, {W(y, 3, sc), R(x, 0, sc)}}},
};
// clang-format on

} // namespace

TEST_CASE("Each litmus test has the outcomes of its memory model and no others") {
    std::string table;
    for (const litmus& each : tests) {
        INFO(each.name);
        std::string found;
        for (const auto memory : model::all_memories) found += can_be(each, memory) ? "1" : "0";
        CHECK(found == std::string(each.answers, 3));
        CHECK((each.answers[3] == '1' || found[2] == '0')); // nothing is explored that C++20 forbids
        found += each.answers[3];
        table += each.name + std::string(44 - std::strlen(each.name), ' ');
        for (const char answer : found) table += answer == '1' ? " allowed    " : " forbidden  ";
        table += "\n";
    }
    std::printf("\n%-44s %-11s %-11s %-11s %s\n%s", "litmus test", "sequential", "x86", "explored", "C++20",
                table.c_str());
}
