// A value and its flags that one thread changes by plain stores: another one takes them over at any moment, and no change is
// lost, made twice or seen by halves.
#include "scenario.hpp"

#include <mpit/concurrency/owned_pair.hpp>

namespace {

using mpit::core::double_word;
using mpit::core::fence_pair;
using mpit::core::owned_pair;
using mpit::core::word_pair;

// What a mutant leaves out.
enum class mutant : std::uint8_t { none, fence, question_of_the_owner, question_of_the_reader };

// The first fiber owns the pair and adds to it, until it finds that it does not; the second one adds to what it has taken over; a third
// one reads twice. The flags have the value once more.
template <int Fibers, mutant Without> struct taking_over {
    static constexpr int fibers = Fibers;
    static constexpr std::uint64_t stamp = 5 << owned_pair::stamp_shift, running = 1;
    fence_pair fences;
    fence_pair no_fences; // undecided, so that its heavy fence is one of this thread alone
    owned_pair pair;
    double_word shared;

    taking_over() {
        model::call(pair, "owned pair");
        model::call(shared, "shared pair");
        model::call(fences, "fences");
        fences.decide();
        model::check(pair.begin(shared, {0, stamp}, me()), "a new pair gets an owner");
    }
    const void* me() const { return this; }
    const fence_pair& fences_of_the_kernel() const { return Without == mutant::fence ? no_fences : fences; }
    static void check_whole(const word_pair& seen) {
        model::check(((seen.flags & running) != 0) == (seen.value % 2 != 0), "the value and the flags belong together");
        model::check((seen.flags & double_word::user_mask & ~std::uint64_t{0xff}) == stamp, "they are of this pair");
    }
    void add_as_any() {
        pair.share(shared, fences_of_the_kernel());
        word_pair seen = shared.load();
        do {
            check_whole(seen);
            model::check((seen.flags & owned_pair::away) == 0, "what was taken over stays so");
        } while (!shared.replace(seen, {seen.value + 1, seen.flags ^ running}));
    }
    void add_as_owner() {
        if (!pair.is_owned_by(me())) return add_as_any();
        const word_pair seen = pair.load_as_owner();
        check_whole(seen);
        const bool is_changed = pair.change_as_owner(me(), seen.value + 1, seen.flags ^ running);
        if (!is_changed && Without != mutant::question_of_the_owner) add_as_any();
    }
    word_pair read() {
        if (Without != mutant::question_of_the_reader) return pair.load(shared, fences_of_the_kernel());
        const word_pair seen = shared.load();
        return (seen.flags & owned_pair::away) == 0 ? seen : pair.load_as_owner();
    }
    void run(int fiber) {
        if (fiber == 0) {
            add_as_owner();
            add_as_owner();
        } else if (fiber == 1) {
            add_as_any();
        } else {
            const word_pair first = read();
            check_whole(first);
            const word_pair second = read();
            check_whole(second);
            model::check(second.value >= first.value, "a later look sees no older value");
        }
    }
    int at_end() {
        const word_pair last = pair.load(shared, fences);
        check_whole(last);
        model::check(last.value == 3, "each change is made once");
        return static_cast<int>(last.value);
    }
};

// Three fibers have three million states under the memory of C++20, all of which the long tests explore.
template <int Fibers, mutant Without> std::string mistake(const char* name, model::memory_model memory) {
    const model::options of{memory};
    const bool is_whole = Fibers < 3 || model::is_long();
    return model::explore<taking_over<Fibers, Without>>(name, is_whole ? of : model::with_bounds(of, 2, 3)).mistake;
}

} // namespace

TEST_CASE("A pair that another thread takes over loses no change of its owner, and makes none twice") {
    for (const auto memory : model::both_memories) {
        CHECK(mistake<2, mutant::none>("one owns, one takes over", memory) == "");
        CHECK(mistake<3, mutant::none>("one owns, one takes over, one reads", memory) == "");
    }
}

TEST_CASE("A pair that is taken over without one of its questions loses changes") {
    CHECK(mistake<2, mutant::fence>("a mutant: no heavy fence", model::x86) != "");
    CHECK(mistake<2, mutant::question_of_the_owner>("a mutant: the owner does not ask", model::x86) != "");
    CHECK(mistake<3, mutant::question_of_the_reader>("a mutant: the reader does not ask", model::x86) != "");
}
