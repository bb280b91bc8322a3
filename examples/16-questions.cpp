// Lesson 16: ten questions about a registry, each answered by one pipeline.
//
// Where range-v3 is installed, <mpit/ranges.hpp> has the variables and categories of the process as views. They take no
// memory and read the index while they are walked; filters, orders and counts are those of range-v3.
#include <mpi.h>
#include <mpit/ranges.hpp>
#include <mpit/tool.hpp>

#include <range/v3/action/sort.hpp>
#include <range/v3/action/take.hpp>
#include <range/v3/algorithm/any_of.hpp>
#include <range/v3/algorithm/max.hpp>
#include <range/v3/algorithm/none_of.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/join.hpp>

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace mpit::views;
using mpit::performance_class;
using mpit::tool::category_view;
using mpit::tool::variable_view;
using ranges::views::filter;
using ranges::views::transform;

template <class View> static void print(const char* question, View&& found) {
    std::printf("\n%s\n", question);
    for (const auto& each : found) std::printf("    %s\n", each.name().characters);
}

static void send_to_ourselves(int count) {
    char message[64] = "";
    for (int i = 0; i < count; i++) {
        MPI_Request request;
        MPI_Isend(message, sizeof message, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &request);
        MPI_Recv(message, sizeof message, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static bool can_be_changed(const variable_view& v) {
    return v.scope() != mpit::scope::constant && v.scope() != mpit::scope::readonly;
}
static bool is_about_queues(const variable_view& v) {
    return std::string_view{v.description().characters}.find("queue") != std::string_view::npos;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const mpit::tool::library<> index;
    if (index.control<std::string>("MINI_JOB_NAME").write("lesson 16") != mpit::result::success) return 1;

    print("1. What may a tuner change?",
          controls() | verbosity_up_to(mpit::verbosity::tuner_basic) | filter(can_be_changed));
    print("2. What has somebody set?", controls() | set_from_outside());
    print("3. What differs from its default?", controls() | filter(&variable_view::is_changed));
    print("4. What is said of queues?", variables() | filter(is_about_queues));
    print("5. What belongs to the buffers, with all categories below?",
          categories() | named("mini_buffers") | transform([](category_view c) { return variables() | below(c); }) |
              ranges::views::join);
    print("6. What is bound to a communicator?", variables() | bound_to(mpit::binding::communicator));
    print("7. Which categories stand in no other?", categories() | filter([](category_view inner) {
        return ranges::none_of(categories(), [&](category_view outer) { return outer.holds(inner); });
    }));
    print("8. Which categories have a high watermark?", categories() | filter([](category_view c) {
        return ranges::any_of(performances() | of_class(performance_class::high_watermark),
                              [&](variable_view v) { return c.holds(v); });
    }));

    std::printf("\n9. How wide is a column of names? %zu characters\n",
                ranges::max(variables() | transform([](variable_view v) { return std::size_t{v.name().length}; })));

    // Handles count from their start.
    mpit::tool::session<mpit::tool::over_registry> session;
    auto counters = performances() | of_class(performance_class::counter) | bound_to(mpit::binding::none) |
                    transform([&](variable_view v) { return session.performance<unsigned long long>(v.number()); }) |
                    ranges::to<std::vector>();
    if (session.start() != mpit::result::success) return 1;
    send_to_ourselves(12);
    std::printf("\n10. What has counted most?\n");
    for (const auto& [count, name] :
         counters | transform([](auto& each) { return std::pair{each.read().value_or(0), each.info().name}; }) |
             ranges::to<std::vector>() | ranges::actions::sort(std::greater{}) | ranges::actions::take(3))
        std::printf("    %llu %s\n", count, name.c_str());
    MPI_Finalize();
}
