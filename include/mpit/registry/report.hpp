// SPDX-License-Identifier: BSD-3-Clause
// Reports are messages of one line to the user of the program. Typical reports name an item that is declared twice or a
// setting that cannot be used. No report stops the program. Reports are sent only after a change of the registry is
// complete, because a report handler may block or leave by longjmp().
//
//   report_list reports;   reports.add("the category %s has two descriptions", name);
//   reports.send(registry.reports_to.load());
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/core/text.hpp>

#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace mpit::inline v1_0 {

// The type of a report handler, which receives one report at a time, without a newline. Any thread that loads a
// library, initializes the tool interface or changes settings may call the report handler. The calling thread holds no
// lock, so the report handler may sleep, use mpit or leave by longjmp().
using report_handler = void (*)(const char* line);

namespace MPIT_MODULE_LOCAL registry {

inline constexpr std::size_t longest_report = 1280;

inline void write_to_standard_error(const char* line) noexcept {
    char with_newline[longest_report + 16];
    const int length = std::snprintf(with_newline, sizeof with_newline, "mpit: %s\n", line);
    if (length > 0 && write(STDERR_FILENO, with_newline, static_cast<std::size_t>(length)) < 0) return;
}

namespace MPIT_MODULE_LOCAL detail {

// Returns the size of a text's first character in bytes, or 0 if the character is invalid UTF-8 or not printable.
[[gnu::cold]] constexpr std::uint32_t size_of_printable(core::text source) {
    const auto byte = [&](std::uint32_t index) -> std::uint32_t {
        return static_cast<unsigned char>(source.characters[index]);
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return lead >= ' ' && lead != 0x7f;
    const std::uint32_t size = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (size == 0 || size > source.length) return 0;
    std::uint32_t character = lead & (0x7fu >> size);
    for (std::uint32_t i = 1; i < size; i++) {
        if (byte(i) >> 6 != 2) return 0;
        character = character << 6 | (byte(i) & 0x3f);
    }
    constexpr std::uint32_t smallest[] = {0, 0, 0xa0, 0x800, 0x10000};
    const bool is_surrogate = character >= 0xd800 && character < 0xe000;
    const bool is_layout_control =
        (character >= 0x2028 && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069);
    return character < smallest[size] || character > 0x10ffff || is_surrogate || is_layout_control ? 0 : size;
}

} // namespace detail

// A report that is being composed. The text of the report is cut to longest_report - 1 bytes.
class message {
public:
    [[gnu::format(printf, 2, 3), gnu::cold]] void append(const char* format, ...) noexcept {
        std::va_list arguments;
        va_start(arguments, format);
        append_with(format, arguments);
        va_end(arguments);
    }
    [[gnu::format(printf, 2, 0), gnu::cold]] void append_with(const char* format, std::va_list arguments) noexcept {
        const int length = std::vsnprintf(line_ + length_, sizeof line_ - length_, format, arguments);
        if (length > 0) length_ += static_cast<std::size_t>(length);
        if (length_ >= sizeof line_) length_ = sizeof line_ - 1;
    }
    // Appends at most about `limit` bytes of a text from outside the program. A longer text is cut between two
    // characters. Unprintable bytes are replaced by escapes.
    [[gnu::cold]] void append_escaped(core::text source, std::size_t limit) noexcept {
        const std::size_t end = length_ + limit;
        while (source.length != 0 && length_ < end) {
            const std::uint32_t size = detail::size_of_printable(source);
            if (size == 0) append("\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(*source.characters)));
            else append("%.*s", static_cast<int>(size), source.characters);
            const std::uint32_t consumed = size == 0 ? 1 : size;
            source = {source.characters + consumed, source.length - consumed};
        }
        if (source.length != 0) append("...");
    }
    // Appends a text by append_escaped(). Encloses the text in quotes if the text is empty or contains a space.
    [[gnu::cold]] void append_quoted(core::text source, std::size_t limit) noexcept {
        const bool is_one_word = source.length != 0 && std::memchr(source.characters, ' ', source.length) == nullptr;
        append("%s", is_one_word ? "" : "\"");
        append_escaped(source, limit);
        append("%s", is_one_word ? "" : "\"");
    }
    const char* line() const noexcept { return line_; }
    std::uint32_t length() const noexcept { return static_cast<std::uint32_t>(length_); }
    void send(report_handler handler) const noexcept {
        (handler != nullptr ? handler : &write_to_standard_error)(line_);
    }

private:
    std::size_t length_ = 0;
    char line_[longest_report]{};
};

// The reports that wait to be sent. The first reports are stored inside the list object, and later reports in allocated
// blocks. If no memory is left for a report, the report is only counted. All copies of mpit share report lists, because
// the copy that loads a tree sends the reports that a registrar of another copy has added.
class report_list {
public:
    static constexpr std::uint32_t size_of_block = 1 << 14;
    struct block {
        block* next;
        std::uint32_t used;
        char lines[size_of_block - 12];
    };

