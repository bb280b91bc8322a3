// SPDX-License-Identifier: BSD-3-Clause
// From a variable back to its categories, which the standard lacks. It works in any shared object of the process, and needs
// no function of the standard.
//
//   for (mpit::base::text category : mpit::tool::categories_of("EAGER_LIMIT")) …
#pragma once

#include <mpit/tool/variable.hpp>

namespace mpit::inline v0_1::tool {

// The names of the categories that hold a variable directly, each once; none where no variable has the name. The library
// that declared it need not be loaded any more. Not for signal handlers.
MPIT_MODULE_LOCAL inline index::holders categories_of(describe::kind of, const char* name,
                                                      performance_class in = {}) noexcept {
    const index::process_index* index = index::served_index();
    const index::record* found = index == nullptr || name == nullptr ? nullptr : index->find(of, name, in);
    return found != nullptr ? index::holders{*index, *found} : index::holders{};
}
MPIT_MODULE_LOCAL inline index::holders categories_of(const char* control) noexcept {
    return categories_of(describe::kind::control, control);
}
MPIT_MODULE_LOCAL inline index::holders categories_of(performance_class in, const char* name) noexcept {
    return categories_of(describe::kind::performance, name, in);
}

} // namespace mpit::tool
