// MPI-5.0, 15.3.3: how texts and other outputs come back. Every pair of a buffer and a length of every query is held against
// a model that says what must stand in the buffer, byte for byte, and in the length; every combination of outputs of every
// query against what it says of all.
#include "../descriptions.hpp"

#include <functional>
#include <set>
#include <type_traits>

namespace {

struct long_names : mpit::category<"long_names", "Names that begin alike"> {
    mpit::control<int> first{this, "A_LONG_COMMON_PREFIX_FIRST", "A number"};
    mpit::control<int> second{this, "A_LONG_COMMON_PREFIX_SECOND", "A number"};
    mpit::counter<> undescribed{this, "a_long_common_prefix_counter", ""};
    mpit::event<number_payload> event{this, "a_long_common_prefix_event", ""};
};
constexpr auto& prefixed = mpit::registered<long_names>;

// One pair of text arguments of one function.
struct text_query {
    std::string function;
    std::string whole;
    std::function<int(char*, int*)> get;
};

// Outputs that a query leaves out.
#define NO_2 nullptr, nullptr
#define NO_4 NO_2, NO_2
#define NO_6 NO_4, NO_2
std::vector<text_query> every_text_query() {
    const int control = cvar_index("C_RANGED"), pvar = pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER),
              category = category_index("performances"), event = event_index("e_plain"),
              bare = cvar_index("C_UNDESCRIBED"),
              bare_pvar = pvar_index("a_long_common_prefix_counter", MPI_T_PVAR_CLASS_COUNTER),
              bare_event = event_index("a_long_common_prefix_event");
    const MPI_T_enum colours = cvar_info{"C_COLOUR"}.enumeration;
    const char *of_class = "Performance variables of every class",
               *of_clock = "Nanoseconds of the system's monotonic clock";
    return {
        {"enum_get_info", "colour", [=](char* t, int* n) { return MPI_T_enum_get_info(colours, nullptr, t, n); }},
        {"enum_get_item", "green", [=](char* t, int* n) { return MPI_T_enum_get_item(colours, 1, nullptr, t, n); }},
        {"a control variable", "C_RANGED",
         [=](char* t, int* n) { return MPI_T_cvar_get_info(control, t, n, nullptr, NO_6); }},
        {"a control variable", "From 0 to 100",
         [=](char* t, int* n) { return MPI_T_cvar_get_info(control, NO_4, nullptr, t, n, NO_2); }},
        {"a control variable", "",
         [=](char* t, int* n) { return MPI_T_cvar_get_info(bare, NO_4, nullptr, t, n, NO_2); }},
        {"a counter", "p_counter", [=](char* t, int* n) { return MPI_T_pvar_get_info(pvar, t, n, NO_4, NO_6); }},
        {"a counter", "Events", [=](char* t, int* n) { return MPI_T_pvar_get_info(pvar, NO_6, t, n, NO_4); }},
        {"a counter", "", [=](char* t, int* n) { return MPI_T_pvar_get_info(bare_pvar, NO_6, t, n, NO_4); }},
        {"a category", "performances",
         [=](char* t, int* n) { return MPI_T_category_get_info(category, t, n, NO_4, nullptr); }},
        {"a category", of_class,
         [=](char* t, int* n) { return MPI_T_category_get_info(category, NO_2, t, n, NO_2, nullptr); }},
        {"an event", "e_plain",
         [=](char* t, int* n) { return MPI_T_event_get_info(event, t, n, NO_6, NO_2, nullptr); }},
        {"an event", "A message came",
         [=](char* t, int* n) { return MPI_T_event_get_info(event, NO_6, NO_2, t, n, nullptr); }},
        {"an event", "", [=](char* t, int* n) { return MPI_T_event_get_info(bare_event, NO_6, NO_2, t, n, nullptr); }},
        {"a source", "steady_clock", [](char* t, int* n) { return MPI_T_source_get_info(0, t, n, NO_6); }},
        {"a source", of_clock, [](char* t, int* n) { return MPI_T_source_get_info(0, NO_2, t, n, NO_4); }},
    };
}

constexpr char canary = 0x5a;
constexpr int room = 80;

// What a buffer of canaries must hold afterwards.
std::string model(const std::string& whole, int capacity) {
    std::string expected(room, canary);
    if (capacity == 0) return expected;
    const std::string kept = whole.substr(0, static_cast<std::size_t>(capacity) - 1);
    expected.replace(0, kept.size() + 1, kept + '\0');
    return expected;
}

} // namespace

