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
            call_clock.begin({how.passing->loaded->cycle, how.passing->loaded->nanosecond});
            processor_wait.begin();
            the_call_log.begin(how.folder, how.rank, how.processes, how.launch, names_of_functions);
            communicators.begin(how.peers != 0);
            if (how.has_world != 0) communicators.add(the_calls.world, {1, 1});
            if (how.peers != 0) peers.begin(how.peers);
        }
        if (how.counts_calls != 0 && how.has_world == 0) the_call_log.begin_late();
        if (how.network != nullptr && !std::exchange(has_network, true)) network.begin(how.network);
        the_columns.emplace(how);
        if (how.has_distributions != 0) distributions.begin();
        the_region = how.region;
        details = (how.region != nullptr ? by_region : 0u) |
                  (how.has_distributions != 0 && distributions.is_there() ? by_duration : 0u);
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

// At the end of the process; not a destructor of an object, since threads may still call functions of the MPI.
[[gnu::destructor]] void at_end_of_process() { the_call_log.remove_file(); }

std::string in_base64(const std::string& bytes) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string made;
    made.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t at) {
            return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0u;
        };
        const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        made += letters[group >> 18];
        made += letters[group >> 12 & 63];
        made += i + 1 < bytes.size() ? letters[group >> 6 & 63] : '=';
        made += i + 2 < bytes.size() ? letters[group & 63] : '=';
    }
    return made;
}

// Variables of functions are in the samples alone, as columns of those that are called.
bool is_told(const std::string& name) { return name.rfind("MPI_", 0) != 0; }

// `add(list)` adds the elements.
template <class Add> const char* elements(Add add) noexcept {
    try {
        text.clear();
        json_writer list{text, '['};
        add(list);
        text.erase(0, 1); // what stands before the first element
        return text.c_str();
    } catch (...) { return ""; }
}
const char* variables(int first) noexcept {
    return elements(
        [=](json_writer& list) { snapshot<mpit::tool::over_registry>{}.add_performances(list, first, is_told); });
}
const char* categories(int first, int first_variable) noexcept {
    return elements(
        [=](json_writer& list) { snapshot<mpit::tool::over_registry>{}.add_categories(list, first, first_variable); });
}

const char* values_of_cells(const unsigned long long* cells) noexcept {
    try {
        text.clear();
        append_text(text, the_columns->of_region(cells));
        return text.c_str();
    } catch (...) { return "{}"; }
}

const char* changed_distributions() noexcept {
    if ((details.load() & by_duration) == 0) return nullptr;
    try {
        json changed = json::array();
        distributions.for_each_changed([&changed](std::uint32_t key, const call_distributions::sum& of) {
            const bool is_other = (key & distribution_table::others) == distribution_table::others;
            const std::uint32_t in = communicator_number_of(key), size = size_class_in(key);
            json buckets = json::array();
            for (std::size_t i = 0; i < duration_buckets.count(); i++)
                if (of.buckets[i] != 0) buckets.push_back({i, of.buckets[i]});
            json each{{"function", names_of_functions[function_of(key)]}};
            if (is_other) each["others"] = true;
            else if (in != 0) each["communicator"] = communicators.numbered(in).name;
            if (!is_other && size != no_size) each["class"] = size;
            if (!is_other && size != no_size && of.size != call_distribution::differ) each["bytes"] = of.size - 1;
            each["seconds"] = static_cast<double>(of.nanoseconds) * 1e-9;
            if (of.longest != 0) each["longest"] = static_cast<double>(of.longest) * 1e-9;
            each["buckets"] = std::move(buckets);
            changed.push_back(std::move(each));
        });
        if (changed.empty()) return nullptr;
        text.clear();
        append_text(text, json{{"scale", duration_buckets.scale},
                               {"lowest", duration_buckets.lowest},
                               {"highest", duration_buckets.highest},
                               {"distributions", std::move(changed)}});
        return text.c_str();
    } catch (...) { return nullptr; }
}

std::string& copy = *new std::string;
std::uint64_t latest_moves = 0;
enum class progress { moves, polls, rests } told_progress = progress::moves;
// Polls that are further apart are outside of MPI meanwhile; the same number is in mpit_info/call_log.py.
constexpr std::uint64_t polls_apart = 1'000'000'000;

std::uint64_t moves_of_all() noexcept {
    std::uint64_t sum = 0;
    the_call_log.for_each_thread([&sum](const call_thread& each) { sum += each.moves(); });
    return sum;
}

const char* quiet_calls() noexcept {
    try {
        if (!the_call_log.is_there()) return nullptr;
        progress now = progress::rests;
        the_call_log.for_each_thread([&](const call_thread& each) {
            const std::uint64_t poll = each.latest_failed_poll();
            if (poll != 0 && call_clock.nanoseconds(call_clock.now() - poll) < polls_apart) now = progress::polls;
        });
        std::uint64_t moves = moves_of_all();
        // Once more: a poll may have been between its two counters.
        if (moves != latest_moves) moves = moves_of_all();
        if (moves != std::exchange(latest_moves, moves)) now = progress::moves;
        if (now == std::exchange(told_progress, now)) return nullptr;
        copy = now != progress::moves ? in_base64(the_call_log.short_copy()) : "";
        return copy.c_str();
    } catch (...) { return nullptr; }
}

int hold(unsigned operation, unsigned milliseconds, int with_new, unsigned* begun) noexcept {
    return operation != 0 ? the_world_gate.hold(operation, milliseconds, with_new != 0, *begun)
                          : the_world_gate.release(with_new != 0, *begun);
}

void set_phase(int phase) noexcept { the_call_log.set_phase(phase); }

void end() noexcept {
    if (how.counts_calls != 0) how.passing->unroute();
}

void leave_to_parent() noexcept { network.leave_to_parent(); }

} // namespace

extern "C" [[gnu::visibility("default")]] const mpit_info_layer mpit_info_layer = {
    begin,       columns, values,    variables, categories,     region_cells, values_of_cells, changed_distributions,
    quiet_calls, hold,    set_phase, end,       leave_to_parent};
