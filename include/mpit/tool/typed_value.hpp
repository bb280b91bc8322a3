// SPDX-License-Identifier: BSD-3-Clause
// Conversions between the value of a variable and the C++ type that a tool selects. The type is a number, an
// enumeration, bool, a text, an array, a vector of numbers, or any_value. With any_value a tool displays variables of
// any type, without truncating a value or losing a sign. The C++ type is checked only when a handle is allocated. Any
// thread may call the functions for any_value. Signal handlers must not call these functions, which allocate memory.
//
//   typed_value<std::array<int, 4>>::has_type(info)
//   mpit::tool::any_value value;   if (limit.read(value) == mpit::result::success) std::puts(text_of(value).c_str());
#pragma once

#include <mpit/core/real_text.hpp>
#include <mpit/tool/info.hpp>

#include <array>
#include <cstring>
#include <variant>

namespace mpit::inline v1_0::tool {

// The value of a variable of any type. The value is either a text, or a vector with one number for each element.
using any_value = std::variant<std::string, std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>>;

namespace MPIT_MODULE_LOCAL detail {

template <class Number> std::vector<Number> load(const char* bytes, std::uint32_t count, datatype type) {
    std::vector<Number> numbers;
    numbers.reserve(count);
    for (std::uint32_t i = 0; i < count; i++, bytes += core::size_of(type))
        numbers.push_back(__builtin_bit_cast(Number, core::word_from(type, bytes)));
    return numbers;
}
template <class Number> void store(char* bytes, const std::vector<Number>& numbers, const variable_info& variable) {
    for (const Number number : numbers) {
        if (variable.is_bool) {
            *bytes++ = number != 0;
        } else {
            core::word_to(*variable.type, __builtin_bit_cast(std::uint64_t, number), bytes);
            bytes += core::size_of(*variable.type);
        }
    }
}

inline std::string text_of(double number) { return core::real_text{number}.characters; }
inline std::string text_of(std::int64_t number) { return std::to_string(number); }
inline std::string text_of(std::uint64_t number) { return std::to_string(number); }

} // namespace detail

// Returns the size of an element in bytes, or 0 if the type is neither a type of the standard nor bool.
inline std::uint32_t size_of_element(const variable_info& variable) noexcept {
    return variable.type ? core::size_of(*variable.type) : variable.is_bool ? 1 : 0;
}

// Converts `count` elements, which the implementation has stored at `bytes`, to an any_value.
inline any_value value_in(const char* bytes, std::uint32_t count, const variable_info& variable) {
    if (variable.is_bool) return std::vector<std::uint64_t>(bytes, bytes + count);
    const datatype type = *variable.type;
    if (type == datatype::char_type) return std::string(bytes, strnlen(bytes, count));
    if (type == datatype::double_type) return detail::load<double>(bytes, count, type);
    if (core::is_signed(type)) return detail::load<std::int64_t>(bytes, count, type);
    return detail::load<std::uint64_t>(bytes, count, type);
}

// Returns a value as text, with blanks between elements. If an element is a value of the enumeration, the text contains
// the name of the value instead of the number.
inline std::string text_of(const any_value& value, const enumeration_info& enumeration = {}) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    std::string joined;
    std::visit([&](const auto& elements) {
        if constexpr (!__is_same(std::decay_t<decltype(elements)>, std::string))
            for (const auto element : elements) {
                const std::string* name = enumeration.name_of(static_cast<int>(element));
                joined += (joined.empty() ? "" : " ") + (name != nullptr ? *name : detail::text_of(element));
            }
    }, value);
    return joined;
}

// Returns true if elements of two types have the same size and representation. For example, unsigned long can hold
// MPI_UNSIGNED_LONG and MPI_UINT64_T. For the library's own use.
constexpr bool are_alike(datatype a, datatype b) noexcept {
    const auto is_plain = [](datatype t) { return t == datatype::double_type || t == datatype::char_type; };
    if (is_plain(a) || is_plain(b)) return a == b;
    return core::size_of(a) == core::size_of(b) && core::is_signed(a) == core::is_signed(b);
}

// The base class for values whose elements have the same representation in the tool and in the implementation. For the
// library's own use.
template <class T> struct typed_element {
    static_assert(core::number<T> || core::enumerated<T>,
                  "a variable must be read as a number, an enumeration, bool, std::string, std::array or std::vector "
                  "of numbers, or mpit::tool::any_value");
    static_assert(!__is_enum(T) || sizeof(T) == sizeof(int), "an enumeration of a tool must have the size of int");

    static bool has_type(const variable_info& variable) noexcept {
        if constexpr (__is_same(T, bool)) return variable.is_bool;
        else if (!variable.type) return false;
        else if constexpr (core::number<T>) return are_alike(*variable.type, core::value_type<T>::type);
        else if constexpr (core::is_described<T>)
            return *variable.type == datatype::int_type &&
                   has_items(variable.enumeration, core::enumeration_view_of<T>());
        else return *variable.type == datatype::int_type;
    }

    static void set(const auto&, const variable_info&, std::uint32_t, const std::string&) noexcept {}

private:
    // Returns true if the enumeration of the variable has all items of the tool's enumeration. The enumeration of the
    // variable may have more items than the tool's enumeration.
    static bool has_items(const enumeration_info& enumeration, core::enumeration_view view) noexcept {
        for (int i = 0; i < view.count; i++) {
            const std::string* name = enumeration.name_of(view.items[i].value);
            if (name == nullptr || *name != view.items[i].name.characters) return false;
        }
        return true;
    }
};

