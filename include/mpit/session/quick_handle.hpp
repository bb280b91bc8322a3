// SPDX-License-Identifier: BSD-3-Clause
// The quick way of a handle on one number of the process, which most variables are: what its calls need is decided once, when
// the handle is allocated, so that a call walks no tables and calls nothing. Every other handle, and every call that is
// refused, takes the way of performance_handle.
//
//   quick_handle quick;  quick.store(target);  …  if (quick.make<handle_step::start>(owned, me, {slot, slot.variable, handle}, nullptr)) …
#pragma once

#include <mpit/concurrency/owned_pair.hpp>
#include <mpit/concurrency/read_guard.hpp>
#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/session/bound_variable.hpp>
#include <mpit/session/element_value.hpp>
#include <mpit/variable/cells.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// So many steps can be quick.
inline constexpr std::uint32_t quick_step_count = 5;

// Where the word of a variable is: in the cells of all threads, in memory, as a word or as its lower half, or a function tells it. A
// following one is not added up from the start of the handle.
struct word_source {
    static constexpr std::uint8_t none = 0, sum = 1, memory = 2, half = 4, following = 8, function = 16;
};

// Whether a handle still is what it was. holds() is asked when its state is loaded: the variable stays loaded in the read guard.
// is_open() is asked before a value is given: a slot that is freed and used again meanwhile has the place of another variable.
struct handle_check {
    const slot_header& slot;
    const bound_variable<descriptor::performance>& variable;
    std::uint64_t handle;

    [[gnu::always_inline]] bool holds() const noexcept { return variable.is_loaded() && is_open(); }
    [[gnu::always_inline]] bool is_open() const noexcept { return slot.word.has(handle); }
};

