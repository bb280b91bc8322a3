// SPDX-License-Identifier: BSD-3-Clause
// Views of the registry's variables and categories: small values, valid for ever, with the attributes of the standard's
// queries under the names of variable_info and category_info. Attributes never change; later calls see members that are
// added later.
// Any thread may use them at any time, without a lock; they are not for signal handlers.
//
//   if (const auto limit = tool::find_control("EAGER_LIMIT"); limit && limit.verbosity() <= mpit::verbosity::tuner_all) …
#pragma once

#include <mpit/module/publish_pending.hpp>     // IWYU pragma: keep
#include <mpit/module/registrar.hpp>           // IWYU pragma: keep
#include <mpit/registry/parent_categories.hpp> // IWYU pragma: export

namespace mpit::inline v0_1::tool {

using core::text;
using descriptor::kind;

namespace MPIT_MODULE_LOCAL detail {

template <class View, class Record> View view_at(kind item_kind, int number) noexcept {
    const registry::process_registry* registry = registry::published_registry();
    const registry::record* found = registry != nullptr ? registry->at(item_kind, number) : nullptr;
    return found != nullptr ? View{static_cast<const Record&>(*found)} : View{};
}
template <class View, class Record>
View find_view(kind item_kind, const char* name, performance_class variable_class = {}) noexcept {
    const registry::process_registry* registry = registry::published_registry();
    return registry != nullptr && name != nullptr
               ? view_at<View, Record>(item_kind, registry->number_of(item_kind, name, variable_class))
               : View{};
}

} // namespace detail

// A control variable or a performance variable. `name`, `description`, `verbosity`, `binding`, `type` and `count`, the
// number of elements, are what the queries of the standard return.
class variable_view {
public:
    // Refers to no variable, as a view that a finder returns if the name is unknown. Only the conversion to bool may be
    // called.
    MPIT_MODULE_LOCAL constexpr variable_view() noexcept {}
    // For the library's own use.
    MPIT_MODULE_LOCAL explicit variable_view(const registry::variable_record& record) noexcept : record_{&record} {}

    // Whether it refers to something. Returns false for an unknown name.
    MPIT_MODULE_LOCAL explicit operator bool() const noexcept { return record_ != nullptr; }
    MPIT_MODULE_LOCAL text name() const noexcept { return record_->name; }
    MPIT_MODULE_LOCAL text description() const noexcept { return record_->description; }
    // Whether it is a control variable. Returns false for a performance variable.
    MPIT_MODULE_LOCAL bool is_control() const noexcept { return record_->item_kind == kind::control; }
    // The index that tools of the standard see.
    MPIT_MODULE_LOCAL int number() const noexcept { return record_->number.load(); }
    MPIT_MODULE_LOCAL mpit::verbosity verbosity() const noexcept { return record_->verbosity; }
    MPIT_MODULE_LOCAL mpit::binding binding() const noexcept { return record_->binding; }
    MPIT_MODULE_LOCAL datatype type() const noexcept { return record_->type; }
    MPIT_MODULE_LOCAL std::uint32_t count() const noexcept { return record_->count; }
    // Where a control variable can be changed.
    MPIT_MODULE_LOCAL mpit::scope scope() const noexcept { return record_->scope; }
    // From where a control variable has its value; `library` also while that is not loaded.
    MPIT_MODULE_LOCAL mpit::origin origin() const noexcept {
        const core::read_guard guard;
        descriptor::control* live = live_control();
        return live != nullptr ? registry::present_provenance(*live).origin() : mpit::origin::library;
    }
    // Where its value was given: "mympi.conf:12", "argument 2", or the name that the environment has for it if that is
    // not its own; nothing if there is nothing to say. As all texts here it is cut to fit into `size` bytes with its
    // null, and the answer is its whole length. These functions are not for signal handlers.
    MPIT_MODULE_LOCAL std::size_t write_place(char* buffer, std::size_t size) const noexcept {
        const core::read_guard guard;
        registry::text_room room{buffer, size};
        descriptor::control* live = live_control();
        const descriptor::provenance held =
            live != nullptr ? registry::present_provenance(*live) : descriptor::provenance{};
        if (held.place() == nullptr) return 0;
        if (held.origin() == mpit::origin::environment) room.add(descriptor::found_name{*live, held.place()}.name());
        else room.add(held.place());
        return room.length();
    }
    // The present value of a control variable that belongs to no object, in the spelling that configuration files and
    // the environment have: items by their names, elements parted by commas. Nothing while its library is not loaded.
    MPIT_MODULE_LOCAL std::size_t write_value(char* buffer, std::size_t size) const noexcept {
        return write_value(buffer, size, false);
    }
    // The value that it was declared with; for one that its library keeps elsewhere, the one that it was loaded with.
    // Nothing for one that a function of its library tells.
    MPIT_MODULE_LOCAL std::size_t write_default(char* buffer, std::size_t size) const noexcept {
        return write_value(buffer, size, true);
    }
    // Returns false if the value that it was declared with is unknown: a function returns the present one, or the
    // library had read a value from outside before it described the variable.
    MPIT_MODULE_LOCAL bool has_default() const noexcept {
        const core::read_guard guard;
        const descriptor::control* live = live_control();
        return live != nullptr && live->has_initial();
    }
    // Whether these two differ; without a declared value, whether it was set from outside its library.
    MPIT_MODULE_LOCAL bool is_changed() const noexcept {
        const core::read_guard guard;
        descriptor::control* live = live_control();
        bool is = false;
        if (live != nullptr)
            registry::use_value(*live, false, [&](const void* value) { is = registry::is_changed(*live, value); });
        return is;
    }
    // The class of a performance variable.
    MPIT_MODULE_LOCAL performance_class variable_class() const noexcept { return record_->variable_class; }
    // Whether no tool can write or reset a performance variable.
    MPIT_MODULE_LOCAL bool is_readonly() const noexcept { return record_->readonly; }
    // Whether no tool can start or stop a performance variable, because it always runs.
    MPIT_MODULE_LOCAL bool is_continuous() const noexcept { return record_->continuous; }
    // Whether a tool can read and reset a performance variable in one step.
    MPIT_MODULE_LOCAL bool is_atomic() const noexcept { return record_->atomically; }
    // Whether the library that declared it is loaded now.
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
        registry::text_room room{buffer, size};
        if (descriptor::control* live = live_control())
            registry::use_value(*live, is_declared,
                                [&](const void* value) { registry::write_value(*live, value, room); });
        return room.length();
    }

