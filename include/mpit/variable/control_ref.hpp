// SPDX-License-Identifier: BSD-3-Clause
// A control_ref adopts an existing object of a library as the storage of a control variable (MPI-5.0, 15.3.6). The
// object is a number, an enumeration, a char[N] or a std::string. The source code of the library continues to use the
// object directly. Thus a library's source code can be ported one variable at a time.
//
//   int eager_limit = 65536;
//   mpit::control_ref<int> limit{this, "EAGER_LIMIT", "Largest eager message, in bytes", {.storage = &eager_limit}};
#pragma once

#include <mpit/core/text_value.hpp>
#include <mpit/variable/control_array.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// Marks a control variable as adopted. An adopted variable has its value in an object of the library.
template <class Storage> constexpr void adopt(descriptor::control& variable, const Storage* storage, bool has_default) {
    variable.is_adopted = true;
    // Makes mpit copy the initial value from the storage at load, even if the environment does not set the variable.
    variable.has_only_its_name = false;
    variable.has_default_value = has_default;
    if (error::is_known_to_be_null(storage)) error::an_adopted_variable_needs_its_storage();
}

// True for the integer types that can store the value of an adopted enumeration or bool.
template <class T>
constexpr bool is_integer = __is_same(T, int) || __is_same(T, unsigned) || __is_same(T, long) ||
                            __is_same(T, unsigned long) || __is_same(T, short) || __is_same(T, unsigned short) ||
                            __is_same(T, signed char) || __is_same(T, unsigned char) || __is_same(T, char);

// Reports a compile error by an assertion if an object of type Storage cannot be adopted as a control variable of type
// T. The members `type` and `storage` are T and Storage.
template <class T, class Storage> struct adopted_value {
    static constexpr bool is_item = core::enumerated<T>, is_text = core::text_object<T>,
                          is_storable = __is_same(T, Storage) || (is_item && is_integer<Storage>);
    static_assert(!core::is_text<T> || is_text, "a pointer to a text cannot be adopted, because its memory has no "
                                                "known owner: use char[N], std::string or mpit::control<char[N]>");
    static_assert(
        core::is_number<T> || is_item || core::is_text<T>,
        "an adopted variable must be int, unsigned, unsigned long, unsigned long long, double, long, mpit::count, "
        "mpit::exact<...>, bool, an enumeration, char[N] or std::string; another number can be mpit::computed");
    static_assert(!is_item || core::is_described<T>,
                  "an adopted enumeration needs a function enumeration_of(E) beside it, or a specialisation of "
                  "mpit::enumeration_of, before it is adopted");
    static_assert(is_storable, "an adopted variable must have the type of its storage; only an enumeration or bool can "
                               "be stored in an integer");
    static constexpr bool is_possible =
        is_storable && (is_text || core::is_number<T> || (is_item && core::is_described<T>));
    using type = typename core::if_possible<T, is_possible>::type;
    using storage = typename core::if_possible<Storage, is_possible>::type;
};

// The type of the setting .range of an adopted number.
template <class T> struct adopted_range : error::refusable {
    using arithmetic = typename core::bounded<T>::arithmetic;
    arithmetic minimum = core::limits<arithmetic>::lowest;
    arithmetic maximum = core::limits<arithmetic>::highest;

    constexpr adopted_range() noexcept {}
    // clang-format off
    consteval adopted_range(arithmetic low, arithmetic high) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(low) MPIT_IF_UNKNOWN(high)
                         MPIT_IF(low > high, the_minimum_is_above_the_maximum)) minimum{low},
        maximum{high} {}
    // clang-format on
};

struct replaced_by_range {
    constexpr replaced_by_range() noexcept {}
    template <class Value> replaced_by_range(Value) noexcept {
        static_assert(sizeof(Value) == 0,
                      "the range of an adopted variable must be written as .range = {minimum, maximum}");
    }
};
struct replaced_by_storage {
    constexpr replaced_by_storage() noexcept {}
    template <class Value> replaced_by_storage(Value) noexcept {
        static_assert(sizeof(Value) == 0,
                      "an adopted variable cannot have .initial, because its storage has the initial value");
    }
};

