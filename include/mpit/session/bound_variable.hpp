// SPDX-License-Identifier: BSD-3-Clause
// The target of a handle: a variable as it was loaded when the handle was allocated, and the cell of one object. The
// target reports at any time whether both still exist. The caller holds a read guard while it uses the result.
//
//   reference<descriptor::control> target;  target.bind(record, object_handle);  void* cell = target.current_cell();
#pragma once

#include <mpit/core/readable_address.hpp>
#include <mpit/registry/record.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

using core::atomic;
using descriptor::object_key;
using registry::variable_record;

template <class Variable> struct reference {
    variable_record* record = nullptr;
    Variable* variable = nullptr;
    object_key key = 0;
    void* cell = nullptr;
    std::uint32_t generation = 0;
    std::uint32_t incarnation = 0;

    // MPI_T_ERR_INVALID_INDEX if the variable's library is not loaded, MPI_T_ERR_INVALID_HANDLE if the object is
    // invalid or unknown. The object's handle is read in this call; its address is not kept.
    result bind(variable_record& bound_record, const void* object_handle) noexcept {
        record = &bound_record;
        variable = static_cast<Variable*>(bound_record.live.load());
        if (variable == nullptr) return result::invalid_index;
        incarnation = bound_record.incarnation.load();
        if (bound_record.live.load() != variable)
            return result::invalid_index; // the incarnation may be that of a later load of the library
        if (bound_record.binding != binding::none) {
            if (!core::is_readable(object_handle)) return result::invalid_handle;
            key = variable->operations->key(object_handle);
        }
        std::uint32_t current_generation = 0; // a local variable, so that the members stay in registers
        cell = variable->operations->locate(*variable, key, current_generation);
        generation = current_generation;
        return cell != nullptr ? result::success : result::invalid_handle;
    }
    // True if the variable's library has not been unloaded since the handle was allocated.
    bool is_loaded() const noexcept {
        return record->live.load() == variable && record->incarnation.load() == incarnation;
    }
    // True if the variable is bound to no object and has one element.
    bool is_unbound_scalar() const noexcept { return record->binding == binding::none && record->count == 1; }
    // The cell; null if the variable's library is unloaded or the object is freed.
    void* current_cell() const noexcept {
        if (!is_loaded()) return nullptr;
        if (record->binding == binding::none) return cell;
        std::uint32_t current_generation = 0;
        void* current_cell = variable->operations->locate(*variable, key, current_generation);
        return current_generation == generation ? current_cell : nullptr;
    }
};

// A reference in the slot of a handle. After a load the caller compares the slot's word with the handle. The acquire
// loads pair with the release stores of store(): if the word still is the handle, all members belong to the handle.
template <class Variable> class bound_variable {
public:
    void store(const reference<Variable>& r) noexcept {
        record_.store(r.record);
        variable_.store(r.variable);
        key_.store(r.key);
        cell_.store(r.cell);
        generation_.store(r.generation);
        incarnation_.store(r.incarnation);
    }
    // Single members of the reference.
    variable_record* record() const noexcept { return record_.load(); }
    void* cell() const noexcept { return cell_.load(); }
    Variable* variable() const noexcept { return variable_.load(); }
    // True if the variable's library has not been unloaded since the handle was allocated: an unload increments the
    // incarnation before it waits for readers.
    [[gnu::always_inline]] bool is_loaded() const noexcept {
        return record_.load()->incarnation.load_equals(incarnation_.load());
    }
    reference<Variable> load() const noexcept {
        return {record_.load(), variable_.load(), key_.load(), cell_.load(), generation_.load(), incarnation_.load()};
    }

private:
    atomic<variable_record*> record_;
    atomic<Variable*> variable_;
    atomic<object_key> key_;
    atomic<void*> cell_;
    atomic<std::uint32_t> generation_;
    atomic<std::uint32_t> incarnation_;
};

} // namespace session
} // namespace mpit
