// SPDX-License-Identifier: BSD-3-Clause
// The words of a report on a value from outside that a control variable does not take: what it accepts, which name was
// probably meant, and what it keeps. The typed code has only given the facts.
//
//   refusal{variable, candidate}.report(reports, descriptor::intake::no_value);
#pragma once

#include <mpit/core/spelling.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/info_value.hpp>
#include <mpit/config/value_text.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

[[gnu::cold]] inline void say_value(descriptor::control& of, sentence& to) noexcept {
    if (std::size_t{of.count} * core::size_of(of.type) > 512) return to.say("its value");
    char value[256];
    text_room room{value, sizeof value};
    if (!use_value(of, false, [&](const void* present) { write_value(of, present, room); })) return to.say("its value");
    const auto length = static_cast<std::uint32_t>(room.length() < sizeof value ? room.length() : sizeof value - 1);
    if (of.type == datatype::char_type) to.quote({value, length}, 60);
    else to.show({value, length}, 60);
}

class refusal {
public:
    [[gnu::cold]] refusal(descriptor::control& by, const candidate& from) noexcept
        : by_{by},
          from_{from},
          hint_{by, from.value},
          value_{from.from == origin::info ? hint_.spelled() : from.value} {
        from.say(said_);
        said_.say(" ");
    }
    [[gnu::cold]] void report(report_list& to, descriptor::intake why) noexcept {
        switch (why) {
        case descriptor::intake::is_constant: say_constant(); break;
        case descriptor::intake::is_bound: say_bound(); break;
        case descriptor::intake::is_too_early:
            said_.say("comes before the std::string of the control variable");
            say_other_name();
            said_.say(" is made, and has no effect until its library calls mpit::resolve");
            break;
        case descriptor::intake::refused:
            said_.say("is refused by the library's own check");
            say_what_stays({});
            break;
        default:
            if (by_.type == datatype::char_type) say_length();
            else if (by_.enumeration.count != 0) say_items();
            else say_numbers();
            say_what_stays(core::nearest_item(value_, by_.enumeration));
        }
        to.add(said_);
    }

private:
    enum class side { none, below, above };

    [[gnu::cold]] void say_constant() noexcept {
        said_.say("has no effect: the control variable");
        say_other_name();
        said_.say(" is constant and keeps ");
        say_value();
    }
    [[gnu::cold]] void say_bound() noexcept {
        static constexpr const char* objects[binding_count] = {
            "process",   "communicator", "datatype", "error handler", "file",        "group",
            "operation", "request",      "window",   "message",       "info object", "session"};
        said_.say("has no effect: the control variable");
        say_other_name();
        static constexpr const char* sources[origin_count] = {
            "", "by a configuration file", "from the environment", "on the command line", "by an info object", ""};
        said_.say(" belongs to each %s and cannot be set %s", objects[static_cast<int>(by_.binding)],
                  sources[static_cast<int>(from_.from)]);
    }
    [[gnu::cold]] void say_other_name() noexcept {
        if (core::equal(from_.name, by_.name)) return;
        said_.say(" ");
        said_.show(by_.name, 256);
    }

    [[gnu::cold]] void say_length() noexcept {
        said_.say("has %u bytes, and at most %u bytes are accepted", value_.length, by_.count - 1);
    }

    [[gnu::cold]] void say_items() noexcept {
        const core::enumeration_view& all = by_.enumeration;
        said_.say(all.count == 1 ? "is not " : "is none of ");
        const std::uint32_t end = said_.length() + 160;
        for (int i = 0; i < all.count; i++) {
            if (said_.length() > end && i + 1 < all.count) return said_.say(" and %d more", all.count - i);
            said_.say("%s", i == 0 ? "" : ", ");
            said_.show(all.items[i].name, 40);
        }
    }

