// SPDX-License-Identifier: BSD-3-Clause
// Composes the report about a setting that a control variable rejects. The report names the accepted values, the
// enumeration item that the user probably meant, and the value that the variable keeps.
//
//   rejection_message{variable, setting}.report(reports, descriptor::apply_result::malformed);
#pragma once

#include <mpit/config/info_value.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/value_text.hpp>
#include <mpit/core/spelling.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

[[gnu::cold]] inline void append_value(descriptor::control& variable, message& output) noexcept {
    if (std::size_t{variable.count} * core::size_of(variable.type) > 512) return output.append("its value");
    char buffer[256];
    text_buffer room{buffer, sizeof buffer};
    if (!use_value(variable, false, [&](const void* present) { format_value(variable, present, room); }))
        return output.append("its value");
    const auto length = static_cast<std::uint32_t>(room.length() < sizeof buffer ? room.length() : sizeof buffer - 1);
    if (variable.type == datatype::char_type) output.append_quoted({buffer, length}, 60);
    else output.append_escaped({buffer, length}, 60);
}

class rejection_message {
public:
    [[gnu::cold]] rejection_message(descriptor::control& variable, const candidate& proposed) noexcept
        : variable_{variable},
          proposed_{proposed},
          hint_{variable, proposed.value},
          value_{proposed.origin == origin::info ? hint_.spelled() : proposed.value} {
        proposed.append(text_);
        text_.append(" ");
    }
    [[gnu::cold]] void report(report_list& reports, descriptor::apply_result reason) noexcept {
        reports.add(complete(reason));
    }
    // Appends the reason of the rejection and returns the message. complete() is called at most once for each message.
    [[gnu::cold]] const message& complete(descriptor::apply_result reason) noexcept {
        switch (reason) {
        case descriptor::apply_result::is_constant: append_constant(); break;
        case descriptor::apply_result::is_bound: append_bound(); break;
        case descriptor::apply_result::storage_not_constructed:
            text_.append(
                "has no effect until the library calls mpit::resolve: the std::string of the control variable");
            append_other_name();
            text_.append(" is not constructed yet");
            break;
        case descriptor::apply_result::rejected_by_library:
            text_.append("is refused by the library's own check");
            append_kept_value({});
            break;
        default:
            text_.append("is not accepted: expected ");
            if (variable_.type == datatype::char_type) append_length();
            else if (variable_.enumeration.count != 0) append_items();
            else append_numbers();
            append_kept_value(core::nearest_item(value_, variable_.enumeration));
        }
        return text_;
    }

private:
    enum class side { none, below, above };

    [[gnu::cold]] void append_constant() noexcept {
        text_.append("has no effect: the control variable");
        append_other_name();
        text_.append(" is constant and keeps ");
        append_value();
    }
    [[gnu::cold]] void append_bound() noexcept {
        static constexpr const char* objects[binding_count] = {
            "process",   "communicator", "datatype", "error handler", "file",        "group",
            "operation", "request",      "window",   "message",       "info object", "session"};
        text_.append("has no effect: the control variable");
        append_other_name();
        static constexpr const char* origins[origin_count] = {
            "", "by a configuration file", "from the environment", "on the command line", "by an info object", ""};
        text_.append(" has a value in each %s and cannot be set %s", objects[static_cast<int>(variable_.binding)],
                     origins[static_cast<int>(proposed_.origin)]);
    }
    [[gnu::cold]] void append_other_name() noexcept {
        if (core::equal(proposed_.name(), variable_.name)) return;
        text_.append(" ");
        text_.append_escaped(variable_.name, 256);
    }

    [[gnu::cold]] void append_length() noexcept {
        text_.append("at most %u bytes, but found %u", variable_.count - 1, value_.length);
    }

    [[gnu::cold]] void append_items() noexcept {
        const core::enumeration_view& view = variable_.enumeration;
        if (view.count != 1) text_.append("one of ");
        const std::uint32_t end = text_.length() + 160;
        for (int i = 0; i < view.count; i++) {
            if (text_.length() > end && i + 1 < view.count) return text_.append(" and %d more", view.count - i);
            text_.append("%s", i == 0 ? "" : ", ");
            text_.append_escaped(view.items[i].name, 40);
        }
    }

