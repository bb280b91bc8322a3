// SPDX-License-Identifier: BSD-3-Clause
// The rows of a C table of performance variables as run-time descriptions.
//
//   const result added = declare::measure_row{row, object}.add_to(category, memory);
#pragma once

#include <mpit/declare/performance.h>
#include <mpit/declare/rows.hpp>

#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

static_assert(sizeof(mpit_counter) == sizeof(counter_cell) && alignof(mpit_counter) == alignof(counter_cell) &&
                  sizeof(mpit_timer) == sizeof(timer_cell),
              "the cells of C are those of C++");
static_assert(sizeof(mpit_level) == sizeof(level_cell<unsigned long long>) && sizeof(mpit_state) == sizeof(state_cell<int>),
              "the cells of C are those of C++");
static_assert(sizeof(mpit_real) == sizeof(real_cell) && sizeof(mpit_real_level) == sizeof(level_cell<double>), "the cells of C are those of C++");
static_assert(offsetof(mpit_counter, number) == 8 && offsetof(internal::own_shard, cells_end) == 8,
              "the members that C code uses are where it expects them");

// The data of the functions of a row, as long as the group lives.
struct measure_data {
    const mpit_performance row; // a copy
    void* data = nullptr;
    measure_data* next = nullptr;
};

class measure_memory {
public:
    measure_data* make(const mpit_performance& row, void* data) noexcept {
        auto* made = static_cast<measure_data*>(std::malloc(sizeof(measure_data)));
        if (made != nullptr) first_ = new (core::place{made}) measure_data{row, data, first_};
        return made;
    }
    ~measure_memory() {
        while (measure_data* const ended = first_) {
            first_ = ended->next;
            std::free(ended);
        }
    }
    measure_memory() noexcept = default;
    measure_memory(const measure_memory&) = delete;

private:
    measure_data* first_ = nullptr;
};

// The cell of a row that has one, and the type of its value.
inline const void* address_of_cell(const mpit_performance& row) noexcept {
    if (row.counter != nullptr) return row.counter;
    if (row.timer != nullptr) return row.timer;
    if (row.level != nullptr) return row.level;
    if (row.state != nullptr) return row.state;
    return row.real != nullptr ? static_cast<const void*>(row.real) : row.real_level;
}
inline mpit_type type_of_cell(const mpit_performance& row) noexcept {
    if (row.state != nullptr) return MPIT_TYPE_INT;
    return row.counter != nullptr || row.level != nullptr ? MPIT_TYPE_UNSIGNED_LONG_LONG : MPIT_TYPE_DOUBLE;
}

class measure_row {
public:
    measure_row(const mpit_performance& row, void* object) noexcept
        : row_{row}, data_{row.data != nullptr ? row.data : object} {}

