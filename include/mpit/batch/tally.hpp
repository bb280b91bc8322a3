// SPDX-License-Identifier: BSD-3-Clause
// A sum and its count in a batch. If the batch contains both, they are read, started and reset as of one moment.
//
//   if (!tally.read(sample, attempts_left)) …   // a change was under way: the sum may be of another number of changes
#pragma once

#include <mpit/variable/tally_cell.hpp>
#include <mpit/batch/element.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

enum class batch_change : std::uint8_t { start, stop, reset };

struct batch_tally {
    // At changes that are under way, in one read of a batch: about ten microseconds.
    static constexpr std::uint32_t most_attempts = 1000;

    batch_element parts[2]; // the count, the sum
    bool real = false, readonly = false, continuous = false;
    atomic<std::uint8_t> is_together; // they have counted the same changes

    // Returns null if neither of them is there.
    internal::tally_cell* cell() const noexcept {
        void* of_count = parts[0].source.load();
        return static_cast<internal::tally_cell*>(of_count != nullptr ? of_count : parts[1].source.load());
    }
    // To be called when one of them has been added to the other, stopped or running as it begins.
    MPIT_MODULE_LOCAL void begin() noexcept {
        if (!has_both()) return;
        const bool have_waited = is_untouched(parts[0]) && is_untouched(parts[1]);
        std::uint32_t attempts_left = most_attempts;
        is_together.store(continuous ? apply_to_both(batch_change::reset, attempts_left) : have_waited);
    }
    // Fills the fields. Returns false if the sum may be of other changes than the count.
    MPIT_MODULE_LOCAL bool read(char* sample, std::uint32_t& attempts_left) const noexcept {
        const internal::tally_cell* tally = cell();
        if (tally == nullptr) return true;
        const bool both = has_both();
        std::uint32_t none = 0;
        const internal::tally_values now = tally->values(real, both ? attempts_left : none);
        for (int i = 0; i < 2; i++)
            if (parts[i].source.load() != nullptr) parts[i].put(parts[i].sum_of(is_real(i), word_of(now, i)), sample);
        const bool is_stopped = !parts[0].is_running(parts[0].state.load());
        return !both || ((now.is_whole || is_stopped) && is_together.load() != 0);
    }
    // Returns false if the two have not changed at one moment.
    MPIT_MODULE_LOCAL bool apply(batch_change what, std::uint32_t& attempts_left) noexcept {
        if (what == batch_change::reset ? readonly : continuous) return true;
        return apply_to_both(what, attempts_left);
    }
    // They are together no more, until a reset. Returns false if the batch has both.
    bool part() noexcept {
        is_together.store(0);
        return !has_both();
    }

private:
    bool has_both() const noexcept { return parts[0].source.load() != nullptr && parts[1].source.load() != nullptr; }
    bool is_real(int part) const noexcept { return real && part == 1; }
    static std::uint64_t word_of(const internal::tally_values& values, int part) noexcept {
        return part == 0 ? values.count : values.sum;
    }
    static bool is_untouched(const batch_element& part) noexcept {
        const word_pair seen = part.state.load();
        return seen.value == 0 && !part.is_running(seen);
    }
    MPIT_MODULE_LOCAL bool apply_to_both(batch_change what, std::uint32_t& attempts_left) noexcept {
        const internal::tally_cell* tally = cell();
        if (tally == nullptr) return true;
        const bool both = has_both();
        const bool are_alike = parts[0].is_running(parts[0].state.load()) == parts[1].is_running(parts[1].state.load());
        std::uint32_t none = 0;
        const internal::tally_values now = tally->values(real, both ? attempts_left : none);
        if (what == batch_change::reset) reset(now, both);
        else
            for (int i = 0; i < 2; i++)
                if (parts[i].source.load() != nullptr)
                    switch_part(parts[i], what == batch_change::start, is_real(i), word_of(now, i));
        if (!both) return true;
        // Two that switched at once may have left one running; a reset makes them alike.
        const bool is_done = now.is_whole && (are_alike || what == batch_change::reset);
        is_together.store(is_done && (what == batch_change::reset || is_together.load() != 0));
        return is_done;
    }
    // Each continues as it was, but the sum continues as the count does.
    void reset(const internal::tally_values& now, bool both) noexcept {
        std::uint64_t flags = 0;
        for (int i = 0; i < 2; i++) {
            if (parts[i].source.load() == nullptr) continue;
            word_pair seen = parts[i].state.load(), wanted;
            do {
                if (i == 0 || !both) flags = seen.flags & state_fact::running;
                wanted.flags = (seen.flags & ~state_fact::running) | flags;
                wanted.value = flags != 0 ? word_of(now, i) : 0;
            } while (!parts[i].state.replace(seen, wanted));
        }
    }
    static void switch_part(batch_element& part, bool is_on, bool real, std::uint64_t now) noexcept {
        word_pair seen = part.state.load(), wanted;
        do {
            if (part.is_running(seen) == is_on) return;
            wanted = {core::difference(real, now, seen.value), seen.flags ^ state_fact::running};
        } while (!part.state.replace(seen, wanted));
    }
};

} // namespace session
} // namespace mpit