class quick_handle {
public:
    // Fills the slot of a handle that is not open yet. Returns whether its reads can be quick, so that the handle is worth an owner. The
    // questions precede the stores: the compiler would read everything once more behind them.
    [[gnu::always_inline]] bool store(const reference<descriptor::performance>& target) noexcept {
        const descriptor::performance& variable = *target.variable;
        const variable_record& record = *target.record;
        const value_form form = form_of(variable);
        const word_place from =
            form <= value_form::seconds && target.is_alone() ? place_of(variable, target.cell) : word_place{};
        const bool is_switched = !record.continuous && variable.operations->watch == nullptr;
        const bool starts_from_zero = variable.starting_word == 0;
        const bool is_reset = starts_from_zero && !record.readonly;
        const bool is_read_and_reset = starts_from_zero && record.atomically;
        place_.store(from.address);
        distance_.store(from.distance);
        form_.store(form);
        allow(handle_step::read, from.source, true);
        allow(handle_step::start, from.source, is_switched);
        allow(handle_step::stop, from.source, is_switched);
        allow(handle_step::reset, from.source, is_reset);
        allow(handle_step::read_and_reset, from.source, is_read_and_reset);
        const bool is_in_reach = from.source == word_source::sum || (from.source & word_source::memory) != 0;
        const bool is_ownable = is_in_reach && variable.operations->watch == nullptr;
        const bool begins_simply = starts_from_zero || (from.source & word_source::following) != 0;
        first_flags_.store(!is_ownable || !begins_simply ? no_flags : record.continuous ? std::uint8_t{running} : std::uint8_t{0});
        return is_ownable;
    }
    // None if the step is refused, or if it has to be made by performance_handle.
    [[gnu::always_inline]] std::uint8_t source(handle_step step) const noexcept {
        return sources_[static_cast<std::uint32_t>(step)].load();
    }
    // Whether another handle in the same slot, on the same variable, can begin in a few instructions.
    [[gnu::always_inline]] bool can_begin_again() const noexcept { return !first_flags_.has(no_flags); }
    // The state of this other handle. False if the variable has been unloaded, and in a signal handler that has interrupted a quick guard.
    [[gnu::always_inline]] bool begin_again(core::owned_pair& owned, core::double_word& shared, std::uint64_t stamp,
                                            const bound_variable<descriptor::performance>& variable) const noexcept {
        atomic<std::uint32_t>* const me = internal::quick_guard::free_cell();
        const std::uint8_t first_flags = first_flags_.load(), source = this->source(handle_step::read);
        const bool is_running = first_flags != 0, follows = (source & word_source::following) != 0;
        word_pair initial{0, stamp << element_value::stamp_shift | first_flags};
        if (is_running != follows) {
            if (me == nullptr) return false;
            const internal::quick_guard here{*me};
            if (!variable.is_loaded()) return false;
            initial.value = total_or_in_memory(place_.load(), distance_.load(), source);
        }
        if (!begin_owned(owned, shared, initial, me)) shared.assign(initial);
        return true;
    }
    // Begins the state of a handle that this thread owns, as `me` says. False if it can own none, and where the owner of the handle before, which
    // another thread has freed, may still be in a change. Its changes are made in quick guards that have found the slot's word: behind the
    // fence either the guard is seen, or it begins later and finds that its handle has ended.
    [[gnu::always_inline]] static bool begin_owned(core::owned_pair& owned, core::double_word& shared, const word_pair& initial,
                                                   atomic<std::uint32_t>* me) noexcept {
        if (owned.begin(shared, initial, me)) [[likely]]
            return true;
        const void* const former = owned.former_owner();
        if (me == nullptr || former == nullptr) return false;
        fences().heavy();
        if (!static_cast<const atomic<std::uint32_t>*>(former)->has(0)) return false;
        owned.forget_former_owner();
        return owned.begin(shared, initial, me);
    }
    // Makes a step of a handle that the thread owns, as `me` says, or nothing and answers false. What is loaded of the slot counts only if the
    // slot's word is asked for afterwards: another handle in the slot has another place.
    template <handle_step Step>
    [[gnu::always_inline]] bool make(core::owned_pair& owned, const void* me, const handle_check& check,
                                     void* buffer) const noexcept {
        const atomic<std::uint8_t>& from = sources_[static_cast<std::uint32_t>(Step)];
        if (from.has(word_source::sum)) [[likely]] {
            const internal::shard* const first = internal::shards.load()->first.load();
            if (first->number >= few_shards) return false;
            return Step == handle_step::read && form_.has(value_form::word)
                       ? act<Step, true, true>(owned, me, check, buffer, word_source::sum, first)
                       : act<Step, true, false>(owned, me, check, buffer, word_source::sum, first);
        }
        const std::uint8_t source = from.load();
        return (source & word_source::memory) != 0 && act<Step, false, false>(owned, me, check, buffer, source, nullptr);
    }
    // The same for all that have a source, under a read_guard: another thread may own the handle, a sum may visit many threads, and
    // a function of the library may be called. A read beside changes of other threads answers false after most_reads attempts.
    template <handle_step Step>
    [[gnu::always_inline]] bool make_at_length(core::owned_pair& owned, core::double_word& shared,
                                               const handle_check& check, void* buffer) const noexcept {
        const std::uint8_t source = this->source(Step);
        const void* const place = place_.load();
        const std::uint64_t distance = distance_.load();
        if (source == word_source::none) return false;
        const bool follows = (source & word_source::following) != 0;
        const auto present = [&]() __attribute__((always_inline)) {
            if ((source & word_source::function) != 0) {
                descriptor::performance& variable = *check.variable.variable();
                void* const cell = check.variable.cell();
                return check.is_open() ? variable.operations->sample(variable, cell, 0) : 0; // both of one handle
            }
            return total_or_in_memory(place, distance, source);
        };
        if constexpr (Step == handle_step::read) {
            word_pair seen = owned.load(shared, fences());
            if (!check.holds()) return false;
            for (int reads = 0; reads < element_value::most_reads; reads++) {
                if (!is_running(seen)) return put_quickly(check, seen.value, buffer);
                const word_pair before = seen;
                const std::uint64_t word = since(before, present(), follows);
                seen = owned.load(shared, fences());
                if (seen == before) return put_quickly(check, word, buffer);
            }
            return false;
        } else {
            if ((shared.flags() & core::owned_pair::away) != 0) owned.share(shared, fences());
            const word_pair seen = shared.load();
            return check.holds() &&
                   change<Step>(seen, check, buffer, follows, present, [&](const word_pair& next) __attribute__((always_inline)) {
                       return shared.replace_counted(seen, next);
                   });
        }
    }
    static const core::fence_pair& fences() noexcept { return internal::shards.load()->fences; }

private:
    // With more of them the loads of make_at_length, eight at once, are quicker. The list begins with the highest number.
    static constexpr std::uint32_t few_shards = 8;
    static constexpr std::uint64_t running = element_value::running;
    static constexpr std::uint8_t no_flags = 0xff;

    struct word_place {
        const void* address = nullptr;
        std::uint32_t distance = 0; // of the cell in every shard
        std::uint8_t source = word_source::none;
    };