    // `invalid` for a row without a value, with several, of another size than its type, or of a type that its class cannot have.
    result add_to(const dynamic_category& category, measure_memory& memory) const noexcept {
        const int sources = (row_.counter != nullptr) + (row_.timer != nullptr) + (row_.level != nullptr) +
                            (row_.state != nullptr) + (row_.storage != nullptr) + (row_.value != nullptr) + (row_.real_value != nullptr) +
                            (row_.value_at != nullptr) + (row_.real_value_at != nullptr) + (row_.real != nullptr) +
                            (row_.real_level != nullptr) + (row_.values_at != nullptr) + (row_.text_at != nullptr);
        if (static_cast<unsigned>(row_.verbosity) > MPIT_DEVELOPER_ALL) return result::invalid;
        if (sources != 1 || (row_.type == MPIT_TYPE_TEXT) != (row_.text_at != nullptr) || static_cast<unsigned>(row_.bind) > MPIT_BIND_SESSION) return result::invalid;
        const bool is_cell = row_.counter != nullptr || row_.timer != nullptr || row_.level != nullptr || row_.state != nullptr ||
                             row_.real != nullptr || row_.real_level != nullptr;
        if (is_cell && (row_.count > 1 || row_.bind != MPIT_BIND_NO_OBJECT || row_.on_watch != nullptr || row_.on_write != nullptr))
            return result::invalid;
        if (is_cell && row_.type != type_of_cell(row_)) return result::invalid;
        if (is_cell && !is_aligned(address_of_cell(row_), alignof(mpit_counter))) return result::invalid;
        if (row_.counter != nullptr) return add_counter(category);
        if (row_.timer != nullptr) return category.timer(row_.name, row_.description, cell_settings<timer_cell>(row_.timer));
        if (row_.level != nullptr) return add_level<unsigned long long>(category, row_.level);
        if (row_.real_level != nullptr) return add_level<double>(category, row_.real_level);
        if (row_.real != nullptr) return add_real(category);
        if (row_.state != nullptr) return add_state(category);
        switch (row_.variable_class) {
        case MPIT_CLASS_COUNTER: return add<performance_class::counter>(category, memory);
        case MPIT_CLASS_AGGREGATE: return add<performance_class::aggregate>(category, memory);
        case MPIT_CLASS_TIMER: return add<performance_class::timer>(category, memory);
        case MPIT_CLASS_LEVEL: return add<performance_class::level>(category, memory);
        case MPIT_CLASS_SIZE: return add<performance_class::size>(category, memory);
        case MPIT_CLASS_PERCENTAGE: return add<performance_class::percentage>(category, memory);
        case MPIT_CLASS_GENERIC: return row_.text_at != nullptr ? add_text(category, memory) : add<performance_class::generic>(category, memory);
        case MPIT_CLASS_STATE: // these have cells
        case MPIT_CLASS_HIGHWATERMARK:
        case MPIT_CLASS_LOWWATERMARK: break;
        }
        return result::invalid;
    }

private:
    template <class Cell, class Given> dynamic_cell_settings<Cell> cell_settings(Given* cell) const noexcept {
        dynamic_cell_settings<Cell> chosen;
        chosen.cell = reinterpret_cast<Cell*>(cell);
        apply(chosen);
        return chosen;
    }
    template <class Settings> void apply(Settings& chosen) const noexcept {
        chosen.verbosity = static_cast<mpit::verbosity>(row_.verbosity);
        chosen.readonly = row_.readonly;
        chosen.continuous = row_.continuous;
    }
    result add_counter(const dynamic_category& category) const noexcept {
        const auto chosen = cell_settings<counter_cell>(row_.counter);
        if (row_.variable_class == MPIT_CLASS_COUNTER) return category.counter(row_.name, row_.description, chosen);
        return row_.variable_class == MPIT_CLASS_AGGREGATE ? category.aggregate(row_.name, row_.description, chosen)
                                                            : result::invalid;
    }
    result add_real(const dynamic_category& category) const noexcept {
        const auto chosen = cell_settings<real_cell>(row_.real);
        if (row_.variable_class == MPIT_CLASS_TIMER) return category.seconds(row_.name, row_.description, chosen);
        return row_.variable_class == MPIT_CLASS_AGGREGATE ? category.aggregate<double>(row_.name, row_.description, chosen)
                                                            : result::invalid;
    }
    template <class T, class Given> result add_level(const dynamic_category& category, Given* cell) const noexcept {
        const auto chosen = cell_settings<level_cell<T>>(cell);
        switch (row_.variable_class) {
        case MPIT_CLASS_LEVEL: return category.level<T>(row_.name, row_.description, chosen);
        case MPIT_CLASS_SIZE: return category.size<T>(row_.name, row_.description, chosen);
        case MPIT_CLASS_HIGHWATERMARK: return category.high_watermark<T>(row_.name, row_.description, chosen);
        case MPIT_CLASS_LOWWATERMARK: return category.low_watermark<T>(row_.name, row_.description, chosen);
        case MPIT_CLASS_PERCENTAGE:
            if constexpr (__is_same(T, double)) return category.percentage(row_.name, row_.description, chosen);
            else return result::invalid;
        default: return result::invalid;
        }
    }
    result add_state(const dynamic_category& category) const noexcept {
        if (row_.variable_class != MPIT_CLASS_STATE) return result::invalid;
        dynamic_state_settings<state_cell<int>> chosen;
        if (!find_items(row_.enumeration, chosen.items)) return result::invalid;
        chosen.cell = reinterpret_cast<state_cell<int>*>(row_.state);
        apply(chosen);
        return category.state(row_.name, row_.description, chosen);
    }
    template <performance_class Class> result add(const dynamic_category& category, measure_memory& memory) const noexcept {
        switch (row_.type) {
        case MPIT_TYPE_INT: return add<Class, int>(category, memory);
        case MPIT_TYPE_UNSIGNED: return add<Class, unsigned>(category, memory);
        case MPIT_TYPE_UNSIGNED_LONG: return add<Class, unsigned long>(category, memory);
        case MPIT_TYPE_UNSIGNED_LONG_LONG: return add<Class, unsigned long long>(category, memory);
        case MPIT_TYPE_DOUBLE: return add<Class, double>(category, memory);
        default: return result::invalid;
        }
    }
    template <performance_class Class, class T>
    result add(const dynamic_category& category, measure_memory& memory) const noexcept {
        if constexpr (internal::may_have<Class, T>()) {
            dynamic_computed_settings<T> chosen;
            const result filled = fill(chosen, memory);
            return filled != result::success ? filled : category.computed<Class, T>(row_.name, row_.description, chosen);
        } else {
            return result::invalid;
        }
    }
    result add_text(const dynamic_category& category, measure_memory& memory) const noexcept {
        dynamic_computed_settings<char[]> chosen;
        apply_place(chosen);
        chosen.data = memory.make(row_, data_);
        if (chosen.data == nullptr) return result::out_of_memory;
        if (row_.size < 2 || row_.size > internal::largest_text || row_.count > 1) return result::invalid;
        chosen.length = static_cast<std::uint32_t>(row_.size - 1);
        chosen.read = &text_at;
        if (row_.on_write != nullptr) chosen.on_write = &written;
        return category.computed<performance_class::generic, char[]>(row_.name, row_.description, chosen);
    }
    template <class Settings> void apply_place(Settings& chosen) const noexcept {
        apply(chosen);
        chosen.bound.kind = static_cast<mpit::binding>(row_.bind);
        chosen.bound.handle_size = row_.handle_size;
        if (row_.elements != nullptr) chosen.bound.elements = &elements_of;
        if (row_.on_watch != nullptr) chosen.on_watch = &watched;
    }
    // The settings are the same for all classes.
    template <class T> [[gnu::noinline]] result fill(dynamic_computed_settings<T>& chosen, measure_memory& memory) const noexcept {
        apply_place(chosen);
        chosen.count = row_.count == 0 ? 1 : row_.count;
        if (row_.on_write != nullptr) return result::invalid;
        if (row_.storage == nullptr || row_.on_watch != nullptr) {
            chosen.data = memory.make(row_, data_);
            if (chosen.data == nullptr) return result::out_of_memory;
        }
        if (row_.storage != nullptr) {
            chosen.storage = static_cast<const T*>(row_.storage);
            return row_.size == sizeof(T) && is_aligned(row_.storage, alignof(T)) ? result::success : result::invalid;
        }
        if (row_.values_at != nullptr) return chosen.values = &values_at<T>, result::success;
        if (row_.value_at != nullptr || row_.real_value_at != nullptr) chosen.value_at = &value_at<T>;
        else chosen.value = &value_of<T>;
        const bool is_real = row_.real_value != nullptr || row_.real_value_at != nullptr;
        return is_real == __is_same(T, double) ? result::success : result::invalid;
    }
    template <class T> static T value_of(void* data) {
        const auto& given = *static_cast<const measure_data*>(data);
        if constexpr (__is_same(T, double)) return given.row.real_value(given.data);
        else return static_cast<T>(given.row.value(given.data));
    }
    template <class T> static T value_at(std::uint64_t handle, std::uint32_t element, void* data) {
        const auto& given = *static_cast<const measure_data*>(data);
        if constexpr (__is_same(T, double)) return given.row.real_value_at(handle, element, given.data);
        else return static_cast<T>(given.row.value_at(handle, element, given.data));
    }
    template <class T>
    static void values_at(std::uint64_t handle, std::uint32_t first, std::uint32_t count, T* values, void* data) {
        const auto& given = *static_cast<const measure_data*>(data);
        given.row.values_at(handle, first, count, values, given.data);
    }
    static void text_at(std::uint64_t handle, char* text, std::size_t size, void* data) {
        const auto& given = *static_cast<const measure_data*>(data);
        given.row.text_at(handle, text, size, given.data);
    }
    static reply written(std::uint64_t handle, const char* text, void* data) {
        const auto& given = *static_cast<const measure_data*>(data);
        return static_cast<reply>(given.row.on_write(handle, text, given.data));
    }
    static void watched(int change, void* data) {
        const auto& given = *static_cast<const measure_data*>(data);
        given.row.on_watch(change, given.data);
    }
    static std::uint32_t elements_of(std::uint64_t handle, void* data) {
        const auto& given = *static_cast<const measure_data*>(data);
        return given.row.elements(handle, given.data);
    }

    const mpit_performance& row_;
    void* data_;
};

inline result add_row(const dynamic_category& category, const mpit_performance& row, void* object, measure_memory& memory) noexcept {
    return measure_row{row, object}.add_to(category, memory);
}

} // namespace declare
} // namespace mpit