// The type of the setting .default_value. Tools see this default instead of the value that the storage has at load.
template <class T> struct declared_default : error::refusable {
    using arithmetic = typename core::value_type<T>::arithmetic;
    arithmetic value{};
    bool is_given = false;
    constexpr declared_default() noexcept {}
    // clang-format off
    template <core::numeric<arithmetic> Number>
    consteval declared_default(Number number) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(core::is_not_a_number(number))
                         MPIT_IF(!core::fits<arithmetic>(number),
                                 the_initial_value_does_not_fit_the_type_of_the_variable))
        value{static_cast<arithmetic>(number)}, is_given{true} {}
    // clang-format on
};
template <core::enumerated E> struct declared_default<E> : error::refusable {
    E value{};
    bool is_given = false;
    constexpr declared_default() noexcept {}
    // clang-format off
    consteval declared_default(E item) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(item) MPIT_IF(!core::enumeration_view_of<E>().has(static_cast<int>(item)),
                                                   the_default_value_is_not_a_member_of_the_enumeration))
        value{item}, is_given{true} {}
    // clang-format on
};

} // namespace internal

namespace internal { // default visibility, for the types of settings that authors use

// An adopted variable has no setting `initial`. The default that tools see is the value of the storage at load, or
// `default_value` if that setting is given. `default_value` is never written to the storage.
template <class T, class Storage> struct adopted_traits : control_traits<T> {
    using storage = Storage*;
    using initial = replaced_by_storage;
    using default_value = declared_default<T>;
    using range = adopted_range<T>;
    using limit = replaced_by_range;
    using unit = mpit::unit;
    static constexpr limit lowest{}, highest{};
};
// If the type of an adopted variable is an enumeration or bool, the storage has this type or is an integer.
template <core::enumerated E, class Storage> struct adopted_traits<E, Storage> : control_traits<E> {
    using storage = Storage*;
    using initial = replaced_by_storage;
    using default_value = declared_default<E>;
};

} // namespace internal

namespace MPIT_MODULE_LOCAL internal {

template <class T, class Storage>
constexpr declared_value<T> default_of(const control_settings<adopted_traits<T, Storage>>& settings) {
    if constexpr (core::enumerated<T>) {
        const core::enumeration_view items = core::enumeration_view_of<T>();
        for (int i = 0; i < items.count; i++)
            if (static_cast<int>(static_cast<Storage>(items.items[i].value)) != items.items[i].value)
                error::an_item_of_an_enumeration_does_not_fit_the_storage();
        declared_value<T> declared;
        if (settings.default_value.is_given) declared.value = static_cast<int>(settings.default_value.value);
        return declared;
    } else {
        const bool has_default = settings.default_value.is_given;
        const core::bounded<T> range{has_default ? settings.default_value.value : settings.range.minimum,
                                     settings.range.minimum, settings.range.maximum};
        if (has_default && !range.accepts(range.value)) error::the_default_value_is_outside_the_range();
        return declared_value<T>{range};
    }
}

} // namespace internal

