// What a reader in C++ sees of the index: variables and categories as small values, good for ever, with the facts that the
// standard's queries tell. Their facts never change; what comes later is seen by whoever asks later.
//
//   const tool::variable limit = …;   if (limit.is_control() && limit.verbosity() <= mpit::verbosity::tuner_all) …
#pragma once

#include <mpit/index/enrolment.hpp>
#include <mpit/index/holders.hpp>
#include <mpit/index/keeping.hpp>

namespace mpit::inline v0_1::tool {

using base::text;
using describe::kind;

// The index with all that has arrived; null without memory for it. Not for signal handlers.
MPIT_MODULE_LOCAL inline index::process_index* present_index() noexcept {
    index::process_index* index = index::the_index();
    return index != nullptr && index::keep(*index) && index::serve(*index) ? index : nullptr;
}

// A control variable or a performance variable.
class variable {
public:
    explicit variable(const index::variable_record& of) noexcept : record_{&of} {}

    text name() const noexcept { return record_->name; }
    text description() const noexcept { return record_->description; }
    bool is_control() const noexcept { return record_->of == kind::control; }
    // The index that tools of the standard see.
    int number() const noexcept { return record_->number.load(); }
    mpit::verbosity verbosity() const noexcept { return record_->verbosity; }
    mpit::binding binding() const noexcept { return record_->binding; }
    datatype type() const noexcept { return record_->type; }
    std::uint32_t count() const noexcept { return record_->count; }
    // Of control variables.
    mpit::scope scope() const noexcept { return record_->scope; }
    // `library` also while that is not loaded.
    MPIT_MODULE_LOCAL mpit::origin origin() const noexcept {
        const declare::looking here;
        const auto* live = is_control() ? static_cast<const describe::control*>(record_->live.load()) : nullptr;
        return live != nullptr ? live->origin.load() : mpit::origin::library;
    }
    // Of performance variables.
    performance_class in() const noexcept { return record_->in; }
    bool is_readonly() const noexcept { return record_->readonly; }
    bool is_continuous() const noexcept { return record_->continuous; }
    // Whether the library that declared it is loaded now.
    bool is_loaded() const noexcept { return record_->live.load() != nullptr; }

    bool operator==(const variable& other) const noexcept { return record_ == other.record_; }
    const index::variable_record& record() const noexcept { return *record_; }

private:
    const index::variable_record* record_;
};

class category {
public:
    explicit category(const index::category_record& of) noexcept : record_{&of} {}

    text name() const noexcept { return record_->name; }
    text description() const noexcept { return record_->description; }
    int number() const noexcept { return record_->number.load(); }
    int count(kind of) const noexcept { return index::process_index::member_count(*record_, of); }
    bool holds(const variable& v) const noexcept { return record_->holds(v.record()); }
    // Directly, or in a category anywhere below.
    bool holds_below(const variable& v) const noexcept { return holds_below(*record_, v.record()); }
    bool holds(const category& c) const noexcept { return record_->holds(*c.record_); }

    bool operator==(const category& other) const noexcept { return record_ == other.record_; }

private:
    static bool holds_below(const index::category_record& in, const index::record& wanted) noexcept {
        if (in.holds(wanted)) return true;
        for (const index::membership* m = in.members[static_cast<int>(kind::category)].load(); m != nullptr;
             m = m->next.load())
            if (holds_below(m->child(), wanted)) return true;
        return false;
    }

    const index::category_record* record_;
};

} // namespace mpit::tool
