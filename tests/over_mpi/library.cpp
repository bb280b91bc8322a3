#ifndef MPIT_MPI_HEADER
#define MPIT_MPI_HEADER <mpi.h>
#endif
#include "library.hpp"

#include <mpit/mpit.hpp>
#include <mpit/over_mpi.hpp>

#include <mpit/module/publish_pending.hpp> // behind the public headers, which turn off its warnings

#include <deque>
#include <mutex>
#include <utility>

namespace {

struct lab_number {
    int value;
};

struct variables : mpit::category<"lab", "A library on top of the host"> {
    mpit::control<int> limit{this, "LAB_LIMIT", "A limit", {.initial = {7}}};
    mpit::control<int> clash{this, "CLASH_LIMIT", "What no tool sees", {.initial = {77}}};
    mpit::counter<> messages{this, "lab_messages", "Messages"};
    mpit::source network{this, "network", "Ticks of another kind", {.ticks_per_second = 10}};
    mpit::event<lab_payload> ticking{this, "lab_ticking", "Stamped by its own source", {.source = &network}};
    mpit::event<lab_payload> arrival{this, "lab_arrival", "A message has arrived", {.source = mpit::steady_clock}};
    mpit::event<lab_number> clashing{this, "clash_event", "What no tool sees"};
};
constexpr auto& all_of_lab = mpit::registered<variables>;

struct shared_variables : mpit::category<"shared", "Both have it"> {
    mpit::control<int> depth{this, "LAB_DEPTH", "A depth", {.initial = {3}}};
    mpit::event<lab_number> noticed{this, "lab_noticed", "Something was noticed"};
};
[[maybe_unused]] constexpr auto& shared = mpit::registered<shared_variables>;

struct late_tree : mpit::descriptor::category {
    std::string name;
    mpit::control<int> control;
    late_tree(const std::string& called, int value)
        : category{"late", "Enrolled while others look"},
          name{called},
          control{this, mpit::core::checked_name{name.c_str()}, "A variable that came late"} {
        control = value;
    }
};

std::mutex reporting;
std::vector<std::string> reports;

[[gnu::constructor]] void keep_reports() {
    mpit::set_report_handler([](const char* line) {
        const std::lock_guard here{reporting};
        reports.emplace_back(line);
    });
}

} // namespace

namespace lab {

[[gnu::visibility("default")]] void raise(int source, double bytes) { all_of_lab.arrival(source, bytes); }
[[gnu::visibility("default")]] void raise_clash(int value) { all_of_lab.clashing(value); }
[[gnu::visibility("default")]] void raise_ticking() { all_of_lab.ticking(0, 0.0); }
[[gnu::visibility("default")]] void count() { ++all_of_lab.messages; }
[[gnu::visibility("default")]] std::vector<std::string> take_reports() {
    const std::lock_guard here{reporting};
    return std::exchange(reports, {});
}
[[gnu::visibility("default")]] std::size_t bytes_in_use() { return mpit::core::bytes_in_use(); }
[[gnu::visibility("default")]] void register_control(const std::string& name, int value) {
    static std::deque<late_tree> trees;
    mpit::registry::register_tree(trees.emplace_back(name, value), "a test");
}

} // namespace lab
