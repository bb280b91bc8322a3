// One list of numbers over a host that grows, has holes, and names that the library has as well.

#include "stacked.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace mock_host;

namespace {

bool& at_hole(int number) { return the_host().controls[static_cast<std::size_t>(number)].is_hole; }
bool& at_source_hole(int number) { return the_host().sources[static_cast<std::size_t>(number)].is_hole; }
void check_prefix(const std::vector<std::string>& before) {
    const std::vector<std::string> now = all_controls();
    REQUIRE(now.size() >= before.size());
    CHECK(std::equal(before.begin(), before.end(), now.begin()));
}
std::vector<int> events_of(const std::string& category) {
    int count = 0;
    REQUIRE(MPI_T_category_get_num_events(category_number(category), &count) == MPI_SUCCESS);
    std::vector<int> members(static_cast<std::size_t>(count));
    REQUIRE(MPI_T_category_get_events(category_number(category), count, members.data()) == MPI_SUCCESS);
    return members;
}
std::vector<int> controls_of(const std::string& category) {
    int count = 0;
    const int number = category_number(category);
    REQUIRE(MPI_T_category_get_info(number, nullptr, nullptr, nullptr, nullptr, &count, nullptr, nullptr) ==
            MPI_SUCCESS);
    std::vector<int> members(static_cast<std::size_t>(count));
    REQUIRE(MPI_T_category_get_cvars(number, count, members.data()) == MPI_SUCCESS);
    return members;
}
int value_of(const std::string& name) {
    MPI_T_cvar_handle handle;
    int count = 0, value = -1;
    REQUIRE(MPI_T_cvar_handle_alloc(control_number(name), nullptr, &handle, &count) == MPI_SUCCESS);
    REQUIRE(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS);
    REQUIRE(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
    return value;
}
int count_lines_with(const std::vector<std::string>& lines, const std::string& part) {
    return static_cast<int>(std::count_if(
        lines.begin(), lines.end(), [&](const std::string& line) { return line.find(part) != std::string::npos; }));
}

} // namespace

TEST_CASE("A name that both have is the host's, and is reported once", "[CVAR-05]") {
    add_to<control>(the_host().controls, {.name = "CLASH_LIMIT", .value = 5});
    add_to<event>(the_host().events, {.name = "clash_event"});
    const epoch here;
    const std::vector<std::string> names = all_controls();
    CHECK(std::count(names.begin(), names.end(), "CLASH_LIMIT") == 1);
    CHECK(value_of("CLASH_LIMIT") == 5);
    all_controls();
    int count = 0;
    CHECK(MPI_T_event_get_num(&count) == MPI_SUCCESS);
    char description[64];
    int size = sizeof description;
    CHECK(MPI_T_event_get_info(event_number("clash_event"), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                               nullptr, nullptr, description, &size, nullptr) == MPI_SUCCESS);
    CHECK(std::string{description} == "An event of the host");
    lab::raise_clash(1); // nobody hears it, and nothing happens
    const std::vector<std::string> lines = lab::take_reports();
    CHECK(count_lines_with(lines, "CLASH_LIMIT") == 1);
    CHECK(count_lines_with(lines, "clash_event") == 1);
    CHECK(lines.size() == 2);
}

TEST_CASE("A name that the library had before the host remains the library's, and is reported", "[CVAR-05]") {
    const epoch here;
    const int number = control_number("LAB_LIMIT");
    lab::take_reports();
    for (int i = 0; i < 2; i++) add_to<control>(the_host().controls, {.name = "LAB_LIMIT", .value = 5});
    CHECK(control_number("LAB_LIMIT") == number);
    CHECK(all_controls().size() > 0);
    CHECK(value_of("LAB_LIMIT") == 7);
    CHECK(count_lines_with(lab::take_reports(), "LAB_LIMIT") == 1);
}

TEST_CASE("Host and library grow in turn, and no index changes", "[GROW-01][CVAR-01]") {
    const epoch here;
    for (int i = 0; i < 20; i++) {
        const std::vector<std::string> before = all_controls();
        const std::string of_host = "HOST_GROWN_" + std::to_string(i), of_lab = "LAB_GROWN_" + std::to_string(i);
        add_to<control>(the_host().controls, {.name = of_host, .value = i});
        check_prefix(before);
        lab::register_control(of_lab, 100 + i);
        check_prefix(before);
        CHECK(control_number(of_host) == static_cast<int>(before.size()));
        CHECK(control_number(of_lab) == static_cast<int>(before.size()) + 1);
        CHECK(value_of(of_host) == i);
        CHECK(value_of(of_lab) == 100 + i);
    }
}

TEST_CASE("A variable that the host cannot describe is left out, and appended when it can", "[GROW-01]") {
    const int hole = add_to<control>(the_host().controls, {.name = "HOLE_THAT_TELLS", .is_hole = true});
    const epoch here;
    const std::vector<std::string> before = all_controls();
    CHECK(control_number("HOLE_THAT_TELLS") == -1);
    at_hole(hole) = false;
    the_host().update_number++; // it tells that something changed
    CHECK(control_number("HOLE_THAT_TELLS") == static_cast<int>(before.size()));
    check_prefix(before);
}

TEST_CASE("A hole that the host fills without a change of its counts is found after a while", "[GROW-01]") {
    const int hole = add_to<control>(the_host().controls, {.name = "SILENT_HOLE", .is_hole = true});
    const epoch here;
    CHECK(control_number("SILENT_HOLE") == -1);
    at_hole(hole) = false;
    int looks = 0;
    while (looks < 1000 && control_number("SILENT_HOLE") == -1) looks++;
    CHECK(looks < 1000);
}

TEST_CASE("Variables with the same enumeration of the host share one copy of it", "[GROW-01]") {
    const auto add_variables = [](const char* prefix, const enumeration* items) {
        for (int i = 0; i < 500; i++)
            add_to<control>(the_host().controls, {.name = prefix + std::to_string(i), .items = items});
    };
    const auto bytes_for = [&](const char* prefix, const enumeration* items) {
        const std::size_t before = lab::bytes_in_use();
        add_variables(prefix, items);
        CHECK(control_number(prefix + std::string{"499"}) >= 0);
        return lab::bytes_in_use() - before;
    };
    const epoch here;
    const int first = add_to<enumeration>(the_host().enumerations, {.name = "ways", .items = {"ring", "tree"}});
    const int second = add_to<enumeration>(
        the_host().enumerations, {.name = "ways", .items = std::vector<std::string>(50, std::string(40, 'w'))});
    const std::size_t without = bytes_for("WITHOUT_", nullptr);
    CHECK(bytes_for("WITH_WAYS_", &the_host().enumerations[static_cast<std::size_t>(second)]) < 2 * without);
    bytes_for("WITH_OTHERS_", &the_host().enumerations[static_cast<std::size_t>(first)]);
    const auto enumeration_of = [](const std::string& name) {
        MPI_T_enum items = MPI_T_ENUM_NULL;
        CHECK(MPI_T_cvar_get_info(control_number(name), nullptr, nullptr, nullptr, nullptr, &items, nullptr, nullptr,
                                  nullptr, nullptr) == MPI_SUCCESS);
        return items;
    };
    CHECK(enumeration_of("WITHOUT_1") == MPI_T_ENUM_NULL);
    CHECK(enumeration_of("WITH_WAYS_0") == enumeration_of("WITH_WAYS_499"));
    CHECK(enumeration_of("WITH_WAYS_0") != enumeration_of("WITH_OTHERS_0"));
    int items = 0, value = -1;
    char name[64];
    int size = sizeof name;
    CHECK(MPI_T_enum_get_info(enumeration_of("WITH_OTHERS_7"), &items, nullptr, nullptr) == MPI_SUCCESS);
    CHECK(items == 2);
    CHECK(MPI_T_enum_get_item(enumeration_of("WITH_OTHERS_7"), 1, &value, name, &size) == MPI_SUCCESS);
    CHECK(std::string{name} == "tree");
}

TEST_CASE("A variable that the host describes and refuses to read is left out", "[GROW-01]") {
    add_to<control>(the_host().controls, {.name = "UNREADABLE", .cannot_be_read = true});
    const epoch here;
    CHECK(control_number("UNREADABLE") == -1);
    const int number = add_to<control>(the_host().controls, {.name = "READABLE", .value = 8});
    CHECK(control_number("READABLE") >= 0);
    the_host().controls[static_cast<std::size_t>(number)].is_hole = true; // it is told of from memory
    char name[32];
    int size = sizeof name;
    CHECK(MPI_T_cvar_get_info(control_number("READABLE"), name, &size, nullptr, nullptr, nullptr, nullptr, nullptr,
                              nullptr, nullptr) == MPI_SUCCESS);
    CHECK(std::string{name} == "READABLE");
}

TEST_CASE("The same name in two classes is two performance variables", "[PVAR-05]") {
    add_to<performance>(the_host().performances, {.name = "lab_messages", .in = MPI_T_PVAR_CLASS_LEVEL, .value = 40});
    const epoch here;
    const int level = performance_number("lab_messages", MPI_T_PVAR_CLASS_LEVEL);
    const int counter = performance_number("lab_messages", MPI_T_PVAR_CLASS_COUNTER);
    CHECK(level >= 0);
    CHECK(counter >= 0);
    CHECK(level != counter);
}

TEST_CASE("A category that both have holds the events of both, the host's first", "[CAT-09]") {
    const int of_host = add_to<event>(the_host().events, {.name = "event_in_shared"});
    add_to<category>(the_host().categories, {.name = "shared", .events = {of_host}});
    add_to<category>(the_host().categories, {.name = "alone", .events = {of_host}});
    const epoch here;
    CHECK(events_of("shared") == std::vector<int>{event_number("event_in_shared"), event_number("lab_noticed")});
    CHECK(events_of("alone") == std::vector<int>{event_number("event_in_shared")});
    CHECK(events_of("lab").size() == 2);
    int count = 0, members[2] = {-7, -7};
    CHECK(MPI_T_category_get_events(category_number("shared"), 1, members) == MPI_SUCCESS);
    CHECK(members[1] == -7);
    CHECK(MPI_T_category_get_num_events(1 << 20, &count) == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_category_get_num_events(0, nullptr) == MPI_T_ERR_INVALID);
}

TEST_CASE("As long as the host does not grow its descriptions are not queried again", "[GROW-01]") {
    add_to<control>(the_host().controls, {.name = "HOLE_THAT_STAYS", .is_hole = true});
    const int of_host = add_to<control>(the_host().controls, {.name = "TOLD_ONCE"});
    add_to<category>(the_host().categories, {.name = "told_once", .controls = {of_host}});
    const epoch here;
    const std::vector<std::string> names = all_controls();
    const std::vector<int> members = controls_of("told_once");
    CHECK(members == std::vector<int>{control_number("TOLD_ONCE")});
    const int questions = the_host().questions;
    for (int i = 0; i < 10; i++) {
        CHECK(all_controls() == names);
        CHECK(controls_of("told_once") == members);
        CHECK(controls_of("lab").size() > 0);
    }
    CHECK(the_host().questions == questions);
}

TEST_CASE("New members on either side change the update number, whether or not the host counts a change", "[CAT-09]") {
    const int at = add_to<category>(the_host().categories, {.name = "growing"});
    category& growing = the_host().categories[static_cast<std::size_t>(at)];
    const epoch here;
    CHECK(controls_of("growing").empty());
    growing.controls.push_back(add_to<control>(the_host().controls, {.name = "MEMBER_THAT_COUNTS"}));
    the_host().update_number++;
    const std::vector<int> first = controls_of("growing"); // before anything else finds the variable
    CHECK(first == std::vector<int>{control_number("MEMBER_THAT_COUNTS")});
    growing.controls.push_back(add_to<control>(the_host().controls, {.name = "SILENT_MEMBER"}));
    const int silent = control_number("SILENT_MEMBER");
    CHECK(controls_of("growing") == std::vector<int>{control_number("MEMBER_THAT_COUNTS"), silent});
    for (int i = 0; i < 40; i++) {
        int before = 0, after = 0;
        CHECK(MPI_T_category_changed(&before) == MPI_SUCCESS);
        lab::register_control("LAB_MEMBER_" + std::to_string(i), i);
        const std::vector<int> members = controls_of("late");
        CHECK(members.back() == control_number("LAB_MEMBER_" + std::to_string(i)));
        CHECK(MPI_T_category_changed(&after) == MPI_SUCCESS);
        CHECK(after > before);
    }
}

TEST_CASE("Sources have indices of one list, and a name that both have is made unique", "[SRC-01][SRC-02]") {
    const int cannot_be_told = add_to<source>(the_host().sources, {.name = "late_source", .is_hole = true});
    add_to<source>(the_host().sources, {.name = "network", .ticks_per_second = 77, .now = 7});
    const int ticking = add_to<event>(the_host().events, {.name = "host_ticking"});
    const epoch here;
    const int of_host = source_number("network"), of_lab = source_number("network_of_a_library");
    CHECK(of_host >= 0);
    CHECK(of_lab > of_host);
    CHECK(count_lines_with(lab::take_reports(), "network") == 1);
    MPI_T_source_order ordering{};
    MPI_Count ticks = 0, most = 0, now = 0;
    CHECK(MPI_T_source_get_info(of_host, nullptr, nullptr, nullptr, nullptr, &ordering, &ticks, &most, nullptr) ==
          MPI_SUCCESS);
    CHECK(ticks == 77);
    CHECK(ordering == MPI_T_SOURCE_ORDERED);
    CHECK(MPI_T_source_get_timestamp(of_host, &now) == MPI_SUCCESS);
    CHECK(now == 7);
    CHECK(MPI_T_source_get_info(of_lab, nullptr, nullptr, nullptr, nullptr, &ordering, &ticks, &most, nullptr) ==
          MPI_SUCCESS);
    CHECK(ticks == 10);
    CHECK(MPI_T_source_get_timestamp(of_lab, &now) == MPI_T_ERR_NOT_SUPPORTED);
    CHECK(MPI_T_source_get_timestamp(source_number("steady_clock"), &now) == MPI_SUCCESS);

    // The events of both name the number that tools know.
    const auto keep = [](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
        MPI_T_event_get_source(instance, static_cast<int*>(data));
    };
    MPI_T_event_registration handles[2]{};
    int seen[2] = {-1, -1};
    CHECK(MPI_T_event_handle_alloc(event_number("lab_ticking"), nullptr, MPI_INFO_NULL, &handles[0]) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_alloc(event_number("host_ticking"), nullptr, MPI_INFO_NULL, &handles[1]) == MPI_SUCCESS);
    for (int i = 0; i < 2; i++)
        CHECK(MPI_T_event_register_callback(handles[i], MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &seen[i], keep) ==
              MPI_SUCCESS);
    lab::raise_ticking();
    CHECK(seen[0] == of_lab);
    at_source_hole(cannot_be_told) = false;
    the_host().update_number++;
    mock_host::raise(ticking, "", cannot_be_told, 0, MPI_T_CB_REQUIRE_NONE);
    CHECK(seen[1] == source_number("late_source"));
    CHECK(seen[1] > of_lab);
    for (MPI_T_event_registration handle : handles)
        CHECK(MPI_T_event_handle_free(handle, nullptr, nullptr) == MPI_SUCCESS);
    int count = 0;
    CHECK(MPI_T_source_get_num(&count) == MPI_SUCCESS);
    for (const int wrong : {-1, count, INT_MAX}) {
        CHECK(MPI_T_source_get_timestamp(wrong, &now) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_source_get_info(wrong, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
              MPI_T_ERR_INVALID_INDEX);
    }
}

TEST_CASE("Threads that read while both sides grow see lists that only grow", "[GROW-01][GROW-05]") {
    const epoch here;
    std::atomic<bool> is_over{false};
    std::atomic<int> mistakes{0}, looks{0};
    std::vector<std::thread> readers;
    for (int t = 0; t < 2; t++)
        readers.emplace_back([&] {
            for (int last = 0; !is_over; looks++) {
                int count = 0, number = -1;
                char name[64];
                int size = sizeof name;
                mistakes += MPI_T_cvar_get_num(&count) != MPI_SUCCESS || count < last;
                last = count;
                mistakes += MPI_T_cvar_get_info(count - 1, name, &size, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                nullptr, nullptr) != MPI_SUCCESS;
                mistakes += MPI_T_cvar_get_index(name, &number) != MPI_SUCCESS || number != count - 1;
            }
        });
    for (int i = 0; i < 300; i++) {
        add_to<control>(the_host().controls, {.name = "HOST_THREADED_" + std::to_string(i)});
        lab::register_control("LAB_THREADED_" + std::to_string(i), i);
    }
    while (looks < 1000) std::this_thread::yield();
    is_over = true;
    for (std::thread& t : readers) t.join();
    CHECK(mistakes == 0);
    CHECK(value_of("LAB_THREADED_299") == 299);
    CHECK(control_number("HOST_THREADED_299") >= 0);
}

TEST_CASE("Texts and numbers of the host are stored as those of the library, cut to their room, or left out",
          "[STR-01][STR-02][STR-05][STR-07][STR-12]") {
    add_to<control>(the_host().controls, {.name = "TOLD_CONTROL"});
    add_to<performance>(the_host().performances, {.name = "told_performance"});
    add_to<event>(the_host().events, {.name = "told_event"});
    add_to<source>(the_host().sources, {.name = "told_source"});
    add_to<category>(the_host().categories, {.name = "told_category"});
    const epoch here;
    const int c = control_number("TOLD_CONTROL"), p = performance_number("told_performance"),
              e = event_number("told_event"), s = source_number("told_source"), k = category_number("told_category");
    // A query with its two texts; the other outputs are numbers, those with a bit of which are wanted.
    using numbers = const std::function<int*(int)>&;
    const struct {
        std::string name, description;
        int outputs;
        std::function<int(char*, int*, char*, int*, numbers)> get;
    } queries[] = {
        {"TOLD_CONTROL", "A control variable of the host", 3,
         [=](char* n, int* l, char* d, int* m, numbers of) {
        return MPI_T_cvar_get_info(c, n, l, of(0), nullptr, nullptr, d, m, of(1), of(2));
    }},
        {"told_performance", "A performance variable of the host", 6,
         [=](char* n, int* l, char* d, int* m, numbers of) {
        return MPI_T_pvar_get_info(p, n, l, of(0), of(1), nullptr, nullptr, d, m, of(2), of(3), of(4), of(5));
    }},
        {"told_event", "An event of the host", 3,
         [=](char* n, int* l, char* d, int* m, numbers of) {
        return MPI_T_event_get_info(e, n, l, of(0), nullptr, nullptr, of(1), nullptr, nullptr, d, m, of(2));
    }},
        {"told_source", "A source of the host", 0,
         [=](char* n, int* l, char* d, int* m, numbers) {
        return MPI_T_source_get_info(s, n, l, d, m, nullptr, nullptr, nullptr, nullptr);
    }},
        {"told_category", "A category of the host", 3,
         [=](char* n, int* l, char* d, int* m, numbers of) {
        return MPI_T_category_get_info(k, n, l, d, m, of(0), of(1), of(2));
    }},
    };
    const std::function<int*(int)> no_number = [](int) { return nullptr; };
    for (const auto& [name, description, outputs, get] : queries) {
        INFO(name);
        for (const bool is_name : {true, false}) {
            const std::string& whole = is_name ? name : description;
            const auto ask = [&, &query = get](char* text, int* length) {
                return is_name ? query(text, length, nullptr, nullptr, no_number)
                               : query(nullptr, nullptr, text, length, no_number);
            };
            const int needed = static_cast<int>(whole.size()) + 1;
            std::string untouched(64, '#'), buffer = untouched;
            for (int room = 0; room <= needed + 2; room++) {
                const std::string kept = room > 0 ? whole.substr(0, static_cast<std::size_t>(room) - 1) + '\0' : "";
                int length = room;
                buffer = untouched;
                CHECK(ask(buffer.data(), &length) == MPI_SUCCESS);
                CHECK(buffer == kept + untouched.substr(kept.size()));
                CHECK(length == needed);
            }
            buffer = untouched;
            int length = -1;
            CHECK(ask(buffer.data(), &length) == MPI_T_ERR_INVALID);
            CHECK(length == -1);
            CHECK(ask(buffer.data(), nullptr) == MPI_SUCCESS);
            CHECK(buffer == untouched);
            CHECK(ask(nullptr, &length) == MPI_SUCCESS);
            CHECK(length == needed);
        }
        std::vector<int> whole(6, -7);
        CHECK(get(nullptr, nullptr, nullptr, nullptr, [&](int i) { return &whole[static_cast<std::size_t>(i)]; }) ==
              MPI_SUCCESS);
        for (int wanted = 0; wanted < 1 << outputs; wanted++) {
            std::vector<int> stored(6, -7), expected = stored;
            for (std::size_t i = 0; i < 6; i++)
                if ((wanted >> i & 1) != 0) expected[i] = whole[i];
            CHECK(get(nullptr, nullptr, nullptr, nullptr, [&](int i) {
                return (wanted >> i & 1) != 0 ? &stored[static_cast<std::size_t>(i)] : nullptr;
            }) == MPI_SUCCESS);
            CHECK(stored == expected);
        }
    }
}
