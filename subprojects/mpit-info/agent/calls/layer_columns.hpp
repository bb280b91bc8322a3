// The columns of samples that the layer has: those variables that have counted something.
//
//   layer_columns columns{how};   if (columns.have_changed()) …   columns.values(room, size);
#pragma once

#include "network.hpp"
#include "peers.hpp"
#include "region_cells.hpp"
#include "variables.hpp"

#include "../json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace mpit_info {

using json = nlohmann::ordered_json;

class layer_columns {
public:
    explicit layer_columns(const mpit_info_layer_start& how) : how_{how} {
        if (how_.counts_calls != 0) expect_calls();
        for (int rank = 0; rank < peers.processes(); rank++) {
            expect("messages_to", "counter", false, [rank] { return peers.messages_to(rank); }, "", rank);
            expect("bytes_to", "aggregate", false, [rank] { return peers.bytes_to(rank); }, "", rank);
        }
        for (const network_counter& each : network.counters())
            expect(each.name, each.is_bytes ? "aggregate" : "counter", false, [&each] { return each.value(); });
    }

    // Looks for variables that have begun to count. Returns whether there are new ones since the last call.
    bool have_changed() {
        note_open_calls();
        const std::size_t before = columns_.size();
        if (how_.is_split != 0) expect_communicators();
        const auto has_begun = [this](column& each) {
            if (each.name == "mpi_time" ? !main_thread_.is_known : each.value() == 0) return false;
            columns_.push_back(std::move(each));
            return true;
        };
        expected_.erase(std::remove_if(expected_.begin(), expected_.end(), has_begun), expected_.end());
        std::sort(columns_.begin(), columns_.end(), [](const column& a, const column& b) { return a.place < b.place; });
        return columns_.size() != before || !std::exchange(are_told_, true);
    }
    json columns() const {
        json all = json::array();
        for (const column& each : columns_)
            all.push_back({{"name", each.name},
                           {"class", each.of_class},
                           {"element", each.element < 0 ? json(nullptr) : json(each.element)},
                           {"object", each.object.empty() ? json(nullptr) : json(each.object)},
                           {"type", each.is_seconds ? "double" : "unsigned_long_long"}});
        return all;
    }
    // The time of a call that has not returned counts. Values do not decrease when it returns meanwhile.
    std::size_t values(mpit_info_value* room, std::size_t size) {
        note_open_calls();
        for (std::size_t i = 0; i < std::min(size, columns_.size()); i++) {
            const std::uint64_t word = columns_[i].latest = std::max(columns_[i].latest, columns_[i].value());
            room[i] = {columns_[i].is_seconds, word, columns_[i].is_seconds ? static_cast<double>(word) * 1e-9 : 0};
        }
        return columns_.size();
    }

    // The variables of a region, without zeros; all of them, since a table of regions needs the time in MPI.
    json of_region(const unsigned long long* cells) const {
        json values = json::object();
        const auto add = [&](const std::string& name, unsigned long long word, bool is_seconds) {
            values[name] = is_seconds ? json(static_cast<double>(word) * 1e-9) : json(static_cast<std::uint64_t>(word));
        };
        // One walk over the functions, of which a region calls few: a program may have very many regions.
        unsigned long long sums[classes][region_words] = {};
        for (const function_cells& each : all_functions)
            for (std::size_t which = 0; which < region_words; which++)
                sums[static_cast<int>(each.of)][which] += cells[region_cell_of(&each - all_functions, which)];
        for (int i = 0; i < classes; i++)
            for (std::size_t which = 0; which < region_words; which++)
                if (sums[i][which] != 0)
                    add(std::string{names_of_classes[i]} + suffixes[which], sums[i][which], which >= 2);
        for (const function_cells& each : all_functions)
            if (const unsigned long long time = cells[region_cell_of(&each - all_functions, 2)]; time != 0)
                add(each.name + std::string{"_time"}, time, true);
        if (cells[region_cells - 1] != 0) add("late_senders", cells[region_cells - 1], false);
        return values;
    }

private:
    static constexpr const char* suffixes[] = {"_calls", "_bytes", "_time", "_waited"};
    struct column {
        std::size_t place; // in the order of a table
        std::string name;
        const char* of_class;
        std::string object;
        int element;
        bool is_seconds; // of nanoseconds
        std::function<std::uint64_t()> value;
        std::uint64_t latest = 0;
    };

