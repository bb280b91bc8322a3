// SPDX-License-Identifier: BSD-3-Clause
// The rows of a C table of control variables as run-time descriptions.
//
//   const result added = declare::control_row{row, object}.add_to(category, memory);
#pragma once

#include <mpit/declare/control.h>
#include <mpit/declare/items.hpp>
#include <mpit/dynamic.hpp>

#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

// The row and the data of a function. It lives as long as the group.
struct row_data {
    const mpit_control row; // a copy
    void* data = nullptr;
    row_data* next = nullptr;
};

class row_memory {
public:
    row_data* make(const mpit_control& row, void* data) noexcept {
        auto* made = static_cast<row_data*>(std::malloc(sizeof(row_data)));
        if (made != nullptr) first_ = new (core::place{made}) row_data{row, data, first_};
        return made;
    }
    ~row_memory() {
        while (row_data* const ended = first_) {
            first_ = ended->next;
            std::free(ended);
        }
    }
    row_memory() noexcept = default;
    row_memory(const row_memory&) = delete;

private:
    row_data* first_ = nullptr;
};

constexpr bool has_range(const mpit_range& range) noexcept { return range.minimum != 0 || range.maximum != 0; }

class control_row {
public:
    control_row(const mpit_control& row, void* object) noexcept
        : row_{row}, storage_{row.storage} {
        const bool is_member =
            storage_ == nullptr && object != nullptr && row.offset != MPIT_NO_MEMBER && row.object_of == nullptr;
        if (is_member) storage_ = static_cast<char*>(object) + row.offset;
        data_ = row.data != nullptr ? row.data : storage_ != nullptr ? storage_ : object;
    }

    // `invalid` for a row without a value, of another size than its type, or with a range that is none.
    result add_to(const dynamic_category& category, row_memory& memory) const noexcept {
        const int places = (storage_ != nullptr) + (row_.read_text != nullptr) + (row_.object_of != nullptr);
        if (places != 1 || (row_.read_text != nullptr && row_.type != MPIT_TYPE_TEXT)) return result::invalid;
        if (static_cast<unsigned>(row_.verbosity) > MPIT_DEVELOPER_ALL) return result::invalid;
        if (static_cast<unsigned>(row_.unit) > MPIT_BYTES) return result::invalid;
        if (row_.object_of == nullptr && is_bound()) return result::invalid;
        switch (row_.type) {
        case MPIT_TYPE_INT: return add_number<int>(category, memory);
        case MPIT_TYPE_UNSIGNED: return add_number<unsigned>(category, memory);
        case MPIT_TYPE_LONG: return add_number<long>(category, memory);
        case MPIT_TYPE_UNSIGNED_LONG: return add_number<unsigned long>(category, memory);
        case MPIT_TYPE_LONG_LONG: return add_number<long long>(category, memory);
        case MPIT_TYPE_UNSIGNED_LONG_LONG: return add_number<unsigned long long>(category, memory);
        case MPIT_TYPE_DOUBLE: return add_number<double>(category, memory);
        case MPIT_TYPE_BOOL: return add<bool, bool>(category, memory, {});
        case MPIT_TYPE_SWITCH: return add<bool, int>(category, memory, {});
        case MPIT_TYPE_CHOICE: return add_choice(category, memory);
        case MPIT_TYPE_TEXT: return add_text(category, memory);
        case MPIT_TYPE_NONE:
        case MPIT_TYPE_CHAR: break;
        }
        return result::invalid;
    }

private:
    bool is_bound() const noexcept { return row_.bind != MPIT_BIND_NO_OBJECT || row_.on_write_in != nullptr; }

    // Whether the storage is aligned. A value in an object has an offset, and objects are aligned.
    bool is_place_aligned(std::size_t alignment) const noexcept {
        return row_.object_of != nullptr ? row_.offset % alignment == 0 : is_aligned(storage_, alignment);
    }

