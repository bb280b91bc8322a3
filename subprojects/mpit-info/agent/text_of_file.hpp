// The text of a file of /proc, which tells no size: `text_of_file("/proc/self/cmdline")`, and its parts behind each of
// which a zero stands.
#pragma once

#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace mpit_info {

// Empty if the file cannot be read.
inline std::string text_of_file(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    std::string text;
    char part[4096];
    for (ssize_t length = 0; file >= 0 && (length = read(file, part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(length));
    if (file >= 0) close(file);
    return text;
}

inline std::vector<std::string> words_of_file(const char* path) {
    std::string text = text_of_file(path);
    if (!text.empty() && text.back() != '\0') text += '\0'; // programs may write over it
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size(); begin = text.find('\0', begin) + 1)
        words.emplace_back(text.c_str() + begin);
    return words;
}

} // namespace mpit_info
