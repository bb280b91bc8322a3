// SPDX-License-Identifier: BSD-3-Clause
// The common implementation of performance variables whose values are in cells (MPI-5.0, 15.3.7). This header has the
// settings, the storage of the cells, the operations that handles call, and the C++ class. For each class of the
// standard, a traits struct defines the types of the cell and of the settings.
//
//   template <class E> using state = internal::performance_variable<internal::state_traits<E>, void>;
#pragma once

#include <mpit/core/range.hpp> // IWYU pragma: export
#include <mpit/descriptor/cell_store.hpp>
#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/variable/cells.hpp>               // IWYU pragma: export
#include <mpit/variable/describing_control.hpp>  // IWYU pragma: export
#include <mpit/variable/watched_level.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::behaviour;
using descriptor::text;

// A setting of type bool whose default depends on other settings.
struct flag {
    enum : std::uint8_t { by_default, no, yes } value = by_default;
    constexpr flag() noexcept {}
    constexpr flag(bool set) noexcept : value{set ? yes : no} {}
};

// The element type of `T`, and the number of elements, which is 1 unless `T` is an array.
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

namespace internal { // default visibility, for the types of settings that authors use

// The type of a setting that a class of performance variables does not have. The constructor that refuses a value is
// not constexpr (descriptor/declared_settings.hpp).
struct not_of_this_class {
    constexpr not_of_this_class() noexcept {}
    template <class Value> not_of_this_class(Value) noexcept {
        static_assert(sizeof(Value) == 0, "performance variables of this class do not have this setting");
    }
};

} // namespace internal

// The settings of a performance variable. A setting `value`, `of`, `initial` or `locate` that the class of the variable
// does not have is a compile error.
template <class Cell, class Object, class Initial = internal::not_of_this_class,
          class Level = internal::not_of_this_class, class Function = internal::not_of_this_class,
          class Labels = internal::not_of_this_class>
struct performance_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    Function value{};  // returns the value of a computed variable
    Level of{};        // level variable that a watermark records, by default a level in the watermark
    Initial initial{}; // starting value, not for sums and computed variables
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // audience and level of detail
    bool readonly = false;                            // true if no tool can write or reset the value in a session
    bool continuous = false;                          // true if always running, so that no tool can stop the variable
    internal::flag atomic{};                          // whether read-and-reset is supported, by default if not readonly
    Labels labels{};                                  // labels of the elements of an array
    internal::locate_function<Cell, Object> locate{}; // returns the cell of an object for a bound variable, or null
};

