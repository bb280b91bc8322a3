// SPDX-License-Identifier: BSD-3-Clause
// Implements the MPI tool information interface of one shared object (MPI-5.0, 15.3.4 to 15.3.9). The interface
// consists of init/finalize epochs, and of handles and sessions on the variables in the registry of the process. The C
// functions of the standard (shims) call the functions of this file and convert the results. A function of this file
// throws only if a tool's callback throws. Only initialize() takes a lock.
//
//   mpit::session::library& tools = mpit::session::the_library;
#pragma once

#include <mpit/config/lost_values.hpp>
#include <mpit/core/at_load.hpp>
#include <mpit/module/registrar.hpp>
#include <mpit/session/control_handles.hpp>
#include <mpit/session/epochs.hpp>
#include <mpit/session/event_handles.hpp>
#include <mpit/session/event_sources.hpp> // IWYU pragma: keep
#include <mpit/session/performance_sessions.hpp>
#include <mpit/version.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

using descriptor::kind;

struct library {
    // Implements MPI_T_init_thread. Returns MPI_T_ERR_CANNOT_INIT if memory is exhausted, or if a function that was
    // passed to before_tools() returns an error. Stores the error code of the function, or 0, in `refusal`.
    result initialize(thread_level required, thread_level& provided, int& refusal) noexcept {
        registry::process_registry* registry = registry::the_registry();
        if (registry == nullptr || !register_unload_function(*registry) || !registry::become_registrar(*registry))
            return result::cannot_initialize;
        refusal = registry->tool_hooks.run();
        if (refusal != 0 || !registry::open_to_tools(*registry)) return result::cannot_initialize;
        if (!MPIT_ONLY_LOOKS) registry::report_lost_values(*registry);
        return epochs.initialize(required, provided);
    }
    result initialize(thread_level required, thread_level& provided) noexcept {
        int refusal = 0;
        return initialize(required, provided, refusal);
    }
    // The last finalize of an epoch frees the sessions and handles that the tool has not freed.
    result finalize() {
        std::uint32_t ended = 0;
        const result status = epochs.finalize(ended);
        if (ended != 0) {
            sessions.free_all(ended);
            controls.free_all(ended);
            events.free_all(registry(), ended);
        }
        return status;
    }
    bool is_initialized() const noexcept { return epochs.is_open(); }

    // Returns the registry of the process. The registry exists after the first successful initialize().
    registry::process_registry& registry() const noexcept { return *registry::cached_registry.load(); }

    result allocate_control(int index, const void* object_handle, std::uint64_t& handle,
                            std::uint32_t& count) noexcept {
        registry::variable_record* record = registry().variable(kind::control, index);
        if (record == nullptr) return result::invalid_index;
        return controls.allocate(*record, object_handle, epochs, handle, count);
    }
    result allocate_performance(std::uint64_t session, int index, const void* object_handle, std::uint64_t& handle,
                                std::uint32_t& count) noexcept {
        return sessions.allocate(session, registry().variable(kind::performance, index), object_handle, handle, count);
    }

    event_record* event(int index) const noexcept {
        return static_cast<event_record*>(registry().variable(kind::event, index));
    }

    // Registers a function that frees all handles when this shared object is unloaded. If the handles were not freed,
    // an event could call code that is no longer mapped. Returns false if memory is exhausted.
    bool register_unload_function(registry::process_registry& registry) noexcept {
        if (has_unload_function.load() != 0) return true;
        const auto unload = [](void* data) noexcept {
            auto& unloaded = *static_cast<library*>(data);
            unloaded.sessions.free_all(core::any_epoch);
            if (!unloaded.events.end_all(unloaded.registry()))
                return registry::report(
                    unloaded.registry().reports_to.load(),
                    "a thread has been in a callback for a second while %s is unloaded; unload it after the callback",
                    registry::display_name());
            unloaded.controls.release_all();
            unloaded.sessions.release_all();
            unloaded.events.release_all();
        };
        if (!registry::at_unloading(registry, unload, this)) return false;
        has_unload_function.store(1);
        return true;
    }

    atomic<std::uint32_t> has_unload_function;
    epoch_counter epochs;
    control_handles controls;
    performance_sessions sessions;
    event_handles events;
};

#if !MPIT_ONLY_LOOKS
// This ELF note marks a shared object that contains shims. A shared object that was loaded earlier reads the note and
// lets the marked shared object send the reports. The note has no descriptor. The type of the note is the version of
// the registry's layout.
__asm__(R"(
    .ifndef mpit_note_of_shims_5
    .pushsection .note.mpit,"aGR",@note,mpit_note_of_shims_5,comdat
    .balign 4
mpit_note_of_shims_5:
    .long 10, 0, 5
    .asciz "mpit roof"
    .balign 4
    .popsection
    .endif
)");
static_assert(mpit::version::layout == 5, "the version of the layout must be changed in the note, too");
#endif

// The tool interface of this shared object. When this shared object is loaded, it also becomes a registrar. A registrar
// publishes the variables of libraries that are loaded later.
inline constinit library the_library;
[[gnu::cold]] inline bool join_registry_at_load() noexcept {
    registry::process_registry* registry = registry::the_registry();
    return registry != nullptr && (MPIT_ONLY_LOOKS || registry::become_registrar(*registry));
}
[[gnu::used, gnu::retain]] inline constinit const bool* has_joined_registry = core::at_load<&join_registry_at_load>;

} // namespace session
} // namespace mpit
