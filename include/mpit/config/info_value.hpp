// SPDX-License-Identifier: BSD-3-Clause
// Converts a value in an MPI_Info object to the spelling that mpit parses. By the Info chapter of MPI (MPI-2.2, 9 and
// MPI-5.0, 10), spaces around a value or a list element are ignored. Info integers with leading zeros are decimal, and
// `true` and `false` also spell 1 and 0. The value of a text variable is not converted.
//
//   const info_value value{variable, " 7 , 08 "};   value.is_legal();   value.spelled();   // "7,8"
#pragma once

#include <mpit/core/parse.hpp>
#include <mpit/descriptor/control_value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

class info_value {
public:
    [[gnu::cold]] info_value(descriptor::control& variable, text value) noexcept : spelled_{value} {
        if (variable.type == datatype::char_type || value.length >= sizeof buffer_) return;
        for (bool has_more = true; has_more;) {
            text element = value;
            has_more = variable.count != 1 && core::split_first(value, element);
            convert(variable, core::without_blanks(element));
            if (has_more) append(",");
        }
        buffer_[length_] = '\0';
        spelled_ = {buffer_, length_};
    }
    info_value(const info_value&) = delete;

    // Returns the converted value with a terminating null. The converted value is not longer than the original value.
    text spelled() const noexcept { return spelled_; }
    // False for a hexadecimal integer. mpit's parser accepts hexadecimal integers, but MPI's Info chapter forbids them.
    bool is_legal() const noexcept { return is_legal_; }

private:
    static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
    static bool is_boolean(descriptor::control& variable) noexcept {
        if (variable.enumeration.count != 0)
            return variable.enumeration.count == 2 && variable.enumeration.has(0) && variable.enumeration.has(1);
        if (variable.type != datatype::int_type || variable.range_offset == 0) return false;
        int low = 0, high = 0;
        descriptor::copy_range(variable, &low, &high);
        return low == 0 && high == 1;
    }

    [[gnu::cold]] void convert(descriptor::control& variable, text word) noexcept {
        for (int i = 0; i < variable.enumeration.count; i++)
            if (core::equal(word, variable.enumeration.items[i].name)) return append(word);
        const bool is_true = core::equal(word, "true");
        if ((is_true || core::equal(word, "false")) && is_boolean(variable)) return append(is_true ? "1" : "0");
        if (variable.type != datatype::double_type) {
            if (word.length != 0 && (*word.characters == '-' || *word.characters == '+')) {
                append({word.characters, 1});
                word = {word.characters + 1, word.length - 1};
            }
            while (word.length > 1 && *word.characters == '0' && is_digit(word.characters[1]))
                word = {word.characters + 1, word.length - 1};
            const bool is_hex = word.length > 1 && *word.characters == '0' && (word.characters[1] | 0x20) == 'x';
            is_legal_ = is_legal_ && !is_hex;
        }
        append(word);
    }
    void append(text part) noexcept {
        std::memcpy(buffer_ + length_, part.characters, part.length);
        length_ += part.length;
    }
    text spelled_;
    bool is_legal_ = true;
    std::uint32_t length_ = 0;
    char buffer_[1024];
};

} // namespace registry
} // namespace mpit
