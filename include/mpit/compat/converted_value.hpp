// SPDX-License-Identifier: BSD-3-Clause
// Converts values of variables between the datatypes of the registry and of the draft of 2011. A read returns the
// maximum of long long instead of any greater value. A write rejects a value that the variable cannot hold.
//
//   compat::widen(record, buffer);   compat::narrowed_value value{record, buffer};   value.code() == MPIT_SUCCESS
#pragma once

#include <mpit/compat/datatype.hpp> // IWYU pragma: keep

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

constexpr bool is_unsigned_32(datatype type) {
    return type == datatype::unsigned_type || type == datatype::uint32_type;
}
constexpr bool is_unsigned_64(datatype type) {
    return type == datatype::unsigned_long_type || type == datatype::unsigned_long_long_type ||
           type == datatype::uint64_type;
}

// Converts a value in place to the datatype of the draft of 2011. The buffer must have room for the converted value.
inline void widen(const variable_record& record, void* buffer) noexcept {
    auto* bytes = static_cast<char*>(buffer);
    if (is_unsigned_32(record.type)) {
        for (std::uint32_t i = record.count; i-- != 0;) { // backwards: a wide element overwrites later narrow elements
            std::uint32_t narrow = 0;
            std::memcpy(&narrow, bytes + i * sizeof narrow, sizeof narrow);
            const long long wide = narrow;
            std::memcpy(bytes + i * sizeof wide, &wide, sizeof wide);
        }
    } else if (is_unsigned_64(record.type)) {
        for (std::uint32_t i = 0; i < record.count; i++) {
            std::uint64_t value = 0;
            std::memcpy(&value, bytes + i * sizeof value, sizeof value);
            if (value > INT64_MAX) value = INT64_MAX;
            std::memcpy(bytes + i * sizeof value, &value, sizeof value);
        }
    }
}

// Before a tool's write, converts the value to the datatype that the variable has in the registry. The result is the
// tool's buffer, or a copy if the elements of the variable are shorter than the elements of the buffer.
class narrowed_value {
public:
    narrowed_value(const variable_record& record, const void* buffer) noexcept : value_{buffer} {
        if (is_unsigned_64(record.type))
            code_ = is_in_range(record, buffer, INT64_MAX) ? MPIT_SUCCESS : MPIT_ERR_INVALID;
        else if (is_unsigned_32(record.type)) narrow(record, buffer);
    }
    ~narrowed_value() {
        if (pages_ != nullptr) core::release_memory(pages_, page_bytes_);
    }
    narrowed_value(const narrowed_value&) = delete;
    // Returns MPIT_ERR_INVALID if the variable cannot hold the value, or MPIT_ERR_MEMORY if memory is exhausted.
    int code() const noexcept { return code_; }
    const void* get() const noexcept { return value_; }

private:
    static long long element(const void* buffer, std::uint32_t index) noexcept {
        long long value = 0;
        std::memcpy(&value, static_cast<const char*>(buffer) + index * sizeof value, sizeof value);
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
        std::uint32_t* copy = inline_copy_;
        if (record.count > inline_capacity) {
            page_bytes_ = record.count * sizeof(std::uint32_t);
            copy = static_cast<std::uint32_t*>(pages_ = core::pages(page_bytes_));
        }
        if (copy == nullptr) {
            code_ = MPIT_ERR_MEMORY;
            return;
        }
        for (std::uint32_t i = 0; i < record.count; i++) copy[i] = static_cast<std::uint32_t>(element(buffer, i));
        value_ = copy;
    }

    static constexpr std::uint32_t inline_capacity = 32;
    const void* value_;
    int code_ = MPIT_SUCCESS;
    std::uint32_t inline_copy_[inline_capacity];
    void* pages_ = nullptr;
    std::size_t page_bytes_ = 0;
};

} // namespace compat
} // namespace mpit
