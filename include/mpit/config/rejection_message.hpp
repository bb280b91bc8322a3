// SPDX-License-Identifier: BSD-3-Clause
// The message about a setting that a control variable rejects: what it accepts, which name was probably meant, and what
// it keeps.
//
//   rejection_message{variable, setting}.report(reports, descriptor::apply_result::no_value);
#pragma once

#include <mpit/config/info_value.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/value_text.hpp>
#include <mpit/core/spelling.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

[[gnu::cold]] inline void append_value(descriptor::control& variable, message& output) noexcept {
    if (std::size_t{variable.count} * core::size_of(variable.type) > 512) return output.append("its value");
    char value[256];
    text_room room{value, sizeof value};
    if (!use_value(variable, false, [&](const void* present) { write_value(variable, present, room); }))
        return output.append("its value");
    const auto length = static_cast<std::uint32_t>(room.length() < sizeof value ? room.length() : sizeof value - 1);
    if (variable.type == datatype::char_type) output.append_quoted({value, length}, 60);
    else output.append_escaped({value, length}, 60);
}

class rejection_message {
public:
    [[gnu::cold]] rejection_message(descriptor::control& variable, const candidate& proposed) noexcept
        : variable_{variable},
          proposed_{proposed},
          hint_{variable, proposed.value},
          value_{proposed.source == origin::info ? hint_.spelled() : proposed.value} {
        proposed.append(said_);
        said_.append(" ");
    }
    [[gnu::cold]] void report(report_list& reports, descriptor::apply_result why) noexcept {
        reports.add(written(why));
    }
    // To be called once.
    [[gnu::cold]] const message& written(descriptor::apply_result why) noexcept {
        switch (why) {
        case descriptor::apply_result::is_constant: append_constant(); break;
        case descriptor::apply_result::is_bound: append_bound(); break;
        case descriptor::apply_result::is_too_early:
            said_.append("comes before the std::string of the control variable");
            append_other_name();
            said_.append(" is made, and has no effect until its library calls mpit::resolve");
            break;
        case descriptor::apply_result::refused:
            said_.append("is refused by the library's own check");
            append_kept_value({});
            break;
        default:
            if (variable_.type == datatype::char_type) append_length();
            else if (variable_.enumeration.count != 0) append_items();
            else append_numbers();
            append_kept_value(core::nearest_item(value_, variable_.enumeration));
        }
        return said_;
    }

private:
    enum class side { none, below, above };

    [[gnu::cold]] void append_constant() noexcept {
        said_.append("has no effect: the control variable");
        append_other_name();
        said_.append(" is constant and keeps ");
        append_value();
    }
    [[gnu::cold]] void append_bound() noexcept {
        static constexpr const char* objects[binding_count] = {
            "process",   "communicator", "datatype", "error handler", "file",        "group",
            "operation", "request",      "window",   "message",       "info object", "session"};
        said_.append("has no effect: the control variable");
        append_other_name();
        static constexpr const char* sources[origin_count] = {
            "", "by a configuration file", "from the environment", "on the command line", "by an info object", ""};
        said_.append(" belongs to each %s and cannot be set %s", objects[static_cast<int>(variable_.binding)],
                     sources[static_cast<int>(proposed_.source)]);
    }
    [[gnu::cold]] void append_other_name() noexcept {
        if (core::equal(proposed_.name(), variable_.name)) return;
        said_.append(" ");
        said_.append_escaped(variable_.name, 256);
    }

    [[gnu::cold]] void append_length() noexcept {
        said_.append("has %u bytes, and at most %u bytes are accepted", value_.length, variable_.count - 1);
    }

    [[gnu::cold]] void append_items() noexcept {
        const core::enumeration_view& all = variable_.enumeration;
        said_.append(all.count == 1 ? "is not " : "is none of ");
        const std::uint32_t end = said_.length() + 160;
        for (int i = 0; i < all.count; i++) {
            if (said_.length() > end && i + 1 < all.count) return said_.append(" and %d more", all.count - i);
            said_.append("%s", i == 0 ? "" : ", ");
            said_.append_escaped(all.items[i].name, 40);
        }
    }

