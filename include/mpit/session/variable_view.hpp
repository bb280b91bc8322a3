// SPDX-License-Identifier: BSD-3-Clause
// Views of the variables and categories in the registry. A view contains a pointer that stays valid until the process
// ends. The functions of a view return the attributes that the standard's queries return, under the names of the
// members of variable_info and category_info. Attributes never change. An existing view of a category also returns new
// members. Any thread may use views at any time without a lock. Signal handlers must not use views.
//
//   if (const auto limit = tool::find_control("EAGER_LIMIT")) std::printf("%s\n", limit.description().characters);
#pragma once

#include <mpit/module/publish_pending.hpp>     // IWYU pragma: keep
#include <mpit/module/registrar.hpp>           // IWYU pragma: keep
#include <mpit/registry/parent_categories.hpp> // IWYU pragma: export

namespace mpit::inline v1_0::tool {

// Short names for the library's own use.
using core::text;
using descriptor::kind;

namespace MPIT_MODULE_LOCAL detail {

template <class View, class Record> View view_at(kind item_kind, int index) noexcept {
    const registry::process_registry* registry = registry::published_registry();
    const registry::record* record = registry != nullptr ? registry->at(item_kind, index) : nullptr;
    return record != nullptr ? View{static_cast<const Record&>(*record)} : View{};
}
template <class View, class Record>
View find_view(kind item_kind, const char* name, performance_class variable_class = {}) noexcept {
    const registry::process_registry* registry = registry::published_registry();
    return registry != nullptr && name != nullptr
               ? view_at<View, Record>(item_kind, registry->index_of(item_kind, name, variable_class))
               : View{};
}

} // namespace detail

// A view of a control variable or a performance variable. `name`, `description`, `verbosity`, `binding`, `type` and
// `count` (the number of elements) return the same attributes as the queries of the standard.
class variable_view {
public:
    // Makes a view that refers to no variable, like the result of a search for an unknown name. Only the conversion to
    // bool may be called on a view that refers to no variable.
    MPIT_MODULE_LOCAL constexpr variable_view() noexcept {}
    // For the library's own use.
    MPIT_MODULE_LOCAL explicit variable_view(const registry::variable_record& record) noexcept : record_{&record} {}

