// SPDX-License-Identifier: BSD-3-Clause
// The setting `.environment` of a control variable, which is the name of an environment variable, a list of names, or
// mpit::none. A declaration checks the names at compile time.
//
//   .environment = "MYMPI_EAGER, EAGER_LIMIT"     .environment = "MYMPI_*"     .environment = mpit::none
#pragma once

#include <mpit/core/name.hpp>

namespace mpit::inline v1_0 {

// The type of mpit::none, which is an empty struct.
struct none_type {};
// The setting `.environment = mpit::none` means that the environment does not set the variable.
inline constexpr none_type none{};

// The names of the environment variables that can set a control variable. `names` is a comma-separated list, in which
// the first name that is set in the environment has precedence. If the value of one name is rejected, mpit reports this
// value and tries the next name. A name may contain one star, which stands for the name of the control variable. An
// empty list stands for the name of the control variable. `are_none` means that no environment variable sets the
// control variable. The struct does not copy the text. Each thread and each signal handler works on its own copy.
struct environment_names {
    core::text names{};
    bool are_none = false;

    MPIT_MODULE_LOCAL constexpr environment_names() noexcept {}
    MPIT_MODULE_LOCAL constexpr environment_names(none_type) noexcept : are_none{true} {}
    MPIT_MODULE_LOCAL constexpr environment_names(const char* list) noexcept
        : names{list == nullptr ? core::text{} : core::text{list}} {}
    MPIT_MODULE_LOCAL constexpr environment_names(core::text list) noexcept : names{list} {}
};

namespace MPIT_MODULE_LOCAL descriptor {

using core::text;

// The possible defects of a list of names of environment variables.
enum class list_defect : std::uint8_t { none, is_empty, is_too_long, has_two_stars, has_no_star, has_wrong_character };

constexpr list_defect defect_of_name(text name, bool needs_star) {
    std::uint32_t stars = 0;
    for (std::uint32_t i = 0; i < name.length; i++) {
        const char c = name.characters[i];
        if (c <= ' ' || c > '~' || c == '=') return list_defect::has_wrong_character;
        stars += c == '*';
    }
    if (name.length == 0) return list_defect::is_empty;
    if (name.length > core::longest_name) return list_defect::is_too_long;
    if (stars > 1) return list_defect::has_two_stars;
    return needs_star && stars == 0 ? list_defect::has_no_star : list_defect::none;
}
// Returns the first defect of a list. `needs_star` is true for a list that serves several variables.
constexpr list_defect defect_of_names(text list, bool needs_star) {
    for (std::uint32_t begin = 0;;) {
        std::uint32_t end = begin;
        while (end < list.length && list.characters[end] != ',') end++;
        const list_defect defect =
            defect_of_name(core::without_blanks({list.characters + begin, end - begin}), needs_star);
        if (defect != list_defect::none || end == list.length) return defect;
        begin = end + 1;
    }
}
// Returns the first defect of a list. An empty list has no defect.
constexpr list_defect defect_of(text list, bool needs_star) {
    return list.length == 0 ? list_defect::none : defect_of_names(list, needs_star);
}

// The setting `.environment` in a declaration, for one control variable or for several control variables.
template <bool AreForSeveral> struct declared_environment : error::refusable, environment_names {
    // given() converts the author's list. given() is a member, because authors may have a function of this name.
    static constexpr environment_names given(environment_names list) { return list; }
    template <class Other> static constexpr environment_names given(const Other& list) { return core::as_text(list); }

    constexpr declared_environment() noexcept {}
    constexpr declared_environment(none_type none) noexcept : environment_names{none} {}
    constexpr declared_environment(decltype(nullptr)) noexcept {}
    // clang-format off
    template <class Names> requires(core::text_like<Names> || __is_same(Names, environment_names))
    consteval declared_environment(Names list) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(given(list).names.length)
                     MPIT_IF(defect_of(given(list).names, AreForSeveral) == list_defect::is_empty,
                             a_name_of_the_environment_is_empty)
                     MPIT_IF(defect_of(given(list).names, AreForSeveral) == list_defect::is_too_long,
                             a_name_of_the_environment_is_longer_than_255_characters)
                     MPIT_IF(defect_of(given(list).names, AreForSeveral) == list_defect::has_two_stars,
                             a_name_of_the_environment_has_more_than_one_star)
                     MPIT_IF(defect_of(given(list).names, AreForSeveral) == list_defect::has_no_star,
                             a_name_of_the_environment_for_several_variables_needs_a_star)
                     MPIT_IF(defect_of(given(list).names, AreForSeveral) == list_defect::has_wrong_character,
                             a_name_of_the_environment_has_a_space_an_equals_sign_or_a_character_that_is_not_printable))
        environment_names{given(list)} {}
    // clang-format on
};

} // namespace descriptor
} // namespace mpit
