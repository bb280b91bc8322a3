// SPDX-License-Identifier: BSD-3-Clause
// Classes and functions with which tools read variables. Typed handles, listings and events access mpit's registry in
// the process without functions of the standard. A batch reads many variables at once. The header
// mpit/tool/over_mpi.hpp provides handles, listings and events over any MPI. Handles and listings add about a second to
// the compilation of a file. A file that needs only batches can include mpit/batch.hpp instead.
//
//   mpit::tool::library<> interface;   auto limit = interface.control<int>("EAGER_LIMIT");   limit.write(4096);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/batch.hpp>                 // IWYU pragma: export
#include <mpit/session/variable_view.hpp> // IWYU pragma: export
#include <mpit/tool/over_registry.hpp>    // IWYU pragma: export

namespace mpit::inline v1_0::tool {

// Returns the names of the categories that contain a variable as a direct member, and lists each category once. Returns
// no names if no variable has the name. categories_of() reads the registry, because the standard has no query for the
// categories of a variable. Any thread in any shared object may call categories_of() at any time, also after the
// library that declared the variable was unloaded. Signal handlers must not call categories_of().
MPIT_MODULE_LOCAL inline registry::parent_categories categories_of(descriptor::kind item_kind, const char* name,
                                                                   performance_class variable_class = {}) noexcept {
    const registry::process_registry* registry = registry::published_registry();
    const registry::record* record =
        registry == nullptr || name == nullptr ? nullptr : registry->find(item_kind, name, variable_class);
    return record != nullptr ? registry::parent_categories{*registry, *record} : registry::parent_categories{};
}
MPIT_MODULE_LOCAL inline registry::parent_categories categories_of(const char* control) noexcept {
    return categories_of(descriptor::kind::control, control);
}
MPIT_MODULE_LOCAL inline registry::parent_categories categories_of(const char* name,
                                                                   performance_class variable_class) noexcept {
    return categories_of(descriptor::kind::performance, name, variable_class);
}

} // namespace mpit::tool

#include <mpit/end.hpp>
