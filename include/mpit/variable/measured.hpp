// SPDX-License-Identifier: BSD-3-Clause
// The common part of performance variables with cells: the descriptor, the cells, and the operations that handles call.
// Each class of variable adds its name, its types and its settings (MPI-5.0, 15.3.7).
//
//   class sum : public measured<sum_traits<T, Class>, Object> { … };
#pragma once

#include <mpit/core/range.hpp> // IWYU pragma: export
#include <mpit/descriptor/cell_store.hpp>
#include <mpit/variable/cells.hpp> // IWYU pragma: export
#include <mpit/descriptor/required.hpp> // IWYU pragma: export
#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::behaviour;
using descriptor::text;

// A flag whose default follows from other settings.
struct flag {
    enum : std::uint8_t { by_default, no, yes } value = by_default;
    constexpr flag() noexcept {}
    constexpr flag(bool set) noexcept : value{set ? yes : no} {}
};

// `T` or the `T` of an array, and the number of elements.
template <class T> struct shape {
    using element = T;
    static constexpr std::uint32_t count = 1;
    static constexpr bool is_array = false;
};
template <class T, std::size_t N> struct shape<T[N]> {
    using element = T;
    static constexpr std::uint32_t count = N;
    static constexpr bool is_array = true;
};

} // namespace internal

// Settings of the classes that have none of their own.
template <class Cell, class Object> struct performance_settings {
    // A value without a name, which is refused.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // for whom it is
    bool readonly = false;                                   // no tool can write or reset it, in its own session either
    bool continuous = false;                                 // always running: no tool starts or stops it
    internal::flag atomic{};  // can be read and reset in one step; by default whatever is not readonly
    internal::locate_function<Cell, Object> locate{}; // finds the cell of an object, or null
};

