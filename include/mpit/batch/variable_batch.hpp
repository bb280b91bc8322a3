// SPDX-License-Identifier: BSD-3-Clause
// A batch: an array of handles on performance variables, with the field of the tool's structure that each is for. They
// are read in one loop under one read guard. The array has room for as many fields as the structure can have: nothing
// moves, and no read allocates.
//
//   variable_batch batch;  result added = batch.add(sizeof(sample), {…});   result status = batch.read(&now);
#pragma once

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

    bool overlaps(const batch_choice& field) const noexcept {
        return offset < field.offset + field.bytes() && field.offset < offset + bytes;
    }
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

    // MPI_T_ERR_INVALID_NAME, _INDEX while the variable's library is not loaded, _HANDLE where the object is none or
    // not known, MPI_T_ERR_MEMORY, wrong_type, wrong_count, or field_in_use. A field whose variable no longer exists is
    // in use no more.
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

    // Each of them changes all variables that can be changed so. MPI_T_ERR_INVALID_HANDLE if a library is unloaded or
    // an object is freed, MPI_T_ERR_PVAR_NO_WRITE if a library refuses to reset a text; the others are changed.
    result start() noexcept { return change_all(handle_step::start); }
    result stop() noexcept { return change_all(handle_step::stop); }
    result reset() noexcept { return change_all(handle_step::reset); }

    // Fills the fields of all variables. MPI_T_ERR_INVALID_HANDLE if a library is unloaded or an object is freed: its
    // fields are left as they are.
    [[gnu::noinline]] result read(void* sample) noexcept {
        const core::read_guard guard;
        result status = result::success;
        for_each([&](batch_slot& slot, std::uint64_t word) __attribute__((always_inline)) {
            char* const field = static_cast<char*>(sample) + slot.offset;
            if (performance_handle::try_number(slot, word, field)) return;
            const result read = slot.read.load()(slot, word, field);
            if (read != result::success) status = worse(status, read);
        });
        return status;
    }

private:
    // Of several codes, the one that a call returns.
    static result worse(result one, result other) noexcept {
        if (one == result::invalid_handle || other == result::invalid_handle) return result::invalid_handle;
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
    result change_all(handle_step step) noexcept {
        const core::read_guard guard;
        result status = result::success;
        for_each([&](batch_slot& slot, std::uint64_t word) {
            const variable_record& record = *slot.variable.record();
            if (step == handle_step::reset ? record.readonly : record.continuous) return;
            status = worse(status, slot.change.load()(slot, word, step, nullptr));
        });
        return status;
    }

    // Returns false if there is no memory. The smallest field is a text of two bytes, which has no state beside that of
    // its slot; the smallest element of several has four bytes.
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
        return result::success;
    }
    // Ends a handle, and makes its slot free for another field.
    void end(batch_slot& slot) noexcept {
        const core::read_guard guard;
        const std::uint64_t word = slot.word.load();
        performance_handle handle;
        if (word != 0 && handle.load(slot, word)) static_cast<void>(handle.end(word));
        slot.word.store(0);
        slot.bytes = 0;
    }

    static constexpr std::uint32_t bytes_of_state = 4; // of a sample, for each state

    batch_slot* slots_ = nullptr;
    core::double_word* states_ = nullptr; // of handles on several elements
    std::size_t bytes_ = 0;
    atomic<std::uint32_t> slot_count_;
};

} // namespace session
} // namespace mpit