    [[gnu::cold]] void say_numbers() noexcept {
        const bool is_real = by_.type == datatype::double_type, are_many = by_.count != 1;
        alignas(8) unsigned char ends[2][8]{};
        by_.operations->range(by_, ends[0], ends[1]);
        const std::uint64_t minimum = core::word_from(by_.type, ends[0]), maximum = core::word_from(by_.type, ends[1]);
        text rest = value_, wrong = value_;
        side outside = side::none;
        std::uint32_t given = 1;
        for (bool is_found = false, more = true; more; given += more) {
            text element = value_;
            more = are_many && core::take_element(rest, element);
            if (is_found) continue;
            outside = side_of(element, minimum, maximum, is_found);
            wrong = element;
        }
        if (are_many) said_.say("is not %u %s", by_.count, is_real ? "numbers" : "whole numbers");
        else said_.say("is no %s", is_real ? "number" : "whole number");
        if (by_.unit == unit::bytes) said_.say(" of bytes");
        // An end of the type is of interest only to who went beyond it.
        const bool has_minimum = minimum != lowest_of(by_.type) || outside == side::below;
        const bool has_maximum = maximum != highest_of(by_.type) || outside == side::above;
        if ((has_minimum || !is_signed(by_.type)) && has_maximum) say_ends(" from ", minimum, " to ", maximum);
        else if (has_minimum) say_ends(" of ", minimum, " or more");
        else if (has_maximum) say_ends(" of ", maximum, " or less");
        if (are_many) say_what_is_wrong(given, wrong);
        else if (by_.unit == unit::bytes) said_.say(" (64k, 1M and 2GiB are such)");
        else if (is_real && std::memchr(value_.characters, ',', value_.length) != nullptr)
            said_.say(" with a decimal point");
        else if (!is_real && is_decimal_with_a_leading_zero()) said_.say(" (a leading 0 makes it octal)");
    }
    [[gnu::cold]] void say_what_is_wrong(std::uint32_t given, text wrong) noexcept {
        said_.say(", separated by commas");
        if (given != by_.count) return said_.say(" (there %s %u)", given == 1 ? "is" : "are", given);
        said_.say(" (");
        said_.quote(wrong, 40);
        said_.say(" is none)");
    }
    [[gnu::cold]] void say_ends(const char* before, std::uint64_t first, const char* between,
                                std::uint64_t second) noexcept {
        say_ends(before, first, between);
        say_number(second);
    }
    [[gnu::cold]] void say_ends(const char* before, std::uint64_t end, const char* after) noexcept {
        said_.say("%s", before);
        say_number(end);
        said_.say("%s", after);
    }
    bool is_decimal_with_a_leading_zero() const noexcept {
        const text all = value_.characters[0] == '-' ? text{value_.characters + 1, value_.length - 1} : value_;
        for (std::uint32_t i = 0; i < all.length; i++)
            if (all.characters[i] < '0' || all.characters[i] > '9') return false;
        return all.length > 1 && all.characters[0] == '0';
    }

    // On which side of the range a number is. One that is inside is not wrong, and what is no number is on no side.
    template <class Wide>
    [[gnu::cold]] side side_of(text element, Wide minimum, Wide maximum, bool& is_wrong) const noexcept {
        Wide number{};
        const core::reading found = core::read(element, number, by_.unit);
        is_wrong = found != core::reading::complete || number < minimum || number > maximum;
        if (!is_wrong || found == core::reading::no_number) return side::none;
        return number < minimum || (found == core::reading::beyond && number <= minimum) ? side::below : side::above;
    }
    side side_of(text element, std::uint64_t minimum, std::uint64_t maximum, bool& is_wrong) const noexcept {
        if (by_.type == datatype::double_type)
            return side_of(element, core::double_of(minimum), core::double_of(maximum), is_wrong);
        using whole = long long;
        using natural = unsigned long long;
        return is_signed(by_.type)
                   ? side_of(element, static_cast<whole>(minimum), static_cast<whole>(maximum), is_wrong)
                   : side_of(element, static_cast<natural>(minimum), static_cast<natural>(maximum), is_wrong);
    }

    [[gnu::cold]] void say_number(std::uint64_t word) noexcept {
        char digits[40];
        text_room room{digits, sizeof digits};
        write_number(by_.type, word, room);
        said_.say("%s", digits);
    }

    [[gnu::cold]] void say_what_stays(text meant) noexcept {
        if (meant.length != 0) {
            said_.say("; did you mean ");
            said_.show(meant, 60);
        }
        said_.say(meant.length != 0 ? "? The control variable" : "; the control variable");
        say_other_name();
        said_.say(" keeps ");
        say_value();
    }
    [[gnu::cold]] void say_value() noexcept { registry::say_value(by_, said_); }

    descriptor::control& by_;
    const candidate& from_;
    const info_value hint_;
    text value_;
    sentence said_;
};

} // namespace registry
} // namespace mpit
