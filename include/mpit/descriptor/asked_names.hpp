// SPDX-License-Identifier: BSD-3-Clause
// The names under which the environment is asked for a control variable, one after the other: those of its list, with
// the name of the variable for each star, as the policy of its category says.
//
//   for (asked_names each{variable}; each.next();) … getenv(each.name().characters) …
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL descriptor {

class asked_names {
public:
    explicit asked_names(const control& variable) noexcept : asked_names{variable, variable.environment} {}
    // From one of them on.
    asked_names(const control& variable, const char* place) noexcept : variable_{variable}, rest_{place} {}
    asked_names(const asked_names&) = delete;
    asked_names& operator=(const asked_names&) = delete;

    // Returns false after the last one.
    [[gnu::cold, gnu::noinline]] bool next() noexcept {
        if (rest_ == variable_.name.characters) {
            name_ = variable_.name;
            rest_ = "";
            place_ = nullptr;
            return true;
        }
        rest_ += std::strspn(rest_, " ,");
        if (*rest_ == '\0') return false;
        place_ = rest_;
        rest_ += std::strcspn(rest_, ",");
        name_ = core::without_trailing_blanks({place_, static_cast<std::uint32_t>(rest_ - place_)});
        const auto* star = static_cast<const char*>(std::memchr(place_, '*', name_.length));
        if (star != nullptr || place_[name_.length] != '\0') write(star);
        if (core::equal(name_, variable_.name)) place_ = nullptr;
        return true;
    }
    // With a null behind it, until next() is called.
    text name() const noexcept { return name_; }
    // For a provenance: where the list has it, or null for the name of the variable. It stays as long as the variable.
    const char* place() const noexcept { return place_; }

private:
    [[gnu::cold]] void write(const char* star) noexcept {
        const char* const end = name_.characters + name_.length;
        length_ = 0;
        add({name_.characters, static_cast<std::uint32_t>((star != nullptr ? star : end) - name_.characters)});
        if (star != nullptr) {
            add_name();
            add({star + 1, static_cast<std::uint32_t>(end - star - 1)});
        }
        room_[length_] = '\0';
        name_ = {room_, length_};
    }
    [[gnu::cold]] void add_name() noexcept {
        const settings_rules* const rules = variable_.rules;
        text part = variable_.name;
        if (rules != nullptr && core::has_prefix(part, rules->prefix))
            part = {part.characters + rules->prefix.length, part.length - rules->prefix.length};
        const std::uint32_t begin = length_;
        add(part);
        if (rules == nullptr || !rules->in_capitals) return;
        for (char* each = room_ + begin; each != room_ + length_; each++)
            if (*each >= 'a' && *each <= 'z') *each = static_cast<char>(*each - 'a' + 'A');
    }
    void add(text part) noexcept {
        const std::uint32_t left = sizeof room_ - 1 - length_;
        const std::uint32_t size = part.length < left ? part.length : left;
        std::memcpy(room_ + length_, part.characters, size);
        length_ += size;
    }

    const control& variable_;
    const char* rest_;
    const char* place_ = nullptr;
    text name_;
    std::uint32_t length_ = 0;
    char room_[2 * core::longest_name + 1]; // of a name with a star, and of one that no null follows
};

// The name under which the environment had a value, from the place of its provenance.
class found_name {
public:
    [[gnu::cold]] found_name(const control& variable, const char* place) noexcept
        : asked_{variable, place}, name_{place == nullptr ? variable.name : text{place}} {
        const bool is_in_list = place != nullptr && place >= variable.environment &&
                                place < variable.environment + std::strlen(variable.environment);
        if (is_in_list && asked_.next()) name_ = asked_.name();
    }
    text name() const noexcept { return name_; }

private:
    asked_names asked_;
    text name_;
};

} // namespace descriptor
} // namespace mpit
