// SPDX-License-Identifier: BSD-3-Clause
// Resolves control variables, which means that a variable gets the value of the strongest setting that it accepts. Each
// rejected setting is reported. A thread that adds settings resolves all variables. If two threads resolve the same
// variable, the second thread yields a few times and then skips the variable. The first thread resolves a skipped
// variable once more, so that only one thread calls `.on_write` for a value. The first values of a loaded tree cause no
// call of `.on_write`, and several threads may store the first values.
//
//   add_setting_copy(registry, origin::info, name, value, place);   apply_settings(registry, reports);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/config/info_value.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/rejection_message.hpp>
#include <mpit/registry/process_registry.hpp>
#include <mpit/registry/report_once.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

class resolver {
public:
    // `tree` is the variable's tree if the tree is loaded but not yet published to tools, and null otherwise. Other
    // threads may resolve variables of the same tree at the same time.
    resolver(process_registry& registry, descriptor::control& variable, bool with_environment, report_list& reports,
             const pending_tree* tree = nullptr) noexcept
        : registry_{registry},
          variable_{variable},
          reports_{reports},
          tree_{tree},
          with_environment_{with_environment} {}

    // Resolves the variable. Repeats the resolution if another thread has added a setting in the meantime. The seq_cst
    // operations of two threads form a Dekker pattern. This thread releases the variable by a store to resolving_thread
    // and then loads `resolutions`. The other thread increments `resolutions` and then claims the variable. Either the
    // other thread gets the claim, or this thread loads the incremented `resolutions`.
    [[gnu::cold]] void resolve(bool is_running) noexcept {
        const auto self = static_cast<std::uint32_t>(core::detail::this_thread_identity());
        for (;;) {
            const std::uint32_t resolutions = registry_.settings.resolutions.load(core::seq_cst);
            const bool has_claim = claim(self);
            if (!has_claim && (is_running || variable_.resolving_thread.load() == self)) return;
            take_strongest(is_running);
            report_rejected(is_running);
            if (!variable_.has_only_its_name && with_environment_) report_other_value();
            if (variable_.former_name != nullptr) report_former_name();
            if (variable_.deprecation != nullptr) report_deprecation();
            if (!has_claim) return;
            variable_.resolving_thread.store(0, core::seq_cst);
            if (registry_.settings.resolutions.load(core::seq_cst) == resolutions) return;
            with_environment_ = with_environment_ || has_new_order(registry_.settings);
        }
    }
    static bool has_new_order(const setting_store& store) noexcept {
        return store.order_changes.load() != store.resolved_order_changes.load();
    }

private:
    template <class Visit> void for_each(const Visit& visit) const noexcept {
        for_each_candidate(registry_.settings, variable_, with_environment_ || variable_.was_storage_unconstructed,
                           visit);
    }
    // Claims the variable for this thread. Returns false if a running thread has claimed the variable already.
    [[gnu::cold]] bool claim(std::uint32_t self) noexcept {
        std::uint32_t owner = 0;
        const auto is_claimed_by_other = [&] {
            owner = 0;
            return !variable_.resolving_thread.compare_exchange(owner, self) && owner != self;
        };
        if (core::yield_while(is_claimed_by_other)) return owner == 0;
        const std::uint64_t identity = core::detail::this_thread_identity();
        return core::detail::has_ended((identity >> 32 << 32) | owner, identity) &&
               variable_.resolving_thread.compare_and_set(owner, self);
    }
    // Stores the strongest setting that the variable accepts. Before a tree is published, another thread may store a
    // weaker setting in the same variable. If the provenance (origin and location of the value) shows a weaker setting,
    // the thread stores the stronger setting again.
    [[gnu::cold]] void take_strongest(bool is_running) noexcept {
        bool is_decided = false, is_first = true;
        do {
            const descriptor::provenance current{variable_.provenance_word.load()};
            const int current_rank = rank_of(registry_.settings, current.origin());
            is_outdated_ = is_decided = false;
            rejected_count_ = 0;
            for_each([&](const candidate& setting) {
                if (setting.stored_setting != nullptr) setting.stored_setting->is_known.store(true);
                if (is_decided) return false;
                is_decided = rank_of(registry_.settings, setting.origin) < current_rank ||
                             (is_first && setting.is_current_value_of(variable_)) || take(setting, current, is_running);
                return false;
            });
            is_first = false;
        } while (is_outdated_);
    }
    // Returns true if the setting is accepted and stored. If a tool writes at the same time, the origin stays `tool`.
    [[gnu::cold]] bool take(const candidate& setting, descriptor::provenance current, bool is_running) noexcept {
        const std::uint64_t word = setting.provenance().word();
        const bool notifies = is_running && notified_ != word;
        descriptor::apply_result status = descriptor::apply_result::is_constant;
        const auto store = [&] {
            status = setting.origin == origin::info ? parse_hint(setting.value, notifies)
                                                    : variable_.operations->parse(variable_, setting.value, notifies);
            return status == descriptor::apply_result::stored;
        };
        if (variable_.scope != scope::constant) {
            if (variable_.is_adopted) store_adopted(variable_, store, [&] { return present_fingerprint(variable_); });
            else store();
        }
        if (status == descriptor::apply_result::stored) {
            if (variable_.is_adopted) registry_.has_adopted_values.store(1);
            notified_ = word;
            std::uint64_t expected = current.word();
            const bool is_stored = variable_.provenance_word.compare_exchange(expected, word) || expected == word;
            is_outdated_ = !is_stored && rank_of(registry_.settings, descriptor::provenance{expected}.origin()) <
                                             ordered_origin_count;
            return true;
        }
        if (rejected_count_ < max_rejected) rejected_[rejected_count_++] = {setting, status};
        return false;
    }
    [[gnu::cold]] void report_rejected(bool is_running) noexcept {
        for (int i = 0; i < rejected_count_; i++) {
            if (is_reported_later()) continue;
            const candidate& setting = rejected_[i].setting;
            const bool is_reported =
                setting.stored_setting != nullptr
                    ? setting.stored_setting->is_reported.exchange(true)
                    : !with_environment_ || is_running || variable_.is_rejection_reported || !is_first_to_report();
            if (is_reported) continue;
            rejection_message rejection{variable_, setting};
            const message& report = rejection.complete(rejected_[i].reason);
            if (!is_silenced_by_library(setting, report)) reports_.add(report);
        }
    }
    // True if mpit::resolve will report the rejected settings, because the library handles rejections in that call.
    [[gnu::cold]] bool is_reported_later() const noexcept {
        return variable_.rules != nullptr && variable_.rules->notifies_library() &&
               variable_.resolution.load() != descriptor::control::resolved;
    }
    // Passes a rejected setting to the library's .on_rejected. Returns true if .on_rejected suppresses the report.
    [[gnu::cold]] bool is_silenced_by_library(const candidate& setting, const message& report) const noexcept {
        const descriptor::settings_rules* const rules = variable_.rules;
        if (rules == nullptr || !rules->notifies_library()) return false;
        if (rules->on_rejected == nullptr) return rules->first_code.compare_and_set(0, rules->rejection_code), false;
        const char* place = setting.stored_setting != nullptr ? setting.stored_setting->place : "";
        const rejection_reply reply = rules->on_rejected(
            {variable_.name, setting.name(), setting.value, place, {report.line(), report.length()}, setting.origin});
        if (reply.code != 0) static_cast<void>(rules->first_code.compare_and_set(0, reply.code));
        return reply.is_silent;
    }
    // True if no thread has reported the rejected value in the environment before.
    [[gnu::cold]] bool is_first_to_report() const noexcept {
        const unresolved_value* entry = tree_ == nullptr ? nullptr : tree_->unresolved_values.load();
        while (entry != nullptr && entry->variable != &variable_) entry = entry->next;
        return entry == nullptr || entry->is_reported.exchange(1) == 0;
    }

