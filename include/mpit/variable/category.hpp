// SPDX-License-Identifier: BSD-3-Clause
// Categories: structs with variables and categories as members, each of which is given `this` (MPI-5.0, 15.3.9).
//
//   struct p2p_variables : mpit::category<"p2p", "Point-to-point messages"> {
//       struct : mpit::category<"p2p_eager", "Messages sent at once"> { ... } eager{this};
//   };
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {

// A category of variables and of other categories. `Name` has 1 to 255 printable characters without a space, otherwise
// it is a compile error; two trees that use one name contribute to one category, which keeps the first description. The
// compiler initializes a registered category with its members: no thread and no signal handler sees a part of it.
template <core::fixed_name Name, core::fixed_text Description = ""> struct category : descriptor::category {
    // The root of a tree; with `{this}`, a category inside of another one.
    MPIT_MODULE_LOCAL constexpr category() noexcept : descriptor::category{name_text(), description_text()} {}
    constexpr category(descriptor::category* outer) noexcept
        : descriptor::category{outer, name_text(), description_text()} {}

private:
#if !defined(__clang__)
    // For g++, which would drop the base class if its template argument were the error, and report each member.
    static_assert(core::is_possible_name(core::text(Name.characters, sizeof Name.characters - 1)),
                  "a name is empty or too long or has a space or a character that is not printable");
#endif
    // Hidden copies: the objects of template arguments are visible to other shared objects.
    MPIT_MODULE_LOCAL static constexpr auto name_ = Name;
    MPIT_MODULE_LOCAL static constexpr auto description_ = Description;
    MPIT_MODULE_LOCAL static constexpr core::text name_text() {
        return {name_.characters, sizeof name_.characters - 1};
    }
    MPIT_MODULE_LOCAL static constexpr core::text description_text() {
        return {description_.characters, sizeof description_.characters - 1};
    }
};

} // namespace mpit
