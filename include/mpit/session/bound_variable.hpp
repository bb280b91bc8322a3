// SPDX-License-Identifier: BSD-3-Clause
// The target of a handle is a variable and a cell. A cell is the memory of the variable's value for one MPI object. The
// functions of a target detect that the library was unloaded or the object was freed after the handle was allocated.
// The caller must hold a read_guard while it uses a returned pointer.
//
//   reference<descriptor::control> target;  target.bind(record, object_handle);  void* cell = target.current_cell();
#pragma once

#include <mpit/core/readable_address.hpp>
#include <mpit/registry/record.hpp>

namespace mpit::inline v1_0 {
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

    // Returns MPI_T_ERR_INVALID_INDEX if the variable's library is not loaded, and MPI_T_ERR_INVALID_HANDLE if the MPI
    // object is invalid or unknown. Only bind() reads the MPI handle at the address `object_handle`.
    result bind(variable_record& bound_record, const void* object_handle) noexcept {
        record = &bound_record;
        variable = static_cast<Variable*>(bound_record.live.load());
        if (variable == nullptr) return result::invalid_index;
        incarnation = bound_record.incarnation.load();
        if (bound_record.live.load() != variable)
            return result::invalid_index; // the library may have been loaded again meanwhile
        if (bound_record.binding != binding::none) {
            if (!core::is_readable(object_handle)) return result::invalid_handle;
            key = variable->operations->key(object_handle);
        }
        std::uint32_t current_generation = 0; // a local variable, so that all members stay in registers
        cell = variable->operations->locate(*variable, key, current_generation);
        generation = current_generation;
        return cell != nullptr ? result::success : result::invalid_handle;
    }
    // Returns true if the variable's library has not been unloaded since the handle was allocated.
    bool is_loaded() const noexcept {
        return record->live.load() == variable && record->incarnation.load() == incarnation;
    }
    // Returns true if the variable is not bound to MPI objects and has one element.
    bool is_unbound_scalar() const noexcept { return record->binding == binding::none && record->count == 1; }
    // Returns the memory of the value, or null if the variable's library was unloaded or the MPI object was freed.
    void* current_cell() const noexcept {
        if (!is_loaded()) return nullptr;
        if (record->binding == binding::none) return cell;
        std::uint32_t current_generation = 0;
        void* current_cell = variable->operations->locate(*variable, key, current_generation);
        return current_generation == generation ? current_cell : nullptr;
    }
};

// The reference that is stored in the slot of a handle. Another thread may free the handle and reuse the slot while the
// reference is loaded. The caller therefore loads the slot's word after the reference. If the word equals the handle,
// all loaded members belong to the handle, because the acquire loads pair with the release stores of store().
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
    // Each of record(), cell() and variable() loads only one member of the reference.
    variable_record* record() const noexcept { return record_.load(); }
    void* cell() const noexcept { return cell_.load(); }
    Variable* variable() const noexcept { return variable_.load(); }
    // Returns true if the variable's library has not been unloaded since the handle was allocated. An unload increments
    // the record's incarnation, and then waits for the threads that hold a read_guard.
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
