// SPDX-License-Identifier: BSD-3-Clause
// How control variables take the values that somebody outside has given: each the strongest one that it can have. What it
// refuses is reported, and the next one is tried. Every thread does it for all variables itself. A variable that another
// thread is at is left to that thread after a few yields: it looks again when it is done, so that `.on_write` hears a value
// once. The first values of a tree that waits call no `.on_write`, and may be stored by several threads.
//
//   add(index.given, value);   settle(index);     // all variables that are there have their values
#pragma once

#include <mpit/registry/report_once.hpp>
#include <mpit/concurrency/read_guard.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/info_value.hpp>
#include <mpit/registry/process_registry.hpp>
#include <mpit/config/rejection_message.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// One variable that takes its value.
class settlement {
public:
    // `of` is the tree that waits, where other threads may be at it, too.
    settlement(process_index& index, descriptor::control& variable, bool with_environment, report_list& reports,
               const arrival* of = nullptr) noexcept
        : index_{index}, variable_{variable}, reports_{reports}, of_{of}, with_environment_{with_environment} {}

    [[gnu::cold]] void settle(bool is_running) noexcept {
        const auto mine = static_cast<std::uint32_t>(internal::detail::this_thread_identity());
        for (;;) {
            const std::uint32_t wanted = index_.given.wanted.load(core::sequential);
            const bool is_alone = claim(mine);
            if (!is_alone && (is_running || variable_.taken_by.load() == mine)) return;
            take_strongest(is_running);
            report_refused(is_running);
            if (variable_.former_name != nullptr) tell_of_former_name();
            if (variable_.deprecation != nullptr) tell_of_deprecation();
            if (!is_alone) return;
            variable_.taken_by.store(0, core::sequential);
            if (index_.given.wanted.load(core::sequential) == wanted) return;
            with_environment_ = with_environment_ || has_new_order(index_.given);
        }
    }
    static bool has_new_order(const given_values& in) noexcept { return in.orders.load() != in.settled_orders.load(); }

private:
    template <class Visit> void each(const Visit& visit) const noexcept {
        each_candidate(index_.given, variable_, with_environment_, visit);
    }
    // Returns false if another thread is at the variable, or this one is already.
    [[gnu::cold]] bool claim(std::uint32_t mine) noexcept {
        std::uint32_t by = 0;
        const auto is_at_it = [&] {
            by = 0;
            return !variable_.taken_by.compare_exchange(by, mine) && by != mine;
        };
        if (core::yield_while(is_at_it)) return by == 0;
        const std::uint64_t here = internal::detail::this_thread_identity();
        return internal::detail::has_ended((here >> 32 << 32) | by, here) && variable_.taken_by.replace(by, mine);
    }
    // Another thread that gives the tree its first values may store an older one meanwhile: the provenance shows it, and both
    // threads store the stronger one once more.
    [[gnu::cold]] void take_strongest(bool is_running) noexcept {
        bool is_decided = false, is_first = true;
        do {
            const descriptor::provenance held{variable_.from.load()};
            const int rank_of_held = rank_of(index_.given, held.origin());
            is_outdated_ = is_decided = false;
            refused_count_ = 0;
            each([&](const candidate& each) {
                if (each.of != nullptr) each.of->is_known.store(true);
                if (is_decided) return false;
                is_decided = rank_of(index_.given, each.from) < rank_of_held || (is_first && is_held(each)) ||
                             takes(each, held, is_running);
                return false;
            });
            is_first = false;
        } while (is_outdated_);
    }
    bool is_held(const candidate& c) const noexcept {
        return c.of == nullptr ? descriptor::provenance{variable_.from.load()}.origin() == origin::environment
                               : c.is_held_by(variable_);
    }
    // Whether nothing else need be tried. A tool that writes meanwhile has the last word.
    [[gnu::cold]] bool takes(const candidate& c, descriptor::provenance held, bool is_running) noexcept {
        const std::uint64_t word = c.provenance(variable_).word();
        const bool has_to_tell = is_running && told_ != word;
        descriptor::intake answer = descriptor::intake::is_constant;
        const auto store = [&] {
            answer = c.from == origin::info ? parse_hint(c.value, has_to_tell)
                                            : variable_.operations->parse(variable_, c.value, has_to_tell);
            return answer == descriptor::intake::taken;
        };
        if (variable_.scope != scope::constant) {
            if (variable_.is_adopted()) store_adopted(variable_, store, [&] { return present_fingerprint(variable_); });
            else store();
        }
        if (answer == descriptor::intake::taken) {
            if (variable_.is_adopted()) index_.has_adopted_values.store(1);
            told_ = word;
            std::uint64_t there = held.word();
            const bool is_mine = variable_.from.compare_exchange(there, word) || there == word;
            is_outdated_ = !is_mine && rank_of(index_.given, descriptor::provenance{there}.origin()) < middle_sources;
            return true;
        }
        if (refused_count_ < most_refused) refused_[refused_count_++] = {c, answer};
        return false;
    }
    [[gnu::cold]] void report_refused(bool is_running) noexcept {
        for (int i = 0; i < refused_count_; i++) {
            const candidate& by = refused_[i].by;
            const bool is_told =
                by.of != nullptr ? by.of->is_reported.exchange(true)
                                 : !with_environment_ || is_running || variable_.is_refusal_told || !is_first_to_tell();
            if (!is_told) refusal{variable_, by}.report(reports_, refused_[i].why);
        }
    }
    // Of the value in the environment, which is reported once for each loading of a library.
    [[gnu::cold]] bool is_first_to_tell() const noexcept {
        const second_look* look = of_ == nullptr ? nullptr : of_->second_looks.load();
        while (look != nullptr && look->at != &variable_) look = look->next;
        return look == nullptr || look->is_told.exchange(1) == 0;
    }