    const registry::variable_record* record_ = nullptr;
};

// A category. `name` and `description` are what the queries of the standard return.
class category_view {
public:
    // Refers to no category. Only the conversion to bool may be called.
    MPIT_MODULE_LOCAL constexpr category_view() noexcept {}
    // For the library's own use.
    MPIT_MODULE_LOCAL explicit category_view(const registry::category_record& record) noexcept : record_{&record} {}

    // Whether it refers to something. Returns false for an unknown name.
    MPIT_MODULE_LOCAL explicit operator bool() const noexcept { return record_ != nullptr; }
    MPIT_MODULE_LOCAL text name() const noexcept { return record_->name; }
    MPIT_MODULE_LOCAL text description() const noexcept { return record_->description; }
    // The index that tools of the standard see.
    MPIT_MODULE_LOCAL int number() const noexcept { return record_->number.load(); }
    // The number of its direct members of a kind.
    int count(kind item_kind) const noexcept { return registry::process_registry::member_count(*record_, item_kind); }
    // Whether a variable, or a category, is a direct member.
    MPIT_MODULE_LOCAL bool holds(const variable_view& v) const noexcept { return record_->holds(v.record()); }
    // Directly, or in a category anywhere below.
    MPIT_MODULE_LOCAL bool holds_below(const variable_view& v) const noexcept {
        return record_->holds_anywhere(v.record());
    }
    // Whether a category is a direct member.
    bool holds(const category_view& c) const noexcept { return record_->holds(*c.record_); }

    MPIT_MODULE_LOCAL bool operator==(const category_view& other) const noexcept { return record_ == other.record_; }
    // For the library's own use.
    MPIT_MODULE_LOCAL const registry::category_record& record() const noexcept { return *record_; }

private:
    const registry::category_record* record_ = nullptr;
};

// The control variable of a name; false if no control variable has it. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline variable_view find_control(const char* name) noexcept {
    return detail::find_view<variable_view, registry::variable_record>(kind::control, name);
}
// The performance variable of a class and a name; false if there is none. Any thread may call it; not for signal
// handlers.
MPIT_MODULE_LOCAL inline variable_view find_performance(performance_class variable_class, const char* name) noexcept {
    return detail::find_view<variable_view, registry::variable_record>(kind::performance, name, variable_class);
}
// The category of a name; false if no category has it. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline category_view find_category(const char* name) noexcept {
    return detail::find_view<category_view, registry::category_record>(kind::category, name);
}
// The control variable of an index; false for an invalid index. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline variable_view control_at(int number) noexcept {
    return detail::view_at<variable_view, registry::variable_record>(kind::control, number);
}
// The performance variable of an index; false for an invalid index. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline variable_view performance_at(int number) noexcept {
    return detail::view_at<variable_view, registry::variable_record>(kind::performance, number);
}
// The category of an index; false for an invalid index. Any thread may call it; not for signal handlers.
MPIT_MODULE_LOCAL inline category_view category_at(int number) noexcept {
    return detail::view_at<category_view, registry::category_record>(kind::category, number);
}

} // namespace mpit::tool
