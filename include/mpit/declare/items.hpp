// SPDX-License-Identifier: BSD-3-Clause
// What rows of several kinds ask: the items of an enumeration of C, as mpit::dynamic takes them, and whether storage is aligned.
//
//   const items_of_row items{row.enumeration};   if (items.answer() == result::success) chosen.items = items.items();
#pragma once

#include <mpit/declare/control.h>
#include <mpit/dynamic/settings.hpp>

#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

// The address of storage or of a cell. What is misaligned has no atomic access on each processor.
inline bool is_aligned(const void* address, std::size_t alignment) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
}

class items_of_row {
public:
    // MPI_T_ERR_INVALID for an enumeration without items, MPI_T_ERR_MEMORY without memory.
    explicit items_of_row(const mpit_enumeration* from) noexcept {
        if (from == nullptr || from->items == nullptr) return;
        int count = 0;
        while (from->items[count].name != nullptr) count++;
        if (count == 0) return;
        if (count > few) many_ = static_cast<enumerator<int>*>(std::malloc(static_cast<std::size_t>(count) * sizeof(enumerator<int>)));
        answer_ = count > few && many_ == nullptr ? result::out_of_memory : result::success;
        if (answer_ != result::success) return;
        auto* const copies = many_ != nullptr ? many_ : reinterpret_cast<enumerator<int>*>(room_);
        for (int i = 0; i < count; i++) {
            const mpit_item& item = from->items[i];
            new (core::place{copies + i}) enumerator<int>{item.name, item.value, item.also};
        }
        items_ = {from->name, copies, count};
    }
    ~items_of_row() { std::free(many_); }
    items_of_row(const items_of_row&) = delete;

    result answer() const noexcept { return answer_; }
    // They end with this object.
    dynamic_items items() const noexcept { return items_; }

private:
    static constexpr int few = 16;

    alignas(enumerator<int>) unsigned char room_[few * sizeof(enumerator<int>)];
    enumerator<int>* many_ = nullptr;
    dynamic_items items_;
    result answer_ = result::invalid;
};

} // namespace declare
} // namespace mpit