    // Returns true if the view refers to a variable, and false for the result of a search for an unknown name.
    MPIT_MODULE_LOCAL explicit operator bool() const noexcept { return record_ != nullptr; }
    MPIT_MODULE_LOCAL text name() const noexcept { return record_->name; }
    MPIT_MODULE_LOCAL text description() const noexcept { return record_->description; }
    // Returns true for a control variable, and false for a performance variable.
    MPIT_MODULE_LOCAL bool is_control() const noexcept { return record_->item_kind == kind::control; }
    // Returns the index of the variable in the MPI_T functions.
    MPIT_MODULE_LOCAL int number() const noexcept { return record_->index.load(); }
    MPIT_MODULE_LOCAL mpit::verbosity verbosity() const noexcept { return record_->verbosity; }
    MPIT_MODULE_LOCAL mpit::binding binding() const noexcept { return record_->binding; }
    MPIT_MODULE_LOCAL datatype type() const noexcept { return record_->type; }
    MPIT_MODULE_LOCAL std::uint32_t count() const noexcept { return record_->count; }
    // Returns the scope of a control variable. The scope says in which processes, if any, the variable can be changed.
    MPIT_MODULE_LOCAL mpit::scope scope() const noexcept { return record_->scope; }
    // Returns the origin of a control variable's value. Returns `library` while the variable's library is not loaded.
    MPIT_MODULE_LOCAL mpit::origin origin() const noexcept {
        const core::read_guard guard;
        descriptor::control* live = live_control();
        return live != nullptr ? registry::current_provenance(*live).origin() : mpit::origin::library;
    }
    // Stores the place where a control variable got its value, such as "mympi.conf:12" or "argument 2". If an
    // environment variable that has another name has set the value, stores the environment variable's name. Stores an
    // empty text if no place is known. The format functions of this class store at most `size` bytes including the
    // terminating null, and return the length of the full text. Signal handlers must not call the format functions.
    MPIT_MODULE_LOCAL std::size_t format_place(char* buffer, std::size_t size) const noexcept {
        const core::read_guard guard;
        registry::text_buffer output{buffer, size};
        descriptor::control* live = live_control();
        const descriptor::provenance from =
            live != nullptr ? registry::current_provenance(*live) : descriptor::provenance{};
        if (from.location() == nullptr) return 0;
        if (from.origin() == mpit::origin::environment)
            output.add(descriptor::name_in_environment{*live, from.location()}.name());
        else output.add(from.location());
        return output.length();
    }
    // Stores the current value of an unbound control variable as text, in the syntax of configuration files and of the
    // environment. Values of enumerations are written as names, and elements are separated by commas. Stores an empty
    // text while the variable's library is not loaded.
    MPIT_MODULE_LOCAL std::size_t format_value(char* buffer, std::size_t size) const noexcept {
        return format_value(buffer, size, false);
    }
    // Stores the declared value of a control variable as text. If the declaration has no value, stores the value that
    // the variable had at the load of its library. Stores an empty text if a library function returns the value.
    MPIT_MODULE_LOCAL std::size_t format_default(char* buffer, std::size_t size) const noexcept {
        return format_value(buffer, size, true);
    }
    // Returns false if the declared value is unknown, because a function of the library returns the value.
    // has_default() also returns false if the library had set the variable from a user's setting before it described
    // the variable to mpit.
    MPIT_MODULE_LOCAL bool has_default() const noexcept {
        const core::read_guard guard;
        const descriptor::control* live = live_control();
        return live != nullptr && live->has_initial();
    }
    // Returns true if the current value differs from the declared value. If the declared value is unknown, the current
    // value counts as changed unless the library itself has set it.
    MPIT_MODULE_LOCAL bool is_changed() const noexcept {
        const core::read_guard guard;
        descriptor::control* live = live_control();
        bool differs = false;
        if (live != nullptr)
            registry::use_value(*live, false, [&](const void* value) { differs = registry::is_changed(*live, value); });
        return differs;
    }
    // Returns the class of a performance variable.
    MPIT_MODULE_LOCAL performance_class variable_class() const noexcept { return record_->variable_class; }
    // Returns true if no tool can write or reset the performance variable.
    MPIT_MODULE_LOCAL bool is_readonly() const noexcept { return record_->readonly; }
    // Returns true if no tool can start or stop the performance variable, because it always runs.
    MPIT_MODULE_LOCAL bool is_continuous() const noexcept { return record_->continuous; }
    // Returns true if a tool can read and reset the performance variable in one atomic step.
    MPIT_MODULE_LOCAL bool is_atomic() const noexcept { return record_->atomically; }
    // Returns true if the library that declared the variable is loaded now.
    MPIT_MODULE_LOCAL bool is_loaded() const noexcept { return record_->live.load() != nullptr; }

    MPIT_MODULE_LOCAL bool operator==(const variable_view& other) const noexcept { return record_ == other.record_; }
    // For the library's own use.
    MPIT_MODULE_LOCAL const registry::variable_record& record() const noexcept { return *record_; }

private:
    MPIT_MODULE_LOCAL descriptor::control* live_control() const noexcept {
        return is_control() ? static_cast<descriptor::control*>(record_->live.load()) : nullptr;
    }
    MPIT_MODULE_LOCAL std::size_t format_value(char* buffer, std::size_t size, bool is_declared) const noexcept {
        const core::read_guard guard;
        registry::text_buffer output{buffer, size};
        if (descriptor::control* live = live_control())
            registry::use_value(*live, is_declared,
                                [&](const void* value) { registry::format_value(*live, value, output); });
        return output.length();
    }

