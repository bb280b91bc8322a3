// SPDX-License-Identifier: BSD-3-Clause
// Handles on control variables: allocation, reading and writing (MPI-5.0, 15.3.6).
//
//   std::uint64_t handle; std::uint32_t count;  controls.allocate(record, nullptr, epoch, handle, count);
#pragma once

#include <mpit/concurrency/handle_tag.hpp>
#include <mpit/concurrency/read_guard.hpp>
#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/config/adopted_values.hpp>
#include <mpit/session/bound_variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

class control_handles {
public:
    // `count` is the number of elements for this object. MPI_T_ERR_OUT_OF_HANDLES without memory.
    result allocate(variable_record& record, const void* object_handle, std::uint32_t epoch, std::uint64_t& handle,
                    std::uint32_t& count) noexcept {
        const internal::read_guard here;
        std::uint64_t word = 0;
        slot* made = pool_.take(word);
        if (made == nullptr) return result::out_of_handles;
        reference<descriptor::control> target;
        const result bound = target.bind(record, object_handle);
        if (bound != result::success) {
            pool_.release(*made, word);
            return bound;
        }
        count = record.binding == binding::none ? record.count
                                                : target.variable->operations->elements(*target.variable, target.key);
        made->variable.store(target);
        const auto number = target.is_alone() ? target.variable->operations->number : nullptr;
        made->number.store(number != nullptr ? number(*target.variable) : nullptr);
        made->number_size.store(number != nullptr ? core::size_of(record.type) : 0);
        made->epoch.store(epoch);
        made->word.store(word);
        handle = word;
        return result::success;
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
    // Reads one number of the process, as most variables are, in a few instructions. Of the first handles in fewer: only these if
    // `IsFirst` is true, only the others if it is false.
    template <bool IsFirst> [[gnu::always_inline]] rest read_number(std::uint64_t handle, void* value) noexcept {
        const slot* const s = IsFirst ? pool_.first_place_for<0>(handle) : pool_.place_for(handle);
        if (s == nullptr) return IsFirst ? rest::at_length : rest::all;
        atomic<std::uint32_t>* const quick = internal::quick_guard::free_cell();
        if (value == nullptr || quick == nullptr) return rest::all;
        const internal::quick_guard here{*quick};
        const std::uint32_t size = s->number_size.load();
        const bool is_read = size == 4 ? read_number_of<std::uint32_t>(*s, handle, value)
                                       : size == 8 && read_number_of<std::uint64_t>(*s, handle, value);
        return is_read ? rest::nothing : rest::all;
    }
    [[gnu::noinline]] result read(std::uint64_t handle, void* value) noexcept {
        const internal::read_guard here;
        reference<descriptor::control> target;
        void* cell = resolve(handle, target);
        return cell == nullptr ? result::invalid_handle
                               : target.variable->operations->read(*target.variable, cell, target.key, value);
    }
    // MPI_T_ERR_CVAR_SET_NEVER or _SET_NOT_NOW where the variable refuses, MPI_T_ERR_INVALID for a value that it cannot
    // have; the old value stays.
    result write(std::uint64_t handle, const void* value) noexcept {
        const internal::read_guard here;
        reference<descriptor::control> target;
        void* cell = resolve(handle, target);
        if (cell == nullptr) return result::invalid_handle;
        if (target.record->scope <= scope::readonly) return result::cannot_set_ever;
        result answer{};
        const auto store = [&] {
            answer = target.variable->operations->write(*target.variable, cell, target.key, value);
            return answer == result::success;
        };
        const auto fingerprint = [&] { return registry::fingerprint_of(*target.variable, value); };
        if (target.variable->is_adopted() ? registry::store_adopted(*target.variable, store, fingerprint) : store())
            target.variable->provenance_word.store(descriptor::provenance{origin::tool}.word());
        return answer;
    }
    void free_all(std::uint32_t epoch) noexcept {
        pool_.each([&](slot& s, std::uint64_t word) {
            if (is_of_epoch(s, epoch) && pool_.close(s, word)) pool_.release(s, word);
        });
    }
    // For shims that are being unloaded, when no reader is left.
    void release_all() noexcept { pool_.release_all(); }

private:
    struct slot : slot_header {
        bound_variable<descriptor::control> variable;
        atomic<const void*> number;        // that a read gives
        atomic<std::uint32_t> number_size; // 0 for what is read otherwise
    };
    template <class Word>
    [[gnu::always_inline]] static bool read_number_of(const slot& s, std::uint64_t handle, void* value) noexcept {
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

    slot_pool<slot> pool_{core::handle_tag::control, 0, 0};
};

} // namespace session
} // namespace mpit
