// SPDX-License-Identifier: BSD-3-Clause
// Views of the registry's variables and categories: small values, valid for ever, with the attributes of the standard's
// queries under the names of variable_info and category_info. Attributes never change. Members that are added to a
// category later are visible through existing views.
// Any thread may use them at any time, without a lock; they are not for signal handlers.
//
//   if (const auto limit = tool::find_control("EAGER_LIMIT")) std::printf("%s\n", limit.description().characters);
#pragma once

#include <mpit/module/publish_pending.hpp>     // IWYU pragma: keep
#include <mpit/module/registrar.hpp>           // IWYU pragma: keep
#include <mpit/registry/parent_categories.hpp> // IWYU pragma: export

namespace mpit::inline v0_1::tool {

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

// A control variable or a performance variable. `name`, `description`, `verbosity`, `binding`, `type` and `count`, the
// number of elements, return what the queries of the standard return.
class variable_view {
public:
    // Refers to no variable, like a view that a search for an unknown name returns. Only the conversion to bool may be
    // called.
    MPIT_MODULE_LOCAL constexpr variable_view() noexcept {}
    // For the library's own use.
    MPIT_MODULE_LOCAL explicit variable_view(const registry::variable_record& record) noexcept : record_{&record} {}

    // True if the view refers to a variable; false after a search for an unknown name.
    MPIT_MODULE_LOCAL explicit operator bool() const noexcept { return record_ != nullptr; }
    MPIT_MODULE_LOCAL text name() const noexcept { return record_->name; }
    MPIT_MODULE_LOCAL text description() const noexcept { return record_->description; }
    // True for a control variable, false for a performance variable.
    MPIT_MODULE_LOCAL bool is_control() const noexcept { return record_->item_kind == kind::control; }
    // The index that tools of the standard see.
    MPIT_MODULE_LOCAL int number() const noexcept { return record_->index.load(); }
    MPIT_MODULE_LOCAL mpit::verbosity verbosity() const noexcept { return record_->verbosity; }
    MPIT_MODULE_LOCAL mpit::binding binding() const noexcept { return record_->binding; }
    MPIT_MODULE_LOCAL datatype type() const noexcept { return record_->type; }
    MPIT_MODULE_LOCAL std::uint32_t count() const noexcept { return record_->count; }
    // Where a control variable can be changed.
    MPIT_MODULE_LOCAL mpit::scope scope() const noexcept { return record_->scope; }
    // The origin of a control variable's value; `library` also while its library is not loaded.
    MPIT_MODULE_LOCAL mpit::origin origin() const noexcept {
        const core::read_guard guard;
        descriptor::control* live = live_control();
        return live != nullptr ? registry::current_provenance(*live).origin() : mpit::origin::library;
    }
    // Writes the location of the setting that gave a control variable its value: "mympi.conf:12", "argument 2", or the
    // name of the environment variable if the variable has another name; an empty text if there is none. As all texts
    // here it is truncated to `size` bytes with its null, and its whole length is returned. Not for signal handlers.
    MPIT_MODULE_LOCAL std::size_t write_place(char* buffer, std::size_t size) const noexcept {
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
    // Writes the current value of an unbound control variable, in the spelling of configuration files and environment:
    // items by their names, elements separated by commas. Writes an empty text while its library is not loaded.
    MPIT_MODULE_LOCAL std::size_t write_value(char* buffer, std::size_t size) const noexcept {
        return write_value(buffer, size, false);
    }
    // Writes the declared value of a control variable; if the library keeps the value elsewhere, the value when it was
    // loaded; an empty text if a function of the library returns the value.
    MPIT_MODULE_LOCAL std::size_t write_default(char* buffer, std::size_t size) const noexcept {
        return write_value(buffer, size, true);
    }
    // Returns false if the declared value is unknown: a function returns the current value, or the library had read a
    // value from outside before it described the variable.
    MPIT_MODULE_LOCAL bool has_default() const noexcept {
        const core::read_guard guard;
        const descriptor::control* live = live_control();
        return live != nullptr && live->has_initial();
    }
    // True if the current value differs from the declared one; without a declared one, if it was set from outside.
    MPIT_MODULE_LOCAL bool is_changed() const noexcept {
        const core::read_guard guard;
        descriptor::control* live = live_control();
        bool differs = false;
        if (live != nullptr)
            registry::use_value(*live, false, [&](const void* value) { differs = registry::is_changed(*live, value); });
        return differs;
    }
    // The class of a performance variable.
    MPIT_MODULE_LOCAL performance_class variable_class() const noexcept { return record_->variable_class; }
    // True if no tool can write or reset a performance variable.
    MPIT_MODULE_LOCAL bool is_readonly() const noexcept { return record_->readonly; }
    // True if no tool can start or stop a performance variable, because it always runs.
    MPIT_MODULE_LOCAL bool is_continuous() const noexcept { return record_->continuous; }
    // True if a tool can read and reset a performance variable in one step.
    MPIT_MODULE_LOCAL bool is_atomic() const noexcept { return record_->atomically; }
    // True if the library that declared the variable is loaded now.
    MPIT_MODULE_LOCAL bool is_loaded() const noexcept { return record_->live.load() != nullptr; }

    MPIT_MODULE_LOCAL bool operator==(const variable_view& other) const noexcept { return record_ == other.record_; }
    // For the library's own use.
    MPIT_MODULE_LOCAL const registry::variable_record& record() const noexcept { return *record_; }

private:
    MPIT_MODULE_LOCAL descriptor::control* live_control() const noexcept {
        return is_control() ? static_cast<descriptor::control*>(record_->live.load()) : nullptr;
    }
    MPIT_MODULE_LOCAL std::size_t write_value(char* buffer, std::size_t size, bool is_declared) const noexcept {
        const core::read_guard guard;
        registry::text_buffer output{buffer, size};
        if (descriptor::control* live = live_control())
            registry::use_value(*live, is_declared,
                                [&](const void* value) { registry::write_value(*live, value, output); });
        return output.length();
    }

    const registry::variable_record* record_ = nullptr;
};

// A category. `name` and `description` return what the queries of the standard return.
class category_view {
public:
    // Refers to no category. Only the conversion to bool may be called.
    MPIT_MODULE_LOCAL constexpr category_view() noexcept {}
    // For the library's own use.
    MPIT_MODULE_LOCAL explicit category_view(const registry::category_record& record) noexcept : record_{&record} {}

