// Info objects of a library without an MPI, called as a Fortran compiler calls them: keys and values, padded results,
// the codes of the functions for C, and the INTEGERs of objects.

#include "../../catch.hpp"
#include "characters.hpp"

#include <mpit/concurrency/arena.hpp>
#include <mpit/mpi_t.h>

#include <random>
#include <set>
#include <vector>

extern "C" {
void mpi_info_create_(int* info, int* ierror);
void mpi_info_create_env_(int* info, int* ierror);
void mpi_info_delete_(int* info, const char* key, int* ierror, std::size_t key_length);
void mpi_info_dup_(int* info, int* newinfo, int* ierror);
void mpi_info_free_(int* info, int* ierror);
void mpi_info_get_(int* info, const char* key, int* valuelen, char* value, int* flag, int* ierror,
                   std::size_t key_length, std::size_t value_length);
void mpi_info_get_nkeys_(int* info, int* nkeys, int* ierror);
void mpi_info_get_nthkey_(int* info, int* n, char* key, int* ierror, std::size_t key_length);
void mpi_info_get_string_(int* info, const char* key, int* buflen, char* value, int* flag, int* ierror,
                          std::size_t key_length, std::size_t value_length);
void mpi_info_get_valuelen_(int* info, const char* key, int* valuelen, int* flag, int* ierror, std::size_t key_length);
void mpi_info_set_(int* info, const char* key, const char* value, int* ierror, std::size_t key_length,
                   std::size_t value_length);
void pmpi_info_create_(int* info, int* ierror);
void pmpi_info_set_(int* info, const char* key, const char* value, int* ierror, std::size_t key_length,
                    std::size_t value_length);
}

namespace {

using fortran::constant;
using fortran::variable;

constexpr int info_null = 0x130, info_env = 0x131; // MPI_INFO_NULL and MPI_INFO_ENV of Fortran
constexpr int untouched = 4711;

// An object as Fortran has it.
struct object {
    int info = untouched;
    object() {
        int ierror = untouched;
        mpi_info_create_(&info, &ierror);
        REQUIRE(ierror == MPI_SUCCESS);
    }
    explicit object(int made) : info{made} {}
    ~object() {
        int ierror = untouched;
        if (info != info_null) mpi_info_free_(&info, &ierror);
    }
    object(const object&) = delete;
    MPI_Info in_c() const { return MPI_Info_f2c(info); }
};

int set(int info, const constant& key, const constant& value) {
    int ierror = untouched;
    mpi_info_set_(&info, key, value, &ierror, key.length, value.length);
    return ierror;
}
int erase(int info, const constant& key) {
    int ierror = untouched;
    mpi_info_delete_(&info, key, &ierror, key.length);
    return ierror;
}
int count(int info) {
    int nkeys = untouched, ierror = untouched;
    mpi_info_get_nkeys_(&info, &nkeys, &ierror);
    REQUIRE(ierror == MPI_SUCCESS);
    return nkeys;
}

// What a look-up has answered, and what it has left as it was.
struct answer {
    int code = untouched, flag = untouched, length = untouched;
    bool operator==(const answer&) const = default;
};
answer get(int info, const constant& key, int valuelen, variable& value) {
    answer seen{.length = valuelen};
    mpi_info_get_(&info, key, &seen.length, value, &seen.flag, &seen.code, key.length, value.length);
    return seen;
}
answer get_string(int info, const constant& key, int buflen, variable& value) {
    answer seen{.length = buflen};
    mpi_info_get_string_(&info, key, &seen.length, value, &seen.flag, &seen.code, key.length, value.length);
    return seen;
}
answer get_valuelen(int info, const constant& key) {
    answer seen;
    mpi_info_get_valuelen_(&info, key, &seen.length, &seen.flag, &seen.code, key.length);
    return seen;
}
answer found(int length) { return {MPI_SUCCESS, 1, length}; }
answer absent(int length) { return {MPI_SUCCESS, 0, length}; }

std::string value_in_c(MPI_Info info, const char* key) {
    char value[MPI_MAX_INFO_VAL] = "";
    int size = sizeof value, flag = 0;
    REQUIRE(MPI_Info_get_string(info, key, &size, value, &flag) == MPI_SUCCESS);
    return flag != 0 ? value : "absent";
}

// What every function answers for an INTEGER, with arguments that are good otherwise; nothing may be stored.
std::vector<int> codes_of_every_function(int info) {
    const constant key{"key"}, value{"value"};
    variable text{8};
    int number = 0, copy = untouched, freed = info, ierror = untouched;
    std::vector<int> codes{set(info, key, value), erase(info, key)};
    for (const answer& each : {get(info, key, 3, text), get_string(info, key, 3, text)}) {
        CHECK((each.flag == untouched && each.length == 3));
        codes.push_back(each.code);
    }
    codes.push_back(get_valuelen(info, key).code);
    mpi_info_get_nkeys_(&info, &copy, &ierror), codes.push_back(ierror);
    mpi_info_get_nthkey_(&info, &number, text, &ierror, text.length), codes.push_back(ierror);
    mpi_info_dup_(&info, &copy, &ierror), codes.push_back(ierror);
    mpi_info_free_(&freed, &ierror), codes.push_back(ierror);
    CHECK((copy == untouched && freed == info && text.is_untouched()));
    return codes;
}

} // namespace

