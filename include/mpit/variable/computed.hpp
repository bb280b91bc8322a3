// SPDX-License-Identifier: BSD-3-Clause
// Computed variables: performance variables whose value is returned by a function, for numbers that a library already
// keeps elsewhere (MPI-5.0, 15.3.7).
//
//   mpit::computed<mpit::performance_class::level, unsigned long> open{this, "open_files", "Files open now",
//                                                                      {.value = [] { return files.size(); }}};
#pragma once

#include <mpit/core/text_value.hpp>
#include <mpit/descriptor/reply.hpp>
#include <mpit/descriptor/required.hpp>
#include <mpit/variable/performance.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// The table of section 15.3.7: which types a class may have that is not in cells. No watermark can be computed, because
// a mark has to see every change.
constexpr bool may_have(performance_class of_class, datatype type, bool is_enumeration = false) {
    using enum performance_class;
    const bool is_real = type == datatype::double_type;
    const bool is_natural = type == datatype::unsigned_type || type == datatype::unsigned_long_type ||
                            type == datatype::unsigned_long_long_type;
    switch (of_class) {
    case generic: return true;
    case state: return is_enumeration;
    case percentage: return is_real;
    case counter: return is_natural;
    case high_watermark:
    case low_watermark: return false;
    default: return is_natural || is_real;
    }
}
template <performance_class Class, class T> constexpr bool may_have() {
    if constexpr (core::enumerated<T>) return may_have(Class, datatype::int_type, true);
    else if constexpr (core::number<T>) return may_have(Class, core::value_type<T>::type);
    return false;
}

// The setting .continuous of a text.
struct always_continuous : error::refusable {
    bool value = true;
    constexpr always_continuous() noexcept {}
    // clang-format off
    consteval always_continuous(bool given) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(given) MPIT_IF(!given, a_text_that_is_computed_must_be_continuous)) value{given} {}
    // clang-format on
};

// The changes of a computed state are not counted, so the state itself stands for them in the upper half.
inline std::uint64_t word_of_item(int item) noexcept {
    return std::uint64_t{static_cast<std::uint32_t>(item)} * 0x1'0000'0001;
}
template <class T> std::uint64_t word_of_value(T value) noexcept {
    if constexpr (core::enumerated<T>) return word_of_item(static_cast<int>(value));
    else return core::word_of(value);
}

} // namespace internal

// A variable of any class but the watermarks. A level or a size is in the unit that its description says, a timer of
// doubles in seconds, a percentage from 0.0 to 1.0. The function may be called from any thread and in signal handlers;
// where it is not safe there, the description must say so.
template <performance_class Class, class T> class computed : public descriptor::performance {
    static_assert(Class != performance_class::high_watermark && Class != performance_class::low_watermark,
                  "a watermark cannot be computed, because it has to see every change of its level");
    static_assert(internal::may_have<Class, T>(),
                  "this class of performance variable cannot have this type; see the table "
                  "in MPI-5.0, 15.3.7");

public:
    using settings = performance_settings<void, void, internal::not_of_this_class, internal::not_of_this_class,
                                          internal::needed_function<T()>>;
    constexpr computed(descriptor::category* in_category, core::declared_name variable_name, core::text words,
                       const settings& given = internal::no_settings<settings>)
        : performance{Class, in_category, variable_name, words}, value_{given.value.function} {
        if (!given.value.is_given) error::a_computed_variable_needs_a_function_for_its_value();
        type = core::datatype_of<value_type>();
        enumeration = core::enumeration_view_of<value_type>();
        operations = &table;
        internal::apply_performance_settings(*this, given);
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr computed(descriptor::category* in_category, core::declared_name variable_name, core::text words,
                       const internal::unnamed_setting&, const More&...)
        : computed{in_category, variable_name, words} {}

private:
    using value_type = typename core::if_possible<T, internal::may_have<Class, T>()>::type;
    T (*value_)();

    static constexpr descriptor::performance_operations table{
        .value_behaviour = internal::behaviour_of(Class, core::enumerated<T>),
        .real = __is_same(T, double),
        .locate = &descriptor::locate_descriptor,
        .sample = [](descriptor::performance& d, void*,
                     std::uint32_t) { return internal::word_of_value(static_cast<computed&>(d).value_()); },
    };
};

// A text of fewer than N characters, of class generic, which is the library's own for every handle: one that is written
// or reset changes it for all of them. A tool writes it through `.on_write`, and only reads it where there is none. The
// functions may be called from any thread and in signal handlers.
template <std::size_t N> class computed<performance_class::generic, char[N]> : public descriptor::performance {
public:
    // `value` fills the text. `on_write` stores the one that a tool writes, "" if it resets the variable, or refuses
    // it: then the tool gets MPI_T_ERR_PVAR_NO_WRITE. The others are those of performance_settings.
    struct settings {
        internal::unnamed_setting unnamed = internal::no_unnamed_setting; // a value without a name, which is refused
        internal::needed_function<void(char (&)[N])> value{};
        reply (*on_write)(const char* text) = nullptr;
        mpit::verbosity verbosity = mpit::verbosity::user_basic;
        internal::flag readonly{};
        internal::always_continuous continuous{};
    };
    constexpr computed(descriptor::category* in_category, core::declared_name variable_name, core::text words,
                       const settings& given = internal::no_settings<settings>)
        : performance{performance_class::generic, in_category, variable_name, words},
          value_{given.value.function},
          on_write_{given.on_write} {
        if (!given.value.is_given) error::a_computed_variable_needs_a_function_for_its_value();
        if (given.readonly.value == internal::flag::no && error::is_known_to_be_null(given.on_write))
            error::a_text_that_is_computed_needs_an_on_write_unless_it_is_readonly();
        type = datatype::char_type;
        count = N;
        operations = &table;
        verbosity = given.verbosity;
        readonly = given.on_write == nullptr || given.readonly.value == internal::flag::yes;
        continuous = true;
        atomic = false;
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr computed(descriptor::category* in_category, core::declared_name variable_name, core::text words,
                       const internal::unnamed_setting&, const More&...)
        : computed{in_category, variable_name, words} {}

private:
    void (*value_)(char (&)[N]);
    reply (*on_write_)(const char* text);

    static constexpr descriptor::performance_operations table{
        .value_behaviour = internal::behaviour::direct,
        .real = false,
        .locate = &descriptor::locate_descriptor,
        .sample = [](descriptor::performance&, void*, std::uint32_t) { return std::uint64_t{}; },
        .read =
            [](descriptor::performance& d, void*, void* buffer) {
        core::fill_text(static_cast<char*>(buffer), N,
                        [&d](char* text) { static_cast<computed&>(d).value_(*reinterpret_cast<char(*)[N]>(text)); });
        return result::success;
    },
        .write =
            [](descriptor::performance& d, void*, const char* text) {
        reply (*const take)(const char*) = static_cast<computed&>(d).on_write_;
        return take != nullptr && take(text) == reply::accepted ? result::success : result::cannot_write;
    },
    };
};

} // namespace mpit
