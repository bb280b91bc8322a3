// What scenarios describe to the library: a root of their tree, events, and the operations of performance variables.
//     model::root tree;   model::described_event event{tree};   table = model::operations_of(behaviour::following);
#pragma once

#include <mpit/descriptor/event.hpp>
#include <mpit/descriptor/variable.hpp>
#include <mpit/session/epochs.hpp>

#include "explorer.hpp" // IWYU pragma: keep

namespace model {

struct MPIT_MODULE_LOCAL root : mpit::descriptor::category {
    root() : category{"root", ""} {}
};

// The cell of each object is the variable or the event itself.
template <class Described>
void* locate_itself(Described& described, mpit::descriptor::object_key, std::uint32_t& generation) {
    generation = 0;
    return &described;
}

// Of objects whose handles are their keys, if the record says that it is bound.
struct MPIT_MODULE_LOCAL described_event : mpit::descriptor::event {
    explicit described_event(mpit::descriptor::category& tree) : event{&tree, "event", ""} {
        static constexpr mpit::descriptor::event_operations table{.key = [](const void* handle) {
            return *static_cast<const mpit::descriptor::object_key*>(handle);
        }, .locate = &locate_itself<mpit::descriptor::event>};
        operations = &table;
    }
};

// Without a function that gives a value.
constexpr mpit::descriptor::performance_operations operations_of(mpit::descriptor::behaviour of) {
    return {.value_behaviour = of,
            .real = false,
            .words_per_unit = 0,
            .locate = &locate_itself<mpit::descriptor::performance>,
            .sample = nullptr,
            .level = nullptr,
            .assign_cells = nullptr,
            .key = nullptr,
            .read = nullptr};
}

// Epochs of which one goes on.
struct MPIT_MODULE_LOCAL open_epochs : mpit::session::epoch_counter {
    open_epochs() {
        mpit::thread_level provided{};
        model::check(initialize(mpit::thread_level::multiple, provided) == mpit::result::success, "an epoch begins");
    }
};

} // namespace model
