// SPDX-License-Identifier: BSD-3-Clause
// A handle on a performance variable during one operation: the variable, the cell, and the states of the elements,
// which belong to this handle alone. A watermark's states are updated by its level (MPI-5.0, 15.3.7).
//
//   performance_handle on;  if (on.load(slot, word)) on.visit(handle_step::start);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/session/bound_variable.hpp>
#include <mpit/session/element_reader.hpp>
#include <mpit/session/owned_slot_pool.hpp>
#include <mpit/session/quick_handle.hpp>
#include <mpit/variable/cells.hpp> // IWYU pragma: export

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

struct alignas(core::double_word) performance_slot : owned_slot_header {
    bound_variable<descriptor::performance> variable;
    atomic<std::uint64_t> session;
    quick_handle quick;
    core::owned_pair owned;          // the state of the one element, while a thread owns it
    atomic<std::uint32_t> is_single; // one element of the process, with a state of its own
    atomic<std::uint32_t> count;     // of elements
    atomic<std::uint32_t> has_end;   // its variable has to do something at the end of the handle
    core::double_word* states() noexcept { return reinterpret_cast<core::double_word*>(this + 1); }
    // The same for a thread that may not own it.
    [[gnu::always_inline]] core::double_word* shared_states() noexcept {
        if ((states()->flags() & core::owned_pair::away) != 0) [[unlikely]]
            owned.share(*states(), quick_handle::fences());
        return states();
    }
};
using performance_pool = owned_slot_pool<performance_slot>;

class performance_handle {
public:
    // Differs for the handles that one slot, or one mark, has one after the other.
    static std::uint64_t stamp_of(std::uint64_t word) noexcept {
        return (word >> handle_word::generation_shift ^ handle_word::slot(word) * 0x9e3779b1u) & 0xffffff;
    }
    // The answers are those of reference::bind. `count` becomes the number of elements.
    result bind(variable_record& record, const void* object_handle, std::uint32_t& count) noexcept {
        const result bound = target_.bind(record, object_handle);
        if (bound != result::success) return bound;
        cell_ = target_.cell;
        const auto elements = target_.variable->operations->elements;
        count_ = count = elements == nullptr ? record.count : elements(*target_.variable, target_.key);
        return count == 0 ? result::invalid_handle : result::success;
    }
    // Fills a slot that is about to become the handle `word`. MPI_T_ERR_OUT_OF_HANDLES without memory for marks.
    result make(performance_slot& slot, std::uint64_t word) noexcept {
        slot_ = &slot;
        stamp_ = stamp_of(word);
        const reference<descriptor::performance> target = target_; // in registers, whatever is stored
        const descriptor::performance_operations& operations = *target.variable->operations;
        const bool is_whole = is_text(), is_marked = is_mark();
        const bool has_end = is_marked || operations.watch != nullptr;
        const bool is_single = target.is_alone() && !is_whole && !is_marked;
        // First, so that whoever finds a source finds a record, also with a number that never was a handle.
        slot.variable.store(target);
        const bool is_ownable = slot.quick.store(target);
        slot.count.store(count_);
        slot.is_single.store(is_single);
        slot.has_end.store(has_end);
        if (is_whole && operations.watch == nullptr) return result::success; // nobody asks whether it runs
        if (is_marked && !take_marks(word)) return result::out_of_handles;
        if (is_ownable && performance_pool::is_first(word)) {
            const word_pair initial =
                operations.value_behaviour == behaviour::accumulating && !target.record->continuous
                    ? word_pair{target.variable->starting_word, stamp_ << element_value::stamp_shift} // it stands still
                    : element_value{*target.variable, target.cell, 0, stamp_, *slot.states()}.initial();
            if (quick_handle::begin_owned(slot.owned, *slot.states(), initial, internal::quick_guard::free_cell())) return result::success;
        }
        if (count_ != 1 || is_whole) return visit(handle_step::begin);
        core::double_word* const state = is_marked ? state_of_mark(*slot.states()) : slot.states();
        if (state != nullptr) element_value{*target.variable, target.cell, 0, stamp_, *state}.begin();
        return state != nullptr ? result::success : result::invalid_handle;
    }
    // A slot as a handle on the same variable of the process has left it becomes the handle `word`. False if the variable's library has been
    // unloaded.
    [[gnu::always_inline]] static bool make_again(performance_slot& slot, std::uint64_t word) noexcept {
        return slot.quick.begin_again(slot.owned, *slot.states(), stamp_of(word), slot.variable);
    }
    // False when the handle was freed meanwhile.
    bool load(performance_slot& slot, std::uint64_t word) noexcept {
        slot_ = &slot;
        stamp_ = stamp_of(word);
        target_ = slot.variable.load();
        count_ = slot.count.load();
        if (slot.word.load() != word) return false;
        cell_ = target_.present_cell();
        return true;
    }
    // The thread that owned the state of a handle owns it no more.
    static void disown(performance_slot& slot) noexcept {
        slot.owned.end(*slot.states(), internal::quick_guard::free_cell());
    }
    // Lets go of the marks; those of an object that no longer exists were freed with it.
    void leave(std::uint64_t word) noexcept {
        disown(*slot_);
        if (!target_.is_loaded()) return;
        if (is_mark()) return is_there() ? leave_marks(word, count_) : void();
        element_value{*target_.variable, cell_, 0, stamp_, slot_->states()[0]}.end();
    }

