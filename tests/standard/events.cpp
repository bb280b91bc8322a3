// MPI-5.0, 15.3.8: types of events and registrations on them: names and numbers, elements of payloads, what a registration is
// bound to, and the hints that it and its callbacks take.
#include "../descriptions.hpp"
#include "recorded_events.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

namespace {

constexpr int event_count = 8;

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

} // namespace

TEST_CASE_METHOD(initialized,
                 "Events have the indices from 0 up to their number, and get_index is the inverse of get_info",
                 "[EVT-01][EVT-04][EVT-11]") {
    REQUIRE(number_of_all<event_info>() == event_count);
    std::set<std::string> names;
    for (int i = 0; i < event_count; i++) {
        const event_info about{i};
        CHECK(about.name_length >= 2);
        CHECK(names.insert(about.name).second);
        CHECK(event_index(about.name) == i);
    }
    CHECK(event_index("e_plain") == 0);
}

TEST_CASE("The description of an index never changes", "[EVT-02]") {
    std::vector<std::string> before;
    {
        initialized tools;
        before = lines_of_all<event_info>();
    }
    initialized tools;
    all.events.plain(1, 2, 3ul);
    CHECK(lines_of_all<event_info>() == before);
}

TEST_CASE_METHOD(initialized, "At most as many elements are stored as fit, and the whole number is returned",
                 "[EVT-05][EVT-06]") {
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

TEST_CASE_METHOD(initialized, "Without a number of elements neither array is written, and a negative number is invalid",
                 "[EVT-06]") {
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

TEST_CASE_METHOD(initialized, "Elements have increasing displacements from 0 on and one of the eleven datatypes",
                 "[EVT-07][DT-02]") {
    const std::set<MPI_Datatype> eleven{
        MPI_INT,      MPI_INT32_T,  MPI_INT64_T, MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG,
        MPI_UINT32_T, MPI_UINT64_T, MPI_COUNT,   MPI_CHAR,     MPI_DOUBLE};
    REQUIRE(eleven.size() == 11);
    std::set<MPI_Datatype> seen;
    for (int index = 0; index < event_count; index++) {
        const event_info found{index};
        MPI_Aint end = 0;
        for (int i = 0; i < found.count; i++) {
            if (i == 0) CHECK(found.displacements[i] == 0);
            CHECK(found.displacements[i] >= end);
            end = found.displacements[i] + size_of(found.types[i]);
            seen.insert(found.types[i]);
        }
    }
    CHECK(seen == eleven);
}

TEST_CASE_METHOD(initialized, "Every element has the datatype and the displacement of its member in the struct",
                 "[EVT-07][DT-02]") {
    using payload = payload_of_all_types;
    const event_info found{"e_all_types"};
    const auto at = [](std::size_t offset) { return static_cast<MPI_Aint>(offset); };
    const MPI_Aint text = at(offsetof(payload, text)), pair = at(offsetof(payload, pair));
    CHECK(std::vector<MPI_Datatype>(found.types, found.types + found.count) ==
          std::vector<MPI_Datatype>{MPI_CHAR, MPI_INT, MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG,
                                    MPI_DOUBLE, MPI_INT32_T, MPI_INT64_T, MPI_UINT32_T, MPI_UINT64_T, MPI_COUNT,
                                    MPI_INT, MPI_CHAR, MPI_CHAR, MPI_CHAR, MPI_CHAR, MPI_CHAR, MPI_DOUBLE, MPI_DOUBLE});
    CHECK(std::vector<MPI_Aint>(found.displacements, found.displacements + found.count) ==
          std::vector<MPI_Aint>{
              0, at(offsetof(payload, of_int)), at(offsetof(payload, of_unsigned)),
              at(offsetof(payload, of_unsigned_long)), at(offsetof(payload, of_unsigned_long_long)),
              at(offsetof(payload, of_double)), at(offsetof(payload, of_int32)), at(offsetof(payload, of_int64)),
              at(offsetof(payload, of_uint32)), at(offsetof(payload, of_uint64)), at(offsetof(payload, of_count)),
              at(offsetof(payload, of_colour)), text, text + 1, text + 2, text + 3, text + 4, pair, pair + 8});
    CHECK(event_info{"e_empty"}.count == 0);
}

TEST_CASE_METHOD(initialized,
                 "The items of an event's enumeration are the names of its elements, and one without elements has none",
                 "[EVT-08]") {
    for (int index = 0; index < event_count; index++) {
        const event_info about{index};
        const MPI_T_enum enumeration = about.enumeration;
        if (about.count == 0) CHECK(enumeration == MPI_T_ENUM_NULL);
        else CHECK(names_of(enumeration).size() == static_cast<std::size_t>(about.count));
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

namespace {

MPI_Info hints_of_event(const char* name) {
    MPI_Info info = MPI_INFO_NULL;
    REQUIRE(MPI_T_event_get_info(event_index(name), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                 &info, nullptr, nullptr, nullptr) == MPI_SUCCESS);
    return info;
}
std::string hints_of(const registration& r) {
    MPI_Info info = MPI_INFO_NULL;
    REQUIRE(MPI_T_event_handle_get_info(r.handle, &info) == MPI_SUCCESS);
    return text_of(info);
}
std::string hints_of_callback(const registration& r, MPI_T_cb_safety level) {
    MPI_Info info = MPI_INFO_NULL;
    REQUIRE(MPI_T_event_callback_get_info(r.handle, level, &info) == MPI_SUCCESS);
    return text_of(info);
}

const std::string defaults = "mpit_buffer_depth=64 mpit_drop_policy=newest ";

} // namespace

TEST_CASE_METHOD(initialized,
                 "The hints of an event are an info object that is new for every query and that the caller frees",
                 "[EVT-09]") {
    for (const char* name : {"e_plain", "e_bound", "e_empty", "e_ordered"}) {
        MPI_Info first = hints_of_event(name), second = hints_of_event(name);
        CHECK(first != MPI_INFO_NULL);
        CHECK(second != MPI_INFO_NULL);
        CHECK(first != second);
        const std::string expected = std::string{name} == "e_ordered" ? "" : defaults;
        CHECK(text_of(first) == expected);
        CHECK(text_of(second) == expected);
    }
}

TEST_CASE_METHOD(initialized, "Every event accepts many registrations, each with a handle of its own", "[EVT-12]") {
    communicator comm = handle_number<communicator>(0x111);
    mpit::created(all, comm);
    int count = 0;
    REQUIRE(MPI_T_event_get_num(&count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        std::vector<MPI_T_event_registration> made(100);
        for (MPI_T_event_registration& each : made)
            REQUIRE(MPI_T_event_handle_alloc(i, &comm, MPI_INFO_NULL, &each) == MPI_SUCCESS);
        for (std::size_t a = 0; a < made.size(); a++)
            for (std::size_t b = 0; b < a; b++) REQUIRE(made[a] != made[b]);
        for (MPI_T_event_registration each : made)
            CHECK(MPI_T_event_handle_free(each, nullptr, nullptr) == MPI_SUCCESS);
    }
    mpit::freed(all, comm);
}

TEST_CASE_METHOD(initialized, "An event is watched while a tool has registered for it", "[EVT-12]") {
    CHECK_FALSE(all.events.plain.is_watched());
    {
        const registration first{"e_plain"};
        CHECK(all.events.plain.is_watched());
        CHECK_FALSE(all.events.bound.is_watched());
    }
    CHECK_FALSE(all.events.plain.is_watched());
}

TEST_CASE_METHOD(initialized, "The object of an unbound event is never read", "[EVT-12]") {
    registration r{"e_plain", handle_number<void*>(0x101)};
    CHECK(r.handle != nullptr);
}

TEST_CASE_METHOD(initialized, "A bound registration gets instances of its own object, and counts no drops of others",
                 "[EVT-13]") {
    recorded.clear();
    communicator first = handle_number<communicator>(0x301), second = handle_number<communicator>(0x302);
    mpit::created(all, first);
    mpit::created(all, second);
    {
        registration of_first{"e_bound", &first}, of_second{"e_bound", &second};
        int data[2];
        REQUIRE(of_first.call(&record_event, &data[0]) == MPI_SUCCESS);
        REQUIRE(of_second.call(&record_event, &data[1]) == MPI_SUCCESS);
        REQUIRE(of_first.call_for_losses(&record_losses) == MPI_SUCCESS);
        REQUIRE(of_second.call_for_losses(&record_losses) == MPI_SUCCESS);
        all.events.bound[first](1);
        all.events.bound[second](2);
        all.events.bound[first].raise(mpit::safety::thread_safe, 3);
        all.events.bound[handle_number<communicator>(0x303)](4);
        all.events.bound[second](5);
        all.events.bound[first](6);
        CHECK(numbers() == "1 2 lost 1 5 6 ");
        CHECK(recorded.at(2).registration == of_first.handle);
        for (const recorded_call& call : recorded)
            CHECK((call.registration == of_first.handle) == (call.user_data == &data[0]));
    }
    mpit::freed(all, first);
    mpit::freed(all, second);
}

TEST_CASE_METHOD(initialized, "Every unbound registration gets every instance once", "[EVT-13]") {
    recorded.clear();
    registration first{"e_plain"}, second{"e_plain"};
    REQUIRE(first.call(&record_event) == MPI_SUCCESS);
    REQUIRE(second.call(&record_event) == MPI_SUCCESS);
    all.events.plain(1, 0, 0ul);
    CHECK(numbers() == "1 1 ");
    CHECK(recorded[0].registration != recorded[1].registration);
}

TEST_CASE_METHOD(initialized,
                 "A registration on a freed object gets no instance, even when the value of its handle is reused",
                 "[EVT-13]") {
    recorded.clear();
    communicator comm = handle_number<communicator>(0x310);
    mpit::created(all, comm);
    registration old{"e_bound", &comm};
    REQUIRE(old.call(&record_event) == MPI_SUCCESS);
    mpit::freed(all, comm);
    mpit::created(all, comm);
    registration fresh{"e_bound", &comm};
    REQUIRE(fresh.call(&record_event) == MPI_SUCCESS);
    all.events.bound[comm](1);
    REQUIRE(recorded.size() == 1);
    CHECK(recorded[0].registration == fresh.handle);
    mpit::freed(all, comm);
}

TEST_CASE_METHOD(initialized, "Unknown and invalid hints are ignored, and MPI_INFO_NULL has none", "[EVT-14]") {
    hints nonsense{
        {"no_such_hint", "7"}, {"mpit_buffer_depth", "0"}, {"mpit_drop_policy", "random"}, {"mpit_sampling", "x"}};
    registration r{"e_plain", nullptr, nonsense.info};
    CHECK(hints_of(r) == defaults);
    CHECK(MPI_T_event_handle_set_info(r.handle, nonsense.info) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_set_info(r.handle, MPI_INFO_NULL) == MPI_SUCCESS);
    CHECK(hints_of(r) == defaults);
    CHECK(r.call(&record_event, nullptr, MPI_T_CB_REQUIRE_NONE, nonsense.info) == MPI_SUCCESS);
    CHECK(hints_of_callback(r, MPI_T_CB_REQUIRE_NONE) == "mpit_sampling=1 ");
}

TEST_CASE_METHOD(initialized,
                 "Hints are read during the call, so that their object can be changed or freed right after it",
                 "[EVT-16][INFO-21]") {
    MPI_Info info = hints_of_event("e_plain");
    REQUIRE(MPI_Info_set(info, "mpit_buffer_depth", "5") == MPI_SUCCESS);
    registration r{"e_plain", nullptr, info};
    REQUIRE(MPI_Info_set(info, "mpit_buffer_depth", "9") == MPI_SUCCESS);
    REQUIRE(MPI_Info_free(&info) == MPI_SUCCESS);
    CHECK(hints_of(r) == "mpit_buffer_depth=5 mpit_drop_policy=newest ");
}

TEST_CASE_METHOD(initialized, "Setting hints changes only those that are named and accepted", "[EVT-15][EVT-16]") {
    registration r{"e_plain"}, other{"e_plain"};
    CHECK(hints_of(r) == defaults);
    CHECK(MPI_T_event_handle_set_info(r.handle, hints{{"mpit_drop_policy", "oldest"}, {"nonsense", "1"}}.info) ==
          MPI_SUCCESS);
    CHECK(hints_of(r) == "mpit_buffer_depth=64 mpit_drop_policy=oldest ");
    CHECK(MPI_T_event_handle_set_info(r.handle, hints{{"mpit_buffer_depth", "3"}}.info) == MPI_SUCCESS);
    CHECK(hints_of(r) == "mpit_buffer_depth=3 mpit_drop_policy=oldest ");
    // There is no room for so many any more, so that this one is not accepted.
    CHECK(MPI_T_event_handle_set_info(r.handle, hints{{"mpit_buffer_depth", "60000"}}.info) == MPI_SUCCESS);
    CHECK(hints_of(r) == "mpit_buffer_depth=3 mpit_drop_policy=oldest ");
    CHECK(hints_of(other) == defaults);
    CHECK(MPI_T_event_handle_set_info(r.handle, handle_number<MPI_Info>(0xdead)) == MPI_T_ERR_INVALID);
    CHECK(hints_of(r) == "mpit_buffer_depth=3 mpit_drop_policy=oldest ");
}

TEST_CASE_METHOD(initialized, "Registrations on events of an ordered source accept no hints and return an empty object",
                 "[EVT-14][EVT-16]") {
    registration r{"e_ordered", nullptr, hints{{"mpit_buffer_depth", "5"}}.info};
    CHECK(hints_of(r) == "");
    CHECK(MPI_T_event_handle_set_info(r.handle, hints{{"mpit_drop_policy", "oldest"}}.info) == MPI_SUCCESS);
    CHECK(hints_of(r) == "");
}

TEST_CASE_METHOD(initialized, "Every query makes a new info object", "[EVT-16][EVT-28]") {
    registration r{"e_plain"};
    REQUIRE(r.call(&record_event) == MPI_SUCCESS);
    MPI_Info of_handle[2], of_callback[2];
    for (int i = 0; i < 2; i++) {
        REQUIRE(MPI_T_event_handle_get_info(r.handle, &of_handle[i]) == MPI_SUCCESS);
        REQUIRE(MPI_T_event_callback_get_info(r.handle, MPI_T_CB_REQUIRE_NONE, &of_callback[i]) == MPI_SUCCESS);
    }
    CHECK(of_handle[0] != of_handle[1]);
    CHECK(of_callback[0] != of_callback[1]);
    for (int i = 0; i < 2; i++) {
        CHECK(MPI_Info_free(&of_handle[i]) == MPI_SUCCESS);
        CHECK(MPI_Info_free(&of_callback[i]) == MPI_SUCCESS);
    }
}

TEST_CASE_METHOD(initialized, "Each level has hints of its own callback, and a level without callback is invalid",
                 "[EVT-28]") {
    recorded.clear();
    registration r{"e_plain"};
    REQUIRE(r.call(&record_event) == MPI_SUCCESS);
    REQUIRE(r.call(&record_event, nullptr, MPI_T_CB_REQUIRE_THREAD_SAFE, hints{{"mpit_sampling", "3"}}.info) ==
            MPI_SUCCESS);
    CHECK(hints_of_callback(r, MPI_T_CB_REQUIRE_NONE) == "mpit_sampling=1 ");
    CHECK(hints_of_callback(r, MPI_T_CB_REQUIRE_THREAD_SAFE) == "mpit_sampling=3 ");
    CHECK(MPI_T_event_callback_set_info(r.handle, MPI_T_CB_REQUIRE_NONE, hints{{"mpit_sampling", "2"}}.info) ==
          MPI_SUCCESS);
    CHECK(MPI_T_event_callback_set_info(r.handle, MPI_T_CB_REQUIRE_NONE, hints{{"nonsense", "2"}}.info) == MPI_SUCCESS);
    CHECK(MPI_T_event_callback_set_info(r.handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL) == MPI_SUCCESS);
    CHECK(hints_of_callback(r, MPI_T_CB_REQUIRE_NONE) == "mpit_sampling=2 ");
    CHECK(hints_of_callback(r, MPI_T_CB_REQUIRE_THREAD_SAFE) == "mpit_sampling=3 ");
    for (int i = 0; i < 6; i++) all.events.plain(i, 0, 0ul);
    CHECK(numbers() == "0 2 4 ");
    recorded.clear();
    for (int i = 0; i < 6; i++) all.events.plain.raise(mpit::safety::thread_safe, i, 0, 0ul);
    CHECK(numbers() == "0 3 ");

    for (const MPI_T_cb_safety empty : {MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE}) {
        MPI_Info info = MPI_INFO_NULL;
        CHECK(MPI_T_event_callback_get_info(r.handle, empty, &info) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_event_callback_set_info(r.handle, empty, MPI_INFO_NULL) == MPI_T_ERR_INVALID);
        CHECK(info == MPI_INFO_NULL);
    }
    CHECK(MPI_T_event_callback_set_info(r.handle, MPI_T_CB_REQUIRE_NONE, handle_number<MPI_Info>(0xdead)) ==
          MPI_T_ERR_INVALID);
    CHECK(r.call(&record_event, nullptr, MPI_T_CB_REQUIRE_NONE, handle_number<MPI_Info>(0xdead)) == MPI_T_ERR_INVALID);
    CHECK(hints_of_callback(r, MPI_T_CB_REQUIRE_NONE) == "mpit_sampling=2 ");
}
