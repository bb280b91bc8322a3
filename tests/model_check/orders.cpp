// The litmus tests of the memory models: each asks whether one outcome of a small program can be. The answers of the
// explorer under its three memories are printed as a table, beside what C++20 says.
#include "scenario.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace {

using mpit::core::atomic;

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
constexpr instruction write(object of, int value, int order) { return {act::write, of, value, order}; }
constexpr instruction read(object of, int expected, int order) { return {act::read, of, expected, order}; }
constexpr instruction add(object of, int expected, int n, int order) { return {act::add, of, expected, order, n}; }
constexpr instruction fence(int order) { return {act::fence, x, 0, order}; }

using code = std::vector<instruction>;
struct litmus {
    const char* name;
    std::vector<code> fibers;
    // Whether every read can find the asked value, and the objects the last ones: under sequential consistency, x86,
    // C++20 as it is explored, and C++20 by its text.
    bool sequential, x86, cxx20, text;
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

const std::vector<litmus> tests{
    // Store buffering.
    {"SB, release and acquire", {{write(x, 1, rel), read(y, 0, acq)}, {write(y, 1, rel), read(x, 0, acq)}}, 0, 1, 1, 1},
    {"SB, seq_cst", {{write(x, 1, sc), read(y, 0, sc)}, {write(y, 1, sc), read(x, 0, sc)}}, 0, 0, 0, 0},
    {"SB, seq_cst stores, acquire loads",
     {{write(x, 1, sc), read(y, 0, acq)}, {write(y, 1, sc), read(x, 0, acq)}},
     0,
     0,
     1,
     1},
    {"SB, seq_cst additions, acquire loads",
     {{add(x, 0, 1, sc), read(y, 0, acq)}, {add(y, 0, 1, sc), read(x, 0, acq)}},
     0,
     0,
     1,
     1},
    {"SB, seq_cst fences",
     {{write(x, 1, rlx), fence(sc), read(y, 0, rlx)}, {write(y, 1, rlx), fence(sc), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    {"SB, one seq_cst fence",
     {{write(x, 1, rlx), fence(sc), read(y, 0, rlx)}, {write(y, 1, rlx), read(x, 0, rlx)}},
     0,
     1,
     1,
     1},
    {"SB, acq_rel fences",
     {{write(x, 1, rlx), fence(both), read(y, 0, rlx)}, {write(y, 1, rlx), fence(both), read(x, 0, rlx)}},
     0,
     1,
     1,
     1},
    {"SB, a fence and seq_cst accesses",
     {{write(x, 1, rlx), fence(sc), read(y, 0, rlx)}, {write(y, 1, sc), read(x, 0, sc)}},
     0,
     0,
     0,
     0},
    // Message passing.
    {"MP, relaxed", {{write(x, 1, rlx), write(y, 1, rlx)}, {read(y, 1, rlx), read(x, 0, rlx)}}, 0, 0, 1, 1},
    {"MP, release and acquire", {{write(x, 1, rlx), write(y, 1, rel)}, {read(y, 1, acq), read(x, 0, rlx)}}, 0, 0, 0, 0},
    {"MP, release and relaxed", {{write(x, 1, rlx), write(y, 1, rel)}, {read(y, 1, rlx), read(x, 0, rlx)}}, 0, 0, 1, 1},
    {"MP, relaxed and acquire", {{write(x, 1, rlx), write(y, 1, rlx)}, {read(y, 1, acq), read(x, 0, rlx)}}, 0, 0, 1, 1},
    {"MP, release and acquire fences",
     {{write(x, 1, rlx), fence(rel), write(y, 1, rlx)}, {read(y, 1, rlx), fence(acq), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    {"MP, a release fence and relaxed",
     {{write(x, 1, rlx), fence(rel), write(y, 1, rlx)}, {read(y, 1, rlx), read(x, 0, rlx)}},
     0,
     0,
     1,
     1},
    {"MP, the acquire fence too early",
     {{write(x, 1, rlx), fence(rel), write(y, 1, rlx)}, {fence(acq), read(y, 1, rlx), read(x, 0, rlx)}},
     0,
     0,
     1,
     1},
    {"MP, release store and acquire fence",
     {{write(x, 1, rlx), write(y, 1, rel)}, {read(y, 1, rlx), fence(acq), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    {"ISA2, release and acquire",
     {{write(x, 1, rlx), write(y, 1, rel)}, {read(y, 1, acq), write(z, 1, rel)}, {read(z, 1, acq), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    {"ISA2, a relaxed one amid",
     {{write(x, 1, rlx), write(y, 1, rel)}, {read(y, 1, rlx), write(z, 1, rel)}, {read(z, 1, acq), read(x, 0, rlx)}},
     0,
     0,
     1,
     1},
    // Load buffering, which is not explored.
    {"LB, relaxed", {{read(x, 1, rlx), write(y, 1, rlx)}, {read(y, 1, rlx), write(x, 1, rlx)}}, 0, 0, 0, 1},
    {"LB, release and acquire", {{read(x, 1, acq), write(y, 1, rel)}, {read(y, 1, acq), write(x, 1, rel)}}, 0, 0, 0, 0},
    // Independent reads of independent writes.
    {"IRIW, release and acquire",
     {{write(x, 1, rel)}, {write(y, 1, rel)}, {read(x, 1, acq), read(y, 0, acq)}, {read(y, 1, acq), read(x, 0, acq)}},
     0,
     0,
     1,
     1},
    {"IRIW, seq_cst",
     {{write(x, 1, sc)}, {write(y, 1, sc)}, {read(x, 1, sc), read(y, 0, sc)}, {read(y, 1, sc), read(x, 0, sc)}},
     0,
     0,
     0,
     0},
    {"IRIW, release stores, seq_cst loads",
     {{write(x, 1, rel)}, {write(y, 1, rel)}, {read(x, 1, sc), read(y, 0, sc)}, {read(y, 1, sc), read(x, 0, sc)}},
     0,
     0,
     0,
     0},
    {"IRIW, seq_cst fences",
     {{write(x, 1, rlx)},
      {write(y, 1, rlx)},
      {read(x, 1, rlx), fence(sc), read(y, 0, rlx)},
      {read(y, 1, rlx), fence(sc), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    {"IRIW, acq_rel fences",
     {{write(x, 1, rlx)},
      {write(y, 1, rlx)},
      {read(x, 1, rlx), fence(both), read(y, 0, rlx)},
      {read(y, 1, rlx), fence(both), read(x, 0, rlx)}},
     0,
     0,
     1,
     1},
    // A write is read, and that is told.
    {"WRC, relaxed",
     {{write(x, 1, rlx)}, {read(x, 1, rlx), write(y, 1, rlx)}, {read(y, 1, rlx), read(x, 0, rlx)}},
     0,
     0,
     1,
     1},
    {"WRC, release and acquire",
     {{write(x, 1, rlx)}, {read(x, 1, rlx), write(y, 1, rel)}, {read(y, 1, acq), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    {"RWC, acquire",
     {{write(x, 1, rel)}, {read(x, 1, acq), read(y, 0, acq)}, {write(y, 1, rel), read(x, 0, acq)}},
     0,
     1,
     1,
     1},
    {"RWC, seq_cst fences",
     {{write(x, 1, rlx)},
      {read(x, 1, rlx), fence(sc), read(y, 0, rlx)},
      {write(y, 1, rlx), fence(sc), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    // The order of modifications.
    {"2+2W, release",
     {{write(x, 1, rel), write(y, 2, rel)}, {write(y, 1, rel), write(x, 2, rel)}},
     0,
     0,
     1,
     1,
     {{x, 1}, {y, 1}}},
    {"2+2W, seq_cst",
     {{write(x, 1, sc), write(y, 2, sc)}, {write(y, 1, sc), write(x, 2, sc)}},
     0,
     0,
     0,
     0,
     {{x, 1}, {y, 1}}},
    {"2+2W, seq_cst fences",
     {{write(x, 1, rlx), fence(sc), write(y, 2, rlx)}, {write(y, 1, rlx), fence(sc), write(x, 2, rlx)}},
     0,
     0,
     0,
     0,
     {{x, 1}, {y, 1}}},
    {"R, release and acquire",
     {{write(x, 1, rel), write(y, 1, rel)}, {write(y, 2, rel), read(x, 0, acq)}},
     0,
     1,
     1,
     1,
     {{y, 2}}},
    {"R, seq_cst fences",
     {{write(x, 1, rlx), fence(sc), write(y, 1, rlx)}, {write(y, 2, rlx), fence(sc), read(x, 0, rlx)}},
     0,
     0,
     0,
     0,
     {{y, 2}}},
    {"S, relaxed", {{write(x, 2, rlx), write(y, 1, rlx)}, {read(y, 1, rlx), write(x, 1, rlx)}}, 0, 0, 1, 1, {{x, 2}}},
    {"S, release and acquire",
     {{write(x, 2, rlx), write(y, 1, rel)}, {read(y, 1, acq), write(x, 1, rlx)}},
     0,
     0,
     0,
     0,
     {{x, 2}}},
    {"CoRR", {{write(x, 1, rlx)}, {read(x, 1, rlx), read(x, 0, rlx)}}, 0, 0, 0, 0},
    {"CoRR, two readers",
     {{write(x, 1, rlx)}, {write(x, 2, rlx)}, {read(x, 1, rlx), read(x, 2, rlx)}, {read(x, 2, rlx), read(x, 1, rlx)}},
     0,
     0,
     0,
     0},
    {"CoWR", {{write(x, 1, rlx), read(x, 2, rlx)}, {write(x, 2, rlx)}}, 0, 0, 0, 0, {{x, 1}}},
    {"CoRW", {{read(x, 1, rlx), write(x, 2, rlx)}, {write(x, 1, rlx)}}, 0, 0, 0, 0, {{x, 1}}},
    // Read-modify-writes.
    {"two additions find the same", {{add(x, 0, 1, rlx)}, {add(x, 0, 1, rlx)}}, 0, 0, 0, 0},
    {"a store between an addition's halves", {{add(x, 0, 1, rlx)}, {write(x, 5, rlx)}}, 1, 1, 1, 1, {{x, 5}}},
    {"a store lost by an addition", {{add(x, 0, 1, rlx)}, {write(x, 5, rlx), read(x, 1, rlx)}}, 0, 0, 0, 0},
    {"release sequence, relaxed addition",
     {{write(x, 1, rlx), write(y, 1, rel)}, {add(y, 1, 1, rlx)}, {read(y, 2, acq), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    {"release sequence, two additions",
     {{write(x, 1, rlx), write(y, 1, rel)},
      {add(y, 1, 1, rlx)},
      {add(y, 2, 1, rlx)},
      {read(y, 3, acq), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    {"no release sequence, the author's store",
     {{write(x, 1, rlx), write(y, 1, rel), write(y, 2, rlx)}, {read(y, 2, acq), read(x, 0, rlx)}},
     0,
     0,
     1,
     1},
    {"no release sequence, another's store",
     {{write(x, 1, rlx), write(y, 1, rel)}, {read(y, 1, rlx), write(y, 2, rlx)}, {read(y, 2, acq), read(x, 0, rlx)}},
     0,
     0,
     1,
     1},
    {"release fence, relaxed addition",
     {{write(x, 1, rlx), fence(rel), write(y, 1, rlx)}, {add(y, 1, 1, rlx)}, {read(y, 2, acq), read(x, 0, rlx)}},
     0,
     0,
     0,
     0},
    // Where the explorer is stronger than C++20.
    {"a relaxed flag after a seq_cst store",
     {{write(x, 1, sc), write(y, 1, rlx)}, {read(y, 1, rlx), read(x, 0, sc)}},
     0,
     0,
     0,
     1},
    {"Z6.U",
     {{write(x, 1, sc), write(y, 1, rel)}, {add(y, 1, 1, sc), read(y, 3, rlx)}, {write(y, 3, sc), read(x, 0, sc)}},
     0,
     0,
     0,
     1},
};

} // namespace

TEST_CASE("Each litmus test has the outcomes of its memory model and no others") {
    std::string table;
    for (const litmus& each : tests) {
        INFO(each.name);
        const bool found[] = {can_be(each, model::sequentially_consistent), can_be(each, model::x86),
                              can_be(each, model::cxx20)};
        char line[160];
        std::snprintf(line, sizeof line, "%-44s %-11s %-11s %-11s %-11s\n", each.name,
                      found[0] ? "allowed" : "forbidden", found[1] ? "allowed" : "forbidden",
                      found[2] ? "allowed" : "forbidden", each.text ? "allowed" : "forbidden");
        table += line;
        CHECK(found[0] == each.sequential);
        CHECK(found[1] == each.x86);
        CHECK(found[2] == each.cxx20);
        CHECK((each.text || !each.cxx20)); // nothing is explored that C++20 forbids
    }
    std::printf("\n%-44s %-11s %-11s %-11s %s\n%s", "litmus test", "sequential", "x86", "explored", "C++20",
                table.c_str());
}
