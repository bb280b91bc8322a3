// How near names are: what is taken for a misspelling, what for a name of its own, and what is suggested.
#include "../catch.hpp"

#include <mpit/core/spelling.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using mpit::core::edit_distance;
using mpit::core::misspelling;
using mpit::core::text;

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
    mpit::enumerators<algorithm>("algorithm", {{"ring", algorithm::ring},
                                               {"tree", algorithm::tree},
                                               {"linear", algorithm::linear},
                                               {"recursive_doubling", algorithm::recursive_doubling},
                                               {"recursive_halving", algorithm::recursive_halving},
                                               {"y", algorithm::y}});

std::string nearest(const char* written) {
    const text found = mpit::core::nearest_item(written, algorithms.view());
    return {found.characters, found.length};
}

} // namespace

TEST_CASE("A letter that is missing, added, wrong or swapped with its neighbour is one difference") {
    CHECK(edit_distance("limit", "limit") == 0);
    CHECK(edit_distance("limt", "limit") == 1);
    CHECK(edit_distance("limiit", "limit") == 1);
    CHECK(edit_distance("limot", "limit") == 1);
    CHECK(edit_distance("limti", "limit") == 1);
    CHECK(edit_distance("ilmti", "limit") == 2);
    CHECK(edit_distance("", "ab") == 2);
    CHECK(edit_distance("LiMiT", "lImIt") == 0);
}

TEST_CASE("A distance above the limit is reported only as above it") {
    CHECK(edit_distance("abc", "xyz") == 3);
    CHECK(edit_distance("", "limit") == 3);
    CHECK(edit_distance("abcdef", "ghijkl") == 3);
    CHECK(edit_distance("limti", "limit", 0) == 1);
}

TEST_CASE("Similar texts have the distance of the full textbook table") {
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

TEST_CASE("A name whose words are too different or too short is not a misspelling") {
    CHECK(!is_misspelt("MINI_EAGER_LAMET", "MINI_EAGER_LIMIT"));
    CHECK(!is_misspelt("MINI_LOCAL", "MINI_GLOBAL"));
    CHECK(!is_misspelt("MINI_MAX_SIZE", "MINI_MIN_SIZE"));
    CHECK(!is_misspelt("MINI_TX_RATE", "MINI_RX_RATE"));
    CHECK(!is_misspelt("MINI_TX_RATE_TX", "MINI_RX_RATE_RX"));
    CHECK(!is_misspelt("MINI_A", "MINI_B"));
    CHECK(!is_misspelt("MINI_EAGRE_LIMTI_SZIE", "MINI_EAGER_LIMIT_SIZE"));
    CHECK(!is_misspelt("MINI_DEVICE", "MINI_EAGER_LIMIT"));
}

TEST_CASE("Names that differ in digits alone are not misspellings of each other") {
    CHECK(!is_misspelt("MINI_RING1", "MINI_RING2"));
    CHECK(!is_misspelt("MINI_RING", "MINI_RING2"));
    CHECK(!is_misspelt("MINI_QUEUE_1_DEPTH", "MINI_QUEUE_12_DEPTH"));
    CHECK(!is_misspelt("MINI_queue_1", "MINI_QUEUE_2"));
    CHECK(!is_misspelt("MINI_P2P_LIMIT", "MINI_P3P_LIMIT"));
}

TEST_CASE("A name with a word more or less is not a misspelling, wherever the word is") {
    CHECK(!is_misspelt("MINI_EAGER", "MINI_EAGER_LIMIT"));
    CHECK(!is_misspelt("MINI_EAGER", "MINI_EAGER_N"));
    CHECK(!is_misspelt("MINI_X_EAGER", "MINI_EAGER"));
    CHECK(!is_misspelt("MINI_EAGER_X_LIMIT", "MINI_EAGER_LIMIT"));
    CHECK(!is_misspelt("MINI_", "MINI_X"));
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
