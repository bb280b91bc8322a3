// SPDX-License-Identifier: BSD-3-Clause
// Control variables that adopt an existing variable of a library, so that a source tree moves one variable at a time.
// The library continues using its own name for it (MPI-5.0, 15.3.6). adopted_text.hpp has those of texts.
//
//   int eager_limit = 65536;
//   mpit::control_ref<int> limit{this, "EAGER_LIMIT", "Largest message sent at once, in bytes", {.storage = &eager_limit}};
#pragma once

#include <mpit/variable/control.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Winvalid-offsetof" // members of a class whose base has members

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// A variable whose value is in storage of the library.
template <class Storage>
constexpr void adopt(descriptor::control& d, const Storage* storage, bool has_default) {
    d.is_in_storage = d.is_adopted = true;
    d.has_one_name = false; // its initial value is kept at load
    d.has_default_value = has_default;
    if (error::is_known_to_be_null(storage)) error::an_adopted_variable_needs_its_storage();
}

// In which an enumeration may be kept besides its own type.
template <class T>
constexpr bool is_whole = __is_same(T, int) || __is_same(T, unsigned) || __is_same(T, long) ||
                          __is_same(T, unsigned long) || __is_same(T, short) || __is_same(T, unsigned short) ||
                          __is_same(T, signed char) || __is_same(T, unsigned char) || __is_same(T, char);

// T, where it can be adopted.
template <class T, class Storage> struct adopted {
    static_assert(
        !core::is_text<T> || core::text_object<T>,
        "a pointer to a text cannot be adopted, because nobody knows who frees it: the text is char[N], std::string, "
        "or mpit::control<char[N]>");
    static_assert(
        core::number<T> || core::enumerated<T> || core::is_text<T>,
        "an adopted variable is int, unsigned, unsigned long, unsigned long long, double, long, mpit::count, "
        "mpit::exact<...>, bool, an enumeration, char[N] or std::string; another number can be mpit::computed");
    static_assert(!core::enumerated<T> || core::is_described<T>,
                  "an adopted enumeration needs a function enumeration_of(E) beside it, or a specialisation of "
                  "mpit::enumeration_of, before it is adopted");
    static_assert(
        __is_same(T, Storage) || (core::enumerated<T> && is_whole<Storage>),
        "an adopted variable has the type of its storage; an enumeration or bool may be kept in a whole number");
    using type = T;
};

// The range in which the value is kept; the value itself is in the storage.
template <class T> struct adopted_range : error::refusable {
    using arithmetic = typename core::bounded<T>::arithmetic;
    arithmetic minimum = core::limits<arithmetic>::lowest;
    arithmetic maximum = core::limits<arithmetic>::highest;

    constexpr adopted_range() noexcept {}
    consteval adopted_range(arithmetic low, arithmetic high) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(low) MPIT_IF_UNKNOWN(high) MPIT_IF(low > high, the_minimum_is_above_the_maximum))
        minimum{low}, maximum{high} {}
};

struct in_the_range {
    constexpr in_the_range() noexcept {}
    template <class Given> constexpr in_the_range(Given) noexcept {
        static_assert(sizeof(Given) == 0, "the range of an adopted variable is .range = {minimum, maximum}");
    }
};
struct in_the_storage {
    constexpr in_the_storage() noexcept {}
    template <class Given> constexpr in_the_storage(Given) noexcept {
        static_assert(sizeof(Given) == 0,
                      "an adopted variable begins with the value of its storage, and has no .initial");
    }
};

// The default that tools see, if it is another one than the value of the storage at load.
template <class T> struct declared_default : error::refusable {
    typename core::value_type<T>::arithmetic value{};
    bool is_there = false;
    constexpr declared_default() noexcept {}
    template <core::numeric<typename core::value_type<T>::arithmetic> Given>
    consteval declared_default(Given given) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(core::is_not_a_number(given))
                     MPIT_IF(!core::fits<typename core::value_type<T>::arithmetic>(given),
                             the_initial_value_does_not_fit_the_type_of_the_variable))
        value{static_cast<typename core::value_type<T>::arithmetic>(given)}, is_there{true} {}
};
template <core::enumerated E> struct declared_default<E> : error::refusable {
    E value{};
    bool is_there = false;
    constexpr declared_default() noexcept {}
    consteval declared_default(E given) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(given)
                     MPIT_IF(!core::enumeration_view_of<E>().has(static_cast<int>(given)),
                             the_default_value_is_not_a_member_of_the_enumeration))
        value{given}, is_there{true} {}
};

} // namespace internal

