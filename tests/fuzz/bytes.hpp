// The input of one run, taken piece by piece as numbers, choices and texts. An input that is used up answers zeros, so
// that every sequence of bytes means something.
//
//   bytes in{data, size};   const unsigned which = in.number(62);   const std::string text = in.text(20);
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

class bytes {
public:
    bytes() = default;
    bytes(const std::uint8_t* data, std::size_t size) : at_{data}, left_{size} {}

    bool is_empty() const { return left_ == 0; }
    unsigned byte() {
        if (left_ == 0) return 0;
        left_--;
        return *at_++;
    }
    // From 0 to `end` - 1.
    unsigned number(unsigned end) {
        unsigned value = byte();
        if (end > 256) value = value << 8 | byte();
        return value % end;
    }
    bool one_in(unsigned many) { return number(many) == many - 1; }
    std::uint64_t word() {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < 8; i++) value = value << 8 | byte();
        return value;
    }
    void fill(void* to, std::size_t size) {
        for (std::size_t i = 0; i < size; i++) static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(byte());
    }
    template <class T, std::size_t N> const T& one_of(const T (&choices)[N]) {
        return choices[number(static_cast<unsigned>(N))];
    }
    // Characters without a null.
    std::string text(unsigned longest) {
        std::string made;
        for (unsigned length = number(longest + 1); made.size() < length;) made += static_cast<char>(1 + byte() % 255);
        return made;
    }

private:
    const std::uint8_t* at_ = nullptr;
    std::size_t left_ = 0;
};
