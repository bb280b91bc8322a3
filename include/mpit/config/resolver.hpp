// SPDX-License-Identifier: BSD-3-Clause
// Resolves the values of control variables: each takes its strongest setting that it accepts. A rejected setting is
// reported, and the next one is tried. Every thread resolves all variables itself. A variable that another thread is
// resolving is left to that thread after a few yields: it checks again when it is done, so that `.on_write` is called
// once for a value. The first values of a pending tree call no `.on_write`, and may be stored by several threads.
//
//   add(registry.settings, value);   resolve_known_variables(registry, reports);   // all variables have their values
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/config/info_value.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/rejection_message.hpp>
#include <mpit/registry/process_registry.hpp>
#include <mpit/registry/report_once.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// One variable that takes its value.
class resolver {
public:
    // `tree` is the tree that waits, where other threads may be at it, too.
    resolver(process_registry& registry, descriptor::control& variable, bool with_environment, report_list& reports,
             const pending_tree* tree = nullptr) noexcept
        : registry_{registry},
          variable_{variable},
          reports_{reports},
          tree_{tree},
          with_environment_{with_environment} {}

    [[gnu::cold]] void resolve_setting(bool is_running) noexcept {
        const auto mine = static_cast<std::uint32_t>(core::detail::this_thread_identity());
        for (;;) {
            const std::uint32_t wanted = registry_.settings.resolutions.load(core::sequential);
            const bool is_alone = claim(mine);
            if (!is_alone && (is_running || variable_.taken_by.load() == mine)) return;
            take_strongest(is_running);
            report_rejected(is_running);
            if (!variable_.has_one_name && with_environment_) report_other_value();
            if (variable_.former_name != nullptr) report_former_name();
            if (variable_.deprecation != nullptr) report_deprecation();
            if (!is_alone) return;
            variable_.taken_by.store(0, core::sequential);
            if (registry_.settings.resolutions.load(core::sequential) == wanted) return;
            with_environment_ = with_environment_ || has_new_order(registry_.settings);
        }
    }
    static bool has_new_order(const setting_store& store) noexcept {
        return store.order_changes.load() != store.resolved_order_changes.load();
    }

private:
    template <class Visit> void each(const Visit& visit) const noexcept {
        each_candidate(registry_.settings, variable_, with_environment_ || variable_.is_environment_early, visit);
    }
    // Returns false if another thread is at the variable, or this one is already.
    [[gnu::cold]] bool claim(std::uint32_t mine) noexcept {
        std::uint32_t holder = 0;
        const auto is_at_it = [&] {
            holder = 0;
            return !variable_.taken_by.compare_exchange(holder, mine) && holder != mine;
        };
        if (core::yield_while(is_at_it)) return holder == 0;
        const std::uint64_t here = core::detail::this_thread_identity();
        return core::detail::has_ended((here >> 32 << 32) | holder, here) && variable_.taken_by.replace(holder, mine);
    }
    // Another thread that gives the tree its first values may store an older one meanwhile: the provenance shows it,
    // and both threads store the stronger one once more.
    [[gnu::cold]] void take_strongest(bool is_running) noexcept {
        bool is_decided = false, is_first = true;
        do {
            const descriptor::provenance held{variable_.provenance_word.load()};
            const int rank_of_held = rank_of(registry_.settings, held.origin());
            is_outdated_ = is_decided = false;
            rejected_count_ = 0;
            each([&](const candidate& each) {
                if (each.stored_setting != nullptr) each.stored_setting->is_known.store(true);
                if (is_decided) return false;
                is_decided = rank_of(registry_.settings, each.source) < rank_of_held ||
                             (is_first && each.is_held_by(variable_)) || takes(each, held, is_running);
                return false;
            });
            is_first = false;
        } while (is_outdated_);
    }
    // Whether nothing else need be tried. A tool that writes meanwhile has the last word.
    [[gnu::cold]] bool takes(const candidate& c, descriptor::provenance held, bool is_running) noexcept {
        const std::uint64_t word = c.provenance().word();
        const bool notifies = is_running && notified_ != word;
        descriptor::apply_result answer = descriptor::apply_result::is_constant;
        const auto store = [&] {
            answer = c.source == origin::info ? parse_hint(c.value, notifies)
                                              : variable_.operations->parse(variable_, c.value, notifies);
            return answer == descriptor::apply_result::taken;
        };
        if (variable_.scope != scope::constant) {
            if (variable_.is_adopted) store_adopted(variable_, store, [&] { return present_fingerprint(variable_); });
            else store();
        }
        if (answer == descriptor::apply_result::taken) {
            if (variable_.is_adopted) registry_.has_adopted_values.store(1);
            notified_ = word;
            std::uint64_t there = held.word();
            const bool is_mine = variable_.provenance_word.compare_exchange(there, word) || there == word;
            is_outdated_ =
                !is_mine && rank_of(registry_.settings, descriptor::provenance{there}.origin()) < middle_sources;
            return true;
        }
        if (rejected_count_ < most_rejected) refused_[rejected_count_++] = {c, answer};
        return false;
    }
    [[gnu::cold]] void report_rejected(bool is_running) noexcept {
        for (int i = 0; i < rejected_count_; i++) {
            if (is_told_later()) continue;
            const candidate& proposed = refused_[i].proposed;
            const bool is_reported =
                proposed.stored_setting != nullptr
                    ? proposed.stored_setting->is_reported.exchange(true)
                    : !with_environment_ || is_running || variable_.is_rejection_reported || !is_first_to_report();
            if (is_reported) continue;
            rejection_message text_of_report{variable_, proposed};
            const message& said = text_of_report.written(refused_[i].why);
            if (!is_silent_for_author(proposed, said)) reports_.add(said);
        }
    }
    // A library that hears of rejected values asks for them by mpit::resolve.
    [[gnu::cold]] bool is_told_later() const noexcept {
        return variable_.rules != nullptr && variable_.rules->tells_library() &&
               variable_.resolution.load() != descriptor::control::resolved;
    }
    [[gnu::cold]] bool is_silent_for_author(const candidate& proposed, const message& said) const noexcept {
        const descriptor::settings_rules* const rules = variable_.rules;
        if (rules == nullptr || !rules->tells_library()) return false;
        if (rules->on_rejected == nullptr) return rules->first_code.replace(0, rules->rejection_code), false;
        const char* place = proposed.stored_setting != nullptr ? proposed.stored_setting->place : "";
        const rejection_reply reply = rules->on_rejected(
            {variable_.name, proposed.name(), proposed.value, place, {said.line(), said.length()}, proposed.source});
        if (reply.code != 0) static_cast<void>(rules->first_code.replace(0, reply.code));
        return reply.is_silent;
    }
    // Of the value in the environment, which is reported once for each loading of a library.
    [[gnu::cold]] bool is_first_to_report() const noexcept {
        const unresolved_value* look = tree_ == nullptr ? nullptr : tree_->unresolved_values.load();
        while (look != nullptr && look->variable != &variable_) look = look->next;
        return look == nullptr || look->is_reported.exchange(1) == 0;
    }

