// SPDX-License-Identifier: BSD-3-Clause
// Handles on performance variables (MPI-5.0, 15.3.7). A handle is in a slot and has one state for each element of the
// variable. Each state belongs to one handle only. Each change of a level updates the states of its watermarks.
//
//   performance_handle handle;   if (handle.load(slot, word)) handle.change(handle_operation::start, nullptr);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/session/bound_variable.hpp>
#include <mpit/session/element_value.hpp>
#include <mpit/variable/cells.hpp> // IWYU pragma: export

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

// The slot of a handle. The thread that allocates a handle stores all fields by release stores before the slot's word.
// A reader loads the fields by acquire loads and then loads the slot's word. If the slot's word equals the handle, all
// loaded fields belong to the handle. A compare-exchange that sets `ended` in the first state frees the handle. If the
// first state does not change during a read, the value is therefore from before the free of the handle.
struct alignas(core::atomic_word_pair) performance_slot : core::slot_header {
    // read_function and change_function return MPI_T_ERR_INVALID_HANDLE if the handle was freed, the variable's library
    // was unloaded or the MPI object was freed.
    using read_function = result (*)(performance_slot&, std::uint64_t handle, void* buffer);
    using change_function = result (*)(performance_slot&, std::uint64_t handle, handle_operation step, void* buffer);

    atomic<value_form> form;
    atomic<std::uint64_t> session;
    atomic<read_function> read;             // the function that reads a variable of this kind
    atomic<change_function> change;         // the function for all other operations on a variable of this kind
    atomic<core::atomic_word_pair*> states; // array of states, one for each element, or one for a text
    atomic<const void*> address;            // address of a word in memory, of a sum's shared cell, or of a watermark
    atomic<std::uint32_t> argument; // offset of the cell in every shard, flags of the word, or stamp of the handle
    atomic<std::uint32_t> count;    // number of elements
    bound_variable<descriptor::performance> variable;
    core::atomic_word_pair state; // the state of a variable with one element
};

class performance_handle {
public:
    // Returns the stamp of a handle (24 bits). Successive handles in one slot or on one watermark have different
    // stamps.
    static std::uint64_t stamp_of(std::uint64_t word) noexcept {
        return (word >> core::handle_word::generation_shift ^ core::handle_word::slot(word) * 0x9e3779b1u) & 0xffffff;
    }
    // Sets `count` to the number of elements of the variable. Returns an error of reference::bind(), or
    // MPI_T_ERR_INVALID_HANDLE if the variable has no elements for the MPI object.
    result bind(variable_record& record, const void* object_handle, std::uint32_t& count) noexcept {
        const result status = target_.bind(record, object_handle);
        if (status != result::success) return status;
        cell_ = target_.cell;
        const auto elements = target_.variable->operations->elements;
        count_ = count = elements == nullptr ? record.count : elements(*target_.variable, target_.key);
        return count == 0 ? result::invalid_handle : result::success;
    }
    // Returns the number of states that the handle needs. A handle on a text needs one state.
    std::uint32_t state_count() const noexcept { return is_text() ? 1 : count_; }
    // Fills the slot of the new handle `word`. Returns MPI_T_ERR_OUT_OF_HANDLES if memory for watermarks is exhausted.
    result make(performance_slot& slot, core::atomic_word_pair* states, std::uint64_t word) noexcept {
        slot_ = &slot;
        states_ = states;
        stamp_ = stamp_of(word);
        slot.variable.store(target_);
        slot.states.store(states);
        slot.count.store(count_);
        if (is_text()) states->store_unshared({0, stamp_bits()});
        else if (has_marks() && !attach_marks(word)) return result::out_of_handles;
        select_functions();
        return is_text() && target_.variable->operations->watch == nullptr ? result::success
                                                                           : apply(handle_operation::begin, nullptr);
    }
    // Loads the fields of the handle `word` from its slot. Returns false if the handle was freed.
    bool load(performance_slot& slot, std::uint64_t word) noexcept {
        slot_ = &slot;
        stamp_ = stamp_of(word);
        target_ = slot.variable.load();
        count_ = slot.count.load();
        states_ = slot.states.load();
        if (slot.word.load() != word) return false;
        cell_ = target_.current_cell();
        return true;
    }
    // Frees the handle. If several threads free the handle at once, only one of the calls returns true. The watermarks
    // of the handle are detached from the library's level only if the library is loaded and the MPI object exists.
    bool end(std::uint64_t word) noexcept {
        if (!element_value::end(*states_, stamp_, target_.is_loaded() ? target_.variable : nullptr)) return false;
        if (has_target() && has_marks()) detach_marks(word, count_);
        slot_->word.store(0);
        return true;
    }