    [[gnu::cold, gnu::noinline]] descriptor::apply_result parse_hint(text hint, bool notifies) noexcept {
        const info_value value{variable_, hint};
        return value.is_legal() ? variable_.operations->parse(variable_, value.spelled(), notifies)
                                : descriptor::apply_result::malformed;
    }

    // If two environment names of a variable have different values, reports the value in effect and one other value.
    [[gnu::cold]] void report_other_value() noexcept {
        if (descriptor::provenance{variable_.provenance_word.load()}.origin() != origin::environment) return;
        candidate current, other;
        for_each_in_environment(variable_, false, [&](const candidate& setting) {
            if (setting.is_current_value_of(variable_)) current = setting;
            else if (current.is_set() && !core::equal(current.value, setting.value)) other = setting;
            return other.is_set();
        });
        if (!other.is_set() || !is_first_report(registry_, report_topic::ignored, variable_.name)) return;
        message report;
        other.append(report);
        report.append(" has no effect: the control variable ");
        report.append_escaped(variable_.name, 256);
        report.append(" has the value of ");
        current.append(report);
        reports_.add(report);
    }
    // Reports a setting with the former name. Says which setting is used if the current name has a setting, too.
    [[gnu::cold]] void report_former_name() noexcept {
        candidate former, present;
        for_each([&](const candidate& setting) {
            candidate& first_of_name = setting.is_former ? former : present;
            if (!first_of_name.is_set()) first_of_name = setting;
            return false;
        });
        if (!former.is_set() || !is_first_report(registry_, report_topic::renamed, variable_.former_name)) return;
        message report;
        former.append(report);
        report.append(" uses a former name of the control variable ");
        report.append_escaped(variable_.name, 256);
        if (present.is_set()) {
            report.append(former.is_current_value_of(variable_)
                              ? "; it is in effect instead of the value of the present name in "
                          : present.is_current_value_of(variable_) ? "; in effect is the value of the present name in "
                                                                   : "; there is also a value of the present name in ");
            present.append_place(report);
        }
        reports_.add(report);
    }
    [[gnu::cold]] void report_deprecation() noexcept {
        candidate strongest;
        for_each([&](const candidate& setting) { return strongest = setting, true; });
        if (!strongest.is_set() || !is_first_report(registry_, report_topic::deprecated, variable_.name)) return;
        message report;
        strongest.append(report);
        report.append(": the control variable ");
        if (!core::equal(strongest.name(), variable_.name)) {
            report.append_escaped(variable_.name, 256);
            report.append(" ");
        }
        report.append("is deprecated: ");
        report.append_escaped(variable_.deprecation, 400);
        reports_.add(report);
    }

