// SPDX-License-Identifier: BSD-3-Clause
// Variables that are described at run time, such as the parameters and counters of another library. Tools cannot
// distinguish these variables from declared variables. The functions that add variables check the names at run time.
// All other rules are the same as for declared variables.
//
//   mpit::dynamic fabric{"libfabric", "Runtime parameters of libfabric"};
//   if (fabric.control<int>("FI_TX_SIZE", "Entries of a queue", {.initial = 256}) != mpit::result::success) ...
//   const mpit::dynamic_result published = fabric.publish();
#pragma once

#include <mpit/begin.hpp>

#include <mpit/dynamic/registration.hpp>
#include <mpit/module/before_tools.hpp> // IWYU pragma: export
#include <mpit/module/resolve.hpp>

namespace mpit::inline v1_0 {

// A category of a run-time group. A dynamic_category is a small value that can be copied, and is valid as long as the
// group exists. If the category could not be created, the functions that add to the category return an error. Only one
// thread at a time may use a run-time group and its categories. Signal handlers must not add to a category, because the
// functions allocate memory.
class dynamic_category {
public:
    // Adds a control variable. T is a number type, bool, a described enumeration, char[] for a text, or a type such as
    // int[] for an array of numbers. All texts are copied, unless the group has group_texts::kept. Returns
    // MPI_T_ERR_INVALID_NAME for an impossible name, and MPI_T_ERR_MEMORY if memory is exhausted. Returns
    // MPI_T_ERR_INVALID if members of `settings` contradict each other, or if the stored value is not an item of the
    // enumeration. The storage of control<bool, int> and control<E, int> has the type int.
    template <class T, class Storage = T>
    MPIT_MODULE_LOCAL result control(const char* name, const char* description,
                                     const dynamic_settings<T, Storage>& settings = {}) const noexcept {
        static_assert(
            __is_same(T, char[]) || core::number<T> || core::is_described<T> || internal::is_array_of_numbers<T>,
            "a control variable that is described at run time must be a number, bool, a described enumeration, char[] "
            "or int[]");
        return add_control(name, description, internal::describe(settings));
    }
    // Adds a control variable that is bound to MPI objects. T is a number type, bool or a described enumeration.
    // Returns the same errors as control(). If an MPI object does not exist, tools cannot allocate a handle
    // (MPI_T_ERR_INVALID_HANDLE). If the object ends later, reads and writes return MPI_T_ERR_INVALID_HANDLE.
    template <class T, class Storage = T>
    MPIT_MODULE_LOCAL result bound_control(const char* name, const char* description,
                                           const dynamic_bound_settings<T, Storage>& settings) const noexcept {
        static_assert(core::number<T> || core::is_described<T>,
                      "a control variable of MPI objects that is described at run time must be a number, bool or a "
                      "described enumeration");
        return add_control(name, description, internal::describe(settings));
    }
    // Adds a performance variable without a cell. Tools read the value from storage of the library or from a function.
    // A watermark always needs a cell (MPI-5.0, 15.3.7). Returns the same errors as control().
    template <performance_class Class, class T>
    MPIT_MODULE_LOCAL result computed(const char* name, const char* description,
                                      const dynamic_computed_settings<T>& settings) const noexcept {
        return add_performance(name, description, internal::describe<Class, T>(settings));
    }
    // Adds a counter that is stored in a counter_cell of the library. Returns the same errors as control().
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result counter(const char* name, const char* description,
                                     const dynamic_cell_settings<counter_cell>& settings) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::counter, T>(settings));
    }
    // Adds an aggregate, which is a sum of amounts. The description should name the unit. A counter_cell sums unsigned
    // integers, and a real_cell sums doubles. Returns the same errors as control().
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result
    aggregate(const char* name, const char* description,
              const dynamic_cell_settings<typename internal::cell_of_amounts<T>::type>& settings) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::aggregate, T>(settings));
    }
    // Adds a timer that is stored in a timer_cell of the library. Tools read seconds if T is double, and nanoseconds if
    // T is an unsigned type. Returns the same errors as control().
    template <class T = double>
    MPIT_MODULE_LOCAL result timer(const char* name, const char* description,
                                   const dynamic_cell_settings<timer_cell>& settings) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::timer, T>(settings));
    }
    // Adds a timer that is stored in a real_cell. The library adds seconds to the real_cell.
    MPIT_MODULE_LOCAL result seconds(const char* name, const char* description,
                                     const dynamic_cell_settings<real_cell>& settings) const noexcept {
        return add_performance(name, description, internal::describe_sum<performance_class::timer, double>(settings));
    }
    // Adds a level that is stored in a level_cell of the library. Several levels, sizes, percentages and watermarks may
    // use one cell. Returns the same errors as control().
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result level(const char* name, const char* description,
                                   const dynamic_cell_settings<level_cell<T>>& settings) const noexcept {
        return add_performance(name, description, internal::describe_level<performance_class::level, T>(settings));
    }
    // Adds a performance variable for the size of a resource. The size is stored in a level_cell.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result size(const char* name, const char* description,
                                  const dynamic_cell_settings<level_cell<T>>& settings) const noexcept {
        return add_performance(name, description, internal::describe_level<performance_class::size, T>(settings));
    }
    // Adds a percentage, which is the used fraction of a resource, from 0.0 to 1.0.
    MPIT_MODULE_LOCAL result percentage(const char* name, const char* description,
                                        const dynamic_cell_settings<level_cell<double>>& settings) const noexcept {
        return add_performance(name, description,
                               internal::describe_level<performance_class::percentage, double>(settings));
    }
    // Adds a watermark, which is the highest value of a level_cell since a tool started or reset its handle.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result high_watermark(const char* name, const char* description,
                                            const dynamic_cell_settings<level_cell<T>>& settings) const noexcept {
        return add_performance(name, description,
                               internal::describe_level<performance_class::high_watermark, T>(settings));
    }
    // Adds a watermark, which is the lowest value of a level_cell since a tool started or reset its handle.
    template <class T = unsigned long long>
    MPIT_MODULE_LOCAL result low_watermark(const char* name, const char* description,
                                           const dynamic_cell_settings<level_cell<T>>& settings) const noexcept {
        return add_performance(name, description,
                               internal::describe_level<performance_class::low_watermark, T>(settings));
    }
    // Adds a state that is stored in a state_cell of the library. E is a described enumeration, or int with the setting
    // `items`. Returns the errors of control(), and MPI_T_ERR_INVALID if the state is not one of the items.
    template <class E = int>
    MPIT_MODULE_LOCAL result state(const char* name, const char* description,
                                   const dynamic_cell_settings<state_cell<E>>& settings) const noexcept {
        return add_performance(name, description, internal::describe_state<E>(settings));
    }
    // Adds a histogram that is stored in a histogram_cell of the library. Tools see the six variables that
    // variable/histogram.hpp lists. Returns the errors of control(), and MPI_T_ERR_INVALID for impossible buckets and
    // for a name of more than 56 characters.
    MPIT_MODULE_LOCAL result histogram(const char* name, const char* description,
                                       const dynamic_histogram_settings& settings) const noexcept {
        if (category_ == nullptr) return error_;
        return trees_->add_histogram(*category_, internal::text_of(name), internal::text_of(description), settings);
    }
    // Adds an event source. An event selects its source in the settings of the event. Returns the same errors as
    // control(). Returns MPI_T_ERR_INVALID if the source_cell is already in a run-time group, or if ticks_per_second or
    // max_ticks is not positive.
    MPIT_MODULE_LOCAL result source(const char* name, const char* description,
                                    const dynamic_source_settings& settings) const noexcept {
        if (settings.cell == nullptr) return category_ == nullptr ? error_ : result::invalid;
        return add_source(name, description, settings.cell->place(), settings);
    }
    // Adds an event. Returns the same errors as control(). Returns MPI_T_ERR_INVALID if the event_cell is already in a
    // run-time group, or if the event's source_cell is not in a run-time group.
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
    // Returns success if the category exists, or the reason why the category could not be created.
    MPIT_MODULE_LOCAL result status() const noexcept { return category_ != nullptr ? result::success : error_; }
    // Adds a category inside of this category. Tools see categories of the same name as one category (MPI-5.0, 15.3.9).
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

