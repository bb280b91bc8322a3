// SPDX-License-Identifier: BSD-3-Clause
// A cursor over the names of the environment variables that can set a control variable. The names are in the list
// `.environment` of the variable or of its category's policy. The cursor replaces a star by the variable's name.
//
//   for (environment_name_cursor name{variable}; name.next();) ... getenv(name.name().characters) ...
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL descriptor {

class environment_name_cursor {
public:
    explicit environment_name_cursor(const control& variable) noexcept
        : environment_name_cursor{variable, variable.environment} {}
    // The cursor begins at `position` in the list.
    environment_name_cursor(const control& variable, const char* position) noexcept
        : variable_{variable}, remaining_{position} {}
    environment_name_cursor(const environment_name_cursor&) = delete;
    environment_name_cursor& operator=(const environment_name_cursor&) = delete;

    // Advances to the next name. Returns false after the last name.
    [[gnu::cold, gnu::noinline]] bool next() noexcept {
        if (remaining_ == variable_.name.characters) {
            name_ = variable_.name;
            remaining_ = "";
            position_ = nullptr;
            return true;
        }
        remaining_ += std::strspn(remaining_, " ,");
        if (*remaining_ == '\0') return false;
        position_ = remaining_;
        remaining_ += std::strcspn(remaining_, ",");
        name_ = core::without_trailing_blanks({position_, static_cast<std::uint32_t>(remaining_ - position_)});
        const auto* star = static_cast<const char*>(std::memchr(position_, '*', name_.length));
        if (star != nullptr || position_[name_.length] != '\0') expand(star);
        if (core::equal(name_, variable_.name)) position_ = nullptr;
        return true;
    }
    // Returns the current name, null-terminated. The text is valid until next() is called.
    text name() const noexcept { return name_; }
    // Returns the current name's address in the list, for a provenance, or null for the variable's own name.
    const char* list_position() const noexcept { return position_; }

private:
    // Copies the current name into the buffer, and replaces a star by the name of the control variable.
    [[gnu::cold]] void expand(const char* star) noexcept {
        const char* const end = name_.characters + name_.length;
        length_ = 0;
        append({name_.characters, static_cast<std::uint32_t>((star != nullptr ? star : end) - name_.characters)});
        if (star != nullptr) {
            append_variable_name();
            append({star + 1, static_cast<std::uint32_t>(end - star - 1)});
        }
        buffer_[length_] = '\0';
        name_ = {buffer_, length_};
    }
    [[gnu::cold]] void append_variable_name() noexcept {
        const settings_rules* const rules = variable_.rules;
        text part = variable_.name;
        if (rules != nullptr && core::has_prefix(part, rules->prefix))
            part = {part.characters + rules->prefix.length, part.length - rules->prefix.length};
        const std::uint32_t begin = length_;
        append(part);
        if (rules == nullptr || !rules->in_capitals) return;
        for (char* character = buffer_ + begin; character != buffer_ + length_; character++)
            if (*character >= 'a' && *character <= 'z') *character = static_cast<char>(*character - 'a' + 'A');
    }
    void append(text part) noexcept {
        const std::uint32_t remaining_size = sizeof buffer_ - 1 - length_;
        const std::uint32_t size = part.length < remaining_size ? part.length : remaining_size;
        std::memcpy(buffer_ + length_, part.characters, size);
        length_ += size;
    }

    const control& variable_;
    const char* remaining_; // names of the list after the current name
    const char* position_ = nullptr;
    text name_;
    std::uint32_t length_ = 0;
    char buffer_[2 * core::longest_name + 1]; // name with a star, or name that no null follows in the list
};

// Finds the name of the environment variable that has set a control variable, from the value's provenance.
class name_in_environment {
public:
    [[gnu::cold]] name_in_environment(const control& variable, const char* place) noexcept
        : names_{variable, place}, name_{place == nullptr ? variable.name : text{place}} {
        const bool is_in_list = place != nullptr && place >= variable.environment &&
                                place < variable.environment + std::strlen(variable.environment);
        if (is_in_list && names_.next()) name_ = names_.name();
    }
    text name() const noexcept { return name_; }

private:
    environment_name_cursor names_;
    text name_;
};

} // namespace descriptor
} // namespace mpit
