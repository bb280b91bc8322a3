// SPDX-License-Identifier: BSD-3-Clause
// Control variables of several values: arrays of numbers, and texts. A tool reads and writes such a value whole; no
// reader sees half of a write (MPI-5.0, 15.3.6).
//
//   mpit::control<int[4]> weights{this, "WEIGHTS", "Weights of the four queues", {.initial = {1, 2, 4, 8}}};
//   mpit::control<char[64]> device{this, "DEVICE", "Name of the network device", {.initial = "eth0"}};
#pragma once

#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/variable/control.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// The elements of an array variable, `values[0]` to `values[N - 1]`, as its author and his functions see them. A plain value: a
// thread or a signal handler works on its own copy.
template <class T, std::size_t N> struct elements {
    T values[N]{};
    MPIT_MODULE_LOCAL constexpr elements() noexcept {}
    template <class... U>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL constexpr elements(U... initial) noexcept
        : values{core::exactly<T>(initial)...} {
        static_assert(sizeof...(U) <= N, "more values than the array has elements");
    }
    MPIT_MODULE_LOCAL constexpr const T& operator[](std::size_t i) const& noexcept { return values[i]; }
    MPIT_MODULE_LOCAL constexpr T& operator[](std::size_t i) & noexcept { return values[i]; }
    MPIT_MODULE_LOCAL constexpr T operator[](std::size_t i) const&& noexcept {
        return values[i];
    } // a temporary ends before a reference does
    MPIT_MODULE_LOCAL constexpr const T* begin() const& noexcept { return values; }
    MPIT_MODULE_LOCAL constexpr const T* end() const& noexcept { return values + N; }
    const T* begin() const&& = delete;
    const T* end() const&& = delete;
};

// A text of fewer than N characters, with its null, in `values`. It is a value of its own, which no other thread or signal handler
// changes: keep it as long as its characters are used.
//
//   const auto device = variables.device.get();   open(device.c_str());
template <std::size_t N> struct characters {
    char values[N]{};
    MPIT_MODULE_LOCAL constexpr characters() noexcept {}
    MPIT_MODULE_LOCAL constexpr characters(const char* source) noexcept {
        std::size_t length = 0;
        while (source[length] != '\0') length++;
        if (length >= N) error::the_initial_text_does_not_fit_with_its_terminating_null();
        for (std::size_t i = 0; i < length && i + 1 < N; i++) values[i] = source[i];
    }
    // The characters, with a null behind them; never null.
    MPIT_MODULE_LOCAL constexpr const char* c_str() const& noexcept { return values; }
    template <class Nothing = void> [[gnu::always_inline]] MPIT_MODULE_LOCAL const char* c_str() const&& noexcept {
        static_assert(!__is_same(Nothing, void), "c_str() of a text that ends with the statement: keep it first, as in "
                                                 "const auto text = variable.get(); and text.c_str()");
        return values;
    }
    // Characters before the null.
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

template <std::size_t N, class... Given> constexpr bool are_more_than(Given...) { return sizeof...(Given) > N; }

// The initial values of an array, as an author writes them.
template <class T, std::size_t N> struct initial_elements : error::refusable {
    elements<T, N> value{};
    constexpr initial_elements() noexcept {}
    consteval initial_elements(const elements<T, N>& given) noexcept : value{given} {}
    template <core::numeric<T>... Given>
    consteval initial_elements(Given... given) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN((core::is_not_a_number(given) || ...))
                     MPIT_IF((core::is_not_a_number(given) || ...), the_initial_value_is_not_a_number)
                     MPIT_IF(are_more_than<N>(given...), more_values_than_the_array_has_elements)
                     MPIT_IF(!(core::fits<T>(given) && ...), the_initial_value_does_not_fit_the_type_of_the_variable))
        value{} {
        const T all[]{static_cast<T>(given)...};
        for (std::size_t i = 0; i < sizeof...(Given) && i < N; i++) value.values[i] = all[i];
    }
};

