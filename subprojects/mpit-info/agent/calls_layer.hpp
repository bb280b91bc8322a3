// The layer that counts calls (calls.h), as an agent uses it: loads it, and joins its variables to those of the MPI.
// Its functions are called in the thread that starts and ends the MPI, and in the agent's thread.
//
//   if (calls_layer layer; layer.begin("mpich", find, wanted)) … layer.add_values(values);
#pragma once

#include "calls.h"
#include "channel.hpp"

#include <atomic>
#include <dlfcn.h>
#include <fnmatch.h>
#include <mpit/tool/info.hpp>

namespace mpit_info {

// Whether a name matches one of the patterns.
inline bool is_chosen(const std::vector<std::string>& patterns, const std::string& name) {
    for (const std::string& each : patterns)
        if (fnmatch(each.c_str(), name.c_str(), FNM_CASEFOLD) == 0) return true;
    return false;
}

// The request of the tool to the layer.
struct wanted_calls {
    bool counts_calls = false, is_split = false, has_network = false;
    int peers = 0;
    int rank = -1, processes = 1;
    bool has_world = false;
    std::vector<std::string> variables; // patterns; none: all
    mpit_info_region* (*region)() = nullptr;
    const char* launch = ""; // see launch.hpp
    bool has_distributions = false;
};

class calls_layer {
public:
    // `interface` is that of the MPI: "mpich". Returns false if there is no layer for it, or nothing was wanted.
    bool begin(const char* interface, any_function (*find)(const char*), wanted_calls wanted) {
        layer_ = nullptr;
        if (interface == nullptr || (!wanted.counts_calls && !wanted.has_network)) return false;
        chosen_ = std::move(wanted.variables);
        const void* const passing = object_in("libmpit-calls.so", "mpit_info_passing", RTLD_NOLOAD);
        const void* const layer = object_in(std::string{"mpit-info-calls-"} + interface + ".so", "mpit_info_layer", 0);
        dlerror(); // it belongs to the program
        if (layer == nullptr || (passing == nullptr && wanted.counts_calls)) return false;
        const char* const root = std::getenv("MPIT_INFO_SYS"); // for tests
        const mpit_info_layer_start how{
            static_cast<const mpit_info_passing*>(passing),
            find,
            wanted.is_split,
            wanted.peers,
            wanted.counts_calls,
            wanted.has_network ? (root != nullptr ? root : "/sys") : nullptr,
            [](const char* name) -> int { return chosen_.empty() || is_chosen(chosen_, name); },
            wanted.region,
            wanted.rank,
            wanted.processes,
            wanted.has_world,
            std::getenv("MPIT_INFO_CALLS"),
            wanted.launch,
            wanted.has_distributions};
        if (static_cast<const mpit_info_layer*>(layer)->begin(&how) == 0) return false;
        layer_ = static_cast<const mpit_info_layer*>(layer);
        loaded_.store(layer_);
        return true;
    }
    bool is_there() const noexcept { return layer_ != nullptr; }
    // The columns of all its samples from now on; null if they have not changed.
    json new_columns() {
        const char* const text = layer_ != nullptr ? layer_->columns() : nullptr;
        return text != nullptr ? json::parse(text, nullptr, false) : json(nullptr);
    }
    void add_values(json& to) {
        if (layer_ == nullptr) return;
        std::size_t count = layer_->values(room_.data(), room_.size());
        if (count > room_.size()) {
            room_.resize(count);
            count = layer_->values(room_.data(), room_.size());
        }
        for (std::size_t i = 0; i < count; i++)
            to.push_back(room_[i].is_real != 0 ? json(room_[i].real)
                                               : json(static_cast<std::uint64_t>(room_[i].whole)));
    }
    // A message with the distributions that have changed; null if none has.
    json distributions(double time) const {
        const char* const text = layer_ != nullptr ? layer_->distributions() : nullptr;
        if (text == nullptr) return nullptr;
        json message{{"message", "distributions"}, {"time", time}};
        message.update(json::parse(text, nullptr, false));
        return message;
    }
    // A message about a process in which no call begins or ends; null if there is nothing new.
    json quiet_calls(double time) const {
        const char* const text = layer_ != nullptr ? layer_->quiet_calls() : nullptr;
        if (text == nullptr) return nullptr;
        return {{"message", "calls"}, {"time", time}, {"log", *text != '\0' ? json(text) : json(nullptr)}};
    }
    // The answer to a request that holds this rank before a collective operation of MPI_COMM_WORLD, or lets it go on.
    json hold(unsigned operation, unsigned milliseconds, bool with_new) const {
        const mpit_info_layer* const loaded = loaded_.load();
        if (loaded == nullptr) return {{"error", "MPI_T_ERR_NOT_SUPPORTED"}, {"problem", "its calls are not counted"}};
        unsigned begun = 0;
        const bool is_held = loaded->hold(operation, milliseconds, with_new, &begun) != 0;
        return {{"begun", begun}, {"held", is_held}};
    }
    void set_phase(int phase) noexcept {
        if (const mpit_info_layer* const loaded = loaded_.load()) loaded->set_phase(phase);
    }
    // How many cells it has in a region; 0 if calls are not counted.
    std::size_t cells() const noexcept { return layer_ != nullptr ? layer_->cells : 0; }
    // Their values by the names of the variables.
    json values_of_cells(const unsigned long long* cells) const {
        return json::parse(layer_->values_of_cells(cells), nullptr, false);
    }
    // Adds its own to a list of a document of the MPI, with numbers from `next` on.
    void add_to(mpit::tool::kind of, json_writer& list, int next) {
        if (layer_ == nullptr) return;
        if (of == mpit::tool::kind::performance) list.add_elements(layer_->variables(first_variable_ = next));
        if (of == mpit::tool::kind::category) list.add_elements(layer_->categories(next, first_variable_));
    }
    // Any thread: from now on no call is counted. The values stay, since a thread that was abandoned may read them. It
    // may begin again.
    void end() noexcept {
        if (const mpit_info_layer* const loaded = loaded_.load()) loaded->end();
    }
    void leave_to_parent() noexcept {
        if (const mpit_info_layer* const loaded = loaded_.load()) loaded->leave_to_parent();
    }

    // A library of the agents stays loaded: a thread of the program may be in it.
    static const void* object_in(const std::string& library, const char* name, int flags) {
        const char* const folder = std::getenv("MPIT_INFO_AGENTS");
        if (folder == nullptr) return nullptr;
        void* const loaded = dlopen((std::string{folder} + '/' + library).c_str(), RTLD_LAZY | RTLD_LOCAL | flags);
        return loaded != nullptr ? dlsym(loaded, name) : nullptr;
    }

private:
    const mpit_info_layer* layer_ = nullptr;
    std::atomic<const mpit_info_layer*> loaded_{nullptr};
    std::vector<mpit_info_value> room_;
    int first_variable_ = 0; // its number in the document that is being written
    static inline std::vector<std::string>& chosen_ =
        *new std::vector<std::string>; // outlives the end of the process, as its readers do
};

} // namespace mpit_info