    // Reads a number by inlined code. The caller holds a read_guard. If try_number() returns false, the caller must
    // call the function `slot.read` instead.
    [[gnu::always_inline]] static bool try_number(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        const performance_slot::read_function read = slot.read.load();
        if (read == &read_number<sum_location>) return try_read<sum_location>(slot, handle, buffer);
        if (read == &read_number<word_location>) return try_read<word_location>(slot, handle, buffer);
        return read == &read_number<mark_location> && try_read<mark_location>(slot, handle, buffer);
    }

    // Returns true if the variable's library is loaded and the MPI object exists.
    bool has_target() const noexcept { return cell_ != nullptr; }
    const variable_record& record() const noexcept { return *target_.record; }
    core::atomic_word_pair* states() const noexcept { return states_; }

    // Performs an operation on the variable's text, or on each element up to the first error. If the handle is freed
    // during the call, returns MPI_T_ERR_INVALID_HANDLE, because the value may have been read after the free.
    result perform(handle_operation step, void* buffer) noexcept {
        const result status = apply(step, buffer);
        return status == result::success && !is_of_handle(states_->load()) ? result::invalid_handle : status;
    }

    // Performs any operation except a read, if the variable's attributes allow the operation. If the variable does not
    // accept a value, returns MPI_T_ERR_INVALID and changes no element.
    result change(handle_operation step, void* buffer) noexcept {
        result status = refusal_of(step);
        if (status == result::success && step == handle_operation::write)
            status = perform(handle_operation::check, buffer);
        return status == result::success ? perform(step, buffer) : status;
    }
    result refusal_of(handle_operation step) const noexcept {
        const variable_record& variable = *target_.record;
        switch (step) {
        case handle_operation::start:
        case handle_operation::stop: return variable.continuous ? result::cannot_start_or_stop : result::success;
        case handle_operation::read_and_reset: return variable.atomically ? result::success : result::not_atomic;
        default: return variable.readonly ? result::cannot_write : result::success;
        }
    }

private:
    // The fast path reads an unbound scalar by one of three location types. A sum_location is the sum of all threads'
    // cells, a word_location is a word in memory, and a mark_location is a watermark's value. load() receives `address`
    // and `argument` of the slot. If load() returns false, the caller must use read_any() or change_any().
    struct sum_location {
        static constexpr state_arithmetic arithmetic(std::uint32_t) noexcept { return {behaviour::accumulating}; }
        [[gnu::always_inline]] static bool load(const void* shared, std::uint32_t distance,
                                                std::uint64_t& word) noexcept {
            return core::shard_cell::total_of_few(*static_cast<const atomic<std::uint64_t>*>(shared), distance,
                                                  core::shards.load()->first.load(), word);
        }
    };
    struct word_location {
        static constexpr std::uint32_t is_half = 1, is_following = 2; // flags in `argument`
        static constexpr state_arithmetic arithmetic(std::uint32_t flags) noexcept {
            return {(flags & is_following) != 0 ? behaviour::following : behaviour::accumulating};
        }
        [[gnu::always_inline]] static bool load(const void* cell, std::uint32_t flags, std::uint64_t& word) noexcept {
            word = (flags & is_half) != 0 ? static_cast<const atomic<std::uint32_t>*>(cell)->load()
                                          : static_cast<const atomic<std::uint64_t>*>(cell)->load();
            return true;
        }
    };
    // A handle on a watermark reads the watermark's value. load() returns false if another handle owns the watermark.
    struct mark_location {
        static constexpr state_arithmetic arithmetic(std::uint32_t) noexcept { return {behaviour::choosing}; }
        [[gnu::always_inline]] static bool load(const void* mark, std::uint32_t stamp, std::uint64_t& word) noexcept {
            const core::word_pair state = static_cast<const internal::mark*>(mark)->state.load();
            word = state.value;
            return element_value::is_of(state, stamp);
        }
    };

