// The reports of groups in C: each NULL has a line that says why and what to do instead, and what was said of a name is
// not said again.
#include "../catch.hpp"

#include <mpit/declare.hpp>
#include <mpit/mpi_t.h>
#include <mpit/report_handler.hpp>

#include <string>
#include <vector>

#include "../reports_kept.hpp"

namespace {

// The one report that a refused group makes; "opened" if it is not refused.
std::string refusal(const mpit_group* parent, const char* name, const mpit_policy* policy = nullptr) {
    const reports_kept here;
    mpit_group* const group = mpit_open(parent, name, "", policy);
    mpit_close(group);
    if (group != nullptr) return reports.empty() ? "opened" : reports[0];
    return reports.size() == 1 ? reports[0] : std::to_string(reports.size()) + " reports";
}

} // namespace

TEST_CASE("A group in C that cannot be opened is reported with the reason and a name that can be") {
    CHECK(refusal(nullptr, "reports_good") == "opened");
    CHECK(refusal(nullptr, "UCP context") ==
          "mpit_open returns NULL: the category \"UCP context\" has a name that is not accepted: expected 1 to 255 "
          "printable ASCII characters without blanks, as in UCP_context");
    CHECK(refusal(nullptr, "") == "mpit_open returns NULL: the category \"\" has a name that is not accepted: expected "
                                  "1 to 255 printable ASCII characters without blanks, as in tcp");
    CHECK(refusal(nullptr, nullptr) == "mpit_open returns NULL: the name of the category is NULL");
    const std::string long_name(256, 'x');
    CHECK(refusal(nullptr, long_name.c_str()).find("has a name that is not accepted") != std::string::npos);
    mpit_policy policy{};
    policy.environment = "MY_*_*";
    CHECK(refusal(nullptr, "reports_stars", &policy) ==
          "mpit_open returns NULL: the category \"reports_stars\" has a policy with a wrong .environment: expected "
          "names with one * each, separated by commas, but found MY_*_*");
    mpit_group* groups[8];
    for (int i = 0; i < 8; i++) {
        groups[i] =
            mpit_open(i == 0 ? nullptr : groups[i - 1], ("reports_level_" + std::to_string(i)).c_str(), "", nullptr);
        REQUIRE(groups[i] != nullptr);
    }
    CHECK(refusal(groups[7], "reports_too_deep") == "mpit_open returns NULL: the category \"reports_too_deep\" is "
                                                    "inside of 8 others, expected at most 7; open it in an outer one");
    for (mpit_group* each : groups) mpit_close(each);
}

TEST_CASE("An origin in C of a variable that the group has not is reported") {
    const reports_kept here;
    mpit_group* const group = mpit_open(nullptr, "reports_given", "", nullptr);
    CHECK(mpit_given(group, "NOBODY", MPIT_FROM_ENVIRONMENT, nullptr) == -1);
    mpit_close(group);
    REQUIRE(reports.size() == 1);
    CHECK(
        reports[0] ==
        "mpit_given returns -1: the group has no control variable of the name \"NOBODY\"; add its row before the call");
}

TEST_CASE("Groups in C that describe one category or variable differently are reported once, however often they come "
          "and go") {
    static int value = 1;
    const reports_kept here;
    int provided = 0;
    REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    for (int i = 0; i < 5; i++) {
        const std::string words = "Node " + std::to_string(i);
        mpit_control row[2]{};
        row[0].name = "REPORTS_VALUE";
        row[0].type = MPIT_TYPE_INT;
        row[0].storage = &value;
        row[0].size = sizeof value;
        row[0].description = words.c_str();
        mpit_group* const group = mpit_open(nullptr, "reports_node", words.c_str(), nullptr);
        CHECK(mpit_add_controls(group, row, nullptr) == 0);
        CHECK(mpit_publish(group) == 0);
        mpit_close(group);
    }
    MPI_T_finalize();
    REQUIRE(reports.size() == 2);
    CHECK(reports[0].find("the category reports_node has two descriptions") == 0);
    CHECK(reports[1].find("REPORTS_VALUE has two descriptions") == 0);
}
