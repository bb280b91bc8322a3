// SPDX-License-Identifier: BSD-3-Clause
// Discovery: adds the variables of the host and of the libraries of the process to the merged numbers. The host is
// asked only while its tool interface is initialized. One thread at a time discovers; a signal handler during discovery
// uses what is known. Without news no lock is tried.
//
//   the_numbers.discover(kind::control);   int n = the_numbers.list(kind::control).count();
#pragma once

#include <mpit/host/defects.hpp>
#include <mpit/over_mpi/host_info.hpp>
#include <mpit/over_mpi/try_lock.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

using descriptor::kind;
using mpi_t::names;

// How many items of one kind of the host, and of ours, have been added to the merged numbers. Any thread can ask for
// news at any time, at the cost of the host's get_num. Only discovery writes, after everything new was added.
class host_scan {
public:
    bool has_news(int present_own_count) noexcept {
        if (is_host_known_.load() == 0) return true;
        const auto get_num = get_num_.load();
        int count = 0;
        if (get_num != nullptr && (get_num(&count) != MPI_SUCCESS || count != count_.load())) return true;
        return present_own_count != own_count.load() || (has_holes_.load() != 0 && may_have_filled());
    }

    // Calls `take_in(host_number)` for those that no number stands for; it answers whether the host could tell.
    // `get_num` is null if it has nothing of this kind.
    template <class TakeIn> void scan_host(merged_numbers& all, int (*get_num)(int*), TakeIn take_in) noexcept {
        int count = 0;
        if (!the_host.is_open()) get_num = nullptr;
        get_num_.store(get_num);
        is_host_known_.store(the_host.is_open());
        if (get_num == nullptr || get_num(&count) != MPI_SUCCESS || count < 0) return;
        if (count > count_.load()) keep_plugins(the_host.which());
        if (count == count_.load() && has_holes_.load() == 0) return;
        const int update_number = update_number_of_host();
        bool has_holes = false, has_changed = update_number != update_number_.load();
        for (int i = 0; i < count; i++) {
            if (all.knows_host(i)) continue;
            if (take_in(i)) has_changed = true;
            else has_holes = true;
        }
        wait(has_changed ? fewest_polls_between : 2 * polls_between_.load(core::relaxed));
        update_number_.store(update_number);
        has_holes_.store(has_holes);
        count_.store(count);
    }

    atomic<int> own_count; // that were taken in

private:
    static constexpr std::uint32_t fewest_polls_between = 64, most_polls_between = 4096;

    static int update_number_of_host() noexcept {
        int number = -1;
        if (the_host.category_changed == nullptr || the_host.category_changed(&number) != MPI_SUCCESS) return -1;
        return number;
    }
    // Numbers that the host could not describe are read again when its categories have changed: it counts so that a
    // plugin was opened, but perhaps before the plugin is ready. So now and then it is asked without a reason, and less
    // and less often.
    bool may_have_filled() noexcept {
        const int update_number = update_number_of_host();
        if (update_number < 0 || update_number != update_number_.load()) return true;
        const std::uint32_t polls = polls_.load(core::relaxed) + 1;
        polls_.store(polls, core::relaxed);
        return polls >= polls_between_.load(core::relaxed);
    }
    void wait(std::uint32_t polls) noexcept {
        polls_.store(0, core::relaxed);
        polls_between_.store(polls < most_polls_between ? polls : most_polls_between, core::relaxed);
    }

    atomic<int> is_host_known_;
    atomic<int (*)(int*)> get_num_; // null if it has none
    atomic<int> count_, has_holes_;
    atomic<int> update_number_{-1}; // the host's when its gaps were last checked
    atomic<std::uint32_t> polls_, polls_between_{fewest_polls_between};
};

class merged_registry {
public:
    // The numbers of one kind; enumerations have none.
    merged_numbers& list(kind item_kind) noexcept { return lists_[static_cast<int>(item_kind)]; }
    host_info facts;

    // Takes in what is new, and those of the host's that answered an error until now.
    void discover(kind item_kind) noexcept {
        if (seen(item_kind).has_news(own_count(item_kind))) take_in_news(item_kind);
    }
    // Calls `use` under the lock of discovery, or not at all if the lock fails.
    template <class Use> void alone(Use use) noexcept { lock_.take(use); }
    // For the child of a fork.
    void forget_other_threads() noexcept { lock_.forget_other_threads(); }
    // How often something was taken in: members of categories may have come with it.
    int changes() const noexcept { return changes_.load(); }

private:
    host_scan& seen(kind item_kind) noexcept { return seen_[static_cast<int>(item_kind)]; }
    static int own_count(kind item_kind) noexcept {
        return item_kind == kind::source ? session::source_count(names()) : names().count(item_kind);
    }
    [[gnu::noinline]] void take_in_news(kind item_kind) noexcept {
        alone([&] {
            if (item_kind == kind::control) discover_controls();
            if (item_kind == kind::performance) discover_performances();
            if (item_kind == kind::category) discover_categories();
            if (item_kind == kind::event) discover_events();
            if (item_kind == kind::source) discover_sources();
        });
    }