// Converts values of the C++ type T to and from elements of a variable. A read stores the elements in the buffer that
// read_buffer() returns, and then set() assigns the value. write_bytes() returns the bytes to write, or null if the
// number of elements is wrong. read_buffer() and write_bytes() may use `scratch` as memory. For the library's own use.
template <class T> struct typed_value : typed_element<T> {
    static bool has_count(std::uint32_t count) noexcept { return count == 1; }
    static char* read_buffer(T& value, const variable_info&, std::uint32_t, std::string&) noexcept {
        return reinterpret_cast<char*>(&value);
    }
    static const char* write_bytes(const T& value, const variable_info&, std::uint32_t, std::string&) noexcept {
        return reinterpret_cast<const char*>(&value);
    }
};

// A tool can use bool for a bool variable of an MPI, and for an int whose enumeration has only the items 0 and 1.
template <> struct typed_value<bool> {
    static bool has_type(const variable_info& variable) noexcept {
        const auto& items = variable.enumeration.items;
        return variable.is_bool ||
               (variable.type == datatype::int_type && items.size() == 2 &&
                variable.enumeration.name_of(0) != nullptr && variable.enumeration.name_of(1) != nullptr);
    }
    static bool has_count(std::uint32_t count) noexcept { return count == 1; }
    static char* read_buffer(bool&, const variable_info&, std::uint32_t, std::string& scratch) {
        scratch.assign(sizeof(int), '\0');
        return scratch.data();
    }
    static void set(bool& value, const variable_info&, std::uint32_t, const std::string& scratch) noexcept {
        value = scratch.find_first_not_of('\0') != std::string::npos;
    }
    static const char* write_bytes(const bool& value, const variable_info& variable, std::uint32_t,
                                   std::string& scratch) {
        const int number = value;
        scratch.assign(
            variable.is_bool ? reinterpret_cast<const char*>(&value) : reinterpret_cast<const char*>(&number),
            variable.is_bool ? sizeof value : sizeof number);
        return scratch.data();
    }
};

template <class T, std::size_t N> struct typed_value<std::array<T, N>> : typed_element<T> {
    static bool has_count(std::uint32_t count) noexcept { return count == N; }
    static char* read_buffer(std::array<T, N>& value, const variable_info&, std::uint32_t, std::string&) noexcept {
        return reinterpret_cast<char*>(value.data());
    }
    static const char* write_bytes(const std::array<T, N>& value, const variable_info&, std::uint32_t,
                                   std::string&) noexcept {
        return reinterpret_cast<const char*>(value.data());
    }
};

template <class T> struct typed_value<std::vector<T>> : typed_element<T> {
    static bool has_count(std::uint32_t) noexcept { return true; }
    static char* read_buffer(std::vector<T>& value, const variable_info&, std::uint32_t count, std::string&) {
        value.resize(count);
        return reinterpret_cast<char*>(value.data());
    }
    static const char* write_bytes(const std::vector<T>& value, const variable_info&, std::uint32_t count,
                                   std::string&) noexcept {
        return value.size() == count ? reinterpret_cast<const char*>(value.data()) : nullptr;
    }
};

// Reads and writes all bytes of a char variable. The tool's std::string has the characters before the first null.
template <> struct typed_value<std::string> {
    static bool has_type(const variable_info& variable) noexcept { return variable.type == datatype::char_type; }
    static bool has_count(std::uint32_t) noexcept { return true; }
    static char* read_buffer(std::string&, const variable_info&, std::uint32_t count, std::string& scratch) {
        scratch.assign(count + 1, '\0');
        return scratch.data();
    }
    static void set(std::string& value, const variable_info&, std::uint32_t, const std::string& scratch) {
        value = scratch.c_str();
    }
    static const char* write_bytes(const std::string& value, const variable_info&, std::uint32_t count,
                                   std::string& scratch) {
        if (value.size() >= count) return nullptr;
        scratch.assign(count, '\0');
        scratch.replace(0, value.size(), value);
        return scratch.data();
    }
};

template <> struct typed_value<any_value> {
    static bool has_type(const variable_info& variable) noexcept { return size_of_element(variable) != 0; }
    static bool has_count(std::uint32_t) noexcept { return true; }
    static char* read_buffer(any_value&, const variable_info& variable, std::uint32_t count, std::string& scratch) {
        scratch.assign(std::size_t{count} * size_of_element(variable) + 1, '\0');
        return scratch.data();
    }
    static void set(any_value& value, const variable_info& variable, std::uint32_t count, const std::string& scratch) {
        value = value_in(scratch.data(), count, variable);
    }
    // write_bytes() also returns null if the type of the value is wrong, such as a text for an int variable.
    static const char* write_bytes(const any_value& value, const variable_info& variable, std::uint32_t count,
                                   std::string& scratch) {
        if (const auto* text = std::get_if<std::string>(&value))
            return variable.type == datatype::char_type
                       ? typed_value<std::string>::write_bytes(*text, variable, count, scratch)
                       : nullptr;
        scratch.assign(std::size_t{count} * size_of_element(variable), '\0');
        const any_value zero = value_in(scratch.data(), count, variable);
        bool is_compatible = value.index() == zero.index();
        std::visit([&](const auto& elements) {
            if constexpr (!__is_same(std::decay_t<decltype(elements)>, std::string)) {
                is_compatible = is_compatible && elements.size() == count;
                if (is_compatible) detail::store(scratch.data(), elements, variable);
            }
        }, value);
        return is_compatible ? scratch.data() : nullptr;
    }
};

} // namespace mpit::tool
