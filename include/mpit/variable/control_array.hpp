// SPDX-License-Identifier: BSD-3-Clause
// Control variables whose value is an array of numbers or a text (MPI-5.0, 15.3.6). A tool reads and writes all
// elements in one operation, and no reader sees part of a write.
//
//   mpit::control<int[4]> weights{this, "WEIGHTS", "Weights of the four queues", {.initial = {1, 2, 4, 8}}};
//   mpit::control<char[64]> device{this, "DEVICE", "Name of the network device", {.initial = "eth0"}};
#pragma once

#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/variable/control.hpp>
#include <mpit/variable/describing_control.hpp> // IWYU pragma: export

namespace mpit::inline v1_0 {

// The value of a control variable that is an array of N numbers, `values[0]` to `values[N - 1]`. get() returns a copy
// of the value, and `.valid` and `.on_write` receive a copy. No two threads or signal handlers share a copy.
template <class T, std::size_t N> struct elements {
    T values[N]{};
    MPIT_MODULE_LOCAL constexpr elements() noexcept {}
    template <class... U>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL constexpr elements(U... initial) noexcept
        : values{core::exactly<T>(initial)...} {
        static_assert(sizeof...(U) <= N, "an array has more initial values than elements");
    }
    MPIT_MODULE_LOCAL constexpr const T& operator[](std::size_t i) const& noexcept { return values[i]; }
    MPIT_MODULE_LOCAL constexpr T& operator[](std::size_t i) & noexcept { return values[i]; }
    // Returns a copy of the element, because a reference to an element of a temporary object would dangle.
    MPIT_MODULE_LOCAL constexpr T operator[](std::size_t i) const&& noexcept { return values[i]; }
    MPIT_MODULE_LOCAL constexpr const T* begin() const& noexcept { return values; }
    MPIT_MODULE_LOCAL constexpr const T* end() const& noexcept { return values + N; }
    const T* begin() const&& = delete;
    const T* end() const&& = delete;
};

// The value of a control variable that is a text of fewer than N characters. `values` has the text with its terminating
// null. No two threads or signal handlers share a copy of the value. A copy must exist while its text is used.
//
//   const auto device = variables.device.get();   open(device.c_str());
template <std::size_t N> struct characters {
    char values[N]{};
    MPIT_MODULE_LOCAL constexpr characters() noexcept {}
    MPIT_MODULE_LOCAL constexpr characters(const char* source) noexcept {
        std::size_t length = 0;
        while (source[length] != '\0') length++;
        if (length >= N) error::the_initial_text_does_not_fit_the_array_with_its_terminating_null();
        for (std::size_t i = 0; i < length && i + 1 < N; i++) values[i] = source[i];
    }
    // Returns the text with its terminating null. The result is never a null pointer.
    MPIT_MODULE_LOCAL constexpr const char* c_str() const& noexcept { return values; }
    template <class Unused = void> [[gnu::always_inline]] MPIT_MODULE_LOCAL const char* c_str() const&& noexcept {
        static_assert(!__is_same(Unused, void), "the text of c_str() ends with the statement: store it first, as in "
                                                "const auto text = variable.get(); and text.c_str()");
        return values;
    }
    // Returns the number of characters before the terminating null.
    MPIT_MODULE_LOCAL constexpr std::uint32_t length() const noexcept {
        return static_cast<std::uint32_t>(__builtin_strlen(values));
    }
    MPIT_MODULE_LOCAL constexpr bool operator==(const characters& other) const noexcept {
        return is_equal(other.values);
    }
    MPIT_MODULE_LOCAL constexpr bool operator==(const char* other) const noexcept { return is_equal(other); }

private:
    MPIT_MODULE_LOCAL constexpr bool is_equal(const char* other) const noexcept {
        std::size_t i = 0;
        while (values[i] != '\0' && values[i] == other[i]) i++;
        return values[i] == other[i];
    }
};

namespace MPIT_MODULE_LOCAL internal {

template <std::size_t N, class... Values> constexpr bool are_more_than(Values...) { return sizeof...(Values) > N; }

// The type of the setting .initial of an array. The setting lists the initial values of the elements.
template <class T, std::size_t N> struct initial_elements : error::refusable {
    elements<T, N> value{};
    constexpr initial_elements() noexcept {}
    consteval initial_elements(const elements<T, N>& initial) noexcept : value{initial} {}
    // clang-format off
    template <core::numeric<T>... Numbers>
    consteval initial_elements(Numbers... numbers) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN((core::is_not_a_number(numbers) || ...))
                         MPIT_IF((core::is_not_a_number(numbers) || ...), the_initial_value_is_not_a_number)
                             MPIT_IF(are_more_than<N>(numbers...), an_array_has_more_initial_values_than_elements)
                                 MPIT_IF(!(core::fits<T>(numbers) && ...),
                                         the_initial_value_does_not_fit_the_type_of_the_variable)) value{} {
        // clang-format on
        const T initial[]{static_cast<T>(numbers)...};
        for (std::size_t i = 0; i < sizeof...(Numbers) && i < N; i++) value.values[i] = initial[i];
    }
};

// The type of the setting .initial of a text.
template <std::size_t N> struct initial_text : error::refusable {
    characters<N> value{};
    bool is_given = false;
    constexpr initial_text(decltype(nullptr) = nullptr) noexcept {}
    consteval initial_text(const characters<N>& initial) noexcept : value{initial}, is_given{true} {}
    // clang-format off
    consteval initial_text(const char* initial) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(__builtin_strlen(initial))
                         MPIT_IF(__builtin_strlen(initial) >= N,
                                 the_initial_text_does_not_fit_the_array_with_its_terminating_null)) is_given{true} {
        // clang-format on
        for (std::size_t i = 0; i + 1 < N && initial[i] != '\0'; i++) value.values[i] = initial[i];
    }
};