    void expect(std::string name, const char* of_class, bool is_seconds, std::function<std::uint64_t()> value,
                const std::string& object = "", int element = -1) {
        if (how_.is_chosen(name.c_str()) != 0)
            expected_.push_back(
                {next_place_++, std::move(name), of_class, object, element, is_seconds, std::move(value), 0});
    }
    template <class Values> void expect_four(const std::string& name, Values of, const std::string& object = "") {
        expect(name + suffixes[0], "counter", false, of(0), object);
        expect(name + suffixes[1], "aggregate", false, of(1), object);
        expect(name + suffixes[2], "timer", true, of(2), object);
        expect(name + suffixes[3], "timer", true, of(3), object);
    }
    std::uint64_t word(const function_cells& of, int which) const {
        switch (which) {
        case 0: return of.calls->word();
        case 1: return of.bytes != nullptr ? of.bytes->word() : 0;
        case 2: return of.time->word() + open_[static_cast<std::size_t>(&of - all_functions)];
        default: return of.waited != nullptr ? of.waited->word() : 0;
        }
    }
    // The time of the calls that have not returned, by function, and that of the main thread in all calls.
    void note_open_calls() {
        open_.fill(0);
        main_thread_ = {};
        // Before its first call since a tool has attached, it may be in one that nobody has seen.
        main_thread_.is_known = the_call_log.began() == 0;
        const std::uint64_t now = call_clock.now();
        the_call_log.for_each_thread([&](const call_thread& each) {
            std::uint64_t open = 0;
            const std::uint64_t in_mpi = __atomic_load_n(&each.in_mpi, __ATOMIC_ACQUIRE);
            const logged_call* const last = each.last_of(each.begun());
            if (const std::uint64_t since = last != nullptr ? each.open_since(*last) : 0; since != 0)
                open_[last->function] += open = call_clock.nanoseconds(now - since);
            if (each.number != static_cast<std::uint32_t>(getpid())) return;
            main_thread_.is_known |= open != 0 || (last != nullptr && last->begin >= the_call_log.began());
            main_thread_.in_mpi = call_clock.nanoseconds(in_mpi) + open;
            main_thread_.polling = call_clock.nanoseconds(each.polling);
            main_thread_.wait_in_calls = each.wait_in_calls;
            main_thread_.wait_outside = each.wait_outside;
        });
    }
    static std::uint64_t word(const communicator_cells& of, int which) {
        switch (which) {
        case 0: return of.calls.word();
        case 1: return of.bytes.word();
        case 2: return of.time.word();
        default: return of.waited.word();
        }
    }

    void expect_calls() {
        for (int i = 0; i < classes; i++)
            expect_four(names_of_classes[i], [this, i](int which) {
                return [this, i, which] {
                    std::uint64_t sum = 0;
                    for (const function_cells& each : all_functions)
                        if (static_cast<int>(each.of) == i) sum += word(each, which);
                    return sum;
                };
            });
        for (const function_cells& each : all_functions) {
            expect(each.name + std::string{"_time"}, "timer", true, [this, &each] { return word(each, 2); });
            expect(each.name + std::string{"_calls"}, "counter", false, [this, &each] { return word(each, 0); });
            expect(each.name + std::string{"_bytes"}, "aggregate", false, [this, &each] { return word(each, 1); });
        }
        expect("mpi_time", "timer", true, [this] { return main_thread_.in_mpi; });
        expect("mpi_polling", "timer", true, [this] { return main_thread_.polling; });
        expect("processor_wait", "timer", true, [] { return processor_wait.nanoseconds(); });
        expect("processor_wait_in_mpi", "timer", true, [this] { return main_thread_.wait_in_calls; });
        expect("processor_wait_outside", "timer", true, [this] { return main_thread_.wait_outside; });
        expect("late_senders", "counter", false, [] { return functions.late_senders.word(); });
    }
    void expect_communicators() {
        communicators.for_each([&](const communicator& comm) {
            if (std::exchange(comm.is_expected, true)) return;
            for (std::size_t i = 0; i < classes; i++)
                expect_four(std::string{"communicator_"} + names_of_classes[i], [&comm, i](int which) {
                    return [&comm, i, which] { return word(comm.of_class[i], which); };
                }, comm.name);
        });
    }

    const mpit_info_layer_start how_;
    std::array<std::uint64_t, static_cast<std::size_t>(function::count)> open_{};
    struct {
        std::uint64_t in_mpi = 0, polling = 0, wait_in_calls = 0, wait_outside = 0;
        bool is_known = false;
    } main_thread_{};
    bool are_told_ = false;
    std::size_t next_place_ = 0;
    std::vector<column> expected_; // have counted nothing
    std::vector<column> columns_;
};

} // namespace mpit_info