namespace MPIT_MODULE_LOCAL internal {

// The base class of the traits of each class of performance variables. `T` is the type of the value, or an array type.
template <performance_class Class, class T> struct performance_traits {
    using shape = internal::shape<T>;
    using element = typename shape::element;
    using description = text;
    using initial = not_of_this_class;
    template <class Object> using level_setting = not_of_this_class;
    static constexpr performance_class variable_class = Class;
};

template <class Settings>
constexpr void apply_performance_settings(descriptor::performance& variable, const Settings& settings) {
    variable.verbosity = settings.verbosity;
    variable.readonly = settings.readonly;
    variable.continuous = settings.continuous;
    variable.atomic =
        settings.atomic.value == flag::by_default ? !settings.readonly : settings.atomic.value == flag::yes;
    if (variable.readonly && variable.atomic) error::a_performance_variable_cannot_be_both_readonly_and_atomic();
}

// The cells of a performance variable, which are one cell, an array of cells, or one cell for each MPI object.
template <class Cell, class Object, class Shape> class cells_of;

template <class Cell, class Shape>
    requires(!Shape::is_array)
class cells_of<Cell, void, Shape> : public Cell {
public:
    using Cell::operator=;

protected:
    constexpr cells_of(std::uint64_t start, not_bound) noexcept : Cell{start} {}
};

template <class Cell, class Shape>
    requires(Shape::is_array)
class cells_of<Cell, void, Shape> {
public:
    Cell& operator[](std::size_t i) noexcept { return cells_[i]; }
    const Cell& operator[](std::size_t i) const noexcept { return cells_[i]; }

protected:
    constexpr cells_of(std::uint64_t start, not_bound) noexcept {
        for (Cell& cell : cells_) cell.initialize(start);
    }

private:
    Cell cells_[Shape::count];
};

template <class Cell, class Object, class Shape> class cells_of {
    static_assert(!Shape::is_array, "a variable that is bound to MPI objects cannot be an array");
    using store = cell_store<Cell, Object, std::uint64_t>;

public:
    Cell& operator[](typename store::handle object) noexcept { return store_.cell_of(object); }
    store& cells() noexcept { return store_; }

protected:
    constexpr cells_of(std::uint64_t start, locate_function<Cell, Object> locate) noexcept : store_{start, locate} {}

private:
    store store_;
};

// Returns true for the classes of performance variables whose values are sums over the shards of all threads.
constexpr bool is_sum(performance_class variable_class) {
    return variable_class == performance_class::counter || variable_class == performance_class::aggregate ||
           variable_class == performance_class::timer;
}
// Returns how a handle derives its value from the value of the performance variable.
constexpr behaviour behaviour_of(performance_class variable_class, bool is_enumeration = false) {
    switch (variable_class) {
    case performance_class::level:
    case performance_class::size:
    case performance_class::percentage: return behaviour::following;
    case performance_class::high_watermark: return behaviour::marking_high;
    case performance_class::low_watermark: return behaviour::marking_low;
    case performance_class::state: return behaviour::choosing;
    default: return is_enumeration ? behaviour::choosing : behaviour::accumulating;
    }
}

// In memory, the cells of a declared variable follow the variable's descriptor. If the variable is described at run
// time, only the address of the cell follows the descriptor.
inline void* locate_cells(descriptor::performance& variable, object_key, std::uint32_t& generation) noexcept {
    generation = 0;
    return reinterpret_cast<char*>(&variable) + sizeof(descriptor::performance);
}
inline void* locate_cell_by_address(descriptor::performance& variable, object_key key,
                                    std::uint32_t& generation) noexcept {
    return *static_cast<void**>(locate_cells(variable, key, generation));
}

// The operations on cells. The layout of a cell depends on the variable's `behaviour` and on the use of shards, but not
// on the type of the values. has_layout checks the sizes of the cells.
inline std::uint64_t sample_sum(descriptor::performance& variable, void* cells, std::uint32_t element) {
    return core::shard_cell::word_of(static_cast<const sharded_sum*>(cells)[element].in_shards(),
                                     variable.operations->real);
}
static_assert(sizeof(sharded_sum) == sizeof(core::shard_cell)); // words_of() iterates over an array of sharded_sum
inline void sample_sums(descriptor::performance& variable, void* cells, std::uint32_t first, std::uint32_t count,
                        std::uint64_t* words) {
    core::shard_cell::words_of(&static_cast<const sharded_sum*>(cells)[first].in_shards(), count,
                               variable.operations->real, words);
}
inline void assign_sum_cells(descriptor::performance& variable, std::uint32_t first) {
    std::uint32_t generation = 0;
    auto* const cells = static_cast<sharded_sum*>(variable.operations->locate(variable, 0, generation));
    for (std::uint32_t i = 0; i < variable.count; i++) cells[i].assign_cell(first + i);
}
template <class Cell> std::uint64_t sample_cell(descriptor::performance&, void* cells, std::uint32_t element) {
    return static_cast<const Cell*>(cells)[element].word();
}
template <class Cell>
void sample_cells(descriptor::performance&, void* cells, std::uint32_t first, std::uint32_t count,
                  std::uint64_t* words) {
    for (std::uint32_t i = 0; i < count; i++) words[i] = static_cast<const Cell*>(cells)[first + i].word();
}
template <class Cell> const void* stored_word(descriptor::performance&, void* cell, std::uint32_t& bytes) {
    bytes = 8;
    return static_cast<const Cell*>(cell)->stored();
}
inline void* level_itself(descriptor::performance&, void* level, std::uint32_t) { return level; }
inline void* level_of_watermark(descriptor::performance&, void* cells, std::uint32_t element) {
    return &static_cast<watermark_cell<unsigned long long>*>(cells)[element].watched();
}

// The properties of a performance variable that select its table of operations. Variables with different types of
// values can share a table, so that a library needs only a few tables.
struct cell_form {
    behaviour kind;
    bool is_in_shards = false, is_real = false, is_in_seconds = false, is_array = false, is_indirect = false;
};
// Operations access all cells with one `behaviour` as this type of cell, because all have the same layout.
template <behaviour Behaviour> struct representative_cell {
    using type = watermark_cell<unsigned long long>;
};
template <> struct representative_cell<behaviour::accumulating> {
    using type = generic_cell<unsigned long long>;
};
template <> struct representative_cell<behaviour::following> {
    using type = level_cell<unsigned long long>;
};
template <> struct representative_cell<behaviour::choosing> {
    using type = state_cell<int>;
};

template <class Cell, cell_form Form>
constexpr bool has_layout =
    sizeof(Cell) == (Form.is_in_shards ? sizeof(sharded_sum) : sizeof(typename representative_cell<Form.kind>::type));

template <cell_form Form> constexpr descriptor::performance_operations operations_of_cells() {
    constexpr bool is_watermark = Form.kind == behaviour::marking_high || Form.kind == behaviour::marking_low;
    descriptor::performance_operations operations{};
    operations.value_behaviour = Form.kind;
    operations.real = Form.is_real;
    operations.words_per_unit = Form.is_in_seconds ? 1e9 : 0;
    operations.locate = Form.is_indirect ? &locate_cell_by_address : &locate_cells;
    if constexpr (Form.is_in_shards) {
        operations.is_in_shards = true;
        operations.sample = &sample_sum;
        operations.assign_cells = &assign_sum_cells;
        if constexpr (Form.is_array) operations.samples = &sample_sums;
    } else {
        using cell = typename representative_cell<Form.kind>::type;
        operations.sample = &sample_cell<cell>;
        if constexpr (requires(const cell& c) { c.stored(); }) operations.stored = &stored_word<cell>;
        if constexpr (is_watermark) operations.level = Form.is_indirect ? &level_itself : &level_of_watermark;
        else if constexpr (Form.is_array)
            operations.samples = &sample_cells<cell>; // not for watermarks, whose values differ between handles
    }
    return operations;
}
template <cell_form Form>
inline constexpr descriptor::performance_operations cell_operations = operations_of_cells<Form>();

// Returns the operations of a variable that is bound to MPI objects. The sums of bound variables are not in shards.
template <cell_form Form, class Variable, class Object>
constexpr descriptor::performance_operations operations_of_objects() {
    descriptor::performance_operations operations = operations_of_cells<Form>();
    operations.is_in_shards = false;
    operations.assign_cells = nullptr;
    operations.locate = &locate_in_cells<Variable, descriptor::performance>;
    operations.key = key_function<Object>();
    return operations;
}
template <cell_form Form, class Variable, class Object>
inline constexpr descriptor::performance_operations object_operations = operations_of_objects<Form, Variable, Object>();

} // namespace internal

