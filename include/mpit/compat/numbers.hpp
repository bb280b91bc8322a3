// SPDX-License-Identifier: BSD-3-Clause
// The indices of the draft. Some variables cannot be expressed in it, so that its indices leave them out; like the
// registry's they are dense and never change. A walk in either direction continues where the last one ended, and
// allocates nothing.
//
//   the_controls.count();   const variable_record* r = the_controls.at(index);   int index = the_controls.number_of(*r);
#pragma once

#include <mpit/compat/shown.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL compat {

inline bool is_in_draft(const registry::record& r) noexcept {
    if (!is_open_name(r.name)) return false;
    if (r.item_kind == kind::category) return true;
    return r.variable_class != performance_class::generic &&
           static_cast<const variable_record&>(r).binding <= binding::window;
}

// Of one kind of records.
class draft_numbers {
public:
    constexpr explicit draft_numbers(kind item_kind) noexcept : item_kind_{item_kind} {}

    int count() noexcept {
        place position = nearest_place(counted_, [](place) { return true; });
        const std::uint32_t end = static_cast<std::uint32_t>(names().count(item_kind_));
        while (position.number < end) step(position);
        counted_.store(position);
        return static_cast<int>(position.shown);
    }
    // The record of an index, or null.
    const registry::record* at(int wanted) noexcept {
        if (wanted < 0) return nullptr;
        const auto shown = static_cast<std::uint32_t>(wanted);
        const std::uint32_t end = static_cast<std::uint32_t>(names().count(item_kind_));
        place position = nearest_place(walked_, [&](place p) { return p.shown <= shown; });
        for (; position.number < end; step(position)) {
            if (position.shown != shown || !is_in_draft(record(position))) continue;
            walked_.store(position);
            return &record(position);
        }
        return nullptr;
    }
    // The index of a record that is in the draft.
    int number_of(const registry::record& wanted) noexcept {
        const auto number = static_cast<std::uint32_t>(wanted.number.load());
        place position = nearest_place(walked_, [&](place p) { return p.number <= number; });
        while (position.number < number) step(position);
        walked_.store(position);
        return static_cast<int>(position.shown);
    }

private:
    // Of the records with numbers below `number` so many are shown.
    struct place {
        std::uint32_t number = 0, shown = 0;
    };
    template <class Fits> static place nearest_place(const core::atomic<place>& kept, const Fits& fits) noexcept {
        const place found = kept.load();
        return fits(found) ? found : place{};
    }
    const registry::record& record(place position) const noexcept {
        return *names().at(item_kind_, static_cast<int>(position.number));
    }
    void step(place& position) const noexcept {
        position.shown += is_in_draft(record(position));
        position.number++;
    }

    kind item_kind_;
    core::atomic<place> counted_, walked_;
};

inline constinit draft_numbers the_controls{kind::control}, the_performances{kind::performance},
    the_categories{kind::category};

inline int count_shown(draft_numbers& numbers, int* number) noexcept {
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (number == nullptr) return MPIT_ERR_INVALID;
    *number = numbers.count();
    return MPIT_SUCCESS;
}

} // namespace compat
} // namespace mpit