    const registry::variable_record* record_ = nullptr;
};

// A view of a category. `name` and `description` return the same texts as the queries of the standard.
class category_view {
public:
    // Makes a view without a category. Only the conversion to bool may be called on a view without a category.
    MPIT_MODULE_LOCAL constexpr category_view() noexcept {}
    // For the library's own use.
    MPIT_MODULE_LOCAL explicit category_view(const registry::category_record& record) noexcept : record_{&record} {}

    // Returns true if the view refers to a category, and false for the result of a search for an unknown name.
    MPIT_MODULE_LOCAL explicit operator bool() const noexcept { return record_ != nullptr; }
    MPIT_MODULE_LOCAL text name() const noexcept { return record_->name; }
    MPIT_MODULE_LOCAL text description() const noexcept { return record_->description; }
    // Returns the index of the category in the MPI_T functions.
    MPIT_MODULE_LOCAL int number() const noexcept { return record_->index.load(); }
    // Returns the number of direct members of one kind in the category, for example of control variables.
    int count(kind item_kind) const noexcept { return registry::process_registry::member_count(*record_, item_kind); }
    // Returns true if the variable is a direct member of this category.
    MPIT_MODULE_LOCAL bool holds(const variable_view& v) const noexcept { return record_->holds(v.record()); }
    // Returns true if the variable is a member of this category or of any category below this category.
    MPIT_MODULE_LOCAL bool holds_below(const variable_view& v) const noexcept {
        return record_->holds_anywhere(v.record());
    }
    // Returns true if the category `c` is a direct member of this category.
    bool holds(const category_view& c) const noexcept { return record_->holds(*c.record_); }

    MPIT_MODULE_LOCAL bool operator==(const category_view& other) const noexcept { return record_ == other.record_; }
    // For the library's own use.
    MPIT_MODULE_LOCAL const registry::category_record& record() const noexcept { return *record_; }

private:
    const registry::category_record* record_ = nullptr;
};

// Returns the control variable with this name, or a view that converts to false if no control variable has the name.
// Any thread may call find_control(), but a signal handler must not.
MPIT_MODULE_LOCAL inline variable_view find_control(const char* name) noexcept {
    return detail::find_view<variable_view, registry::variable_record>(kind::control, name);
}
// Returns the performance variable with this name and class, or a view that converts to false if no such variable
// exists. Any thread may call find_performance(), but a signal handler must not.
MPIT_MODULE_LOCAL inline variable_view find_performance(const char* name, performance_class variable_class) noexcept {
    return detail::find_view<variable_view, registry::variable_record>(kind::performance, name, variable_class);
}
// Returns the category with this name, or a view that converts to false if no category has the name. Any thread may
// call find_category(), but a signal handler must not.
MPIT_MODULE_LOCAL inline category_view find_category(const char* name) noexcept {
    return detail::find_view<category_view, registry::category_record>(kind::category, name);
}
// Returns the control variable with this index, or a view that converts to false for an invalid index. Any thread may
// call control_at(), but a signal handler must not.
MPIT_MODULE_LOCAL inline variable_view control_at(int index) noexcept {
    return detail::view_at<variable_view, registry::variable_record>(kind::control, index);
}
// Returns the performance variable with this index, or a view that converts to false for an invalid index. Any thread
// may call performance_at(), but a signal handler must not.
MPIT_MODULE_LOCAL inline variable_view performance_at(int index) noexcept {
    return detail::view_at<variable_view, registry::variable_record>(kind::performance, index);
}
// Returns the category with this index, or a view that converts to false for an invalid index. Any thread may call
// category_at(), but a signal handler must not.
MPIT_MODULE_LOCAL inline category_view category_at(int index) noexcept {
    return detail::view_at<category_view, registry::category_record>(kind::category, index);
}

} // namespace mpit::tool