TEST_CASE("Fortran gets a new object, and a different one each time", "[INFO-01]") {
    const object one, other;
    CHECK(count(one.info) == 0);
    CHECK(one.info != other.info);
    CHECK(MPI_Info_c2f(one.in_c()) == one.info);
}

TEST_CASE("Fortran's keys and values lose the blanks around them, and only those", "[INFO-27]") {
    const object hints;
    for (const char* key : {"key", "key   ", "   key", "  key     "})
        for (const char* value : {"a  value", "a  value  ", "  a  value", "    a  value "}) {
            REQUIRE(set(hints.info, key, "before") == MPI_SUCCESS);
            REQUIRE(set(hints.info, key, value) == MPI_SUCCESS);
            REQUIRE(count(hints.info) == 1);
            REQUIRE(value_in_c(hints.in_c(), "key") == "a  value");
            variable out{12};
            REQUIRE(get_string(hints.info, key, 12, out) == found(8));
            REQUIRE(out.holds("a  value"));
        }
    CHECK(set(hints.info, "a key", "") == MPI_SUCCESS);
    CHECK(value_in_c(hints.in_c(), "a key").empty());
    CHECK(set(hints.info, "a key", "     ") == MPI_SUCCESS);
    CHECK(value_in_c(hints.in_c(), "a key").empty());
    CHECK(erase(hints.info, "  key ") == MPI_SUCCESS);
    CHECK(count(hints.info) == 1);
}

TEST_CASE("A key that C has set with blanks around it is another one", "[INFO-27]") {
    const object hints;
    REQUIRE(MPI_Info_set(hints.in_c(), " k ", " v ") == MPI_SUCCESS);
    CHECK(get_valuelen(hints.info, " k ") == absent(untouched));
    REQUIRE(set(hints.info, " k ", "w") == MPI_SUCCESS);
    CHECK(value_in_c(hints.in_c(), " k ") == " v ");
    CHECK(value_in_c(hints.in_c(), "k") == "w");
}

TEST_CASE("A value set in C is read in Fortran with its own blanks", "[INFO-10]") {
    const object hints;
    REQUIRE(MPI_Info_set(hints.in_c(), "k", "  v  ") == MPI_SUCCESS);
    variable out{8};
    CHECK(get_string(hints.info, "k", 8, out) == found(5));
    CHECK(out.holds("  v"));
}

