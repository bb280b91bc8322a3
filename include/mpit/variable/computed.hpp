// SPDX-License-Identifier: BSD-3-Clause
// A computed variable is a performance variable without a cell. The setting `.value` is a function of the library that
// returns the value. Computed variables suit numbers that a library already has in its own data (MPI-5.0, 15.3.7).
//
//   mpit::computed<mpit::performance_class::level, unsigned long> open{this, "open_files", "Files open now",
//                                                                      {.value = [] { return files.size(); }}};
#pragma once

#include <mpit/core/text_value.hpp>
#include <mpit/descriptor/reply.hpp>
#include <mpit/descriptor/required.hpp>
#include <mpit/variable/performance.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// Returns true if a computed variable of the class `variable_class` can have values of the type `type` (MPI-5.0,
// 15.3.7). A watermark cannot be computed, because a watermark must record every change of a level.
constexpr bool is_type_of_class(performance_class variable_class, datatype type, bool is_enumeration = false) {
    using enum performance_class;
    const bool is_real = type == datatype::double_type;
    const bool is_natural = type == datatype::unsigned_type || type == datatype::unsigned_long_type ||
                            type == datatype::unsigned_long_long_type;
    switch (variable_class) {
    case generic: return true;
    case state: return is_enumeration;
    case percentage: return is_real;
    case counter: return is_natural;
    case high_watermark:
    case low_watermark: return false;
    default: return is_natural || is_real;
    }
}
template <performance_class Class, class T> constexpr bool is_type_of_class() {
    if constexpr (core::enumerated<T>) return is_type_of_class(Class, datatype::int_type, true);
    else if constexpr (core::number<T>) return is_type_of_class(Class, core::value_type<T>::type);
    return false;
}

// The type of the setting .continuous of a computed text. A setting `.continuous = false` is a compile error.
struct always_continuous : error::refusable {
    bool value = true;
    constexpr always_continuous() noexcept {}
    // clang-format off
    consteval always_continuous(bool flag) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(flag) MPIT_IF(!flag, a_computed_text_must_be_continuous)) value{flag} {}
    // clang-format on
};

// Returns the 64-bit word of a computed state, with the state in both halves. The upper half of a state_cell counts
// changes. The changes of a computed state cannot be counted, so the state itself is in the upper half.
inline std::uint64_t state_word(int item) noexcept {
    return std::uint64_t{static_cast<std::uint32_t>(item)} * 0x1'0000'0001;
}
template <class T> std::uint64_t word_of_value(T value) noexcept {
    if constexpr (core::enumerated<T>) return state_word(static_cast<int>(value));
    else return core::word_of(value);
}

} // namespace internal

// A performance variable of any class except the watermarks. The function `.value` returns the variable's value. The
// description names the unit of a level or a size. A timer of doubles is in seconds, and a percentage is from 0.0 to
// 1.0. A handle on a sum, or on a generic variable without an enumeration, reads the change of the value since the
// handle was started or reset. A current value, such as a ratio, is of class level. mpit may call `.value` in any
// thread and in signal handlers. If `.value` is not async-signal-safe, the description must say so (MPI-5.0, 15.3.7).
template <performance_class Class, class T> class computed : public descriptor::performance {
    static_assert(Class != performance_class::high_watermark && Class != performance_class::low_watermark,
                  "a watermark cannot be computed, because it must record every change of its level");
    static_assert(internal::is_type_of_class<Class, T>(),
                  "this class of performance variable cannot have this type: see the table in MPI-5.0, 15.3.7");

public:
    using settings = performance_settings<void, void, internal::not_of_this_class, internal::not_of_this_class,
                                          internal::required_function<T()>>;
    constexpr computed(descriptor::category* parent, core::declared_name variable_name, core::text variable_description,
                       const settings& options = internal::no_settings<settings>)
        : performance{Class, parent, variable_name, variable_description}, value_{options.value.function} {
        if (!options.value.is_given) error::a_computed_variable_needs_a_function_for_its_value();
        type = core::datatype_of<value_type>();
        enumeration = core::enumeration_view_of<value_type>();
        operations = &table;
        internal::apply_performance_settings(*this, options);
    }
    // Reports a compile error for a setting that is passed without its name.
    template <class... More>
    constexpr computed(descriptor::category* parent, core::declared_name variable_name, core::text variable_description,
                       const internal::unnamed_setting&, const More&...)
        : computed{parent, variable_name, variable_description} {}

private:
    using value_type = typename core::if_possible<T, internal::is_type_of_class<Class, T>()>::type;
    T (*value_)();

    static constexpr descriptor::performance_operations table{
        .value_behaviour = internal::behaviour_of(Class, core::enumerated<T>),
        .real = __is_same(T, double),
        .locate = &descriptor::locate_descriptor,
        .sample = [](descriptor::performance& variable, void*,
                     std::uint32_t) { return internal::word_of_value(static_cast<computed&>(variable).value_()); },
    };
};

