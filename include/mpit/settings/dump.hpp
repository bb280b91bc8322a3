// SPDX-License-Identifier: BSD-3-Clause
// Writes all settable control variables as a configuration file. The description of each variable becomes a comment. If
// the value of a variable is its initial value, the line with the value is commented out.
//
//   configuration_text<decltype(write)>{*registry, write}.write_all();   // calls write(core::text)
#pragma once

#include <mpit/config/precedence.hpp>     // IWYU pragma: export
#include <mpit/module/registrar.hpp>      // IWYU pragma: keep
#include <mpit/session/variable_view.hpp> // IWYU pragma: export

namespace mpit::inline v1_0 {
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
            const bool is_settable = live != nullptr && live->accepts_values && live->scope != scope::constant &&
                                     live->binding == binding::none;
            if (is_settable) write_variable(*live);
        }
    }

private:
    [[gnu::cold]] void write_variable(descriptor::control& variable) {
        write_comment(variable.description);
        write_("# ");
        write_accepted_values(variable);
        write_origin(variable);
        write_("\n");
        if (variable.deprecation != nullptr) write_("# deprecated: "), write_comment_lines(variable.deprecation);
        const bool has_value = registry::use_value(variable, false, [&](const void* value) {
            if (!registry::is_changed(variable, value)) write_("#");
            write_(variable.name);
            write_(" = ");
            write_formatted_value(variable, value);
        });
        write_(has_value ? "\n\n" : "# the control variable has no value now\n\n");
    }

    void write_comment(text comment) {
        if (comment.length == 0) return;
        write_("# ");
        write_comment_lines(comment);
    }
    void write_comment_lines(text comment) {
        for (std::uint32_t i = 0; i < comment.length; i++) {
            const char c = comment.characters[i];
            if (c == '\n') write_("\n# ");
            else write_(text{comment.characters + i, c != '\r' && c != '\0'});
        }
        write_("\n");
    }

    void write_accepted_values(descriptor::control& variable) {
        if (variable.type == datatype::char_type)
            return write_short(
                [&](registry::text_buffer& output) { output.print("a text of at most %u bytes", variable.count - 1); });
        if (variable.enumeration.count != 0) {
            write_(variable.enumeration.count == 1 ? "" : "one of ");
            for (int i = 0; i < variable.enumeration.count; i++) {
                if (i != 0) write_(", ");
                write_(variable.enumeration.items[i].name);
            }
            return;
        }
        const bool is_floating = variable.type == datatype::double_type;
        if (variable.count != 1)
            write_short([&](registry::text_buffer& output) {
                output.print(is_floating ? "%u numbers" : "%u whole numbers", variable.count);
            });
        else write_(is_floating ? "a number" : "a whole number");
        if (variable.unit == unit::bytes) write_(" of bytes");
        write_range(variable);
        if (variable.count != 1) write_(", separated by commas");
    }
    void write_range(descriptor::control& variable) {
        if (variable.range_offset == 0) return;
        alignas(8) unsigned char range[2][8]{};
        descriptor::copy_range(variable, range[0], range[1]);
        const std::uint64_t minimum = core::word_from(variable.type, range[0]),
                            maximum = core::word_from(variable.type, range[1]);
        const bool has_minimum = minimum != registry::lowest_of(variable.type) || !registry::is_signed(variable.type);
        const bool has_maximum = maximum != registry::highest_of(variable.type);
        if (has_minimum) write_limit(has_maximum ? " from " : " not below ", variable.type, minimum);
        if (has_maximum) write_limit(has_minimum ? " to " : " not above ", variable.type, maximum);
    }
    void write_limit(const char* prefix, datatype type, std::uint64_t word) {
        write_(prefix);
        write_short([&](registry::text_buffer& output) { registry::format_number(type, word, output); });
    }

    void write_origin(descriptor::control& variable) {
        static constexpr const char* words[origin_count] = {"declared by its library", "from ",
                                                            "from the environment",    "from ",
                                                            "from an info object",     "written by a tool"};
        const descriptor::provenance current = registry::current_provenance(variable);
        write_("; ");
        write_(words[static_cast<int>(current.origin())]);
        const char* place = current.location();
        if (place == nullptr || *place == '\0') return;
        const bool is_in_brackets = current.origin() == origin::environment || current.origin() == origin::info;
        if (is_in_brackets) write_(" (");
        if (current.origin() != origin::environment) write_printable(place);
        else write_printable(descriptor::name_in_environment{variable, place}.name());
        if (is_in_brackets) write_(")");
    }
    void write_printable(text value) {
        for (std::uint32_t i = 0; i < value.length; i++) {
            const bool is_plain = static_cast<unsigned char>(value.characters[i]) >= ' ';
            write_(is_plain ? text{value.characters + i, 1} : text{"?"});
        }
    }

    void write_formatted_value(const descriptor::control& variable, const void* value) {
        char buffer[512];
        registry::text_buffer output{buffer, sizeof buffer};
        registry::format_value(variable, value, output);
        if (output.length() < sizeof buffer) return write_quoted({buffer, static_cast<std::uint32_t>(output.length())});
        auto* allocated = static_cast<char*>(core::memory_is_left() ? std::malloc(output.length() + 1) : nullptr);
        if (allocated == nullptr) return write_("# memory is exhausted");
        registry::text_buffer long_output{allocated, output.length() + 1};
        registry::format_value(variable, value, long_output);
        write_quoted({allocated, static_cast<std::uint32_t>(long_output.length())});
        std::free(allocated);
    }
    // Writes a value, with quotes unless the value is a number or a word.
    void write_quoted(text value) {
        bool is_plain = value.length != 0;
        for (std::uint32_t i = 0; i < value.length; i++) is_plain = is_plain && is_word_character(value.characters[i]);
        if (is_plain) return write_(value);
        write_("\"");
        for (std::uint32_t i = 0; i < value.length; i++) write_character(value.characters + i);
        write_("\"");
    }
    static bool is_word_character(char c) noexcept {
        const char small = static_cast<char>(c | 0x20);
        return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') ||
               (c != '\0' && std::strchr("+-.,_/:", c) != nullptr);
    }
    void write_character(const char* character) {
        const auto byte = static_cast<unsigned char>(*character);
        if (*character == '"' || *character == '\\') write_("\\");
        if (*character == '\n') write_("\\n");
        else if (byte < ' ' || byte == 0x7f)
            write_short([&](registry::text_buffer& output) { output.print("\\x%02x", byte); });
        else write_(text{character, 1});
    }

    // Writes the text that `format` composes in a buffer of 64 characters.
    template <class Format> void write_short(const Format& format) {
        char buffer[64];
        registry::text_buffer output{buffer, sizeof buffer};
        format(output);
        write_(buffer);
    }

    const registry::process_registry& registry_;
    const Write& write_;
};

} // namespace settings
} // namespace mpit