// A run-time group of variables. The group is also a category. Tools see the variables after publish(), which can be
// called several times. The destructor unregisters all variables and waits until no thread reads the variables, as
// dlclose() does for declared variables. The names and indices of the variables stay reserved. A later group with the
// same names gets the same indices. One thread at a time may use a group. Several threads may use different groups at
// once. Signal handlers must not use groups. If a variable's function destroys the group during a tool's call, the
// destructor does not wait for the tool's call, and never frees the group's memory. The storage and data of the
// variables then have to exist until the tool's call returns.
class dynamic : public dynamic_category {
public:
    // `policy` says how users set the group's control variables. The texts of the policy, the categories, the events
    // and the sources are always copied. If the policy has an impossible name of an environment variable, all functions
    // that add to the group return MPI_T_ERR_INVALID_NAME. Because the constructor is a template, a file has an
    // initializer at program start only if the file constructs a group.
    template <class Module = void>
    MPIT_MODULE_LOCAL explicit dynamic(const char* name, const char* description = "",
                                       const settings_policy& policy = {},
                                       group_texts texts = group_texts::copied) noexcept
        : dynamic_category{own_trees_, result::success} {
        if (texts == group_texts::kept) own_trees_.use_texts_in_place();
        static_cast<void>(registry::start_of_module<Module>::type::registry);
        category_ =
            own_trees_.add_category(nullptr, internal::text_of(name), internal::text_of(description), error_, policy);
    }
    MPIT_MODULE_LOCAL ~dynamic() { static_cast<void>(registry::end_group(own_trees_, entry_)); }
    // Ends the group before the destructor. Returns false if a thread may still use the group. For the library's own
    // use.
    MPIT_MODULE_LOCAL bool end() noexcept {
        registry::group_entry* const entry = entry_;
        category_ = nullptr;
        entry_ = nullptr;
        return registry::end_group(own_trees_, entry);
    }