    bool is_added(merged_numbers& all, merged_entry* fresh) noexcept {
        if (fresh == nullptr || !all.add(*fresh)) return false;
        changes_.fetch_add(1);
        return true;
    }
    // One of the host's, unless its name is there already. `make` reads all that the host says of it. Returns false if
    // it could not, or without memory.
    template <class Make>
    bool add_of_host(merged_numbers& all, const char* name, int variable_class, int host_number, const char* what,
                     Make make) noexcept {
        if (merged_entry* there = all.find(name, variable_class)) {
            if (!there->is_of_host) report_clash(*there, what);
            all.leave_out_host(host_number);
            return true;
        }
        merged_entry* made = make();
        if (!is_added(all, made)) return false;
        all.stand_for_host(*made, host_number);
        return true;
    }
    static void report_clash(merged_entry& there, const char* what) noexcept {
        if (there.is_clash_reported) return;
        there.is_clash_reported = true;
        registry::message said;
        said.append("the %s ", what);
        said.append_quoted(there.name, 256);
        said.append(" exists in the MPI of this process and in a library beside it; tools see %s",
                    there.is_of_host ? "that of the MPI" : "the library's, which was first");
        said.send(names().reports_to.load());
    }

    // Calls `take_in(record, number)` for ours that are new; it answers whether there was memory.
    template <class TakeIn> void visit_own(kind item_kind, TakeIn take_in) noexcept {
        const int count = names().count(item_kind);
        for (int i = seen(item_kind).own_count.load(); i < count; i++) {
            if (!take_in(*names().at(item_kind, i), i)) return;
            seen(item_kind).own_count.store(i + 1);
        }
    }
    // Ours, unless the host has one of this name. Returns false without memory.
    bool add_own_variable(merged_numbers& all, const registry::record& own, int number, int variable_class,
                          const char* what) noexcept {
        if (merged_entry* there = all.find(own.name, variable_class)) {
            if (!is_listed_by_host(*there, own)) report_clash(*there, what);
            all.leave_out_own(number);
            return true;
        }
        merged_entry* made = made_for(own.name, own.description, variable_class);
        if (made != nullptr) made->own = static_cast<const registry::variable_record*>(&own);
        if (!is_added(all, made)) return false;
        all.stand_for_own(*made, number);
        return true;
    }
    // A host that embeds mpit itself, or other shims like these, lists the same variables.
    static bool is_listed_by_host(const merged_entry& there, const registry::record& own) noexcept {
        return there.is_of_host && core::equal(there.description, own.description);
    }
    template <class Entry = merged_entry>
    Entry* made_for(text name, text description, int variable_class = 0) noexcept {
        auto* made = facts.memory.make<Entry>();
        if (made == nullptr) return nullptr;
        made->name = name;
        made->description = description;
        made->variable_class = variable_class;
        return made;
    }