    [[gnu::cold]] void append_numbers() noexcept {
        const bool is_real = variable_.type == datatype::double_type, are_many = variable_.count != 1;
        alignas(8) unsigned char ends[2][8]{};
        descriptor::put_range(variable_, ends[0], ends[1]);
        const std::uint64_t minimum = core::word_from(variable_.type, ends[0]),
                            maximum = core::word_from(variable_.type, ends[1]);
        text rest = value_, wrong = value_;
        side outside = side::none;
        std::uint32_t setting = 1;
        for (bool is_found = false, more = true; more; setting += more) {
            text element = value_;
            more = are_many && core::take_element(rest, element);
            if (is_found) continue;
            outside = side_of(element, minimum, maximum, is_found);
            wrong = element;
        }
        if (are_many) said_.append("is not %u %s", variable_.count, is_real ? "numbers" : "whole numbers");
        else said_.append("is no %s", is_real ? "number" : "whole number");
        if (variable_.unit == unit::bytes) said_.append(" of bytes");
        // A limit of the type is told only if the value is beyond it.
        const bool has_minimum = minimum != lowest_of(variable_.type) || outside == side::below;
        const bool has_maximum = maximum != highest_of(variable_.type) || outside == side::above;
        if ((has_minimum || !is_signed(variable_.type)) && has_maximum) append_ends(" from ", minimum, " to ", maximum);
        else if (has_minimum) append_ends(" of ", minimum, " or more");
        else if (has_maximum) append_ends(" of ", maximum, " or less");
        if (are_many) append_reason(setting, wrong);
        else if (variable_.unit == unit::bytes) said_.append(" (64k, 1M and 2GiB are such)");
        else if (is_real && std::memchr(value_.characters, ',', value_.length) != nullptr)
            said_.append(" with a decimal point");
        else if (!is_real && is_decimal_with_a_leading_zero()) said_.append(" (a leading 0 makes it octal)");
    }
    [[gnu::cold]] void append_reason(std::uint32_t setting, text wrong) noexcept {
        said_.append(", separated by commas");
        if (setting != variable_.count) return said_.append(" (there %s %u)", setting == 1 ? "is" : "are", setting);
        said_.append(" (");
        said_.append_quoted(wrong, 40);
        said_.append(" is none)");
    }
    [[gnu::cold]] void append_ends(const char* prefix, std::uint64_t first, const char* separator,
                                   std::uint64_t second) noexcept {
        append_ends(prefix, first, separator);
        append_number(second);
    }
    [[gnu::cold]] void append_ends(const char* prefix, std::uint64_t end, const char* suffix) noexcept {
        said_.append("%s", prefix);
        append_number(end);
        said_.append("%s", suffix);
    }
    bool is_decimal_with_a_leading_zero() const noexcept {
        const text all = value_.characters[0] == '-' ? text{value_.characters + 1, value_.length - 1} : value_;
        for (std::uint32_t i = 0; i < all.length; i++)
            if (all.characters[i] < '0' || all.characters[i] > '9') return false;
        return all.length > 1 && all.characters[0] == '0';
    }

    // On which side of the range a number is. One that is inside is not wrong, and what is not a number is on no side.
    template <class Wide>
    [[gnu::cold]] side side_of(text element, Wide minimum, Wide maximum, bool& is_wrong) const noexcept {
        Wide number{};
        const core::reading found = core::read(element, number, variable_.unit);
        is_wrong = found != core::reading::complete || number < minimum || number > maximum;
        if (!is_wrong || found == core::reading::no_number) return side::none;
        return number < minimum || (found == core::reading::out_of_range && number <= minimum) ? side::below
                                                                                               : side::above;
    }
    side side_of(text element, std::uint64_t minimum, std::uint64_t maximum, bool& is_wrong) const noexcept {
        if (variable_.type == datatype::double_type)
            return side_of(element, core::double_of(minimum), core::double_of(maximum), is_wrong);
        using whole = long long;
        using natural = unsigned long long;
        return is_signed(variable_.type)
                   ? side_of(element, static_cast<whole>(minimum), static_cast<whole>(maximum), is_wrong)
                   : side_of(element, static_cast<natural>(minimum), static_cast<natural>(maximum), is_wrong);
    }

    [[gnu::cold]] void append_number(std::uint64_t word) noexcept {
        char digits[40];
        text_room room{digits, sizeof digits};
        write_number(variable_.type, word, room);
        said_.append("%s", digits);
    }

    [[gnu::cold]] void append_kept_value(text meant) noexcept {
        if (meant.length != 0) {
            said_.append("; did you mean ");
            said_.append_escaped(meant, 60);
        }
        said_.append(meant.length != 0 ? "? The control variable" : "; the control variable");
        append_other_name();
        said_.append(" keeps ");
        append_value();
    }
    [[gnu::cold]] void append_value() noexcept { registry::append_value(variable_, said_); }

    descriptor::control& variable_;
    const candidate& proposed_;
    const info_value hint_;
    text value_;
    message said_;
};

} // namespace registry
} // namespace mpit
