// The search itself; see explorer.hpp. The state is never computed again from the start: it is restored.
#include "explorer.hpp"
#include "../long_tests.hpp"

#include "sweep.hpp"
#include "system.hpp"
#include "world.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace model {
namespace {

using detail::scenario_functions;

struct hash_pair {
    std::uint64_t first = 0, second = 0;
    bool operator==(const hash_pair&) const = default;
};
hash_pair hash_of(const std::vector<char>& bytes, std::size_t from) {
    const auto mixed = [](std::uint64_t a, std::uint64_t b) {
        __extension__ const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    };
    hash_pair h{0x9e3779b97f4a7c15, 0xd6e8feb86659fd93};
    for (std::size_t at = from; at < bytes.size(); at += 16) {
        std::uint64_t words[2] = {};
        std::memcpy(words, &bytes[at], std::min<std::size_t>(16, bytes.size() - at));
        h.first = mixed(h.first ^ words[0] ^ 0xa0761d6478bd642f, words[1] ^ 0xe7037ed1a0b428db);
        h.second = mixed(h.second + words[1] + 0x8ebc6af09c88c6e3, words[0] ^ 0x589965cc75374cc3) + h.first;
    }
    if (h == hash_pair{}) h.first = 1;
    return h;
}

struct facts_of_state {
    double interleavings = -1; // negative while the state is on the way of the search
    std::uint32_t longest = 0;
    std::uint32_t alone[most_fibers] = {};
};

// All states that were met, by hash.
class state_table {
public:
    state_table() : places_(1 << 12) {}
    // The facts of a state, and whether it is new.
    std::pair<facts_of_state*, bool> enter(const hash_pair& state) {
        if (count_ * 5 > places_.size() * 3) grow();
        place& at = places_[position(places_, state)];
        if (!(at.state == hash_pair{})) return {&at.facts, false};
        at.state = state;
        count_++;
        return {&at.facts, true};
    }
    std::uint64_t count() const { return count_; }

private:
    struct place {
        hash_pair state;
        facts_of_state facts;
    };
    static std::size_t position(const std::vector<place>& in, const hash_pair& state) {
        std::size_t at = state.first & (in.size() - 1);
        while (!(in[at].state == hash_pair{}) && !(in[at].state == state)) at = (at + 1) & (in.size() - 1);
        return at;
    }
    void grow() {
        std::vector<place> larger(places_.size() * 2);
        for (const place& p : places_)
            if (!(p.state == hash_pair{})) larger[position(larger, p.state)] = p;
        places_.swap(larger);
    }
    std::vector<place> places_;
    std::uint64_t count_ = 0;
};

struct frame {
    hash_pair state;
    std::size_t memory = 0; // where its copy begins
    std::size_t way = 0;    // where its transitions begin
    int ways = 0, next = 0;
    facts_of_state facts{0, 0, {}};
};

class search {
public:
    bool is_quiet = false;

    search(const char* name, const scenario_functions& scenario, const options& with)
        : name_{name}, scenario_{scenario}, with_{with} {}

