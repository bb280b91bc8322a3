// The world of a scenario: its memory, its fibers with their buffers of stores, and what one step does to them.
//
//   the_world.execute(way);  the_world.save(bytes);  the_world.restore(bytes.data());
#pragma once

#include "explorer.hpp"
#include "fibers.hpp"
#include "messages.hpp"
#include "system.hpp"

#include <mpit/concurrency/atomic.hpp>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace model {

// One of the things that can happen next: a fiber goes on, or its oldest store reaches the memory. Under the memory of
// C++20 the choice says which message it reads, from the newest one, or how many are behind the one that it writes.
struct transition {
    std::uint8_t fiber;
    bool is_store_of_buffer;
    std::uint8_t choice = 0;
};
inline constexpr int most_ways = 96;

class world {
public:
    std::string mistake;

    void complain(const std::string& what) {
        if (mistake.empty()) mistake = what;
    }

    void begin(int fibers, const options& with) {
        fibers_ = fibers;
        with_ = with;
        mistake.clear();
        names_.clear();
        left_out_.clear();
        observed_.clear();
        in_order_.clear();
        messages_.begin(fibers);
        schedule_ = {-1, 0, 0, static_cast<std::uint8_t>(with.most_switches),
                     static_cast<std::uint8_t>(with.most_older)};
        std::memset(scenario_, 0, scenario_size_);
        std::memset(static_cast<void*>(all_), 0, sizeof all_);
        own_size_ = 0;
        learns_ = false;
        pages_of_world.begin(with.kept_bytes_of_pages);
        is_at_work_ = true;
    }
    void* scenario_memory(std::size_t size) {
        if (size > sizeof scenario_) std::abort();
        scenario_size_ = size;
        return scenario_;
    }
    void begin_fibers(void (*run)(void*, int)) {
        run_ = run;
        const auto not_left_out = [&](char* from, char* to) {
            if (from < to) kept_.push_back({from, static_cast<std::size_t>(to - from), {}});
        };
        std::sort(left_out_.begin(), left_out_.end(), [](const auto& a, const auto& b) { return a.memory < b.memory; });
        char* from = scenario_;
        for (const area& hole : left_out_) {
            not_left_out(from, hole.memory);
            from = hole.memory + hole.size;
        }
        not_left_out(from, scenario_ + scenario_size_);
        for (int f = 0; f < fibers_; f++) {
            for (const area& own : own_)
                std::memcpy(all_[f].own + (own.memory - own_.front().memory), own.memory, own.size);
            save_own(f);
            all_[f].runs.begin(stacks_[f], sizeof stacks_[f], &main_of_fiber);
            go_on(f);
        }
    }
    // A fiber has crashed, and its signal handler runs on another stack: it never goes on.
    void crash() {
        if (looks_) siglongjmp(before_look_, 1);
        complain("fiber " + std::to_string(present_) + " crashes");
        all_[present_].is = finished;
        all_[present_].runs.hand_over();
    }
    // Everything is as it was before the search.
    void end() {
        is_at_work_ = false;
        for (const area& a : kept_)
            if (!a.before.empty()) std::memcpy(a.memory, a.before.data(), a.size);
        for (const area& a : own_) std::memcpy(a.memory, a.before.data(), a.size);
        kept_.clear();
        own_.clear();
    }
    void check_what_never_changes() {
        for (const area& a : left_out_)
            if (std::memcmp(a.memory, a.before.data(), a.size) != 0) complain("what was left out has changed");
        if (pages_of_world.has_changed_outside()) complain("pages have changed beyond what is kept of them");
    }

    void keep(char* memory, std::size_t size) { kept_.push_back({memory, size, {memory, memory + size}}); }
    void keep_own(char* memory, std::size_t size) {
        if (own_size_ + size > sizeof all_[0].own) std::abort();
        own_.push_back({memory, size, {memory, memory + size}});
        own_size_ += size;
    }
    void observe(char* memory, std::size_t size) { observed_.push_back({memory, size, {}}); }
    void leave_in_order(char* memory, std::size_t size) { in_order_.push_back({memory, size, {}}); }
    void leave_out(char* memory, std::size_t size) { left_out_.push_back({memory, size, {memory, memory + size}}); }
    void call(const char* memory, std::size_t size, const char* name) { names_.push_back({memory, size, name}); }
    int present() const { return present_; }
    bool can_crash() const { return present_ >= 0 || looks_; }
    bool is_at_work() const { return is_at_work_; }
    int fibers() const { return fibers_; }
    memory_model memory() const { return with_.memory; }

