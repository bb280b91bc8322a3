// CHARACTER variables as a Fortran compiler passes them: an address without a null behind it, and a hidden length. They
// have memory of exactly their own, so that a sanitizer sees who reads too far, and marks that show who writes too far.
#pragma once

#include <cstring>
#include <memory>
#include <string>

namespace fortran {

inline std::string padded(std::string text, std::size_t length) {
    text.resize(length, ' ');
    return text;
}

// A text that a function reads.
class constant {
public:
    constant(const std::string& text) : length{text.size()}, characters_{std::make_unique<char[]>(text.size())} {
        std::memcpy(characters_.get(), text.data(), length);
    }
    constant(const char* text) : constant{std::string{text}} {}
    operator const char*() const { return characters_.get(); }

    const std::size_t length;

private:
    std::unique_ptr<char[]> characters_;
};

// A text that a function writes.
class variable {
public:
    explicit variable(std::size_t size) : length{size}, characters_(size + 8, '#') {}
    operator char*() { return characters_.data(); }
    // Exactly this, cut or padded to the length, with nothing changed behind it.
    bool holds(const std::string& text) const { return characters_ == padded(text, length) + "########"; }
    bool is_untouched() const { return characters_ == std::string(length + 8, '#'); }
    std::string text() const { return characters_.substr(0, length); }

    const std::size_t length;

private:
    std::string characters_;
};

} // namespace fortran
