// Texts: their hash and whether two are equal; names: which ones tools can type, and their keys; misspelt names.
#include "../catch.hpp"

#include <mpit/concurrency/insert_only_table.hpp>
#include <mpit/core/hash.hpp>
#include <mpit/core/name.hpp>
#include <mpit/core/spelling.hpp>
#include <mpit/core/text.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using mpit::core::text;

namespace {

constexpr char letters[] = "The hash of a \xffname\x01 is made of eight bytes a step, and of the rest.";
constexpr char name_letters[] = "The_hash_of_a_name_is_made_of_eight_bytes_a_step_and_of_the_rest.";
constexpr int longest = 64;
static_assert(sizeof letters > longest && sizeof name_letters > longest);

consteval std::array<std::uint64_t, longest + 1> hashes_in_the_compiler(std::uint64_t seed) {
    std::array<std::uint64_t, longest + 1> made{};
    for (std::uint32_t n = 0; n <= longest; n++) made[n] = mpit::core::hash({letters, n}, seed);
    return made;
}

} // namespace

TEST_CASE("The hash of a text is the same in the compiler and at run time, at any address") {
    static constexpr auto with_seed_0 = hashes_in_the_compiler(0), with_seed_37 = hashes_in_the_compiler(37);
    for (std::size_t shift = 0; shift < 8; shift++) {
        const std::string copy = std::string(shift, '#') + letters;
        for (std::uint32_t n = 0; n <= longest; n++) {
            REQUIRE(mpit::core::hash({copy.data() + shift, n}, 0) == with_seed_0[n]);
            REQUIRE(mpit::core::hash({copy.data() + shift, n}, 37) == with_seed_37[n]);
        }
    }
}

TEST_CASE("Hashes of names of different lengths, seeds and single bits differ") {
    std::set<std::uint64_t> seen;
    std::size_t count = 0;
    for (std::uint64_t seed = 0; seed < 50; seed++)
        for (std::uint32_t n = 0; n <= longest; n++, count++) seen.insert(mpit::core::hash({name_letters, n}, seed));
    for (std::uint32_t n = 1; n <= 40; n++)
        for (std::uint32_t bit = 0; bit < n * 8; bit++) {
            std::string changed{name_letters, n};
            char& letter = changed[bit / 8];
            letter = static_cast<char>(letter ^ (1 << bit % 8));
            if (letter <= ' ' || letter > '~') continue;
            seen.insert(mpit::core::hash({changed.data(), n}));
            count++;
        }
    CHECK(seen.size() == count);
    CHECK(count > 5000);
}

TEST_CASE("The hash reads no byte behind the text") {
    CHECK(mpit::core::hash({"abcdefghijk", 9}) == mpit::core::hash({"abcdefghi..", 9}));
    CHECK(mpit::core::hash({"abc", 3}) == mpit::core::hash("abc"));
}

TEST_CASE("Texts are equal when every byte is, on the complete text", "[STR-11]") {
    const std::string longer = "a_name_of_20_letters_and_more";
    CHECK(mpit::core::equal("name", {"name_and_more", 4}));
    CHECK_FALSE(mpit::core::equal("name", "Name"));
    CHECK_FALSE(mpit::core::equal("name", "names"));
    CHECK_FALSE(mpit::core::equal({longer.c_str(), 20}, longer.c_str()));
    CHECK(mpit::core::equal("", text{}));
    static_assert(mpit::core::constexpr_equal("name", text{"name_and_more", 4}));
    static_assert(!mpit::core::constexpr_equal("name", "nama"));
}

TEST_CASE("A text contains its parts and no others") {
    static_assert(mpit::core::contains("in nanoseconds", "nanoseconds"));
    static_assert(mpit::core::contains("whole", "whole"));
    static_assert(mpit::core::contains("whole", ""));
    static_assert(!mpit::core::contains("whole", "whole thing"));
    CHECK_FALSE(mpit::core::contains("nanosecond", "nanoseconds"));
}

