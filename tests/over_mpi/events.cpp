// Events of a host through the roof on top of it, beside those of the library.

#include "stacked.hpp"

#include <atomic>
#include <thread>

namespace {

struct packet {
    int rank;
    double bytes;
};

int add_event(const std::string& name) {
    return add_to(mock_host::the_host().events, {.name = name,
                                                 .elements = {{MPI_INT, offsetof(packet, rank), sizeof(int)},
                                                              {MPI_DOUBLE, offsetof(packet, bytes), 8}},
                                                 .size = sizeof(packet)});
}
// The numbers of the host's own sources: the first cannot be described, so that the others have other numbers for
// tools.
struct host_sources {
    int hole, clock, network;
    host_sources() {
        static const int first =
            add_to<mock_host::source>(mock_host::the_host().sources, {.name = "hole", .is_hole = true});
        static const int second = add_to<mock_host::source>(
            mock_host::the_host().sources, {.name = "host_clock", .ordering = MPI_T_SOURCE_UNORDERED, .now = 4711});
        static const int third = add_to<mock_host::source>(mock_host::the_host().sources, {.name = "network"});
        hole = first;
        clock = second;
        network = third;
    }
};

// What a callback has seen.
struct seen {
    int calls = 0;
    MPI_T_event_instance instance{};
    MPI_T_event_registration registration{};
    MPI_T_cb_safety level{};
    packet by_element{}, copied{};
    int code_of_wrong_element = -1;
    MPI_Count stamp = -1;
    int source = -1;
    std::vector<int> codes;
};
void look(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety level, void* data) {
    seen& to = *static_cast<seen*>(data);
    int unused = 0;
    to.calls++;
    to.instance = instance;
    to.registration = registration;
    to.level = level;
    to.codes = {MPI_T_event_read(instance, 0, &to.by_element.rank),
                PMPI_T_event_read(instance, 1, &to.by_element.bytes), MPI_T_event_copy(instance, &to.copied),
                MPI_T_event_get_timestamp(instance, &to.stamp), MPI_T_event_get_source(instance, &to.source)};
    to.code_of_wrong_element = MPI_T_event_read(instance, 2, &unused);
    to.codes.push_back(MPI_T_event_read(instance, 0, nullptr) == MPI_T_ERR_INVALID ? MPI_SUCCESS : -1);
}
const std::vector<int> all_fine(6, MPI_SUCCESS);

struct listener {
    MPI_T_event_registration handle{};
    explicit listener(int event, void* object = nullptr) {
        REQUIRE(event >= 0);
        REQUIRE(MPI_T_event_handle_alloc(event, object, MPI_INFO_NULL, &handle) == MPI_SUCCESS);
    }
    void listen(seen& to, MPI_T_cb_safety level = MPI_T_CB_REQUIRE_NONE) const {
        REQUIRE(MPI_T_event_register_callback(handle, level, MPI_INFO_NULL, &to, &look) == MPI_SUCCESS);
    }
    int free(MPI_T_event_free_cb_function* function = nullptr, void* data = nullptr) const {
        return MPI_T_event_handle_free(handle, data, function);
    }
};

struct ended {
    int calls = 0;
    MPI_T_event_registration registration{};
};
void count_end(MPI_T_event_registration registration, MPI_T_cb_safety, void* data) {
    ended& to = *static_cast<ended*>(data);
    to.calls++;
    to.registration = registration;
}

struct loss {
    int calls = 0;
    MPI_Count count = 0;
    MPI_T_event_registration registration{};
    int source = -1;
    void* data = nullptr;
} last_loss;
void keep_loss(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety, void* data) {
    last_loss = {last_loss.calls + 1, count, registration, source, data};
}

} // namespace