TEST_CASE_METHOD(initialized,
                 "A text is cut to the room with its null, no byte behind it changes, and the whole length comes back",
                 "[STR-01][STR-02][STR-03][STR-04][STR-06][STR-10]") {
    for (const text_query& query : every_text_query()) {
        const int whole = static_cast<int>(query.whole.size()) + 1;
        for (int capacity = 0; capacity <= whole + 2; capacity++) {
            std::string buffer(room, canary);
            int length = capacity;
            INFO(query.function << " of \"" << query.whole << "\" with room for " << capacity);
            REQUIRE(query.get(buffer.data(), &length) == MPI_SUCCESS);
            CHECK(buffer == model(query.whole, capacity));
            CHECK(length == whole);
        }
    }
}

TEST_CASE_METHOD(initialized, "With a null buffer only the length is returned, whatever the length was", "[STR-05]") {
    for (const text_query& query : every_text_query())
        for (int before : {0, 1, 7, INT_MAX, -1, INT_MIN}) {
            int length = before;
            INFO(query.function << " of \"" << query.whole << "\" with the length " << before);
            REQUIRE(query.get(nullptr, &length) == MPI_SUCCESS);
            CHECK(length == static_cast<int>(query.whole.size()) + 1);
        }
}

TEST_CASE_METHOD(initialized, "A null length suppresses its pair", "[STR-07]") {
    for (const text_query& query : every_text_query()) {
        std::string buffer(room, canary);
        INFO(query.function << " of \"" << query.whole << '"');
        CHECK(query.get(buffer.data(), nullptr) == MPI_SUCCESS);
        CHECK(buffer == std::string(room, canary));
    }
}

namespace {

// What a query can store.
struct query_outputs {
    char name[80], description[80];
    int name_length, description_length, numbers[6], count;
    MPI_Datatype types[3];
    MPI_Aint displacements[3];
    MPI_T_enum enumeration;
    MPI_T_source_order ordering;
    MPI_Count ticks[2];
    MPI_Info info;
    query_outputs() {
        std::memset(static_cast<void*>(this), canary, sizeof *this);
        name_length = description_length = room;
        count = 3;
        info = MPI_INFO_NULL;
    }
    // An info object is a new one each time.
    void free_info() {
        if (info == MPI_INFO_NULL) return;
        CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
        info = MPI_INFO_ENV;
    }
};

// The outputs whose bits are set; what they must hold is taken over from those of a whole query.
class some_outputs {
public:
    query_outputs& to;
    some_outputs(unsigned bits, const query_outputs& whole, query_outputs& expected, query_outputs& stored)
        : to{stored}, bits_{bits}, whole_{whole}, expected_{expected} {}
    template <class T> T* operator()(int bit, T& output) { return is_wanted(bit, bit, output) ? &output : nullptr; }
    // A text needs its length, and an array of elements their number.
    template <class T, std::size_t N> T* operator()(int bit, T (&output)[N], int needed) {
        return is_wanted(bit, needed, output) ? output : nullptr;
    }

private:
    template <class T> bool is_wanted(int bit, int needed, T& output) {
        const auto at = reinterpret_cast<char*>(&output) - reinterpret_cast<char*>(&to);
        if ((bits_ >> bit & bits_ >> needed & 1) != 0)
            std::memcpy(reinterpret_cast<char*>(&expected_) + at, reinterpret_cast<const char*>(&whole_) + at,
                        sizeof output);
        return (bits_ >> bit & 1) != 0;
    }
    unsigned bits_;
    const query_outputs& whole_;
    query_outputs& expected_;
};

template <class Query> void expect_every_combination(int count, const std::string& name, Query query) {
    query_outputs whole, unused;
    some_outputs everything{~0u, whole, unused, whole};
    REQUIRE(query(everything, whole) == MPI_SUCCESS);
    whole.free_info();
    CHECK(whole.name == name);
    for (unsigned bits = 0; bits < 1u << count; bits++) {
        query_outputs expected, stored;
        some_outputs some{bits, whole, expected, stored};
        INFO(name << " with the outputs " << bits);
        REQUIRE(query(some, stored) == MPI_SUCCESS);
        stored.free_info();
        REQUIRE(std::memcmp(&expected, &stored, sizeof stored) == 0);
    }
}

} // namespace

