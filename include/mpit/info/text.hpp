// SPDX-License-Identifier: BSD-3-Clause
// Parses the values of hints. Booleans, integers and lists have the spelling of the MPI standard (MPI-5.0, chapter 10).
// A text in a different spelling than in the standard is rejected, and nothing is stored. Any thread and any signal
// handler may call the functions, which have no state and allocate nothing.
//
//   std::int64_t size = 0;  if (mpit::read_hint(hints, "buffer_size", size) == mpit::info_result::success) …
//   for (mpit::core::text host : mpit::hint_list{*hints.find("hosts")}) …
#pragma once

#include <mpit/core/range.hpp>
#include <mpit/info.hpp>

namespace mpit::inline v1_0 {

// Returns all characters of a Fortran CHARACTER(*) argument. In names of MPI objects, leading blanks are significant.
// For the library's own use.
MPIT_MODULE_LOCAL constexpr core::text whole_fortran_text(const char* characters, std::size_t length) noexcept {
    constexpr std::size_t longest = core::limits<std::uint32_t>::highest;
    return {characters, static_cast<std::uint32_t>(length < longest ? length : longest)};
}

// Returns a Fortran CHARACTER(*) argument without leading and trailing blanks. Keys and values from Fortran are stored
// and looked up without leading and trailing blanks. The C functions do not remove blanks. For the library's own use.
MPIT_MODULE_LOCAL constexpr core::text fortran_text(const char* characters, std::size_t length) noexcept {
    return core::without_blanks(whole_fortran_text(characters, length));
}

// Reads "true" or "false" in lower case. If `value` is neither word, returns false and stores nothing.
MPIT_MODULE_LOCAL constexpr bool read_hint(core::text value, bool& result) noexcept {
    const core::text word = core::without_blanks(value);
    const bool is_true = core::constexpr_equal(word, "true");
    if (!is_true && !core::constexpr_equal(word, "false")) return false;
    result = is_true;
    return true;
}

// Reads a decimal number, which may have a sign. If `value` is not a decimal number in the range of the type, returns
// false and stores nothing.
template <class Integer>
    requires(Integer(1) / 2 == 0 && !__is_same(Integer, bool))
MPIT_MODULE_LOCAL constexpr bool read_hint(core::text value, Integer& result) noexcept {
    const core::text word = core::without_blanks(value);
    const bool has_sign = word.length != 0 && (word.characters[0] == '-' || word.characters[0] == '+');
    const bool is_negative = has_sign && word.characters[0] == '-';
    if (word.length == (has_sign ? 1u : 0u)) return false;
    // The digits of a negative number are subtracted, so that the overflow checks accept the lowest value of the type.
    Integer number{};
    for (std::uint32_t i = has_sign ? 1 : 0; i < word.length; i++) {
        const char digit = word.characters[i];
        if (digit < '0' || digit > '9') return false;
        const auto addend = static_cast<Integer>(digit - '0');
        if (__builtin_mul_overflow(number, Integer{10}, &number)) return false;
        if (is_negative ? __builtin_sub_overflow(number, addend, &number)
                        : __builtin_add_overflow(number, addend, &number))
            return false;
    }
    result = number;
    return true;
}

// Reads the hint with a key. Returns no_key if no hint has the key, and bad_value if the value is rejected.
template <class T> MPIT_MODULE_LOCAL info_result read_hint(const info& source, core::text key, T& result) noexcept {
    const core::text* value = source.find(key);
    if (value == nullptr) return info_result::no_key;
    return read_hint(*value, result) ? info_result::success : info_result::bad_value;
}

// The elements of a comma-separated list. An element has no leading and trailing spaces. Elements may be empty, so that
// n commas separate n + 1 elements. A value of spaces is an empty list. The elements point into the text of the value.
class hint_list {
public:
    MPIT_MODULE_LOCAL constexpr explicit hint_list(core::text value) noexcept : list_{core::without_blanks(value)} {}

    // Iterates over the elements of the list. The elements have no terminating null.
    class iterator {
    public:
        MPIT_MODULE_LOCAL constexpr core::text operator*() const noexcept {
            return core::without_blanks({list_.characters, length_});
        }
        MPIT_MODULE_LOCAL constexpr iterator& operator++() noexcept {
            if (length_ == list_.length) return is_at_end_ = true, *this;
            list_ = {list_.characters + length_ + 1, list_.length - length_ - 1};
            length_ = length_of_first(list_);
            return *this;
        }
        MPIT_MODULE_LOCAL constexpr bool operator==(const iterator& other) const noexcept {
            return is_at_end_ == other.is_at_end_ && (is_at_end_ || list_.characters == other.list_.characters);
        }

    private:
        friend hint_list;
        MPIT_MODULE_LOCAL constexpr iterator(core::text list, bool is_at_end) noexcept
            : list_{list}, length_{length_of_first(list)}, is_at_end_{is_at_end} {}
        MPIT_MODULE_LOCAL static constexpr std::uint32_t length_of_first(core::text list) noexcept {
            std::uint32_t length = 0;
            while (length < list.length && list.characters[length] != ',') length++;
            return length;
        }

        core::text list_;
        std::uint32_t length_;
        bool is_at_end_;
    };
    MPIT_MODULE_LOCAL constexpr iterator begin() const noexcept { return {list_, list_.length == 0}; }
    MPIT_MODULE_LOCAL constexpr iterator end() const noexcept { return {list_, true}; }

private:
    core::text list_;
};

} // namespace mpit
