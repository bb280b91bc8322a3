// Texts of one repeated character: their length says which, so that half of one text and half of another are told
// apart.
//     name.set(repeated_text(n, 127).c_str());   torn += !is_repeated(seen);
#pragma once

#include <string>
#include <string_view>

inline std::string repeated_text(int n, int longest) {
    return std::string(static_cast<std::size_t>(1 + n % longest), static_cast<char>('a' + n % 26));
}
// The empty text is one, too.
inline bool is_repeated(std::string_view seen) {
    return seen.find_first_not_of(seen.empty() ? ' ' : seen[0]) == std::string_view::npos;
}