    void discover_controls() noexcept {
        constexpr const char* what = "control variable";
        const auto take_in = [&](int host_number) {
            char name[host::longest_host_name];
            host::described_variable v;
            const auto query = [&](const host::text_arguments& t) {
                return facts.host.query_control(host_number, v, t);
            };
            if (facts.host.name(name, query) != MPI_SUCCESS) return false;
            const auto make = [&]() -> host_variable* {
                if (v.binding == MPI_T_BIND_NO_OBJECT && !host::is_readable(host_number)) return nullptr;
                return facts.control(host_number);
            };
            return add_of_host(list(kind::control), name, 0, host_number, what, make);
        };
        seen(kind::control)
            .scan_host(list(kind::control), the_host.has(function_group::controls) ? the_host.cvar_get_num : nullptr,
                       take_in);
        visit_own(kind::control, [&](const registry::record& own, int number) {
            return add_own_variable(list(kind::control), own, number, 0, what);
        });
    }
    void discover_performances() noexcept {
        constexpr const char* what = "performance variable";
        const auto take_in = [&](int host_number) {
            char name[host::longest_host_name];
            host::described_variable v;
            const auto query = [&](const host::text_arguments& t) {
                return facts.host.query_performance(host_number, v, t);
            };
            if (facts.host.name(name, query) != MPI_SUCCESS) return false;
            if (is_fatal(name, the_host.which())) {
                list(kind::performance).leave_out_host(host_number);
                return true;
            }
            return add_of_host(list(kind::performance), name, v.variable_class, host_number, what,
                               [&] { return facts.performance(host_number); });
        };
        seen(kind::performance)
            .scan_host(list(kind::performance),
                       the_host.has(function_group::performances) ? the_host.pvar_get_num : nullptr, take_in);
        visit_own(kind::performance, [&](const registry::record& own, int number) {
            return add_own_variable(list(kind::performance), own, number, mpi_t::constant_of(own.variable_class), what);
        });
    }
    void discover_events() noexcept {
        constexpr const char* what = "event";
        const auto take_in = [&](int host_number) {
            char name[host::longest_host_name];
            host::described_event e;
            const auto query = [&](const host::text_arguments& t) {
                return facts.host.query_event(host_number, e, e.element_count, t);
            };
            if (facts.host.name(name, query) != MPI_SUCCESS) return false;
            return add_of_host(list(kind::event), name, 0, host_number, what, [&] { return facts.event(host_number); });
        };
        seen(kind::event)
            .scan_host(list(kind::event), the_host.has(function_group::events) ? the_host.event_get_num : nullptr,
                       take_in);
        visit_own(kind::event, [&](const registry::record& own, int number) {
            return add_own_variable(list(kind::event), own, number, 0, what);
        });
    }
    // Each has a number, because events tell theirs; what has the same name and description is one.
    void discover_sources() noexcept {
        const auto take_in = [&](int host_number) {
            char name[host::longest_host_name];
            host_source seen;
            const auto query = [&](const host::text_arguments& t) {
                return facts.host.query_source(host_number, seen, t);
            };
            if (facts.host.name(name, query) != MPI_SUCCESS) return false;
            merged_entry* entry = entry_of_source(facts.source(host_number), "_of_the_mpi");
            if (entry != nullptr) list(kind::source).stand_for_host(*entry, host_number);
            return entry != nullptr;
        };
        seen(kind::source)
            .scan_host(list(kind::source), the_host.has(function_group::sources) ? the_host.source_get_num : nullptr,
                       take_in);
        const int count = session::source_count(names());
        for (int i = seen(kind::source).own_count.load(); i < count; i++) {
            session::source_info own;
            if (!session::find_source_names(names(), i, own)) return;
            merged_entry* entry = entry_of_source(made_for(own.name, own.description), "_of_a_library");
            if (entry == nullptr) return;
            list(kind::source).stand_for_own(*entry, i);
            seen(kind::source).own_count.store(i + 1);
        }
    }
    // The one that is there already or the new one, with another name where another source has this one.
    merged_entry* entry_of_source(merged_entry* made, text suffix) noexcept {
        if (made == nullptr) return nullptr;
        if (merged_entry* there = list(kind::source).find(made->name, 0)) {
            if (core::equal(there->description, made->description)) return there;
            report_clash(*there, "source of events");
            if (!facts.append(made->name, suffix)) return nullptr;
        }
        return list(kind::source).add(*made) ? made : nullptr;
    }
    // A category that both have is one.
    void discover_categories() noexcept {
        const auto take_in = [&](int host_number) {
            char name[host::longest_host_name];
            const auto query = [&](const host::text_arguments& t) { return facts.host.query_category(host_number, t); };
            if (facts.host.name(name, query) != MPI_SUCCESS) return false;
            merged_entry* there = list(kind::category).find(name, 0);
            if (there != nullptr && there->host_number.load() >= 0) {
                list(kind::category).leave_out_host(host_number);
                return true;
            }
            if (there == nullptr) {
                there = facts.category(host_number);
                if (!is_added(list(kind::category), there)) return false;
            }
            list(kind::category).stand_for_host(*there, host_number);
            changes_.fetch_add(1);
            return true;
        };
        seen(kind::category)
            .scan_host(list(kind::category),
                       the_host.has(function_group::categories) ? the_host.category_get_num : nullptr, take_in);
        visit_own(kind::category, [&](const registry::record& own, int number) {
            merged_entry* there = list(kind::category).find(own.name, 0);
            if (there == nullptr) {
                there = made_for<merged_category>(own.name, own.description);
                if (!is_added(list(kind::category), there)) return false;
            }
            list(kind::category).stand_for_own(*there, number);
            changes_.fetch_add(1);
            return true;
        });
    }

    merged_numbers lists_[descriptor::kind_count];
    host_scan seen_[descriptor::kind_count];
    try_lock lock_;
    atomic<int> changes_;
};

inline constinit merged_registry the_numbers;

// Calls `find()` and, where it answers false, once more when everything that is new has been taken in.
template <class Find> [[gnu::always_inline]] inline bool find_or_discover(kind item_kind, Find find) noexcept {
    if (find()) [[likely]]
        return true;
    the_numbers.discover(item_kind);
    return find();
}

} // namespace over_mpi
} // namespace mpit