    static constexpr mpit::scope scopes[] = {scope::local,       scope::constant, scope::readonly, scope::group,
                                             scope::group_equal, scope::all,      scope::all_equal};

    // A function of a switch gets an int, as it is in the storage.
    template <class T> static mpit::reply ask(const T& value, void* data) {
        const auto& given = *static_cast<const row_data*>(data);
        if (given.row.type != MPIT_TYPE_SWITCH) return static_cast<mpit::reply>(given.row.on_write(&value, given.data));
        const int as_stored = static_cast<int>(value);
        return static_cast<mpit::reply>(given.row.on_write(&as_stored, given.data));
    }
    static mpit::reply ask_text(const char* value, void* data) {
        const auto& given = *static_cast<const row_data*>(data);
        return static_cast<mpit::reply>(given.row.on_write(value, given.data));
    }
    static void read_text(char* buffer, std::size_t room, void* data) {
        const auto& given = *static_cast<const row_data*>(data);
        given.row.read_text(buffer, room, given.data);
    }

    // The settings that all types have. Returns false for settings that cannot be, or without memory.
    template <class Settings, class Function>
    result apply(Settings& chosen, Function function, row_memory& memory) const noexcept {
        if (static_cast<unsigned>(row_.scope) >= sizeof scopes / sizeof *scopes) return result::invalid;
        if (row_.environment != nullptr) {
            if (*row_.environment == '\0') chosen.environment = none;
            else chosen.environment = row_.environment;
        }
        chosen.renamed_from = row_.renamed_from;
        chosen.deprecated = row_.deprecated;
        chosen.scope = scopes[row_.scope];
        chosen.verbosity = static_cast<mpit::verbosity>(row_.verbosity);
        if (row_.on_write != nullptr) chosen.on_write = function;
        if (row_.on_write == nullptr && row_.read_text == nullptr && row_.object_of == nullptr) return result::success;
        return (chosen.data = memory.make(row_, data_)) == nullptr ? result::out_of_memory : result::success;
    }
    template <class T, class Storage>
    result add(const dynamic_category& category, row_memory& memory, dynamic_settings<T, Storage> chosen) const noexcept {
        if (row_.size != sizeof(Storage) || !is_place_aligned(alignof(Storage))) return result::invalid;
        if (row_.object_of != nullptr) return add_bound(category, memory, chosen);
        chosen.storage = static_cast<Storage*>(storage_);
        const result applied = apply(chosen, &ask<T>, memory);
        return applied != result::success ? applied : category.control<T, Storage>(row_.name, row_.description, chosen);
    }
    // A value in each object, with the limits and the items of `like`.
    template <class T, class Storage>
    result add_bound(const dynamic_category& category, row_memory& memory, const dynamic_settings<T, Storage>& like) const noexcept {
        if (row_.on_write != nullptr || static_cast<unsigned>(row_.bind) > MPIT_BIND_SESSION) return result::invalid;
        dynamic_bound_settings<T, Storage> chosen;
        chosen.locate = &locate<Storage>;
        chosen.bound.kind = static_cast<mpit::binding>(row_.bind);
        chosen.bound.handle_size = row_.handle_size;
        chosen.count = row_.count == 0 ? 1 : row_.count;
        chosen.minimum = like.minimum;
        chosen.maximum = like.maximum;
        chosen.items = like.items;
        chosen.unit = like.unit;
        if (row_.on_write_in != nullptr) chosen.on_write = &ask_of_object<T>;
        const result applied = apply(chosen, chosen.on_write, memory);
        return applied != result::success ? applied : category.bound_control<T, Storage>(row_.name, row_.description, chosen);
    }
    template <class Storage> static Storage* locate(std::uint64_t handle, void* data) {
        const auto& given = *static_cast<const row_data*>(data);
        void* const object = given.row.object_of(handle, given.data);
        return object == nullptr ? nullptr : reinterpret_cast<Storage*>(static_cast<char*>(object) + given.row.offset);
    }
    template <class T> static mpit::reply ask_of_object(std::uint64_t handle, const T* values, void* data) {
        const auto& given = *static_cast<const row_data*>(data);
        const int as_stored = given.row.type == MPIT_TYPE_SWITCH ? static_cast<int>(*values) : 0;
        const void* const shown = given.row.type == MPIT_TYPE_SWITCH ? static_cast<const void*>(&as_stored) : values;
        return static_cast<mpit::reply>(given.row.on_write_in(handle, shown, given.data));
    }
    // Numbers of one type: one of them, or several.
    template <class T> result add_number(const dynamic_category& category, row_memory& memory) const noexcept {
        if (row_.count == 0 || row_.object_of != nullptr) {
            dynamic_settings<T> chosen;
            return is_limited(chosen) ? add<T, T>(category, memory, chosen) : result::invalid;
        }
        dynamic_settings<T[]> chosen;
        if (row_.size != sizeof(T) || !is_place_aligned(alignof(T)) || !is_limited(chosen)) return result::invalid;
        chosen.storage = static_cast<T*>(storage_);
        chosen.count = row_.count;
        const result applied = apply(chosen, &ask_array<T>, memory);
        return applied != result::success ? applied : category.control<T[]>(row_.name, row_.description, chosen);
    }
    template <class T> static mpit::reply ask_array(const T* values, void* data) {
        const auto& given = *static_cast<const row_data*>(data);
        return static_cast<mpit::reply>(given.row.on_write(values, given.data));
    }
    // Takes the range and the unit of the row. Returns false for a range that is none.
    template <class T, class Storage> bool is_limited(dynamic_settings<T, Storage>& chosen) const noexcept {
        using number = decltype(chosen.minimum);
        chosen.unit = row_.unit == MPIT_BYTES ? mpit::unit::bytes : mpit::unit::none;
        if constexpr (__is_same(number, double)) {
            if (row_.real_range.minimum == 0 && row_.real_range.maximum == 0) return true;
            chosen.minimum = row_.real_range.minimum;
            chosen.maximum = row_.real_range.maximum;
        } else {
            if (!has_range(row_.range)) return true;
            if (!fits<number>(row_.range.minimum) || !fits<number>(row_.range.maximum)) return false;
            chosen.minimum = static_cast<number>(row_.range.minimum);
            chosen.maximum = static_cast<number>(row_.range.maximum);
        }
        return chosen.minimum <= chosen.maximum;
    }
    template <class T> static bool fits(long long end) noexcept {
        if constexpr (static_cast<T>(-1) > T{}) return end >= 0 && (sizeof(T) >= sizeof end || end <= static_cast<long long>(core::limits<T>::highest));
        else return end >= static_cast<long long>(core::limits<T>::lowest) && end <= static_cast<long long>(core::limits<T>::highest);
    }
    result add_choice(const dynamic_category& category, row_memory& memory) const noexcept {
        const items_of_row items{row_.enumeration};
        if (items.answer() != result::success) return items.answer();
        dynamic_settings<int> chosen;
        chosen.items = items.items();
        return add<int, int>(category, memory, chosen);
    }
    result add_text(const dynamic_category& category, row_memory& memory) const noexcept {
        if (row_.size < 2 || row_.size > internal::largest_text || row_.object_of != nullptr) return result::invalid;
        dynamic_settings<char[]> chosen;
        chosen.storage = static_cast<char*>(storage_);
        chosen.length = static_cast<std::uint32_t>(row_.size - 1);
        chosen.any_length = row_.any_length;
        if (row_.read_text != nullptr) chosen.read = &read_text;
        const result applied = apply(chosen, &ask_text, memory);
        return applied != result::success ? applied : category.control<char[]>(row_.name, row_.description, chosen);
    }

    const mpit_control& row_;
    void* storage_;
    void* data_;
};

} // namespace declare
} // namespace mpit
