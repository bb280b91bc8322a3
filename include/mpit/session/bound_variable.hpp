// What a handle refers to: a variable as it was loaded when the handle was made, and the cell of one object. It can tell at
// any time whether that variable and that object are still there.
//
//   bound_variable at;  result r = at.bind(record, object_handle);   at.is_there(cell)
#pragma once

#include <mpit/index/record.hpp>

namespace mpit::session {

using base::atomic;
using describe::object_key;
using index::variable_record;

template <class Variable> class bound_variable {
public:
    // MPI_T_ERR_INVALID_INDEX where the variable's library is not loaded, MPI_T_ERR_INVALID_HANDLE where the object is
    // none or not known. The object's handle is fetched now, and its address not kept.
    result bind(variable_record& record, const void* object_handle) noexcept {
        incarnation_.store(record.incarnation.load());
        auto* variable = static_cast<Variable*>(record.live.load());
        if (variable == nullptr) return result::invalid_index;
        object_key key = 0;
        std::uint32_t generation = 0;
        if (record.binding != binding::none) {
            if (object_handle == nullptr) return result::invalid_handle;
            key = variable->operations->key(object_handle);
        }
        void* cell = variable->operations->locate(*variable, key, generation);
        if (cell == nullptr) return result::invalid_handle;
        record_.store(&record);
        variable_.store(variable);
        key_.store(key);
        generation_.store(generation);
        cell_.store(cell);
        return result::success;
    }
    variable_record& record() const noexcept { return *record_.load(); }
    Variable& variable() const noexcept { return *variable_.load(); }
    object_key key() const noexcept { return key_.load(); }

    // The cell, or null when the variable's library or the object is gone.
    void* cell() const noexcept {
        const variable_record& r = record();
        if (r.live.load() != variable_.load() || r.incarnation.load() != incarnation_.load()) return nullptr;
        if (r.binding == binding::none) return cell_.load();
        std::uint32_t generation = 0;
        void* present = variable().operations->locate(variable(), key(), generation);
        return generation == generation_.load() ? present : nullptr;
    }

private:
    atomic<variable_record*> record_;
    atomic<Variable*> variable_;
    atomic<object_key> key_;
    atomic<void*> cell_;
    atomic<std::uint32_t> generation_;
    atomic<std::uint32_t> incarnation_;
};

} // namespace mpit::session
