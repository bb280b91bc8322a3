// SPDX-License-Identifier: BSD-3-Clause
// A batch: an array of handles on performance variables, with the field of the tool's structure that each is for. They
// are read in one loop under one read guard. The array has room for as many fields as the structure can have: nothing
// moves, and no read allocates.
//
//   variable_batch batch;  result added = batch.add(sizeof(sample), {…});   result status = batch.read(&now);
#pragma once

#include <mpit/batch/tally_pair.hpp>
#include <mpit/module/registrar.hpp>
#include <mpit/session/performance_handle.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// What a tool selects: a variable, and the field that receives its value.
struct batch_choice {
    performance_class variable_class{};
    const char* name = nullptr;
    const void* object_handle = nullptr; // as of MPI_T_PVAR_HANDLE_ALLOC
    std::uint32_t offset = 0;
    datatype type{};
    std::uint32_t count = 1;
    const char* enumeration = nullptr; // its name, where the field is one

    std::uint32_t bytes() const noexcept { return count * core::size_of(type); }
    // Whether the field can hold the values: of the same size, sign and kind. Two enumerations match.
    bool fits(const variable_record& record) const noexcept {
        if (kind_of(record.type) != kind_of(type)) return false;
        return enumeration == nullptr ||
               (record.enumeration != nullptr && core::equal(record.enumeration->name, enumeration));
    }

private:
    enum class kind : std::uint8_t { letters, real, natural, whole, long_natural, long_whole };
    static kind kind_of(datatype type) noexcept {
        switch (type) {
        case datatype::char_type: return kind::letters;
        case datatype::double_type: return kind::real;
        case datatype::unsigned_type:
        case datatype::uint32_type: return kind::natural;
        case datatype::int_type:
        case datatype::int32_type: return kind::whole;
        case datatype::int64_type:
        case datatype::count_type: return kind::long_whole;
        default: return kind::long_natural;
        }
    }
};

// A handle and its field. Only the thread that adds changes the members that are not atomic.
struct batch_slot : performance_slot {
    std::uint32_t offset = 0, bytes = 0;
    batch_slot* count = nullptr; // of the sum of a tally: the handle on its count, if the two are read together
    batch_slot* sum = nullptr;   // of a count: the handle on its sum

    bool overlaps(const batch_choice& field) const noexcept {
        return offset < field.offset + field.bytes() && field.offset < offset + bytes;
    }
    bool is_on_tally() const noexcept { return variable.variable()->operations->is_in_tally; }
    const internal::tally_cell& tally() const noexcept { return *static_cast<internal::tally_cell*>(variable.cell()); }
    // A count with its sum.
    tally_pair pair() noexcept { return {state, sum->state, tally(), sum->variable.variable()->operations->real}; }
};

class variable_batch {
public:
    constexpr variable_batch() noexcept {}
    variable_batch(const variable_batch&) = delete;
    variable_batch& operator=(const variable_batch&) = delete;
    ~variable_batch() {
        if (slots_ == nullptr) return;
        for (std::uint32_t i = 0; i < slot_count_.load(); i++) end(slots_[i]);
        core::release_memory(reinterpret_cast<char*>(slots_), bytes_);
    }

    // MPI_T_ERR_INVALID_NAME, _INDEX while the variable's library is not loaded, _HANDLE where the object is none or not
    // known, MPI_T_ERR_MEMORY, wrong_type, wrong_count, or field_in_use. A field whose variable no longer exists is in use no more.
    [[gnu::cold]] result add(std::size_t bytes_of_sample, const batch_choice& field) noexcept {
        registry::process_registry* const registry = registry::published_registry();
        if (registry == nullptr || !reserve(bytes_of_sample)) return result::out_of_memory;
        if (field.name == nullptr) return result::invalid_name;
        registry::record* const record =
            registry->find(descriptor::kind::performance, field.name, field.variable_class);
        const int number = record == nullptr ? -1 : record->number.load();
        if (number < 0 || number >= registry->count(descriptor::kind::performance)) return result::invalid_name;
        auto& variable = static_cast<variable_record&>(*record);
        if (!field.fits(variable)) return result::wrong_type;
        const core::read_guard guard;
        performance_handle handle;
        std::uint32_t count = 0;
        const result bound = handle.bind(variable, field.object_handle, count);
        if (bound != result::success) return bound;
        if (count != field.count) return result::wrong_count;
        batch_slot* const slot = free_slot(field);
        return slot != nullptr ? open(*slot, handle, field) : result::field_in_use;
    }