    [[gnu::cold, gnu::noinline]] descriptor::apply_result parse_hint(text setting, bool notifies) noexcept {
        const info_value value{variable_, setting};
        return value.is_legal() ? variable_.operations->parse(variable_, value.spelled(), notifies)
                                : descriptor::apply_result::no_value;
    }

    // Two names of one variable in the environment with different values: the one in effect and the first other one.
    [[gnu::cold]] void report_other_value() noexcept {
        if (descriptor::provenance{variable_.provenance_word.load()}.origin() != origin::environment) return;
        candidate taken, other;
        each_of_environment(variable_, false, [&](const candidate& c) {
            if (c.is_held_by(variable_)) taken = c;
            else if (taken.is_there() && !core::equal(taken.value, c.value)) other = c;
            return other.is_there();
        });
        if (!other.is_there() || !is_first_report(registry_, report_topic::ignored, variable_.name)) return;
        message said;
        other.append(said);
        said.append(" has no effect: the control variable ");
        said.append_escaped(variable_.name, 256);
        said.append(" has the value of ");
        taken.append(said);
        reports_.add(said);
    }
    // A value under the former name is taken unless the present one has a value.
    [[gnu::cold]] void report_former_name() noexcept {
        candidate former, other;
        each([&](const candidate& c) {
            candidate& of_its_kind = c.is_former ? former : other;
            if (!of_its_kind.is_there()) of_its_kind = c;
            return false;
        });
        if (!former.is_there() || !is_first_report(registry_, report_topic::renamed, variable_.former_name)) return;
        message said;
        former.append(said);
        said.append(" is a former name of the control variable ");
        said.append_escaped(variable_.name, 256);
        if (other.is_there()) {
            said.append(", which has a value under its present name in ");
            other.append_place(said);
            if (former.is_held_by(variable_)) said.append(" that does not count");
            else if (other.is_held_by(variable_)) said.append(": that one counts");
        }
        reports_.add(said);
    }
    [[gnu::cold]] void report_deprecation() noexcept {
        candidate first;
        each([&](const candidate& c) { return first = c, true; });
        if (!first.is_there() || !is_first_report(registry_, report_topic::deprecated, variable_.name)) return;
        message said;
        first.append(said);
        said.append(": the control variable ");
        if (!core::equal(first.name(), variable_.name)) {
            said.append_escaped(variable_.name, 256);
            said.append(" ");
        }
        said.append("is deprecated: ");
        said.append_escaped(variable_.deprecation, 400);
        reports_.add(said);
    }