    dynamic(const dynamic&) = delete;
    dynamic& operator=(const dynamic&) = delete;

    // Publishes all variables that were added after the last publish(), as one entry of the registry's publication log.
    // Calls `on_refused(const char* name)` for each variable whose name another variable already uses. Variables that
    // are not refused are published.
    template <class Function> MPIT_MODULE_LOCAL dynamic_result publish(const Function& on_refused) noexcept {
        if (category_ == nullptr) return {error_};
        return registry::register_group(own_trees_, entry_, on_refused);
    }
    MPIT_MODULE_LOCAL dynamic_result publish() noexcept {
        return publish([](const char*) {});
    }

    // Does the same as mpit::resolve for the group's published control variables that have storage.
    MPIT_MODULE_LOCAL void resolve() noexcept {
        own_trees_.for_each_tree(
            [](descriptor::category& root) { registry::resolve_tree(registry::cached_registry.load(), root); });
    }

    // Returns the policy's error code for a value that was rejected since the last call of publish() or
    // rejection_code(). Returns 0 if no value was rejected.
    MPIT_MODULE_LOCAL int rejection_code() noexcept {
        int first = 0;
        own_trees_.for_each_tree([&](internal::described_category& root) {
            const int code = root.own_rules.first_code.exchange(0);
            if (first == 0) first = code;
        });
        return first;
    }

    // Does the same as mpit::given for the control variable with this name. If the variable is not yet published and
    // has no default_value, given() makes the default of the variable unknown to tools. Returns MPI_T_ERR_INVALID_NAME
    // if the group has no control variable with this name.
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
    // Does the same as mpit::is_outranked for the control variable with this name. Returns false for an unknown name.
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