    // Selects the functions `read` and `change` of the slot. An unbound scalar that is a sum, a word or a watermark is
    // read without a call of a function of the library.
    void select_functions() noexcept {
        const descriptor::performance& variable = *target_.variable;
        const descriptor::performance_operations& operations = *variable.operations;
        const value_form form = form_of(variable);
        slot_->form.store(form);
        slot_->read.store(&read_any);
        slot_->change.store(&change_any);
        if (!core::has_dwcas || !target_.is_unbound_scalar() || form == value_form::none || is_text()) return;
        if (has_marks()) {
            slot_->address.store(mark_at(states_->load().value));
            slot_->argument.store(static_cast<std::uint32_t>(stamp_bits()));
            return slot_->read.store(&read_number<mark_location>);
        }
        slot_->read.store(&read_sample);
        if (operations.real || operations.value_behaviour > behaviour::following) return;
        if (operations.is_in_shards) {
            const core::shard_cell& sum = static_cast<const internal::sharded_sum*>(cell_)->in_shards();
            const core::shard_set* const set = core::shards.load();
            if (set == nullptr || sum.offset_in_shards() >= set->cells_end) return;
            slot_->address.store(&sum.shared());
            slot_->argument.store(sum.offset_in_shards());
            slot_->read.store(&read_number<sum_location>);
            return has_unchecked_changes() ? slot_->change.store(&change_number<sum_location>) : void();
        }
        if (operations.stored == nullptr) return;
        std::uint32_t bytes = 0;
        const void* const word = operations.stored(*target_.variable, cell_, bytes);
        if (word == nullptr) return;
        slot_->address.store(word);
        slot_->argument.store((bytes == 4 ? word_location::is_half : 0) |
                              (operations.value_behaviour == behaviour::following ? word_location::is_following : 0));
        slot_->read.store(&read_number<word_location>);
        if (has_unchecked_changes()) slot_->change.store(&change_number<word_location>);
    }
    // Returns true if operations other than a write need no check of attributes and no call of the library.
    bool has_unchecked_changes() const noexcept {
        const variable_record& variable = *target_.record;
        return target_.variable->operations->watch == nullptr && target_.variable->starting_word == 0 &&
               !variable.continuous && !variable.readonly && variable.atomically;
    }
    // Fast path that reads one number. Calls read_any() if try_read() fails or the thread is in a short_read_guard.
    template <class Place>
    static result read_number(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        if (atomic<std::uint32_t>* const cell = core::short_read_guard::available_cell()) [[likely]] {
            const core::short_read_guard guard{*cell};
            if (try_read<Place>(slot, handle, buffer)) [[likely]]
                return result::success;
        }
        return read_any(slot, handle, buffer);
    }
    // Requires that the caller holds a read_guard or a short_read_guard. Returns false if the handle is stopped or
    // freed, or if its state was changed during the call.
    template <class Place>
    [[gnu::always_inline]] static bool try_read(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        const std::uint64_t flags = slot.state.flags();
        if (!slot.variable.is_loaded() || (flags & state_fact::running) == 0) return false;
        const core::word_pair state{slot.state.value(), state_fact::running};
        const void* const address = slot.address.load();
        const std::uint32_t argument = slot.argument.load();
        std::uint64_t word = 0;
        if (!slot.word.load_equals(handle) || !Place::load(address, argument, word)) return false;
        const value_form form = slot.form.load();
        if (!slot.state.flags_equal(flags)) return false;
        store_value(form, Place::arithmetic(argument).value_at(state, word), buffer);
        return true;
    }
    // Fast path that changes one number. If try_change() fails, calls change_any(). A write always calls change_any(),
    // because its value must be checked.
    template <class Place>
    static result change_number(performance_slot& slot, std::uint64_t handle, handle_operation step,
                                void* buffer) noexcept {
        if (step != handle_operation::write && try_change<Place>(slot, handle, step, buffer)) [[likely]]
            return result::success;
        return change_any(slot, handle, step, buffer);
    }
    // Returns false in a signal handler that has interrupted the thread inside a short_read_guard. try_change() also
    // returns false if the handle is freed or changed during the call.
    template <class Place>
    [[gnu::always_inline]] static bool try_change(performance_slot& slot, std::uint64_t handle, handle_operation step,
                                                  void* buffer) noexcept {
        atomic<std::uint32_t>* const guard_cell = core::short_read_guard::available_cell();
        if (guard_cell == nullptr) return false;
        const core::short_read_guard guard{*guard_cell};
        core::word_pair expected = slot.state.load();
        const void* const address = slot.address.load();
        const std::uint32_t argument = slot.argument.load();
        const value_form form = slot.form.load();
        if (!slot.variable.is_loaded() || !slot.word.load_equals(handle) || (expected.flags & state_fact::ended) != 0)
            return false;
        const bool is_running = (expected.flags & state_fact::running) != 0;
        if (is_running ? step == handle_operation::start : step == handle_operation::stop) return true;
        std::uint64_t word = 0, value = 0;
        if (!Place::load(address, argument, word)) return false;
        const core::word_pair desired = Place::arithmetic(argument).next_state(step, expected, word, value);
        if (!slot.state.compare_exchange(expected,
                                         {desired.value, desired.flags | (expected.flags & state_fact::stamp_mask)}))
            return false;
        if (step == handle_operation::read_and_reset) store_value(form, value, buffer);
        return true;
    }
    // Reads an unbound scalar by a call of a function of the library. Calls read_any() if try_sample() fails.
    static result read_sample(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        return try_sample(slot, handle, buffer) ? result::success : read_any(slot, handle, buffer);
    }
    [[gnu::always_inline]] static bool try_sample(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        const core::read_guard guard;
        const std::uint64_t flags = slot.state.flags();
        const core::word_pair state{slot.state.value(), flags};
        descriptor::performance* const variable = slot.variable.variable();
        void* const cell = slot.variable.cell();
        if (!slot.variable.is_loaded() || !slot.word.load_equals(handle) || (flags & state_fact::ended) != 0)
            return false;
        const bool is_running = (flags & state_fact::running) != 0;
        const std::uint64_t word = is_running ? variable->operations->sample(*variable, cell, 0) : 0;
        const std::uint64_t value = state_arithmetic::of(*variable).value_at(state, word);
        const value_form form = slot.form.load();
        if (!slot.state.flags_equal(flags)) return false;
        store_value(form, value, buffer);
        return true;
    }
    // read_any() and change_any() work for every performance variable.
    [[gnu::noinline]] static result read_any(performance_slot& slot, std::uint64_t handle, void* buffer) noexcept {
        const core::read_guard guard;
        performance_handle target;
        if (!target.load(slot, handle) || !target.has_target()) return result::invalid_handle;
        return target.perform(handle_operation::read, buffer);
    }
    [[gnu::noinline]] static result change_any(performance_slot& slot, std::uint64_t handle, handle_operation step,
                                               void* buffer) noexcept {
        const core::read_guard guard;
        performance_handle target;
        if (!target.load(slot, handle) || !target.has_target()) return result::invalid_handle;
        return target.change(step, buffer);
    }

