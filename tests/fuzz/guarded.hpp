// Memory that a call is given: exactly as large as the call may use it, so that the address sanitizer sees every step
// beyond, and with guard bytes around it if there is no such sanitizer. What must stay is compared afterwards.
//
//   guarded_buffer room{16};   f(room.data());   room.expect_unchanged_from(4);
#pragma once

#include "../sanitizers.hpp"
#include "bytes.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

// The call that is being made, for the report.
inline const char* present_call = "nothing";

// Stops the program where the library breaks a promise.
inline void demand(bool holds, const char* promise, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (holds) return;
    std::fprintf(stderr, "%s:%d: in %s: not true that %s\n", file, line, present_call, promise);
    std::abort();
}

class guarded_buffer {
public:
    static constexpr std::size_t guard_size = MPIT_ADDRESS_SANITIZER ? 0 : 32;
    explicit guarded_buffer(std::size_t size) : size_{size}, memory_{new unsigned char[size + 2 * guard_size]} {
        std::memset(memory_.get(), 0x5a, size + 2 * guard_size);
        keep();
    }
    std::size_t size() const { return size_; }
    unsigned char* data() const { return memory_.get() + guard_size; }
    // What it holds now is what must stay.
    void keep() { kept_.assign(memory_.get(), memory_.get() + size_ + 2 * guard_size); }
    void expect_unchanged() const { expect_unchanged_from(0); }
    void expect_unchanged_from(std::size_t first) const {
        const unsigned char *begin = memory_.get(), *kept = kept_.data();
        demand(std::equal(begin, begin + guard_size, kept), "the bytes in front of a buffer stay");
        demand(std::equal(begin + guard_size + first, begin + kept_.size(), kept + guard_size + first),
               "the bytes of a buffer that are not the answer stay, and those behind it");
    }

private:
    std::size_t size_;
    std::unique_ptr<unsigned char[]> memory_;
    std::vector<unsigned char> kept_;
};

// An OUT argument of one value, now and then null.
template <class T> class output {
public:
    explicit output(bytes& in) : output{in.one_in(8)} {}
    explicit output(bool is_null) {
        if (!is_null) room_.emplace(sizeof(T));
    }
    bool is_null() const { return !room_; }
    T* pointer() const { return room_ ? reinterpret_cast<T*>(room_->data()) : nullptr; }
    T value() const {
        T value;
        std::memcpy(&value, room_->data(), sizeof value);
        return value;
    }
    void hold(T value) {
        if (!room_) return;
        std::memcpy(room_->data(), &value, sizeof value);
        room_->keep();
    }
    void expect_unchanged() const {
        if (room_) room_->expect_unchanged();
    }
    // The value of a call that has succeeded; otherwise nothing has changed.
    void expect(bool has_succeeded, T value_then) const {
        if (!has_succeeded) return expect_unchanged();
        if (!room_) return;
        room_->expect_unchanged_from(sizeof(T));
        demand(value() == value_then, "an output is what it was the first time");
    }

private:
    std::optional<guarded_buffer> room_;
};

// A text that comes back into a buffer of the caller: both arguments of the pair, of any size, or null.
class text_output {
public:
    static constexpr int more_than_any_text = 2048;

    explicit text_output(bytes& in) : length_{in}, given_{draw_length(in)} {
        length_.hold(given_);
        const bool has_room = given_ > 0 && given_ <= more_than_any_text;
        if (!in.one_in(6))
            room_.emplace(static_cast<std::size_t>(has_room ? given_ : given_ > 0 ? more_than_any_text : 0));
    }
    char* characters() const { return room_ ? reinterpret_cast<char*>(room_->data()) : nullptr; }
    int* length() const { return length_.pointer(); }
    bool is_well_formed() const { return !room_ || length_.is_null() || given_ >= 0; }
    void expect(bool has_succeeded, const std::string& whole) const {
        const int needed = static_cast<int>(whole.size()) + 1;
        length_.expect(has_succeeded, needed);
        if (!room_) return;
        if (!has_succeeded || length_.is_null() || given_ <= 0) return room_->expect_unchanged();
        const int stored = given_ < needed ? given_ : needed;
        demand(std::memcmp(characters(), whole.data(), static_cast<std::size_t>(stored) - 1) == 0,
               "a text is what it was the first time, cut to its room");
        demand(characters()[stored - 1] == '\0', "a text ends in a null within its room");
        room_->expect_unchanged_from(static_cast<std::size_t>(stored));
    }

private:
    static int draw_length(bytes& in) {
        static constexpr int lengths[] = {0, 1, 2, more_than_any_text, INT_MAX, -1, INT_MIN};
        return in.one_in(2) ? in.one_of(lengths) : static_cast<int>(in.number(40));
    }
    output<int> length_;
    int given_;
    std::optional<guarded_buffer> room_;
};

// A text that a call is given, in memory of exactly its size; null if there is none.
class text_input {
public:
    explicit text_input(const std::optional<std::string>& text) {
        if (!text) return;
        room_.emplace(text->size() + 1);
        std::memcpy(room_->data(), text->c_str(), text->size() + 1);
        room_->keep();
    }
    ~text_input() {
        if (room_) room_->expect_unchanged();
    }
    text_input(const text_input&) = delete;
    char* pointer() const { return room_ ? reinterpret_cast<char*>(room_->data()) : nullptr; }

private:
    std::optional<guarded_buffer> room_;
};
