// Handles on control variables: allocation, reading and writing (MPI-5.0, 15.3.6).
//
//   std::uint64_t handle; std::uint32_t count;  controls.allocate(record, nullptr, epoch, handle, count);
#pragma once

#include <mpit/session/bound_variable.hpp>
#include <mpit/session/slot_pool.hpp>

namespace mpit::session {

class control_handles {
public:
    // `count` is the number of elements for this object. MPI_T_ERR_OUT_OF_HANDLES without memory.
    result allocate(variable_record& record, const void* object_handle, std::uint32_t epoch, std::uint64_t& handle,
                    std::uint32_t& count) noexcept {
        std::uint64_t word = 0;
        slot* made = pool_.take(word);
        if (made == nullptr) return result::out_of_handles;
        const result bound = made->at.bind(record, object_handle);
        if (bound != result::success) {
            pool_.give_back(*made, word);
            return bound;
        }
        describe::control& variable = made->at.variable();
        count = record.binding == binding::none ? record.count : variable.operations->elements(variable, made->at.key());
        made->epoch.store(epoch);
        made->word.store(word);
        handle = word;
        return result::success;
    }
    result free(std::uint64_t handle) noexcept {
        slot* s = pool_.find(handle);
        if (s == nullptr || !pool_.close(*s, handle)) return result::invalid_handle;
        pool_.give_back(*s, handle);
        return result::success;
    }
    result read(std::uint64_t handle, void* value) noexcept {
        target on;
        if (!resolve(handle, on)) return result::invalid_handle;
        return on.variable->operations->read(*on.variable, on.cell, on.key, value);
    }
    // MPI_T_ERR_CVAR_SET_NEVER or _SET_NOT_NOW where the variable refuses, MPI_T_ERR_INVALID for a value that it cannot
    // have; the old value stays.
    result write(std::uint64_t handle, const void* value) noexcept {
        target on;
        if (!resolve(handle, on)) return result::invalid_handle;
        if (on.variable->scope <= scope::readonly) return result::cannot_set_ever;
        return on.variable->operations->write(*on.variable, on.cell, on.key, value);
    }
    void free_all(std::uint32_t epoch) noexcept {
        pool_.each([&](slot& s, std::uint64_t word) {
            if (s.epoch.load() == epoch && pool_.close(s, word)) pool_.give_back(s, word);
            return true;
        });
    }

private:
    struct slot : slot_header {
        bound_variable<describe::control> at;
    };
    struct target {
        describe::control* variable = nullptr;
        void* cell = nullptr;
        object_key key = 0;
    };
    // The slot is looked at again after it was read: what was read then belongs to this handle and not to a later one.
    bool resolve(std::uint64_t handle, target& to) noexcept {
        const slot* s = pool_.find(handle);
        if (s == nullptr) return false;
        to = {&s->at.variable(), s->at.cell(), s->at.key()};
        return to.cell != nullptr && s->word.load() == handle;
    }

    slot_pool<slot> pool_{0xc1, 0, 0};
};

} // namespace mpit::session