// A control variable whose value is in the object `.storage`, which has static storage duration (MPI-5.0, 15.3.6). A
// tool's write is one atomic store. The units and errors are the same as for mpit::control. The library may continue to
// use the object directly. Any thread and any signal handler may call get(), which is an atomic load. control_ref<E,
// int> and control_ref<bool, int> adopt an int as an enumeration or a bool.
template <class T, class Storage = T>
class control_ref : public internal::declared_control<
                        internal::adopted_traits<typename internal::adopted_value<T, Storage>::type, Storage>> {
    using value_type = typename internal::adopted_value<T, Storage>::type;
    using base_type = internal::declared_control<internal::adopted_traits<value_type, Storage>>;

public:
    constexpr control_ref(
        descriptor::category* parent, core::declared_name name, core::text description,
        const typename base_type::settings& settings = internal::no_settings<typename base_type::settings>)
        : base_type{parent, name, description, settings},
          declared_{internal::default_of<value_type, Storage>(settings)},
          storage_{settings.storage} {
        internal::describe_number<value_type, typename internal::adopted_value<T, Storage>::storage>(
            *this, {__builtin_offsetof(control_ref, storage_), __builtin_offsetof(control_ref, declared_)},
            declared_.has_limits());
        internal::adopt(*this, settings.storage, settings.default_value.is_given);
    }
    // Reports a compile error for a setting that is passed without its name.
    template <class... More>
    constexpr control_ref(descriptor::category* parent, core::declared_name name, core::text description,
                          const internal::unnamed_setting&, const More&...)
        : control_ref{parent, name, description} {}
    // Returns the current value, by an atomic load.
    MPIT_MODULE_LOCAL T get() const noexcept {
        if constexpr (__is_same(Storage, bool)) {
            // The library's bool may be a byte other than 0 and 1 until the library initializes the bool.
            return static_cast<T>(__atomic_load_n(reinterpret_cast<const unsigned char*>(storage_), __ATOMIC_RELAXED) !=
                                  0);
        } else {
            Storage value;
            __atomic_load(storage_, &value, __ATOMIC_RELAXED);
            return static_cast<T>(value);
        }
    }

private:
    internal::declared_value<value_type> declared_;
    Storage* storage_;
};

namespace internal {

template <std::size_t N> struct adopted_traits<char[N], char[N]> : control_traits<characters<N>> {
    using storage = char (*)[N];
    using initial = replaced_by_storage;
    using default_value = initial_text<N>;
};
// The types of the settings of an adopted std::string. No thread may read the string while another thread assigns the
// string. The function `.read` takes a lock of the library and copies the string for a tool. Without `.read`, the
// library may assign the string only while no tool reads the string. The function `.on_write` takes the same lock as
// `.read` and stores the text that a tool writes. Without `.on_write`, tools cannot write the string. A text from the
// environment or a file may be longer than the text that tools see. mpit assigns the complete text to the string, or
// passes the text to `.on_write` if `.on_write` is set and the library is running.
template <core::text_object String> struct adopted_traits<String, String> : control_traits<String> {
    using storage = String*;
    using initial = replaced_by_storage;
    using length = std::uint32_t;
    using read = void (*)(char* buffer, std::size_t room);
    static constexpr length default_length = 255;
    static constexpr mpit::scope default_scope = mpit::scope::readonly;
};

} // namespace internal

// A control variable whose text is in a char[N] of static storage duration (MPI-5.0, 15.3.6). A tool's write changes
// the text byte by byte. A concurrent reader, such as get(), may see parts of the old and the new text, but always sees
// a terminating null. `.on_write` can reject a write by mpit::reply::not_now. Any thread and any signal handler may
// call get(). Writes return the same errors as for mpit::control.
template <std::size_t N>
class control_ref<char[N], char[N]> : public internal::declared_control<internal::adopted_traits<char[N], char[N]>> {
    using base_type = internal::declared_control<internal::adopted_traits<char[N], char[N]>>;

public:
    constexpr control_ref(
        descriptor::category* parent, core::declared_name name, core::text description,
        const typename base_type::settings& settings = internal::no_settings<typename base_type::settings>)
        : base_type{parent, name, description, settings},
          storage_{settings.storage},
          initial_{settings.default_value.value} {
        internal::adopt(*this, settings.storage, settings.default_value.is_given);
        this->type = datatype::char_type;
        this->count = N;
        this->storage_offset = __builtin_offsetof(control_ref, storage_);
        this->initial_offset = __builtin_offsetof(control_ref, initial_);
        this->operations = &descriptor::text_in_memory;
    }
    template <class... More>
    constexpr control_ref(descriptor::category* parent, core::declared_name name, core::text description,
                          const internal::unnamed_setting&, const More&...)
        : control_ref{parent, name, description} {}
    // Returns the current text.
    MPIT_MODULE_LOCAL characters<N> get() const noexcept {
        characters<N> value;
        core::load_text(*storage_, value.values, N);
        return value;
    }

private:
    char (*storage_)[N];
    characters<N> initial_; // text of the storage at load, or .default_value
};