TEST_CASE("Events of the host are listed before the library's, each with the host's whole description",
          "[EVT-01][EVT-02]") {
    const host_sources sources;
    const int of_host = add_event("host_packet");
    const epoch here;
    const int number = event_number("host_packet"), of_lab = event_number("lab_arrival");
    int count = 0;
    REQUIRE(MPI_T_event_get_num(&count) == MPI_SUCCESS);
    CHECK(number >= 0);
    CHECK(of_lab > number);
    CHECK(of_lab < count);
    char name[64], description[64];
    int name_size = sizeof name, size = sizeof description, verbosity = 0, elements = 5, bind = -1;
    MPI_Datatype types[5]{};
    MPI_Aint displacements[5]{-1, -1, -1, -1, -1};
    MPI_T_enum enumeration{};
    MPI_Info info = MPI_INFO_NULL;
    REQUIRE(MPI_T_event_get_info(number, name, &name_size, &verbosity, types, displacements, &elements, &enumeration,
                                 &info, description, &size, &bind) == MPI_SUCCESS);
    CHECK(std::string{name} == "host_packet");
    CHECK(std::string{description} == "An event of the host");
    CHECK(verbosity == MPI_T_VERBOSITY_TUNER_BASIC);
    CHECK(elements == 2);
    CHECK(types[0] == MPI_INT);
    CHECK(types[1] == MPI_DOUBLE);
    CHECK(displacements[1] == offsetof(packet, bytes));
    CHECK(displacements[2] == -1);
    CHECK(enumeration == MPI_T_ENUM_NULL);
    CHECK(bind == MPI_T_BIND_NO_OBJECT);
    REQUIRE(info != MPI_INFO_NULL);
    CHECK(PMPI_Info_free(&info) == MPI_SUCCESS);

    elements = 1;
    displacements[1] = -1;
    REQUIRE(MPI_T_event_get_info(number, nullptr, nullptr, nullptr, nullptr, displacements, &elements, nullptr, nullptr,
                                 nullptr, nullptr, nullptr) == MPI_SUCCESS);
    CHECK(elements == 2);
    CHECK(displacements[1] == -1);
    mock_host::the_host().events[static_cast<std::size_t>(of_host)].is_hole = true; // a plugin was closed
    size = sizeof description;
    CHECK(MPI_T_event_get_info(number, name, &name_size, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                               description, &size, nullptr) == MPI_SUCCESS);
    CHECK(std::string{description} == "An event of the host");
    for (const int wrong : {-1, count, INT_MAX})
        CHECK(MPI_T_event_get_info(wrong, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, nullptr, nullptr) == MPI_T_ERR_INVALID_INDEX);
}

TEST_CASE("If the host returns no info object, tools can still free theirs", "[EVT-01][SRC-06]") {
    const host_sources sources;
    add_event("host_without_info");
    const epoch here;
    mock_host::the_host().gives_no_info = true;
    const listener l{event_number("host_without_info")};
    seen by;
    l.listen(by);
    MPI_Info infos[4]{};
    CHECK(MPI_T_event_get_info(event_number("host_without_info"), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                               nullptr, &infos[0], nullptr, nullptr, nullptr) == MPI_SUCCESS);
    CHECK(MPI_T_source_get_info(source_number("host_clock"), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                nullptr, &infos[1]) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_get_info(l.handle, &infos[2]) == MPI_SUCCESS);
    CHECK(MPI_T_event_callback_get_info(l.handle, MPI_T_CB_REQUIRE_NONE, &infos[3]) == MPI_SUCCESS);
    for (MPI_Info& info : infos) {
        REQUIRE(info != MPI_INFO_NULL);
        CHECK(PMPI_Info_free(&info) == MPI_SUCCESS);
    }
}