    // Each of them changes all variables that can be changed so. MPI_T_ERR_INVALID_HANDLE if a library is unloaded or an
    // object is freed, MPI_T_ERR_PVAR_NO_WRITE if a library refuses to reset a text, not_together if a change of a tally was under way
    // that could not be waited for; the others are changed.
    result start() noexcept { return change_all(handle_step::start); }
    result stop() noexcept { return change_all(handle_step::stop); }
    result reset() noexcept { return change_all(handle_step::reset); }

    // Fills the fields of all variables. MPI_T_ERR_INVALID_HANDLE if a library is unloaded or an object is freed: its fields
    // are left as they are. If all are there, not_together says that a sum may be of other changes than its count, because one
    // was under way; both fields are filled.
    [[gnu::noinline]] result read(void* sample) noexcept {
        const core::read_guard guard;
        std::uint32_t attempts_left = tally_pair::most_attempts;
        result status = result::success;
        was_used_.store(1);
        for_each([&](batch_slot& slot, std::uint64_t word) __attribute__((always_inline)) {
            if (performance_handle::try_number(slot, word, static_cast<char*>(sample) + slot.offset)) return;
            const result read = read_one(slot, word, static_cast<char*>(sample), attempts_left);
            if (read != result::success) status = worse(status, read);
        });
        return status;
    }

private:
    // Of several codes, the one that a call returns.
    static result worse(result one, result other) noexcept {
        constexpr result first[]{result::invalid_handle, result::cannot_write, result::not_together};
        for (const result code : first)
            if (one == code || other == code) return code;
        return one != result::success ? one : other;
    }
    // Calls `visit(slot, word)` for each handle.
    template <class Visit> [[gnu::always_inline]] void for_each(Visit visit) noexcept {
        batch_slot* const end = slots_ + slot_count_.load();
        for (batch_slot* slot = slots_; slot != end; slot++) {
            const std::uint64_t word = slot->word.load();
            if (word != 0) [[likely]]
                visit(*slot, word);
        }
    }
    // A sum that goes with its count is read with it.
    [[gnu::noinline]] static result read_one(batch_slot& slot, std::uint64_t word, char* sample,
                                                               std::uint32_t& attempts_left) noexcept {
        if (slot.count != nullptr) return result::success;
        if (slot.sum != nullptr) return read_both(slot, sample, attempts_left);
        return slot.read.load()(slot, word, sample + slot.offset);
    }
    static result read_both(batch_slot& count, char* sample, std::uint32_t& attempts_left) noexcept {
        if (!count.variable.is_loaded()) return result::invalid_handle;
        std::uint64_t number = 0, sum = 0;
        const bool is_together = count.pair().read(number, sum, attempts_left);
        put(count.form.load(), number, sample + count.offset);
        put(count.sum->form.load(), sum, sample + count.sum->offset);
        return is_together ? result::success : result::not_together;
    }
    result change_all(handle_step step) noexcept {
        const core::read_guard guard;
        std::uint32_t attempts_left = tally_pair::most_attempts;
        result status = result::success;
        was_used_.store(1);
        for_each([&](batch_slot& slot, std::uint64_t word) {
            const variable_record& record = *slot.variable.record();
            if (slot.count != nullptr || (step == handle_step::reset ? record.readonly : record.continuous)) return;
            result changed = result::success;
            if (slot.sum == nullptr) changed = slot.change.load()(slot, word, step, nullptr);
            else if (!slot.variable.is_loaded()) changed = result::invalid_handle;
            else if (!slot.pair().change(step, attempts_left)) changed = result::not_together;
            status = worse(status, changed);
        });
        return status;
    }

