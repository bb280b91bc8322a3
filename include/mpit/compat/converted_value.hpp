// SPDX-License-Identifier: BSD-3-Clause
// Converts values between the types of the registry and those of the draft. A value above the maximum of a long long is
// read as that maximum; a write that the variable cannot hold is rejected.
//
//   compat::widen(record, buffer);   compat::narrowed_value value{record, buffer};   if (value.code() == MPIT_SUCCESS) …
#pragma once

#include <mpit/compat/datatype.hpp> // IWYU pragma: keep

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL compat {

constexpr bool is_half_a_word(datatype type) {
    return type == datatype::unsigned_type || type == datatype::uint32_type;
}
constexpr bool is_unsigned_word(datatype type) {
    return type == datatype::unsigned_long_type || type == datatype::unsigned_long_long_type ||
           type == datatype::uint64_type;
}

// Turns a value that was read into a tool's buffer, where there is room for it in the draft's datatype, into that
// datatype.
inline void widen(const variable_record& record, void* buffer) noexcept {
    auto* bytes = static_cast<char*>(buffer);
    if (is_half_a_word(record.type)) {
        for (std::uint32_t i = record.count; i-- != 0;) { // from the last one, because the longer ones overlap
            std::uint32_t narrow = 0;
            std::memcpy(&narrow, bytes + i * sizeof narrow, sizeof narrow);
            const long long wide = narrow;
            std::memcpy(bytes + i * sizeof wide, &wide, sizeof wide);
        }
    } else if (is_unsigned_word(record.type)) {
        for (std::uint32_t i = 0; i < record.count; i++) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + i * sizeof word, sizeof word);
            if (word > INT64_MAX) word = INT64_MAX;
            std::memcpy(bytes + i * sizeof word, &word, sizeof word);
        }
    }
}

// A value of a tool in the registry's type. Its memory is the tool's own, unless the variable has shorter elements.
class narrowed_value {
public:
    narrowed_value(const variable_record& record, const void* buffer) noexcept : value_{buffer} {
        if (is_unsigned_word(record.type))
            code_ = is_in_range(record, buffer, INT64_MAX) ? MPIT_SUCCESS : MPIT_ERR_INVALID;
        else if (is_half_a_word(record.type)) narrow(record, buffer);
    }
    ~narrowed_value() {
        if (pages_ != nullptr) core::release_memory(pages_, page_bytes_);
    }
    narrowed_value(const narrowed_value&) = delete;
    // MPIT_ERR_INVALID for a number that the variable cannot hold, MPIT_ERR_MEMORY without room for many of them.
    int code() const noexcept { return code_; }
    const void* get() const noexcept { return value_; }

private:
    static long long element(const void* buffer, std::uint32_t number) noexcept {
        long long value = 0;
        std::memcpy(&value, static_cast<const char*>(buffer) + number * sizeof value, sizeof value);
        return value;
    }
    static bool is_in_range(const variable_record& record, const void* buffer, long long highest) noexcept {
        for (std::uint32_t i = 0; i < record.count; i++)
            if (element(buffer, i) < 0 || element(buffer, i) > highest) return false;
        return true;
    }
    void narrow(const variable_record& record, const void* buffer) noexcept {
        if (!is_in_range(record, buffer, UINT32_MAX)) {
            code_ = MPIT_ERR_INVALID;
            return;
        }
        std::uint32_t* words = few_;
        if (record.count > few) {
            page_bytes_ = record.count * sizeof(std::uint32_t);
            words = static_cast<std::uint32_t*>(pages_ = core::pages(page_bytes_));
        }
        if (words == nullptr) {
            code_ = MPIT_ERR_MEMORY;
            return;
        }
        for (std::uint32_t i = 0; i < record.count; i++) words[i] = static_cast<std::uint32_t>(element(buffer, i));
        value_ = words;
    }

    static constexpr std::uint32_t few = 32;
    const void* value_;
    int code_ = MPIT_SUCCESS;
    std::uint32_t few_[few];
    void* pages_ = nullptr;
    std::size_t page_bytes_ = 0;
};

} // namespace compat
} // namespace mpit
