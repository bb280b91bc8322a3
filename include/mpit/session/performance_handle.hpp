// SPDX-License-Identifier: BSD-3-Clause
// Handles on performance variables: the slot of one, and an operation on it. Each element has a state that belongs to
// this handle alone; a watermark's states are updated by its level (MPI-5.0, 15.3.7).
//
//   result r = slot.read.load()(slot, word, buffer);   performance_handle on;  if (on.load(slot, word)) on.change(handle_step::start);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/session/bound_variable.hpp>
#include <mpit/session/element_value.hpp>
#include <mpit/variable/cells.hpp> // IWYU pragma: export

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// The slot of a handle. Every field is stored before the word of the slot, and loaded before a second load of the word:
// if that is the handle, the fields belong to it. A handle ends by one exchange of its first state, which sets `ended`.
// So a read whose state did not change while the library's value was loaded returns a value of before the end.
struct alignas(core::double_word) performance_slot : core::slot_header {
    // MPI_T_ERR_INVALID_HANDLE if the handle was freed meanwhile, or its variable or its object no longer exists.
    using read_function = result (*)(performance_slot&, std::uint64_t handle, void* buffer);
    using change_function = result (*)(performance_slot&, std::uint64_t handle, handle_step step, void* buffer);

    atomic<value_form> form;
    atomic<std::uint64_t> session;
    atomic<read_function> read; // these two fit the kind of its variable
    atomic<change_function> change;
    atomic<core::double_word*> states; // one for each element; one for a text
    atomic<const void*> place;         // of a word in memory; of a sum, of what all threads share of it
    atomic<std::uint32_t> distance;    // of a sum: of its cell from the beginning of every shard
    atomic<std::uint32_t> count;       // of elements
    bound_variable<descriptor::performance> variable;
    core::double_word state; // of the only element
};

class performance_handle {
public:
    // Differs for the handles that one slot, or one mark, has one after the other.
    static std::uint64_t stamp_of(std::uint64_t word) noexcept {
        return (word >> core::handle_word::generation_shift ^ core::handle_word::slot(word) * 0x9e3779b1u) & 0xffffff;
    }
    // Returns what reference::bind returns. `count` becomes the number of elements.
    result bind(variable_record& record, const void* object_handle, std::uint32_t& count) noexcept {
        const result bound = target_.bind(record, object_handle);
        if (bound != result::success) return bound;
        cell_ = target_.cell;
        const auto elements = target_.variable->operations->elements;
        count_ = count = elements == nullptr ? record.count : elements(*target_.variable, target_.key);
        return count == 0 ? result::invalid_handle : result::success;
    }
    // How many states it needs.
    std::uint32_t state_count() const noexcept { return is_text() ? 1 : count_; }
    // Fills a slot that is about to become the handle `word`. MPI_T_ERR_OUT_OF_HANDLES without memory for marks.
    result make(performance_slot& slot, core::double_word* states, std::uint64_t word) noexcept {
        slot_ = &slot;
        states_ = states;
        stamp_ = stamp_of(word);
        slot.variable.store(target_);
        slot.states.store(states);
        slot.count.store(count_);
        if (is_text()) states->assign({0, stamp()});
        else if (is_mark() && !take_marks(word)) return result::out_of_handles;
        choose_functions();
        return is_text() && target_.variable->operations->watch == nullptr ? result::success
                                                                           : visit(handle_step::begin, nullptr);
    }
    // False when the handle was freed meanwhile.
    bool load(performance_slot& slot, std::uint64_t word) noexcept {
        slot_ = &slot;
        stamp_ = stamp_of(word);
        target_ = slot.variable.load();
        count_ = slot.count.load();
        states_ = slot.states.load();
        if (slot.word.load() != word) return false;
        cell_ = target_.present_cell();
        return true;
    }
    // Ends the handle. Returns true to one of several callers. Marks of an object that no longer exists were freed with
    // it.
    bool end(std::uint64_t word) noexcept {
        if (!element_value::end(*states_, stamp_, target_.is_loaded() ? target_.variable : nullptr)) return false;
        if (is_there() && is_mark()) leave_marks(word, count_);
        slot_->word.store(0);
        return true;
    }

