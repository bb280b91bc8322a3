// What mpit-info has in a process, over either of the reader's interfaces: a snapshot when the program has begun, or when it
// ends, and samples between the two.
//
//   extern "C" int mpit_info_begin(const char* moment) { return mpit_info::agent<over_mpi>::begin(moment, whereabouts); }
#pragma once

#include "sampler.hpp"

#include <fstream>
#include <utility>

namespace mpit_info {

// What an MPI says of itself and of this process; without one there is nothing to say.
struct whereabouts {
    json mpi_version = nullptr;
    json library = nullptr;
    int rank = -1;
    int processes = 1;
    const char* interface = "index";
};

template <class Interface> class agent {
public:
    // 1 where the program shall end here. Whatever goes wrong, the program does not hear of it.
    static int begin(const char* moment, whereabouts here) noexcept {
        try {
            present_ = new agent{std::move(here)}; // it works until the very end
            return present_->begin_at(moment) ? 1 : 0;
        } catch (...) { return 0; }
    }
    static void end(const char* moment) noexcept {
        try {
            if (present_ != nullptr) present_->end_at(moment);
        } catch (...) {}
        present_ = nullptr;
    }
    // The same without a snapshot: nothing is read any more.
    static void leave() noexcept {
        try {
            if (present_ != nullptr && present_->to_ && present_->to_->is_open() && present_->sampler_)
                present_->sampler_->finish();
        } catch (...) {}
        present_ = nullptr;
    }

private:
    explicit agent(whereabouts here) : here_{std::move(here)}, request_(read_request()) {}

    static json read_request() {
        const char* text = std::getenv("MPIT_INFO_REQUEST");
        json request = json::parse(text == nullptr ? "" : text, nullptr, false);
        return request.is_object() ? request : json::object();
    }
    bool is_watching() const { return request_.value("want", "snapshot") == "watch"; }

    bool is_last_at_begin() const { return !is_watching() && request_.value("at", "init") == "init"; }

    bool begin_at(const char* moment) {
        // A shell on the way to the program has nothing to show.
        snapshot_.emplace();
        if (snapshot_->is_empty()) return false;
        to_.emplace();
        if (!to_->is_open()) return false;
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        to_->send({{"message", "hello"},
                   {"rank", here_.rank},
                   {"processes", here_.processes},
                   {"host", host},
                   {"pid", getpid()},
                   {"began", stopwatch::now(CLOCK_REALTIME)}});
        snapshot_->start();
        if (is_watching() || is_last_at_begin()) send_snapshot(moment);
        if (is_watching())
            sampler_.emplace(
                *to_,
                choice{request_.value("rate", 10.0), request_.value("variables", std::vector<std::string>{}),
                       request_.value("events", std::vector<std::string>{})},
                watch_);
        return is_last_at_begin();
    }
    void end_at(const char* moment) {
        if (!to_ || !to_->is_open() || is_last_at_begin())
            return; // or it has been forked, and the thread is its parent's
        if (sampler_) sampler_->finish();
        send_snapshot(moment);
    }

    void send_snapshot(const char* moment) {
        json document = {{"format", "mpit-info 1"},
                         {"taken", moment},
                         {"program", command()},
                         {"mpi",
                          {{"version", here_.mpi_version},
                           {"library", here_.library},
                           {"rank", here_.rank},
                           {"processes", here_.processes},
                           {"interface", here_.interface}}}};
        document.update(snapshot_->document());
        to_->send({{"message", "snapshot"}, {"document", std::move(document)}});
    }
    static json command() {
        std::ifstream file{"/proc/self/cmdline", std::ios::binary};
        json all = json::array();
        for (std::string word; std::getline(file, word, '\0');) all.push_back(word);
        return all;
    }

    static inline agent* present_ = nullptr;
    static inline agent* latest_ = nullptr; // those that have ended stay reachable: what looks for lost memory finds none
    agent* const former_ = std::exchange(latest_, this);
    whereabouts here_;
    json request_;
    stopwatch watch_;
    std::optional<channel> to_;
    std::optional<snapshot<Interface>> snapshot_;
    std::optional<sampler<Interface>> sampler_;
};

} // namespace mpit_info
