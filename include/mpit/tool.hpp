// SPDX-License-Identifier: BSD-3-Clause
// What a reader of variables includes: typed handles, listings and events, over the registry of the process, where no
// function of the standard is needed; batches, which read many variables at once; and the way from a variable to its
// categories. mpit/tool/over_mpi.hpp is the same over any MPI. Handles and listings cost a tool's file about a second,
// as the shims do; mpit/batch.hpp has batches alone.
//
//   mpit::tool::library<> interface;   auto limit = interface.control<int>("EAGER_LIMIT");   limit.write(4096);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/batch.hpp>                 // IWYU pragma: export
#include <mpit/session/variable_view.hpp> // IWYU pragma: export
#include <mpit/tool/over_registry.hpp>    // IWYU pragma: export

namespace mpit::inline v0_1::tool {

// From a variable to its categories, which the standard does not report. Works in any shared object of the process and
// needs no function of the standard. The names of the categories that hold a variable directly, each once; none if no
// variable has the name. The library that declared it need not be loaded any more. Any thread may call it at any time.
// Not for signal handlers.
MPIT_MODULE_LOCAL inline registry::parent_categories categories_of(descriptor::kind item_kind, const char* name,
                                                                   performance_class variable_class = {}) noexcept {
    const registry::process_registry* registry = registry::published_registry();
    const registry::record* found =
        registry == nullptr || name == nullptr ? nullptr : registry->find(item_kind, name, variable_class);
    return found != nullptr ? registry::parent_categories{*registry, *found} : registry::parent_categories{};
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