    struct rejected_setting {
        candidate setting;
        descriptor::apply_result reason{};
    };
    static constexpr int max_rejected = 8;

    process_registry& registry_;
    descriptor::control& variable_;
    report_list& reports_;
    const pending_tree* tree_;
    bool with_environment_, is_outdated_ = false;
    std::uint64_t notified_ = 0; // provenance of the latest value that was passed to .on_write
    rejected_setting rejected_[max_rejected];
    int rejected_count_ = 0;
};

// Resolves a variable if the registry stores a setting for it. Environment values were already stored at load.
[[gnu::cold]] inline void resolve_if_set(process_registry& registry, descriptor::control& variable,
                                         bool with_environment, bool is_running, report_list& reports,
                                         const pending_tree* tree = nullptr) noexcept {
    if (has_setting(registry.settings, variable))
        resolver{registry, variable, with_environment, reports, tree}.resolve(is_running);
}

[[gnu::cold]] inline void resolve_tree_settings(process_registry& registry, pending_tree& pending, bool has_new_order,
                                                report_list& reports) noexcept {
    const bool is_running = pending.is_resolved.load(core::seq_cst) != 0;
    descriptor::for_each_item(*pending.tree.load(), descriptor::item_visit{[&](descriptor::item& item) {
        if (item.item_kind == descriptor::kind::control)
            resolve_if_set(registry, static_cast<descriptor::control&>(item), !is_running || has_new_order, is_running,
                           reports, &pending);
    }});
    if (is_running) return;
    for (const unresolved_value* entry = pending.unresolved_values.load(); entry != nullptr; entry = entry->next)
        if (!has_setting(registry.settings, *entry->variable))
            resolver{registry, *entry->variable, true, reports, &pending}.resolve(false);
    pending.is_resolved.store(1, core::seq_cst);
}

[[gnu::cold]] inline void resolve_all_variables(process_registry& registry, report_list& reports) noexcept {
    const core::read_guard guard; // prevents that the library of a variable is unloaded meanwhile
    const std::uint32_t order_changes = registry.settings.order_changes.load();
    const bool has_new_order = resolver::has_new_order(registry.settings);
    registry.pending_trees.each([&](pending_tree& pending) {
        const std::uint32_t state = pending.state.load(core::seq_cst);
        // A tool with MPIT_ONLY_LOOKS publishes a tree of variables without resolving the variables.
        const bool is_left = state == pending_tree::published && pending.is_resolved.load() == 0;
        if (state == pending_tree::pending || is_left) resolve_tree_settings(registry, pending, has_new_order, reports);
    });
    for (int i = 0, end = registry.count(kind::control); i < end; i++) {
        auto* live = static_cast<descriptor::control*>(registry.variable(kind::control, i)->live.load(core::seq_cst));
        if (live != nullptr) resolve_if_set(registry, *live, has_new_order, true, reports);
    }
    if (has_new_order) registry.settings.resolved_order_changes.store(order_changes);
}

// Resolves all variables after settings were added. If another thread, or an interrupted call in this thread, is
// already resolving a variable, that thread or call applies the new setting.
[[gnu::cold]] inline void apply_settings(process_registry& registry, report_list& reports) noexcept {
    registry.settings.resolutions.fetch_add(1);
    resolve_all_variables(registry, reports);
}
[[gnu::cold]] inline void apply_settings(process_registry& registry) noexcept {
    report_list reports;
    apply_settings(registry, reports);
    reports.send(registry.reports_to.load());
}

// Resolves the variables of a tree that is loaded but not yet published, usually before the tree's library runs.
[[gnu::cold]] inline void resolve_pending_tree(process_registry& registry, pending_tree& pending,
                                               report_list& reports) noexcept {
    if (pending.is_resolved.load(core::seq_cst) != 0) return;
    const bool has_values = pending.unresolved_values.load() != nullptr;
    if (!has_values && registry.settings.count.load(core::seq_cst) == 0) pending.is_resolved.store(1);
    else resolve_tree_settings(registry, pending, resolver::has_new_order(registry.settings), reports);
}

} // namespace registry
} // namespace mpit
