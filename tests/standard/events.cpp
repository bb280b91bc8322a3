// MPI-5.0, 15.3.8: types of events and the handles on them: names and numbers, elements of payloads, what a
// registration is bound to, and hints. What happens when an event is raised stands in event_delivery.cpp and its
// neighbours.
#include "another_process.hpp"
#include "recorded_events.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

namespace {

constexpr int event_count = 8;

int number_of_events() {
    int count = -7;
    REQUIRE(MPI_T_event_get_num(&count) == MPI_SUCCESS);
    return count;
}

struct elements {
    std::vector<MPI_Datatype> types;
    std::vector<MPI_Aint> displacements;
};
elements elements_of(int index) {
    int count = 0;
    REQUIRE(MPI_T_event_get_info(index, nullptr, nullptr, nullptr, nullptr, nullptr, &count, nullptr, nullptr, nullptr,
                                 nullptr, nullptr) == MPI_SUCCESS);
    elements found{std::vector<MPI_Datatype>(static_cast<std::size_t>(count)),
                   std::vector<MPI_Aint>(static_cast<std::size_t>(count), -7)};
    REQUIRE(MPI_T_event_get_info(index, nullptr, nullptr, nullptr, found.types.data(), found.displacements.data(),
                                 &count, nullptr, nullptr, nullptr, nullptr, nullptr) == MPI_SUCCESS);
    return found;
}
MPI_Aint size_of(MPI_Datatype type) {
    if (type == MPI_CHAR) return 1;
    return type == MPI_INT || type == MPI_UNSIGNED || type == MPI_INT32_T || type == MPI_UINT32_T ? 4 : 8;
}
std::vector<std::string> names_of(MPI_T_enum enumeration) {
    std::vector<std::string> names;
    char name[300];
    int count = 0;
    REQUIRE(MPI_T_enum_get_info(enumeration, &count, nullptr, nullptr) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        int value = -7, length = sizeof name;
        REQUIRE(MPI_T_enum_get_item(enumeration, i, &value, name, &length) == MPI_SUCCESS);
        CHECK(value == i);
        names.push_back(name);
    }
    return names;
}

// All that get_info says, with the elements, as a line of text.
std::string line_of(int index) {
    char name[300], description[1100];
    int name_length = sizeof name, description_length = sizeof description, verbosity = -7, bind = -7, count = 0;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    MPI_Info info = MPI_INFO_NULL;
    REQUIRE(MPI_T_event_get_info(index, name, &name_length, &verbosity, nullptr, nullptr, &count, &enumeration, &info,
                                 description, &description_length, &bind) == MPI_SUCCESS);
    std::string line = std::string{"event "} + name + ": " + description + " " + std::to_string(verbosity) + " " +
                       std::to_string(bind) + " " + std::to_string(count) + " " + text_of(info);
    const elements found = elements_of(index);
    const std::vector<std::string> names =
        enumeration == MPI_T_ENUM_NULL ? std::vector<std::string>{} : names_of(enumeration);
    for (std::size_t i = 0; i < found.types.size(); i++)
        line += names.at(i) + "=" + std::to_string(reinterpret_cast<std::uintptr_t>(found.types[i])) + "@" +
                std::to_string(found.displacements[i]) + " ";
    return line;
}
std::vector<std::string> all_lines() {
    std::vector<std::string> lines;
    for (int i = 0; i < number_of_events(); i++) lines.push_back(line_of(i));
    return lines;
}

} // namespace

TEST_CASE("Events have the indices from 0 up to their number, and get_index is the inverse of get_info",
          "[EVT-01][EVT-04][EVT-11]") {
    initialized tools;
    REQUIRE(number_of_events() == event_count);
    std::set<std::string> names;
    for (int i = 0; i < event_count; i++) {
        char name[300];
        int length = sizeof name, found = -7;
        REQUIRE(MPI_T_event_get_info(i, name, &length, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                     nullptr, nullptr) == MPI_SUCCESS);
        CHECK(length >= 2);
        CHECK(names.insert(name).second);
        CHECK(MPI_T_event_get_index(name, &found) == MPI_SUCCESS);
        CHECK(found == i);
    }
    CHECK(event_index("e_plain") == 0);
}

TEST_CASE("An index of no event is MPI_T_ERR_INVALID_INDEX, and the description of an index never changes",
          "[EVT-02]") {
    std::vector<std::string> before;
    {
        initialized tools;
        before = all_lines();
        for (const int wrong : {-1, event_count, INT_MAX, INT_MIN}) {
            int length = 0, number = -7;
            CHECK(MPI_T_event_get_info(wrong, nullptr, &length, &number, nullptr, nullptr, &number, nullptr, nullptr,
                                       nullptr, nullptr, &number) == MPI_T_ERR_INVALID_INDEX);
            CHECK(length == 0);
            CHECK(number == -7);
        }
    }
    initialized tools;
    all.events.plain(1, 2, 3ul);
    CHECK(all_lines() == before);
}

