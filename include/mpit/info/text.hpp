// SPDX-License-Identifier: BSD-3-Clause
// Parses the texts of hints: booleans, whole numbers and lists in MPI's spelling, and texts from Fortran. Any other
// text is rejected, and nothing is stored (MPI-5.0, chapter 10).
// The functions keep no state and allocate nothing: any thread and any signal handler may call them.
//
//   std::int64_t size = 0;  if (mpit::read_hint(hints, "buffer_size", size) == mpit::info_result::success) …
//   for (mpit::core::text host : mpit::hint_list{*hints.find("hosts")}) …
#pragma once

#include <mpit/core/range.hpp>
#include <mpit/info.hpp>

namespace mpit::inline v0_1 {

// All characters of a CHARACTER(*) argument of Fortran, of which the leading blanks of a name count.
MPIT_MODULE_LOCAL constexpr core::text whole_fortran_text(const char* characters, std::size_t length) noexcept {
    constexpr std::size_t longest = core::limits<std::uint32_t>::highest;
    return {characters, static_cast<std::uint32_t>(length < longest ? length : longest)};
}

// A CHARACTER(*) argument of Fortran: so many characters, padded with blanks, and no null behind them. Keys and values
// that come this way lose the blanks before they are stored or looked up; the functions for C take texts as they are.
MPIT_MODULE_LOCAL constexpr core::text fortran_text(const char* characters, std::size_t length) noexcept {
    return core::without_blanks(whole_fortran_text(characters, length));
}

// Reads "true" or "false", in lower case. Returns false, and stores nothing, for any other text.
MPIT_MODULE_LOCAL constexpr bool read_hint(core::text value, bool& result) noexcept {
    const core::text word = core::without_blanks(value);
    const bool is_true = core::equal_in_the_compiler(word, "true");
    if (!is_true && !core::equal_in_the_compiler(word, "false")) return false;
    result = is_true;
    return true;
}

// Reads a decimal number within the range of its type, with a sign or without one. Returns false, and stores nothing,
// for any other text.
template <class Integer>
    requires(Integer(1) / 2 == 0 && !__is_same(Integer, bool))
MPIT_MODULE_LOCAL constexpr bool read_hint(core::text value, Integer& result) noexcept {
    const core::text word = core::without_blanks(value);
    const bool has_sign = word.length != 0 && (word.characters[0] == '-' || word.characters[0] == '+');
    const bool is_negative = has_sign && word.characters[0] == '-';
    if (word.length == (has_sign ? 1u : 0u)) return false;
    // The digits are subtracted from or added to a number of the type itself, which tells when it would go too far.
    Integer number{};
    for (std::uint32_t i = has_sign ? 1 : 0; i < word.length; i++) {
        const char digit = word.characters[i];
        if (digit < '0' || digit > '9') return false;
        const auto step = static_cast<Integer>(digit - '0');
        if (__builtin_mul_overflow(number, Integer{10}, &number)) return false;
        if (is_negative ? __builtin_sub_overflow(number, step, &number) : __builtin_add_overflow(number, step, &number))
            return false;
    }
    result = number;
    return true;
}

// The same for the value of a key: no_key if there is none, bad_value where it is something else.
template <class T> MPIT_MODULE_LOCAL info_result read_hint(const info& source, core::text key, T& result) noexcept {
    const core::text* value = source.find(key);
    if (value == nullptr) return info_result::no_key;
    return read_hint(*value, result) ? info_result::success : info_result::bad_value;
}

// The elements of a comma separated list, each without its leading and trailing spaces, and perhaps empty: n commas
// make n + 1 elements. A value of spaces alone is a list without elements. The elements are parts of the value.
class hint_list {
public:
    MPIT_MODULE_LOCAL constexpr explicit hint_list(core::text value) noexcept : rest_{core::without_blanks(value)} {}

    // Goes from one element to the next; its elements are texts without a null behind them.
    class iterator {
    public:
        MPIT_MODULE_LOCAL constexpr core::text operator*() const noexcept {
            return core::without_blanks({rest_.characters, length_});
        }
        MPIT_MODULE_LOCAL constexpr iterator& operator++() noexcept {
            if (length_ == rest_.length) return is_at_end_ = true, *this;
            rest_ = {rest_.characters + length_ + 1, rest_.length - length_ - 1};
            length_ = length_of_first(rest_);
            return *this;
        }
        MPIT_MODULE_LOCAL constexpr bool operator==(const iterator& other) const noexcept {
            return is_at_end_ == other.is_at_end_ && (is_at_end_ || rest_.characters == other.rest_.characters);
        }

    private:
        friend hint_list;
        MPIT_MODULE_LOCAL constexpr iterator(core::text rest, bool is_at_end) noexcept
            : rest_{rest}, length_{length_of_first(rest)}, is_at_end_{is_at_end} {}
        MPIT_MODULE_LOCAL static constexpr std::uint32_t length_of_first(core::text list) noexcept {
            std::uint32_t length = 0;
            while (length < list.length && list.characters[length] != ',') length++;
            return length;
        }

        core::text rest_;
        std::uint32_t length_;
        bool is_at_end_;
    };
    MPIT_MODULE_LOCAL constexpr iterator begin() const noexcept { return {rest_, rest_.length == 0}; }
    MPIT_MODULE_LOCAL constexpr iterator end() const noexcept { return {rest_, true}; }

private:
    core::text rest_;
};

} // namespace mpit
