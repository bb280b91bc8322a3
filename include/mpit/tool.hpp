// SPDX-License-Identifier: BSD-3-Clause
// For readers of variables: typed handles, listings and events over the registry of the process, without functions of
// the standard; batches, which read many variables at once; and the categories of a variable. mpit/tool/over_mpi.hpp
// has handles, listings and events over any MPI. Handles and listings add about a second to the compilation of a file,
// as the shims do; mpit/batch.hpp has batches alone.
//
//   mpit::tool::library<> interface;   auto limit = interface.control<int>("EAGER_LIMIT");   limit.write(4096);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/batch.hpp>                 // IWYU pragma: export
#include <mpit/session/variable_view.hpp> // IWYU pragma: export
#include <mpit/tool/over_registry.hpp>    // IWYU pragma: export

namespace mpit::inline v0_1::tool {

// Returns the names of the categories that hold a variable directly, each once; none if no variable has the name. The
// standard has no such query, and no function of the standard is called. Works in any shared object of the process; the
// library that declared the variable need not be loaded any more. Any thread may call it at any time. Not for signal
// handlers.
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
MPIT_MODULE_LOCAL inline registry::parent_categories categories_of(performance_class variable_class,
                                                                   const char* name) noexcept {
    return categories_of(descriptor::kind::performance, name, variable_class);
}

} // namespace mpit::tool

#include <mpit/end.hpp>
