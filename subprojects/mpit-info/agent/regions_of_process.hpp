// The regions of the program in this process: those of its threads are summed up by path, and become messages. The
// agent's thread calls it, but for prepare(), begin() and end(), which the threads call that start and end the MPI.
//
//   regions_of_process regions;   regions.prepare<over_mpi>({"*"});   regions.begin();   …   to.send(regions.message(time, layer));
#pragma once

#include "agent_thread.hpp"
#include "region_variables.hpp"

#include <map>

namespace mpit_info {

class regions_of_process {
public:
    // Returns false if libmpit-regions.so is not loaded.
    template <class Interface> bool prepare(const std::vector<std::string>& patterns) {
        if (!prepare_sleeping()) return false;
        is_asked_ = true;
        {
            const inside_gate reading;
            region_variables<Interface>::begin(patterns);
        }
        for (int i = 0; i < region_variables<Interface>::count(); i++)
            variables_.push_back({region_variables<Interface>::name(i), region_variables<Interface>::is_real(i)});
        read_ = &region_variables<Interface>::read;
        return true;
    }
    // The same for an agent that sleeps: without variables of the process, which the main thread must begin to read.
    bool prepare_sleeping() {
        regions_ = static_cast<const mpit_info_regions*>(
            calls_layer::object_in("libmpit-regions.so", "mpit_info_regions", RTLD_NOLOAD));
        dlerror(); // it belongs to the program
        return regions_ != nullptr;
    }
    // When a tool comes to a sleeping agent: whether it asks for regions.
    void ask(bool is_asked) noexcept { is_asked_ = is_asked; }
    // Behind the begin of the layer: what the regions have until now is no part of their values.
    void begin_again(const calls_layer& layer) {
        if (!is_there() || regions_->main_thread() == nullptr) return;
        sum_up(layer.cells());
        for (region& each : all_) {
            each.before = {each.visits, each.nanoseconds, each.cells};
            each.told = nullptr;
        }
    }
    // The calling thread is the main thread from now on.
    void begin() noexcept {
        if (regions_ != nullptr) regions_->begin(static_cast<int>(variables_.size()), read_);
    }
    bool is_there() const noexcept { return regions_ != nullptr && is_asked_; }
    // For the layer that counts calls.
    mpit_info_region* (*current() const noexcept)() { return is_there() ? regions_->current : nullptr; }

    // In the main thread of the program: no variable is read from now on.
    void end() noexcept {
        if (regions_ == nullptr) return;
        regions_->update();
        regions_->end();
    }

    // The region that the main thread is in, by its number in messages.
    json number() {
        const mpit_info_region_thread* const main = is_there() ? regions_->main_thread() : nullptr;
        if (main == nullptr) return nullptr;
        const mpit_info_region* const current = __atomic_load_n(&main->current, __ATOMIC_ACQUIRE);
        // In the order in which the program has entered them.
        if (numbers_.count(current) == 0)
            for (const mpit_info_region* each = &main->outside; each != nullptr;
                 each = __atomic_load_n(&each->next, __ATOMIC_ACQUIRE))
                static_cast<void>(number_of(each));
        return number_of(current);
    }
    // Those that have changed since the last message; null if none has.
    json message(double time, const calls_layer& layer) {
        json changed = json::array();
        if (!is_there() || regions_->main_thread() == nullptr) return nullptr;
        sum_up(layer.cells());
        for (std::size_t i = 0; i < all_.size(); i++) {
            agent_thread::check_time();
            json told = told_of(all_[i], layer);
            if (told == all_[i].told) continue;
            all_[i].told = told;
            told["number"] = i;
            changed.push_back(std::move(told));
        }
        return changed.empty() ? json(nullptr)
                               : json{{"message", "regions"}, {"time", time}, {"regions", std::move(changed)}};
    }

private:
    struct amount {
        std::uint64_t visits, nanoseconds;
        std::vector<unsigned long long> cells;
    };
    struct region {
        std::string name;
        int above;
        std::uint64_t visits, nanoseconds;
        double real[most_region_variables];
        std::uint64_t whole[most_region_variables];
        std::vector<unsigned long long> cells;
        json told;
        amount before; // what it had when the tool came
    };
    struct variable {
        std::string name;
        bool is_real;
    };