TEST_CASE("Every argument of get_info may be null, alone or with all others", "[EVT-03]") {
    initialized tools;
    const int index = event_index("e_plain");
    for (int missing = 0; missing < 2048; missing++) {
        const auto wanted = [&](int argument) { return (missing >> argument & 1) == 0; };
        char name[40] = "", description[80] = "";
        int name_length = sizeof name, description_length = sizeof description, verbosity = -7, count = 3, bind = -7;
        MPI_Datatype types[3]{};
        MPI_Aint displacements[3] = {-7, -7, -7};
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        MPI_Info info = MPI_INFO_NULL;
        REQUIRE(MPI_T_event_get_info(index, wanted(0) ? name : nullptr, wanted(1) ? &name_length : nullptr,
                                     wanted(2) ? &verbosity : nullptr, wanted(3) ? types : nullptr,
                                     wanted(4) ? displacements : nullptr, wanted(5) ? &count : nullptr,
                                     wanted(6) ? &enumeration : nullptr, wanted(7) ? &info : nullptr,
                                     wanted(8) ? description : nullptr, wanted(9) ? &description_length : nullptr,
                                     wanted(10) ? &bind : nullptr) == MPI_SUCCESS);
        bool is_right = std::string(name) == (wanted(0) && wanted(1) ? "e_plain" : "") &&
                        name_length == (wanted(1) ? 8 : int{sizeof name}) &&
                        verbosity == (wanted(2) ? MPI_T_VERBOSITY_USER_BASIC : -7) &&
                        (types[2] == MPI_UNSIGNED_LONG) == (wanted(3) && wanted(5)) &&
                        (displacements[2] == 8) == (wanted(4) && wanted(5)) && count == 3 &&
                        (enumeration != MPI_T_ENUM_NULL) == wanted(6) && (info != MPI_INFO_NULL) == wanted(7) &&
                        std::string(description) == (wanted(8) && wanted(9) ? "A message came" : "") &&
                        description_length == (wanted(9) ? 15 : int{sizeof description}) &&
                        bind == (wanted(10) ? MPI_T_BIND_NO_OBJECT : -7);
        if (info != MPI_INFO_NULL) is_right = MPI_Info_free(&info) == MPI_SUCCESS && is_right;
        INFO(missing);
        CHECK(is_right);
    }
}

TEST_CASE("At most as many elements are stored as fit, and the whole number is returned", "[EVT-05][EVT-06]") {
    initialized tools;
    const int index = event_index("e_plain");
    const MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_UNSIGNED_LONG};
    const MPI_Aint displacements[] = {0, 4, 8};
    for (const int room : {0, 1, 2, 3, 4, 6})
        for (int arrays = 0; arrays < 4; arrays++) {
            MPI_Datatype found_types[6]{};
            MPI_Aint found[6] = {-7, -7, -7, -7, -7, -7};
            int count = room;
            REQUIRE(MPI_T_event_get_info(index, nullptr, nullptr, nullptr, arrays & 1 ? found_types : nullptr,
                                         arrays & 2 ? found : nullptr, &count, nullptr, nullptr, nullptr, nullptr,
                                         nullptr) == MPI_SUCCESS);
            CHECK(count == 3);
            for (int i = 0; i < 6; i++) {
                const bool is_stored = i < std::min(room, 3);
                CHECK(found_types[i] == (is_stored && (arrays & 1) != 0 ? types[i] : MPI_Datatype{}));
                CHECK(found[i] == (is_stored && (arrays & 2) != 0 ? displacements[i] : -7));
            }
        }
}