    struct rejected_candidate {
        candidate proposed;
        descriptor::apply_result why{};
    };
    static constexpr int most_rejected = 8;

    process_registry& registry_;
    descriptor::control& variable_;
    report_list& reports_;
    const pending_tree* tree_;
    bool with_environment_, is_outdated_ = false;
    std::uint64_t notified_ = 0; // the provenance of the value that was told
    rejected_candidate refused_[most_rejected];
    int rejected_count_ = 0;
};

// For one variable. If only the environment has a value, it was resolved at load.
[[gnu::cold]] inline void resolve_if_set(process_registry& registry, descriptor::control& variable,
                                         bool with_environment, bool is_running, report_list& reports,
                                         const pending_tree* tree = nullptr) noexcept {
    if (has_setting(registry.settings, variable))
        resolver{registry, variable, with_environment, reports, tree}.resolve_setting(is_running);
}

[[gnu::cold]] inline void resolve_tree_settings(process_registry& registry, pending_tree& a, bool has_new_order,
                                                report_list& reports) noexcept {
    const bool is_running = a.is_resolved.load(core::sequential) != 0;
    descriptor::for_each_item(*a.tree.load(), descriptor::item_visit{[&](descriptor::item& each) {
        if (each.item_kind == descriptor::kind::control)
            resolve_if_set(registry, static_cast<descriptor::control&>(each), !is_running || has_new_order, is_running,
                           reports, &a);
    }});
    if (is_running) return;
    for (const unresolved_value* look = a.unresolved_values.load(); look != nullptr; look = look->next)
        if (!has_setting(registry.settings, *look->variable))
            resolver{registry, *look->variable, true, reports, &a}.resolve_setting(false);
    a.is_resolved.store(1, core::sequential);
}

[[gnu::cold]] inline void resolve_known_variables(process_registry& registry, report_list& reports) noexcept {
    const core::read_guard guard; // nothing of it is unloaded meanwhile
    const std::uint32_t orders = registry.settings.order_changes.load();
    const bool has_new_order = resolver::has_new_order(registry.settings);
    registry.pending_trees.each([&](pending_tree& a) {
        const std::uint32_t state = a.state.load(core::sequential);
        const bool has_no_values =
            state == pending_tree::published && a.is_resolved.load() == 0; // a tool that only reads
        if (state == pending_tree::pending || has_no_values) resolve_tree_settings(registry, a, has_new_order, reports);
    });
    for (int i = 0, end = registry.count(kind::control); i < end; i++) {
        auto* live =
            static_cast<descriptor::control*>(registry.variable(kind::control, i)->live.load(core::sequential));
        if (live != nullptr) resolve_if_set(registry, *live, has_new_order, true, reports);
    }
    if (has_new_order) registry.settings.resolved_order_changes.store(orders);
}

// Returns when all variables that are there have their values, but those that this thread is at already, or another one
// that does not get on: it checks again.
[[gnu::cold]] inline void resolve_setting(process_registry& registry, report_list& reports) noexcept {
    registry.settings.resolutions.fetch_add(1);
    resolve_known_variables(registry, reports);
}
[[gnu::cold]] inline void resolve_setting(process_registry& registry) noexcept {
    report_list reports;
    resolve_setting(registry, reports);
    reports.send(registry.reports_to.load());
}

// For a pending tree whose library does not run yet.
[[gnu::cold]] inline void resolve_pending_tree(process_registry& registry, pending_tree& a,
                                               report_list& reports) noexcept {
    if (a.is_resolved.load(core::sequential) != 0) return;
    const bool is_empty = a.unresolved_values.load() == nullptr && registry.settings.count.load(core::sequential) == 0;
    if (is_empty) a.is_resolved.store(1);
    else resolve_tree_settings(registry, a, resolver::has_new_order(registry.settings), reports);
}

} // namespace registry
} // namespace mpit
