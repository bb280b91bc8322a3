// mpit-info-calls-<interface>.so: counts the calls of an MPI, and reads the counters of the node's network. An agent
// loads it, routes the calls through it, and reads its variables (../calls.h). They are in a registry of their own, so
// that the program and its MPI do not have them.
#include "counting.hpp"
#include "layer_columns.hpp"

#include "../snapshot.hpp"

#include <mpit/tool/over_registry.hpp>

#include <cerrno>
#include <utility>

namespace {

using namespace mpit_info;

// None is destroyed at the end of the process, when a thread that was abandoned may still use it.
mpit_info_layer_start how;
std::optional<layer_columns>& the_columns = *new std::optional<layer_columns>;
std::string& text = *new std::string;
bool has_calls = false, has_network = false;

int begin(const mpit_info_layer_start* with) noexcept {
    try {
        how = *with;
        // A tool that attaches again: what has been counted is kept.
        if (how.counts_calls != 0 && !std::exchange(has_calls, true)) {
            if (how.passing->count != symbols || !the_calls.find_in(how.find)) return 0;
            call_clock.begin();
            communicators.begin(how.peers != 0);
            if (how.peers != 0) peers.begin(how.peers);
        }
        if (how.network != nullptr && !std::exchange(has_network, true)) network.begin(how.network);
        the_columns.emplace(how);
        the_region = how.region;
        if (how.counts_calls != 0) how.passing->route(how.find, counting_functions, real_functions);
        return 1;
    } catch (...) { return 0; }
}

const char* columns() noexcept {
    try {
        if (!the_columns->have_changed()) return nullptr;
        text.clear();
        append_text(text, the_columns->columns());
        return text.c_str();
    } catch (...) { return nullptr; }
}

std::size_t values(mpit_info_value* room, std::size_t size) noexcept { return the_columns->values(room, size); }

// Variables of functions that were not called are left out.
bool is_told(const json& variable) {
    const std::string name = variable["name"];
    return name.rfind("MPI_", 0) != 0 || (variable["value"].is_number() && variable["value"] != 0);
}

const char* document() noexcept {
    try {
        const json whole = snapshot<mpit::tool::over_registry>{}.document();
        json told = {{"performance_variables", json::array()}, {"categories", whole["categories"]}};
        for (const json& each : whole["performance_variables"])
            if (is_told(each)) told["performance_variables"].push_back(each);
        text.clear();
        append_text(text, told);
        return text.c_str();
    } catch (...) { return "{}"; }
}

const char* values_of_cells(const unsigned long long* cells) noexcept {
    try {
        text.clear();
        append_text(text, the_columns->of_region(cells));
        return text.c_str();
    } catch (...) { return "{}"; }
}

void end() noexcept {
    if (how.counts_calls != 0) how.passing->unroute();
}

void leave_to_parent() noexcept { network.leave_to_parent(); }

} // namespace

extern "C" [[gnu::visibility("default")]] const mpit_info_layer mpit_info_layer = {
    begin, columns, values, document, region_cells, values_of_cells, end, leave_to_parent};