// A large_cell holds the value of a control variable that is an array or a text, under a sequence lock. A library can
// make a large_cell a member of its own structs.
template <class Value> class large_cell {
    using storage = core::seqlock_value<sizeof(Value)>;
    using words = typename storage::words;

public:
    constexpr explicit large_cell(const Value& initial = {}) noexcept : storage_{words_of(initial)} {}
    Value get() const noexcept {
        Value value;
        storage_.read(&value);
        return value;
    }
    // Returns false if all buffers of the sequence lock stay in use for about a second. The buffers stay in use only if
    // a signal handler interrupts at least three other writes of the value by its thread.
    [[gnu::noinline]] bool set(const Value& value) noexcept { return storage_.write(&value); }
    // Assigns the value without validation and without a call of `.on_write`. Does nothing if set() would return false.
    void operator=(const Value& value) noexcept { static_cast<void>(set(value)); }
    void reset(const Value& initial) noexcept { *this = initial; }
    // The offset of the initial value from the beginning of the cell, in bytes.
    static constexpr std::size_t initial_offset = storage::initial_offset;

private:
    static constexpr words words_of(const Value& value) noexcept {
        words packed;
        if (__builtin_is_constant_evaluated()) {
            struct byte_array {
                unsigned char values[sizeof(Value)];
            };
            const auto bytes = __builtin_bit_cast(byte_array, value);
            for (std::size_t i = 0; i < sizeof(Value); i++)
                packed.values[i / 8] |= static_cast<std::uint64_t>(bytes.values[i]) << (i % 8 * 8);
        } else {
            std::memcpy(packed.values, &value, sizeof value);
        }
        return packed;
    }
    storage storage_;
};

} // namespace internal

namespace internal { // default visibility, for the types of settings that authors use

// The settings `minimum` and `maximum` limit each element of the array.
template <class T, std::size_t N, class Object> struct array_traits : control_traits<elements<T, N>> {
    using initial = initial_elements<T, N>;
    using range = not_of_this_kind;
    using limit = typename core::value_type<T>::arithmetic;
    using unit = mpit::unit;
    using labels = mpit::labels;
    using locate = locate_function<large_cell<elements<T, N>>, Object>;
    using count = count_function<Object>;
    static constexpr limit lowest = core::limits<limit>::lowest, highest = core::limits<limit>::highest;
};
template <std::size_t N, class Object> struct text_traits : control_traits<characters<N>> {
    using initial = initial_text<N>;
    using locate = locate_function<large_cell<characters<N>>, Object>;
};

} // namespace internal

namespace MPIT_MODULE_LOCAL internal {

// The member `type` is T if an array can have elements of type T. A type that no element can have is a compile error.
template <class T> struct array_element {
    static_assert(core::is_number<T>, "the elements of an array must be int, unsigned, unsigned long, unsigned long "
                                      "long, double, long, mpit::count or mpit::exact<...>");
    using type = typename core::if_possible<T, core::number<T>>::type;
};

// The base class of control variables that are arrays or texts. The variable has one value for the process, or one
// value for each MPI object.
template <class Traits, class Object> class large_control : public declared_control<Traits> {
    using Value = typename Traits::value; // NOLINT(readability-identifier-naming): as a parameter of other templates
    using cell = large_cell<Value>;
    using store_type = cell_store<cell, Object, Value>;
    static constexpr bool is_bound = store_type::is_bound;

public:
    // Returns the current value, as an atomic snapshot of all elements.
    Value get() const noexcept
        requires(!is_bound)
    {
        return store_.cell.get();
    }
    // Assigns the value without validation and without a call of `.on_write`.
    void operator=(const Value& value) noexcept
        requires(!is_bound)
    {
        store_.cell = value;
        this->note_assignment();
    }
    template <class Handle>
    cell& operator[](Handle object) noexcept
        requires(is_bound)
    {
        return store_.cell_of(object);
    }
    store_type& cells() noexcept { return store_; }

protected:
    constexpr large_control(descriptor::category* parent, core::checked_name name, text description,
                            const control_settings<Traits>& settings, datatype element_type)
        : declared_control<Traits>{parent, name, description, settings},
          store_{settings.initial.value, settings.locate} {
        constexpr std::size_t offset = __builtin_offsetof(large_control, store_);
        this->type = element_type;
        this->count = static_cast<std::uint32_t>(sizeof(Value) / core::size_of(element_type));
        this->storage_offset = static_cast<std::uint32_t>(offset);
        this->initial_offset = static_cast<std::uint32_t>(offset + cell::initial_offset);
    }

private:
    store_type store_;
};

} // namespace internal

