// Views over the index, against the lists that the standard's functions give.
#include "../tool.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/mpi_t/constants.hpp>
#include <mpit/ranges.hpp>
#include <mpit/tool.hpp>

namespace {

using names = std::vector<std::string>;
template <class View> names names_in(View view) {
    names found;
    for (const auto& each : view) found.emplace_back(mpit::tool::attribute::name(each));
    return found;
}
using mpit::performance_class;

} // namespace

TEST_CASE("All variables and categories are listed in the order of their indices") {
    const initialized now;
    int cvars = 0, pvars = 0, categories = 0, number = 0;
    MPI_T_cvar_get_num(&cvars), MPI_T_pvar_get_num(&pvars), MPI_T_category_get_num(&categories);
    for (const mpit::tool::variable_view v : mpit::views::controls()) {
        char name[300];
        int length = sizeof name, verbosity = 0, bind = 0, scope = 0;
        CHECK(v.number() == number);
        REQUIRE(MPI_T_cvar_get_info(number++, name, &length, &verbosity, nullptr, nullptr, nullptr, nullptr, &bind,
                                    &scope) == MPI_SUCCESS);
        CHECK(name == std::string{v.name().characters});
        CHECK(mpit::mpi_t::constant_of(v.verbosity()) == verbosity);
        CHECK(mpit::mpi_t::constant_of(v.binding()) == bind);
        CHECK(mpit::mpi_t::constant_of(v.scope()) == scope);
        CHECK(v.is_control());
    }
    CHECK(number == cvars);
    number = 0;
    for (const mpit::tool::variable_view v : mpit::views::performances()) {
        int readonly = -1, continuous = -1, in = -1;
        CHECK(v.number() == number);
        REQUIRE(MPI_T_pvar_get_info(number++, nullptr, nullptr, nullptr, &in, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, &readonly, &continuous, nullptr) == MPI_SUCCESS);
        CHECK(v.is_readonly() == (readonly != 0));
        CHECK(v.is_continuous() == (continuous != 0));
        CHECK(mpit::mpi_t::constant_of(v.variable_class()) == in);
        CHECK(v.is_loaded());
    }
    CHECK(number == pvars);
    CHECK(names_in(mpit::views::variables()).size() == static_cast<std::size_t>(cvars + pvars));
    CHECK(names_in(mpit::views::categories()).size() == static_cast<std::size_t>(categories));
}

TEST_CASE("Variables are selected by name, class, verbosity and kind of object, with combined filters") {
    using namespace mpit::views;
    CHECK(names_in(variables() | named("C_BOUND*")) == names{"C_BOUND", "C_BOUND_ARRAY"});
    CHECK(names_in(variables() | named("p_queue")).size() == 4);
    CHECK(names_in(variables() | named("p_queue") | of_class(performance_class::size)) == names{"p_queue"});
    CHECK(names_in(variables() | named("v_*") | verbosity_up_to(mpit::verbosity::user_all)) ==
          names{"v_user_basic", "v_user_detail", "v_user_all"});
    CHECK(names_in(performances() | bound_to(mpit::binding::window)) == names{"b_win"});
    CHECK(names_in(controls() | of_class(performance_class::state)).empty());
    CHECK(names_in(categories() | named("*for?ances")) == names{"performances"});
}

TEST_CASE("The filters select from the listings of a tool interface as from the views") {
    using namespace mpit::views;
    const mpit::tool::library<> interface;
    CHECK(names_in(interface.performances() | named("v_*") | verbosity_up_to(mpit::verbosity::user_all)) ==
          names{"v_user_basic", "v_user_detail", "v_user_all"});
    CHECK(names_in(interface.performances() | named("p_queue") | of_class(performance_class::size)) ==
          names{"p_queue"});
    CHECK(names_in(interface.performances() | bound_to(mpit::binding::window)) == names{"b_win"});
    CHECK(names_in(interface.controls() | of_class(performance_class::state)).empty());
    CHECK(names_in(interface.categories() | named("*for?ances")) == names{"performances"});
}

TEST_CASE("A view is found by its name or its index, and an unknown one refers to nothing") {
    const mpit::tool::library<> interface;
    const mpit::tool::variable_view limit = mpit::tool::find_control("C_INT");
    REQUIRE(limit);
    CHECK(limit.name().characters == std::string{"C_INT"});
    CHECK(mpit::tool::control_at(limit.number()) == limit);
    CHECK(interface.control<int>(limit).read() == 5);
    const mpit::tool::variable_view queue = mpit::tool::find_performance("p_queue", performance_class::size);
    REQUIRE(queue);
    CHECK(mpit::tool::performance_at(queue.number()) == queue);
    CHECK(interface.session().performance<unsigned long long>(queue).read() == 64);
    CHECK(mpit::tool::category_at(mpit::tool::find_category("bound").number()) == mpit::tool::find_category("bound"));
    CHECK(!mpit::tool::find_control("no such name"));
    CHECK(!mpit::tool::find_control(nullptr));
    CHECK(!mpit::tool::find_performance("p_queue", performance_class::counter));
    CHECK(!mpit::tool::find_category("no such name"));
    CHECK(!mpit::tool::control_at(-1));
    CHECK(!mpit::tool::performance_at(interface.count(mpit::tool::kind::performance)));
    CHECK(!mpit::tool::category_at(interface.count(mpit::tool::kind::category)));
}

TEST_CASE("The control variables that a tool has written are those that were set from outside") {
    using namespace mpit::views;
    const initialized now;
    CHECK(names_in(controls() | set_from_outside()).empty());
    CHECK(cvar{"C_INT"}.write(5) == MPI_SUCCESS);
    CHECK(names_in(variables() | set_from_outside()) == names{"C_INT"});
}

TEST_CASE("A category lists its members, and on request those of all categories below it") {
    using namespace mpit::views;
    const mpit::tool::category_view everything = mpit::tool::find_category("everything"),
                                    bound = mpit::tool::find_category("bound");
    CHECK(names_in(variables() | inside(everything)).empty());
    CHECK(names_in(variables() | inside(bound)).size() ==
          static_cast<std::size_t>(bound.count(mpit::tool::kind::performance)));
    CHECK(names_in(variables() | below(everything) | named("b_comm")) == names{"b_comm"});
    CHECK(names_in(variables() | below(everything)).size() == names_in(variables()).size());
    CHECK(names_in(variables() | below(bound) | named("p_*")).empty());
    CHECK(everything.holds(bound));
    CHECK(!bound.holds(everything));
}

TEST_CASE("A variable has its categories, and a view lists the entries from before its creation") {
    using namespace mpit::views;
    const auto before = controls();
    const std::size_t count = names_in(before).size();
    mpit::dynamic grown{"grown", "Comes later"};
    REQUIRE(grown.control<int>("GROWN", "Comes later") == mpit::result::success);
    REQUIRE(grown.publish().code == mpit::result::success);
    CHECK(names_in(before).size() == count);
    REQUIRE(names_in(controls()).size() == count + 1);
    for (const mpit::tool::variable_view v : controls() | named("GROWN")) {
        CHECK(names_in(categories_of(v)) == names{"grown"});
        CHECK(v.description().characters == std::string{"Comes later"});
        CHECK(v == v);
    }
}
