// SPDX-License-Identifier: BSD-3-Clause
// The tool interface of one library: its epochs, handles and sessions, over the registry of the process. The shims call
// these functions and translate their answers; none throws, if no callback of a tool does, and none but initialize()
// locks (MPI-5.0, 15.3.4 to 15.3.9).
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

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

using descriptor::kind;

struct library {
    // MPI_T_ERR_CANNOT_INIT without memory for the registry or its records, or if a function of before_tools() refuses,
    // with its code as the `refusal`.
    result initialize(thread_level required, thread_level& provided, int& refusal) noexcept {
        registry::process_registry* registry = registry::the_registry();
        if (registry == nullptr || !prepare_unloading(*registry) || !registry::become_registrar(*registry))
            return result::cannot_initialize;
        refusal = registry->tool_hooks.run();
        if (refusal != 0 || !registry::open_to_tools(*registry)) return result::cannot_initialize;
        if (!MPIT_ONLY_LOOKS) registry::report_lost_values(*registry);
        return counting.initialize(required, provided);
    }
    result initialize(thread_level required, thread_level& provided) noexcept {
        int refusal = 0;
        return initialize(required, provided, refusal);
    }
    // The last finalize of an epoch frees the sessions and handles that are left.
    result finalize() {
        std::uint32_t ended = 0;
        const result answer = counting.finalize(ended);
        if (ended != 0) {
            sessions.free_all(ended);
            controls.free_all(ended);
            events.free_all(names(), ended);
        }
        return answer;
    }
    bool is_initialized() const noexcept { return counting.is_open(); }

    // The index; it exists in every epoch.
    registry::process_registry& names() const noexcept { return *registry::known_registry.load(); }

    result allocate_control(int number, const void* object_handle, std::uint64_t& handle,
                            std::uint32_t& count) noexcept {
        registry::variable_record* record = names().variable(kind::control, number);
        if (record == nullptr) return result::invalid_index;
        return controls.allocate(*record, object_handle, counting, handle, count);
    }
    result allocate_performance(std::uint64_t session, int number, const void* object_handle, std::uint64_t& handle,
                                std::uint32_t& count) noexcept {
        return sessions.allocate(session, names().variable(kind::performance, number), object_handle, handle, count);
    }

    event_record* event(int number) const noexcept {
        return static_cast<event_record*>(names().variable(kind::event, number));
    }

    // Registrations would call code of this shared object after it is unloaded.
    bool prepare_unloading(registry::process_registry& registry) noexcept {
        if (is_prepared.load() != 0) return true;
        const auto end = [](void* of_this_module) noexcept {
            auto& unloaded = *static_cast<library*>(of_this_module);
            unloaded.sessions.free_all(core::every_epoch);
            if (!unloaded.events.end_all(unloaded.names()))
                return registry::report(unloaded.names().reports_to.load(),
                                        "a thread has been in a callback for a second while %s is being unloaded",
                                        registry::words_for_module());
            unloaded.controls.release_all();
            unloaded.sessions.release_all();
            unloaded.events.release_all();
        };
        if (!registry::at_unloading(registry, end, this)) return false;
        is_prepared.store(1);
        return true;
    }

    atomic<std::uint32_t> is_prepared;
    epochs counting;
    control_handles controls;
    performance_sessions sessions;
    event_handles events;
};

#if !MPIT_ONLY_LOOKS
// This note tells objects loaded before that this one sends the reports. It has no content, and the layout's version as
// its type.
__asm__(R"(
    .ifndef mpit_note_of_shims_4
    .pushsection .note.mpit,"aGR",@note,mpit_note_of_shims_4,comdat
    .balign 4
mpit_note_of_shims_4:
    .long 10, 0, 4
    .asciz "mpit roof"
    .balign 4
    .popsection
    .endif
)");
static_assert(mpit::version::layout == 4, "the layout's version stands in the note as well");
#endif

// One for each shared object with shims, which is told of pending trees from its load on.
inline constinit library the_library;
[[gnu::cold]] inline bool keep_when_loaded() noexcept {
    registry::process_registry* registry = registry::the_registry();
    return registry != nullptr && (MPIT_ONLY_LOOKS || registry::become_registrar(*registry));
}
[[gnu::used, gnu::retain]] inline constinit const bool* keeps_registry = core::at_load<&keep_when_loaded>;

} // namespace session
} // namespace mpit