    // Whether the handle has not been freed.
    bool is_open(std::uint64_t word) const noexcept { return slot_->word.has(word); }
    // Whether the variable and the object still are.
    bool is_there() const noexcept { return cell_ != nullptr; }
    const variable_record& record() const noexcept { return *target_.record; }
    // How many states the slot needs: one for a text.
    std::uint32_t state_count() const noexcept { return is_text() ? 1 : count_; }

    // Makes a step of each element, until one fails, as element_value::act says, or of a text.
    result visit(handle_step step, void* buffer = nullptr) noexcept {
        if (is_mark()) return visit_marks(step, buffer);
        if (is_text()) return visit_text(step, buffer);
        if (count_ > 1 && step == handle_step::read) return read_block(buffer);
        return element_block::is_of(*target_.variable, count_) ? visit_block(step, buffer) : visit_each(step, buffer, count_);
    }

private:
    // The one body of all steps.
    [[gnu::noinline]] MPIT_MODULE_LOCAL result visit_each(handle_step step, void* buffer, std::uint32_t count,
                                                          element_block* block = nullptr) noexcept {
        for (std::uint32_t i = 0; i < count; i++) {
            core::double_word* const state = &slot_->shared_states()[i];
            if (block != nullptr)
                block->come_to(i, count, [this](std::uint32_t k) -> core::double_word& { return slot_->states()[k]; });
            const result made = element_value{*target_.variable, cell_, i, stamp_, *state, block}.act<false>(step, buffer);
            if (made != result::success) return made;
        }
        return result::success;
    }
    [[gnu::noinline]] MPIT_MODULE_LOCAL result visit_marks(handle_step step, void* buffer) noexcept {
        for (std::uint32_t i = 0; i < count_; i++) {
            core::double_word* const state = state_of_mark(slot_->states()[i]);
            if (state == nullptr) return result::invalid_handle;
            const result made = element_value{*target_.variable, cell_, i, stamp_, *state}.act<true>(step, buffer);
            if (made != result::success) return made;
        }
        return result::success;
    }
    [[gnu::noinline]] MPIT_MODULE_LOCAL result visit_text(handle_step step, void* buffer) noexcept {
        if (step != handle_step::start && step != handle_step::stop && step != handle_step::begin)
            return element_value{*target_.variable, cell_, 0, stamp_, slot_->shared_states()[0]}.act_on_text(step, buffer);
        // Whether it runs matters to a library that hears of it.
        return target_.variable->operations->watch == nullptr ? result::success : visit_each(step, buffer, 1);
    }
    // For arrays. Apart, because a block takes more of the stack.
    [[gnu::noinline]] MPIT_MODULE_LOCAL result visit_block(handle_step step, void* buffer) noexcept {
        element_block block{*target_.variable, cell_};
        return visit_each(step, buffer, count_, &block);
    }
    [[gnu::noinline]] MPIT_MODULE_LOCAL result read_block(void* buffer) noexcept {
        const value_form form = form_of(*target_.variable);
        if (form == value_form::none) return visit_block(handle_step::read, buffer);
        const element_reader reader{*target_.variable, cell_, stamp_, form};
        return reader.read(slot_->shared_states(), count_, buffer) ? result::success : result::invalid_handle;
    }
    bool is_text() const noexcept { return target_.variable->operations->value_behaviour == behaviour::direct; }
    bool is_mark() const noexcept {
        const behaviour value_behaviour = target_.variable->operations->value_behaviour;
        return value_behaviour == behaviour::marking_high || value_behaviour == behaviour::marking_low;
    }
    // A handle on a watermark keeps the address of its mark where others keep their state.
    core::double_word* state_of_mark(const core::double_word& state) const noexcept {
        const core::word_pair seen = state.load();
        const bool is_mine = (seen.flags & core::double_word::user_mask) == stamp_ << element_value::stamp_shift;
        return is_mine ? &mark_at(seen.value)->state : nullptr;
    }
    static internal::mark* mark_at(std::uint64_t address) noexcept {
        return reinterpret_cast<internal::mark*>(address);
    }
    internal::watched_level& level_of(std::uint32_t element) const noexcept {
        return *static_cast<internal::watched_level*>(
            target_.variable->operations->level(*target_.variable, cell_, element));
    }
    bool take_marks(std::uint64_t word) noexcept {
        const bool highest = target_.variable->operations->value_behaviour == behaviour::marking_high;
        for (std::uint32_t i = 0; i < count_; i++) {
            internal::mark* taken = level_of(i).watch(highest, word);
            if (taken == nullptr) {
                leave_marks(word, i);
                return false;
            }
            slot_->states()[i].overwrite(
                {reinterpret_cast<std::uint64_t>(taken), stamp_ << element_value::stamp_shift});
        }
        return true;
    }
    void leave_marks(std::uint64_t word, std::uint32_t count) noexcept {
        for (std::uint32_t i = 0; i < count; i++) level_of(i).leave(*mark_at(slot_->states()[i].load().value), word);
    }

    performance_slot* slot_ = nullptr;
    reference<descriptor::performance> target_;
    void* cell_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint64_t stamp_ = 0;
};

} // namespace session
} // namespace mpit