// The initial text of a variable, as an author writes it.
template <std::size_t N> struct initial_text : error::refusable {
    characters<N> value{};
    bool is_given = false;
    constexpr initial_text(decltype(nullptr) = nullptr) noexcept {}
    consteval initial_text(const characters<N>& given) noexcept : value{given}, is_given{true} {}
    consteval initial_text(const char* given) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(__builtin_strlen(given))
                     MPIT_IF(__builtin_strlen(given) >= N, the_initial_text_does_not_fit_with_its_terminating_null))
        is_given{true} {
        for (std::size_t i = 0; i + 1 < N && given[i] != '\0'; i++) value.values[i] = given[i];
    }
};

} // namespace internal

// Settings of an array variable: the range, from `minimum` to `maximum`, holds for each element. The others are those of
// control_settings.
template <class T, std::size_t N, class Cell, class Object> struct array_settings {
    using arithmetic = typename core::value_type<T>::arithmetic;
    internal::unnamed_setting unnamed = internal::no_unnamed_setting; // a value without a name, which is refused
    internal::initial_elements<T, N> initial{};
    arithmetic minimum = core::limits<arithmetic>::lowest;
    arithmetic maximum = core::limits<arithmetic>::highest;
    mpit::unit unit{}; // bytes: values from outside may be spelled 64k or 2MiB
    descriptor::declared_environment<false> environment{};
    core::former_name renamed_from{};
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool (*valid)(const elements<T, N>&) = nullptr;
    reply (*on_write)(const elements<T, N>&) = nullptr;
    internal::locate_function<Cell, Object> locate{};
    internal::count_function<Object> count{}; // how many elements an object has, at most N
};

// Settings of a text variable: those of control_settings. A tool that writes one without a null among its N characters gets
// MPI_T_ERR_INVALID.
template <std::size_t N, class Cell, class Object> struct text_settings {
    internal::unnamed_setting unnamed = internal::no_unnamed_setting; // a value without a name, which is refused
    internal::initial_text<N> initial{};
    descriptor::declared_environment<false> environment{};
    core::former_name renamed_from{};
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool (*valid)(const characters<N>&) = nullptr;
    reply (*on_write)(const characters<N>&) = nullptr;
    internal::locate_function<Cell, Object> locate{};
};

