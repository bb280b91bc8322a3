// SPDX-License-Identifier: BSD-3-Clause
// Variables that are described at run time, such as the parameters and counters of another library. Tools cannot
// distinguish these variables from declared variables. Names are checked when the variables are added. All other rules
// are the same as in mpit.hpp.
//
//   mpit::dynamic fabric{"libfabric", "Runtime parameters of libfabric"};
//   if (fabric.control<int>("FI_TX_SIZE", "Entries of a queue", {.initial = 256}) != mpit::result::success) ...
//   const mpit::dynamic_answer published = fabric.publish();
#pragma once

#include <mpit/begin.hpp>

#include <mpit/dynamic/registration.hpp>
#include <mpit/module/before_tools.hpp> // IWYU pragma: export
#include <mpit/module/resolve.hpp>

namespace mpit::inline v0_1 {

// A category of a run-time group, as a small value that is valid as long as the group. If the category could not be
// created, the functions that add to the category return the reason. One thread at a time uses a run-time group and the
// categories of the group. These functions are not for signal handlers, because the functions allocate memory.
class dynamic_category {
public:
    // Adds a control variable, which is a number, a bool, a described enumeration, char[] for a text, or int[] and
    // similar types for an array of numbers in the library. All texts are copied, unless the group has
    // group_texts::stay. Returns MPI_T_ERR_INVALID_NAME for an impossible name, MPI_T_ERR_MEMORY if memory is
    // exhausted, and MPI_T_ERR_INVALID for settings that contradict each other or for a stored value that is not one of
    // the items. The storage of control<bool, int> and control<E, int> has the type int.
    template <class T, class Storage = T>
    MPIT_MODULE_LOCAL result control(const char* name, const char* description,
                                     const dynamic_settings<T, Storage>& settings = {}) const noexcept {
        static_assert(
            __is_same(T, char[]) || core::number<T> || core::is_described<T> || internal::is_array_of_numbers<T>,
            "a control variable that is described at run time must be a number, bool, a described enumeration, char[] "
            "or int[]");
        return add_control(name, description, internal::describe(settings));
    }
    // Adds a control variable that is bound to MPI objects. Each object has a number, a bool or a described enumeration
    // as the value. Returns the same errors as control(). A tool that binds a handle to an object that does not exist
    // gets MPI_T_ERR_INVALID_HANDLE from the allocation, and also from a later read or write.
    template <class T, class Storage = T>
    MPIT_MODULE_LOCAL result bound_control(const char* name, const char* description,
                                           const dynamic_bound_settings<T, Storage>& settings) const noexcept {
        static_assert(core::number<T> || core::is_described<T>,
                      "a control variable of MPI objects that is described at run time must be a number, bool or a "
                      "described enumeration");
        return add_control(name, description, internal::describe(settings));
    }
    // Adds a performance variable without a cell. Watermarks need cells (MPI-5.0, 15.3.7). Returns the errors of
    // control().
    template <performance_class Class, class T>
    MPIT_MODULE_LOCAL result computed(const char* name, const char* description,
                                      const dynamic_computed_settings<T>& settings) const noexcept {
        return add_performance(name, description, internal::describe<Class, T>(settings));
    }
    // Adds a counter, an unsigned number, over a counter_cell of the library. Returns the errors of control().
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result counter(const char* name, const char* description,
                                     const dynamic_cell_settings<counter_cell>& settings) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::counter, T>(settings));
    }
    // Adds an aggregate. The amounts in a counter_cell are unsigned integers, in the unit that the description names;
    // those in a real_cell are doubles. Returns the same errors as control().
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result
    aggregate(const char* name, const char* description,
              const dynamic_cell_settings<typename internal::cell_of_amounts<T>::type>& settings) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::aggregate, T>(settings));
    }
    // Adds a timer over a timer_cell. The type is double for seconds, or unsigned for nanoseconds. Returns the errors
    // of control().
    template <class T = double>
    MPIT_MODULE_LOCAL result timer(const char* name, const char* description,
                                   const dynamic_cell_settings<timer_cell>& settings) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::timer, T>(settings));
    }
    // Adds a timer over a cell to which the library adds seconds.
    MPIT_MODULE_LOCAL result seconds(const char* name, const char* description,
                                     const dynamic_cell_settings<real_cell>& settings) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::timer, double>(settings));
    }
    // Adds a level over a cell of the library. Several variables, such as sizes, percentages and watermarks, may use
    // the same cell. Returns the same errors as control().
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result level(const char* name, const char* description,
                                   const dynamic_cell_settings<level_cell<T>>& settings) const noexcept {
        return add_performance(name, description, internal::describe_level<performance_class::level, T>(settings));
    }
    // Adds a size, which is the extent of a resource.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result size(const char* name, const char* description,
                                  const dynamic_cell_settings<level_cell<T>>& settings) const noexcept {
        return add_performance(name, description, internal::describe_level<performance_class::size, T>(settings));
    }
    // Adds a percentage, which is the used part of a resource, from 0.0 to 1.0.
    MPIT_MODULE_LOCAL result percentage(const char* name, const char* description,
                                        const dynamic_cell_settings<level_cell<double>>& settings) const noexcept {
        return add_performance(name, description,
                               internal::describe_level<performance_class::percentage, double>(settings));
    }
    // Adds a watermark, which is the highest level of a cell since the start or reset of a handle.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result high_watermark(const char* name, const char* description,
                                            const dynamic_cell_settings<level_cell<T>>& settings) const noexcept {
        return add_performance(name, description,
                               internal::describe_level<performance_class::high_watermark, T>(settings));
    }
    // Adds a watermark, which is the lowest level of a cell since the start or reset of a handle.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result low_watermark(const char* name, const char* description,
                                           const dynamic_cell_settings<level_cell<T>>& settings) const noexcept {
        return add_performance(name, description,
                               internal::describe_level<performance_class::low_watermark, T>(settings));
    }
    // Adds a state over a cell of the library. The type is a described enumeration, or int with the items of the
    // settings. Returns the same errors as control(), and MPI_T_ERR_INVALID if the current state is not one of the
    // items.
    template <class E = int>
    MPIT_MODULE_LOCAL result state(const char* name, const char* description,
                                   const dynamic_cell_settings<state_cell<E>>& settings) const noexcept {
        return add_performance(name, description, internal::describe_state<E>(settings));
    }
    // Adds a source, which events name in their settings. Returns the same errors as control(), and MPI_T_ERR_INVALID
    // if the cell is already in a run-time group or the clock has no ticks.
    MPIT_MODULE_LOCAL result source(const char* name, const char* description,
                                    const dynamic_source_settings& settings) const noexcept {
        if (settings.cell == nullptr) return category_ == nullptr ? error_ : result::invalid;
        return add_source(name, description, settings.cell->place(), settings);
    }
    // Adds an event. Returns the same errors as control(), and MPI_T_ERR_INVALID if the cell is already in a run-time
    // group or the source is not in a run-time group.
    template <class Payload>
    MPIT_MODULE_LOCAL result event(const char* name, const char* description,
                                   const dynamic_event_settings<Payload>& settings) const noexcept {
        static_assert(core::has_elements<Payload>());
        if (settings.cell == nullptr || !settings.source.is_described || settings.bound.elements != nullptr)
            return category_ == nullptr ? error_ : result::invalid;
        const internal::dynamic_event_traits traits{
            core::payload_of<Payload>(), settings.verbosity, settings.bound.kind,
            settings.bound.handle_size,  settings.exists,    settings.source.kind,
            settings.source.source};
        return add_event(name, description, settings.cell->place(), traits, 0,
                         [](internal::part_allocator&, core::payload_view&) {});
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL void expect(std::size_t count) const noexcept {
        if (category_ != nullptr) trees_->reserve(*category_, count);
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL result add_control(const char* name, const char* description,
                                         const internal::control_description& from) const noexcept {
        if (category_ == nullptr) return error_;
        return trees_->add_control(*category_, internal::text_of(name), internal::text_of(description), from);
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL result add_performance(const char* name, const char* description,
                                             const internal::performance_description& from) const noexcept {
        if (category_ == nullptr) return error_;
        return trees_->add_performance(*category_, internal::text_of(name), internal::text_of(description), from);
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL result add_source(const char* name, const char* description,
                                        internal::descriptor_storage<internal::dynamic_source>& place,
                                        const dynamic_source_settings& settings) const noexcept {
        if (category_ == nullptr) return error_;
        return trees_->add_source(*category_, internal::text_of(name), internal::text_of(description), place, settings);
    }
    // For the library's own use.
    template <class Function>
    MPIT_MODULE_LOCAL result add_event(const char* name, const char* description,
                                       internal::descriptor_storage<internal::dynamic_event>& place,
                                       const internal::dynamic_event_traits& traits, std::size_t bytes,
                                       const Function& add_elements) const noexcept {
        if (category_ == nullptr) return error_;
        return trees_->add_event(*category_, internal::text_of(name), internal::text_of(description), place, traits,
                                 bytes, add_elements);
    }
    // Returns success, or the reason why the category could not be created.
    MPIT_MODULE_LOCAL result answer() const noexcept { return category_ != nullptr ? result::success : error_; }
    // Adds a category inside of this category. Tools see two categories with the same name as one category (MPI-5.0,
    // 15.3.9).
    MPIT_MODULE_LOCAL dynamic_category category(const char* name, const char* description = "") const noexcept {
        dynamic_category child{*trees_, error_};
        if (category_ != nullptr)
            child.category_ =
                trees_->add_category(category_, internal::text_of(name), internal::text_of(description), child.error_);
        return child;
    }

protected:
    MPIT_MODULE_LOCAL dynamic_category(internal::group_trees& trees, result error) noexcept
        : trees_{&trees}, error_{error} {}

    internal::group_trees* trees_;
    internal::group_category* category_ = nullptr;
    result error_; // reason why category_ is null
};

// A run-time group of variables, in a category of its own. Tools see the variables after publish(), which can be called
// several times. The destructor unregisters all variables and waits until no reader is left, as dlclose() does for
// declared trees. The indices and names stay reserved, and a later group with the same names gets the same indices. One
// thread at a time uses a group. Several threads may use different groups at once. Not for signal handlers. If a
// function of a variable, called by a tool, destroys the group, the destructor does not wait for this call. The memory
// of the group is then never freed, and the storage and data of the variables have to exist until the call returns.
class dynamic : public dynamic_category {
public:
    // `policy` is for the settings of the group. The texts of the policy, of categories, events and sources are always
    // copied. If the policy has an impossible name of an environment variable, all functions that add to the group
    // return MPI_T_ERR_INVALID_NAME. The constructor is a template, so that a file that only includes this header has
    // no initializer that runs at the start.
    template <class Module = void>
    MPIT_MODULE_LOCAL explicit dynamic(const char* name, const char* description = "",
                                       const settings_policy& policy = {},
                                       group_texts texts = group_texts::copied) noexcept
        : dynamic_category{own_trees_, result::success} {
        if (texts == group_texts::stay) own_trees_.use_texts_in_place();
        static_cast<void>(registry::start_of_module<Module>::type::registry);
        category_ =
            own_trees_.add_category(nullptr, internal::text_of(name), internal::text_of(description), error_, policy);
    }
    MPIT_MODULE_LOCAL ~dynamic() { static_cast<void>(registry::end_group(own_trees_, entry_)); }
    // For the library's own use: ends the group before the destructor. Returns false if a thread may use the variables.
    MPIT_MODULE_LOCAL bool end() noexcept {
        registry::group_entry* const entry = entry_;
        category_ = nullptr;
        entry_ = nullptr;
        return registry::end_group(own_trees_, entry);
    }
    dynamic(const dynamic&) = delete;
    dynamic& operator=(const dynamic&) = delete;

    // Publishes all variables that were added after the last publish(), as one entry of the registry's publication log.
    // Calls `on_refused(const char* name)` for each variable whose name is in use. The other variables are published.
    template <class Function> MPIT_MODULE_LOCAL dynamic_answer publish(const Function& on_refused) noexcept {
        if (category_ == nullptr) return {error_};
        return registry::register_group(own_trees_, entry_, on_refused);
    }
    MPIT_MODULE_LOCAL dynamic_answer publish() noexcept {
        return publish([](const char*) {});
    }

    // Resolves the published variables of the group with .storage, as mpit::resolve resolves declared variables.
    MPIT_MODULE_LOCAL void resolve() noexcept {
        own_trees_.for_each_tree(
            [](descriptor::category& root) { registry::resolve_tree(registry::cached_registry.load(), root); });
    }

    // Returns the first error code of the policy for a value that was rejected after publish() or after the last call
    // of rejected(). Returns 0 if no value was rejected.
    MPIT_MODULE_LOCAL int rejected() noexcept {
        int first = 0;
        own_trees_.for_each_tree([&](internal::described_category& root) {
            const int code = root.own_rules.first_code.exchange(0);
            if (first == 0) first = code;
        });
        return first;
    }

    // given() and is_outranked() do the same as mpit::given and mpit::is_outranked, for the variable with this name. If
    // the variable is not yet published and has storage without a declared default, given() makes the default unknown.
    // Returns MPI_T_ERR_INVALID_NAME if the group has no such variable.
    MPIT_MODULE_LOCAL result given(const char* name, origin value_origin, const char* place = "") noexcept {
        descriptor::control* variable = find_control(name);
        if (variable == nullptr) return result::invalid_name;
        const result status =
            registry::set_origin(registry::the_registry(), *variable, value_origin, internal::text_of(place));
        const bool hides_default =
            value_origin != origin::library && !variable->has_default_value && own_trees_.is_unpublished(*variable);
        if (status == result::success && hides_default) variable->is_default_unknown = true;
        return status;
    }
    // Returns false if the group has no variable with this name.
    MPIT_MODULE_LOCAL bool is_outranked(const char* name, origin value_origin) noexcept {
        descriptor::control* variable = find_control(name);
        return variable != nullptr && registry::is_outranked(registry::the_registry(), *variable, value_origin);
    }

private:
    MPIT_MODULE_LOCAL descriptor::control* find_control(const char* name) noexcept {
        const core::text control_name = internal::text_of(name);
        descriptor::control* variable = nullptr;
        own_trees_.for_each_tree([&](descriptor::category& root) {
            descriptor::for_each_item(root, [&](descriptor::item& member) {
                if (member.item_kind == descriptor::kind::control && core::equal(member.name, control_name))
                    variable = static_cast<descriptor::control*>(&member);
            });
        });
        return variable;
    }

    internal::group_trees own_trees_;
    registry::group_entry* entry_ = nullptr;
};

} // namespace mpit

#include <mpit/end.hpp>