TEST_CASE("A value is cut or padded to a variable of any length, without a null and nothing behind it changed",
          "[INFO-10][INFO-11][INFO-13]") {
    const object hints;
    std::string value;
    for (int length = 0; length <= 130; length++) {
        REQUIRE(set(hints.info, "k", value) == MPI_SUCCESS);
        for (int room = 0; room <= 130; room++) {
            variable first{static_cast<std::size_t>(room)}, second{static_cast<std::size_t>(room)};
            REQUIRE(get(hints.info, "k", room, first) == found(room));
            REQUIRE(first.holds(value.substr(0, first.length)));
            REQUIRE(get_string(hints.info, "k", room, second) == found(length));
            REQUIRE(second.holds(value.substr(0, second.length)));
        }
        value += static_cast<char>('a' + length % 26);
    }
    variable wide{140};
    CHECK(get(hints.info, "k", 2147483647, wide) == found(2147483647));
    CHECK(wide.holds(value.substr(0, 130)));
    CHECK(get_string(hints.info, "k", 2147483647, wide) == found(130));
    CHECK(wide.holds(value.substr(0, 130)));
}

TEST_CASE("Keys are numbered from 0, padded or truncated", "[INFO-16][INFO-17][INFO-18]") {
    const object hints;
    const std::vector<std::string> keys{"charlie", "alpha", "bravo bravo"};
    for (const std::string& key : keys) REQUIRE(set(hints.info, key, "1") == MPI_SUCCESS);
    REQUIRE(count(hints.info) == 3);
    int info = hints.info;
    for (int n = 0; n < 3; n++)
        for (std::size_t room = 0; room <= 40; room++) {
            variable key{room};
            int ierror = untouched;
            mpi_info_get_nthkey_(&info, &n, key, &ierror, key.length);
            REQUIRE(ierror == MPI_SUCCESS);
            REQUIRE(key.holds(keys[static_cast<std::size_t>(n)].substr(0, room)));
        }
    for (int n : {-1, 3, 1000}) {
        variable key{5};
        int ierror = untouched;
        mpi_info_get_nthkey_(&info, &n, key, &ierror, key.length);
        CHECK(ierror == MPI_ERR_ARG);
        CHECK(key.is_untouched());
    }
}

TEST_CASE("A copy has the pairs in their order, and an INTEGER of its own", "[INFO-19]") {
    object hints;
    for (const char* key : {"c", "a", "b"}) REQUIRE(set(hints.info, key, key) == MPI_SUCCESS);
    int made = untouched, ierror = untouched;
    mpi_info_dup_(&hints.info, &made, &ierror);
    REQUIRE(ierror == MPI_SUCCESS);
    const object copy{made};
    CHECK(copy.info != hints.info);
    REQUIRE(set(hints.info, "c", "other") == MPI_SUCCESS);
    CHECK(value_in_c(copy.in_c(), "c") == "c");
    for (int n = 0; n < 3; n++) {
        variable key{2};
        mpi_info_get_nthkey_(&made, &n, key, &ierror, key.length);
        CHECK(key.holds(std::string(1, "cab"[n])));
    }
}

TEST_CASE("A freed object becomes MPI_INFO_NULL, and its INTEGER is refused", "[INFO-08][INFO-20]") {
    object hints;
    const int before = hints.info;
    int ierror = untouched;
    mpi_info_free_(&hints.info, &ierror);
    CHECK(ierror == MPI_SUCCESS);
    CHECK(hints.info == info_null);
    const std::vector<int> refused(9, MPI_ERR_INFO);
    CHECK(codes_of_every_function(before) == refused);
    // Its slot is used again, and the old INTEGER is not that of the new object.
    for (int i = 0; i < 1000; i++) {
        const object next;
        REQUIRE(next.info != before);
        REQUIRE(set(before, "k", "v") == MPI_ERR_INFO);
    }
    CHECK(codes_of_every_function(before) == refused);
}

TEST_CASE("Every function refuses an INTEGER that belongs to no object", "[INFO-08]") {
    const object hints; // so that there is a slot
    const std::vector<int> refused(9, MPI_ERR_INFO);
    for (const int invented : {info_null, 0, 1, -1, 0x132, 4096, 0x7fffffff, -0x7fffffff - 1, hints.info + 1,
                               hints.info - 1, hints.info ^ 0x40000000}) {
        CAPTURE(invented);
        CHECK(codes_of_every_function(invented) == refused);
    }
    std::mt19937 random{11};
    for (int i = 0; i < 20000; i++) {
        const auto invented = static_cast<int>(random());
        if (invented != hints.info) REQUIRE(set(invented, "k", "v") == MPI_ERR_INFO);
    }
    CHECK(count(hints.info) == 0);
}