    // Calls a function of the scenario alone.
    template <class Look> void look(Look looks) {
        looks_ = true;
        if (sigsetjmp(before_look_, 0) == 0) looks(scenario_);
        else complain("the scenario crashes where it looks");
        looks_ = false;
    }

    int transitions(transition* ways) {
        if (with_.memory == cxx20) return transitions_of_messages(ways);
        int count = 0;
        for (int f = 0; f < fibers_; f++) {
            if (all_[f].stores_count != 0) ways[count++] = {static_cast<std::uint8_t>(f), true};
            if (can_go_on(all_[f])) ways[count++] = {static_cast<std::uint8_t>(f), false};
        }
        return count;
    }
    bool all_finished() const {
        return std::all_of(all_, all_ + fibers_, [](const state& s) { return s.is == finished; });
    }

    // Answers in words what happened.
    std::string execute(const transition& way) {
        state& s = all_[way.fiber];
        described_ = mistake.empty() ? nullptr : &description_;
        description_.clear();
        if (way.is_store_of_buffer) {
            describe(way.fiber,
                     "     the store of " + word(s.stores[0].value) + " to " + place(s.stores[0].at) + " is seen");
            store_oldest(s);
            return description_;
        }
        if (s.is == waiting) {
            if (with_.memory == cxx20) schedule(way);
            s.found = perform(way.fiber, s.wanted, way.choice);
            s.wanted = {};
            s.is = split() ? served : running;
            if (split()) return description_;
        } else {
            describe(way.fiber, "goes on");
        }
        go_on(way.fiber);
        if (with_.memory == cxx20) collect();
        return description_;
    }

    // What is learnt about the scenario while it runs; where that would have changed the search it begins again.
    bool has_learnt() const { return learns_; }
    void forget_all() {
        written_.clear();
        switches_after_loads_ = false;
    }
    // Between any two steps of a fiber another one may make a fence for it.
    void needs_all_switches() {
        if (!switches_after_loads_) switches_after_loads_ = learns_ = true;
    }
    // The fiber waits for others.
    void pause() {
        if (present_ >= 0) schedule_.pauses = 1;
    }
    void forget(const char* memory, std::size_t size) { messages_.forget(memory, memory + size); }
    // A fiber is about to use plain memory.
    void access(char* at, std::size_t size, bool writes) {
        if (present_ < 0 || with_.memory != cxx20 || size == 0 || !is_shared(at)) return;
        bool is_written = writes;
        const auto first = reinterpret_cast<std::uintptr_t>(at) / 8,
                   last = (reinterpret_cast<std::uintptr_t>(at) + size - 1) / 8;
        for (auto word = first; word <= last; word++) {
            // Reads of what no fiber writes need not be known.
            if (writes && written_.insert(word).second) learns_ = true;
            is_written = is_written || written_.count(word) != 0;
        }
        if (!is_written) return;
        if (!messages_.plain(present_, at, size, writes))
            complain("a data race: fiber " + std::to_string(present_) + (writes ? " writes " : " reads ") + place(at));
        complain_of_messages();
    }

    void save(std::vector<char>& to) const {
        visit(*this, [&](char* memory, std::size_t size) { to.insert(to.end(), memory, memory + size); });
    }
    void restore(const char* from) {
        visit(*this, [&](char* memory, std::size_t size) {
            std::memcpy(memory, from, size);
            from += size;
        });
    }

    // What the atomic of this folder calls.
    std::uint64_t make(const step& wanted) {
        if (present_ < 0) return done_at_once(wanted);
        const bool is_whole = wanted.order == __ATOMIC_SEQ_CST;
        const bool is_nothing = (wanted.what == operation::fence || wanted.what == operation::drain) &&
                                (with_.memory == sequentially_consistent || (with_.memory == x86 && !is_whole));
        if (is_nothing) return 0;
        const int f = present_;
        all_[f].wanted = wanted;
        all_[f].is = waiting;
        all_[f].runs.hand_over();
        const std::uint64_t found = all_[f].found;
        all_[f].found = 0;
        return found;
    }

private:
    struct area {
        char* memory;
        std::size_t size;
        std::vector<char> before;
    };
    struct buffered_store {
        void* at;
        std::uint64_t value;
        std::uint64_t size;
    };
    enum phase : std::uint8_t { running, waiting, served, finished };
    static constexpr int most_stores = 10;
    struct state {
        fiber runs;
        phase is;
        std::uint64_t found;
        step wanted;
        char own[64]; // what this_thread_… variables are for it
        std::uint64_t stores_count;
        buffered_store stores[most_stores];
    };
    struct named {
        const char* memory;
        std::size_t size;
        const char* name;
    };