    // Reads a number without a call, for a caller with a read guard and many handles. If it fails, call slot.read.
    [[gnu::always_inline]] static bool try_number(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        const performance_slot::read_function read = slot.read.load();
        if (read == &read_number<sum_place>) return try_read<sum_place>(slot, handle, buffer);
        if (read == &read_number<word_place>) return try_read<word_place>(slot, handle, buffer);
        return read == &read_number<mark_place> && try_read<mark_place>(slot, handle, buffer);
    }

    // Whether the variable and the object still exist.
    bool is_there() const noexcept { return cell_ != nullptr; }
    const variable_record& record() const noexcept { return *target_.record; }
    core::double_word* states() const noexcept { return states_; }

    // Makes a step of each element, until one fails, as element_value::act says, or of a text. MPI_T_ERR_INVALID_HANDLE
    // also if the handle is freed meanwhile: the value may be younger than its end.
    result act(handle_step step, void* buffer) noexcept {
        const result status = visit(step, buffer);
        return status == result::success && !is_mine(states_->load()) ? result::invalid_handle : status;
    }

    // Every step but a read, if the variable's attributes do not refuse it. MPI_T_ERR_INVALID for a value that the
    // variable cannot have; then no element is changed.
    result change(handle_step step, void* buffer) noexcept {
        result status = refusal_of(step);
        if (status == result::success && step == handle_step::write) status = act(handle_step::check, buffer);
        return status == result::success ? act(step, buffer) : status;
    }
    result refusal_of(handle_step step) const noexcept {
        const variable_record& r = *target_.record;
        switch (step) {
        case handle_step::start:
        case handle_step::stop: return r.continuous ? result::cannot_start_or_stop : result::success;
        case handle_step::read_and_reset: return r.atomically ? result::success : result::not_atomic;
        default: return r.readonly ? result::cannot_write : result::success;
        }
    }

private:
    // Where a number of the process is: in the cells of all threads, or a word in memory. load() returns false if the
    // general path is faster.
    struct sum_place {
        static constexpr state_arithmetic arithmetic(std::uint32_t) noexcept { return {behaviour::accumulating}; }
        [[gnu::always_inline]] static bool load(const void* shared, std::uint32_t distance,
                                                std::uint64_t& word) noexcept {
            return core::shard_cell::total_of_few(*static_cast<const atomic<std::uint64_t>*>(shared), distance,
                                                  core::shards.load()->first.load(), word);
        }
    };
    struct word_place {
        static constexpr std::uint32_t half = 1, follows = 2; // facts, which stand in the place of the distance
        static constexpr state_arithmetic arithmetic(std::uint32_t facts) noexcept {
            return {(facts & follows) != 0 ? behaviour::following : behaviour::accumulating};
        }
        [[gnu::always_inline]] static bool load(const void* place, std::uint32_t facts, std::uint64_t& word) noexcept {
            word = (facts & half) != 0 ? static_cast<const atomic<std::uint32_t>*>(place)->load()
                                       : static_cast<const atomic<std::uint64_t>*>(place)->load();
            return true;
        }
    };

    // The mark of a watermark, whose value is that of the handle. In the place of the distance is the stamp.
    struct mark_place {
        static constexpr state_arithmetic arithmetic(std::uint32_t) noexcept { return {behaviour::choosing}; }
        [[gnu::always_inline]] static bool load(const void* mark, std::uint32_t stamp, std::uint64_t& word) noexcept {
            const core::word_pair seen = static_cast<const internal::mark*>(mark)->state.load();
            word = seen.value;
            return element_value::is_of(seen, stamp);
        }
    };

