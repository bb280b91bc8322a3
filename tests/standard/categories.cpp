// MPI-5.0, 15.3.9: categories. The tree of tests/variables.hpp is declared in the program; other trees are registered
// while it runs, as libraries that are loaded later do, so that indices, lists and the update number are seen to grow.
#include "../descriptions.hpp"

#include <mpit/module/publish_pending.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <list>
#include <set>
#include <thread>

namespace {

using list_function = int (*)(int, int, int*);

category_info info(int index) { return category_info{index}; }
std::vector<int> members(list_function list, int category, int count) {
    std::vector<int> indices(static_cast<std::size_t>(count), -1);
    REQUIRE(list(category, count, indices.data()) == MPI_SUCCESS);
    return indices;
}
std::vector<int> cvars(int category) { return members(MPI_T_category_get_cvars, category, info(category).cvars); }
std::vector<int> pvars(int category) { return members(MPI_T_category_get_pvars, category, info(category).pvars); }
std::vector<int> events(int category) { return members(MPI_T_category_get_events, category, info(category).events); }
std::vector<int> subcategories(int category) {
    return members(MPI_T_category_get_categories, category, info(category).categories);
}

int update_number() {
    int number = -1;
    REQUIRE(MPI_T_category_changed(&number) == MPI_SUCCESS);
    return number;
}
std::string cvar_name(int index) { return cvar_info{index}.name; }
std::string event_name(int index) { return event_info{index}.name; }
// All but the line itself: how many members of each kind it has.
std::string counts(const char* name) {
    const category_info of{category_index(name)};
    return of.line() + ", " + std::to_string(of.cvars) + " " + std::to_string(of.pvars) + " " +
           std::to_string(of.categories) + " " + std::to_string(of.events);
}
std::vector<std::string> all_counts() {
    std::vector<std::string> all;
    for (const category_info& each : all_of<category_info>()) all.push_back(counts(each.name));
    return all;
}

// A tree with names that are made at run time.
struct late_tree : mpit::descriptor::category {
    std::deque<std::string> names;
    std::list<late_tree> inside;
    std::deque<mpit::counter<>> counters;
    std::deque<mpit::control<int>> controls;
    std::deque<mpit::event<number_payload>> events;

    late_tree(const char* called, const char* meaning) : category{called, meaning} {}
    late_tree(late_tree* in_category, const char* called) : category{in_category, called, ""} {}
    late_tree& with_category(const char* called) { return inside.emplace_back(this, called); }
    void with_counter(const char* called) {
        counters.emplace_back(this, mpit::core::checked_name{called}, "A counter");
    }
    void with_control(const char* called) {
        controls.emplace_back(this, mpit::core::checked_name{called}, "A control variable");
    }
    void with_event(const char* called) { events.emplace_back(this, mpit::core::checked_name{called}, "An event"); }
};
// Trees are never removed from the index, so none may end before the program does.
late_tree& new_tree(const char* called, const char* meaning = "") {
    static auto& trees = *new std::deque<late_tree>;
    return trees.emplace_back(called, meaning);
}
void register_late(late_tree& tree) { mpit::registry::register_tree(tree, "a late tree"); }

int reports = 0;
void count_report(const char*) { reports++; }

} // namespace