// A performance variable of class generic that is a text of fewer than N characters (MPI-5.0, 15.3.7). The function
// `.value` stores the text in an array. All handles share the library's text, so a write or a reset of one handle
// changes the text for all handles. The function `.on_write` stores a text that a tool writes. Without `.on_write`,
// tools can only read the text. mpit may call `.value` and `.on_write` in any thread and in signal handlers.
template <std::size_t N> class computed<performance_class::generic, char[N]> : public descriptor::performance {
public:
    // `value` stores the current text in the array. `on_write` stores the text that a tool writes, or the text "" if a
    // tool resets a handle. If `on_write` returns a reply other than `accepted`, the tool gets MPI_T_ERR_PVAR_NO_WRITE.
    // The members after `on_write` are described at performance_settings.
    struct settings {
        // For the library's own use. A setting that is written without its name is a compile error.
        internal::unnamed_setting unnamed = internal::no_unnamed_setting;

        internal::required_function<void(char (&)[N])> value{};
        reply (*on_write)(const char* text) = nullptr;
        mpit::verbosity verbosity = mpit::verbosity::user_basic;
        internal::flag readonly{};
        internal::always_continuous continuous{};
    };
    constexpr computed(descriptor::category* parent, core::declared_name variable_name, core::text variable_description,
                       const settings& options = internal::no_settings<settings>)
        : performance{performance_class::generic, parent, variable_name, variable_description},
          value_{options.value.function},
          on_write_{options.on_write} {
        if (!options.value.is_given) error::a_computed_variable_needs_a_function_for_its_value();
        if (options.readonly.value == internal::flag::no && error::is_known_to_be_null(options.on_write))
            error::a_computed_text_needs_an_on_write_unless_it_is_readonly();
        type = datatype::char_type;
        count = N;
        operations = &table;
        verbosity = options.verbosity;
        readonly = options.on_write == nullptr || options.readonly.value == internal::flag::yes;
        continuous = true;
        atomic = false;
    }
    template <class... More>
    constexpr computed(descriptor::category* parent, core::declared_name variable_name, core::text variable_description,
                       const internal::unnamed_setting&, const More&...)
        : computed{parent, variable_name, variable_description} {}

private:
    void (*value_)(char (&)[N]);
    reply (*on_write_)(const char* text);

    static constexpr descriptor::performance_operations table{
        .value_behaviour = internal::behaviour::direct,
        .real = false,
        .locate = &descriptor::locate_descriptor,
        .sample = [](descriptor::performance&, void*, std::uint32_t) { return std::uint64_t{}; },
        .read =
            [](descriptor::performance& variable, void*, void* buffer) {
        const auto value = static_cast<computed&>(variable).value_;
        core::fill_text(static_cast<char*>(buffer), N,
                        [value](char* text) { value(*reinterpret_cast<char(*)[N]>(text)); });
        return result::success;
    },
        .write =
            [](descriptor::performance& variable, void*, const char* text) {
        reply (*const on_write)(const char*) = static_cast<computed&>(variable).on_write_;
        return on_write != nullptr && on_write(text) == reply::accepted ? result::success : result::cannot_write;
    },
    };
};

} // namespace mpit