    bool split() const { return with_.splits_plain_accesses; }

    // Under the memory of C++20. A load of a fiber can be put off until just before the fiber's next step that others
    // can see: it finds the same messages then, and more. So others go on only after such steps.
    struct plan {
        std::int8_t last; // the fiber that has made a step
        std::uint8_t must_go_on, pauses;
        std::uint8_t switches_left, older_left;
    };
    bool is_in_order(const void* at) const {
        const auto* place = static_cast<const char*>(at);
        return std::any_of(in_order_.begin(), in_order_.end(),
                           [&](const area& a) { return place >= a.memory && place < a.memory + a.size; });
    }
    bool is_seen_by_others(const step& s) const {
        if (is_in_order(s.at)) return false;
        return s.what != operation::load || s.order == __ATOMIC_SEQ_CST || with_.switches_after_loads ||
               switches_after_loads_;
    }
    int transitions_of_messages(transition* ways) {
        int count = 0;
        const int last = schedule_.last;
        const bool can_last = last >= 0 && all_[last].is != finished;
        for (int f = 0; f < fibers_; f++) {
            if (all_[f].is == finished) continue;
            if (can_last && f != last && (schedule_.must_go_on || (!schedule_.pauses && schedule_.switches_left == 0)))
                continue;
            const int choices = all_[f].is == waiting ? messages_.choices(f, all_[f].wanted) : 1;
            for (int c = 0; c < choices && (c == 0 || schedule_.older_left != 0); c++) {
                if (count == most_ways) return complain("there are too many ways to go on"), 0;
                ways[count++] = {static_cast<std::uint8_t>(f), false, static_cast<std::uint8_t>(c)};
            }
        }
        return count;
    }
    void schedule(const transition& way) {
        plan& now = schedule_;
        const bool can_last = now.last >= 0 && all_[now.last].is != finished;
        if (can_last && way.fiber != now.last && !now.pauses && now.switches_left != no_bound) now.switches_left--;
        if (way.choice != 0 && now.older_left != no_bound) now.older_left--;
        now.last = static_cast<std::int8_t>(way.fiber);
        now.pauses = 0;
        now.must_go_on = !is_seen_by_others(all_[way.fiber].wanted);
    }
    void collect() {
        bool is_finished[most_fibers];
        for (int f = 0; f < fibers_; f++) is_finished[f] = all_[f].is == finished;
        messages_.collect(is_finished, switches_after_loads_);
        // Where nothing is counted it does not matter who was the last one.
        const bool may_go_anywhere = !schedule_.must_go_on && schedule_.switches_left == no_bound;
        if (may_go_anywhere || all_[schedule_.last].is == finished)
            schedule_.last = -1, schedule_.must_go_on = schedule_.pauses = 0;
    }
    void complain_of_messages() {
        if (messages_.mistake() != nullptr) complain(messages_.mistake());
        messages_.forget_mistake();
    }
    bool is_shared(const char* at) const {
        const auto is_in = [&](const area& a) { return at >= a.memory && at < a.memory + a.size; };
        if (std::any_of(observed_.begin(), observed_.end(), is_in)) return false;
        return std::any_of(kept_.begin(), kept_.end(), is_in) || pages_of_world.place_of(at) == place_in_pages::kept;
    }

    // The parts of a state, in an order in which each says where the next ones are.
    template <class World, class Visit> static void visit(World& w, Visit visit_one) {
        auto& self = const_cast<world&>(w);
        for (int f = 0; f < self.fibers_; f++) {
            state& s = self.all_[f];
            visit_one(reinterpret_cast<char*>(&s), offsetof(state, stores));
            if (s.stores_count != 0)
                visit_one(reinterpret_cast<char*>(s.stores), s.stores_count * sizeof(buffered_store));
            if (s.is != finished) {
                char* top = static_cast<char*>(s.runs.top);
                visit_one(top, static_cast<std::size_t>(self.stacks_[f] + sizeof self.stacks_[f] - top));
            }
        }
        for (const area& a : self.kept_) visit_one(a.memory, a.size);
        pages_of_world.visit(visit_one);
        if (self.with_.memory != cxx20) return;
        visit_one(reinterpret_cast<char*>(&self.schedule_), sizeof self.schedule_);
        self.messages_.visit_counts(visit_one);
        self.messages_.visit(visit_one);
    }

