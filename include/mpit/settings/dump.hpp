// SPDX-License-Identifier: BSD-3-Clause
// Writes all settable control variables as a configuration file: each with its description as a comment and its value,
// which is commented out if it is the declared one.
//
//   write_configuration_text(*registry, [](core::text piece) { … });
#pragma once

#include <mpit/config/precedence.hpp>
#include <mpit/module/registrar.hpp>
#include <mpit/session/variable_view.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

using core::text;

template <class Write> class configuration_text {
public:
    configuration_text(const registry::process_registry& registry, const Write& write) noexcept : registry_{registry}, write_{write} {}

    [[gnu::cold]] MPIT_MODULE_LOCAL void write_all() {
        for (int i = 0, end = registry_.count(descriptor::kind::control); i < end; i++) {
            const internal::read_guard here;
            const registry::variable_record& record = *registry_.variable(descriptor::kind::control, i);
            auto* live = static_cast<descriptor::control*>(record.live.load());
            const bool is_settable = live != nullptr && live->operations->takes_values &&
                                     live->scope != scope::constant && live->binding == binding::none;
            if (is_settable) write_variable(*live);
        }
    }

private:
    [[gnu::cold]] void write_variable(descriptor::control& variable) {
        write_comment(variable.description);
        write_("# ");
        write_values(variable);
        write_source(variable);
        write_("\n");
        if (variable.deprecation != nullptr) write_("# deprecated: "), write_comment_rest(variable.deprecation);
        const bool is_there = registry::use_value(variable, false, [&](const void* value) {
            if (!registry::is_changed(variable, value)) write_("#");
            write_(variable.name);
            write_(" = ");
            write_spelled(variable, value);
        });
        write_(is_there ? "\n\n" : "# it has no value now\n\n");
    }

    void write_comment(text words) {
        if (words.length == 0) return;
        write_("# ");
        write_comment_rest(words);
    }
    void write_comment_rest(text words) {
        for (std::uint32_t i = 0; i < words.length; i++) {
            const char c = words.characters[i];
            if (c == '\n') write_("\n# ");
            else write_(text{words.characters + i, c != '\r' && c != '\0'});
        }
        write_("\n");
    }

    // What it can have.
    void write_values(descriptor::control& of) {
        if (of.type == datatype::char_type)
            return write_filled([&](registry::text_room& to) { to.print("a text of at most %u bytes", of.count - 1); });
        if (of.enumeration.count != 0) {
            write_(of.enumeration.count == 1 ? "" : "one of ");
            for (int i = 0; i < of.enumeration.count; i++) {
                if (i != 0) write_(", ");
                write_(of.enumeration.items[i].name);
            }
            return;
        }
        const bool is_real = of.type == datatype::double_type;
        if (of.count != 1)
            write_filled(
                [&](registry::text_room& to) { to.print(is_real ? "%u numbers" : "%u whole numbers", of.count); });
        else write_(is_real ? "a number" : "a whole number");
        if (of.unit == unit::bytes) write_(" of bytes");
        write_range(of);
        if (of.count != 1) write_(", parted by commas");
    }
    void write_range(descriptor::control& of) {
        if (of.operations->range == nullptr) return;
        alignas(8) unsigned char ends[2][8]{};
        of.operations->range(of, ends[0], ends[1]);
        const std::uint64_t low = core::word_from(of.type, ends[0]), high = core::word_from(of.type, ends[1]);
        const bool has_low = low != registry::lowest_of(of.type) || !registry::is_signed(of.type);
        const bool has_high = high != registry::highest_of(of.type);
        if (has_low) write_end(has_high ? " from " : " not below ", of.type, low);
        if (has_high) write_end(has_low ? " to " : " not above ", of.type, high);
    }
    void write_end(const char* before, datatype type, std::uint64_t word) {
        write_(before);
        write_filled([&](registry::text_room& to) { registry::write_number(type, word, to); });
    }

    void write_source(descriptor::control& of) {
        static constexpr const char* words[origin_count] = {"declared by its library", "from ",
                                                            "from the environment",    "from ",
                                                            "from an info object",     "written by a tool"};
        const descriptor::provenance from = registry::present_provenance(of);
        write_("; ");
        write_(words[static_cast<int>(from.origin())]);
        const char* place = from.place();
        if (place == nullptr || *place == '\0') return;
        const bool is_in_brackets = from.origin() == origin::environment || from.origin() == origin::info;
        if (is_in_brackets) write_(" (");
        write_printable(place);
        if (is_in_brackets) write_(")");
    }
    void write_printable(text words) {
        for (std::uint32_t i = 0; i < words.length; i++) {
            const bool is_plain = static_cast<unsigned char>(words.characters[i]) >= ' ';
            write_(is_plain ? text{words.characters + i, 1} : text{"?"});
        }
    }

    // Quotes stand around everything but numbers and words.
    void write_spelled(const descriptor::control& of, const void* value) {
        char small[512];
        registry::text_room measure{small, sizeof small};
        registry::write_value(of, value, measure);
        if (measure.length() < sizeof small)
            return write_in_quotes({small, static_cast<std::uint32_t>(measure.length())});
        auto* large = static_cast<char*>(core::memory_is_left() ? std::malloc(measure.length() + 1) : nullptr);
        if (large == nullptr) return write_("# no memory for it");
        registry::text_room room{large, measure.length() + 1};
        registry::write_value(of, value, room);
        write_in_quotes({large, static_cast<std::uint32_t>(room.length())});
        std::free(large);
    }
    void write_in_quotes(text value) {
        bool is_plain = value.length != 0;
        for (std::uint32_t i = 0; i < value.length; i++) is_plain = is_plain && is_of_a_word(value.characters[i]);
        if (is_plain) return write_(value);
        write_("\"");
        for (std::uint32_t i = 0; i < value.length; i++) write_character(value.characters + i);
        write_("\"");
    }
    static bool is_of_a_word(char c) noexcept {
        const char small = static_cast<char>(c | 0x20);
        return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') ||
               (c != '\0' && std::strchr("+-.,_/:", c) != nullptr);
    }
    void write_character(const char* at) {
        const auto byte = static_cast<unsigned char>(*at);
        if (*at == '"' || *at == '\\') write_("\\");
        if (*at == '\n') write_("\\n");
        else if (byte < ' ' || byte == 0x7f) write_filled([&](registry::text_room& to) { to.print("\\x%02x", byte); });
        else write_(text{at, 1});
    }

    // What is short: a number, a few words.
    template <class Fill> void write_filled(const Fill& fill) {
        char words[64];
        registry::text_room room{words, sizeof words};
        fill(room);
        write_(words);
    }

    const registry::process_registry& registry_;
    const Write& write_;
};

} // namespace session
} // namespace mpit