TEST_CASE("Without a number of elements neither array is written, and a negative number is invalid", "[EVT-06]") {
    initialized tools;
    MPI_Datatype type{};
    MPI_Aint displacement = -7;
    REQUIRE(MPI_T_event_get_info(0, nullptr, nullptr, nullptr, &type, &displacement, nullptr, nullptr, nullptr, nullptr,
                                 nullptr, nullptr) == MPI_SUCCESS);
    CHECK(type == MPI_Datatype{});
    CHECK(displacement == -7);
    int count = -1;
    CHECK(MPI_T_event_get_info(0, nullptr, nullptr, nullptr, &type, nullptr, &count, nullptr, nullptr, nullptr, nullptr,
                               nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_info(0, nullptr, nullptr, nullptr, nullptr, &displacement, &count, nullptr, nullptr, nullptr,
                               nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(count == -1);
    REQUIRE(MPI_T_event_get_info(0, nullptr, nullptr, nullptr, nullptr, nullptr, &count, nullptr, nullptr, nullptr,
                                 nullptr, nullptr) == MPI_SUCCESS);
    CHECK(count == 3);
}

TEST_CASE("Elements have increasing displacements from 0 on and one of the eleven datatypes", "[EVT-07][DT-02]") {
    initialized tools;
    const std::set<MPI_Datatype> eleven{
        MPI_INT,      MPI_INT32_T,  MPI_INT64_T, MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG,
        MPI_UINT32_T, MPI_UINT64_T, MPI_COUNT,   MPI_CHAR,     MPI_DOUBLE};
    REQUIRE(eleven.size() == 11);
    std::set<MPI_Datatype> seen;
    for (int index = 0; index < event_count; index++) {
        const elements found = elements_of(index);
        MPI_Aint end = 0;
        for (std::size_t i = 0; i < found.types.size(); i++) {
            if (i == 0) CHECK(found.displacements[i] == 0);
            CHECK(found.displacements[i] >= end);
            end = found.displacements[i] + size_of(found.types[i]);
            seen.insert(found.types[i]);
        }
    }
    CHECK(seen == eleven);
}

TEST_CASE("Every element has the datatype and the displacement of its member in the struct", "[EVT-07][DT-02]") {
    initialized tools;
    using payload = payload_of_all_types;
    const elements found = elements_of(event_index("e_all_types"));
    const auto at = [](std::size_t offset) { return static_cast<MPI_Aint>(offset); };
    const MPI_Aint text = at(offsetof(payload, text)), pair = at(offsetof(payload, pair));
    CHECK(found.types == std::vector<MPI_Datatype>{MPI_CHAR, MPI_INT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
                                                   MPI_UNSIGNED_LONG_LONG, MPI_DOUBLE, MPI_INT32_T, MPI_INT64_T,
                                                   MPI_UINT32_T, MPI_UINT64_T, MPI_COUNT, MPI_INT, MPI_CHAR, MPI_CHAR,
                                                   MPI_CHAR, MPI_CHAR, MPI_CHAR, MPI_DOUBLE, MPI_DOUBLE});
    CHECK(found.displacements ==
          std::vector<MPI_Aint>{
              0, at(offsetof(payload, of_int)), at(offsetof(payload, of_unsigned)),
              at(offsetof(payload, of_unsigned_long)), at(offsetof(payload, of_unsigned_long_long)),
              at(offsetof(payload, of_double)), at(offsetof(payload, of_int32)), at(offsetof(payload, of_int64)),
              at(offsetof(payload, of_uint32)), at(offsetof(payload, of_uint64)), at(offsetof(payload, of_count)),
              at(offsetof(payload, of_colour)), text, text + 1, text + 2, text + 3, text + 4, pair, pair + 8});
    CHECK(elements_of(event_index("e_empty")).types.empty());
}

TEST_CASE("The items of an event's enumeration are the names of its elements, and one without elements has none",
          "[EVT-08]") {
    initialized tools;
    for (int index = 0; index < event_count; index++) {
        MPI_T_enum enumeration = handle_number<MPI_T_enum>(0xdead);
        int count = 0;
        REQUIRE(MPI_T_event_get_info(index, nullptr, nullptr, nullptr, nullptr, nullptr, &count, &enumeration, nullptr,
                                     nullptr, nullptr, nullptr) == MPI_SUCCESS);
        if (count == 0) CHECK(enumeration == MPI_T_ENUM_NULL);
        else CHECK(names_of(enumeration).size() == static_cast<std::size_t>(count));
        if (index == event_index("e_plain"))
            CHECK(names_of(enumeration) == std::vector<std::string>{"source", "tag", "bytes"});
        if (index == event_index("e_all_types"))
            CHECK(names_of(enumeration) ==
                  std::vector<std::string>{"letter", "of_int", "of_unsigned", "of_unsigned_long",
                                           "of_unsigned_long_long", "of_double", "of_int32", "of_int64", "of_uint32",
                                           "of_uint64", "of_count", "of_colour", "text[0]", "text[1]", "text[2]",
                                           "text[3]", "text[4]", "pair[0]", "pair[1]"});
    }
}

TEST_CASE("Another process of the same program has the same events", "[EVT-10]") {
    initialized tools;
    std::vector<std::string> here = all_lines();
    REQUIRE(here.size() == event_count);
    for (std::string& line : here) line += "\n";
    CHECK(lines_of_another_process("[.events]", "event ", "MPIT_TEST=1") == here);
}
TEST_CASE("This process lists its events for another one", "[.events]") {
    initialized tools;
    for (const std::string& line : all_lines()) std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

TEST_CASE("A name that no event has is MPI_T_ERR_INVALID_NAME", "[EVT-11]") {
    initialized tools;
    int found = -7;
    for (const char* unknown : {"", "E_PLAIN", "e_plai", "e_plain ", "C_INT", "events", "s_ordered"})
        CHECK(MPI_T_event_get_index(unknown, &found) == MPI_T_ERR_INVALID_NAME);
    CHECK(found == -7);
}
