// SPDX-License-Identifier: BSD-3-Clause
// Writes all settable control variables as a configuration file: each with its description as a comment and its value,
// which is commented out if it is the declared one.
//
//   write_configuration_text(*registry, [](core::text piece) { … });
#pragma once

#include <mpit/config/precedence.hpp>     // IWYU pragma: export
#include <mpit/module/registrar.hpp>      // IWYU pragma: keep
#include <mpit/session/variable_view.hpp> // IWYU pragma: export

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL settings {

using core::text;

template <class Write> class configuration_text {
public:
    configuration_text(const registry::process_registry& registry, const Write& write) noexcept
        : registry_{registry}, write_{write} {}

    [[gnu::cold]] void write_all() {
        for (int i = 0, end = registry_.count(descriptor::kind::control); i < end; i++) {
            const core::read_guard guard;
            const registry::variable_record& record = *registry_.variable(descriptor::kind::control, i);
            auto* live = static_cast<descriptor::control*>(record.live.load());
            const bool is_settable = live != nullptr && live->takes_values && live->scope != scope::constant &&
                                     live->binding == binding::none;
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
    void write_values(descriptor::control& variable) {
        if (variable.type == datatype::char_type)
            return write_filled(
                [&](registry::text_room& room) { room.print("a text of at most %u bytes", variable.count - 1); });
        if (variable.enumeration.count != 0) {
            write_(variable.enumeration.count == 1 ? "" : "one of ");
            for (int i = 0; i < variable.enumeration.count; i++) {
                if (i != 0) write_(", ");
                write_(variable.enumeration.items[i].name);
            }
            return;
        }
        const bool is_real = variable.type == datatype::double_type;
        if (variable.count != 1)
            write_filled([&](registry::text_room& room) {
                room.print(is_real ? "%u numbers" : "%u whole numbers", variable.count);
            });
        else write_(is_real ? "a number" : "a whole number");
        if (variable.unit == unit::bytes) write_(" of bytes");
        write_range(variable);
        if (variable.count != 1) write_(", parted by commas");
    }
    void write_range(descriptor::control& variable) {
        if (variable.range_offset == 0) return;
        alignas(8) unsigned char ends[2][8]{};
        descriptor::put_range(variable, ends[0], ends[1]);
        const std::uint64_t low = core::word_from(variable.type, ends[0]),
                            high = core::word_from(variable.type, ends[1]);
        const bool has_low = low != registry::lowest_of(variable.type) || !registry::is_signed(variable.type);
        const bool has_high = high != registry::highest_of(variable.type);
        if (has_low) write_end(has_high ? " from " : " not below ", variable.type, low);
        if (has_high) write_end(has_low ? " to " : " not above ", variable.type, high);
    }
    void write_end(const char* prefix, datatype type, std::uint64_t word) {
        write_(prefix);
        write_filled([&](registry::text_room& room) { registry::write_number(type, word, room); });
    }

    void write_source(descriptor::control& variable) {
        static constexpr const char* words[origin_count] = {"declared by its library", "from ",
                                                            "from the environment",    "from ",
                                                            "from an info object",     "written by a tool"};
        const descriptor::provenance held = registry::present_provenance(variable);
        write_("; ");
        write_(words[static_cast<int>(held.origin())]);
        const char* place = held.place();
        if (place == nullptr || *place == '\0') return;
        const bool is_in_brackets = held.origin() == origin::environment || held.origin() == origin::info;
        if (is_in_brackets) write_(" (");
        if (held.origin() != origin::environment) write_printable(place);
        else write_printable(descriptor::found_name{variable, place}.name());
        if (is_in_brackets) write_(")");
    }
    void write_printable(text words) {
        for (std::uint32_t i = 0; i < words.length; i++) {
            const bool is_plain = static_cast<unsigned char>(words.characters[i]) >= ' ';
            write_(is_plain ? text{words.characters + i, 1} : text{"?"});
        }
    }

    // Quotes stand around everything but numbers and words.
    void write_spelled(const descriptor::control& variable, const void* value) {
        char small[512];
        registry::text_room measure{small, sizeof small};
        registry::write_value(variable, value, measure);
        if (measure.length() < sizeof small)
            return write_in_quotes({small, static_cast<std::uint32_t>(measure.length())});
        auto* large = static_cast<char*>(core::memory_is_left() ? std::malloc(measure.length() + 1) : nullptr);
        if (large == nullptr) return write_("# no memory for it");
        registry::text_room room{large, measure.length() + 1};
        registry::write_value(variable, value, room);
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
    void write_character(const char* character) {
        const auto byte = static_cast<unsigned char>(*character);
        if (*character == '"' || *character == '\\') write_("\\");
        if (*character == '\n') write_("\\n");
        else if (byte < ' ' || byte == 0x7f)
            write_filled([&](registry::text_room& room) { room.print("\\x%02x", byte); });
        else write_(text{character, 1});
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

} // namespace settings
} // namespace mpit