TEST_CASE_METHOD(initialized,
                 "Every output of a query may be left out, in any combination, and the others are stored all the same",
                 "[CVAR-04][PVAR-04][CAT-04][EVT-03][EVT-06][SRC-06][SRC-07][STR-07]") {
    const int control = cvar_index("C_COLOUR"), performance = pvar_index("p_state", MPI_T_PVAR_CLASS_STATE),
              category = category_index("controls"), event = event_index("e_plain");
    expect_every_combination(9, "C_COLOUR", [=](some_outputs& one, query_outputs& of) {
        return MPI_T_cvar_get_info(control, one(0, of.name, 1), one(1, of.name_length), one(2, of.numbers[0]),
                                   one(3, of.types[0]), one(4, of.enumeration), one(5, of.description, 6),
                                   one(6, of.description_length), one(7, of.numbers[1]), one(8, of.numbers[2]));
    });
    expect_every_combination(12, "p_state", [=](some_outputs& one, query_outputs& of) {
        return MPI_T_pvar_get_info(performance, one(0, of.name, 1), one(1, of.name_length), one(2, of.numbers[0]),
                                   one(3, of.numbers[1]), one(4, of.types[0]), one(5, of.enumeration),
                                   one(6, of.description, 7), one(7, of.description_length), one(8, of.numbers[2]),
                                   one(9, of.numbers[3]), one(10, of.numbers[4]), one(11, of.numbers[5]));
    });
    expect_every_combination(7, "controls", [=](some_outputs& one, query_outputs& of) {
        return MPI_T_category_get_info(category, one(0, of.name, 1), one(1, of.name_length), one(2, of.description, 3),
                                       one(3, of.description_length), one(4, of.numbers[0]), one(5, of.numbers[1]),
                                       one(6, of.numbers[2]));
    });
    expect_every_combination(11, "e_plain", [=](some_outputs& one, query_outputs& of) {
        return MPI_T_event_get_info(event, one(0, of.name, 1), one(1, of.name_length), one(2, of.numbers[0]),
                                    one(3, of.types, 5), one(4, of.displacements, 5), one(5, of.count),
                                    one(6, of.enumeration), one(7, of.info), one(8, of.description, 9),
                                    one(9, of.description_length), one(10, of.numbers[1]));
    });
    expect_every_combination(8, "steady_clock", [](some_outputs& one, query_outputs& of) {
        return MPI_T_source_get_info(0, one(0, of.name, 1), one(1, of.name_length), one(2, of.description, 3),
                                     one(3, of.description_length), one(4, of.ordering), one(5, of.ticks[0]),
                                     one(6, of.ticks[1]), one(7, of.info));
    });
}

TEST_CASE_METHOD(initialized, "Two pairs of one call do not affect each other", "[STR-08]") {
    const int index = cvar_index("C_RANGED");
    const auto query = [index](char* name, int* name_len, char* desc, int* desc_len) {
        return MPI_T_cvar_get_info(index, name, name_len, nullptr, nullptr, nullptr, desc, desc_len, nullptr, nullptr);
    };
    std::string name(room, canary), description(room, canary);
    int name_len = 4, desc_len = 0;
    REQUIRE(query(name.data(), &name_len, description.data(), &desc_len) == MPI_SUCCESS);
    CHECK(name == model("C_RANGED", 4));
    CHECK(description == model("From 0 to 100", 0));
    CHECK(name_len == 9);
    CHECK(desc_len == 14);

    name_len = 55;
    desc_len = 5;
    REQUIRE(query(nullptr, &name_len, description.data(), &desc_len) == MPI_SUCCESS);
    CHECK(description == model("From 0 to 100", 5));
    CHECK(name_len == 9);
    CHECK(desc_len == 14);

    name.assign(room, canary);
    name_len = room;
    REQUIRE(query(name.data(), &name_len, description.data(), nullptr) == MPI_SUCCESS);
    CHECK(name == model("C_RANGED", room));
}