TEST_CASE("A name of any length is found in a table by its text alone") {
    struct named {
        std::uint64_t hash;
        text name;
    };
    const std::string many = std::string(name_letters) + name_letters;
    std::deque<std::string> texts;
    std::deque<named> entries;
    mpit::core::insert_only_table<named> table;
    const auto any = [](const named&) { return true; };
    for (std::uint32_t n = 1; n <= 100; n++) {
        const text name{texts.emplace_back(many, 0, n).c_str()};
        named& fresh = entries.emplace_back(named{mpit::core::hash(name, 5), name});
        CHECK(mpit::core::find_by_name(table, name, 5, any) == nullptr);
        CHECK(table.insert(fresh, [](const named&) { return false; }) == &fresh);
    }
    for (const named& each : entries) {
        const std::string copy{each.name.characters};
        CHECK(mpit::core::find_by_name(table, copy.c_str(), 5, any) == &each);
        CHECK(mpit::core::find_by_name(table, copy.c_str(), 5, [](const named&) { return false; }) == nullptr);
        for (std::size_t at = 0; at < copy.size(); at++) {
            std::string other = copy;
            other[at] = '#';
            CHECK(mpit::core::find_by_name(table, other.c_str(), 5, any) == nullptr);
        }
    }
}

TEST_CASE("Numbered names of every length differ in the slots and in the tags of a table") {
    const auto fullest = [](const auto& of) {
        int most = 0;
        for (const auto& each : of) most = each.second > most ? each.second : most;
        return most;
    };
    for (const char* beginning : {"", "n_", "requests_", "MPIR_CVAR_SOME_ALGORITHM_"})
        for (const char* end : {"", "_sent"}) {
            std::map<std::uint64_t, int> places, tags;
            for (int i = 0; i < 1 << 16; i++) {
                const std::string name = beginning + std::to_string(i) + end;
                const std::uint64_t hash = mpit::core::hash(name.c_str());
                places[hash & 0xfff]++;
                tags[hash >> 52]++;
            }
            INFO(beginning << "0" << end);
            CHECK(fullest(places) < 48); // 16 would be even
            CHECK(fullest(tags) < 48);
        }
}

TEST_CASE("Names with numbers at places 16 bytes apart have different hashes") {
    std::set<std::uint64_t> seen;
    std::string name(64, 'q');
    for (int i = 0; i < 1 << 16; i++) {
        int left = i;
        for (const std::size_t place : {0u, 16u, 32u, 48u, 2u, 18u, 34u, 50u}) {
            name[place] = static_cast<char>('0' + left % 4);
            left /= 4;
        }
        seen.insert(mpit::core::hash(name.c_str()));
    }
    CHECK(seen.size() == 1 << 16);
}

