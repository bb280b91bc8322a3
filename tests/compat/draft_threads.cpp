// Tools of 2010 and 2011 list variables while libraries add them: indices are dense and stay, whoever walks in which
// direction.
#include "draft.hpp"

#include <mpit/dynamic.hpp>

#include <atomic>
#include <deque>
#include <latch>
#include <thread>

namespace {

std::string name_of(int index) {
    char name[300] = "";
    int length = sizeof name;
    const int code =
        MPIT_Controlvar_get_info(index, name, &length, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    return code == MPIT_SUCCESS ? name : "";
}
int count_now() {
    int count = -1;
    return MPIT_Controlvar_get_num(&count) == MPIT_SUCCESS ? count : -1;
}

// A tool that knows what it has seen at each index.
struct lister {
    std::vector<std::string> known;
    int wrong = 0;

    void list(bool forwards) {
        const int count = count_now();
        wrong += count < static_cast<int>(known.size());
        known.resize(static_cast<std::size_t>(count));
        for (int i = 0; i < count; i++) look(forwards ? i : count - 1 - i);
    }
    void look(int index) {
        const std::string name = name_of(index);
        std::string& before = known[static_cast<std::size_t>(index)];
        wrong += name.empty() || (!before.empty() && name != before) || name.substr(0, 4) == "MPI_";
        before = name;
    }
};

void wait_for_another(const std::atomic<int>& looks) {
    for (const int before = looks; looks == before;) std::this_thread::yield();
}

// Every set that can be reached knows that it is where it was found.
int walk_sets(const char* from) {
    MPIT_Taxonquery_iterator iterator = MPIT_TAXONQUERY_START;
    char name[MPIT_MAX_SET_NAME];
    int length = 0, type = 0, wrong = 0;
    while (MPIT_Taxon_query_set_variables(&iterator, from, name, &length, &type) == MPIT_SUCCESS) {
        MPIT_Taxonquery_iterator back = MPIT_TAXONQUERY_START;
        char set[MPIT_MAX_SET_NAME];
        bool is_there = false;
        while (MPIT_Taxon_query_variable_sets(&back, name, set, &length, &type) == MPIT_SUCCESS)
            is_there |= std::string{set} == from;
        wrong += !is_there;
    }
    return wrong;
}

} // namespace

TEST_CASE("Indices are dense and keep their names while others add variables, shown ones and hidden ones",
          "[T2011-18][T2011-28]") {
    const draft_initialized draft;
    constexpr int groups = 60, listers = 3;
    std::atomic<bool> is_over{false};
    std::atomic<int> looks{0};
    std::latch present{listers + 1};
    lister tools[listers];
    std::vector<std::thread> threads;
    for (int t = 0; t < listers; t++)
        threads.emplace_back([&, t] {
            present.arrive_and_wait();
            for (; !is_over; looks++) tools[t].list(t != 1);
            tools[t].list(t == 1);
        });
    present.arrive_and_wait();
    std::deque<mpit::dynamic> added;
    int refused = 0;
    for (int i = 0; i < groups; i++) {
        mpit::dynamic& group = added.emplace_back(("group_" + std::to_string(i)).c_str());
        for (const char* prefix : {"SHOWN_", "MPI_HIDDEN_", "ALSO_SHOWN_"})
            refused += group.control<int>((prefix + std::to_string(i)).c_str(), "") != mpit::result::success;
        refused += group.publish().code != mpit::result::success;
        wait_for_another(looks);
    }
    is_over = true;
    for (std::thread& each : threads) each.join();
    CHECK(refused == 0);
    for (const lister& each : tools) {
        CHECK(each.wrong == 0);
        CHECK(each.known == tools[0].known);
    }
    CHECK(name_of(count_now()).empty());
    CHECK(tools[0].known.back() == "ALSO_SHOWN_" + std::to_string(groups - 1));
}

TEST_CASE("Sets are iterated while they grow, and each variable lists the set in which it was found", "[TAXON-06]") {
    const draft_initialized draft;
    constexpr int rounds = 60;
    std::atomic<bool> is_over{false};
    std::atomic<int> wrong{0}, looks{0};
    std::latch present{3};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; t++)
        threads.emplace_back([&] {
            present.arrive_and_wait();
            for (; !is_over; looks++) wrong += walk_sets("walked");
        });
    present.arrive_and_wait();
    std::deque<mpit::dynamic> added;
    for (int i = 0; i < rounds; i++) {
        mpit::dynamic& group = added.emplace_back("walked");
        if (group.control<int>(("WALKED_" + std::to_string(i)).c_str(), "") != mpit::result::success) wrong++;
        if (group.publish().code != mpit::result::success) wrong++;
        wait_for_another(looks);
    }
    is_over = true;
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
    CHECK(walk_sets("walked") == 0);
}
