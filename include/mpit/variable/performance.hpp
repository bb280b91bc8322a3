// SPDX-License-Identifier: BSD-3-Clause
// The common part of all performance variables with cells: settings, cells, the operations that handles call, and the
// C++ class. The traits of each class of the standard give its cell and what is special about its settings (MPI-5.0,
// 15.3.7).
//
//   template <class E> using state = internal::performance_variable<internal::state_traits<E>, void>;
#pragma once

#include <mpit/core/range.hpp> // IWYU pragma: export
#include <mpit/descriptor/cell_store.hpp>
#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/variable/cells.hpp>               // IWYU pragma: export
#include <mpit/variable/watched_level.hpp>

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

namespace internal { // settings that an author keeps have such types as arguments

// Stands where the class of a variable does not have a setting.
struct not_of_this_class {
    constexpr not_of_this_class() noexcept {}
    template <class Given> constexpr not_of_this_class(Given) noexcept {
        static_assert(sizeof(Given) == 0, "performance variables of this class do not have this setting");
    }
};

} // namespace internal

// Settings of a performance variable. `value`, `of`, `initial` and `locate` are refused where its class does not have
// them.
template <class Cell, class Object, class Initial = internal::not_of_this_class,
          class Marked = internal::not_of_this_class, class Function = internal::not_of_this_class>
struct performance_settings {
    // A value without a name, which is refused.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    Function value{};  // of a computed variable: the function that returns its value
    Marked of{};       // of a watermark: the level that is marked; its own one if nothing is said
    Initial initial{}; // of all but sums and computed variables
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // for whom it is
    bool readonly = false;                                   // no tool can write or reset it, in its own session either
    bool continuous = false;                                 // always running: no tool starts or stops it
    internal::flag atomic{}; // can be read and reset in one step; by default whatever is not readonly
    internal::locate_function<Cell, Object> locate{}; // finds the cell of an object, or null
};

