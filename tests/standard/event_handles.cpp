// MPI-5.0, 15.3.8: registrations on events: what they are bound to, and the hints that they and their callbacks take.
#include "recorded_events.hpp"

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

TEST_CASE("The hints of an event are an info object that is new for every query and that the caller frees",
          "[EVT-09]") {
    initialized tools;
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

TEST_CASE("Every event accepts many registrations, each with a handle of its own", "[EVT-12]") {
    initialized tools;
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

TEST_CASE("A registration needs an existing event, an existing object and an output for the handle", "[EVT-12]") {
    initialized tools;
    const MPI_T_event_registration garbage = handle_number<MPI_T_event_registration>(0xdead);
    for (const int wrong : {-1, 8, INT_MAX, INT_MIN}) {
        MPI_T_event_registration made = garbage;
        CHECK(MPI_T_event_handle_alloc(wrong, nullptr, MPI_INFO_NULL, &made) == MPI_T_ERR_INVALID_INDEX);
        CHECK(made == nullptr);
    }
    communicator null_handle = nullptr, unknown = handle_number<communicator>(0x222);
    for (communicator* object : {static_cast<communicator*>(nullptr), &null_handle, &unknown}) {
        MPI_T_event_registration made = garbage;
        CHECK(MPI_T_event_handle_alloc(event_index("e_bound"), object, MPI_INFO_NULL, &made) ==
              MPI_T_ERR_INVALID_HANDLE);
        CHECK(made == nullptr);
    }
    CHECK(MPI_T_event_handle_alloc(0, nullptr, MPI_INFO_NULL, nullptr) == MPI_T_ERR_INVALID);
    MPI_T_event_registration made = garbage;
    CHECK(MPI_T_event_handle_alloc(0, nullptr, handle_number<MPI_Info>(0xdead), &made) == MPI_T_ERR_INVALID);
}

TEST_CASE("The object of an unbound event is never read", "[EVT-12]") {
    initialized tools;
    registration r{"e_plain", handle_number<void*>(0x101)};
    CHECK(r.handle != nullptr);
}

TEST_CASE("Without memory there are no more handles, and existing ones keep working", "[EVT-12]") {
    initialized tools;
    recorded.clear();
    registration first{"e_wrapping"};
    REQUIRE(first.call(&record_event) == MPI_SUCCESS);
    std::vector<MPI_T_event_registration> made;
    MPI_T_event_registration last{};
    const int index = event_index("e_wrapping");
    int code = MPI_SUCCESS;
    mpit::core::allocations_left.store(0);
    while (code == MPI_SUCCESS && made.size() < 100'000) {
        last = handle_number<MPI_T_event_registration>(0xdead);
        code = MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &last);
        if (code == MPI_SUCCESS) made.push_back(last);
    }
    mpit::core::allocations_left.store(-1);
    CHECK(code == MPI_T_ERR_OUT_OF_HANDLES);
    CHECK(last == nullptr);
    all.events.wrapped(1);
    CHECK(numbers() == "1 ");
    for (MPI_T_event_registration each : made) CHECK(MPI_T_event_handle_free(each, nullptr, nullptr) == MPI_SUCCESS);
    CHECK(registration{"e_wrapping"}.handle != nullptr);
}

TEST_CASE("A bound registration gets instances of its own object, and counts no drops of others", "[EVT-13]") {
    initialized tools;
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

TEST_CASE("Every unbound registration gets every instance once", "[EVT-13]") {
    initialized tools;
    recorded.clear();
    registration first{"e_plain"}, second{"e_plain"};
    REQUIRE(first.call(&record_event) == MPI_SUCCESS);
    REQUIRE(second.call(&record_event) == MPI_SUCCESS);
    all.events.plain(1, 0, 0ul);
    CHECK(numbers() == "1 1 ");
    CHECK(recorded[0].registration != recorded[1].registration);
}

TEST_CASE("A registration on a freed object gets no instance, even when the value of its handle is reused",
          "[EVT-13]") {
    initialized tools;
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

TEST_CASE("Unknown and invalid hints are ignored, and MPI_INFO_NULL has none", "[EVT-14]") {
    initialized tools;
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

TEST_CASE("Hints are read during the call, so that their object can be changed or freed right after it",
          "[EVT-16][INFO-21]") {
    initialized tools;
    MPI_Info info = hints_of_event("e_plain");
    REQUIRE(MPI_Info_set(info, "mpit_buffer_depth", "5") == MPI_SUCCESS);
    registration r{"e_plain", nullptr, info};
    REQUIRE(MPI_Info_set(info, "mpit_buffer_depth", "9") == MPI_SUCCESS);
    REQUIRE(MPI_Info_free(&info) == MPI_SUCCESS);
    CHECK(hints_of(r) == "mpit_buffer_depth=5 mpit_drop_policy=newest ");
}

TEST_CASE("Setting hints changes only those that are named and accepted", "[EVT-15][EVT-16]") {
    initialized tools;
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

TEST_CASE("Registrations on events of an ordered source accept no hints and return an empty object",
          "[EVT-14][EVT-16]") {
    initialized tools;
    registration r{"e_ordered", nullptr, hints{{"mpit_buffer_depth", "5"}}.info};
    CHECK(hints_of(r) == "");
    CHECK(MPI_T_event_handle_set_info(r.handle, hints{{"mpit_drop_policy", "oldest"}}.info) == MPI_SUCCESS);
    CHECK(hints_of(r) == "");
}

TEST_CASE("Every query makes a new info object", "[EVT-16][EVT-28]") {
    initialized tools;
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
    CHECK(MPI_T_event_handle_get_info(r.handle, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_get_info(r.handle, MPI_T_CB_REQUIRE_NONE, nullptr) == MPI_T_ERR_INVALID);
}

TEST_CASE("Each level has hints of its own callback, and a level without callback is invalid", "[EVT-28]") {
    initialized tools;
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
