// How control variables take the values that somebody outside has given: each the strongest one that it can have. What it
// refuses is reported, and the next one is tried. One thread at a time does it for all variables that are there, and goes on
// for those who come meanwhile.
//
//   add(index.given, value);   settle(index);     // all variables that are there have their values
#pragma once

#include <mpit/declare/looking.hpp>
#include <mpit/index/candidates.hpp>
#include <mpit/index/process_index.hpp>
#include <mpit/index/refusal.hpp>

namespace mpit::inline v0_1::index {

// One variable that takes its value.
class settlement {
public:
    settlement(process_index& index, describe::control& variable, bool with_environment) noexcept
        : index_{index}, variable_{variable}, with_environment_{with_environment} {}

    [[gnu::cold]] void settle(bool is_running) noexcept {
        const describe::provenance held{variable_.from.load()};
        const int rank_of_held = rank_of(index_.given, held.origin());
        each([&](const candidate& each) {
            if (each.of != nullptr) each.of->is_known.store(true);
            if (is_decided_) return false;
            is_decided_ =
                rank_of(index_.given, each.from) < rank_of_held || is_held(each) || takes(each, held, is_running);
            return false;
        });
        const bool has_to_tell_of_environment = with_environment_ && !is_running;
        for (int i = 0; i < refused_count_; i++) {
            const candidate& by = refused_[i].by;
            if (by.of != nullptr ? by.of->is_reported.exchange(true) : !has_to_tell_of_environment) continue;
            refusal{variable_, by}.report(index_.reports_to.load(), refused_[i].why);
        }
        if (variable_.former_name != nullptr) tell_of_former_name();
        if (variable_.deprecation != nullptr) tell_of_deprecation();
    }

private:
    template <class Visit> void each(const Visit& visit) const noexcept {
        each_candidate(index_.given, variable_, with_environment_, visit);
    }
    bool is_held(const candidate& c) const noexcept {
        return c.of == nullptr ? describe::provenance{variable_.from.load()}.origin() == origin::environment
                               : c.is_held_by(variable_);
    }
    // Whether nothing else need be tried. A tool that writes meanwhile has the last word.
    [[gnu::cold]] bool takes(const candidate& c, describe::provenance held, bool is_running) noexcept {
        const describe::intake answer = variable_.scope == scope::constant
                                            ? describe::intake::is_constant
                                            : variable_.operations->parse(variable_, c.value, is_running);
        if (answer == describe::intake::taken) {
            variable_.from.replace(held.word(), c.provenance(variable_).word());
            return true;
        }
        if (refused_count_ < most_refused) refused_[refused_count_++] = {c, answer};
        return false;
    }

    // A value under the former name is taken unless the present one has a value.
    [[gnu::cold]] void tell_of_former_name() noexcept {
        candidate former, other;
        each([&](const candidate& c) {
            candidate& of_its_kind = c.is_former ? former : other;
            if (of_its_kind.name.length == 0) of_its_kind = c;
            return false;
        });
        if (former.name.length == 0 || !is_said_first(index_, 'f', variable_.former_name)) return;
        sentence said;
        former.say(said);
        said.say(" is a former name of the control variable ");
        said.show(variable_.name, 256);
        if (other.name.length != 0) {
            said.say(", which has a value under its present name in ");
            other.say_place(said);
            if (former.is_held_by(variable_)) said.say(" that does not count");
            else if (other.is_held_by(variable_)) said.say(": that one counts");
        }
        said.send(index_.reports_to.load());
    }
    [[gnu::cold]] void tell_of_deprecation() noexcept {
        candidate first;
        each([&](const candidate& c) { return first = c, true; });
        if (first.name.length == 0 || !is_said_first(index_, 'd', variable_.name)) return;
        sentence said;
        first.say(said);
        said.say(": the control variable ");
        if (!base::equal(first.name, variable_.name)) {
            said.show(variable_.name, 256);
            said.say(" ");
        }
        said.say("is deprecated: ");
        said.show(variable_.deprecation, 400);
        said.send(index_.reports_to.load());
    }

    struct refused_candidate {
        candidate by;
        describe::intake why{};
    };
    static constexpr int most_refused = 8;

    process_index& index_;
    describe::control& variable_;
    bool with_environment_, is_decided_ = false;
    refused_candidate refused_[most_refused];
    int refused_count_ = 0;
};

// For one variable. Where nothing but the environment has a value, that one has been looked at already.
[[gnu::cold]] inline void settle_if_given(process_index& index, describe::control& variable, bool with_environment,
                                          bool is_running) noexcept {
    if (has_given(index.given, variable)) settlement{index, variable, with_environment}.settle(is_running);
}

[[gnu::cold]] inline void settle_tree(process_index& index, arrival& a, bool has_new_order) noexcept {
    const bool is_running = a.has_its_values.exchange(1) != 0;
    describe::for_each_item(*a.tree.load(), [&](describe::item& each) {
        if (each.of == describe::kind::control)
            settle_if_given(index, static_cast<describe::control&>(each), !is_running || has_new_order, is_running);
    });
    if (is_running) return;
    for (const second_look* look = a.second_looks.load(); look != nullptr; look = look->next)
        if (!has_given(index.given, *look->at)) settlement{index, *look->at, true}.settle(false);
}

MPIT_MODULE_LOCAL [[gnu::cold]] inline void settle_present_variables(process_index& index) noexcept {
    const declare::looking here; // nothing of it is unloaded meanwhile
    const bool has_new_order = index.given.has_new_order.exchange(false);
    index.arrivals.each([&](arrival& a) {
        if (a.state.load(base::sequential) == arrival::waiting || a.is_being_entered())
            settle_tree(index, a, has_new_order);
    });
    for (int i = 0, end = index.count(kind::control); i < end; i++) {
        auto* live = static_cast<describe::control*>(index.variable(kind::control, i)->live.load(base::sequential));
        if (live != nullptr) settle_if_given(index, *live, has_new_order, true);
    }
}

// Returns when all variables that are there have their values, or when this thread is at it already. Another one that is at
// it goes on for this one, which waits for about a second at most.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void settle(process_index& index) noexcept {
    given_values& given = index.given;
    const std::uint64_t mine = declare::detail::this_thread_identity();
    const std::uint32_t wanted = given.wanted.fetch_add(1) + 1;
    const base::patience until_settled;
    until_settled.wait_while([&] {
        std::uint64_t by = given.settling.load(base::sequential);
        if (by == mine) return false;
        if (static_cast<std::int32_t>(given.settled.load(base::sequential) - wanted) >= 0) return false;
        if (by != 0 && !declare::detail::has_ended(by, mine)) return true;
        if (!given.settling.compare_exchange(by, mine)) return true;
        std::uint32_t last = 0;
        do {
            last = given.wanted.load(base::sequential);
            settle_present_variables(index);
            given.settled.store(last, base::sequential);
        } while (given.wanted.load(base::sequential) != last);
        given.settling.store(0, base::sequential);
        return false;
    });
}

// For a tree that has arrived, and whose library does not run yet.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void settle_arrival(process_index& index, arrival& a) noexcept {
    const bool is_begun = a.has_its_values.load(base::sequential) != 0;
    if (is_begun && index.given.settling.load(base::sequential) == 0) return;
    const bool has_nothing = a.second_looks.load() == nullptr && index.given.count.load(base::sequential) == 0;
    if (has_nothing && !is_begun) a.has_its_values.store(1);
    else settle(index);
}

} // namespace mpit::index
