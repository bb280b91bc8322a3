// The part of mpit-info in a process, over either of the reader's interfaces: a snapshot at the start or end of the
// program, and samples in between. A program without an MPI may have its first variables at any time: a thread waits
// for them.
//
//   extern "C" int mpit_info_begin(const char* moment) { return mpit_info::agent<over_mpi>::begin(moment, whereabouts); }
#pragma once

#include "launch.hpp"
#include "resident.hpp"
#include "sampler.hpp"
#include "settings_by_name.hpp"

#include <sys/syscall.h>
#include <utility>

namespace mpit_info {

// The description of the MPI and of this process; empty without an MPI.
struct whereabouts {
    json mpi_version = nullptr;
    json library = nullptr;
    int rank = -1;
    int processes = 1;
    const char* interface = "index";
    const char* calls = nullptr; // the layer that counts the calls of this MPI
    any_function (*find)(const char* name) = nullptr;
    std::vector<known_object> objects{};
};

// Guards a thread of the program that runs agent code: disables its cancellation and restores its errno.
class program_thread {
public:
    program_thread() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~program_thread() {
        pthread_setcancelstate(before_, nullptr);
        errno = kept_;
    }
    program_thread(const program_thread&) = delete;

private:
    const int kept_ = errno;
    int before_ = PTHREAD_CANCEL_ENABLE;
};

template <class Interface> class agent {
public:
    // Returns 1 if the program shall end here, and 2 if the agent of an MPI that is started later takes the place of
    // this one. Failures are not reported to the program.
    static int begin(const char* moment, whereabouts here) noexcept {
        const program_thread as_before;
        try {
            agent* const made = new agent{std::move(here)}; // it works until the end of the process
            if (!made->in_time(moment, &agent::begin_at)) return 0;
            present_ = made;
            if (made->waiting_ || std::strcmp(moment, while_it_runs) == 0) return 2;
            return made->is_last_at_begin() && made->is_told_ ? 1 : 0;
        } catch (...) { return 0; }
    }
    // Returns false if its thread does not end: from then on nothing that this may use can be freed.
    static bool end(const char* moment) noexcept {
        const program_thread as_before;
        agent* const present = std::exchange(present_, nullptr);
        bool is_done = true;
        try {
            if (present != nullptr && std::strcmp(moment, "at MPI_Finalize") == 0)
                present->layer_.set_phase(phase_in_finalize);
            if (present != nullptr) is_done = present->in_time(moment, &agent::end_at);
        } catch (...) {}
        return present == nullptr || (is_done && present->has_ended_.load());
    }
    // The same without a snapshot: reads nothing.
    static void leave(const char* moment) noexcept {
        const program_thread as_before;
        agent* const present = std::exchange(present_, nullptr);
        if (present != nullptr && std::strcmp(moment, "at MPI_Abort") == 0) present->layer_.set_phase(phase_in_abort);
        if (present != nullptr && present->end_thread() && present->waiting_) present->to_.reset();
    }

private:
    explicit agent(whereabouts here) : here_{std::move(here)}, request_(read_request()) {}

    static json read_request() {
        const char* text = std::getenv("MPIT_INFO_REQUEST");
        json request = json::parse(text == nullptr ? "" : text, nullptr, false);
        return request.is_object() ? request : json::object();
    }
    bool is_watching() const { return asked<std::string>(request_, "want", "snapshot") == "watch"; }

    // Only a request with this property ends the program.
    bool is_last_at_begin() const {
        return asked<std::string>(request_, "want") == "snapshot" && asked<std::string>(request_, "at") == "init";
    }

    // At exit, a thread of its own reads the variables of the index: a function of the program that computes a value
    // may wait for a lock that the exiting thread holds. The program ends without the values after
    // agent_thread::most_seconds_to_end. An MPI is called in the thread that ends it. Returns false if the work is not
    // finished; its thread continues.
    bool in_time(const char* moment, void (agent::*work)(const char*)) {
        const bool is_at_exit = std::strcmp(moment, "at exit") == 0 && std::strcmp(here_.interface, "index") == 0;
        struct ending {
            agent& self;
            const char* moment;
            void (agent::*work)(const char*);
            agent_thread thread;
            const void* former;
            void run() { (self.*work)(moment); }
        };
        // Never freed, since the thread may still use it.
        ending* const made = is_at_exit ? new ending{*this, moment, work, {}, latest_ending_} : nullptr;
        if (made != nullptr) latest_ending_ = made;
        if (made != nullptr && made->thread.begin(*made, &ending::run)) return made->thread.finish();
        (this->*work)(moment);
        return true;
    }

    void begin_at(const char* moment) {
        if (is_to_sleep()) return begin_resident();
        const bool is_while_it_runs = std::strcmp(moment, while_it_runs) == 0;
        if (is_while_it_runs || !open_interface()) {
            if (is_of_index<Interface> && std::strcmp(moment, "at exit") != 0) wait();
            return;
        }
        if (!say_hello()) return;
        // At the end there is nothing left to count.
        if (std::strcmp(moment, "at exit") != 0) start_variables();
        if (is_watching() && asked<bool>(request_, "regions"))
            regions_.prepare<Interface>(asked<std::vector<std::string>>(request_, "variables"));
        begin_layer();
        if (is_watching() || is_last_at_begin()) send_snapshot(*to_, moment);
        if (is_watching()) sampler_.emplace(*to_, wanted(), watch_, layer_, regions_, describing(*to_)).begin();
        regions_.begin();
        is_told_ = true;
    }
    // For the first variables. The thread that does it takes the samples then, and opens no file.
    void wait() {
        if (!is_watching()) return;
        to_.emplace();
        if (asked<bool>(request_, "regions") && syscall(SYS_gettid) == getpid() && regions_.prepare_sleeping()) {
            regions_.ask(true);
            regions_.begin();
        }
        waiting_.emplace();
        if (!waiting_->begin(*this, &agent::watch_when_there)) waiting_.reset();
    }
    void watch_when_there() {
        do
            if (!waiting_->sleep(between_looks)) return;
        while (!index_.open() || !open_interface());
        watch_ = {}; // times begin when the tool is told of this process
        if (!say_hello()) return;
        start_variables();
        send_snapshot(*to_, while_it_runs);
        sampler_.emplace(*to_, wanted(), watch_, layer_, regions_, describing(*to_));
        is_told_ = true;
        sampler_->run_in(*waiting_);
    }
    choice wanted() const {
        return {asked<double>(request_, "rate", 10), asked<std::vector<std::string>>(request_, "variables"),
                asked<std::vector<std::string>>(request_, "events"), asked<bool>(request_, "split"), here_.objects};
    }
    // Returns false also with MPIT_AGENT=resident if a tool has set the socket for the messages of a run.
    static bool is_to_sleep() {
        const char* const how = std::getenv("MPIT_AGENT");
        return how != nullptr && std::strcmp(how, "resident") == 0 && std::getenv("MPIT_INFO_SOCKET") == nullptr;
    }
    void begin_resident() {
        watch_forks();
        if (regions_.prepare_sleeping()) regions_.begin();
        if (is_logged()) begin_layer(true);
        resident_.emplace(*this, &agent::serve);
        if (!resident_->begin()) resident_.reset();
    }
    // In the thread of the resident: answers one request.
    void serve(channel& to, const json& request) {
        const std::string want = asked<std::string>(request, "want");
        json values = json::array();
        if (want == "watch") return serve_watch(to, request);
        if (want == "hold")
            values.push_back(layer_.hold(asked<unsigned>(request, "operation"),
                                         asked<unsigned>(request, "milliseconds"), asked<bool>(request, "new")));
        find_index();
        if (want == "get" || want == "set") {
            const inside_gate reading;
            settings_by_name<Interface> settings;
            if (want == "get") values = settings.get(asked<std::vector<std::string>>(request, "names"));
            if (want == "set")
                values.push_back(
                    settings.set(asked<std::string>(request, "name"), asked<std::string>(request, "value")));
        }
        to.send({{"message", "values"}, {"rank", here_.rank}, {"pid", getpid()}, {"values", std::move(values)}});
    }
    void serve_watch(channel& to, const json& request) {
        request_ = request;
        watch_ = {}; // times begin when the tool attaches
        say_hello(to);
        if (!snapshot_ && open_interface()) start_variables();
        regions_.ask(asked<bool>(request_, "regions"));
        begin_layer();
        regions_.begin_again(layer_);
        send_snapshot(to, while_it_runs);
        using sampling = sampler<Interface>;
        auto* const sampler = new sampling{to, wanted(), watch_, layer_, regions_, describing(to)};
        sampler->begin();
        const bool is_left = resident_->sleep_until_left(to, 2);
        // Its thread uses the connection and the layer, of which the next tool needs its own. The end of the program
        // waits for neither.
        while (!sampler->finish()) {}
        if (!is_left) {
            sampler->say_if_cut();
            send_snapshot(to, moment_of_end_);
        }
        if (!is_logged()) layer_.end();
        const inside_gate reading;
        delete sampler;
    }
    // Whether a resident notes its calls from the start, for `mpit-info stuck` and `postmortem`.
    static bool is_logged() noexcept { return std::getenv("MPIT_INFO_CALLS") != nullptr; }
    // "auto" counts calls if the MPI itself has hardly anything to watch.
    void begin_layer(bool is_for_log = false) {
        if (is_last_at_begin()) return;
        const std::string calls = asked<std::string>(request_, "calls", "no");
        wanted_calls wanted;
        wanted.counts_calls = is_for_log || calls == "yes" || calls == "distributions" ||
                              (calls == "auto" && is_watching() && count_watched() < enough_variables);
        wanted.is_split = asked<bool>(request_, "split");
        // Processes of sessions have no MPI_COMM_WORLD. A resident calls no functions of groups in its thread.
        wanted.peers = asked<bool>(request_, "peers") && !here_.objects.empty() && !resident_ ? here_.processes : 0;
        wanted.rank = here_.rank;
        wanted.processes = here_.processes;
        wanted.has_world = !here_.objects.empty() && !resident_;
        wanted.has_network = asked<bool>(request_, "network");
        wanted.variables = asked<std::vector<std::string>>(request_, "variables");
        wanted.region = regions_.current();
        wanted.launch = launch_.c_str();
        wanted.has_distributions = calls == "distributions";
        layer_.begin(here_.calls, here_.find, std::move(wanted));
    }
    int count_watched() {
        const inside_gate reading;
        return snapshot_->count_watched();
    }
    // Returns false if the tool cannot be reached.
    bool say_hello() {
        if (!to_ || !to_->is_open()) to_.emplace(); // the program may have closed it
        if (!to_->connect()) return false;
        say_hello(*to_);
        return true;
    }
    void say_hello(channel& to) {
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        to.send({{"message", "hello"},
                 {"rank", here_.rank},
                 {"processes", here_.processes},
                 {"host", host},
                 {"pid", getpid()},
                 {"launch", launch_.empty() ? json(nullptr) : json(launch_)},
                 {"settings", before_.settings()},
                 {"began", seconds_of(CLOCK_REALTIME)}});
    }
    // Returns false for a program without variables, such as a shell that starts another one. May be called again.
    bool open_interface() {
        if (!snapshot_) watch_forks();
        else find_index();
        const inside_gate reading;
        if (snapshot_) publish_declared<Interface>();
        if (!snapshot_ || !snapshot_->is_open()) snapshot_.emplace(before_);
        return !snapshot_->is_empty();
    }
    // Beside an MPI the index may come at any time. Outside the gate.
    void find_index() noexcept {
        if (is_beside_index<Interface>) static_cast<void>(index_.open());
    }
    // Outside the gate, as the registration of the gate itself.
    static void watch_forks() {
        the_fork_gate.begin([] {
            if (agent* const parents = std::exchange(present_, nullptr)) parents->leave_to_parent();
        });
        const auto find = [] {
            const inside_gate reading;
            return mpit::registry::the_registry();
        };
        if (mpit::registry::process_registry* index = find()) mpit::registry::become_registrar(*index);
    }
    void leave_to_parent() noexcept {
        if (to_) to_->leave_to_parent();
        if (waiting_) waiting_->leave_to_parent();
        if (sampler_) sampler_->leave_to_parent();
        if (resident_) resident_->leave_to_parent();
        layer_.leave_to_parent();
    }
    void start_variables() {
        const inside_gate reading;
        snapshot_->start();
    }
    // Returns false in a process that was forked from the agent's.
    bool is_here() const noexcept { return generation() == generation_ && to_ && to_->is_open(); }
    // A program that had no variables at its start may have described some since.
    bool begin_late() { return snapshot_ && open_interface() && say_hello(); }
    // Returns false if the thread does not end: it continues with what it has, and stops where it calls check_time(). A
    // forked child has no thread.
    bool end_thread() noexcept {
        if (generation() != generation_) return true;
        regions_.end();
        has_ended_.store((!waiting_ || waiting_->finish()) && (!sampler_ || sampler_->finish()) &&
                         (!resident_ || resident_->finish()));
        layer_.end();
        return has_ended_.load();
    }
    void end_at(const char* moment) {
        moment_of_end_ = moment;
        if (generation() != generation_ || !end_thread() || resident_ || is_last_at_begin()) return;
        if (!(is_told_ ? is_here() : (!to_ || waiting_) && begin_late())) return;
        if (sampler_) sampler_->say_if_cut();
        if (is_beside_index<Interface>) open_interface();
        send_snapshot(*to_, moment);
    }

    // In the thread of the sampler: a snapshot of the variables that are there now. The whole of an MPI would take it
    // too long.
    std::function<void()> describing(channel& to) {
        if constexpr (is_of_index<Interface>)
            return [this, &to] {
                std::optional<snapshot<Interface>> all;
                {
                    const inside_gate reading;
                    all.emplace(before_);
                }
                send_snapshot(to, while_it_runs, *all);
                const inside_gate reading;
                all.reset();
            };
        return [] {};
    }
    void send_snapshot(channel& to, const char* moment) { send_snapshot(to, moment, *snapshot_); }
    void send_snapshot(channel& to, const char* moment, snapshot<Interface>& of) {
        std::string line;
        json_writer message{line, '{'};
        message.add("message", "snapshot");
        json_writer document{message.next("document"), '{'};
        document.add("format", "mpit-info 1");
        document.add("taken", moment);
        append_text(document.next("program"), command_);
        append_text(document.next("mpi"), json{{"version", here_.mpi_version},
                                               {"library", here_.library},
                                               {"rank", here_.rank},
                                               {"processes", here_.processes},
                                               {"interface", here_.interface}});
        {
            const inside_gate reading;
            of.write(document, std::strcmp(moment, while_it_runs) == 0 ? "at this moment" : "at the end",
                     [this](kind of_list, json_writer& list, int next) { layer_.add_to(of_list, list, next); });
        }
        document.end();
        message.end();
        to.send_line(std::move(line));
    }
    static constexpr int enough_variables = 5;
    static constexpr double between_looks = 0.02;
    static constexpr const char* while_it_runs = "while it runs";
    static inline agent* present_ = nullptr;
    static inline agent* latest_ = nullptr; // ended ones remain reachable, so that leak checkers report none
    static inline const void* latest_ending_ = nullptr;
    agent* const former_ = std::exchange(latest_, this);
    whereabouts here_;
    json request_;
    const json command_ = words_of_file("/proc/self/cmdline"); // read once, at the beginning, as the next two
    const std::string launch_ = launch_of_process(here_.rank >= 0);
    const environment_names before_;
    const int generation_ = generation();
    bool is_told_ = false;
    std::atomic<bool> has_ended_{true};     // false if a thread was abandoned
    const char* moment_of_end_ = "at exit"; // of a resident
    stopwatch watch_;
    calls_layer layer_;
    regions_of_process regions_;
    std::optional<channel> to_;
    std::optional<snapshot<Interface>> snapshot_;
    index_search index_;
    std::optional<agent_thread> waiting_;
    std::optional<sampler<Interface>> sampler_;
    std::optional<resident<agent>> resident_;
};

} // namespace mpit_info