TEST_CASE("MPI_INFO_ENV can be read but not changed from Fortran, too", "[INFO-20][INFO-23]") {
    CHECK(MPI_Info_c2f(MPI_INFO_ENV) == info_env);
    CHECK(MPI_Info_c2f(MPI_INFO_NULL) == info_null);
    CHECK(MPI_Info_f2c(info_env) == MPI_INFO_ENV);
    CHECK(MPI_Info_f2c(info_null) == MPI_INFO_NULL);
    CHECK(count(info_env) > 0);
    variable directory{2000};
    const answer seen = get_string(info_env, "wdir", 2000, directory);
    CHECK(seen == found(static_cast<int>(value_in_c(MPI_INFO_ENV, "wdir").size())));
    CHECK(directory.holds(value_in_c(MPI_INFO_ENV, "wdir")));
    CHECK(set(info_env, "k", "v") == MPI_ERR_INFO);
    CHECK(erase(info_env, "wdir") == MPI_ERR_INFO);
    int env = info_env, ierror = untouched;
    mpi_info_free_(&env, &ierror);
    CHECK(ierror == MPI_ERR_INFO);
    CHECK(env == info_env);
}

TEST_CASE("Fortran's own object about the start is a fresh one, as that of C without arguments", "[INFO-22]") {
    int first = untouched, second = untouched, ierror = untouched;
    mpi_info_create_env_(&first, &ierror);
    REQUIRE(ierror == MPI_SUCCESS);
    mpi_info_create_env_(&second, &ierror);
    REQUIRE(ierror == MPI_SUCCESS);
    const object one{first}, other{second};
    CHECK(first != second);
    MPI_Info in_c = MPI_INFO_NULL;
    REQUIRE(MPI_Info_create_env(0, nullptr, &in_c) == MPI_SUCCESS);
    int keys = 0;
    REQUIRE(MPI_Info_get_nkeys(in_c, &keys) == MPI_SUCCESS);
    CHECK(count(first) == keys);
    for (int n = 0; n < keys; n++) {
        char key[MPI_MAX_INFO_KEY];
        REQUIRE(MPI_Info_get_nthkey(in_c, n, key) == MPI_SUCCESS);
        CHECK(value_in_c(one.in_c(), key) == value_in_c(in_c, key));
    }
    CHECK(set(first, "k", "v") == MPI_SUCCESS);
    CHECK(count(second) == keys);
    MPI_Info_free(&in_c);
}

TEST_CASE("Without memory for its INTEGER an object is neither created nor leaked", "[INFO-01][INFO-19]") {
    // Leaves room for more objects than there is room for INTEGERs.
    std::vector<MPI_Info> in_c(300, MPI_INFO_NULL);
    for (MPI_Info& each : in_c) REQUIRE(MPI_Info_create(&each) == MPI_SUCCESS);
    for (MPI_Info& each : in_c) MPI_Info_free(&each);

    int info = untouched, copy = untouched, ierror = untouched;
    mpi_info_create_(&info, &ierror);
    std::vector<int> made{info};
    mpit::core::allocations_left.store(0);
    while (ierror == MPI_SUCCESS && made.size() < 300) {
        mpi_info_create_(&info, &ierror);
        if (ierror == MPI_SUCCESS) made.push_back(info), info = untouched;
    }
    std::vector<int> codes;
    for (int i = 0; i < 1000; i++) {
        mpi_info_create_(&info, &ierror), codes.push_back(ierror);
        mpi_info_dup_(made.data(), &copy, &ierror), codes.push_back(ierror);
    }
    const int code_in_c = MPI_Info_create(in_c.data());
    const int integer_of_it = MPI_Info_c2f(in_c.front());
    mpit::core::allocations_left.store(-1);
    CHECK(codes == std::vector<int>(2000, MPI_ERR_NO_MEM));
    CHECK((info == untouched && copy == untouched));
    CHECK(code_in_c == MPI_SUCCESS);
    CHECK(integer_of_it == 0);
    CHECK(set(integer_of_it, "k", "v") == MPI_ERR_INFO);

    CHECK(MPI_Info_f2c(MPI_Info_c2f(in_c.front())) == in_c.front());
    mpi_info_create_(&info, &ierror);
    CHECK(ierror == MPI_SUCCESS);
    made.push_back(info);
    for (int each : made) mpi_info_free_(&each, &ierror);
    MPI_Info_free(in_c.data());
}

