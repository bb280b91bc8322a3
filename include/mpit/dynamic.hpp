// SPDX-License-Identifier: BSD-3-Clause
// Variables that are described at run time: what another library reports of itself becomes control and performance
// variables that tools cannot tell from declared ones. Names are checked when they are added; all else is as in
// mpit.hpp.
//
//   mpit::dynamic fabric{"libfabric", "Runtime parameters of libfabric"};
//   if (fabric.control<int>("FI_TX_SIZE", "Entries of a queue", {.initial = 256}) != mpit::result::success) …
//   const mpit::dynamic_answer answer = fabric.publish();
#pragma once

#include <mpit/begin.hpp>

#include <mpit/dynamic/registration.hpp>
#include <mpit/module/before_tools.hpp> // IWYU pragma: export
#include <mpit/module/resolve.hpp>

namespace mpit::inline v0_1 {

// A category of a group: a small value that is good as long as the group. If it could not be made, all that is added to
// it answers why. One thread at a time uses a group and its categories, outside of signal handlers: they allocate.
class dynamic_category {
public:
    // Adds a control variable: a number, bool, a described enumeration, char[] for a text, or int[] and the like for
    // numbers in an array of the library. All texts are copied, if the group is not one of group_texts::stay.
    // MPI_T_ERR_INVALID_NAME, MPI_T_ERR_INVALID for settings that contradict each other or storage whose value is none
    // of the items, or MPI_T_ERR_MEMORY. control<bool, int> and control<E, int> are over storage of that type, as those
    // of mpit::control_ref.
    template <class T, class Storage = T>
    MPIT_MODULE_LOCAL result control(const char* name, const char* description,
                                     const dynamic_settings<T, Storage>& chosen = {}) const noexcept {
        static_assert(
            __is_same(T, char[]) || core::number<T> || core::is_described<T> || internal::is_array_of_numbers<T>,
            "a control variable that is described at run time is a number, bool, a described enumeration, char[] or "
            "int[]");
        return add_control(name, description, internal::describe(chosen));
    }
    // Adds a control variable of MPI objects, with a value in each of them: a number, bool or a described enumeration.
    // The answers are those of control(). A tool that binds a handle to an object that there is not gets
    // MPI_T_ERR_INVALID_HANDLE, also in a later read or write.
    template <class T, class Storage = T>
    MPIT_MODULE_LOCAL result bound_control(const char* name, const char* description,
                                           const dynamic_bound_settings<T, Storage>& chosen) const noexcept {
        static_assert(core::number<T> || core::is_described<T>,
                      "a control variable of MPI objects that is described at run time is a number, bool or a "
                      "described enumeration");
        return add_control(name, description, internal::describe(chosen));
    }
    // Adds a performance variable of any class but the watermarks, which have cells (MPI-5.0, 15.3.7). The answers are
    // those of control().
    template <performance_class Class, class T>
    MPIT_MODULE_LOCAL result computed(const char* name, const char* description,
                                      const dynamic_computed_settings<T>& chosen) const noexcept {
        return add_performance(name, description, internal::describe<Class, T>(chosen));
    }
    // Adds a counter, an aggregate or a timer over a cell of the library: counter_cell, timer_cell for a timer. A
    // counter and an aggregate are unsigned numbers, a timer is double, for seconds, or unsigned, for nanoseconds. The
    // answers are those of control().
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result counter(const char* name, const char* description,
                                     const dynamic_cell_settings<counter_cell>& chosen) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::counter, T>(chosen));
    }
    // The same for amounts, in the unit that the description says; of doubles over a real_cell.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result
    aggregate(const char* name, const char* description,
              const dynamic_cell_settings<typename internal::cell_of_amounts<T>::type>& chosen) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::aggregate, T>(chosen));
    }
    // The same for times, in seconds or nanoseconds.
    template <class T = double>
    MPIT_MODULE_LOCAL result timer(const char* name, const char* description,
                                   const dynamic_cell_settings<timer_cell>& chosen) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::timer, T>(chosen));
    }
    // A timer over a cell to which the library adds seconds.
    MPIT_MODULE_LOCAL result seconds(const char* name, const char* description,
                                     const dynamic_cell_settings<real_cell>& chosen) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::timer, double>(chosen));
    }
    // Adds a level, a size or a percentage over a cell of the library. One cell may have several variables, also of
    // watermarks. The answers are those of control().
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result level(const char* name, const char* description,
                                   const dynamic_cell_settings<level_cell<T>>& chosen) const noexcept {
        return add_performance(name, description, internal::describe_level<performance_class::level, T>(chosen));
    }
    // How large a resource is.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result size(const char* name, const char* description,
                                  const dynamic_cell_settings<level_cell<T>>& chosen) const noexcept {
        return add_performance(name, description, internal::describe_level<performance_class::size, T>(chosen));
    }
    // Which part of a resource is in use, from 0.0 to 1.0.
    MPIT_MODULE_LOCAL result percentage(const char* name, const char* description,
                                        const dynamic_cell_settings<level_cell<double>>& chosen) const noexcept {
        return add_performance(name, description,
                               internal::describe_level<performance_class::percentage, double>(chosen));
    }
    // The highest level of a cell, for each handle since it was started or reset.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result high_watermark(const char* name, const char* description,
                                            const dynamic_cell_settings<level_cell<T>>& chosen) const noexcept {
        return add_performance(name, description,
                               internal::describe_level<performance_class::high_watermark, T>(chosen));
    }
    // The lowest level of a cell.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result low_watermark(const char* name, const char* description,
                                           const dynamic_cell_settings<level_cell<T>>& chosen) const noexcept {
        return add_performance(name, description,
                               internal::describe_level<performance_class::low_watermark, T>(chosen));
    }
    // Adds a state over a cell of the library, of a described enumeration, or of int with the items of the settings.
    // The answers are those of control(); MPI_T_ERR_INVALID as well if the present state is none of the items.
    template <class E = int>
    MPIT_MODULE_LOCAL result state(const char* name, const char* description,
                                   const dynamic_cell_settings<state_cell<E>>& chosen) const noexcept {
        return add_performance(name, description, internal::describe_state<E>(chosen));
    }
    // Adds a source, which events name. The answers are those of control(); MPI_T_ERR_INVALID as well if the cell is in
    // a group, or for a clock without ticks.
    MPIT_MODULE_LOCAL result source(const char* name, const char* description,
                                    const dynamic_source_settings& chosen) const noexcept {
        if (chosen.cell == nullptr) return branch_ == nullptr ? why_ : result::invalid;
        return add_source(name, description, chosen.cell->place(), chosen);
    }
    // Adds an event. The answers are those of control(); MPI_T_ERR_INVALID as well if the cell is in a group, or its
    // source in none.
    template <class Payload>
    MPIT_MODULE_LOCAL result event(const char* name, const char* description,
                                   const dynamic_event_settings<Payload>& chosen) const noexcept {
        static_assert(core::has_elements<Payload>());
        if (chosen.cell == nullptr || !chosen.source.is_described || chosen.bound.elements != nullptr)
            return branch_ == nullptr ? why_ : result::invalid;
        const internal::dynamic_event_traits traits{core::payload_of<Payload>(), chosen.verbosity, chosen.bound.kind,
                                                    chosen.bound.handle_size,    chosen.exists,    chosen.source.kind,
                                                    chosen.source.source};
        return add_event(name, description, chosen.cell->place(), traits, 0,
                         [](internal::dynamic_room&, core::payload_view&) {});
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL void expect(std::size_t count) const noexcept {
        if (branch_ != nullptr) tree_->expect(*branch_, count);
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL result add_control(const char* name, const char* description,
                                         const internal::control_description& from) const noexcept {
        if (branch_ == nullptr) return why_;
        return tree_->add_control(*branch_, internal::text_of(name), internal::text_of(description), from);
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL result add_performance(const char* name, const char* description,
                                             const internal::performance_description& from) const noexcept {
        if (branch_ == nullptr) return why_;
        return tree_->add_performance(*branch_, internal::text_of(name), internal::text_of(description), from);
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL result add_source(const char* name, const char* description,
                                        internal::described_place<internal::dynamic_source>& place,
                                        const dynamic_source_settings& chosen) const noexcept {
        if (branch_ == nullptr) return why_;
        return tree_->add_source(*branch_, internal::text_of(name), internal::text_of(description), place, chosen);
    }
    // For the library's own use.
    template <class Function>
    MPIT_MODULE_LOCAL result add_event(const char* name, const char* description,
                                       internal::described_place<internal::dynamic_event>& place,
                                       const internal::dynamic_event_traits& traits, std::size_t bytes,
                                       const Function& keep) const noexcept {
        if (branch_ == nullptr) return why_;
        return tree_->add_event(*branch_, internal::text_of(name), internal::text_of(description), place, traits, bytes,
                                keep);
    }
    // Whether the category could be made; if not, why.
    MPIT_MODULE_LOCAL result answer() const noexcept { return branch_ != nullptr ? result::success : why_; }
    // A category inside of this one; two of one name are one for tools (MPI-5.0, 15.3.9).
    MPIT_MODULE_LOCAL dynamic_category category(const char* name, const char* description = "") const noexcept {
        dynamic_category made{*tree_, why_};
        if (branch_ != nullptr)
            made.branch_ = tree_->branch(branch_, internal::text_of(name), internal::text_of(description), made.why_);
        return made;
    }

protected:
    MPIT_MODULE_LOCAL dynamic_category(internal::dynamic_tree& tree, result why) noexcept : tree_{&tree}, why_{why} {}

    internal::dynamic_tree* tree_;
    internal::dynamic_branch* branch_ = nullptr;
    result why_;
};

// A group of variables under a category of its own. Tools see the variables after publish(), which may be called again
// and again; the end of the group unregisters all of it and waits until no reader is left, as dlclose() does for
// declared trees. Numbers and names stay, and come back with a later group. One thread at a time uses a group; groups
// of the whole process need no order among each other. Not for signal handlers. A function of a variable that ends its
// group, in a call of a tool, waits for no other call of its thread: memory of the group that the call uses stays with
// the process, and the storage and data of its variables have to stay until the call returns.
class dynamic : public dynamic_category {
public:
    // `chosen` is the policy for the settings of the group; its texts are copied, as those of categories, events and
    // sources are. All that is added to a group with a name of the environment that cannot be answers
    // MPI_T_ERR_INVALID_NAME. A template, so that a file that only includes this header starts nothing.
    template <class Module = void>
    MPIT_MODULE_LOCAL explicit dynamic(const char* name, const char* description = "",
                                       const settings_policy& chosen = {},
                                       group_texts texts = group_texts::copied) noexcept
        : dynamic_category{own_tree_, result::success} {
        if (texts == group_texts::stay) own_tree_.use_texts_in_place();
        static_cast<void>(registry::start_of_module<Module>::type::registry);
        branch_ = own_tree_.branch(nullptr, internal::text_of(name), internal::text_of(description), why_, chosen);
    }
    MPIT_MODULE_LOCAL ~dynamic() { static_cast<void>(registry::end_group(own_tree_, place_)); }
    // For the library's own use: ends the group before this object. Returns false if a thread may still use what its
    // variables refer to.
    MPIT_MODULE_LOCAL bool end() noexcept {
        registry::dynamic_place* const place = place_;
        branch_ = nullptr;
        place_ = nullptr;
        return registry::end_group(own_tree_, place);
    }
    dynamic(const dynamic&) = delete;
    dynamic& operator=(const dynamic&) = delete;

    // Publishes everything that was added since the last time, as one batch. `refused(const char* name)` is called for
    // each variable whose name is taken; nothing else suffers from it.
    template <class Function> MPIT_MODULE_LOCAL dynamic_answer publish(const Function& refused) noexcept {
        if (branch_ == nullptr) return {why_};
        return registry::register_group(own_tree_, place_, refused);
    }
    MPIT_MODULE_LOCAL dynamic_answer publish() noexcept {
        return publish([](const char*) {});
    }

    // The same as mpit::resolve for the variables with .storage that are registered.
    MPIT_MODULE_LOCAL void resolve() noexcept {
        own_tree_.for_each_round(
            [](descriptor::category& round) { registry::resolve_tree(registry::known_registry.load(), round); });
    }

    // The first error code of the policy for a value that could not be used, since publish() has answered or this was
    // called; 0 for none.
    MPIT_MODULE_LOCAL int rejected() noexcept {
        int first = 0;
        own_tree_.for_each_round([&](internal::dynamic_category_item& round) {
            const int code = round.own_rules.first_code.exchange(0);
            if (first == 0) first = code;
        });
        return first;
    }

    // The same as mpit::given and mpit::is_outranked for a variable by its name, also before it is published.
    // Before it is published, the default of a variable with storage is unknown from then on, unless one is declared.
    // MPI_T_ERR_INVALID_NAME if the group has no such variable.
    MPIT_MODULE_LOCAL result given(const char* name, origin source, const char* place = "") noexcept {
        descriptor::control* variable = control_of(name);
        if (variable == nullptr) return result::invalid_name;
        const result noted =
            registry::note_given(registry::the_registry(), *variable, source, internal::text_of(place));
        const bool hides_default =
            source != origin::library && !variable->has_default_value && own_tree_.is_new(*variable);
        if (noted == result::success && hides_default) variable->is_default_unknown = true;
        return noted;
    }
    // Returns false if the group has no such variable.
    MPIT_MODULE_LOCAL bool is_outranked(const char* name, origin source) noexcept {
        descriptor::control* variable = control_of(name);
        return variable != nullptr && registry::is_outranked(registry::the_registry(), *variable, source);
    }

private:
    MPIT_MODULE_LOCAL descriptor::control* control_of(const char* name) noexcept {
        const core::text wanted = internal::text_of(name);
        descriptor::control* found_one = nullptr;
        own_tree_.for_each_round([&](descriptor::category& round) {
            descriptor::for_each_item(round, [&](descriptor::item& each) {
                if (each.item_kind == descriptor::kind::control && core::equal(each.name, wanted))
                    found_one = static_cast<descriptor::control*>(&each);
            });
        });
        return found_one;
    }

    internal::dynamic_tree own_tree_;
    registry::dynamic_place* place_ = nullptr;
};

} // namespace mpit

#include <mpit/end.hpp>
