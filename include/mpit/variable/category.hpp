// SPDX-License-Identifier: BSD-3-Clause
// A category: a struct whose members are variables and further categories, and name it with `this` (MPI-5.0, 15.3.9).
//
//   struct p2p_variables : mpit::category<"p2p", "Point-to-point messages"> {
//       struct : mpit::category<"p2p_eager", "Messages sent at once"> { … } eager{this};
//   };
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {

// `Name` is unique among categories, and has at most 255 characters, none of them a space; two trees that use one name
// add to one category, which keeps the first description. The compiler makes it, with all its members: no thread and no
// signal handler sees it before it is whole.
template <core::fixed_name Name, core::fixed_text Description = ""> struct category : descriptor::category {
    // The root of a tree.
    MPIT_MODULE_LOCAL constexpr category() noexcept : descriptor::category{called(), meaning()} {}
    // A category inside another one: `{this}`.
    constexpr category(descriptor::category* inside) noexcept : descriptor::category{inside, called(), meaning()} {}

private:
#if !defined(__clang__)
    // g++ would take away a base whose argument is an error, and report each member of the category.
    static_assert(core::is_possible_name(core::text(Name.characters, sizeof Name.characters - 1)),
                  "a name is empty or too long or has a space or a character that is not printable");
#endif
    // Copies, because the object of a template argument is seen by other shared objects.
    MPIT_MODULE_LOCAL static constexpr auto name_ = Name;
    MPIT_MODULE_LOCAL static constexpr auto description_ = Description;
    MPIT_MODULE_LOCAL static constexpr core::text called() { return {name_.characters, sizeof name_.characters - 1}; }
    MPIT_MODULE_LOCAL static constexpr core::text meaning() {
        return {description_.characters, sizeof description_.characters - 1};
    }
};

} // namespace mpit
