// SPDX-License-Identifier: BSD-3-Clause
// States: which of several activities the library is in (MPI-5.0, 15.3.7).
//
//   mpit::state<engine> engine_state{this, "engine_state", "What the engine does", {.initial = engine::idle}};
//   engine_state = engine::polling;
#pragma once

#include <mpit/variable/measured.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// Keeps a state of E, or of int if its items are known only at run time, and in the upper half of its word how often it
// changed: what a tool writes stands until then. Any thread
// and any signal handler may change and read it. Two threads that change it at once may count one change, which spares both of
// them a locked instruction.
template <class E> requires(core::enumerated<E> || __is_same(E, int)) class state_cell {
public:
    MPIT_MODULE_LOCAL constexpr state_cell() noexcept {}
    MPIT_MODULE_LOCAL constexpr explicit state_cell(std::uint64_t start) noexcept : word_{start & state_mask} {}
    MPIT_MODULE_LOCAL void operator=(E now) noexcept { change_to(static_cast<std::uint32_t>(now)); }
    // The present state.
    MPIT_MODULE_LOCAL E get() const noexcept { return static_cast<E>(static_cast<int>(word_.load() & state_mask)); }
    MPIT_MODULE_LOCAL operator E() const noexcept { return get(); }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return word_.load(); }
    MPIT_MODULE_LOCAL constexpr void begin_with(std::uint64_t start) noexcept { word_.begin_with(start & state_mask); }
    MPIT_MODULE_LOCAL void reset(std::uint64_t start) noexcept { change_to(static_cast<std::uint32_t>(start)); }

private:
    static constexpr std::uint64_t state_mask = 0xffffffff;
    MPIT_MODULE_LOCAL void change_to(std::uint32_t now) noexcept {
        const std::uint64_t previous = word_.load(core::relaxed);
        if (static_cast<std::uint32_t>(previous) != now)
            word_.store(((previous & ~state_mask) + (state_mask + 1)) | now);
    }

    core::atomic<std::uint64_t> word_;
};

namespace MPIT_MODULE_LOCAL internal {

template <class E> struct state_traits {
    using shape = internal::shape<E>;
    static_assert(core::enumerated<E>, "a state is an enumeration");
    using cell = state_cell<E>;
    static constexpr performance_class variable_class = performance_class::state;
    static constexpr behaviour behaves = behaviour::choosing;
    static constexpr bool in_shards = false, counts_nanoseconds = false;
};

template <class E, class Object> struct state_settings {
    unnamed_setting unnamed = no_unnamed_setting;
    core::initial_item<E> initial{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
    flag atomic{};
    locate_function<state_cell<E>, Object> locate{};
};

} // namespace internal

// One of the values of an enumeration: `x = E::value`, from any thread or signal handler. Two threads that change it at once
// may count as one change.
template <class E, class Object = void> class state : public internal::measured<internal::state_traits<E>, Object> {
    using base_type = internal::measured<internal::state_traits<E>, Object>;

public:
    using settings = internal::state_settings<E, Object>;
    constexpr state(descriptor::category* in_category, core::declared_name called, core::text meaning,
                    const settings& chosen = internal::no_settings<settings>)
        : base_type{in_category, called, meaning, chosen,
                    static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<int>(chosen.initial.value)))} {
        chosen.initial.check_default();
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr state(descriptor::category* in_category, core::declared_name called, core::text meaning,
                    const internal::unnamed_setting&, const More&...)
        : state{in_category, called, meaning} {}
    using base_type::operator=;
};

} // namespace mpit

#pragma GCC diagnostic pop