namespace MPIT_MODULE_LOCAL internal {

// Takes and gives an array of numbers.
template <class T, std::size_t N, class Cell, class Object> struct array_form {
    using value = elements<T, N>;
    using settings = array_settings<T, N, Cell, Object>;
    static constexpr datatype type = core::datatype_of<T>();
    core::bounded<T> range;
    count_function<Object> count;

    constexpr explicit array_form(const settings& chosen) : range{}, count{chosen.count} {
        range.minimum = chosen.minimum;
        range.maximum = chosen.maximum;
        if (range.minimum > range.maximum) error::the_minimum_is_above_the_maximum();
        for (const T& element : chosen.initial.value)
            if (element < range.minimum || element > range.maximum) error::the_initial_value_is_outside_the_range();
    }
    std::uint32_t elements_of(object_key key) const noexcept {
        if constexpr (!__is_same(Object, void)) {
            using handle = typename descriptor::object_traits<Object>::handle;
            if (count != nullptr) {
                const std::uint32_t wanted = count(descriptor::handle_of<handle>(key));
                return wanted < N ? wanted : N;
            }
        }
        return N;
    }
    bool take(const void* buffer, object_key key, value& target) const noexcept {
        const std::uint32_t setting = elements_of(key);
        std::memcpy(static_cast<void*>(target.values), buffer, setting * sizeof(T));
        for (std::uint32_t i = 0; i < setting; i++)
            if (!range.accepts(target[i])) return false;
        return true;
    }
    void put(const value& source, object_key key, void* buffer) const noexcept {
        std::memcpy(buffer, source.values, elements_of(key) * sizeof(T));
    }
    // Values from outside are separated by commas; all of them must be there.
    bool parse(text written, mpit::unit value_unit, value& target) const noexcept {
        for (std::size_t i = 0; i < N; i++) {
            text element;
            const bool more = core::take_element(written, element);
            typename core::value_type<T>::arithmetic number{};
            if (more != (i + 1 < N) || !core::parse(element, number, value_unit) || !range.accepts(number))
                return false;
            target[i] = number;
        }
        return true;
    }
};

// Writes and reads a text. Characters after its null are ignored, and read as nulls.
template <std::size_t N, class Cell, class Object> struct text_form {
    using value = characters<N>;
    using settings = text_settings<N, Cell, Object>;
    static constexpr datatype type = datatype::char_type;

    constexpr explicit text_form(const settings&) {}
    static std::uint32_t elements_of(object_key) noexcept { return N; }
    static bool take(const void* buffer, object_key, value& target) noexcept {
        const std::size_t length = strnlen(static_cast<const char*>(buffer), N);
        if (length == N) return false;
        std::memcpy(target.values, buffer, length);
        return true;
    }
    static void put(const value& source, object_key, void* buffer) noexcept { std::memcpy(buffer, source.values, N); }
    static bool parse(text written, mpit::unit, value& target) noexcept {
        return written.length < N && take(written.characters, 0, target);
    }
};

// Keeps a value of several words; a runtime can embed one in its own objects.
template <class Value> class large_cell {
    using storage = core::seqlock_value<sizeof(Value)>;
    using words = typename storage::words;

public:
    constexpr explicit large_cell(const Value& initial = {}) noexcept : kept_{to_words(initial)} {}
    Value get() const noexcept {
        words read;
        kept_.read(read);
        Value value;
        std::memcpy(static_cast<void*>(&value), read.values, sizeof value);
        return value;
    }
    // What it was declared with; it stays where it is.
    Value initial() const noexcept {
        Value value;
        std::memcpy(static_cast<void*>(&value), kept_.initial().values, sizeof value);
        return value;
    }
    // False after about a second without room, which only a signal handler that has interrupted four others of the same thread sees.
    [[gnu::noinline]] bool set(const Value& value) noexcept { return kept_.write(to_words(value)); }
    // Assigns without validation; on_write is not called. Fails as set() does.
    void operator=(const Value& value) noexcept { static_cast<void>(set(value)); }
    void reset(const Value& start) noexcept { *this = start; }

private:
    static constexpr words to_words(const Value& value) noexcept {
        words made{};
        if (__builtin_is_constant_evaluated()) {
            struct bytes {
                unsigned char values[sizeof(Value)];
            };
            const auto all = __builtin_bit_cast(bytes, value);
            for (std::size_t i = 0; i < sizeof(Value); i++)
                made.values[i / 8] |= static_cast<std::uint64_t>(all.values[i]) << (i % 8 * 8);
        } else {
            std::memcpy(made.values, &value, sizeof value);
        }
        return made;
    }
    storage kept_;
};

// A control variable of several values, of the process or of each MPI object.
template <class Form, class Object> class large_control : public descriptor::control {
    using value = typename Form::value;
    using cell = large_cell<value>;
    using store = cell_store<cell, Object, value>;

public:
    using settings = typename Form::settings;

    constexpr large_control(descriptor::category* in_category, core::checked_name called, text meaning,
                            const settings& chosen)
        : descriptor::control{in_category, called, meaning},
          form_{chosen},
          functions_{chosen.valid, chosen.on_write},
          store_{chosen.initial.value, chosen.locate} {
        type = Form::type;
        count = static_cast<std::uint32_t>(sizeof(value) / core::size_of(type));
        binding = descriptor::object_traits<Object>::binding;
        operations = &table;
        announce = announcement_function<large_control, Object>();
        apply_control_settings(*this, *in_category, chosen);
    }
    // The present value, whole.
    value get() const noexcept requires(!store::is_bound) { return store_.cell.get(); }
    // Assigns without validation; on_write is not called.
    void operator=(const value& v) noexcept requires(!store::is_bound) {
        store_.cell = v;
        note_assignment();
    }
    template <class Handle> cell& operator[](Handle object) noexcept requires(store::is_bound) {
        return store_.cell_of(object);
    }

    store& cells() noexcept { return store_; }

private:
    static large_control& self(descriptor::control& d) noexcept { return static_cast<large_control&>(d); }

    static result read(descriptor::control& d, void* storage, object_key key, void* buffer) {
        self(d).form_.put(static_cast<cell*>(storage)->get(), key, buffer);
        return result::success;
    }
    static result write(descriptor::control& d, void* storage, object_key key, const void* buffer) {
        value wanted{};
        if (!self(d).form_.take(buffer, key, wanted)) return result::invalid;
        const result answer = self(d).functions_.ask(wanted, true);
        if (answer != result::success) return answer;
        return static_cast<cell*>(storage)->set(wanted) ? result::success : result::cannot_set_now;
    }
    [[gnu::cold]] static descriptor::apply_result parse(descriptor::control& d, text written, bool is_running) {
        if constexpr (store::is_bound) {
            return descriptor::apply_result::is_bound;
        } else {
            value wanted{};
            if (!self(d).form_.parse(written, d.unit, wanted)) return descriptor::apply_result::no_value;
            if (self(d).functions_.ask(wanted, is_running) != result::success) return descriptor::apply_result::refused;
            self(d).store_.cell = wanted;
            return descriptor::apply_result::taken;
        }
    }
    static void put_range(descriptor::control& d, void* low, void* high) { self(d).form_.range.put_ends(low, high); }
    static void put_initial(descriptor::control& d, void* buffer) {
        self(d).form_.put(self(d).store_.cell.initial(), 0, buffer);
    }
    static constexpr auto range_function() -> void (*)(descriptor::control&, void*, void*) {
        if constexpr (store::is_bound || Form::type == datatype::char_type) return nullptr;
        else return &put_range;
    }
    static constexpr auto initial_function() -> void (*)(descriptor::control&, void*) {
        if constexpr (store::is_bound) return nullptr;
        else return &put_initial;
    }
    static void* locate(descriptor::control& d, object_key key, std::uint32_t& generation) {
        return self(d).store_.existing(key, generation);
    }
    static constexpr descriptor::control_operations table{
        .read = &read,
        .write = &write,
        .parse = &parse,
        .locate = &locate,
        .elements = [](descriptor::control& d, object_key key) { return self(d).form_.elements_of(key); },
        .key = key_function<Object>(),
        .range = range_function(),
        .initial = initial_function(),
    };

    [[no_unique_address]] Form form_;
    control_functions<value> functions_;
    store store_;
};

template <class T, std::size_t N, class Object>
using array_control = large_control<array_form<T, N, large_cell<elements<T, N>>, Object>, Object>;
template <std::size_t N, class Object>
using text_control = large_control<text_form<N, large_cell<characters<N>>, Object>, Object>;

} // namespace internal

