// Two libraries that declare the same names: one report names both owners, once for a process, and the first one stays.
#include "plugin.hpp"

#include "../reports_kept.hpp"

namespace {

std::string duplicates(const std::string& first, const std::string& second) {
    return "alpha_limit and 7 more names are declared twice: tools use the declarations of " + first +
           ", not those of " + second;
}

struct same_name_as_all : mpit::category<"one_more_tree", "A tree of this program"> {
    mpit::control<int> plain{this, "C_INT", "A number"};
    mpit::counter<> unknown{this, "C_INT", "No control variable, so no duplicate"};
};
constexpr auto& again = mpit::registered<same_name_as_all>;

} // namespace

TEST_CASE("Names that two libraries declare are one report with the owners of both, and the first one stays") {
    initialized tools;
    plugin first{"alpha"};
    const numbers before = present_numbers();
    reports_kept reported;
    plugin second{"alpha_again"};
    CHECK(present_numbers() == before);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] ==
          duplicates("alpha::variables in " + first.path(), "alpha_again::variables in " + second.path()));

    session s;
    pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(calls.start() == MPI_SUCCESS);
    first.count(10);
    second.count(1000);
    CHECK(calls.read() == 10);
    CHECK(second.calls() == 1000);
    CHECK(cvar{"alpha_limit"}.write(9) == MPI_SUCCESS);
    CHECK(first.limit() == 9);
    CHECK(second.limit() == 5);
}

TEST_CASE("Reports distinguish two libraries with the same tree by their paths") {
    initialized tools;
    plugin first{"alpha"};
    const numbers before = present_numbers();
    reports_kept reported;
    plugin second{"alpha_copy"};
    CHECK(present_numbers() == before);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] == duplicates("alpha::variables in " + first.path(), "alpha::variables in " + second.path()));
    const unsigned long long before_first = first.calls(), before_second = second.calls();
    first.count(3);
    second.count(4);
    CHECK(first.calls() == before_first + 3);
    CHECK(second.calls() == before_second + 4);
}

TEST_CASE("Unloading a duplicate does not affect the first declaration") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    plugin first{"alpha"};
    session s;
    pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(calls.start() == MPI_SUCCESS);
    {
        reports_kept reported;
        plugin second{"alpha_again"};
        CHECK(reports.size() <= 1); // a test before this one may have loaded both
        second.close();
        REQUIRE_FALSE(second.is_loaded());
    }
    first.count(10);
    CHECK(calls.read() == 10);
}

TEST_CASE("A duplicate that is loaded again and again is reported once") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    plugin first{"alpha_copy"};
    reports_kept reported;
    for (int i = 0; i < 20; i++) {
        plugin second{"alpha"};
        second.close();
        REQUIRE_FALSE(second.is_loaded());
    }
    CHECK(reports.size() == 1);
}

TEST_CASE("After the first library is unloaded, another one may use its indices without a report", "[GROW-03]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    plugin first{"alpha"};
    const numbers before = present_numbers();
    first.close();
    REQUIRE_FALSE(first.is_loaded());
    reports_kept reported;
    plugin second{"alpha_again"};
    CHECK(reports.empty());
    CHECK(present_numbers() == before);
    session s;
    pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(calls.start() == MPI_SUCCESS);
    second.count(7);
    CHECK(calls.read() == 7);
}

TEST_CASE("A report handler is removed when the library that set it is unloaded") {
    initialized tools;
    plugin slow{"slow"};
    slow.function<void()>("plugin_take_reports")();
    REQUIRE(mpit::registry::the_registry()->reports_to.load() != nullptr);
    slow.close();
    if (!slow.is_loaded()) CHECK(mpit::registry::the_registry()->reports_to.load() == nullptr);
    mpit::set_report_handler(nullptr);
}

TEST_CASE("Of two declarations in one program tools see one, and the other works for its author") {
    initialized tools;
    all.controls.plain = 1;
    again.plain = 2;
    cvar seen{"C_INT"};
    CHECK((seen.read() == 1 || seen.read() == 2));
    CHECK(seen.write(3) == MPI_SUCCESS);
    CHECK((all.controls.plain == 3) + (again.plain == 3) == 1);
    CHECK(all.controls.plain + again.plain == 3 + (again.plain == 3 ? 1 : 2));
    session s;
    pvar other_kind{s, "C_INT", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(other_kind.start() == MPI_SUCCESS);
    ++again.unknown;
    CHECK(other_kind.read() == 1);
}
