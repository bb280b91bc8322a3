// SPDX-License-Identifier: BSD-3-Clause
// Settings of variables that are described at run time. An author's function receives `data`, so that several variables
// can share one function.
//
//   {.initial = 256, .minimum = 1, .scope = mpit::scope::readonly}     {.storage = &limit, .on_write = &may_change}
#pragma once

#include <mpit/variable/control_ref.hpp> // IWYU pragma: export
#include <mpit/variable/performance.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The type of the value that tools see for a variable of type T. A number is seen as T, a bool or enumeration as int.
template <class T> struct seen_number {
    using type = int;
    static constexpr int lowest = core::limits<int>::lowest, highest = core::limits<int>::highest;
};
template <core::number T> struct seen_number<T> {
    using type = typename core::value_type<T>::arithmetic;
    static constexpr type lowest = core::limits<type>::lowest, highest = core::limits<type>::highest;
};

// The type of the setting `default_value`, which is the default that tools see for a variable with storage.
template <class T> struct optional_default {
    T value{};
    bool has_value = false;
    constexpr optional_default() noexcept {}
    constexpr optional_default(T default_value) noexcept : value{default_value}, has_value{true} {}
};

template <class T> constexpr bool is_array_of_numbers = false;
template <core::number T> constexpr bool is_array_of_numbers<T[]> = true;

// Returns the text at `source`, or an empty text if `source` is null, because some libraries pass null for no text.
inline text text_of(const char* source) noexcept { return source == nullptr ? text{} : text{source}; }

} // namespace internal

// Says whether a run-time group copies the names, descriptions, items and other texts of control and performance
// variables. With `copied`, the group copies the texts. `kept` avoids the memory for copies. With `kept`, the library
// must keep the texts unchanged until the end of the process, in a shared object that is never unloaded.
enum class group_texts : std::uint8_t { copied, kept };

// An enumeration with a `name` and `count` items that are known only at run time. The run-time group copies the items.
// A dynamic_items is a plain value, so each thread and each signal handler works on a copy.
//
//   const mpit::enumerator<int> answers[] = {{"no", 0}, {"yes", 1}};   {.initial = 1, .items = {"answer", answers}}
struct dynamic_items {
    const char* name = nullptr;
    const enumerator<int>* items = nullptr;
    int count = 0;

    MPIT_MODULE_LOCAL constexpr dynamic_items() noexcept {}
    MPIT_MODULE_LOCAL constexpr dynamic_items(const char* items_name, const enumerator<int>* first, int size) noexcept
        : name{items_name}, items{first}, count{size} {}
    template <std::size_t N>
    MPIT_MODULE_LOCAL constexpr dynamic_items(const char* items_name, const enumerator<int> (&list)[N]) noexcept
        : dynamic_items{items_name, list, static_cast<int>(N)} {}
};

// Settings of a control variable that is one number, a bool, or an enumeration. Tools see a bool or an enumeration as
// an int with items. The value is in `storage`, or `read` returns the value. If neither `storage` nor `read` is set,
// the variable itself stores the value and starts with `initial`. Values are from `minimum` to `maximum`. `valid`
// returns false for a value that the variable cannot have. `on_write` receives a value that a tool writes, and may
// reject the value. For a variable with `read`, `on_write` also stores the value. All functions receive `data`.
// control_settings explains the remaining settings.
template <class T, class Storage = T> struct dynamic_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    using seen = internal::seen_number<T>;
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    T initial{};
    typename seen::type minimum = seen::lowest;
    typename seen::type maximum = seen::highest;
    mpit::unit unit{}; // with unit::bytes, users may write 64k or 2MiB
    Storage* storage = nullptr;
    internal::optional_default<T> default_value{}; // default that tools see, for a variable with `storage`
    T (*read)(void* data) = nullptr;
    bool (*valid)(const T&, void* data) = nullptr;
    reply (*on_write)(const T&, void* data) = nullptr;
    void* data = nullptr;
    dynamic_items items{};              // items of an int that is an enumeration
    environment_names environment{};    // default: the names of the group's policy, or no name
    const char* renamed_from = nullptr; // former name, which users may still use
    const char* deprecated = nullptr;   // reason and replacement, reported once if a user sets the variable
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
};