namespace MPIT_MODULE_LOCAL internal {

// What the traits of a class begin with, for values of `T` or an array of them.
template <performance_class Class, class T> struct performance_traits {
    using shape = internal::shape<T>;
    using element = typename shape::element;
    using description = text;
    using initial = not_of_this_class;
    template <class Object> using marked = not_of_this_class;
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

// The cells of a variable: one, an array of them, or one for each object.
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

private:
    store store_;
};

// Whether a class adds up what threads count, each in cells of its own.
constexpr bool is_sum(performance_class of_class) {
    return of_class == performance_class::counter || of_class == performance_class::aggregate ||
           of_class == performance_class::timer;
}
// How handles turn what the library counts into their values.
constexpr behaviour behaviour_of(performance_class of_class, bool is_enumeration = false) {
    switch (of_class) {
    case performance_class::level:
    case performance_class::size:
    case performance_class::percentage: return behaviour::following;
    case performance_class::high_watermark: return behaviour::marking_high;
    case performance_class::low_watermark: return behaviour::marking_low;
    default:
        return is_enumeration || of_class == performance_class::state ? behaviour::choosing : behaviour::accumulating;
    }
}

// Behind the descriptor of a declared variable are its cells, behind that of a variable that is described at run time
// is the address of its cell.
inline void* locate_behind(descriptor::performance& d, object_key, std::uint32_t& generation) noexcept {
    generation = 0;
    return reinterpret_cast<char*>(&d) + sizeof(descriptor::performance);
}
inline void* locate_elsewhere(descriptor::performance& d, object_key key, std::uint32_t& generation) noexcept {
    return *static_cast<void**>(locate_behind(d, key, generation));
}

// Functions of cells. The cells of all sums have one layout, and so have the cells of each other behaviour, for values
// of any type: has_layout checks it.
inline std::uint64_t sample_sum(descriptor::performance& d, void* cells, std::uint32_t element) {
    return core::shard_cell::word_of(static_cast<const shard_kept*>(cells)[element].in_shards(), d.operations->real);
}
static_assert(sizeof(shard_kept) == sizeof(core::shard_cell)); // an array of sums is one of cells
inline void sample_sums(descriptor::performance& d, void* cells, std::uint32_t first, std::uint32_t count,
                        std::uint64_t* words) {
    core::shard_cell::words_of(&static_cast<const shard_kept*>(cells)[first].in_shards(), count, d.operations->real,
                               words);
}
inline void number_sums(descriptor::performance& d, std::uint32_t first) {
    std::uint32_t generation = 0;
    auto* const cells = static_cast<shard_kept*>(d.operations->locate(d, 0, generation));
    for (std::uint32_t i = 0; i < d.count; i++) cells[i].number(first + i);
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

// What the operations of a variable with cells depend on. The type of its values is no part of it, so that all
// variables of a library share a few tables.
struct cell_form {
    behaviour behaves;
    bool is_in_shards = false, is_real = false, is_in_seconds = false, is_array = false, is_elsewhere = false;
};
template <behaviour Behaves> struct any_cell {
    using type = watermark_cell<unsigned long long>;
};
template <> struct any_cell<behaviour::accumulating> {
    using type = generic_cell<unsigned long long>;
};
template <> struct any_cell<behaviour::following> {
    using type = level_cell<unsigned long long>;
};
template <> struct any_cell<behaviour::choosing> {
    using type = state_cell<int>;
};

template <class Cell, cell_form Form>
constexpr bool has_layout =
    sizeof(Cell) == (Form.is_in_shards ? sizeof(shard_kept) : sizeof(typename any_cell<Form.behaves>::type));

template <cell_form Form> constexpr descriptor::performance_operations operations_of_cells() {
    constexpr bool is_watermark = Form.behaves == behaviour::marking_high || Form.behaves == behaviour::marking_low;
    descriptor::performance_operations own{};
    own.value_behaviour = Form.behaves;
    own.real = Form.is_real;
    own.words_per_unit = Form.is_in_seconds ? 1e9 : 0;
    own.locate = Form.is_elsewhere ? &locate_elsewhere : &locate_behind;
    if constexpr (Form.is_in_shards) {
        own.is_in_shards = true;
        own.sample = &sample_sum;
        own.number = &number_sums;
        if constexpr (Form.is_array) own.samples = &sample_sums;
    } else {
        using cell = typename any_cell<Form.behaves>::type;
        own.sample = &sample_cell<cell>;
        if constexpr (requires(const cell& c) { c.stored(); }) own.stored = &stored_word<cell>;
        if constexpr (is_watermark) own.level = Form.is_elsewhere ? &level_itself : &level_of_watermark;
        else if constexpr (Form.is_array)
            own.samples = &sample_cells<cell>; // the mark of a watermark is a value of each element
    }
    return own;
}
template <cell_form Form>
inline constexpr descriptor::performance_operations cell_operations = operations_of_cells<Form>();

// The operations of a variable of MPI objects, whose sums are in no shards.
template <cell_form Form, class Variable, class Object>
constexpr descriptor::performance_operations operations_of_objects() {
    descriptor::performance_operations own = operations_of_cells<Form>();
    own.is_in_shards = false;
    own.number = nullptr;
    own.locate = &locate_in_cells<Variable, descriptor::performance>;
    own.key = key_function<Object>();
    return own;
}
template <cell_form Form, class Variable, class Object>
inline constexpr descriptor::performance_operations object_operations = operations_of_objects<Form, Variable, Object>();

} // namespace internal

namespace internal { // an author has members of this type

template <class Traits, class Object>
class performance_variable : public descriptor::performance,
                             public cells_of<typename Traits::cell, Object, typename Traits::shape> {
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
    using settings =
        performance_settings<cell, Object, typename Traits::initial, typename Traits::template marked<Object>>;
    constexpr performance_variable(descriptor::category* in_category, core::declared_name variable_name,
                                   const typename Traits::description& words,
                                   const settings& given = no_settings<settings>)
        : performance{Traits::variable_class, in_category, variable_name, words},
          storage{start_of(given), given.locate} {
        // A compiler pays for each assignment of each variable.
        constexpr datatype type_of_value = core::datatype_of<value>();
        type = type_of_value;
        if constexpr (core::enumerated<value>) enumeration = core::enumeration_view_of<value>();
        if constexpr (shape::is_array) count = shape::count;
        if constexpr (is_bound) {
            binding = descriptor::object_traits<Object>::binding;
            announce = announcement_function<performance_variable, Object>();
            operations = &object_operations<form, performance_variable, Object>;
        } else {
            static_assert(sizeof(performance_variable) == sizeof(descriptor::performance) + sizeof(storage) &&
                          alignof(storage) <= alignof(descriptor::performance));
            operations = &cell_operations<form>;
        }
        if constexpr (requires { given.initial.check_default(); }) given.initial.check_default();
        if constexpr (requires { this->mark(given.of.level); }) this->mark(given.of.level);
        if constexpr (Traits::variable_class == performance_class::generic) this->starting_word = start_of(given);
        apply_performance_settings(*this, given);
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr performance_variable(descriptor::category* in_category, core::declared_name variable_name,
                                   const typename Traits::description& words, const unnamed_setting&, const More&...)
        : performance_variable{in_category, variable_name, words} {}
    using storage::operator=;

private:
    static constexpr std::uint64_t start_of(const settings& given) {
        if constexpr (requires { given.initial.value; }) return core::word_of(given.initial.value);
        else return 0;
    }
};

} // namespace internal
} // namespace mpit
