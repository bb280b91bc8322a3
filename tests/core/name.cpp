// Names: which ones tools can type, against a plain loop, and the key that tells most of them apart.

#include "catch.hpp"

#include <mpit/core/name.hpp>

#include <random>
#include <set>
#include <string>

namespace {

using mpit::core::is_possible_name;
using mpit::core::scan;

bool is_possible_by_a_plain_loop(const std::string& name) {
    for (const char c : name)
        if (c < '!' || c > '~') return false;
    return !name.empty() && name.size() <= 255;
}
mpit::core::text text_of(const std::string& name) { return {name.data(), static_cast<std::uint32_t>(name.size())}; }

} // namespace

TEST_CASE("A name with one unprintable byte is refused, at any position and length") {
    for (std::size_t length = 0; length <= 260; length++)
        REQUIRE(is_possible_name(text_of(std::string(length, 'a'))) == (length >= 1 && length <= 255));
    for (std::size_t length = 1; length <= 40; length++)
        for (std::size_t at = 0; at < length; at++)
            for (int byte = 0; byte < 256; byte++) {
                std::string name(length, byte % 2 == 0 ? '!' : '~');
                name[at] = static_cast<char>(byte);
                REQUIRE(is_possible_name(text_of(name)) == is_possible_by_a_plain_loop(name));
            }
}

TEST_CASE("Bytes that borrow from their neighbours hide no other invalid byte") {
    std::mt19937 random{37};
    const char bytes[] = {'\0', '\1', ' ', '!', '"', 'z', '}', '~', '\x7f', '\x80', '\xa0', '\xa1', '\xfe', '\xff'};
    for (int repetition = 0; repetition < 100'000; repetition++) {
        std::string name(1 + random() % 24, 'a');
        for (unsigned change = random() % 4; change > 0; change--)
            name[random() % name.size()] = bytes[random() % sizeof bytes];
        REQUIRE(is_possible_name(text_of(name)) == is_possible_by_a_plain_loop(name));
    }
}

TEST_CASE("The key of a name is the same in the compiler and at run time, and reads no byte behind the name") {
    static constexpr auto in_the_compiler = scan("unexpected_queue_length").key;
    const std::string longer = "unexpected_queue_length_of_all";
    CHECK(scan({longer.data(), 23}).key == in_the_compiler);
    CHECK(scan("unexpected_queue_lengths").key != in_the_compiler);
}

TEST_CASE("Names that differ in their numbers have keys of their own, and spread over any part of a table") {
    std::set<std::uint32_t> keys, low, high;
    for (const std::string prefix : {"n", "sent_", "messages_sent_", "PREFIX_OF_A_RATHER_LONG_NAME_"})
        for (int number = 0; number < 1000; number++) {
            const std::uint32_t key = scan(text_of(prefix + std::to_string(number))).key;
            keys.insert(key);
            low.insert(key & 0xfff);
            high.insert(key >> 20);
        }
    CHECK(keys.size() == 4000);
    CHECK(low.size() > 2400); // of 4096 that as many random numbers would fill to 2550
    CHECK(high.size() > 2400);
}