// Settings of a control variable that is a text. `storage` has length + 1 bytes. mpit reads and writes `storage` byte
// by byte, so that a concurrent reader may see parts of two texts. With `any_length`, the environment and files may
// contain a text of any length. `on_write` receives the complete text, also before the library runs. Tools see the part
// of the text that fits into `length`. dynamic_settings explains the remaining settings.
template <> struct dynamic_settings<char[], char[]> {
    // For the library's own use. A setting that is written without its name is a compile error.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    const char* initial = "";
    std::uint32_t length = 0; // largest number of bytes; by default 63, 127, 255 and so on, as the initial text needs
    bool any_length = false;  // for a text with `on_write`, and with `storage` or `read`
    char* storage = nullptr;
    const char* default_value = nullptr;
    void (*read)(char* buffer, std::size_t room, void* data) = nullptr;
    bool (*valid)(const char* value, void* data) = nullptr;
    reply (*on_write)(const char* value, void* data) = nullptr;
    void* data = nullptr;
    environment_names environment{};
    const char* renamed_from = nullptr;
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
};

// Settings of a control variable that is an array of at most 512 numbers in `storage`. `count` is the number of
// elements. `minimum`, `maximum` and `unit` apply to each number. A user separates the numbers by commas. An array of
// two numbers may have a colon instead of the comma. dynamic_settings explains the remaining settings.
template <core::number T> struct dynamic_settings<T[], T[]> {
    // For the library's own use. A setting that is written without its name is a compile error.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    T* storage = nullptr;
    std::uint32_t count = 0;
    typename core::value_type<T>::arithmetic minimum = core::limits<typename core::value_type<T>::arithmetic>::lowest;
    typename core::value_type<T>::arithmetic maximum = core::limits<typename core::value_type<T>::arithmetic>::highest;
    mpit::unit unit{};
    reply (*on_write)(const T* values, void* data) = nullptr;
    void* data = nullptr;
    environment_names environment{};
    const char* renamed_from = nullptr;
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
};

// The kind of MPI object to which a variable or event is bound (MPI-5.0, 15.3.2).
struct dynamic_binding {
    mpit::binding kind = mpit::binding::none; // none if not bound to MPI objects
    std::size_t handle_size = sizeof(void*);  // size of the handle of an MPI object, in bytes: 4 or 8
    // Returns the number of elements for the MPI object `handle`, or 0 if the object does not exist.
    std::uint32_t (*elements)(std::uint64_t handle, void* data) = nullptr;
};

namespace MPIT_MODULE_LOCAL internal {

// Returns true if variables and events can be bound to MPI objects of the kind, with handles of `handle_size` bytes.
inline bool is_possible_binding(binding object_kind, std::size_t handle_size) noexcept {
    const auto kind = static_cast<int>(object_kind);
    return kind > static_cast<int>(binding::none) && kind < binding_count && (handle_size == 4 || handle_size == 8);
}

} // namespace internal

// Settings of a control variable that is bound to MPI objects. `locate` returns the address of the first of `count`
// contiguous numbers in the object `handle`, or null if the object does not exist. Any thread and any signal handler
// may call `locate`. `bound` is the kind of MPI object and the size of a handle. The function `elements` of `bound`
// must be null. The environment and files cannot set a bound variable, but tools can. `on_write` receives the object's
// handle and a tool's new values, and may reject the values. dynamic_settings explains the remaining settings.
template <class T, class Storage = T> struct dynamic_bound_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    using seen = internal::seen_number<T>;
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    Storage* (*locate)(std::uint64_t handle, void* data) = nullptr;
    dynamic_binding bound{};
    std::uint32_t count = 1; // number of elements, at most 512; 1 for a bool or an enumeration
    typename seen::type minimum = seen::lowest;
    typename seen::type maximum = seen::highest;
    mpit::unit unit{};
    reply (*on_write)(std::uint64_t handle, const T* values, void* data) = nullptr;
    void* data = nullptr;
    dynamic_items items{};
    environment_names environment{};
    const char* renamed_from = nullptr;
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
};