TEST_CASE("A callback gets the host's payload and time, and the source by the index that tools use",
          "[EVT-29][EVT-30][EVT-31][EVT-33]") {
    const host_sources sources;
    const int of_host = add_event("host_delivery");
    const epoch here;
    const listener l{event_number("host_delivery")};
    seen by;
    l.listen(by, MPI_T_CB_REQUIRE_THREAD_SAFE);
    const packet sent{3, 2.5};
    CHECK(mock_host::raise(of_host, &sent, sources.clock, 99, MPI_T_CB_REQUIRE_MPI_RESTRICTED) == 1);
    REQUIRE(by.calls == 1);
    CHECK(by.codes == all_fine);
    CHECK(by.registration == l.handle);
    CHECK(by.level == MPI_T_CB_REQUIRE_MPI_RESTRICTED);
    CHECK(by.by_element.rank == 3);
    CHECK(by.by_element.bytes == 2.5);
    CHECK(by.copied.rank == 3);
    CHECK(by.copied.bytes == 2.5);
    CHECK(by.stamp == 99);
    CHECK(by.source == source_number("host_clock"));
    CHECK(by.source != sources.clock);
    CHECK(by.code_of_wrong_element == MPI_T_ERR_INVALID_INDEX);

    int value = 0;
    CHECK(MPI_T_event_read(by.instance, 0, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_get_source(by.instance, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(mock_host::raise(of_host, &sent, sources.clock, 100, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE) == 0);
    CHECK(l.free() == MPI_SUCCESS);
}

TEST_CASE("The library's own events work beside the host's", "[EVT-29][EVT-33]") {
    const host_sources sources;
    const epoch here;
    const listener l{event_number("lab_arrival")};
    seen by;
    l.listen(by);
    lab::raise(5, 1.5);
    REQUIRE(by.calls == 1);
    CHECK(by.codes == all_fine);
    CHECK(by.copied.rank == 5);
    CHECK(by.copied.bytes == 1.5);
    CHECK(by.source == source_number("steady_clock"));
    CHECK(by.source > source_number("host_clock"));
    CHECK(l.free() == MPI_SUCCESS);
}

TEST_CASE("A callback inside of a callback sees its own instance, of either side", "[EVT-29]") {
    const host_sources sources;
    const int of_host = add_event("host_nested");
    const epoch here;
    struct both {
        seen outer, inner;
        int of_host, source;
    } state{{}, {}, of_host, sources.clock};
    const listener outer{event_number("lab_arrival")}, inner{event_number("host_nested")};
    inner.listen(state.inner);
    const auto nest = [](MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety level,
                         void* data) {
        both& at = *static_cast<both*>(data);
        const packet sent{8, 8.5};
        mock_host::raise(at.of_host, &sent, at.source, 1, MPI_T_CB_REQUIRE_NONE);
        look(instance, registration, level, &at.outer);
    };
    REQUIRE(MPI_T_event_register_callback(outer.handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &state, nest) ==
            MPI_SUCCESS);
    lab::raise(1, 2);
    CHECK(state.inner.codes == all_fine);
    CHECK(state.inner.copied.rank == 8);
    CHECK(state.outer.codes == all_fine);
    CHECK(state.outer.copied.rank == 1);
    CHECK(outer.free() == MPI_SUCCESS);
    CHECK(inner.free() == MPI_SUCCESS);
}

TEST_CASE("Each level has its callback with its data, and each can be replaced and removed",
          "[EVT-18][EVT-19][EVT-21]") {
    const host_sources sources;
    const int of_host = add_event("host_levels");
    const epoch here;
    const listener l{event_number("host_levels")};
    const packet sent{};
    const auto raise = [&](MPI_T_cb_safety level) { mock_host::raise(of_host, &sent, sources.clock, 0, level); };
    seen low, high, other;
    l.listen(low, MPI_T_CB_REQUIRE_NONE);
    l.listen(high, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE);
    raise(MPI_T_CB_REQUIRE_NONE);
    raise(MPI_T_CB_REQUIRE_THREAD_SAFE);
    CHECK(low.calls == 1);
    CHECK(high.calls == 1);
    l.listen(other, MPI_T_CB_REQUIRE_NONE);
    raise(MPI_T_CB_REQUIRE_NONE);
    CHECK(low.calls == 1);
    CHECK(other.calls == 1);
    CHECK(MPI_T_event_register_callback(l.handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, nullptr) ==
          MPI_SUCCESS);
    raise(MPI_T_CB_REQUIRE_NONE);
    CHECK(other.calls == 1);
    CHECK(high.calls == 2);
    MPI_Info info = MPI_INFO_NULL;
    CHECK(MPI_T_event_callback_get_info(l.handle, MPI_T_CB_REQUIRE_NONE, &info) == MPI_T_ERR_INVALID);
    CHECK(info == MPI_INFO_NULL);
    const auto wrong = static_cast<MPI_T_cb_safety>(7);
    CHECK(MPI_T_event_register_callback(l.handle, wrong, MPI_INFO_NULL, nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_get_info(l.handle, wrong, &info) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_set_info(l.handle, wrong, MPI_INFO_NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_set_info(l.handle, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL) == MPI_SUCCESS);
    CHECK(l.free() == MPI_SUCCESS);
}

TEST_CASE("A callback that the host refuses leaves the one before", "[EVT-18]") {
    const host_sources sources;
    const int of_host = add_event("host_refusal");
    const epoch here;
    const listener l{event_number("host_refusal")};
    seen first, second;
    l.listen(first);
    REQUIRE(MPI_T_event_set_dropped_handler(l.handle, &keep_loss) == MPI_SUCCESS);
    mock_host::the_host().fails_to_register = true;
    CHECK(MPI_T_event_register_callback(l.handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &second, &look) ==
          MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_set_dropped_handler(l.handle, nullptr) == MPI_T_ERR_INVALID);
    ended not_yet;
    CHECK(l.free(&count_end, &not_yet) == MPI_T_ERR_INVALID);
    CHECK(not_yet.calls == 0);
    const packet sent{};
    mock_host::raise(of_host, &sent, sources.clock, 0, MPI_T_CB_REQUIRE_NONE);
    CHECK(first.calls == 1);
    CHECK(first.registration == l.handle);
    CHECK(second.calls == 0);
    const int losses = last_loss.calls;
    mock_host::lose(of_host, 1, sources.clock, MPI_T_CB_REQUIRE_NONE);
    CHECK(last_loss.calls == losses + 1);
    CHECK(last_loss.data == &first);
    mock_host::the_host().fails_to_register = false;
    CHECK(l.free(&count_end, &not_yet) == MPI_SUCCESS);
    CHECK(not_yet.calls == 1);
}

TEST_CASE("A registration ends when the host ends it, and its handle is invalid at once", "[EVT-34][EVT-35]") {
    const host_sources sources;
    const int of_host = add_event("host_ending");
    const epoch here;
    const listener l{event_number("host_ending")};
    seen by;
    ended end;
    l.listen(by);
    mock_host::the_host().ends_registrations_later = true;
    REQUIRE(l.free(&count_end, &end) == MPI_SUCCESS);
    CHECK(end.calls == 0);
    CHECK(l.free(&count_end, &end) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_register_callback(l.handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &by, &look) ==
          MPI_T_ERR_INVALID_HANDLE);
    const listener next{event_number("host_ending")};
    CHECK(next.handle != l.handle);
    seen by_next;
    next.listen(by_next);
    const packet sent{4, 4.5};
    mock_host::raise(of_host, &sent, sources.clock, 0, MPI_T_CB_REQUIRE_NONE);
    CHECK(by.calls == 1);
    CHECK(by.registration == l.handle);
    CHECK(by_next.registration == next.handle);
    mock_host::end_registrations();
    CHECK(end.calls == 1);
    CHECK(end.registration == l.handle);
    CHECK(next.free() == MPI_SUCCESS);
    mock_host::end_registrations();
}

TEST_CASE("Drops are reported with the tools' source index and the data of the callback that would be called",
          "[EVT-37][EVT-38][EVT-39]") {
    const host_sources sources;
    const int of_host = add_event("host_losing");
    const epoch here;
    const listener l{event_number("host_losing")};
    seen low, high;
    REQUIRE(MPI_T_event_set_dropped_handler(l.handle, &keep_loss) == MPI_SUCCESS);
    last_loss = {};
    mock_host::lose(of_host, 3, sources.clock, MPI_T_CB_REQUIRE_NONE);
    CHECK(last_loss.calls == 0); // without a callback nothing can be told
    l.listen(low, MPI_T_CB_REQUIRE_NONE);
    l.listen(high, MPI_T_CB_REQUIRE_THREAD_SAFE);
    mock_host::lose(of_host, 4, sources.clock, MPI_T_CB_REQUIRE_NONE);
    CHECK(last_loss.calls == 1);
    CHECK(last_loss.count == 4);
    CHECK(last_loss.registration == l.handle);
    CHECK(last_loss.source == source_number("host_clock"));
    CHECK(last_loss.data == &low);
    mock_host::lose(of_host, 5, sources.clock, MPI_T_CB_REQUIRE_MPI_RESTRICTED);
    CHECK(last_loss.data == &high);
    mock_host::lose(of_host, 6, sources.clock, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE);
    CHECK(last_loss.calls == 2);
    REQUIRE(MPI_T_event_set_dropped_handler(l.handle, nullptr) == MPI_SUCCESS);
    mock_host::lose(of_host, 7, sources.clock, MPI_T_CB_REQUIRE_NONE);
    CHECK(last_loss.calls == 2);
    CHECK(l.free() == MPI_SUCCESS);
}

TEST_CASE("The library's own drops name the source by the index that tools use", "[EVT-38]") {
    const host_sources sources;
    const epoch here;
    const listener l{event_number("lab_arrival")};
    seen by;
    REQUIRE(MPI_T_event_set_dropped_handler(l.handle, &keep_loss) == MPI_SUCCESS);
    last_loss = {};
    lab::raise(1, 1); // no callback: it is lost
    l.listen(by);
    lab::raise(1, 1);
    REQUIRE(last_loss.calls == 1);
    CHECK(last_loss.count == 1);
    CHECK(last_loss.source == source_number("steady_clock"));
    CHECK(l.free() == MPI_SUCCESS);
}

TEST_CASE("The end of the last epoch ends all registrations, and no callback is called after it", "[EVT-34][INIT-11]") {
    const host_sources sources;
    const int of_host = add_event("host_forgotten");
    ended end;
    seen by;
    {
        const epoch here;
        const listener l{event_number("host_forgotten")};
        l.listen(by);
    }
    const packet sent{};
    CHECK(mock_host::raise(of_host, &sent, sources.clock, 0, MPI_T_CB_REQUIRE_NONE) == 0);
    CHECK(by.calls == 0);
    MPI_T_event_registration handle{};
    CHECK(MPI_T_event_handle_alloc(0, nullptr, MPI_INFO_NULL, &handle) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_source_get_num(&end.calls) == MPI_T_ERR_NOT_INITIALIZED);
}

TEST_CASE("A bound event is delivered for its object, and not without one", "[EVT-12][EVT-13]") {
    const host_sources sources;
    const int of_host = add_event("host_bound");
    mock_host::the_host().events[static_cast<std::size_t>(of_host)].bind = MPI_T_BIND_MPI_COMM;
    const epoch here;
    MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
    const int number = event_number("host_bound");
    MPI_T_event_registration handle = reinterpret_cast<MPI_T_event_registration>(&world);
    CHECK(MPI_T_event_handle_alloc(number, &world, MPI_INFO_NULL, &handle) == MPI_SUCCESS);
    seen by;
    CHECK(MPI_T_event_register_callback(handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &by, &look) == MPI_SUCCESS);
    const packet sent{};
    CHECK(mock_host::raise(of_host, &sent, sources.clock, 0, MPI_T_CB_REQUIRE_NONE, &self) == 0);
    CHECK(mock_host::raise(of_host, &sent, sources.clock, 0, MPI_T_CB_REQUIRE_NONE, &world) == 1);
    CHECK(MPI_T_event_handle_free(handle, nullptr, nullptr) == MPI_SUCCESS);
}

TEST_CASE("A registration that the host refuses is null", "[EVT-12]") {
    add_event("host_full");
    const epoch here;
    int unused = 0;
    const int number = event_number("host_full");
    MPI_T_event_registration handle = reinterpret_cast<MPI_T_event_registration>(&unused);
    mock_host::the_host().fails_to_make_handles = true;
    CHECK(MPI_T_event_handle_alloc(number, nullptr, MPI_INFO_NULL, &handle) == MPI_T_ERR_OUT_OF_HANDLES);
    CHECK(handle == nullptr);
    CHECK(MPI_T_event_handle_alloc(number, nullptr, MPI_INFO_NULL, nullptr) == MPI_T_ERR_INVALID);
    for (const int wrong : {-1, 1 << 20}) {
        handle = reinterpret_cast<MPI_T_event_registration>(&unused);
        CHECK(MPI_T_event_handle_alloc(wrong, nullptr, MPI_INFO_NULL, &handle) == MPI_T_ERR_INVALID_INDEX);
        CHECK(handle == nullptr);
    }
}

TEST_CASE("Invalid handles never reach the host", "[EVT-29][EVT-34]") {
    add_event("host_guarded");
    const epoch here;
    const listener l{event_number("host_guarded")};
    REQUIRE(l.free() == MPI_SUCCESS);
    char room[64];
    MPI_Count count = 0;
    int number = 0;
    MPI_Info info = MPI_INFO_NULL;
    const std::uintptr_t tag = reinterpret_cast<std::uintptr_t>(l.handle) >> 56 << 56;
    for (const std::uintptr_t word :
         {std::uintptr_t{0}, std::uintptr_t{1}, reinterpret_cast<std::uintptr_t>(l.handle), tag, tag | 0xfffffff,
          reinterpret_cast<std::uintptr_t>(&room), std::uintptr_t{0xe7} << 56, ~std::uintptr_t{0}}) {
        const auto handle = reinterpret_cast<MPI_T_event_registration>(word);
        const auto instance = reinterpret_cast<MPI_T_event_instance>(word);
        CHECK(MPI_T_event_handle_set_info(handle, MPI_INFO_NULL) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_handle_get_info(handle, &info) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_handle_free(handle, nullptr, nullptr) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_register_callback(handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &look) ==
              MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_set_dropped_handler(handle, nullptr) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_read(instance, 0, room) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_copy(instance, room) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_get_timestamp(instance, &count) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_get_source(instance, &number) == MPI_T_ERR_INVALID_HANDLE);
    }
}

TEST_CASE("Hints are passed to the host and read from it", "[EVT-15][EVT-16]") {
    add_event("host_hints");
    const epoch here;
    MPI_Info hints = MPI_INFO_NULL, used = MPI_INFO_NULL;
    REQUIRE(PMPI_Info_create(&hints) == MPI_SUCCESS);
    REQUIRE(PMPI_Info_set(hints, "depth", "12") == MPI_SUCCESS);
    MPI_T_event_registration handle{};
    REQUIRE(MPI_T_event_handle_alloc(event_number("host_hints"), nullptr, hints, &handle) == MPI_SUCCESS);
    REQUIRE(MPI_T_event_handle_get_info(handle, &used) == MPI_SUCCESS);
    char value[8] = "";
    int is_there = 0;
    CHECK(PMPI_Info_get(used, "depth", 7, value, &is_there) == MPI_SUCCESS);
    CHECK(std::string{value} == "12");
    CHECK(PMPI_Info_free(&used) == MPI_SUCCESS);
    REQUIRE(PMPI_Info_set(hints, "depth", "13") == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_set_info(handle, hints) == MPI_SUCCESS);
    REQUIRE(MPI_T_event_handle_get_info(handle, &used) == MPI_SUCCESS);
    CHECK(PMPI_Info_get(used, "depth", 7, value, &is_there) == MPI_SUCCESS);
    CHECK(std::string{value} == "13");
    CHECK(PMPI_Info_free(&used) == MPI_SUCCESS);
    CHECK(PMPI_Info_free(&hints) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_free(handle, nullptr, nullptr) == MPI_SUCCESS);
}

TEST_CASE("Callbacks on two threads, while a third registers and frees, see whole payloads and their own registration",
          "[EVT-29][EVT-34]") {
    const host_sources sources;
    const int of_host = add_event("host_stress");
    const epoch here;
    struct watch {
        std::atomic<int> calls{}, mistakes{}, ends{};
    } w;
    const auto check = [](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
        watch& to = *static_cast<watch*>(data);
        packet got{};
        int source = -1;
        const bool is_right = MPI_T_event_copy(instance, &got) == MPI_SUCCESS && got.bytes == got.rank * 0.5 &&
                              MPI_T_event_get_source(instance, &source) == MPI_SUCCESS && source >= 0;
        to.calls++;
        to.mistakes += !is_right;
    };
    const auto end = [](MPI_T_event_registration, MPI_T_cb_safety, void* data) { static_cast<watch*>(data)->ends++; };
    const int number = event_number("host_stress");
    std::atomic<bool> is_over{false};
    std::vector<std::thread> raisers;
    for (int t = 0; t < 2; t++)
        raisers.emplace_back([&, t] {
            for (int n = 0; !is_over; n++) {
                const packet sent{n * 2 + t, (n * 2 + t) * 0.5};
                mock_host::raise(of_host, &sent, sources.clock, n, MPI_T_CB_REQUIRE_THREAD_SAFE);
            }
        });
    constexpr int rounds = 2000;
    for (int i = 0; i < rounds; i++) {
        MPI_T_event_registration handle{};
        w.mistakes += MPI_T_event_handle_alloc(number, nullptr, MPI_INFO_NULL, &handle) != MPI_SUCCESS;
        w.mistakes += MPI_T_event_register_callback(handle, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, &w, check) !=
                      MPI_SUCCESS;
        for (const int before = w.calls; i % 10 == 0 && w.calls == before;) std::this_thread::yield();
        w.mistakes += MPI_T_event_handle_free(handle, &w, end) != MPI_SUCCESS;
    }
    is_over = true;
    for (std::thread& t : raisers) t.join();
    CHECK(w.mistakes == 0);
    CHECK(w.ends == rounds);
    CHECK(w.calls >= rounds / 10);
}
