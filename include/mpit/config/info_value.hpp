// SPDX-License-Identifier: BSD-3-Clause
// The value of an MPI_Info object in the spelling that control variables parse. The Info chapter has its own rules:
// spaces around a value and around each element of a list are ignored, whole numbers are decimal also with leading
// zeros, and `true` and `false` are 1 and 0 (MPI-2.2, 9; MPI-5.0, 10). A text is taken as it is.
//
//   const info_value value{variable, " 7 , 08 "};   value.is_legal();   value.spelled();   // "7,8"
#pragma once

#include <mpit/core/parse.hpp>
#include <mpit/descriptor/control_value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

class info_value {
public:
    [[gnu::cold]] info_value(descriptor::control& variable, text setting) noexcept : spelled_{setting} {
        if (variable.type == datatype::char_type || setting.length >= sizeof room_) return;
        for (bool is_more = true; is_more;) {
            text element = setting;
            is_more = variable.count != 1 && core::take_element(setting, element);
            spell(variable, core::without_blanks(element));
            if (is_more) add(",");
        }
        room_[length_] = '\0';
        spelled_ = {room_, length_};
    }
    info_value(const info_value&) = delete;

    // A null follows it. It is no longer than the value that was given.
    text spelled() const noexcept { return spelled_; }
    // False if a whole number is hexadecimal, which control variables would read all the same.
    bool is_legal() const noexcept { return is_legal_; }

private:
    static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
    static bool is_switch(descriptor::control& variable) noexcept {
        if (variable.enumeration.count != 0)
            return variable.enumeration.count == 2 && variable.enumeration.has(0) && variable.enumeration.has(1);
        if (variable.type != datatype::int_type || variable.range_offset == 0) return false;
        int low = 0, high = 0;
        descriptor::put_range(variable, &low, &high);
        return low == 0 && high == 1;
    }

    [[gnu::cold]] void spell(descriptor::control& variable, text word) noexcept {
        for (int i = 0; i < variable.enumeration.count; i++)
            if (core::equal(word, variable.enumeration.items[i].name)) return add(word);
        const bool is_true = core::equal(word, "true");
        if ((is_true || core::equal(word, "false")) && is_switch(variable)) return add(is_true ? "1" : "0");
        if (variable.type != datatype::double_type) {
            if (word.length != 0 && (*word.characters == '-' || *word.characters == '+')) {
                add({word.characters, 1});
                word = {word.characters + 1, word.length - 1};
            }
            while (word.length > 1 && *word.characters == '0' && is_digit(word.characters[1]))
                word = {word.characters + 1, word.length - 1};
            const bool is_other_base = word.length > 1 && *word.characters == '0' && (word.characters[1] | 0x20) == 'x';
            is_legal_ = is_legal_ && !is_other_base;
        }
        add(word);
    }
    void add(text more) noexcept {
        std::memcpy(room_ + length_, more.characters, more.length);
        length_ += more.length;
    }
    text spelled_;
    bool is_legal_ = true;
    std::uint32_t length_ = 0;
    char room_[1024];
};

} // namespace registry
} // namespace mpit