// Settings of a performance variable without a cell. The variable has `count` values in `storage`, or one of the
// functions `value`, `value_at` and `values` returns its values. `value` is for a variable with one element. `value_at`
// returns one element, or one element of an MPI object if the variable is `bound`. `values` writes `count` elements
// from `first` on, at most 128 in one call, for a library that computes all elements together. All functions receive
// `data`. Any thread and any signal handler may call `value`, `value_at` and `values`. Values are in the unit that the
// description names. A timer of type double is in seconds. `on_watch` receives 1 before a tool's handle starts to run,
// and -1 after the handle was stopped or freed. The sum of all received numbers is the number of running handles.
// `on_watch` runs in threads of tools, also concurrently. For a counter whose elements are the buckets of a histogram,
// `bounds` has the largest value of each bucket, in increasing order up to infinity. Tools see the bounds as a further
// variable, whose name ends with _bounds. `labels` are the labels of the elements, with commas between them, or `label`
// writes the label of one element, at most `room` bytes with the terminating null. Tools see the labels as a further
// variable, whose name ends with _labels. performance_settings explains the remaining settings.
template <class T> struct dynamic_computed_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    T (*value)(void* data) = nullptr;
    T (*value_at)(std::uint64_t handle, std::uint32_t element, void* data) = nullptr;
    void (*values)(std::uint64_t handle, std::uint32_t first, std::uint32_t count, T* values, void* data) = nullptr;
    void* data = nullptr;
    const T* storage = nullptr;
    void (*on_watch)(int change, void* data) = nullptr;
    std::uint32_t count = 1;
    const double* bounds = nullptr;
    const char* labels = nullptr;
    void (*label)(std::uint64_t handle, std::uint32_t element, char* label, std::size_t room, void* data) = nullptr;
    dynamic_binding bound{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
    internal::flag atomic{};
};

// Settings of a performance variable of class generic whose value is a text. All handles share the text. `value` stores
// at most `room` bytes, including the terminating null. Tools see `length` bytes. `on_write` stores a text that a tool
// writes, or the text "" if a tool resets a handle. If `on_write` returns `not_now` or `never`, the tool gets
// MPI_T_ERR_PVAR_NO_WRITE. Without `on_write`, no tool can write the text. If the variable is `bound`, the functions
// receive the handle of the MPI object. `elements` returns 0 if the object does not exist. `data`, `on_watch`,
// `verbosity`, `readonly` and `continuous` are the same as for numbers.
template <> struct dynamic_computed_settings<char[]> {
    // For the library's own use. A setting that is written without its name is a compile error.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    void (*value)(std::uint64_t handle, char* buffer, std::size_t room, void* data) = nullptr;
    reply (*on_write)(std::uint64_t handle, const char* text, void* data) = nullptr;
    void* data = nullptr;
    void (*on_watch)(int change, void* data) = nullptr;
    std::uint32_t length = 255;
    dynamic_binding bound{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
};

namespace MPIT_MODULE_LOCAL internal {

// The type of the setting `items`. Only variables of class state have `items`.
template <class Cell> struct items_of_cell {
    using type = not_of_this_class;
};
template <class E> struct items_of_cell<state_cell<E>> {
    using type = dynamic_items;
};

} // namespace internal

// Settings of a performance variable whose value is in a `cell`. The cell has to exist as long as the run-time group.
// `items` are the items of a state_cell<int>, and the cell's value must be one of the items. performance_settings
// explains the remaining settings.
template <class Cell> struct dynamic_cell_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    Cell* cell = nullptr;
    typename internal::items_of_cell<Cell>::type items{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
    internal::flag atomic{};
};

} // namespace mpit
