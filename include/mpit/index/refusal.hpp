// The words of a report on a value from the environment that a control variable does not take: what it accepts, which name
// was probably meant, and what it keeps. The typed code has only given the facts.
//
//   refusal{variable, "12k"}.report(index.reports_to.load(), describe::intake::no_value);
#pragma once

#include <mpit/base/parse.hpp>
#include <mpit/base/spelling.hpp>
#include <mpit/describe/descriptor.hpp>
#include <mpit/index/report.hpp>

namespace mpit::inline v0_1::index {

using base::text;

class refusal {
public:
    [[gnu::cold]] refusal(describe::control& by, text value) noexcept : by_{by}, value_{value} {
        said_.show(by.environment, 300);
        said_.say("=");
        said_.quote(value, 120);
        said_.say(" in the environment ");
    }
    [[gnu::cold]] void report(report_handler to, describe::intake why) noexcept {
        switch (why) {
        case describe::intake::is_constant: say_constant(); break;
        case describe::intake::is_bound: say_bound(); break;
        case describe::intake::refused:
            said_.say("is refused by the library's own check");
            say_what_stays({});
            break;
        default:
            if (by_.type == datatype::char_type) say_length();
            else if (by_.enumeration.count != 0) say_items();
            else say_numbers();
            say_what_stays(base::nearest_item(value_, by_.enumeration));
        }
        said_.send(to);
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
        said_.say(" belongs to each %s and cannot be set from the environment", objects[static_cast<int>(by_.binding)]);
    }
    [[gnu::cold]] void say_other_name() noexcept {
        if (base::equal(by_.environment, by_.name)) return;
        said_.say(" ");
        said_.show(by_.name, 256);
    }

    [[gnu::cold]] void say_length() noexcept {
        said_.say("has %u bytes, and at most %u bytes are accepted", value_.length, by_.count - 1);
    }

    [[gnu::cold]] void say_items() noexcept {
        const base::enumeration_view& all = by_.enumeration;
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
        const std::uint64_t minimum = base::word_from(by_.type, ends[0]), maximum = base::word_from(by_.type, ends[1]);
        text rest = value_, wrong = value_;
        side outside = side::none;
        std::uint32_t given = 1;
        for (bool is_found = false, more = true; more; given += more) {
            text element = value_;
            more = are_many && base::take_element(rest, element);
            if (is_found) continue;
            outside = side_of(element, minimum, maximum, is_found);
            wrong = element;
        }
        if (are_many) said_.say("is not %u %s", by_.count, is_real ? "numbers" : "whole numbers");
        else said_.say("is no %s", is_real ? "number" : "whole number");
        // An end of the type is of interest only to who went beyond it.
        const bool has_minimum = minimum != lowest() || outside == side::below;
        const bool has_maximum = maximum != highest() || outside == side::above;
        if ((has_minimum || !is_signed()) && has_maximum) say_ends(" from ", minimum, " to ", maximum);
        else if (has_minimum) say_ends(" of ", minimum, " or more");
        else if (has_maximum) say_ends(" of ", maximum, " or less");
        if (are_many) say_what_is_wrong(given, wrong);
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
        say_number(said_, second);
    }
    [[gnu::cold]] void say_ends(const char* before, std::uint64_t end, const char* after) noexcept {
        said_.say("%s", before);
        say_number(said_, end);
        said_.say("%s", after);
    }
    bool is_decimal_with_a_leading_zero() const noexcept {
        const text all = value_.characters[0] == '-' ? text{value_.characters + 1, value_.length - 1} : value_;
        for (std::uint32_t i = 0; i < all.length; i++)
            if (all.characters[i] < '0' || all.characters[i] > '9') return false;
        return all.length > 1 && all.characters[0] == '0';
    }

    bool is_signed() const noexcept {
        return by_.type == datatype::int_type || by_.type == datatype::int32_type || by_.type == datatype::int64_type ||
               by_.type == datatype::count_type || by_.type == datatype::double_type;
    }
    std::uint64_t highest() const noexcept {
        if (by_.type == datatype::double_type) return base::bits_of(__DBL_MAX__);
        return ~std::uint64_t{0} >> (64 - 8 * base::size_of(by_.type) + is_signed());
    }
    std::uint64_t lowest() const noexcept {
        if (by_.type == datatype::double_type) return base::bits_of(-__DBL_MAX__);
        return is_signed() ? ~highest() : 0;
    }
    // On which side of the range a number is. One that is inside is not wrong, and what is no number is on no side.
    template <class Wide>
    [[gnu::cold]] side side_of(text element, Wide minimum, Wide maximum, bool& is_wrong) const noexcept {
        Wide number{};
        const base::reading found = base::read(element, number);
        is_wrong = found != base::reading::complete || number < minimum || number > maximum;
        if (!is_wrong || found == base::reading::no_number) return side::none;
        return number < minimum || (found == base::reading::beyond && number <= minimum) ? side::below : side::above;
    }
    side side_of(text element, std::uint64_t minimum, std::uint64_t maximum, bool& is_wrong) const noexcept {
        if (by_.type == datatype::double_type)
            return side_of(element, base::double_of(minimum), base::double_of(maximum), is_wrong);
        using whole = long long;
        using natural = unsigned long long;
        return is_signed() ? side_of(element, static_cast<whole>(minimum), static_cast<whole>(maximum), is_wrong)
                           : side_of(element, static_cast<natural>(minimum), static_cast<natural>(maximum), is_wrong);
    }

    [[gnu::cold]] void say_number(sentence& to, std::uint64_t word) const noexcept {
        if (by_.type == datatype::double_type) return say_real(to, base::double_of(word));
        if (is_signed()) to.say("%lld", static_cast<long long>(word));
        else to.say("%llu", static_cast<unsigned long long>(word));
    }
    // With as few digits as tell it from all other numbers, and with the decimal sign that is accepted.
    [[gnu::cold]] static void say_real(sentence& to, double number) noexcept {
        char digits[40];
        const locale_t before = uselocale(base::plain_locale());
        for (int precision = 1; precision <= 17; precision++) {
            std::snprintf(digits, sizeof digits, "%.*g", precision, number);
            double again = 0;
            if (base::read(digits, again) == base::reading::complete && again == number) break;
        }
        uselocale(before);
        to.say("%s", digits);
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
    [[gnu::cold]] void say_value() noexcept {
        alignas(8) char value[512];
        std::uint32_t generation = 0;
        const std::uint32_t size = base::size_of(by_.type);
        void* cell = by_.operations->locate(by_, 0, generation);
        if (cell == nullptr || by_.count > sizeof value / size ||
            by_.operations->read(by_, cell, 0, value) != result::success)
            return said_.say("its value");
        if (by_.type == datatype::char_type)
            return said_.quote({value, static_cast<std::uint32_t>(strnlen(value, by_.count))}, 60);
        sentence numbers;
        for (std::uint32_t i = 0; i < by_.count; i++) {
            if (i != 0) numbers.say(",");
            const std::uint64_t word = base::word_from(by_.type, value + i * size);
            if (by_.enumeration.count != 0) numbers.say("%s", name_of_item(static_cast<int>(word)));
            else say_number(numbers, word);
        }
        said_.show({numbers.line(), numbers.length()}, 60);
    }
    [[gnu::cold]] const char* name_of_item(int value) const noexcept {
        for (int i = 0; i < by_.enumeration.count; i++)
            if (by_.enumeration.items[i].value == value) return by_.enumeration.items[i].name.characters;
        return "its value";
    }

    describe::control& by_;
    text value_;
    sentence said_;
};

} // namespace mpit::index
