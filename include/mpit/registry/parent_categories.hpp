// SPDX-License-Identifier: BSD-3-Clause
// The categories that hold a variable, or another category, directly: the way back that the standard does not have. It walks
// them by their numbers, so that a category that gets the variable meanwhile is seen or not, and none twice.
//
//   for (mpit::core::text name : registry::holders{index, record}) …
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

class holders {
public:
    constexpr holders() noexcept {}
    holders(const process_index& in, const record& member) noexcept : index_{&in}, member_{&member} {}

    struct end_of_holders {};
    class iterator {
    public:
        // The name of the category; it stays for ever.
        text operator*() const noexcept { return at_->name; }
        int number() const noexcept { return at_->number.load(); }
        iterator& operator++() noexcept {
            at_ = of_.index_->holder(*of_.member_, number() + 1);
            return *this;
        }
        bool operator==(end_of_holders) const noexcept { return at_ == nullptr; }

    private:
        friend holders;
        explicit iterator(const holders& of) noexcept
            : of_{of}, at_{of.member_ == nullptr ? nullptr : of.index_->holder(*of.member_)} {}

        const holders& of_;
        const category_record* at_;
    };
    iterator begin() const noexcept { return iterator{*this}; }
    static end_of_holders end() noexcept { return {}; }

private:
    const process_index* index_ = nullptr;
    const record* member_ = nullptr;
};

} // namespace registry
} // namespace mpit
