// What the compiler tells of a payload: the names, the types and the places of all its members, as offsetof has them.

#include "../catch.hpp"

#include <mpit/core/payload.hpp>
#include <mpit/core/words.hpp>

#include <cstddef>
#include <string>

namespace payloads {

using mpit::count;
using mpit::exact;

enum class colour { red, green };
enum plain_enumeration : unsigned { one, two };

struct nothing {};
struct single {
    int only;
};
struct message {
    int source;
    int tag;
    unsigned long bytes;
};
struct every_type {
    char a;
    int b;
    unsigned c;
    unsigned long d;
    unsigned long long e;
    double f;
    long g;
    count h;
    exact<std::int32_t> i;
    exact<std::uint32_t> j;
    exact<std::int64_t> k;
    exact<std::uint64_t> l;
    colour m;
    plain_enumeration n;
};
struct with_gaps {
    char first;
    double second;
    char third;
    int fourth;
    char fifth;
};
struct with_alignment {
    alignas(64) int first;
    alignas(32) char second;
    int third;
    alignas(128) unsigned long fourth;
};
struct with_arrays {
    int before;
    unsigned long long values[3];
    char text[13];
    colour lamps[2];
    int after;
};
struct in_the_middle_large {
    int first;
    char room[4000];
    double last;
};
struct sixteen {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};
struct twenty_four {
    char a;
    int b;
    char c;
    long d;
    char e, f, g, h;
    double i;
    char j;
    int k;
    char l;
    unsigned m;
    char n, o;
    unsigned long p;
    int q, r, s;
    char t;
    int u;
    char v;
    double w;
    char x;
};
struct with_names {
    int _under_score_;
    int Upper2Lower;
    int n;
    int a_name_that_is_as_long_as_names_of_members_become_in_a_library_that_likes_to_say_everything_in_one_word;
};
struct with_defaults {
    int source = -1;
    unsigned long bytes = 7;
};

} // namespace payloads

using namespace payloads;
using mpit::datatype;
using mpit::core::payload_of;
using mpit::core::payload_view;

namespace {

struct expected {
    const char* name;
    datatype type;
    std::size_t offset;
    std::uint32_t count = 1;
    bool is_array = false;
};

void check(const payload_view& seen, const std::string& name, std::initializer_list<expected> wanted) {
    CAPTURE(name);
    CHECK(std::string(seen.name.characters, seen.name.length) == name);
    REQUIRE(seen.count == wanted.size());
    std::uint32_t elements = 0;
    for (std::uint32_t i = 0; i < seen.count; i++) {
        const mpit::core::payload_member& member = seen.members[i];
        const expected& want = wanted.begin()[i];
        CAPTURE(want.name);
        CHECK(std::string(member.name.characters, member.name.length) == want.name);
        CHECK(member.type == want.type);
        CHECK(member.offset == want.offset);
        CHECK(member.count == want.count);
        CHECK(member.is_array == want.is_array);
        for (std::uint32_t e = 0; e < member.count; e++)
            CHECK(member.displacement(e) == want.offset + e * mpit::core::size_of(want.type));
        elements += want.count;
    }
    CHECK(seen.element_count() == elements);
    if (seen.count == 0) {
        CHECK(seen.size() == 0);
        return;
    }
    const expected& last = wanted.end()[-1];
    CHECK(seen.size() == last.offset + last.count * mpit::core::size_of(last.type));
}

constexpr datatype of_int = datatype::int_type, of_char = datatype::char_type, of_double = datatype::double_type;

} // namespace

#define MEMBER(in, member, type) {#member, type, offsetof(in, member)}
#define ARRAY(in, member, type, count) {#member, type, offsetof(in, member), count, true}

TEST_CASE("A struct without members is a payload without elements") { check(payload_of<nothing>(), "nothing", {}); }

