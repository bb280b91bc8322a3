// SPDX-License-Identifier: BSD-3-Clause
// A category is declared as a struct whose members are variables and other categories (MPI-5.0, 15.3.9). Each member is
// constructed with the struct's `this` pointer.
//
//   struct p2p_variables : mpit::category<"p2p", "Point-to-point messages"> {
//       struct : mpit::category<"p2p_eager", "Messages sent at once"> { ... } eager{this};
//   };
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v1_0 {

// The base class of a struct that declares a category. `Name` must have 1 to 255 printable characters and no space. An
// invalid name is a compile error. If two libraries declare categories of the same name, tools see one category with
// the members of both categories and with the description that was registered first. The compiler constant-initializes
// a category with its members, so that no thread and no signal handler sees a partly initialized category.
template <core::fixed_name Name, core::fixed_text Description = ""> struct category : descriptor::category {
    // A category that is constructed without an argument is not inside of another category. A category that is
    // constructed with `{this}` is a member of the enclosing category.
    MPIT_MODULE_LOCAL constexpr category() noexcept : descriptor::category{name_text(), description_text()} {}
    constexpr category(descriptor::category* outer) noexcept
        : descriptor::category{outer, name_text(), description_text()} {}

private:
#if !defined(__clang__)
    // This assertion reports an invalid name under g++. If an invalid name made the template argument ill-formed, g++
    // would drop the base class `category` and report an error for each member of the derived struct.
    static_assert(core::is_possible_name(core::text(Name.characters, sizeof Name.characters - 1)),
                  "a name is empty or too long or has a space or a character that is not printable");
#endif
    // The name and the description are copied to objects with hidden visibility, because other shared objects can see
    // the objects of template arguments.
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