    result apply(handle_operation step, void* buffer) noexcept {
        if (has_marks()) return apply_to_watermarks(step, buffer);
        if (is_text()) return apply_to_text(step, buffer);
        if (count_ == 1) return apply_to_one(0, step, buffer);
        return apply_to_blocks(step, buffer);
    }
    result apply_to_one(std::uint32_t element, handle_operation step, void* buffer,
                        element_block* block = nullptr) noexcept {
        return element_value{*target_.variable, cell_, element, stamp_, states_[element], block}.perform<false>(step,
                                                                                                                buffer);
    }
    // apply_to_blocks() is not inlined, because a block occupies much of the stack.
    [[gnu::noinline]] result apply_to_blocks(handle_operation step, void* buffer) noexcept {
        element_block block{*target_.variable, cell_};
        if (step == handle_operation::read) return read_blocks(block, static_cast<char*>(buffer));
        const bool uses_block = element_block::is_faster_for(*target_.variable, count_);
        for (std::uint32_t i = 0; i < count_; i++) {
            if (uses_block) advance_to(block, i);
            const result status = apply_to_one(i, step, buffer, uses_block ? &block : nullptr);
            if (status != result::success) return status;
        }
        return result::success;
    }
    // Reads each element with the guarantee of element_value::read(). If the state of an element changes after the load
    // of the library's value, read_again() reads the element once more.
    result read_blocks(element_block& block, char* buffer) noexcept {
        const state_arithmetic arithmetic = state_arithmetic::of(*target_.variable);
        const value_form form = form_of(*target_.variable);
        const std::uint32_t bytes = core::size_of(target_.variable->type);
        for (std::uint32_t first = 0; first < count_; first += element_block::capacity) {
            advance_to(block, first);
            const std::uint64_t* const flags = block.flags();
            std::uint64_t facts = 0, difference = 0;
            for (std::uint32_t i = 0; i < block.count(); i++) facts |= flags[i], difference |= flags[i] ^ stamp_bits();
            if (!is_of_handle({0, difference ^ stamp_bits()})) return result::invalid_handle;
            std::uint64_t* const values = block.values();
            const std::uint64_t* const words = (facts & state_fact::running) != 0 ? block.words() : values;
            const auto read_with = [&](const state_arithmetic& specialized) __attribute__((always_inline)) {
                for (std::uint32_t i = 0; i < block.count(); i++) {
                    values[i] = specialized.value_at({values[i], flags[i]}, words[i]);
                    if (!states_[first + i].flags_equal(flags[i]) && !read_again(first + i, values[i])) return false;
                }
                return true;
            };
            // A constant `specialized` lets the compiler simplify the loop. Most arrays are integer sums.
            const bool is_sum = arithmetic.kind == behaviour::accumulating && !arithmetic.is_real;
            if (!(is_sum ? read_with({behaviour::accumulating}) : read_with(arithmetic))) return result::invalid_handle;
            const double words_per_unit = target_.variable->operations->words_per_unit;
            for (std::uint32_t i = 0; form == value_form::none && i < block.count(); i++)
                values[i] = in_units(values[i], words_per_unit);
            if (form == value_form::word || form == value_form::none)
                std::memcpy(buffer, values, block.count() * sizeof *values);
            else
                for (std::uint32_t i = 0; i < block.count(); i++) store_value(form, values[i], buffer + i * bytes);
            buffer += std::size_t{block.count()} * bytes;
        }
        return result::success;
    }
    [[gnu::cold, gnu::noinline]] bool read_again(std::uint32_t element, std::uint64_t& value) noexcept {
        return element_value{*target_.variable, cell_, element, stamp_, states_[element]}.read(value);
    }
    void advance_to(element_block& block, std::uint32_t element) noexcept {
        block.advance_to(element, count_, [this](std::uint32_t i) -> core::atomic_word_pair& { return states_[i]; });
    }
    [[gnu::noinline]] result apply_to_watermarks(handle_operation step, void* buffer) noexcept {
        for (std::uint32_t i = 0; i < count_; i++) {
            const core::word_pair handle_state = states_[i].load(); // its value is the address of the mark
            if (!is_of_handle(handle_state)) return result::invalid_handle;
            core::atomic_word_pair& state = mark_at(handle_state.value)->state;
            const result status = element_value{*target_.variable, cell_, i, stamp_, state}.perform<true>(step, buffer);
            if (status != result::success) return status;
        }
        return result::success;
    }
    [[gnu::noinline]] result apply_to_text(handle_operation step, void* buffer) noexcept {
        if (step != handle_operation::start && step != handle_operation::stop && step != handle_operation::begin)
            return element_value{*target_.variable, cell_, 0, stamp_, *states_}.perform_on_text(step, buffer);
        // If the variable is a text, a start or a stop only calls the variable's watch function.
        return target_.variable->operations->watch == nullptr ? result::success : apply_to_one(0, step, buffer);
    }
    std::uint64_t stamp_bits() const noexcept { return stamp_ << state_fact::stamp_shift; }
    bool is_of_handle(const core::word_pair& state) const noexcept { return element_value::is_of(state, stamp_bits()); }
    bool is_text() const noexcept { return target_.variable->operations->value_behaviour == behaviour::direct; }
    bool has_marks() const noexcept { return is_watermark(target_.variable->operations->value_behaviour); }
    static internal::mark* mark_at(std::uint64_t address) noexcept {
        return reinterpret_cast<internal::mark*>(address);
    }
    internal::watched_level& level_of(std::uint32_t element) const noexcept {
        return *static_cast<internal::watched_level*>(
            target_.variable->operations->level(*target_.variable, cell_, element));
    }
    bool attach_marks(std::uint64_t word) noexcept {
        const bool highest = target_.variable->operations->value_behaviour == behaviour::marking_high;
        for (std::uint32_t i = 0; i < count_; i++) {
            internal::mark* mark = level_of(i).attach(highest, word);
            if (mark == nullptr) {
                detach_marks(word, i);
                return false;
            }
            // try_read() requires the flag `running`. The watermark's own state says whether the watermark is running.
            states_[i].store({reinterpret_cast<std::uint64_t>(mark), stamp_bits() | state_fact::running});
        }
        // The library's watch function counts the handles on a watermark from here on. element_value::end() calls it
        // with -1, because the state of a watermark is always running.
        if (target_.variable->operations->watch != nullptr) target_.variable->operations->watch(*target_.variable, 1);
        return true;
    }
    void detach_marks(std::uint64_t word, std::uint32_t count) noexcept {
        for (std::uint32_t i = 0; i < count; i++) level_of(i).detach(*mark_at(states_[i].load().value), word);
    }

    performance_slot* slot_ = nullptr;
    core::atomic_word_pair* states_ = nullptr;
    reference<descriptor::performance> target_;
    void* cell_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint64_t stamp_ = 0;
};

} // namespace session
} // namespace mpit
