// SPDX-License-Identifier: BSD-3-Clause
// Lists the parent categories of a variable or a category. No function of the standard returns parent categories. A
// loop visits each category once, in index order. A category that gets the member during the loop may be missed.
//
//   for (mpit::core::text name : registry::parent_categories{registry, record}) …
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

class parent_categories {
public:
    constexpr parent_categories() noexcept {}
    parent_categories(const process_registry& registry, const record& member) noexcept
        : registry_{&registry}, member_{&member} {}

    struct end_of_parent_categories {};
    class iterator {
    public:
        // Returns the name of the category. The name is valid until the process ends.
        text operator*() const noexcept { return category_->name; }
        int index() const noexcept { return category_->index.load(); }
        iterator& operator++() noexcept {
            category_ = parents_.registry_->parent_category(*parents_.member_, index() + 1);
            return *this;
        }
        bool operator==(end_of_parent_categories) const noexcept { return category_ == nullptr; }

    private:
        friend parent_categories;
        explicit iterator(const parent_categories& parents) noexcept
            : parents_{parents},
              category_{parents.member_ == nullptr ? nullptr : parents.registry_->parent_category(*parents.member_)} {}

        const parent_categories& parents_;
        const category_record* category_;
    };
    iterator begin() const noexcept { return iterator{*this}; }
    static end_of_parent_categories end() noexcept { return {}; }

private:
    const process_registry* registry_ = nullptr;
    const record* member_ = nullptr;
};

} // namespace registry
} // namespace mpit
