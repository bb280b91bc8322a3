// SPDX-License-Identifier: BSD-3-Clause
// A batch is an array of handles on performance variables. For each handle, the batch knows the field of the tool's
// structure that receives the value. One loop under one read guard reads all handles. Because the array has enough
// slots for all fields that fit in the structure, slots never move, and reads never allocate memory.
//
//   variable_batch batch;  result added = batch.add(sizeof(sample), {...});   result status = batch.read(&now);
#pragma once

#include <mpit/module/registrar.hpp>
#include <mpit/session/performance_handle.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

// The name and class of a performance variable, and the field of the tool's structure that receives the value.
struct batch_request {
    performance_class variable_class{};
    const char* name = nullptr;
    std::uint32_t offset = 0; // offset of the field, in bytes
    datatype type{};
    std::uint32_t count = 1;           // number of elements of the field
    const char* enumeration = nullptr; // name of the enumeration of the field, or null

    std::uint32_t bytes() const noexcept { return count * core::size_of(type); }
    // Returns true if the field can receive the variable's values. The types of the field and of the values must have
    // the same size, sign and kind. If the field is an enumeration, the variable must have the same enumeration.
    bool matches(const variable_record& record) const noexcept {
        if (kind_of(record.type) != kind_of(type)) return false;
        return enumeration == nullptr ||
               (record.enumeration != nullptr && core::equal(record.enumeration->name, enumeration));
    }

private:
    enum class kind : std::uint8_t { character, real, unsigned_32, signed_32, unsigned_64, signed_64 };
    static kind kind_of(datatype type) noexcept {
        switch (type) {
        case datatype::char_type: return kind::character;
        case datatype::double_type: return kind::real;
        case datatype::unsigned_type:
        case datatype::uint32_type: return kind::unsigned_32;
        case datatype::int_type:
        case datatype::int32_type: return kind::signed_32;
        case datatype::int64_type:
        case datatype::count_type: return kind::signed_64;
        default: return kind::unsigned_64;
        }
    }
};

// The slot of a handle. `offset` and `bytes` are the offset and the size of the field in the tool's structure. Only the
// thread that adds variables changes the members that are not atomic.
struct batch_slot : performance_slot {
    std::uint32_t offset = 0, bytes = 0;