    [[gnu::cold, gnu::noinline]] descriptor::intake parse_hint(text given, bool has_to_tell) noexcept {
        const info_value value{variable_, given};
        return value.is_legal() ? variable_.operations->parse(variable_, value.spelled(), has_to_tell)
                                : descriptor::intake::no_value;
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
        reports_.add(said);
    }
    [[gnu::cold]] void tell_of_deprecation() noexcept {
        candidate first;
        each([&](const candidate& c) { return first = c, true; });
        if (first.name.length == 0 || !is_said_first(index_, 'd', variable_.name)) return;
        sentence said;
        first.say(said);
        said.say(": the control variable ");
        if (!core::equal(first.name, variable_.name)) {
            said.show(variable_.name, 256);
            said.say(" ");
        }
        said.say("is deprecated: ");
        said.show(variable_.deprecation, 400);
        reports_.add(said);
    }

    struct refused_candidate {
        candidate by;
        descriptor::intake why{};
    };
    static constexpr int most_refused = 8;

    process_index& index_;
    descriptor::control& variable_;
    report_list& reports_;
    const arrival* of_;
    bool with_environment_, is_outdated_ = false;
    std::uint64_t told_ = 0; // the provenance of the value that was told
    refused_candidate refused_[most_refused];
    int refused_count_ = 0;
};

// For one variable. Where nothing but the environment has a value, that one has been looked at already.
[[gnu::cold]] inline void settle_if_given(process_index& index, descriptor::control& variable, bool with_environment,
                                          bool is_running, report_list& reports, const arrival* of = nullptr) noexcept {
    if (has_given(index.given, variable)) settlement{index, variable, with_environment, reports, of}.settle(is_running);
}

[[gnu::cold]] inline void settle_tree(process_index& index, arrival& a, bool has_new_order,
                                      report_list& reports) noexcept {
    const bool is_running = a.has_its_values.load(core::sequential) != 0;
    descriptor::for_each_item(*a.tree.load(), [&](descriptor::item& each) {
        if (each.of == descriptor::kind::control)
            settle_if_given(index, static_cast<descriptor::control&>(each), !is_running || has_new_order, is_running,
                            reports, &a);
    });
    if (is_running) return;
    for (const second_look* look = a.second_looks.load(); look != nullptr; look = look->next)
        if (!has_given(index.given, *look->at)) settlement{index, *look->at, true, reports, &a}.settle(false);
    a.has_its_values.store(1, core::sequential);
}

MPIT_MODULE_LOCAL [[gnu::cold]] inline void settle_present_variables(process_index& index,
                                                                     report_list& reports) noexcept {
    const internal::looking here; // nothing of it is unloaded meanwhile
    const std::uint32_t orders = index.given.orders.load();
    const bool has_new_order = settlement::has_new_order(index.given);
    index.arrivals.each([&](arrival& a) {
        const std::uint32_t state = a.state.load(core::sequential);
        const bool has_no_values = state == arrival::entered && a.has_its_values.load() == 0; // a tool that only looks
        if (state == arrival::waiting || has_no_values) settle_tree(index, a, has_new_order, reports);
    });
    for (int i = 0, end = index.count(kind::control); i < end; i++) {
        auto* live = static_cast<descriptor::control*>(index.variable(kind::control, i)->live.load(core::sequential));
        if (live != nullptr) settle_if_given(index, *live, has_new_order, true, reports);
    }
    if (has_new_order) index.given.settled_orders.store(orders);
}

// Returns when all variables that are there have their values, but those that this thread is at already, or another one that
// does not get on: it looks again.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void settle(process_index& index, report_list& reports) noexcept {
    index.given.wanted.fetch_add(1);
    settle_present_variables(index, reports);
}
MPIT_MODULE_LOCAL [[gnu::cold]] inline void settle(process_index& index) noexcept {
    report_list reports;
    settle(index, reports);
    reports.send(index.reports_to.load());
}

// For a tree that has arrived, and whose library does not run yet.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void settle_arrival(process_index& index, arrival& a,
                                                           report_list& reports) noexcept {
    if (a.has_its_values.load(core::sequential) != 0) return;
    const bool has_nothing = a.second_looks.load() == nullptr && index.given.count.load(core::sequential) == 0;
    if (has_nothing) a.has_its_values.store(1);
    else settle_tree(index, a, settlement::has_new_order(index.given), reports);
}

} // namespace registry
} // namespace mpit