// A control variable of N numbers. The description names the unit of the numbers (MPI-5.0, 15.3.6). `get()` returns an
// atomic snapshot of all elements. Any thread and any signal handler may call `get()` and assign a value. In a signal
// handler that has interrupted at least three other writes of this variable, an assignment waits for about a second and
// then does nothing. A tool's write in a signal handler returns MPI_T_ERR_CVAR_SET_NOT_NOW if it cannot be done. A
// tool's write can also return the errors of a write to a scalar control variable.
template <class T, std::size_t N, class Object>
class control<T[N], Object>
    : public internal::large_control<internal::array_traits<typename internal::array_element<T>::type, N, Object>,
                                     Object> {
    using element = typename internal::array_element<T>::type;
    using base_type = internal::large_control<internal::array_traits<element, N, Object>, Object>;

public:
    constexpr control(
        descriptor::category* parent, core::declared_name name, core::text description,
        const typename base_type::settings& settings = internal::no_settings<typename base_type::settings>)
        : base_type{parent, name, description, settings, core::datatype_of<element>()},
          minimum_{settings.minimum},
          maximum_{settings.maximum},
          count_{settings.count},
          labels_{parent, name.name, N, settings.verbosity, settings.labels} {
        if (settings.minimum > settings.maximum) error::the_minimum_is_above_the_maximum();
        for (const element& initial : settings.initial.value)
            if (initial < settings.minimum || initial > settings.maximum)
                error::the_initial_value_is_outside_the_range();
        this->codec = descriptor::codec_of<element>();
        this->range_offset = __builtin_offsetof(control, minimum_);
        this->has_limits = core::is_limited(minimum_, maximum_);
        this->operations = &descriptor::numbers_in_seqlock<descriptor::parser_of<element>()>;
        if constexpr (!__is_same(Object, void)) internal::bind_to<control, Object>(*this, operations_in_objects);
    }
    // Reports a compile error for a setting that is passed without its name.
    template <class... More>
    constexpr control(descriptor::category* parent, core::declared_name name, core::text description,
                      const internal::unnamed_setting&, const More&...)
        : control{parent, name, description} {}
    using base_type::operator=;

private:
    MPIT_MODULE_LOCAL static std::uint32_t elements_in(descriptor::control& variable, descriptor::object_key key) {
        const auto count = static_cast<control&>(variable).count_;
        const std::uint32_t elements =
            count != nullptr ? count(descriptor::handle_of<typename descriptor::object_traits<Object>::handle>(key))
                             : N;
        return elements < N ? elements : N;
    }
    MPIT_MODULE_LOCAL static constexpr descriptor::control_operations operations_of_objects() {
        auto operations = internal::bound_operations<control, Object>(
            descriptor::numbers_in_seqlock<descriptor::parser_of<element>()>);
        if constexpr (!__is_same(Object, void)) operations.elements = &elements_in;
        return operations;
    }
    MPIT_MODULE_LOCAL static constexpr descriptor::control_operations operations_in_objects = operations_of_objects();

    // `minimum_` and `maximum_` must be adjacent, because descriptor::control::range_offset is the offset of the pair.
    typename core::value_type<element>::arithmetic minimum_, maximum_;
    [[no_unique_address]] internal::count_function<Object> count_;
    internal::element_labels labels_;
};

// A control variable with a text of fewer than N characters (MPI-5.0, 15.3.6). In threads and in signal handlers,
// `get()`, assignments and a tool's writes behave in the same way as for a control variable of N numbers. A tool that
// writes N characters without a null gets MPI_T_ERR_INVALID.
template <std::size_t N, class Object>
class control<char[N], Object> : public internal::large_control<internal::text_traits<N, Object>, Object> {
    using base_type = internal::large_control<internal::text_traits<N, Object>, Object>;

public:
    constexpr control(
        descriptor::category* parent, core::declared_name name, core::text description,
        const typename base_type::settings& settings = internal::no_settings<typename base_type::settings>)
        : base_type{parent, name, description, settings, datatype::char_type} {
        this->operations = &descriptor::text_in_seqlock;
        if constexpr (!__is_same(Object, void)) internal::bind_to<control, Object>(*this, operations_in_objects);
    }
    template <class... More>
    constexpr control(descriptor::category* parent, core::declared_name name, core::text description,
                      const internal::unnamed_setting&, const More&...)
        : control{parent, name, description} {}
    using base_type::operator=;

private:
    MPIT_MODULE_LOCAL static constexpr descriptor::control_operations operations_in_objects =
        internal::bound_operations<control, Object>(descriptor::text_in_seqlock);
};

} // namespace mpit