    bool overlaps(const batch_request& field) const noexcept {
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

    // Adds a variable, and returns the same results as mpit::tool::batch::add(). If the variable or the MPI object of a
    // field no longer exists, the field can be used for another variable. `object_handle` is the argument `obj_handle`
    // of MPI_T_pvar_handle_alloc.
    [[gnu::cold]] result add(std::size_t sample_size, const batch_request& field, const void* object_handle) noexcept {
        registry::process_registry* const registry = registry::published_registry();
        if (registry == nullptr || !reserve(sample_size)) return result::out_of_memory;
        if (field.name == nullptr) return result::invalid_name;
        registry::record* const record =
            registry->find(descriptor::kind::performance, field.name, field.variable_class);
        const int index = record == nullptr ? -1 : record->index.load();
        if (index < 0 || index >= registry->count(descriptor::kind::performance)) return result::invalid_name;
        auto& variable = static_cast<variable_record&>(*record);
        if (!field.matches(variable)) return result::wrong_type;
        const core::read_guard guard;
        performance_handle handle;
        std::uint32_t count = 0;
        const result status = handle.bind(variable, object_handle, count);
        if (status != result::success) return status;
        if (count != field.count) return result::wrong_count;
        batch_slot* const slot = find_slot(field);
        return slot != nullptr ? open(*slot, handle, field) : result::field_in_use;
    }

    // start() and stop() change all variables that are not continuous, and reset() changes all variables that are not
    // readonly. The functions return MPI_T_ERR_INVALID_HANDLE if the library or the MPI object of a variable no longer
    // exists. reset() returns MPI_T_ERR_PVAR_NO_WRITE if a library rejects the reset of a text.
    result start() noexcept { return change_all(handle_operation::start); }
    result stop() noexcept { return change_all(handle_operation::stop); }
    result reset() noexcept { return change_all(handle_operation::reset); }

    // Writes the values of all existing variables to the fields of `sample`. Returns MPI_T_ERR_INVALID_HANDLE if the
    // library or the MPI object of a variable no longer exists.
    [[gnu::noinline]] result read(void* sample) noexcept {
        const core::read_guard guard;
        result status = result::success;
        for_each([&](batch_slot& slot, std::uint64_t word) __attribute__((always_inline)) {
            char* const field = static_cast<char*>(sample) + slot.offset;
            if (performance_handle::try_number(slot, word, field)) return;
            const result slot_status = slot.read.load()(slot, word, field);
            if (slot_status != result::success) status = worse(status, slot_status);
        });
        return status;
    }

private:
    // Returns the worse of `first` and `second`. invalid_handle is the worst result, and success is the best.
    static result worse(result first, result second) noexcept {
        if (first == result::invalid_handle || second == result::invalid_handle) return result::invalid_handle;
        return first != result::success ? first : second;
    }
    // Calls `visit(slot, word)` for each slot with a handle. `word` is the handle.
    template <class Visit> [[gnu::always_inline]] void for_each(Visit visit) noexcept {
        batch_slot* const end = slots_ + slot_count_.load();
        for (batch_slot* slot = slots_; slot != end; slot++) {
            const std::uint64_t word = slot->word.load();
            if (word != 0) [[likely]]
                visit(*slot, word);
        }
    }
    result change_all(handle_operation step) noexcept {
        const core::read_guard guard;
        result status = result::success;
        for_each([&](batch_slot& slot, std::uint64_t word) {
            const variable_record& record = *slot.variable.record();
            if (step == handle_operation::reset ? record.readonly : record.continuous) return;
            status = worse(status, slot.change.load()(slot, word, step, nullptr));
        });
        return status;
    }

    // Allocates the slots and states for a structure of `sample_size` bytes. Returns false if memory is exhausted. The
    // smallest field is a text of two bytes. The slot of a handle contains the state of a text or of a single element.
    // An array needs one state for each element, and elements have at least four bytes.
    bool reserve(std::size_t sample_size) noexcept {
        if (slots_ != nullptr) return true;
        const std::size_t slots = sample_size / 2 + 1, states = sample_size / bytes_per_state + 1;
        const std::size_t bytes = slots * sizeof(batch_slot) + states * sizeof(core::atomic_word_pair);
        slots_ = static_cast<batch_slot*>(core::pages(bytes));
        if (slots_ == nullptr) return false;
        bytes_ = bytes;
        states_ = reinterpret_cast<core::atomic_word_pair*>(slots_ + slots);
        return true;
    }
    // Returns an unused slot, or null if `field` overlaps the field of an existing variable. If the variable or the MPI
    // object of an overlapping field no longer exists, frees the handle of that field.
    batch_slot* find_slot(const batch_request& field) noexcept {
        for (std::uint32_t i = 0; i < slot_count_.load(); i++)
            if (slots_[i].overlaps(field) && slots_[i].variable.load().current_cell() != nullptr) return nullptr;
        batch_slot* unused = nullptr;
        for (std::uint32_t i = 0; i < slot_count_.load(); i++) {
            if (slots_[i].overlaps(field)) end(slots_[i]);
            if (slots_[i].bytes == 0) unused = &slots_[i];
        }
        if (unused != nullptr) return unused;
        unused = new (core::placement{slots_ + slot_count_.load()}) batch_slot;
        slot_count_.store(slot_count_.load() + 1); // readers skip the slot while its word is 0
        return unused;
    }
    result open(batch_slot& slot, performance_handle& handle, const batch_request& field) noexcept {
        // A handle contains the slot's address, which is unique in the process, and a generation in the low bits.
        const std::uint64_t word = reinterpret_cast<std::uintptr_t>(&slot) | (++slot.generation % alignof(batch_slot));
        // The states of an array are in `states_`, from the index `field.offset / bytes_per_state` on.
        core::atomic_word_pair* const states =
            handle.state_count() > 1 ? states_ + field.offset / bytes_per_state : &slot.state;
        if (handle.make(slot, states, word) != result::success) return result::out_of_memory;
        slot.offset = field.offset;
        slot.bytes = field.bytes();
        slot.word.store(word);
        return result::success;
    }
    // Frees the handle of a slot, so that the slot can be used for another handle.
    void end(batch_slot& slot) noexcept {
        const core::read_guard guard;
        const std::uint64_t word = slot.word.load();
        performance_handle handle;
        if (word != 0 && handle.load(slot, word)) static_cast<void>(handle.end(word));
        slot.word.store(0);
        slot.bytes = 0;
    }

    static constexpr std::uint32_t bytes_per_state = 4; // bytes of the tool's structure for each state

    batch_slot* slots_ = nullptr;
    core::atomic_word_pair* states_ = nullptr; // states of handles on several elements
    std::size_t bytes_ = 0;                    // size of the slots and states
    atomic<std::uint32_t> slot_count_;
};

} // namespace session
} // namespace mpit
