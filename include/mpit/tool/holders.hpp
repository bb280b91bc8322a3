// SPDX-License-Identifier: BSD-3-Clause
// From a variable back to its categories, which the standard lacks. It works in any shared object of the process, and needs
// no function of the standard.
//
//   for (mpit::core::text category : mpit::tool::categories_of("EAGER_LIMIT")) …
#pragma once

#include <mpit/session/variable_view.hpp>

namespace mpit::inline v0_1::tool {

// The names of the categories that hold a variable directly, each once; none where no variable has the name. The library
// that declared it need not be loaded any more. Not for signal handlers.
MPIT_MODULE_LOCAL inline registry::holders categories_of(descriptor::kind of, const char* name,
                                                      performance_class in = {}) noexcept {
    const registry::process_index* index = registry::served_index();
    const registry::record* found = index == nullptr || name == nullptr ? nullptr : index->find(of, name, in);
    return found != nullptr ? registry::holders{*index, *found} : registry::holders{};
}
MPIT_MODULE_LOCAL inline registry::holders categories_of(const char* control) noexcept {
    return categories_of(descriptor::kind::control, control);
}
MPIT_MODULE_LOCAL inline registry::holders categories_of(performance_class in, const char* name) noexcept {
    return categories_of(descriptor::kind::performance, name, in);
}

} // namespace mpit::tool