namespace MPIT_MODULE_LOCAL internal {

template <class Settings>
constexpr void apply_performance_settings(descriptor::performance& variable, const Settings& chosen) {
    variable.verbosity = chosen.verbosity;
    variable.readonly = chosen.readonly;
    variable.continuous = chosen.continuous;
    variable.atomic = chosen.atomic.value == flag::by_default ? !chosen.readonly : chosen.atomic.value == flag::yes;
    if (variable.readonly && variable.atomic) error::a_performance_variable_cannot_be_both_readonly_and_atomic();
}

// The cells of a variable: one, an array of them, or one for each object.
template <class Cell, class Object, class Shape> class cells_of;

template <class Cell, class Shape> requires(!Shape::is_array) class cells_of<Cell, void, Shape> : public Cell {
public:
    using Cell::operator=;

protected:
    constexpr cells_of(std::uint64_t start, not_bound) noexcept : Cell{start} {}
};

template <class Cell, class Shape> requires(Shape::is_array) class cells_of<Cell, void, Shape> {
public:
    Cell& operator[](std::size_t i) noexcept { return cells_[i]; }
    const Cell& operator[](std::size_t i) const noexcept { return cells_[i]; }

protected:
    constexpr cells_of(std::uint64_t start, not_bound) noexcept {
        for (Cell& cell : cells_) cell.begin_with(start);
    }

private:
    Cell cells_[Shape::count];
};

template <class Cell, class Object, class Shape> class cells_of {
    static_assert(!Shape::is_array, "a variable that is bound to an object has one element");
    using store = cell_store<Cell, Object, std::uint64_t>;

public:
    Cell& operator[](typename store::handle object) noexcept { return store_.cell_of(object); }
    store& cells() noexcept { return store_; }

protected:
    constexpr cells_of(std::uint64_t start, locate_function<Cell, Object> locate) noexcept : store_{start, locate} {}
    Cell* located(object_key key, std::uint32_t& generation) noexcept { return store_.existing(key, generation); }

private:
    store store_;
};

// All sums of the process share these operations: a further kind of variable has no code of its own for them.
// An array of sums is one of cells.
static_assert(sizeof(shard_kept) == sizeof(shard_cell));
inline std::uint64_t sample_sum(descriptor::performance& d, void* cells, std::uint32_t element) {
    return shard_cell::word_of(static_cast<const shard_kept*>(cells)[element].in_shards(), d.operations->real);
}
inline void sample_sums(descriptor::performance& d, void* cells, std::uint32_t first, std::uint32_t count, std::uint64_t* words) {
    shard_cell::words_of(&static_cast<const shard_kept*>(cells)[first].in_shards(), count, d.operations->real, words);
}
// The cells of every variable of the process stand behind its descriptor.
inline void* locate_behind(descriptor::performance& d, object_key, std::uint32_t& generation) noexcept {
    generation = 0;
    return reinterpret_cast<char*>(&d) + sizeof(descriptor::performance);
}
inline void number_sums(descriptor::performance& d, std::uint32_t first) {
    std::uint32_t generation = 0;
    auto* const cells = static_cast<shard_kept*>(locate_behind(d, 0, generation));
    for (std::uint32_t i = 0; i < d.count; i++) cells[i].number(first + i);
}

// `Traits` names the class, the element's type T, the cell, the behaviour, and whether the cell counts in shards.
template <class Traits, class Object>
class measured : public descriptor::performance,
                 public cells_of<typename Traits::cell, Object, typename Traits::shape> {
    using cell = typename Traits::cell;
    using storage = cells_of<cell, Object, typename Traits::shape>;
    using value = typename Traits::shape::element;
    static constexpr bool is_real = __is_same(value, double) && !Traits::counts_nanoseconds;
    static constexpr bool in_shards = Traits::in_shards && __is_same(Object, void);

public:
    template <class Settings>
    constexpr measured(descriptor::category* in_category, core::checked_name called, text meaning,
                       const Settings& chosen, std::uint64_t start)
        : performance{Traits::variable_class, in_category, called, meaning}, storage{start, chosen.locate} {
        // A compiler pays for each assignment of each variable.
        constexpr datatype type_of_value = core::datatype_of<value>();
        type = type_of_value;
        if constexpr (core::enumerated<value>) enumeration = core::enumeration_view_of<value>();
        if constexpr (Traits::shape::is_array) count = Traits::shape::count;
        if constexpr (!__is_same(Object, void)) {
            binding = descriptor::object_traits<Object>::binding;
            announce = announcement_function<measured, Object>();
        }
        operations = &table;
        apply_performance_settings(*this, chosen);
    }
    using storage::operator=;

private:
    static measured& self(descriptor::performance& d) noexcept { return static_cast<measured&>(d); }
    static void* locate(descriptor::performance& d, object_key key, std::uint32_t& generation) {
        generation = 0;
        return self(d).located(key, generation);
    }
    static constexpr auto locate_function() -> void* (*)(descriptor::performance&, object_key, std::uint32_t&) {
        if constexpr (__is_same(Object, void)) {
            static_assert(sizeof(measured) == sizeof(descriptor::performance) + sizeof(storage));
            static_assert(alignof(storage) <= alignof(descriptor::performance));
            return &locate_behind;
        } else {
            return &locate;
        }
    }
    static std::uint64_t sample(descriptor::performance&, void* storage, std::uint32_t element) {
        return static_cast<const cell*>(storage)[element].word();
    }
    static void samples(descriptor::performance&, void* storage, std::uint32_t first, std::uint32_t count, std::uint64_t* words) {
        for (std::uint32_t i = 0; i < count; i++) words[i] = static_cast<const cell*>(storage)[first + i].word();
    }
    static constexpr auto sample_function() -> std::uint64_t (*)(descriptor::performance&, void*, std::uint32_t) {
        if constexpr (Traits::in_shards) {
            static_assert(sizeof(cell) == sizeof(shard_kept));
            return &sample_sum;
        } else {
            return &sample;
        }
    }
    static constexpr bool is_mark = Traits::behaves == behaviour::marking_high || Traits::behaves == behaviour::marking_low;
    // The mark of a watermark is a value of each element.
    static constexpr auto samples_function() -> void (*)(descriptor::performance&, void*, std::uint32_t, std::uint32_t, std::uint64_t*) {
        if constexpr (!Traits::shape::is_array || is_mark) return nullptr;
        else if constexpr (Traits::in_shards) return &sample_sums;
        else return &samples;
    }
    static void* level(descriptor::performance&, void* storage, std::uint32_t element) {
        return &static_cast<cell*>(storage)[element].watched();
    }
    static constexpr auto level_function() -> void* (*)(descriptor::performance&, void*, std::uint32_t) {
        if constexpr (is_mark) return &level;
        else return nullptr;
    }
    static const void* stored(descriptor::performance&, void* storage, std::uint32_t& bytes) {
        bytes = 8;
        return static_cast<const cell*>(storage)->stored();
    }
    static constexpr auto stored_function() -> const void* (*)(descriptor::performance&, void*, std::uint32_t&) {
        if constexpr (requires(const cell& c) { c.stored(); }) return &stored;
        else return nullptr;
    }

    static constexpr descriptor::performance_operations table{
        .value_behaviour = Traits::behaves,
        .real = is_real,
        .words_per_unit = Traits::counts_nanoseconds && __is_same(value, double) ? 1e9 : 0,
        .in_shards = in_shards ? descriptor::shard_use::sum : descriptor::shard_use::none,
        .locate = locate_function(),
        .sample = sample_function(),
        .level = level_function(),
        .number = in_shards ? &number_sums : nullptr,
        .key = key_function<Object>(),
        .read = nullptr,
        .samples = samples_function(),
        .stored = stored_function(),
    };
};

} // namespace internal
} // namespace mpit

#pragma GCC diagnostic pop
