// SPDX-License-Identifier: BSD-3-Clause
// Who serves tools keeps the index: it looks through the trees that arrive, and enters them as soon as a tool has come. Every
// shared object with a roof is ready to; when it is unloaded, another one is.
//
//   keep(*index);    // when it is loaded
//   serve(*index);   // when a tool comes: all trees that have arrived are in the index
#pragma once

#include <mpit/module/publish_pending.hpp>
#include <mpit/module/fork.hpp>
#include <mpit/config/lost_values.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Gives a tree the values of all sources, and reports what a person should know of it, whether a tool comes or not.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void look_through(process_index& index, arrival& a,
                                                         report_list& reports) noexcept {
    const bool is_looked_through = a.is_looked_through.load() != 0;
    if (!is_looked_through)
        descriptor::for_each_item(*a.tree.load(), [&](const descriptor::item& each) {
            if (has_adopted_value(each)) index.has_adopted_values.store(1);
        });
    settle_arrival(index, a, reports);
    if (is_looked_through) return;
    report_list misspelt;
    report_misspelt_names(index, *a.tree.load(), misspelt);
    if (a.is_looked_through.exchange(1) == 0) reports.take(misspelt);
}

// Enters a tree that waits, also where other threads are entering it. Without memory it waits on.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void enter_if_waiting(process_index& index, arrival& a,
                                                             report_list& reports) noexcept {
    const entering here{a};
    if (!here.is_possible()) return;
    if (!MPIT_ONLY_LOOKS) look_through(index, a, reports);
    if (enter_arrival(index, a, reports)) index.arrivals.finish(a);
}

// Makes all trees visible that have arrived, those as well that a thread is entering which was stopped. False without memory.
MPIT_MODULE_LOCAL [[gnu::cold]] inline bool enter_all(process_index& index) noexcept {
    bool are_all_in = true;
    index.arrivals.each([&](arrival& a) {
        if (a.state.load(core::sequential) != arrival::waiting) return;
        report_list reports;
        enter_if_waiting(index, a, reports);
        are_all_in = are_all_in && a.state.load() != arrival::waiting;
        if (!MPIT_ONLY_LOOKS) reports.send(index.reports_to.load());
    });
    return are_all_in;
}

MPIT_MODULE_LOCAL [[gnu::cold]] inline void receive(process_index& index, arrival& a, report_list& reports) noexcept {
    if (index.arrivals.is_served.load(core::sequential) != 0) {
        enter_if_waiting(index, a, reports);
    } else {
        const entering here{a};
        if (here.is_possible()) look_through(index, a, reports);
    }
    report_lost_values(index, reports);
}

// Tools are served from now on, here or through another shared object. False without memory for all that has arrived.
MPIT_MODULE_LOCAL inline bool serve(process_index& index) noexcept {
    if (index.arrivals.is_served.load() == 0) index.arrivals.is_served.store(1, core::sequential);
    if (!index.arrivals.has_waiting()) [[likely]]
        return true;
    return enter_all(index);
}

// For a tree that a tool has entered which only looks.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void look_through_if_entered(process_index& index, arrival& a,
                                                                    report_list& reports) noexcept {
    const entering here{a};
    if (a.state.load(core::sequential) == arrival::entered && a.is_looked_through.load() == 0)
        look_through(index, a, reports);
}

// False without memory.
MPIT_MODULE_LOCAL [[gnu::cold]] inline bool begin_keeping(process_index& index, report_list& reports) noexcept {
    pthread_atfork(&before_fork, nullptr, &in_child_of_fork);
    if (MPIT_ONLY_LOOKS) return true;
    read_named_files(index, reports);
    keeper* made = index.arrivals.keepers.load();
    while (made != nullptr && !made->receive.replace(nullptr, &receive)) made = made->next;
    const bool is_new = made == nullptr;
    if (is_new && (made = index.memory.make<keeper>()) == nullptr) return false;
    const auto end = [](void* of_this_module) noexcept {
        static_cast<keeper*>(of_this_module)->receive.store(nullptr, core::sequential);
        if (process_index* known = known_index.load()) internal::wait_for_those_who_look(known->lanes);
    };
    if (!at_unloading(index, end, made)) return made->receive.store(nullptr), false;
    if (is_new) {
        made->receive.store(&receive);
        made->next = index.arrivals.keepers.load();
        while (!index.arrivals.keepers.compare_exchange(made->next, made)) {}
    }
    index.arrivals.each([&](arrival& a) {
        if (a.state.load() == arrival::waiting) receive(index, a, reports);
        else look_through_if_entered(index, a, reports);
    });
    return true;
}

MPIT_MODULE_LOCAL inline constinit atomic<std::uint32_t> is_keeper{0};

// This shared object keeps the index from now on. False without memory.
MPIT_MODULE_LOCAL inline bool keep(process_index& index) noexcept {
    if (is_keeper.load() != 0) return true;
    report_list reports;
    if (begin_keeping(index, reports)) is_keeper.store(1);
    reports.send(index.reports_to.load());
    return is_keeper.load() != 0;
}

// The index with all that has arrived, kept by this shared object; null without memory for it. Not for signal handlers.
MPIT_MODULE_LOCAL inline process_index* served_index() noexcept {
    process_index* index = the_index();
    return index != nullptr && keep(*index) && serve(*index) ? index : nullptr;
}

} // namespace registry
} // namespace mpit
