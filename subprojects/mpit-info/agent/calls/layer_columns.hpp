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
        const std::size_t before = columns_.size();
        if (how_.is_split != 0) expect_communicators();
        const auto has_begun = [this](column& each) {
            if (each.value() == 0) return false;
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
    std::size_t values(mpit_info_value* room, std::size_t size) const {
        for (std::size_t i = 0; i < std::min(size, columns_.size()); i++) {
            const std::uint64_t word = columns_[i].value();
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
    };

    void expect(std::string name, const char* of_class, bool is_seconds, std::function<std::uint64_t()> value,
                const std::string& object = "", int element = -1) {
        if (how_.is_chosen(name.c_str()) != 0)
            expected_.push_back(
                {next_place_++, std::move(name), of_class, object, element, is_seconds, std::move(value)});
    }
    template <class Values> void expect_four(const std::string& name, Values of, const std::string& object = "") {
        expect(name + suffixes[0], "counter", false, of(0), object);
        expect(name + suffixes[1], "aggregate", false, of(1), object);
        expect(name + suffixes[2], "timer", true, of(2), object);
        expect(name + suffixes[3], "timer", true, of(3), object);
    }
    static std::uint64_t word(const function_cells& of, int which) {
        switch (which) {
        case 0: return of.calls->word();
        case 1: return of.bytes != nullptr ? of.bytes->word() : 0;
        case 2: return of.time->word();
        default: return of.waited != nullptr ? of.waited->word() : 0;
        }
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
            expect_four(names_of_classes[i], [i](int which) {
                return [i, which] {
                    std::uint64_t sum = 0;
                    for (const function_cells& each : all_functions)
                        if (static_cast<int>(each.of) == i) sum += word(each, which);
                    return sum;
                };
            });
        for (const function_cells& each : all_functions)
            expect(each.name + std::string{"_time"}, "timer", true, [&each] { return each.time->word(); });
        expect("late_senders", "counter", false, [] { return functions.late_senders.word(); });
    }
    void expect_communicators() {
        std::size_t number = 0;
        communicators.for_each([&](const communicator& comm) {
            if (number++ < communicators_) return;
            communicators_++;
            for (std::size_t i = 0; i < classes; i++)
                expect_four(std::string{"communicator_"} + names_of_classes[i], [&comm, i](int which) {
                    return [&comm, i, which] { return word(comm.of_class[i], which); };
                }, comm.name);
        });
    }

    const mpit_info_layer_start how_;
    bool are_told_ = false;
    std::size_t next_place_ = 0;
    std::size_t communicators_ = 0; // that are expected
    std::vector<column> expected_;  // have counted nothing
    std::vector<column> columns_;
};

} // namespace mpit_info