    findings run() {
        const auto began = std::chrono::steady_clock::now();
        the_world.forget_all();
        the_sites.begin(with_.mutant);
        do {
            begin();
            while (!frames_.empty() && the_world.mistake.empty() && !must_begin_again()) advance();
            // A mistake that is found while something is learnt may be none: what finished fibers knew was forgotten.
        } while (the_world.has_learnt() && (the_world.end(), true));
        if (the_world.mistake.empty()) the_world.check_what_never_changes();
        found_.mistake = the_world.mistake.empty() ? "" : the_world.mistake + steps_to_here();
        found_.states = states_.count();
        the_world.end();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        if (is_quiet) return found_;
        std::printf("%-72s %-10s %9llu states %10llu steps %9.2g interleavings, alone %4llu, %6.2f s%s%s\n", name_,
                    name_of_memory().c_str(), static_cast<unsigned long long>(found_.states),
                    static_cast<unsigned long long>(found_.transitions), found_.interleavings,
                    static_cast<unsigned long long>(found_.longest_alone), took.count(), bounds().c_str(),
                    found_.mistake.empty() ? "" : ", MISTAKE");
        std::fflush(stdout);
        return found_;
    }

private:
    void begin() {
        states_ = {};
        frames_.clear();
        ways_.clear();
        memory_.clear();
        found_ = {};
        the_world.begin(scenario_.fibers, with_);
        scenario_.construct(the_world.scenario_memory(scenario_.size));
        the_world.begin_fibers(scenario_.run);
        const char* steps = std::getenv("MPIT_MODEL_STEPS");
        if (steps != nullptr) go(steps);
        else push();
    }
    // After the first way to an end, and at the last one, because most is learnt on the first.
    bool must_begin_again() const { return the_world.has_learnt() && is_at_end_; }
    std::string name_of_memory() const {
        return with_.memory == x86 ? "x86" : with_.memory == cxx20 ? "C++20" : "sequential";
    }
    std::string bounds() const {
        std::string all;
        if (with_.memory != cxx20) return all;
        if (with_.most_switches != no_bound) all += ", " + std::to_string(with_.most_switches) + " switches at most";
        if (with_.most_older != no_bound) all += ", " + std::to_string(with_.most_older) + " older messages at most";
        return all;
    }
    const transition& last_way(const frame& of) const { return ways_[of.way + static_cast<std::size_t>(of.next - 1)]; }

    // Makes the present state of the world the next one of the way, unless it is known.
    void push() {
        if (scenario_.always != nullptr) the_world.look(scenario_.always);
        frame fresh;
        fresh.memory = memory_.size();
        the_world.save(memory_);
        fresh.state = hash_of(memory_, fresh.memory);
        const auto [known, is_new] = states_.enter(fresh.state);
        if (!is_new) {
            memory_.resize(fresh.memory);
            if (known->interleavings < 0) {
                found_.circles++;
                // Who reads an old message again and again reads a newer one at some time.
                if (!with_.allows_waiting && with_.memory != cxx20) the_world.complain("the fibers go in a circle");
            } else if (!frames_.empty()) {
                add(frames_.back(), *known);
            }
            return;
        }
        if (states_.count() > with_.most_states) the_world.complain("there are too many states");
        transition ways[most_ways];
        fresh.ways = the_world.transitions(ways);
        fresh.way = ways_.size();
        ways_.insert(ways_.end(), ways, ways + fresh.ways);
        is_at_end_ = fresh.ways == 0;
        if (fresh.ways == 0) {
            found_.ends++;
            fresh.facts.interleavings = 1;
            if (!the_world.all_finished()) the_world.complain("no fiber can go on");
            else the_world.look([&](void* s) { found_.outcomes.insert(scenario_.at_end(s)); });
        }
        frames_.push_back(fresh);
        is_present_ = true;
    }
    void advance() {
        frame& last = frames_.back();
        if (last.next == last.ways) return pop();
        if (!is_present_) the_world.restore(&memory_[last.memory]);
        is_present_ = false;
        last.next++;
        the_world.execute(last_way(last));
        found_.transitions++;
        if (the_world.mistake.empty()) push();
    }
    void pop() {
        const frame last = frames_.back();
        frames_.pop_back();
        memory_.resize(last.memory);
        ways_.resize(last.way);
        *states_.enter(last.state).first = last.facts;
        is_present_ = false;
        if (!frames_.empty()) return add(frames_.back(), last.facts);
        found_.interleavings = last.facts.interleavings;
        found_.longest = last.facts.longest;
    }
    // The facts of a state from those of one that follows on the way last taken.
    void add(frame& to, const facts_of_state& from) {
        to.facts.interleavings += from.interleavings;
        to.facts.longest = std::max(to.facts.longest, from.longest + 1);
        const int f = last_way(to).fiber;
        to.facts.alone[f] = std::max(to.facts.alone[f], from.alone[f] + 1);
        found_.longest_alone = std::max<std::uint64_t>(found_.longest_alone, to.facts.alone[f]);
    }
    // Goes the way of the search once more, and writes down what happens.
    std::string steps_to_here() {
        std::string all = "\n", steps;
        const std::vector<frame> way = frames_;
        if (way.empty()) return all;
        the_world.restore(&memory_[way[0].memory]);
        for (const frame& f : way) {
            if (f.next == 0) continue;
            const transition& t = last_way(f);
            all += the_world.execute(t) + "\n";
            steps += {static_cast<char>('0' + t.fiber), t.is_store_of_buffer ? '+'
                                                        : t.choice == 0      ? '-'
                                                                             : static_cast<char>('a' + t.choice - 1)};
        }
        return all + "This way alone: MPIT_MODEL_STEPS=" + steps + "\n";
    }
    // Goes the way that an earlier search has printed, to its mistake, for a debugger.
    void go(const char* steps) {
        for (; steps[0] != '\0' && steps[1] != '\0' && the_world.mistake.empty(); steps += 2) {
            const int choice = steps[1] >= 'a' ? steps[1] - 'a' + 1 : 0;
            the_world.execute(
                {static_cast<std::uint8_t>(steps[0] - '0'), steps[1] == '+', static_cast<std::uint8_t>(choice)});
            if (scenario_.always != nullptr) the_world.look(scenario_.always);
        }
    }