    // Selects the two functions. A sum, a word and a mark of one element of the process need no call of the library.
    void choose_functions() noexcept {
        const descriptor::performance& variable = *target_.variable;
        const descriptor::performance_operations& operations = *variable.operations;
        const value_form form = form_of(variable);
        slot_->form.store(form);
        slot_->read.store(&read_any);
        slot_->change.store(&change_any);
        if (!core::is_exchange_an_instruction || !target_.is_alone() || form == value_form::none || is_text()) return;
        if (is_mark()) {
            slot_->place.store(mark_at(states_->load().value));
            slot_->distance.store(static_cast<std::uint32_t>(stamp()));
            return slot_->read.store(&read_number<mark_place>);
        }
        slot_->read.store(&read_sample);
        if (operations.real || operations.value_behaviour > behaviour::following) return;
        if (operations.is_in_shards) {
            const core::shard_cell& sum = static_cast<const internal::shard_kept*>(cell_)->in_shards();
            const core::shard_set* const set = core::shards.load();
            if (set == nullptr || sum.distance_in_shards() >= set->cells_end) return;
            slot_->place.store(&sum.shared());
            slot_->distance.store(sum.distance_in_shards());
            slot_->read.store(&read_number<sum_place>);
            return is_changed_alone() ? slot_->change.store(&change_number<sum_place>) : void();
        }
        if (operations.stored == nullptr) return;
        std::uint32_t bytes = 0;
        const void* const word = operations.stored(*target_.variable, cell_, bytes);
        if (word == nullptr) return;
        slot_->place.store(word);
        slot_->distance.store((bytes == 4 ? word_place::half : 0) |
                              (operations.value_behaviour == behaviour::following ? word_place::follows : 0));
        slot_->read.store(&read_number<word_place>);
        if (is_changed_alone()) slot_->change.store(&change_number<word_place>);
    }
    // Whether no step needs a check or a call of the library.
    bool is_changed_alone() const noexcept {
        const variable_record& r = *target_.record;
        return target_.variable->operations->watch == nullptr && target_.variable->starting_word == 0 &&
               !r.continuous && !r.readonly && r.atomically;
    }
    // Reads one number. If try_read() fails, or within another quick_guard, it is left to read_any().
    template <class Place>
    static result read_number(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        if (atomic<std::uint32_t>* const cell = core::quick_guard::free_cell()) [[likely]] {
            const core::quick_guard guard{*cell};
            if (try_read<Place>(slot, handle, buffer)) [[likely]]
                return result::success;
        }
        return read_any(slot, handle, buffer);
    }
    // Within a guard. Fails for a handle that does not run or has been freed, and beside a change of it.
    template <class Place>
    [[gnu::always_inline]] static bool try_read(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        const std::uint64_t flags = slot.state.flags();
        if (!slot.variable.is_loaded() || (flags & state_fact::running) == 0) return false;
        const core::word_pair seen{slot.state.value(), state_fact::running};
        const void* const place = slot.place.load();
        const std::uint32_t distance = slot.distance.load();
        std::uint64_t present = 0;
        if (!slot.word.has(handle) || !Place::load(place, distance, present)) return false;
        const value_form form = slot.form.load();
        if (!slot.state.has_flags(flags)) return false;
        put(form, Place::arithmetic(distance).value_at(seen, present), buffer);
        return true;
    }
    // Changes one number. If try_change() fails, it is left to change_any(), as a write is, whose value has to be
    // checked.
    template <class Place>
    static result change_number(performance_slot& slot, std::uint64_t handle, handle_step step, void* buffer) noexcept {
        if (step != handle_step::write && try_change<Place>(slot, handle, step, buffer)) [[likely]]
            return result::success;
        return change_any(slot, handle, step, buffer);
    }
    // Fails in a signal handler that has interrupted another one, for a handle that has been freed, and beside another
    // change of it.
    template <class Place>
    [[gnu::always_inline]] static bool try_change(performance_slot& slot, std::uint64_t handle, handle_step step,
                                                  void* buffer) noexcept {
        atomic<std::uint32_t>* const cell = core::quick_guard::free_cell();
        if (cell == nullptr) return false;
        const core::quick_guard guard{*cell};
        core::word_pair seen = slot.state.load();
        const void* const place = slot.place.load();
        const std::uint32_t distance = slot.distance.load();
        const value_form form = slot.form.load();
        if (!slot.variable.is_loaded() || !slot.word.has(handle) || (seen.flags & state_fact::ended) != 0) return false;
        const bool is_running = (seen.flags & state_fact::running) != 0;
        if (is_running ? step == handle_step::start : step == handle_step::stop) return true;
        std::uint64_t present = 0, value = 0;
        if (!Place::load(place, distance, present)) return false;
        const core::word_pair next = Place::arithmetic(distance).after(step, seen, present, value);
        if (!slot.state.replace(seen, {next.value, next.flags | (seen.flags & state_fact::stamp_mask)})) return false;
        if (step == handle_step::read_and_reset) put(form, value, buffer);
        return true;
    }
    // Reads one number of the process that a function of the library gives. If try_sample() fails, it is left to
    // read_any().
    static result read_sample(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        return try_sample(slot, handle, buffer) ? result::success : read_any(slot, handle, buffer);
    }
    [[gnu::always_inline]] static bool try_sample(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        const core::read_guard guard;
        const std::uint64_t flags = slot.state.flags();
        const core::word_pair seen{slot.state.value(), flags};
        descriptor::performance* const variable = slot.variable.variable();
        void* const cell = slot.variable.cell();
        if (!slot.variable.is_loaded() || !slot.word.has(handle) || (flags & state_fact::ended) != 0) return false;
        const bool is_running = (flags & state_fact::running) != 0;
        const std::uint64_t present = is_running ? variable->operations->sample(*variable, cell, 0) : 0;
        const std::uint64_t word = state_arithmetic::of(*variable).value_at(seen, present);
        const value_form form = slot.form.load();
        if (!slot.state.has_flags(flags)) return false;
        put(form, word, buffer);
        return true;
    }
    // The general paths.
    [[gnu::noinline]] static result read_any(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        const core::read_guard guard;
        performance_handle target;
        if (!target.load(slot, handle) || !target.is_there()) return result::invalid_handle;
        return target.act(handle_step::read, buffer);
    }
    [[gnu::noinline]] static result change_any(performance_slot& slot, std::uint64_t handle, handle_step step,
                                               void* buffer) noexcept {
        const core::read_guard guard;
        performance_handle target;
        if (!target.load(slot, handle) || !target.is_there()) return result::invalid_handle;
        return target.change(step, buffer);
    }