TEST_CASE_METHOD(
    initialized,
    "Categories have the indices from 0 up to their number in every epoch, and get_index is the inverse of get_info",
    "[CAT-01][CAT-03][CAT-08][INIT-12]") {
    CHECK(number_of_all<category_info>() == 6);
    const std::vector<std::string> before = all_counts();
    for (int i = 0; i < number_of_all<category_info>(); i++) CHECK(category_index(info(i).name) == i);
    MPI_T_finalize();
    REQUIRE(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
    CHECK(all_counts() == before);
}

TEST_CASE_METHOD(initialized, "A category has a name, a description and its direct members", "[CAT-02][CAT-07]") {
    CHECK(counts("everything") == "everything: One of each, 0 0 5 0");
    CHECK(counts("controls") == "controls: Control variables of every type and scope, 26 0 0 0");
    CHECK(counts("performances") == "performances: Performance variables of every class, 0 22 0 0");
    CHECK(info(category_index("verbosities")).pvars == 9);
    CHECK(counts("events") == "events: Events of every payload, binding and source, 0 0 0 8");
}

TEST_CASE_METHOD(initialized, "A second tree that uses a category's name adds to it, and the description stays",
                 "[CAT-03]") {
    late_tree& first = new_tree("named_twice", "The first one");
    late_tree& second = new_tree("named_twice", "The second one");
    first.with_control("NAMED_TWICE_FIRST");
    second.with_control("NAMED_TWICE_SECOND");
    register_late(first);
    const int count = number_of_all<category_info>(), index = category_index("named_twice");
    reports = 0;
    mpit::set_report_handler(&count_report);
    register_late(second);
    mpit::set_report_handler(nullptr);
    CHECK(reports == 1);
    CHECK(number_of_all<category_info>() == count);
    CHECK(category_index("named_twice") == index);
    CHECK(info(index).cvars == 2);
    CHECK(std::string{info(index).description} == "The first one");
}

TEST_CASE_METHOD(initialized, "A name is unknown until its category is registered, and is matched exactly",
                 "[CAT-08]") {
    int index = -7;
    for (const char* unknown : {"", "Everything", "everythin", "everything ", "comes_later", "C_INT"})
        CHECK(MPI_T_category_get_index(unknown, &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(index == -7);
    const int next = number_of_all<category_info>();
    register_late(new_tree("comes_later"));
    CHECK(category_index("comes_later") == next);
}

TEST_CASE_METHOD(
    initialized,
    "A list holds the first members in the order of declaration, all different, and nothing behind them is touched",
    "[CAT-09][CAT-10]") {
    const struct {
        list_function list;
        const char* category;
        int count;
    } lists[] = {{MPI_T_category_get_cvars, "controls", 26},
                 {MPI_T_category_get_pvars, "performances", 22},
                 {MPI_T_category_get_events, "events", 8},
                 {MPI_T_category_get_events, "everything", 0},
                 {MPI_T_category_get_categories, "everything", 5}};
    for (const auto& l : lists) {
        const int category = category_index(l.category);
        const std::vector<int> whole = members(l.list, category, l.count);
        CHECK(static_cast<int>(std::set(whole.begin(), whole.end()).size()) == l.count);
        for (int length = 0; length <= l.count + 3; length++) {
            std::vector<int> indices(static_cast<std::size_t>(l.count) + 4, -7);
            REQUIRE(l.list(category, length, indices.data()) == MPI_SUCCESS);
            const auto written = std::min(length, l.count);
            CHECK(std::equal(whole.begin(), whole.begin() + written, indices.begin()));
            CHECK(std::all_of(indices.begin() + written, indices.end(), [](int i) { return i == -7; }));
        }
    }
    CHECK(cvar_name(cvars(category_index("controls"))[1]) == "C_UNSIGNED");
    CHECK(cvar_name(cvars(category_index("controls"))[25]) == "C_BOUND_ARRAY");
    CHECK(event_name(events(category_index("events"))[0]) == "e_plain");
    CHECK(event_name(events(category_index("events"))[7]) == "e_bound");
}

TEST_CASE_METHOD(initialized, "Every index in a list is known to the query of its kind", "[CAT-11]") {
    int queried = 0;
    for (int c = 0; c < number_of_all<category_info>(); c++) {
        for (const int i : cvars(c)) queried += !cvar_name(i).empty();
        for (const int i : pvars(c)) queried += pvar_info{i}.name_length > 1;
        for (const int i : events(c)) queried += !event_name(i).empty();
        for (const int i : subcategories(c)) queried += info(i).name_length > 1;
    }
    CHECK(queried >= 26 + 22 + 13 + 9 + 8 + 5);
}

TEST_CASE_METHOD(initialized, "When a category grows its older lists are the beginning of the newer ones", "[CAT-12]") {
    const int controls = category_index("controls"), everything = category_index("everything"),
              of_events = category_index("events");
    const std::vector<int> old_cvars = cvars(controls), old_categories = subcategories(everything),
                           old_events = events(of_events);
    const std::vector<std::string> old_lines = lines_of_all<category_info>();
    late_tree& tree = new_tree("everything");
    tree.with_category("controls").with_control("C_LATE");
    tree.with_category("late_child").with_counter("late_child_counter");
    tree.with_category("events").with_event("e_late");
    register_late(tree);

    const std::vector<int> new_cvars = cvars(controls), new_categories = subcategories(everything);
    REQUIRE(new_cvars.size() == old_cvars.size() + 1);
    CHECK(std::equal(old_cvars.begin(), old_cvars.end(), new_cvars.begin()));
    CHECK(cvar_name(new_cvars.back()) == "C_LATE");
    const std::vector<int> new_events = events(of_events);
    REQUIRE(new_events.size() == old_events.size() + 1);
    CHECK(std::equal(old_events.begin(), old_events.end(), new_events.begin()));
    CHECK(event_name(new_events.back()) == "e_late");
    REQUIRE(new_categories.size() == old_categories.size() + 1);
    CHECK(std::equal(old_categories.begin(), old_categories.end(), new_categories.begin()));
    CHECK(std::string{info(new_categories.back()).name} == "late_child");
    for (std::size_t i = 0; i < old_lines.size(); i++) CHECK(category_line(static_cast<int>(i)) == old_lines[i]);
}

TEST_CASE_METHOD(initialized, "A membership that would put a category into itself is refused and reported",
                 "[CAT-13]") {
    late_tree& one_way = new_tree("outer");
    one_way.with_category("middle").with_category("inner");
    register_late(one_way);
    late_tree& other_way = new_tree("inner");
    other_way.with_category("outer").with_control("FROM_THE_WRONG_WAY");
    reports = 0;
    mpit::set_report_handler(&count_report);
    register_late(other_way);
    mpit::set_report_handler(nullptr);
    CHECK(reports >= 1);
    CHECK(info(category_index("inner")).categories == 0);
    CHECK(subcategories(category_index("outer")) == std::vector<int>{category_index("middle")});
    CHECK(cvar_name(cvars(category_index("outer")).at(0)) == "FROM_THE_WRONG_WAY");
}

TEST_CASE_METHOD(initialized, "A category may be in two others", "[CAT-13]") {
    late_tree& top = new_tree("diamond_top");
    late_tree& left = top.with_category("diamond_left");
    top.with_category("diamond_right");
    left.with_category("diamond_bottom");
    register_late(top);
    late_tree& right = new_tree("diamond_right");
    right.with_category("diamond_bottom");
    register_late(right);
    const std::vector<int> bottom{category_index("diamond_bottom")};
    CHECK(subcategories(category_index("diamond_left")) == bottom);
    CHECK(subcategories(category_index("diamond_right")) == bottom);
}

TEST_CASE_METHOD(initialized, "No category contains itself at any depth", "[CAT-13]") {
    const int count = number_of_all<category_info>();
    for (int start = 0; start < count; start++) {
        std::vector<int> open = subcategories(start);
        std::set<int> below;
        while (!open.empty()) {
            const int at = open.back();
            open.pop_back();
            if (below.insert(at).second)
                for (const int child : subcategories(at)) open.push_back(child);
        }
        CHECK(below.count(start) == 0);
    }
}

TEST_CASE_METHOD(initialized,
                 "The update number counts every new category and every new member, and nothing else changes it",
                 "[CAT-15]") {
    register_late(new_tree("counted"));
    const auto growth_by = [](late_tree& tree) {
        const int before = update_number();
        register_late(tree);
        CHECK(update_number() == update_number());
        return update_number() - before;
    };
    const auto growth_with = [&](void (*add)(late_tree&)) {
        late_tree& tree = new_tree("counted");
        add(tree);
        return growth_by(tree);
    };
    CHECK(growth_by(new_tree("counted_alone")) == 1);
    CHECK(growth_with([](late_tree& tree) { tree.with_control("COUNTED"); }) == 1);
    CHECK(growth_with([](late_tree& tree) { tree.with_counter("counted"); }) == 1);
    CHECK(growth_with([](late_tree& tree) { tree.with_event("counted"); }) == 1);
    CHECK(growth_with([](late_tree& tree) { tree.with_category("counted_alone"); }) == 1); // a known one
    CHECK(growth_with([](late_tree& tree) { tree.with_category("counted_child"); }) == 2); // a new one
    CHECK(growth_with([](late_tree& tree) { tree.with_category("counted_child"); }) == 0);

    const int before = update_number();
    cvar limit{"C_INT"};
    CHECK(limit.write(7) == MPI_SUCCESS);
    ++all.performances.counter;
    registration listening{"e_plain"};
    all.events.plain(1, 2, 3ul);
    initialized again;
    CHECK(update_number() == before);
}

TEST_CASE_METHOD(initialized,
                 "While categories grow the update number never falls, and equal numbers enclose equal categories",
                 "[CAT-01][CAT-14][CAT-15]") {
    constexpr int trees = 40;
    std::vector<std::string> names;
    for (int i = 0; i < trees * 2; i++) names.push_back("grown_" + std::to_string(i));
    std::atomic<bool> done{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> pollers;
    for (int t = 0; t < 3; t++)
        pollers.emplace_back([&] {
            const auto members_of_first = [&] {
                int count = 0;
                wrong += MPI_T_category_get_info(0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &count) !=
                         MPI_SUCCESS;
                return count;
            };
            int last_number = 0, last_count = 0, last_members = 0;
            while (!done) {
                int number = 0, count = 0, number_after = 0;
                wrong += MPI_T_category_changed(&number) != MPI_SUCCESS;
                wrong += MPI_T_category_get_num(&count) != MPI_SUCCESS;
                const int members = members_of_first();
                wrong += MPI_T_category_changed(&number_after) != MPI_SUCCESS;
                wrong += number < last_number || count < last_count || members < last_members || number_after < number;
                if (number_after == last_number) wrong += count != last_count || members != last_members;
                std::vector<int> inside(static_cast<std::size_t>(members), -1);
                wrong += MPI_T_category_get_categories(0, members, inside.data()) != MPI_SUCCESS;
                for (const int i : inside) wrong += i <= 0 || MPI_T_category_get_num_events(i, &count) != MPI_SUCCESS;
                if (number_after != number) continue;
                last_number = number;
                wrong += MPI_T_category_get_num(&last_count) != MPI_SUCCESS;
                last_members = members_of_first();
                wrong += MPI_T_category_changed(&number_after) != MPI_SUCCESS;
                if (number_after != number) last_number = last_count = last_members = 0;
            }
        });
    for (std::size_t i = 0; i < trees; i++) {
        late_tree& tree = new_tree("everything");
        tree.with_category(names[i].c_str()).with_category(names[trees + i].c_str());
        register_late(tree);
    }
    done = true;
    for (std::thread& p : pollers) p.join();
    CHECK(wrong == 0);
}

TEST_CASE_METHOD(initialized, "A variable in no category works like any other", "[CAT-18]") {
    static mpit::registry::variable_record loose;
    static mpit::registry::record* records[] = {&loose};
    static mpit::registry::log_entry entry;
    mpit::registry::process_registry& index = *mpit::registry::the_registry();
    loose.item_kind = mpit::registry::kind::control;
    loose.name = "IN_NO_CATEGORY";
    loose.hash = mpit::registry::name_hash(loose.item_kind, loose.name);
    REQUIRE(index.find_or_insert(loose) == &loose);
    entry.parts[static_cast<int>(loose.item_kind)].records = records;
    entry.parts[static_cast<int>(loose.item_kind)].count = 1;
    const int before = update_number();
    REQUIRE(index.log.publish(entry));
    CHECK(update_number() == before);
    const int number = cvar_index("IN_NO_CATEGORY");
    CHECK(cvar_name(number) == "IN_NO_CATEGORY");
    for (int c = 0; c < number_of_all<category_info>(); c++) {
        const std::vector<int> inside = cvars(c);
        CHECK(std::find(inside.begin(), inside.end(), number) == inside.end());
    }
}

TEST_CASE_METHOD(initialized, "A category with variables, events and categories lists each in the list of its kind",
                 "[CAT-07][CAT-18]") {
    late_tree& mixed = new_tree("mixed", "Of every kind");
    mixed.with_control("MIXED");
    mixed.with_counter("mixed");
    for (const char* called : {"mixed_1", "mixed_2", "mixed_3"}) mixed.with_event(called);
    mixed.with_category("mixed_inside");
    register_late(mixed);
    CHECK(counts("mixed") == "mixed: Of every kind, 1 1 1 3");
    CHECK(cvars(category_index("mixed")) == std::vector<int>{cvar_index("MIXED")});
    CHECK(pvars(category_index("mixed")) == std::vector<int>{pvar_index("mixed", MPI_T_PVAR_CLASS_COUNTER)});
    CHECK(events(category_index("mixed")) ==
          std::vector<int>{event_index("mixed_1"), event_index("mixed_2"), event_index("mixed_3")});
    CHECK(subcategories(category_index("mixed")) == std::vector<int>{category_index("mixed_inside")});
}

TEST_CASE_METHOD(initialized, "The update number stays at INT_MAX when there are more changes", "[CAT-16]") {
    mpit::registry::publication_log& log = mpit::registry::the_registry()->log;
    const int counted = update_number();
    log.add_updates(INT_MAX - 1 - counted);
    CHECK(update_number() == INT_MAX - 1);
    for (const char* name : {"saturated_1", "saturated_2", "saturated_3"}) {
        register_late(new_tree(name));
        CHECK(update_number() == INT_MAX);
    }
    log.add_updates(-(INT_MAX - 1 - counted));
    CHECK(update_number() == counted + 3);
}