    const char* name_;
    const scenario_functions& scenario_;
    const options with_;
    state_table states_;
    std::vector<frame> frames_;
    std::vector<transition> ways_;
    std::vector<char> memory_;
    bool is_at_end_ = false;
    bool is_present_ = false; // the world is as the last frame says
    findings found_;
};

} // namespace

namespace {

// A mutant may follow a pointer that is not there.
void end_of_fiber(int signal) {
    if (the_world.can_crash()) the_world.crash();
    std::signal(signal, SIG_DFL); // it is the explorer's own
}
class crash_handler {
public:
    crash_handler() {
        const stack_t own{memory_, 0, sizeof memory_};
        sigaltstack(&own, &stack_before_);
        struct sigaction here{};
        here.sa_handler = &end_of_fiber;
        here.sa_flags = SA_ONSTACK | SA_NODEFER;
        sigaction(SIGSEGV, &here, &before_);
    }
    ~crash_handler() {
        sigaction(SIGSEGV, &before_, nullptr);
        sigaltstack(&stack_before_, nullptr);
    }

private:
    static inline char memory_[1 << 16];
    stack_t stack_before_{};
    struct sigaction before_{};
};

int at_most(int bound, const char* variable) {
    const char* said = std::getenv(variable);
    return said == nullptr || bound == no_bound ? bound : std::atoi(said);
}

} // namespace

findings detail::explore(const char* name, const scenario_functions& scenario, const options& with) {
    const crash_handler catches;
    options here = with;
    here.most_switches = at_most(with.most_switches, "MPIT_MODEL_SWITCHES");
    here.most_older = at_most(with.most_older, "MPIT_MODEL_OLDER");
    const findings found = search{name, scenario, here}.run();
    const char* const header = here.memory == cxx20 ? std::getenv("MPIT_MODEL_SWEEP") : nullptr;
    if (header != nullptr && here.mutant.file == nullptr && found.mistake.empty())
        sweep(the_sites.met, header, [&](const weakening& mutant) {
            options weaker = here;
            weaker.mutant = mutant;
            weaker.most_states = std::max<std::uint64_t>(1'000'000, found.states * 4);
            search one{name, scenario, weaker};
            one.is_quiet = true;
            return one.run().mistake;
        });
    return found;
}

bool is_long() noexcept { return ::is_long(); }

} // namespace model