    // Returns false if there is no memory. The smallest field is a text of two bytes, which has no state beside that of its
    // slot; the smallest element of several has four bytes.
    bool reserve(std::size_t bytes_of_sample) noexcept {
        if (slots_ != nullptr) return true;
        const std::size_t slots = bytes_of_sample / 2 + 1, states = bytes_of_sample / bytes_of_state + 1;
        const std::size_t bytes = slots * sizeof(batch_slot) + states * sizeof(core::double_word);
        slots_ = static_cast<batch_slot*>(core::pages(bytes));
        if (slots_ == nullptr) return false;
        bytes_ = bytes;
        states_ = reinterpret_cast<core::double_word*>(slots_ + slots);
        return true;
    }
    // A slot for a field. Handles in the field whose variable or object no longer exists are ended. Returns null if one
    // in the field exists.
    batch_slot* free_slot(const batch_choice& field) noexcept {
        for (std::uint32_t i = 0; i < slot_count_.load(); i++)
            if (slots_[i].overlaps(field) && slots_[i].variable.load().present_cell() != nullptr) return nullptr;
        batch_slot* free = nullptr;
        for (std::uint32_t i = 0; i < slot_count_.load(); i++) {
            if (slots_[i].overlaps(field)) end(slots_[i]);
            if (slots_[i].bytes == 0) free = &slots_[i];
        }
        if (free != nullptr) return free;
        free = new (core::place{slots_ + slot_count_.load()}) batch_slot;
        slot_count_.store(slot_count_.load() + 1); // for a reader it is nothing until it has a word
        return free;
    }
    result open(batch_slot& slot, performance_handle& handle, const batch_choice& field) noexcept {
        // Its address, which no other handle of the process has for a word, and below it how often it was used.
        const std::uint64_t word = reinterpret_cast<std::uintptr_t>(&slot) | (++slot.generation % alignof(batch_slot));
        // Fields do not overlap, and so the states that stand where they do, do not either.
        core::double_word* const states =
            handle.state_count() > 1 ? states_ + field.offset / bytes_of_state : &slot.state;
        if (handle.make(slot, states, word) != result::success) return result::out_of_memory;
        slot.offset = field.offset;
        slot.bytes = field.bytes();
        slot.word.store(word);
        if (slot.is_on_tally()) join(slot);
        return result::success;
    }
    // Puts a handle on a part of a tally together with one on the other part, if there is one that has none yet.
    void join(batch_slot& added) noexcept {
        const variable_record& record = *added.variable.record();
        for (std::uint32_t i = 0; i < slot_count_.load(); i++) {
            batch_slot& other = slots_[i];
            if (other.word.load() == 0 || other.sum != nullptr || other.count != nullptr) continue;
            if (other.variable.cell() != added.variable.cell() || !other.variable.is_loaded()) continue;
            const variable_record& part = *other.variable.record();
            if (part.variable_class == record.variable_class) continue;
            batch_slot& count = record.variable_class == performance_class::counter ? added : other;
            batch_slot& sum = &count == &added ? other : added;
            count.sum = &sum;
            sum.count = &count;
            return count.pair().begin(was_used_.load() != 0);
        }
    }
    // Ends a handle, and makes its slot free for another field.
    void end(batch_slot& slot) noexcept {
        const core::read_guard guard;
        const std::uint64_t word = slot.word.load();
        performance_handle handle;
        if (word != 0 && handle.load(slot, word)) static_cast<void>(handle.end(word));
        slot.word.store(0);
        slot.bytes = 0;
        if (slot.sum != nullptr) slot.sum->count = nullptr;
        if (slot.count != nullptr) slot.count->sum = nullptr;
        slot.sum = slot.count = nullptr;
    }

    static constexpr std::uint32_t bytes_of_state = 4; // of a sample, for each state

    batch_slot* slots_ = nullptr;
    core::double_word* states_ = nullptr; // of handles on several elements
    std::size_t bytes_ = 0;
    atomic<std::uint32_t> slot_count_;
    atomic<std::uint32_t> was_used_; // read, started, stopped or reset
};

} // namespace session
} // namespace mpit