// An array of N numbers. `get()` returns all elements as of one moment; any thread and any signal handler may call it and
// assign. An assignment in a signal handler that has interrupted four others of this variable is given up after a second; a
// tool that writes gets MPI_T_ERR_CVAR_SET_NOT_NOW there.
template <class T, std::size_t N, class Object>
class control<T[N], Object> : public internal::array_control<typename core::held_in_array<T>::type, N, Object> {
    using base_type = internal::array_control<T, N, Object>;

public:
    constexpr control(descriptor::category* in_category, core::declared_name called, core::text meaning,
                      const typename base_type::settings& chosen = internal::no_settings<typename base_type::settings>)
        : base_type{in_category, called, meaning, chosen} {}
    // Refuses a setting without its name.
    template <class... More>
    constexpr control(descriptor::category* in_category, core::declared_name called, core::text meaning,
                      const internal::unnamed_setting&, const More&...)
        : control{in_category, called, meaning} {}
    using base_type::operator=;
};

// A text of fewer than N characters. `get()`, assignments and writes are those of an array, for threads and signal handlers
// too.
template <std::size_t N, class Object> class control<char[N], Object> : public internal::text_control<N, Object> {
    using base_type = internal::text_control<N, Object>;

public:
    constexpr control(descriptor::category* in_category, core::declared_name called, core::text meaning,
                      const typename base_type::settings& chosen = internal::no_settings<typename base_type::settings>)
        : base_type{in_category, called, meaning, chosen} {}
    // Refuses a setting without its name.
    template <class... More>
    constexpr control(descriptor::category* in_category, core::declared_name called, core::text meaning,
                      const internal::unnamed_setting&, const More&...)
        : control{in_category, called, meaning} {}
    using base_type::operator=;
};

} // namespace mpit

#pragma GCC diagnostic pop