    int number_of(const mpit_info_region* of) {
        if (of == nullptr) return -1;
        if (const auto known = numbers_.find(of); known != numbers_.end()) return known->second;
        const int above = number_of(of->above);
        const auto [there, is_new] = by_path_.try_emplace({above, of->name}, static_cast<int>(all_.size()));
        if (is_new) all_.push_back({of->name, above, 0, 0, {}, {}, {}, nullptr, {}});
        return numbers_[of] = there->second;
    }
    void sum_up(std::size_t cells) {
        for (region& each : all_) {
            each.visits = each.nanoseconds = 0;
            std::fill(std::begin(each.real), std::end(each.real), 0);
            std::fill(std::begin(each.whole), std::end(each.whole), 0);
            each.cells.clear();
        }
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        const std::uint64_t moment =
            static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
        const mpit_info_region_thread* const main = regions_->main_thread();
        for (const mpit_info_region_thread* thread = regions_->threads(); thread != nullptr; thread = thread->next) {
            for (const mpit_info_region* each = &thread->outside; each != nullptr;
                 each = __atomic_load_n(&each->next, __ATOMIC_ACQUIRE)) {
                agent_thread::check_time();
                add(all_place(number_of(each)), *each, cells);
            }
            const mpit_info_region* const current = __atomic_load_n(&thread->current, __ATOMIC_RELAXED);
            const std::uint64_t since = __atomic_load_n(&thread->last, __ATOMIC_RELAXED);
            if ((current != &thread->outside || thread == main) && since < moment)
                all_place(number_of(current)).nanoseconds += moment - since;
        }
    }
    region& all_place(int number) { return all_[static_cast<std::size_t>(number)]; }
    void add(region& to, const mpit_info_region& from, std::size_t cells) const {
        const auto read = [](const auto& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); };
        to.visits += read(from.visits);
        to.nanoseconds += read(from.nanoseconds);
        for (std::size_t i = 0; i < variables_.size(); i++) {
            const std::uint64_t word = read(from.sums[i]);
            if (variables_[i].is_real) to.real[i] += __builtin_bit_cast(double, word);
            else to.whole[i] += word;
        }
        const std::uint64_t* const theirs = __atomic_load_n(&from.cells, __ATOMIC_ACQUIRE);
        if (theirs == nullptr) return;
        to.cells.resize(cells);
        for (std::size_t i = 0; i < cells; i++) to.cells[i] += read(theirs[i]);
    }
    json told_of(const region& of, const calls_layer& layer) const {
        json values = json::object();
        for (std::size_t i = 0; i < variables_.size(); i++) {
            if (variables_[i].is_real && of.real[i] != 0) values[variables_[i].name] = of.real[i];
            if (!variables_[i].is_real && of.whole[i] != 0) values[variables_[i].name] = of.whole[i];
        }
        if (!of.cells.empty() && layer.is_there()) {
            std::vector<unsigned long long> since = of.cells;
            for (std::size_t i = 0; i < std::min(since.size(), of.before.cells.size()); i++)
                since[i] -= of.before.cells[i];
            json calls = layer.values_of_cells(since.data());
            for (auto& [name, value] : calls.items()) values[name] = std::move(value);
        }
        return {
            {"name", of.name},
            {"above", of.above < 0 ? json(nullptr) : json(of.above)},
            {"visits", of.visits - of.before.visits},
            {"seconds", static_cast<double>(of.nanoseconds - std::min(of.nanoseconds, of.before.nanoseconds)) * 1e-9},
            {"values", std::move(values)}};
    }

    const mpit_info_regions* regions_ = nullptr;
    bool is_asked_ = false;
    int (*read_)(mpit_info_value* values) = nullptr;
    std::vector<variable> variables_;
    std::vector<region> all_;
    std::map<std::pair<int, std::string>, int> by_path_;
    std::map<const mpit_info_region*, int> numbers_;
};

} // namespace mpit_info