    result visit(handle_step step, void* buffer) noexcept {
        if (is_mark()) return visit_marks(step, buffer);
        if (is_text()) return visit_text(step, buffer);
        if (count_ == 1) return visit_one(0, step, buffer);
        return visit_block(step, buffer);
    }
    result visit_one(std::uint32_t element, handle_step step, void* buffer, element_block* block = nullptr) noexcept {
        return element_value{*target_.variable, cell_, element, stamp_, states_[element], block}.act<false>(step,
                                                                                                            buffer);
    }
    // Apart, because a block takes more of the stack.
    [[gnu::noinline]] result visit_block(handle_step step, void* buffer) noexcept {
        element_block block{*target_.variable, cell_};
        if (step == handle_step::read) return read_block(block, static_cast<char*>(buffer));
        const bool is_together = element_block::is_of(*target_.variable, count_);
        for (std::uint32_t i = 0; i < count_; i++) {
            if (is_together) come_to(block, i);
            const result status = visit_one(i, step, buffer, is_together ? &block : nullptr);
            if (status != result::success) return status;
        }
        return result::success;
    }
    // All elements, as element_value::read does with one. An element whose state has changed behind its word is read
    // again.
    result read_block(element_block& block, char* buffer) noexcept {
        const state_arithmetic arithmetic = state_arithmetic::of(*target_.variable);
        const value_form form = form_of(*target_.variable);
        const std::uint32_t bytes = core::size_of(target_.variable->type);
        for (std::uint32_t first = 0; first < count_; first += element_block::most) {
            come_to(block, first);
            const std::uint64_t* const flags = block.flags();
            std::uint64_t facts = 0, differing = 0;
            for (std::uint32_t i = 0; i < block.count(); i++) facts |= flags[i], differing |= flags[i] ^ stamp();
            if (!is_mine({0, differing ^ stamp()})) return result::invalid_handle;
            std::uint64_t* const values = block.values();
            const std::uint64_t* const words = (facts & state_fact::running) != 0 ? block.words() : values;
            const auto read_with = [&](const state_arithmetic& known) __attribute__((always_inline)) {
                for (std::uint32_t i = 0; i < block.count(); i++) {
                    values[i] = known.value_at({values[i], flags[i]}, words[i]);
                    if (!states_[first + i].has_flags(flags[i]) && !read_again(first + i, values[i])) return false;
                }
                return true;
            };
            // Of integer sums, which most arrays are, the compiler knows the arithmetic.
            const bool is_sum = arithmetic.kind == behaviour::accumulating && !arithmetic.is_real;
            if (!(is_sum ? read_with({behaviour::accumulating}) : read_with(arithmetic))) return result::invalid_handle;
            const double words_per_unit = target_.variable->operations->words_per_unit;
            for (std::uint32_t i = 0; form == value_form::none && i < block.count(); i++)
                values[i] = in_units(values[i], words_per_unit);
            if (form == value_form::word || form == value_form::none)
                std::memcpy(buffer, values, block.count() * sizeof *values);
            else
                for (std::uint32_t i = 0; i < block.count(); i++) put(form, values[i], buffer + i * bytes);
            buffer += std::size_t{block.count()} * bytes;
        }
        return result::success;
    }
    [[gnu::cold, gnu::noinline]] bool read_again(std::uint32_t element, std::uint64_t& value) noexcept {
        return element_value{*target_.variable, cell_, element, stamp_, states_[element]}.read(value);
    }
    void come_to(element_block& block, std::uint32_t element) noexcept {
        block.come_to(element, count_, [this](std::uint32_t k) -> core::double_word& { return states_[k]; });
    }
    [[gnu::noinline]] result visit_marks(handle_step step, void* buffer) noexcept {
        for (std::uint32_t i = 0; i < count_; i++) {
            const core::word_pair seen = states_[i].load(); // the address of its mark, where others have their state
            if (!is_mine(seen)) return result::invalid_handle;
            core::double_word& state = mark_at(seen.value)->state;
            const result status = element_value{*target_.variable, cell_, i, stamp_, state}.act<true>(step, buffer);
            if (status != result::success) return status;
        }
        return result::success;
    }
    [[gnu::noinline]] result visit_text(handle_step step, void* buffer) noexcept {
        if (step != handle_step::start && step != handle_step::stop && step != handle_step::begin)
            return element_value{*target_.variable, cell_, 0, stamp_, *states_}.act_on_text(step, buffer);
        // Only a library with a watch function needs to know whether the handle runs.
        return target_.variable->operations->watch == nullptr ? result::success : visit_one(0, step, buffer);
    }
    std::uint64_t stamp() const noexcept { return stamp_ << state_fact::stamp_shift; }
    bool is_mine(const core::word_pair& seen) const noexcept { return element_value::is_of(seen, stamp()); }
    bool is_text() const noexcept { return target_.variable->operations->value_behaviour == behaviour::direct; }
    bool is_mark() const noexcept { return is_watermark(target_.variable->operations->value_behaviour); }
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
            // try_read() reads what runs; whether a watermark runs is in its mark, which keeps the value when it stops.
            states_[i].overwrite({reinterpret_cast<std::uint64_t>(taken), stamp() | state_fact::running});
        }
        return true;
    }
    void leave_marks(std::uint64_t word, std::uint32_t count) noexcept {
        for (std::uint32_t i = 0; i < count; i++) level_of(i).leave(*mark_at(states_[i].load().value), word);
    }

    performance_slot* slot_ = nullptr;
    core::double_word* states_ = nullptr;
    reference<descriptor::performance> target_;
    void* cell_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint64_t stamp_ = 0;
};

} // namespace session
} // namespace mpit