    [[gnu::always_inline]] void allow(handle_step step, std::uint8_t source, bool is_allowed) noexcept {
        sources_[static_cast<std::uint32_t>(step)].store(is_allowed ? source : word_source::none);
    }
    // Of a variable that is one number of the process.
    static word_place place_of(const descriptor::performance& variable, void* cell) noexcept {
        const descriptor::performance_operations& operations = *variable.operations;
        if (operations.real || operations.value_behaviour > behaviour::following) return {};
        if (operations.in_shards == descriptor::shard_use::sum) {
            const internal::shard_cell& summed = static_cast<const internal::shard_kept*>(cell)->in_shards();
            const std::uint32_t distance = summed.distance_in_shards();
            const internal::shard_set* set = internal::shards.load();
            const bool is_counted = set != nullptr && distance < set->cells_end;
            return {&summed.shared(), distance, is_counted ? word_source::sum : word_source::function};
        }
        const auto following =
            operations.value_behaviour == behaviour::following ? word_source::following : word_source::none;
        std::uint32_t bytes = 0;
        const void* const place = operations.stored != nullptr
                                      ? operations.stored(const_cast<descriptor::performance&>(variable), cell, bytes)
                                      : nullptr;
        const int from = place == nullptr ? word_source::function
                         : bytes == 4     ? word_source::memory | word_source::half
                                          : word_source::memory;
        return {place, 0, static_cast<std::uint8_t>(from | following)};
    }
    static const atomic<std::uint64_t>& word_at(const void* place) noexcept { return *static_cast<const atomic<std::uint64_t>*>(place); }
    [[gnu::always_inline]] static std::uint64_t in_memory(const void* place, std::uint8_t source) noexcept {
        return (source & word_source::half) != 0 ? static_cast<const atomic<std::uint32_t>*>(place)->load() : word_at(place).load();
    }
    // The place of a sum is what all threads share of it.
    [[gnu::always_inline]] static std::uint64_t total_or_in_memory(const void* place, std::uint64_t distance, std::uint8_t source) noexcept {
        return source == word_source::sum
                   ? internal::shard_cell::total_at(word_at(place), distance, internal::shards.load()->first.load())
                   : in_memory(place, source);
    }
    [[gnu::always_inline]] static bool is_running(const word_pair& seen) noexcept { return (seen.flags & running) != 0; }
    // A step of a thread that owns the handle, on a sum or a word in memory. Whoever else changes the state takes it over before.
    template <handle_step Step, bool IsSum, bool IsWord>
    [[gnu::always_inline]] bool act(core::owned_pair& owned, const void* me, const handle_check& check, void* buffer, std::uint8_t source,
                                    const internal::shard* first) const noexcept {
        if (!check.variable.is_loaded()) [[unlikely]] // first, so that nothing of it is in a register any more
            return false;
        const bool follows = !IsSum && (source & word_source::following) != 0;
        const word_pair seen = owned.load_as_owner();
        if (Step == handle_step::read && !is_running(seen)) [[unlikely]]
            return owned.is_owned_by(internal::this_thread_shard.quick_state) && put_quickly(check, seen.value, buffer);
        const void* const place = place_.load();
        const std::uint64_t distance = IsSum ? distance_.load() : 0;
        if (!check.is_open()) [[unlikely]]
            return false;
        if constexpr (Step == handle_step::read) {
            // The subtraction goes first, so that one register less is in use.
            const std::uint64_t word = IsSum ? internal::shard_cell::total_of_few(word_at(place).load() - seen.value, distance, first)
                                             : since(seen, in_memory(place, source), follows);
            if (!owned.is_owned_by(internal::this_thread_shard.quick_state)) [[unlikely]] // as `me`, which needs no register until then
                return false;
            if (!IsWord) return put_quickly(check, word, buffer);
            std::memcpy(buffer, &word, 8);
            return true;
        }
        return change<Step>(
            seen, check, buffer, follows,
            [&]() __attribute__((always_inline)) {
                return IsSum ? internal::shard_cell::total_of_few(word_at(place).load(), distance, first) : in_memory(place, source);
            },
            [&](const word_pair& next) __attribute__((always_inline)) { return owned.change_as_owner(me, next.value, next.flags); });
    }
    // Every step but a read, of an open handle in the state `seen`. `replace` fails if that is another one by now.
    template <handle_step Step, class Present, class Replace>
    [[gnu::always_inline]] bool change(const word_pair& seen, const handle_check& check, void* buffer, bool follows, Present present,
                                       Replace replace) const noexcept {
        if constexpr (Step == handle_step::start || Step == handle_step::stop) {
            if (is_running(seen) == (Step == handle_step::start)) return true;
            const std::uint64_t word = follows && Step == handle_step::start ? 0 : since(seen, present(), follows);
            return replace({word, seen.flags ^ running});
        } else {
            const std::uint64_t now = is_running(seen) || follows ? present() : 0;
            const std::uint64_t word = is_running(seen) ? since(seen, now, follows) : seen.value;
            if (!replace({is_running(seen) != follows ? now : 0, seen.flags})) return false;
            return Step == handle_step::reset || put_quickly(check, word, buffer);
        }
    }
    // False if the handle was freed meanwhile.
    [[gnu::always_inline]] bool put_quickly(const handle_check& check, std::uint64_t word, void* buffer) const noexcept {
        if (form_.has(value_form::word)) [[likely]] {
            if (!check.is_open()) [[unlikely]]
                return false;
            std::memcpy(buffer, &word, 8);
        } else {
            const value_form form = form_.load();
            if (!check.is_open()) return false;
            put(form, word, buffer);
        }
        return true;
    }
    // The value of a running element.
    [[gnu::always_inline]] static std::uint64_t since(word_pair seen, std::uint64_t now, bool follows) noexcept {
        const std::uint64_t difference = now - seen.value;
        return follows && static_cast<std::int64_t>(difference) < 0 && seen.value != 0 ? 0 : difference;
    }

    atomic<const void*> place_;
    atomic<std::uint64_t> distance_; // of the cell from the beginning of every shard
    atomic<value_form> form_;
    atomic<std::uint8_t> sources_[quick_step_count]; // for each step; none if it is refused
    atomic<std::uint8_t> first_flags_;               // of a new handle, which begins at the sum or at 0; no_flags for all other ones
};

} // namespace session
} // namespace mpit