namespace internal { // default visibility, because authors have members of this type

template <class Traits, class Object>
class performance_variable : public descriptor::performance,
                             public cells_of<typename Traits::cell, Object, typename Traits::shape>,
                             labels_of_array<Traits::shape::is_array> {
    using cell = typename Traits::cell;
    using shape = typename Traits::shape;
    using value = typename shape::element;
    using storage = cells_of<cell, Object, shape>;
    static constexpr bool is_bound = !__is_same(Object, void),
                          is_timer = Traits::variable_class == performance_class::timer;
    MPIT_MODULE_LOCAL static constexpr cell_form form{
        behaviour_of(Traits::variable_class), is_sum(Traits::variable_class), __is_same(value, double) && !is_timer,
        __is_same(value, double) && is_timer, shape::is_array};

public:
    static_assert(has_layout<cell, form>);
    using settings = performance_settings<cell, Object, typename Traits::initial,
                                          typename Traits::template level_setting<Object>, not_of_this_class,
                                          typename core::if_possible<labels, shape::is_array, not_of_this_class>::type>;
    constexpr performance_variable(descriptor::category* parent, core::declared_name variable_name,
                                   const typename Traits::description& variable_description,
                                   const settings& options = no_settings<settings>)
        : performance{Traits::variable_class, parent, variable_name, variable_description},
          storage{initial_word(options), options.locate},
          labels_of_array<shape::is_array>{parent, variable_name.name, shape::count, options.verbosity,
                                           options.labels} {
        // A constant saves the compiler a call of datatype_of() for each variable.
        constexpr datatype value_datatype = core::datatype_of<value>();
        type = value_datatype;
        if constexpr (core::enumerated<value>) enumeration = core::enumeration_view_of<value>();
        if constexpr (shape::is_array) count = shape::count;
        if constexpr (is_bound) {
            binding = descriptor::object_traits<Object>::binding;
            announce = announcement_function<performance_variable, Object>();
            operations = &object_operations<form, performance_variable, Object>;
        } else {
            static_assert(sizeof(performance_variable) == sizeof(descriptor::performance) + sizeof(storage) +
                                                              (shape::is_array ? sizeof(element_labels) : 0) &&
                          alignof(storage) <= alignof(descriptor::performance));
            operations = &cell_operations<form>;
        }
        if constexpr (requires { options.initial.check_default(); }) options.initial.check_default();
        if constexpr (requires { this->watch_level(options.of.level); }) this->watch_level(options.of.level);
        if constexpr (Traits::variable_class == performance_class::generic) this->starting_word = initial_word(options);
        apply_performance_settings(*this, options);
    }
    // Reports a compile error for a setting that is passed without its name.
    template <class... More>
    constexpr performance_variable(descriptor::category* parent, core::declared_name variable_name,
                                   const typename Traits::description& variable_description, const unnamed_setting&,
                                   const More&...)
        : performance_variable{parent, variable_name, variable_description} {}
    using storage::operator=;

private:
    static constexpr std::uint64_t initial_word(const settings& options) {
        if constexpr (requires { options.initial.value; }) return core::word_of(options.initial.value);
        else return 0;
    }
};

} // namespace internal
} // namespace mpit