TEST_CASE_METHOD(initialized, "Every name has at least one character", "[STR-09]") {
    int count = 0, length = 0;
    std::set<MPI_T_enum> enumerations;
    const auto look_at_all = [&]<class Info>(const std::vector<Info>& infos) {
        REQUIRE(!infos.empty());
        for (const Info& each : infos) {
            CHECK(each.name_length >= 2);
            if constexpr (std::is_base_of_v<typed_texts, Info>) enumerations.insert(each.enumeration);
        }
    };
    look_at_all(all_of<cvar_info>());
    look_at_all(all_of<pvar_info>());
    look_at_all(all_of<event_info>());
    look_at_all(all_of<source_info>());
    look_at_all(all_of<category_info>());
    enumerations.erase(MPI_T_ENUM_NULL);
    REQUIRE(!enumerations.empty());
    for (MPI_T_enum each : enumerations) {
        REQUIRE(MPI_T_enum_get_info(each, &count, nullptr, &length) == MPI_SUCCESS);
        CHECK(length >= 2);
        for (int i = 0; i < count; i++) {
            REQUIRE(MPI_T_enum_get_item(each, i, nullptr, nullptr, &length) == MPI_SUCCESS);
            CHECK(length >= 2);
        }
    }
}

TEST_CASE_METHOD(initialized, "Names that look alike in a short buffer remain different names", "[STR-11]") {
    const int first = cvar_index(prefixed.first.name.characters), second = cvar_index(prefixed.second.name.characters);
    CHECK(first != second);
    char seen[2][21];
    for (int i = 0; i < 2; i++) {
        int length = sizeof seen[i];
        REQUIRE(MPI_T_cvar_get_info(i == 0 ? first : second, seen[i], &length, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr) == MPI_SUCCESS);
    }
    CHECK(std::string{seen[0]} == seen[1]);
    int none = -7;
    CHECK(MPI_T_cvar_get_index(seen[0], &none) == MPI_T_ERR_INVALID_NAME);
    CHECK(none == -7);
}

TEST_CASE_METHOD(initialized, "A negative capacity is invalid and nothing is stored", "[STR-12]") {
    for (const text_query& query : every_text_query())
        for (int before : {-1, INT_MIN}) {
            std::string buffer(room, canary);
            int length = before;
            INFO(query.function << " of \"" << query.whole << '"');
            CHECK(query.get(buffer.data(), &length) == MPI_T_ERR_INVALID);
            CHECK(buffer == std::string(room, canary));
            CHECK(length == before);
        }

    // The pair that is well formed is not served either.
    std::string name(room, canary), description(room, canary);
    int name_len = room, desc_len = -1, verbosity = -7;
    MPI_Info info = MPI_INFO_NULL;
    CHECK(MPI_T_cvar_get_info(0, name.data(), &name_len, &verbosity, nullptr, nullptr, description.data(), &desc_len,
                              nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_info(0, name.data(), &name_len, &verbosity, nullptr, nullptr, nullptr, nullptr, &info,
                               description.data(), &desc_len, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_source_get_info(0, name.data(), &name_len, description.data(), &desc_len, nullptr, nullptr, nullptr,
                                &info) == MPI_T_ERR_INVALID);
    CHECK(name == std::string(room, canary));
    CHECK(description == std::string(room, canary));
    CHECK(name_len == room);
    CHECK(desc_len == -1);
    CHECK(verbosity == -7);
    CHECK(info == MPI_INFO_NULL);
}

TEST_CASE_METHOD(initialized, "A name is looked up byte for byte", "[STR-13][EVT-11]") {
    int found = -7;
    for (const char* name : {"c_int", "C_INT ", " C_INT", "C_IN", "C_INTS", ""}) {
        INFO('"' << name << '"');
        CHECK(MPI_T_cvar_get_index(name, &found) == MPI_T_ERR_INVALID_NAME);
        CHECK(MPI_T_event_get_index(name, &found) == MPI_T_ERR_INVALID_NAME);
    }
    for (const char* name : {"P_COUNTER", "p_counter ", "p_counte", ""})
        CHECK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &found) == MPI_T_ERR_INVALID_NAME);
    for (const char* name : {"E_PLAIN", "e_plain ", "e_plai", "", "events", "s_ordered", "C_INT"})
        CHECK(MPI_T_event_get_index(name, &found) == MPI_T_ERR_INVALID_NAME);
    for (const char* name : {"Controls", "controls ", "control", ""})
        CHECK(MPI_T_category_get_index(name, &found) == MPI_T_ERR_INVALID_NAME);
    CHECK(found == -7);
    CHECK(MPI_T_cvar_get_index("C_INT\0 and more", &found) == MPI_SUCCESS);
}