    static void main_of_fiber();
    void go_on(int f) {
        char outside[64];
        swap_own(outside, nullptr);
        load_own(f);
        present_ = f;
        all_[f].is = running;
        all_[f].runs.go_on();
        present_ = -1;
        save_own(f);
        if (all_[f].is == finished) all_[f].runs.top = nullptr;
        swap_own(nullptr, outside);
    }
    void swap_own(char* to, const char* from) {
        for (const area& a : own_) {
            if (to != nullptr) std::memcpy(to, a.memory, a.size), to += a.size;
            if (from != nullptr) std::memcpy(a.memory, from, a.size), from += a.size;
        }
    }
    void load_own(int f) { swap_own(nullptr, all_[f].own); }
    void save_own(int f) { swap_own(all_[f].own, nullptr); }

    // Steps.
    static bool is_buffered(const step& s) {
        return (s.what == operation::store && s.order != __ATOMIC_SEQ_CST) || s.what == operation::add_as_owner ||
               s.what == operation::compare_and_set_as_owner;
    }
    static bool overlaps(const buffered_store& b, const step& s) {
        const auto* at = static_cast<const char*>(s.at);
        const auto* in = static_cast<const char*>(b.at);
        return at < in + b.size && in < at + s.size;
    }
    bool can_go_on(const state& s) const {
        if (s.is == finished) return false;
        if (s.is != waiting || with_.memory != x86 || s.stores_count == 0) return true;
        if (is_buffered(s.wanted) && s.stores_count == most_stores) return false;
        if (s.wanted.what == operation::load || is_buffered(s.wanted))
            return std::none_of(s.stores, s.stores + s.stores_count, [&](const buffered_store& b) {
                return overlaps(b, s.wanted) && (b.at != s.wanted.at || b.size != s.wanted.size);
            });
        return s.wanted.what == operation::drain;
    }
    static std::uint64_t in_memory(const void* at, std::size_t size) {
        std::uint64_t value = 0;
        std::memcpy(&value, at, size);
        return value;
    }
    std::uint64_t seen_by(const state& s, const step& wanted) const {
        for (auto i = s.stores_count; i-- > 0;)
            if (s.stores[i].at == wanted.at) return s.stores[i].value;
        return in_memory(wanted.at, wanted.size);
    }
    static std::uint64_t cut(std::uint64_t value, std::size_t size) {
        return size >= 8 ? value : value & ((std::uint64_t{1} << size * 8) - 1);
    }
    void write(int f, const step& s, std::uint64_t value) {
        value = cut(value, s.size);
        if (f >= 0 && with_.memory == x86 && is_buffered(s)) {
            state& of = all_[f];
            of.stores[of.stores_count++] = {s.at, value, s.size};
        } else {
            std::memcpy(s.at, &value, s.size);
        }
    }
    void store_oldest(state& s) {
        check_place(s.stores[0].at);
        std::memcpy(s.stores[0].at, &s.stores[0].value, s.stores[0].size);
        std::copy(s.stores + 1, s.stores + s.stores_count, s.stores);
        s.stores[--s.stores_count] = {};
    }
    std::uint64_t perform(int f, const step& s, int choice) {
        if (s.what == operation::drain && with_.memory == cxx20) {
            if (described_) describe(f, "fiber " + std::to_string(s.fiber) + " runs a fence");
            messages_.seq_cst_fence(s.fiber);
            return 0;
        }
        if (s.what == operation::drain) {
            if (described_) describe(f, "the stores of fiber " + std::to_string(s.fiber) + " are seen");
            while (all_[s.fiber].stores_count != 0) store_oldest(all_[s.fiber]);
            return 0;
        }
        if (s.what != operation::fence && !check_place(s.at)) return 0;
        const std::uint64_t found =
            with_.memory == cxx20 && !is_in_order(s.at) ? messages_.perform(f, s, choice) : perform_unseen(f, s);
        complain_of_messages();
        if (described_) {
            describe(f, to_string(s, found));
            if (choice != 0)
                *described_ += ", " + std::to_string(choice) + (s.what == operation::store ? " before" : " after") +
                               " the newest one";
        }
        return found;
    }
    std::uint64_t perform_unseen(int f, const step& s) {
        if (s.what == operation::fence) return 0;
        if (s.what == operation::dwcas) {
            const auto* words = reinterpret_cast<const std::uint64_t*>(s.first);
            const bool equal = std::memcmp(s.at, words, 16) == 0;
            if (equal) std::memcpy(s.at, words + 2, 16);
            return equal;
        }
        const std::uint64_t found = f < 0 ? in_memory(s.at, s.size) : seen_by(all_[f], s);
        switch (s.what) {
        case operation::store:
        case operation::exchange: write(f, s, s.first); break;
        case operation::compare_exchange:
        case operation::compare_and_set_as_owner:
            if (found == s.second) write(f, s, s.first);
            break;
        case operation::fetch_add:
        case operation::add_as_owner: write(f, s, found + s.first); break;
        default: break;
        }
        return found;
    }
    std::uint64_t done_at_once(const step& s) { return s.what == operation::drain ? 0 : perform_unseen(-1, s); }
    bool check_place(const void* at) {
        const auto* place = static_cast<const char*>(at);
        const auto is_in = [&](const area& a) { return place >= a.memory && place < a.memory + a.size; };
        const bool on_stack = place >= stacks_[0] && place < stacks_[0] + sizeof stacks_;
        if (on_stack || std::any_of(kept_.begin(), kept_.end(), is_in)) return true;
        switch (pages_of_world.place_of(place)) {
        case place_in_pages::kept: return true;
        case place_in_pages::given_back: complain("memory is used that was given back"); return false;
        default: complain("a fiber uses memory that is not kept"); return false;
        }
    }