TEST_CASE("Members have the names and offsets of the source") {
    check(payload_of<single>(), "single", {MEMBER(single, only, of_int)});
    check(payload_of<message>(), "message",
          {MEMBER(message, source, of_int), MEMBER(message, tag, of_int),
           MEMBER(message, bytes, datatype::unsigned_long_type)});
    check(payload_of<with_defaults>(), "with_defaults",
          {MEMBER(with_defaults, source, of_int), MEMBER(with_defaults, bytes, datatype::unsigned_long_type)});
    using w = with_names;
    check(
        payload_of<w>(), "with_names",
        {MEMBER(w, _under_score_, of_int), MEMBER(w, Upper2Lower, of_int), MEMBER(w, n, of_int),
         MEMBER(w,
                a_name_that_is_as_long_as_names_of_members_become_in_a_library_that_likes_to_say_everything_in_one_word,
                of_int)});
}

TEST_CASE("Every type of a member has the datatype that a tool reads it as") {
    using e = every_type;
    check(payload_of<e>(), "every_type",
          {MEMBER(e, a, of_char), MEMBER(e, b, of_int), MEMBER(e, c, datatype::unsigned_type),
           MEMBER(e, d, datatype::unsigned_long_type), MEMBER(e, e, datatype::unsigned_long_long_type),
           MEMBER(e, f, of_double), MEMBER(e, g, sizeof(long) == 8 ? datatype::int64_type : datatype::int32_type),
           MEMBER(e, h, datatype::count_type), MEMBER(e, i, datatype::int32_type), MEMBER(e, j, datatype::uint32_type),
           MEMBER(e, k, datatype::int64_type), MEMBER(e, l, datatype::uint64_type), MEMBER(e, m, of_int),
           MEMBER(e, n, of_int)});
}

TEST_CASE("Gaps and alignments are those of the compiler") {
    using g = with_gaps;
    check(payload_of<g>(), "with_gaps",
          {MEMBER(g, first, of_char), MEMBER(g, second, of_double), MEMBER(g, third, of_char),
           MEMBER(g, fourth, of_int), MEMBER(g, fifth, of_char)});
    using a = with_alignment;
    check(payload_of<a>(), "with_alignment",
          {MEMBER(a, first, of_int), MEMBER(a, second, of_char), MEMBER(a, third, of_int),
           MEMBER(a, fourth, datatype::unsigned_long_type)});
}

TEST_CASE("An array is one member with an element for each value") {
    using a = with_arrays;
    check(payload_of<a>(), "with_arrays",
          {MEMBER(a, before, of_int), ARRAY(a, values, datatype::unsigned_long_long_type, 3),
           ARRAY(a, text, of_char, 13), ARRAY(a, lamps, of_int, 2), MEMBER(a, after, of_int)});
    using l = in_the_middle_large;
    check(payload_of<l>(), "in_the_middle_large",
          {MEMBER(l, first, of_int), ARRAY(l, room, of_char, 4000), MEMBER(l, last, of_double)});
}

#define OF_INT(member) MEMBER(sixteen, member, of_int)
#define AS(member, type) MEMBER(twenty_four, member, type)
TEST_CASE("Sixteen members are distinguished, and twenty-four") {
    constexpr datatype of_long = datatype::int64_type;
    check(payload_of<sixteen>(), "sixteen",
          {OF_INT(a), OF_INT(b), OF_INT(c), OF_INT(d), OF_INT(e), OF_INT(f), OF_INT(g), OF_INT(h), OF_INT(i), OF_INT(j),
           OF_INT(k), OF_INT(l), OF_INT(m), OF_INT(n), OF_INT(o), OF_INT(p)});
    // clang-format off
    check(payload_of<twenty_four>(), "twenty_four",
          {AS(a, of_char), AS(b, of_int), AS(c, of_char), AS(d, of_long), AS(e, of_char), AS(f, of_char),
          AS(g, of_char), AS(h, of_char), AS(i, of_double), AS(j, of_char), AS(k, of_int), AS(l, of_char),
          AS(m, datatype::unsigned_type), AS(n, of_char), AS(o, of_char), AS(p, datatype::unsigned_long_type),
          AS(q, of_int), AS(r, of_int), AS(s, of_int), AS(t, of_char), AS(u, of_int), AS(v, of_char),
          AS(w, of_double), AS(x, of_char)});
    // clang-format on
}
