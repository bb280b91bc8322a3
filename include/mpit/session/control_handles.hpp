// SPDX-License-Identifier: BSD-3-Clause
// Handles on control variables: allocation, reading and writing (MPI-5.0, 15.3.6).
//
//   std::uint64_t handle; std::uint32_t count;  controls.allocate(record, nullptr, counting, handle, count);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/config/adopted_values.hpp>
#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/session/bound_variable.hpp>
#include <mpit/session/epochs.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

class control_handles {
public:
    // `count` is the number of elements for this object. MPI_T_ERR_OUT_OF_HANDLES without memory,
    // MPI_T_ERR_NOT_INITIALIZED if the epoch ends meanwhile.
    result allocate(variable_record& record, const void* object_handle, const epochs& counting, std::uint64_t& handle,
                    std::uint32_t& count) noexcept {
        const core::read_guard guard;
        std::uint64_t word = 0;
        slot* made = pool_.take(word);
        if (made == nullptr) return result::out_of_handles;
        reference<descriptor::control> target;
        const result bound = target.bind(record, object_handle);
        if (bound != result::success) {
            pool_.release(*made, word);
            return bound;
        }
        const auto elements = target.variable->operations->elements;
        count = elements == nullptr ? record.count : elements(*target.variable, target.key);
        made->variable.store(target);
        const bool is_one_number = target.is_alone() && target.variable->is_one_number;
        made->number.store(is_one_number ? descriptor::storage_of(*target.variable) : nullptr);
        made->number_size.store(is_one_number ? core::size_of(record.type) : 0);
        made->is_bound.store(record.binding != binding::none);
        handle = open(*made, word, counting);
        return handle != 0 ? result::success : result::not_initialized;
    }
    // What a handle is on, also after its library is unloaded or its object is freed; null for what is not a handle.
    const variable_record* record_of(std::uint64_t handle) noexcept {
        reference<descriptor::control> target;
        return load(handle, target) ? target.record : nullptr;
    }
    result free(std::uint64_t handle) noexcept {
        slot* s = pool_.find(handle);
        if (s == nullptr || !pool_.close(*s, handle)) return result::invalid_handle;
        pool_.release(*s, handle);
        return result::success;
    }
    // Reads one number of the process, as most variables are, in a few instructions. Returns false in all other cases.
    [[gnu::always_inline]] bool read_number(std::uint64_t handle, void* value) noexcept {
        const slot* const s = pool_.place_for(handle);
        if (s == nullptr) return false;
        atomic<std::uint32_t>* const quick = core::quick_guard::free_cell();
        if (value == nullptr || quick == nullptr) return false;
        const std::uint32_t size = s->number_size.load();
        if (size == 4) return read_number_of<std::uint32_t>(*s, handle, value, *quick);
        return size == 8 && read_number_of<std::uint64_t>(*s, handle, value, *quick);
    }
    [[gnu::noinline]] result read(std::uint64_t handle, void* value) noexcept {
        const core::read_guard guard;
        if (const present there = find_of_process(handle); there.variable != nullptr) [[likely]]
            return there.variable->operations->read(*there.variable, there.cell, 0, value);
        reference<descriptor::control> target;
        void* cell = resolve(handle, target);
        return cell == nullptr ? result::invalid_handle
                               : target.variable->operations->read(*target.variable, cell, target.key, value);
    }
    // MPI_T_ERR_CVAR_SET_NEVER or _SET_NOT_NOW where the variable refuses, MPI_T_ERR_INVALID for a value that it cannot
    // have; the old value stays.
    result write(std::uint64_t handle, const void* value) noexcept {
        const core::read_guard guard;
        if (const present there = find_of_process(handle); there.variable != nullptr) [[likely]]
            return write(*there.record, *there.variable, there.cell, 0, value);
        return write_of_object(handle, value);
    }
    void free_all(std::uint32_t epoch) noexcept {
        pool_.each([&](slot& s, std::uint64_t word) {
            if (core::is_of_epoch(s, epoch) && pool_.close(s, word)) pool_.release(s, word);
        });
    }
    // For shims that are being unloaded, when no reader is left.
    void release_all() noexcept { pool_.release_all(); }

private:
    struct slot : core::slot_header {
        bound_variable<descriptor::control> variable;
        atomic<const void*> number;        // that a read gives
        atomic<std::uint32_t> number_size; // 0 for what is read otherwise
        atomic<std::uint32_t> is_bound;    // to an object
    };
    struct present {
        const variable_record* record = nullptr;
        descriptor::control* variable = nullptr;
        void* cell = nullptr;
    };
    // Returns 0 if the epoch has ended: then the finalize may have missed the handle.
    std::uint64_t open(slot& made, std::uint64_t word, const epochs& counting) noexcept {
        const std::uint32_t epoch = counting.present();
        made.epoch.store(epoch);
        made.word.store(word, core::sequential); // pairs with slot_pool::each() in free_all()
        if (counting.goes_on(epoch)) return word;
        static_cast<void>(free(word));
        return 0;
    }
    // What a handle on a variable of the process refers to; no variable for every other handle.
    [[gnu::always_inline]] present find_of_process(std::uint64_t handle) const noexcept {
        const slot* const s = pool_.place_for(handle);
        if (s == nullptr || !s->word.has(handle) || s->is_bound.load() != 0) return {};
        const present there{s->variable.record(), s->variable.variable(), s->variable.cell()};
        return s->variable.is_loaded() && s->word.has(handle) ? there : present{};
    }
    [[gnu::always_inline]] static result write(const variable_record& record, descriptor::control& variable, void* cell,
                                               object_key key, const void* value) noexcept {
        if (record.scope <= scope::readonly) return result::cannot_set_ever;
        if (variable.is_adopted) return write_adopted(variable, cell, key, value);
        const result answer = variable.operations->write(variable, cell, key, value);
        if (answer == result::success) note_write(variable);
        return answer;
    }
    [[gnu::noinline]] static result write_adopted(descriptor::control& variable, void* cell, object_key key,
                                                  const void* value) noexcept {
        result answer{};
        const auto store = [&] {
            answer = variable.operations->write(variable, cell, key, value);
            return answer == result::success;
        };
        if (registry::store_adopted(variable, store, [&] { return registry::fingerprint_of(variable, value); }))
            note_write(variable);
        return answer;
    }
    [[gnu::noinline]] result write_of_object(std::uint64_t handle, const void* value) noexcept {
        reference<descriptor::control> target;
        void* cell = resolve(handle, target);
        return cell == nullptr ? result::invalid_handle
                               : write(*target.record, *target.variable, cell, target.key, value);
    }
    static void note_write(descriptor::control& variable) noexcept {
        variable.provenance_word.store(descriptor::provenance{origin::tool}.word());
    }
    template <class Word>
    [[gnu::always_inline]] static bool read_number_of(const slot& s, std::uint64_t handle, void* value,
                                                      atomic<std::uint32_t>& quick) noexcept {
        const core::quick_guard here{quick};
        const void* cell = s.number.load();
        if (!s.variable.is_loaded() || !s.word.has(handle)) [[unlikely]]
            return false; // another handle has the slot, or parts of it
        const Word word = static_cast<const atomic<Word>*>(cell)->load(core::relaxed);
        std::memcpy(value, &word, sizeof word);
        return true;
    }
    // What the handle refers to; false for what is not a handle.
    bool load(std::uint64_t handle, reference<descriptor::control>& target) noexcept {
        const slot* s = pool_.find(handle);
        if (s == nullptr) return false;
        target = s->variable.load();
        return s->word.load() == handle;
    }
    // The cell that the handle refers to, or null.
    void* resolve(std::uint64_t handle, reference<descriptor::control>& target) noexcept {
        return load(handle, target) ? target.present_cell() : nullptr;
    }

    core::slot_pool<slot> pool_{descriptor::handle_tag::control};
};

} // namespace session
} // namespace mpit