    report_list() noexcept {}
    report_list(const report_list&) = delete;
    ~report_list() {
        while (first_ != nullptr) drop_first();
    }

    [[gnu::format(printf, 2, 3), gnu::cold]] void add(const char* format, ...) noexcept {
        message text;
        std::va_list arguments;
        va_start(arguments, format);
        text.append_with(format, arguments);
        va_end(arguments);
        add(text);
    }
    [[gnu::cold]] void add(const message& text) noexcept { store(text.line(), text.length() + 1); }
    // Moves all reports of another list to this list.
    [[gnu::cold]] void take(report_list& reports) noexcept {
        reports.for_each([&](const char* line) { store(line, static_cast<std::uint32_t>(std::strlen(line)) + 1); });
        lost_ += reports.lost_;
        reports.clear();
    }
    // Sends all reports and empties the list. The caller must hold no lock, because handlers may leave by longjmp().
    void send(report_handler handler) noexcept {
        if (is_empty()) [[likely]]
            return;
        send_all(handler != nullptr ? handler : &write_to_standard_error);
    }

    void clear() noexcept {
        used_ = lost_ = 0;
        while (first_ != nullptr) drop_first();
    }

private:
    bool is_empty() const noexcept { return used_ == 0 && lost_ == 0; }
    void drop_first() noexcept {
        block* const next = first_->next;
        core::release_memory(first_, sizeof(block));
        first_ = next;
    }
    [[gnu::cold]] void store(const char* line, std::uint32_t size) noexcept {
        if (first_ == nullptr && used_ + size <= sizeof lines_) {
            std::memcpy(lines_ + used_, line, size);
            used_ += size;
            return;
        }
        if (first_ == nullptr || last_->used + size > sizeof last_->lines) {
            auto* added = static_cast<block*>(core::pages(sizeof(block)));
            if (added == nullptr) return void(lost_++);
            (first_ == nullptr ? first_ : last_->next) = added;
            last_ = added;
        }
        std::memcpy(last_->lines + last_->used, line, size);
        last_->used += size;
    }
    template <class Function> static void for_each_in(const char* lines, std::uint32_t used, const Function& function) {
        for (std::uint32_t offset = 0; offset < used;
             offset += static_cast<std::uint32_t>(std::strlen(lines + offset)) + 1)
            function(lines + offset);
    }
    template <class Function> void for_each(const Function& function) const {
        for_each_in(lines_, used_, function);
        for (const block* b = first_; b != nullptr; b = b->next) for_each_in(b->lines, b->used, function);
    }
    [[gnu::cold]] void send_all(report_handler handler) noexcept {
        for_each(handler);
        if (lost_ != 0) {
            message text;
            text.append("memory is exhausted: %u more reports are lost", lost_);
            text.send(handler);
        }
        clear();
    }

    std::uint32_t used_ = 0, lost_ = 0;
    block *first_ = nullptr, *last_ = nullptr;
    char lines_[longest_report + 256];
};

[[gnu::format(printf, 2, 3), gnu::cold]] inline void report(report_handler handler, const char* format, ...) noexcept {
    message text;
    std::va_list arguments;
    va_start(arguments, format);
    text.append_with(format, arguments);
    va_end(arguments);
    text.send(handler);
}

} // namespace registry
} // namespace mpit
