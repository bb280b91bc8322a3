// SPDX-License-Identifier: BSD-3-Clause
// Converts between the indices of the registry and the indices of the draft of 2011. A variable that the draft cannot
// express has no index in the draft. The indices of the draft are dense and never change, like the indices of the
// registry. A conversion steps through the records of the registry and allocates no memory. If possible, a conversion
// starts at the record where the last conversion ended.
//
//   control_indices.count();   const registry::record* r = control_indices.at(0);   control_indices.index_of(*r);
#pragma once

#include <mpit/compat/visible_names.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

inline bool is_in_draft(const registry::record& record) noexcept {
    if (!is_visible_name(record.name)) return false;
    if (record.item_kind == kind::category) return true;
    // The count of the record is 0 if each object has its own number of elements, which the draft cannot return.
    const auto& variable = static_cast<const variable_record&>(record);
    return variable.variable_class != performance_class::generic && variable.binding <= binding::window &&
           variable.count != 0;
}

// The indices that the draft of 2011 has for one kind of items, such as control variables.
class draft_indices {
public:
    constexpr explicit draft_indices(kind item_kind) noexcept : item_kind_{item_kind} {}

    int count() noexcept {
        position current = last_count_.load();
        const std::uint32_t end = static_cast<std::uint32_t>(registry().count(item_kind_));
        while (current.registry_index < end) step(current);
        last_count_.store(current);
        return static_cast<int>(current.draft_index);
    }
    // Returns the registry's record of the item with an index of the draft of 2011, or null if no item has the index.
    const registry::record* at(int draft_index) noexcept {
        if (draft_index < 0) return nullptr;
        const auto index = static_cast<std::uint32_t>(draft_index);
        const std::uint32_t end = static_cast<std::uint32_t>(registry().count(item_kind_));
        position current = last_lookup_.load();
        if (current.draft_index > index) current = {};
        for (; current.registry_index < end; step(current)) {
            if (current.draft_index != index || !is_in_draft(record_at(current))) continue;
            last_lookup_.store(current);
            return &record_at(current);
        }
        return nullptr;
    }
    // Returns the index that the draft of 2011 has for the item of a record. The item must have an index in the draft.
    int index_of(const registry::record& record) noexcept {
        const auto index = static_cast<std::uint32_t>(record.index.load());
        position current = last_lookup_.load();
        if (current.registry_index > index) current = {};
        while (current.registry_index < index) step(current);
        last_lookup_.store(current);
        return static_cast<int>(current.draft_index);
    }

private:
    // `draft_index` is the number of records that have an index in the draft of 2011 and a registry index below
    // `registry_index`. If the record at `registry_index` has an index in the draft, this index is `draft_index`.
    struct position {
        std::uint32_t registry_index = 0, draft_index = 0;
    };
    const registry::record& record_at(position current) const noexcept {
        return *registry().at(item_kind_, static_cast<int>(current.registry_index));
    }
    void step(position& current) const noexcept {
        current.draft_index += is_in_draft(record_at(current));
        current.registry_index++;
    }

    kind item_kind_;
    core::atomic<position> last_count_, last_lookup_;
};

inline constinit draft_indices control_indices{kind::control}, performance_indices{kind::performance},
    category_indices{kind::category};

inline int store_count(draft_indices& indices, int* count) noexcept {
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (count == nullptr) return MPIT_ERR_INVALID;
    *count = indices.count();
    return MPIT_SUCCESS;
}

} // namespace compat
} // namespace mpit