// Settings of an adopted variable: the address of its `storage`, and the range as {minimum, maximum}. It has no `initial` value
// of its own and no `locate`. Its default, as tools see it, is the value of the storage at load, or `default_value`, which is
// never stored. The others are those of control_settings.
template <class T, class Storage = T> struct adopted_settings {
    internal::unnamed_setting unnamed = internal::no_unnamed_setting; // a value without a name, which is refused
    Storage* storage = nullptr;
    internal::in_the_storage initial{};
    internal::declared_default<T> default_value{};
    internal::adopted_range<T> range{};
    internal::in_the_range minimum{}, maximum{};
    mpit::unit unit{}; // bytes: values from outside may be spelled 64k or 2MiB
    descriptor::declared_environment<false> environment{};
    core::former_name renamed_from{};
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool (*valid)(const T&) = nullptr;
    reply (*on_write)(const T&) = nullptr;
    internal::not_bound locate{};
};

// The same for an enumeration or a bool, which has neither `range`, `minimum`, `maximum` nor `unit`. The storage is one, or a
// whole number that has the values of its items. Its default is as that of a number, perhaps the `default_value`. The others are
// those of control_settings.
template <core::enumerated E, class Storage> struct adopted_settings<E, Storage> {
    internal::unnamed_setting unnamed = internal::no_unnamed_setting; // a value without a name, which is refused
    Storage* storage = nullptr;
    internal::in_the_storage initial{};
    internal::declared_default<E> default_value{};
    internal::of_numbers range{}, minimum{}, maximum{}, unit{};
    descriptor::declared_environment<false> environment{};
    core::former_name renamed_from{};
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool (*valid)(const E&) = nullptr;
    reply (*on_write)(const E&) = nullptr;
    internal::not_bound locate{};
};

namespace MPIT_MODULE_LOCAL internal {

template <class T, class Storage>
constexpr declared_value<T> default_of([[maybe_unused]] const adopted_settings<T, Storage>& settings) {
    if constexpr (core::enumerated<T>) {
        const core::enumeration_view items = core::enumeration_view_of<T>();
        for (int i = 0; i < items.count; i++)
            if (static_cast<int>(static_cast<Storage>(items.items[i].value)) != items.items[i].value)
                error::an_item_of_an_enumeration_does_not_fit_the_storage();
        declared_value<T> declared;
        if (settings.default_value.is_there) declared.value = static_cast<int>(settings.default_value.value);
        return declared;
    } else {
        const bool has_default = settings.default_value.is_there;
        const core::bounded<T> range{has_default ? settings.default_value.value : settings.range.minimum,
                                     settings.range.minimum, settings.range.maximum};
        if (has_default && !range.accepts(range.value)) error::the_default_value_is_outside_the_range();
        return declared_value<T>{range};
    }
}

} // namespace internal

// A control variable whose value is in `storage`, an object of static storage duration. A tool's write is one atomic store,
// with the answers of mpit::control; the library may continue reading its own name, or use get(), which is an atomic load that
// any thread and any signal handler may call.
// control_ref<E, int> and control_ref<bool, int> adopt an int as an enumeration or a bool.
template <class T, class Storage = T>
class control_ref : public internal::declared_control<typename internal::adopted<T, Storage>::type> {
    using base_type = internal::declared_control<T>;

public:
    constexpr control_ref(descriptor::category* in_category, core::declared_name name, core::text description,
                          const adopted_settings<T, Storage>& settings = internal::no_settings<adopted_settings<T, Storage>>)
        : base_type{in_category, name, description, settings},
          declared_{internal::default_of<T, Storage>(settings)},
          storage_{settings.storage} {
        internal::describe_number<T, Storage>(
            *this, {__builtin_offsetof(control_ref, storage_), __builtin_offsetof(control_ref, declared_)}, declared_.has_limits());
        internal::adopt(*this, settings.storage, settings.default_value.is_there);
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr control_ref(descriptor::category* in_category, core::declared_name name, core::text description,
                          const internal::unnamed_setting&, const More&...)
        : control_ref{in_category, name, description} {}
    // The present value, by an atomic load.
    T get() const noexcept {
        if constexpr (__is_same(Storage, bool)) {
            // A runtime's bool may be neither 0 nor 1 before it is initialized.
            return static_cast<T>(__atomic_load_n(reinterpret_cast<const unsigned char*>(storage_), __ATOMIC_RELAXED) != 0);
        } else {
            Storage value;
            __atomic_load(storage_, &value, __ATOMIC_RELAXED);
            return static_cast<T>(value);
        }
    }

private:
    internal::declared_value<T> declared_;
    Storage* storage_;
};

} // namespace mpit

#pragma GCC diagnostic pop
