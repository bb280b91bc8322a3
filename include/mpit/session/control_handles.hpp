// SPDX-License-Identifier: BSD-3-Clause
// Allocates, reads, writes and frees handles on control variables (MPI-5.0, 15.3.6).
//
//   std::uint64_t handle; std::uint32_t count;  controls.allocate(record, nullptr, epochs, handle, count);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/config/adopted_values.hpp>
#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/session/bound_variable.hpp>
#include <mpit/session/epochs.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

class control_handles {
public:
    // Sets `count` to the number of elements of the variable for the bound object. Returns MPI_T_ERR_OUT_OF_HANDLES if
    // memory is exhausted, and MPI_T_ERR_NOT_INITIALIZED if another thread calls the last finalize during this call.
    result allocate(variable_record& record, const void* object_handle, const epoch_counter& epochs,
                    std::uint64_t& handle, std::uint32_t& count) noexcept {
        const core::read_guard guard;
        std::uint64_t word = 0;
        control_slot* slot = pool_.take(word);
        if (slot == nullptr) return result::out_of_handles;
        reference<descriptor::control> target;
        const result status = target.bind(record, object_handle);
        if (status != result::success) {
            pool_.release(*slot, word);
            return status;
        }
        const auto elements = target.variable->operations->elements;
        count = elements == nullptr ? record.count : elements(*target.variable, target.key);
        slot->variable.store(target);
        const bool is_one_number = target.is_unbound_scalar() && target.variable->is_one_number;
        slot->number.store(is_one_number ? descriptor::storage_of(*target.variable) : nullptr);
        slot->number_size.store(is_one_number ? core::size_of(record.type) : 0);
        slot->is_bound.store(record.binding != binding::none);
        handle = open(*slot, word, epochs);
        return handle != 0 ? result::success : result::not_initialized;
    }
    // Returns the registry's record of a handle's variable, or null for an invalid handle. A handle stays valid after
    // the variable's library is unloaded and after the bound object is freed.
    const variable_record* record_of(std::uint64_t handle) noexcept {
        reference<descriptor::control> target;
        return load(handle, target) ? target.record : nullptr;
    }
    result free(std::uint64_t handle) noexcept {
        control_slot* slot = pool_.find(handle);
        if (slot == nullptr || !pool_.close(*slot, handle)) return result::invalid_handle;
        pool_.release(*slot, handle);
        return result::success;
    }
    // Fast path that reads a variable which is one number and is bound to no object. Returns false and reads nothing if
    // the caller must call read() instead.
    [[gnu::always_inline]] bool read_number(std::uint64_t handle, void* value) noexcept {
        const control_slot* const slot = pool_.candidate_slot(handle);
        if (slot == nullptr) return false;
        atomic<std::uint32_t>* const guard_cell = core::short_read_guard::available_cell();
        if (value == nullptr || guard_cell == nullptr) return false;
        const std::uint32_t size = slot->number_size.load();
        if (size == 4) return read_number_of<std::uint32_t>(*slot, handle, value, *guard_cell);
        return size == 8 && read_number_of<std::uint64_t>(*slot, handle, value, *guard_cell);
    }
    [[gnu::noinline]] result read(std::uint64_t handle, void* value) noexcept {
        const core::read_guard guard;
        if (const unbound_target unbound = find_unbound(handle); unbound.variable != nullptr) [[likely]]
            return unbound.variable->operations->read(*unbound.variable, unbound.cell, 0, value);
        reference<descriptor::control> target;
        void* cell = resolve(handle, target);
        return cell == nullptr ? result::invalid_handle
                               : target.variable->operations->read(*target.variable, cell, target.key, value);
    }
    // Returns MPI_T_ERR_CVAR_SET_NEVER or MPI_T_ERR_CVAR_SET_NOT_NOW if the variable cannot be changed, and
    // MPI_T_ERR_INVALID if the variable does not accept the value. After an error, the variable has its old value.
    result write(std::uint64_t handle, const void* value) noexcept {
        const core::read_guard guard;
        if (const unbound_target unbound = find_unbound(handle); unbound.variable != nullptr) [[likely]]
            return write(*unbound.record, *unbound.variable, unbound.cell, 0, value);
        return write_bound(handle, value);
    }
    void free_all(std::uint32_t epoch) noexcept {
        pool_.each([&](control_slot& slot, std::uint64_t word) {
            if (core::is_of_epoch(slot, epoch) && pool_.close(slot, word)) pool_.release(slot, word);
        });
    }
    // Releases the memory of all handles. The unload of this shared object calls release_all() after a grace period.
    void release_all() noexcept { pool_.release_all(); }

private:
    struct control_slot : core::slot_header {
        bound_variable<descriptor::control> variable;
        atomic<const void*> number;        // address of the number that read_number() loads
        atomic<std::uint32_t> number_size; // size of the number, 4 or 8 bytes, or 0 without the fast path
        atomic<std::uint32_t> is_bound;    // 1 if the variable is bound to an MPI object, or 0
    };
    struct unbound_target {
        const variable_record* record = nullptr;
        descriptor::control* variable = nullptr;
        void* cell = nullptr;
    };
    // Publishes the handle `word` and returns the handle. Returns 0 if the init/finalize epoch has ended, because the
    // last finalize may have called free_all() before this thread stored the handle.
    std::uint64_t open(control_slot& slot, std::uint64_t word, const epoch_counter& epochs) noexcept {
        const std::uint32_t epoch = epochs.current();
        slot.epoch.store(epoch);
        slot.word.store(word, core::seq_cst); // pairs with the loads of slot_pool::each() in free_all()
        if (epochs.is_current(epoch)) return word;
        static_cast<void>(free(word));
        return 0;
    }
    // Finds the variable of a handle. Returns a null `variable` for an invalid handle or a variable that is bound.
    [[gnu::always_inline]] unbound_target find_unbound(std::uint64_t handle) const noexcept {
        const control_slot* const slot = pool_.candidate_slot(handle);
        if (slot == nullptr || !slot->word.load_equals(handle) || slot->is_bound.load() != 0) return {};
        const unbound_target target{slot->variable.record(), slot->variable.variable(), slot->variable.cell()};
        return slot->variable.is_loaded() && slot->word.load_equals(handle) ? target : unbound_target{};
    }
    [[gnu::always_inline]] static result write(const variable_record& record, descriptor::control& variable, void* cell,
                                               object_key key, const void* value) noexcept {
        if (record.scope <= scope::readonly) return result::set_never;
        if (variable.is_adopted) return write_adopted(variable, cell, key, value);
        const result status = variable.operations->write(variable, cell, key, value);
        if (status == result::success) note_write(variable);
        return status;
    }
    [[gnu::noinline]] static result write_adopted(descriptor::control& variable, void* cell, object_key key,
                                                  const void* value) noexcept {
        result status{};
        const auto store = [&] {
            status = variable.operations->write(variable, cell, key, value);
            return status == result::success;
        };
        if (registry::store_adopted(variable, store, [&] { return registry::fingerprint_of(variable, value); }))
            note_write(variable);
        return status;
    }
    [[gnu::noinline]] result write_bound(std::uint64_t handle, const void* value) noexcept {
        reference<descriptor::control> target;
        void* cell = resolve(handle, target);
        return cell == nullptr ? result::invalid_handle
                               : write(*target.record, *target.variable, cell, target.key, value);
    }
    static void note_write(descriptor::control& variable) noexcept {
        variable.provenance_word.store(descriptor::provenance{origin::tool}.word());
    }
    template <class Word>
    [[gnu::always_inline]] static bool read_number_of(const control_slot& slot, std::uint64_t handle, void* value,
                                                      atomic<std::uint32_t>& guard_cell) noexcept {
        const core::short_read_guard guard{guard_cell};
        const void* cell = slot.number.load();
        if (!slot.variable.is_loaded() || !slot.word.load_equals(handle)) [[unlikely]]
            return false; // the members that were loaded may belong to another handle
        const Word word = static_cast<const atomic<Word>*>(cell)->load(core::relaxed);
        std::memcpy(value, &word, sizeof word);
        return true;
    }
    // Loads the variable and the object of a handle. Returns false for an invalid handle.
    bool load(std::uint64_t handle, reference<descriptor::control>& target) noexcept {
        const control_slot* slot = pool_.find(handle);
        if (slot == nullptr) return false;
        target = slot->variable.load();
        return slot->word.load() == handle;
    }
    // Returns the memory of the value, or null if the handle is invalid or the object or the library no longer exists.
    void* resolve(std::uint64_t handle, reference<descriptor::control>& target) noexcept {
        return load(handle, target) ? target.current_cell() : nullptr;
    }

    core::slot_pool<control_slot> pool_{descriptor::handle_tag::control};
};

} // namespace session
} // namespace mpit