// A control variable whose text is in a std::string of static storage duration (MPI-5.0, 15.3.6). A tool may read and
// write the text in any thread, but not in a signal handler. Without `.on_write`, a tool's write returns
// MPI_T_ERR_CVAR_SET_NEVER.
template <core::text_object String>
class control_ref<String, String> : public internal::declared_control<internal::adopted_traits<String, String>> {
    using base_type = internal::declared_control<internal::adopted_traits<String, String>>;

public:
    constexpr control_ref(
        descriptor::category* parent, core::declared_name name, core::text description,
        const typename base_type::settings& settings = internal::no_settings<typename base_type::settings>)
        : base_type{parent, name, description, settings}, storage_{settings.storage}, read_{settings.read} {
        if (error::is_known_to_be_null(settings.storage)) error::an_adopted_variable_needs_its_storage();
        if (settings.scope > mpit::scope::readonly && error::is_known_to_be_null(settings.on_write))
            error::an_adopted_string_that_tools_may_write_needs_an_on_write_that_stores_it();
        this->type = datatype::char_type;
        this->count = settings.length + 1;
        this->has_only_its_name = false;
        this->accepts_any_length = true;
        this->operations = &string_operations;
    }
    template <class... More>
    constexpr control_ref(descriptor::category* parent, core::declared_name name, core::text description,
                          const internal::unnamed_setting&, const More&...)
        : control_ref{parent, name, description} {}

private:
    using object_key = descriptor::object_key;
    MPIT_MODULE_LOCAL static control_ref& self(descriptor::control& variable) noexcept {
        return static_cast<control_ref&>(variable);
    }

    // Returns false before the dynamic initializer of the string runs, while all bytes of the string are zero.
    MPIT_MODULE_LOCAL bool is_constructed() const noexcept { return storage_->c_str() != nullptr; }
    MPIT_MODULE_LOCAL static result read(descriptor::control& variable, void*, object_key, void* buffer) {
        self(variable).load(static_cast<char*>(buffer));
        return result::success;
    }
    MPIT_MODULE_LOCAL void load(char* buffer) const {
        const std::uint32_t room = this->count;
        if (read_ != nullptr) return core::fill_text(buffer, room, [this, room](char* text) { read_(text, room); });
        std::memset(buffer, 0, room);
        if (!is_constructed()) return;
        const std::size_t length = storage_->size();
        std::memcpy(buffer, storage_->c_str(), length < room ? length : room - 1);
    }
    MPIT_MODULE_LOCAL [[gnu::cold]] static descriptor::apply_result parse(descriptor::control& variable,
                                                                          core::text written, bool is_running) {
        if (!self(variable).is_constructed()) return descriptor::apply_result::storage_not_constructed;
        return descriptor::store_from_outside(variable, written.characters, is_running);
    }
    // Stores a text, or does nothing if the function `.on_write` has already stored the text.
    MPIT_MODULE_LOCAL static result store(descriptor::control& variable, void*, object_key, const void* value,
                                          bool notifies) {
        const auto* const text = static_cast<const char*>(value);
        if (!notifies || !self(variable).has_on_write()) self(variable).storage_->assign(text, std::strlen(text));
        return result::success;
    }
    MPIT_MODULE_LOCAL static constexpr descriptor::control_operations string_operations{
        .read = &read,
        .write = &descriptor::write_text,
        .parse = &parse,
        .store = &store,
        .locate = &descriptor::locate_storage};

    String* storage_;
    void (*read_)(char* buffer, std::size_t room);
};

} // namespace mpit