    [[gnu::cold]] void append_numbers() noexcept {
        const bool is_floating = variable_.type == datatype::double_type, is_array = variable_.count != 1;
        alignas(8) unsigned char range[2][8]{};
        descriptor::copy_range(variable_, range[0], range[1]);
        const std::uint64_t minimum = core::word_from(variable_.type, range[0]),
                            maximum = core::word_from(variable_.type, range[1]);
        text remaining = value_, wrong_element = value_;
        side outside = side::none;
        std::uint32_t count = 1;
        for (bool is_wrong = false, has_more = true; has_more; count += has_more) {
            text element = value_;
            has_more = is_array && core::split_first(remaining, element);
            if (is_wrong) continue;
            outside = side_of(element, minimum, maximum, is_wrong);
            wrong_element = element;
        }
        if (is_array) text_.append(is_floating ? "%u numbers" : "%u whole numbers", variable_.count);
        else text_.append(is_floating ? "a number" : "a whole number");
        if (variable_.unit == unit::bytes) text_.append(" of bytes");
        // The message names the smallest or largest number of a datatype only if the rejected value is beyond it.
        const bool has_minimum = minimum != lowest_of(variable_.type) || outside == side::below;
        const bool has_maximum = maximum != highest_of(variable_.type) || outside == side::above;
        if ((has_minimum || !is_signed(variable_.type)) && has_maximum) append_ends(" from ", minimum, " to ", maximum);
        else if (has_minimum) append_ends(" not below ", minimum, "");
        else if (has_maximum) append_ends(" not above ", maximum, "");
        if (is_array) append_reason(count, wrong_element);
        else if (variable_.unit == unit::bytes) text_.append(" (with or without a unit, as in 64k, 1M or 2GiB)");
        else if (is_floating && std::memchr(value_.characters, ',', value_.length) != nullptr)
            text_.append(" with a decimal point instead of the comma");
        else if (!is_floating && is_decimal_with_a_leading_zero())
            text_.append(" (a number with a leading 0 is octal)");
    }
    [[gnu::cold]] void append_reason(std::uint32_t count, text wrong_element) noexcept {
        text_.append(", separated by commas, but found ");
        if (count == variable_.count) text_.append_quoted(wrong_element, 40);
        else text_.append(count == 1 ? "%u element" : "%u elements", count);
    }
    [[gnu::cold]] void append_ends(const char* prefix, std::uint64_t first, const char* separator,
                                   std::uint64_t second) noexcept {
        append_ends(prefix, first, separator);
        append_number(second);
    }
    [[gnu::cold]] void append_ends(const char* prefix, std::uint64_t limit, const char* suffix) noexcept {
        text_.append("%s", prefix);
        append_number(limit);
        text_.append("%s", suffix);
    }
    bool is_decimal_with_a_leading_zero() const noexcept {
        const text digits = value_.characters[0] == '-' ? text{value_.characters + 1, value_.length - 1} : value_;
        for (std::uint32_t i = 0; i < digits.length; i++)
            if (digits.characters[i] < '0' || digits.characters[i] > '9') return false;
        return digits.length > 1 && digits.characters[0] == '0';
    }

    // Returns whether a number is below or above the range, or side::none if `element` is in the range or no number.
    template <class Wide>
    [[gnu::cold]] side side_of(text element, Wide minimum, Wide maximum, bool& is_wrong) const noexcept {
        Wide number{};
        const core::reading status = core::read(element, number, variable_.unit);
        is_wrong = status != core::reading::complete || number < minimum || number > maximum;
        if (!is_wrong || status == core::reading::no_number) return side::none;
        return number < minimum || (status == core::reading::out_of_range && number <= minimum) ? side::below
                                                                                                : side::above;
    }
    side side_of(text element, std::uint64_t minimum, std::uint64_t maximum, bool& is_wrong) const noexcept {
        if (variable_.type == datatype::double_type)
            return side_of(element, core::double_of(minimum), core::double_of(maximum), is_wrong);
        using i64 = long long;
        using u64 = unsigned long long;
        return is_signed(variable_.type)
                   ? side_of(element, static_cast<i64>(minimum), static_cast<i64>(maximum), is_wrong)
                   : side_of(element, static_cast<u64>(minimum), static_cast<u64>(maximum), is_wrong);
    }

    [[gnu::cold]] void append_number(std::uint64_t word) noexcept {
        char digits[40];
        text_buffer output{digits, sizeof digits};
        format_number(variable_.type, word, output);
        text_.append("%s", digits);
    }

    [[gnu::cold]] void append_kept_value(text nearest) noexcept {
        if (nearest.length != 0) {
            text_.append("; did you mean ");
            text_.append_escaped(nearest, 60);
        }
        text_.append(nearest.length != 0 ? "? The control variable" : "; the control variable");
        append_other_name();
        text_.append(" keeps ");
        append_value();
    }
    [[gnu::cold]] void append_value() noexcept { registry::append_value(variable_, text_); }

    descriptor::control& variable_;
    const candidate& proposed_;
    const info_value hint_;
    text value_;
    message text_;
};

} // namespace registry
} // namespace mpit