    // Words.
    static std::string word(std::uint64_t value) {
        char text[32];
        std::snprintf(text, sizeof text, value < 4096 ? "%llu" : "0x%llx", static_cast<unsigned long long>(value));
        return text;
    }
    std::string place(const void* at) const {
        const auto* p = static_cast<const char*>(at);
        const named* best = nullptr;
        for (const named& n : names_)
            if (p >= n.memory && p < n.memory + n.size && (best == nullptr || n.size < best->size)) best = &n;
        char text[160];
        if (best != nullptr && best->size <= 8) return best->name;
        if (best != nullptr) std::snprintf(text, sizeof text, "%s+%td", best->name, p - best->memory);
        else if (p >= scenario_ && p < scenario_ + sizeof scenario_)
            std::snprintf(text, sizeof text, "scenario+%td", p - scenario_);
        else std::snprintf(text, sizeof text, "%p", at);
        return text;
    }
    void describe(int f, const std::string& what) {
        if (described_) *described_ = "fiber " + std::to_string(f) + ": " + what;
    }
    std::string to_string(const step& s, std::uint64_t found) const {
        const std::string at = place(s.at), first = word(cut(s.first, s.size));
        switch (s.what) {
        case operation::load: return "loads " + word(found) + " from " + at;
        case operation::store:
            return std::string(s.order == __ATOMIC_SEQ_CST ? "stores at once " : "stores ") + first + " to " + at;
        case operation::exchange: return "exchanges " + word(found) + " for " + first + " in " + at;
        case operation::compare_exchange:
        case operation::compare_and_set_as_owner:
            return (found == s.second ? "replaces " : "does not replace ") + word(s.second) + " by " + first + " in " +
                   at + (found == s.second ? "" : ", where " + word(found) + " is");
        case operation::fetch_add:
        case operation::add_as_owner: return "adds " + first + " to " + word(found) + " in " + at;
        case operation::dwcas: return (found ? "replaces the pair in " : "does not replace the pair in ") + at;
        default: return "runs a fence";
        }
    }

    options with_;
    int fibers_ = 0;
    int present_ = -1;
    bool is_at_work_ = false;
    void (*run_)(void*, int) = nullptr;
    std::vector<area> kept_, own_, left_out_, observed_, in_order_;
    plan schedule_{};
    messages messages_;
    std::set<std::uintptr_t> written_; // words of plain memory that a fiber writes
    bool switches_after_loads_ = false, learns_ = false, looks_ = false;
    sigjmp_buf before_look_{};
    std::size_t own_size_ = 0;
    std::vector<named> names_;
    std::string description_;
    std::string* described_ = nullptr;
    state all_[most_fibers];
    std::size_t scenario_size_ = 0;
    static constexpr std::size_t stack_size = 1 << 16;
    alignas(4096) static inline char scenario_[1 << 17];
    alignas(4096) static inline char stacks_[most_fibers][stack_size];
};

inline world the_world;

inline void world::main_of_fiber() {
    const int f = the_world.present_;
    the_world.run_(scenario_, f);
    the_world.all_[f].is = finished;
    the_world.all_[f].runs.hand_over();
    __builtin_unreachable();
}

} // namespace model