    // True if the view refers to a category; false after a search for an unknown name.
    MPIT_MODULE_LOCAL explicit operator bool() const noexcept { return record_ != nullptr; }
    MPIT_MODULE_LOCAL text name() const noexcept { return record_->name; }
    MPIT_MODULE_LOCAL text description() const noexcept { return record_->description; }
    // The index that tools of the standard see.
    MPIT_MODULE_LOCAL int number() const noexcept { return record_->index.load(); }
    // The number of direct members of a kind.
    int count(kind item_kind) const noexcept { return registry::process_registry::member_count(*record_, item_kind); }
    // True if a variable is a direct member.
    MPIT_MODULE_LOCAL bool holds(const variable_view& v) const noexcept { return record_->holds(v.record()); }
    // True if a variable is a direct member, or a member of a category anywhere below.
    MPIT_MODULE_LOCAL bool holds_below(const variable_view& v) const noexcept {
        return record_->holds_anywhere(v.record());
    }
    // True if a category is a direct member.
    bool holds(const category_view& c) const noexcept { return record_->holds(*c.record_); }

    MPIT_MODULE_LOCAL bool operator==(const category_view& other) const noexcept { return record_ == other.record_; }
    // For the library's own use.
    MPIT_MODULE_LOCAL const registry::category_record& record() const noexcept { return *record_; }

private:
    const registry::category_record* record_ = nullptr;
};

// The control variable with a name; false if there is none. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline variable_view find_control(const char* name) noexcept {
    return detail::find_view<variable_view, registry::variable_record>(kind::control, name);
}
// The performance variable of a class with a name; false if there is none. Any thread may call it; not for signal
// handlers.
MPIT_MODULE_LOCAL inline variable_view find_performance(performance_class variable_class, const char* name) noexcept {
    return detail::find_view<variable_view, registry::variable_record>(kind::performance, name, variable_class);
}
// The category with a name; false if there is none. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline category_view find_category(const char* name) noexcept {
    return detail::find_view<category_view, registry::category_record>(kind::category, name);
}
// The control variable of an index; false for an invalid index. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline variable_view control_at(int index) noexcept {
    return detail::view_at<variable_view, registry::variable_record>(kind::control, index);
}
// The performance variable of an index; false for an invalid index. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline variable_view performance_at(int index) noexcept {
    return detail::view_at<variable_view, registry::variable_record>(kind::performance, index);
}
// The category of an index; false for an invalid index. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline category_view category_at(int index) noexcept {
    return detail::view_at<category_view, registry::category_record>(kind::category, index);
}

} // namespace mpit::tool