namespace {

using mpit::core::is_possible_name;
using mpit::core::scan;

bool is_possible_by_a_plain_loop(const std::string& name) {
    for (const char c : name)
        if (c < '!' || c > '~') return false;
    return !name.empty() && name.size() <= 255;
}
text text_of(const std::string& name) { return {name.data(), static_cast<std::uint32_t>(name.size())}; }

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

using mpit::core::edit_distance;
using mpit::core::misspelling;

namespace {

bool is_misspelt(const char* written, const char* name) {
    const bool there = misspelling(written, name) <= mpit::core::largest_misspelling;
    const bool back = misspelling(name, written) <= mpit::core::largest_misspelling;
    CHECK(there == back);
    return there;
}

// The distance of the textbook: a whole table, one letter at a time.
int distance_by_table(const std::string& a, const std::string& b) {
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); i++)
        for (std::size_t j = 0; j <= b.size(); j++) {
            if (i == 0 || j == 0) {
                d[i][j] = static_cast<int>(i + j);
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

enum class algorithm { ring, tree, linear, recursive_doubling, recursive_halving, y };
constexpr auto algorithms =
    // clang-format off
    mpit::enumerators<algorithm>("algorithm", {
        {"ring", algorithm::ring}, {"tree", algorithm::tree}, {"linear", algorithm::linear}, {"y", algorithm::y},
        {"recursive_doubling", algorithm::recursive_doubling}, {"recursive_halving", algorithm::recursive_halving}});
// clang-format on

std::string nearest(const char* written) {
    const text found = mpit::core::nearest_item(written, algorithms.view());
    return {found.characters, found.length};
}

} // namespace

TEST_CASE("Similar texts have the distance of the full textbook table, and one above the limit is only above it") {
    std::mt19937 random{7};
    int near = 0;
    for (int i = 0; i < 200'000; i++) {
        std::string a, b;
        for (std::size_t n = random() % 8; n > 0; n--) a += static_cast<char>('a' + random() % 3);
        for (std::size_t n = random() % 8; n > 0; n--) b += static_cast<char>('a' + random() % 3);
        const int expected = std::min(distance_by_table(a, b), 3);
        near += expected < 3;
        INFO(a << " and " << b);
        REQUIRE(edit_distance(a.c_str(), b.c_str()) == expected);
    }
    CHECK(near > 10'000);
    CHECK(edit_distance("LiMiT", "lImIt") == 0);
    CHECK(edit_distance("limti", "limit", 0) == 1);
}

TEST_CASE("A name with up to two wrong letters, and at most a third of a word, is a misspelling") {
    for (const char* written :
         {"MINI_EAGER_LIMTI", "MINI_EAGER_LIMT", "MINI_EAGER_LIMITT", "MINI_EAGER_LIMOT", "MINI_AEGER_LIMTI",
          "MINI_eager_LIMIT", "mini_eager_limit", "MINI_Eager_Limti", "MINI_EAGERLIMIT", "MINIEAGER_LIMIT",
          "MINI_EAGER__LIMIT", "MINI_EAGER_LIMIT_", "MINI__EAGER_LIMIT_", "MINI_EAG_ER_LIMIT"}) {
        INFO(written);
        CHECK(is_misspelt(written, "MINI_EAGER_LIMIT"));
    }
    CHECK(is_misspelt("MINI_RNG", "MINI_RING"));
    CHECK(is_misspelt("MINI_RENDZVUOS", "MINI_RENDEZVOUS"));
    CHECK(is_misspelt("MINI_TREE2_RIGN", "MINI_TREE2_RING"));
}

TEST_CASE("A name with other, short, more or fewer words, or that differs in digits alone, is not a misspelling") {
    // clang-format off
    for (const auto& [written, name] : {
        std::pair{"MINI_EAGER_LAMET", "MINI_EAGER_LIMIT"}, {"MINI_LOCAL", "MINI_GLOBAL"}, {"MINI_MAX_SIZE", "MINI_MIN_SIZE"},
        {"MINI_TX_RATE", "MINI_RX_RATE"}, {"MINI_TX_RATE_TX", "MINI_RX_RATE_RX"}, {"MINI_A", "MINI_B"},
        {"MINI_EAGRE_LIMTI_SZIE", "MINI_EAGER_LIMIT_SIZE"}, {"MINI_DEVICE", "MINI_EAGER_LIMIT"},
        {"MINI_RING1", "MINI_RING2"}, {"MINI_RING", "MINI_RING2"}, {"MINI_QUEUE_1_DEPTH", "MINI_QUEUE_12_DEPTH"},
        {"MINI_queue_1", "MINI_QUEUE_2"}, {"MINI_P2P_LIMIT", "MINI_P3P_LIMIT"},
        {"MINI_EAGER", "MINI_EAGER_LIMIT"}, {"MINI_EAGER", "MINI_EAGER_N"}, {"MINI_X_EAGER", "MINI_EAGER"},
        {"MINI_EAGER_X_LIMIT", "MINI_EAGER_LIMIT"}, {"MINI_", "MINI_X"}}) {
        // clang-format on
        INFO(written << " " << name);
        CHECK(!is_misspelt(written, name));
    }
}

TEST_CASE("Names of any length and any number of words are compared") {
    const std::string words = [] {
        std::string all;
        for (int i = 0; i < 127; i++) all += "W_";
        return all;
    }();
    CHECK(!is_misspelt((words + "A").c_str(), (words + "B").c_str()));
    CHECK(!is_misspelt("", "MINI_LIMIT"));
    CHECK(!is_misspelt(std::string(255, 'x').c_str(), std::string(255, 'y').c_str()));
    CHECK(is_misspelt(("M_" + std::string(253, 'x')).c_str(), ("M_" + std::string(252, 'x') + "y").c_str()));
}

TEST_CASE("The item with the fewest wrong letters is suggested, or the only one that begins so") {
    CHECK(nearest("rign") == "ring");
    CHECK(nearest("RING") == "ring");
    CHECK(nearest("ring ") == "ring");
    CHECK(nearest("liner") == "linear");
    CHECK(nearest("recursive_dubling") == "recursive_doubling");
    CHECK(nearest("lin") == "linear");
    CHECK(nearest("recursive_d") == "recursive_doubling");
}

TEST_CASE("Nothing is suggested for a text that resembles no item, or is a prefix of several") {
    for (const char* far : {"", "fastest", "recursive", "7", "x", "rg", "tere_x"}) {
        INFO(far);
        CHECK(nearest(far) == "");
    }
}