TEST_CASE("The profiling names are the same functions", "[INFO-01]") {
    int info = untouched, ierror = untouched;
    pmpi_info_create_(&info, &ierror);
    REQUIRE(ierror == MPI_SUCCESS);
    const object hints{info};
    pmpi_info_set_(&info, " k ", "v ", &ierror, 3, 2);
    CHECK(ierror == MPI_SUCCESS);
    CHECK(value_in_c(hints.in_c(), "k") == "v");
}

TEST_CASE("Every call answers as in C, with and without the key, for every length and for keys of blanks alone",
          "[INFO-05][INFO-06][INFO-07][INFO-09][INFO-10][INFO-11][INFO-12][INFO-13][INFO-14][INFO-15]") {
    const object here;
    MPI_Info there = MPI_INFO_NULL;
    REQUIRE(MPI_Info_create(&there) == MPI_SUCCESS);
    std::mt19937 random{5};
    const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
    const std::vector<std::string> keys{"a", "b", "a b", "", std::string(255, 'k'), std::string(256, 'k')};
    const std::vector<std::string> values{"", "1", "two words", std::string(1023, 'v'), std::string(1024, 'v')};
    for (int i = 0; i < 20000; i++) {
        const std::string key = keys[below(keys.size())], value = values[below(values.size())];
        const auto blanks = [&] { return std::string(below(100) == 0 ? 5000 : below(3), ' '); };
        const std::string wide = blanks() + key + blanks();
        const int told = static_cast<int>(below(14)) - 1;
        variable out{below(14)};
        char buffer[MPI_MAX_INFO_VAL] = "";
        answer in_c{.length = told};
        const int room = std::min(told, static_cast<int>(out.length));
        switch (below(6)) {
        case 0:
            REQUIRE(set(here.info, wide, blanks() + value + blanks()) ==
                    MPI_Info_set(there, key.c_str(), value.c_str()));
            break;
        case 1: REQUIRE(erase(here.info, wide) == MPI_Info_delete(there, key.c_str())); break;
        case 2:
            in_c.code = MPI_Info_get(there, key.c_str(), room, buffer, &in_c.flag);
            REQUIRE(get(here.info, wide, told, out) == in_c);
            REQUIRE((in_c.flag == 1 ? out.holds(buffer) : out.is_untouched()));
            break;
        case 3: {
            int size = room > 0 ? room + 1 : room;
            in_c.code = MPI_Info_get_string(there, key.c_str(), &size, buffer, &in_c.flag);
            if (in_c.flag == 1) in_c.length = size - 1;
            REQUIRE(get_string(here.info, wide, told, out) == in_c);
            REQUIRE((in_c.flag == 1 && told != 0 ? out.holds(buffer) : out.is_untouched()));
            break;
        }
        case 4:
            in_c.length = untouched;
            in_c.code = MPI_Info_get_valuelen(there, key.c_str(), &in_c.length, &in_c.flag);
            REQUIRE(get_valuelen(here.info, wide) == in_c);
            break;
        default: {
            int keys_there = -1;
            REQUIRE(MPI_Info_get_nkeys(there, &keys_there) == MPI_SUCCESS);
            REQUIRE(count(here.info) == keys_there);
        }
        }
    }
    MPI_Info_free(&there);
}
