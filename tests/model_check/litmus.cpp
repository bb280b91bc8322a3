// The explorer itself: it counts interleavings right, finds what the memory of x86 allows and nothing else, and sees
// every kind of mistake that the other tests rely on.
#include "scenario.hpp"

#include <mpit/concurrency/fence.hpp>

#include <sys/mman.h>

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

// Each stores to one word and looks at the other one.
enum class between { nothing, seq_cst_fences, free_fence_and_heavy_one, free_fences };
template <between What, bool Sequential = false> struct store_then_load {
    static constexpr int fibers = 2;
    atomic<int> words[2];
    int seen[2] = {};
    mpit::core::asymmetric_fence fences;
    store_then_load() { fences.register_process(); }
    void run(int fiber) {
        words[fiber].store(1, Sequential ? mpit::core::seq_cst : mpit::core::release);
        if (What == between::seq_cst_fences) mpit::core::asymmetric_fence::seq_cst();
        if (What == between::free_fence_and_heavy_one) fiber == 0 ? fences.light() : static_cast<void>(fences.heavy());
        if (What == between::free_fences) fences.light();
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

TEST_CASE("A store may pass a later load on x86, unless there is a whole fence or a heavy one on one side") {
    using model::sequentially_consistent;
    using model::x86;
    const outcomes ordered{1, 2, 3}, all{0, 1, 2, 3};
    CHECK(all_of<store_then_load<between::nothing>>("store, load", sequentially_consistent) == ordered);
    CHECK(all_of<store_then_load<between::nothing>>("store, load", x86) == all);
    CHECK(all_of<store_then_load<between::nothing, true>>("sequential store, load", x86) == ordered);
    CHECK(all_of<store_then_load<between::seq_cst_fences>>("store, fence, load", x86) == ordered);
    CHECK(all_of<store_then_load<between::free_fences>>("store, free fence, load", x86) == all);
    CHECK(all_of<store_then_load<between::free_fence_and_heavy_one>>("store, one fence for two, load", x86) == ordered);
}

TEST_CASE("A store may pass a later load under C++20, unless there are whole fences or a heavy one on one side") {
    using model::cxx20;
    const outcomes ordered{1, 2, 3}, all{0, 1, 2, 3};
    CHECK(all_of<store_then_load<between::nothing>>("store, load", cxx20) == all);
    CHECK(all_of<store_then_load<between::nothing, true>>("sequential store, load", cxx20) == all);
    CHECK(all_of<store_then_load<between::seq_cst_fences>>("store, fence, load", cxx20) == ordered);
    CHECK(all_of<store_then_load<between::free_fences>>("store, free fence, load", cxx20) == all);
    CHECK(all_of<store_then_load<between::free_fence_and_heavy_one>>("store, one fence for two, load", cxx20) ==
          ordered);
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
