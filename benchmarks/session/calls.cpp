// The instructions of one call of each kind, for calls.py: callgrind writes a part of its counts at the end of each
// kind.
//
//   valgrind --tool=callgrind ./calls-benchmark
#include "tool.hpp"

#include <mpit/mpit.hpp>

#include <valgrind/callgrind.h>

#include <string>

struct communicator {
    mpit::counter_cell sent;
};
template <> inline constexpr mpit::binding mpit::binding_of<communicator*> = mpit::binding::communicator;

namespace {

int burst = 4;
enum class protocol : int { eager, rendezvous };
constexpr auto enumeration_of(protocol) {
    return mpit::enumerators<protocol>("library_protocol",
                                       {{"eager", protocol::eager}, {"rendezvous", protocol::rendezvous}});
}

struct variables_of_the_library : mpit::category<"library_of_calls", "Variables that are called"> {
    mpit::control<int> limit{this, "LIBRARY_EAGER_LIMIT", "Largest message that is sent at once, in bytes"};
    mpit::control<int> polls{this, "LIBRARY_POLL_LIMIT", "Polls of a card before a sleep"};
    mpit::control<double> share{this, "LIBRARY_SHARE", "Share of the memory"};
    mpit::control<bool> checks{this, "LIBRARY_CHECKS", "Whether arguments are checked"};
    mpit::control<char[32]> device{this, "LIBRARY_DEVICE", "Name of the device"};
    mpit::control<int> watched{this,
                               "LIBRARY_WATCHED",
                               "With a function that is called on a write",
                               {.on_write = [](const int&) { return mpit::reply::accepted; }}};
    mpit::control_ref<int> present_burst{this, "LIBRARY_BURST", "Messages that are sent at once", {.storage = &burst}};
    mpit::counter<> messages{this, "library_messages_sent", "Messages that a send was called for"};
    mpit::aggregate<> bytes{this, "library_bytes_sent", "Bytes of the messages sent"};
    mpit::counter<unsigned long, communicator*> kept{this, "library_sent_kept", "Messages of a communicator"};
    mpit::counter<unsigned long, communicator*> located{
        this, "library_sent", "Messages of a communicator", {.locate = [](communicator* c) { return &c->sent; }}};
    mpit::timer waiting{this, "library_time_waiting", "Time spent waiting, in seconds"};
    mpit::level<> queued{this, "library_queue_length", "Messages that nobody has asked for yet"};
    mpit::high_watermark<> longest{this, "library_queue_length", "Most messages at once that nobody had asked for yet"};
    mpit::state<protocol> last{this, "library_protocol", "Protocol of the last message"};
    mpit::computed<mpit::performance_class::level, unsigned long> open{
        this, "library_open_connections", "Connections that are open", {.value = [] {
        return static_cast<unsigned long>(burst);
    }}};
};
inline constexpr auto& library = mpit::registered<variables_of_the_library>;

// As many calls of each kind; more handles of one kind would take another way.
constexpr int turns = 20;

template <class Call> void count(const char* called, Call call) {
    CALLGRIND_ZERO_STATS;
    for (int i = 0; i < turns; i++) call(i);
    CALLGRIND_DUMP_STATS_AT(called);
}

// A call, its return and one change.
[[gnu::noinline]] void count_of_kept(communicator* c) { ++library.kept[c]; }
[[gnu::noinline]] void count_of_located(communicator* c) { ++library.located[c]; }
[[gnu::noinline]] void count_in_object(communicator* c) { ++c->sent; }
communicator world, other;

void count_of_objects() {
    for (int i = 0; i < 200; i++) count_of_kept(&world), count_of_located(&world), count_in_object(&world);
    count("++x[comm]", [](int) { count_of_kept(&world); });
    count("++x[comm], the cell is in the object", [](int) { count_of_located(&world); });
    count("++comm->sent", [](int) { count_in_object(&world); });
    count("++x[comm] of two objects in turn", [](int i) { count_of_kept(i % 2 == 0 ? &world : &other); });
}

void count_look_ups() {
    int number = 0;
    count("cvar_get_index", [&](int) { check(MPI_T_cvar_get_index("LIBRARY_EAGER_LIMIT", &number)); });
    count("cvar_get_index, no such name",
          [&](int) { static_cast<void>(MPI_T_cvar_get_index("LIBRARY_EAGER_LEVEL", &number)); });
    count("pvar_get_index",
          [&](int) { check(MPI_T_pvar_get_index("library_messages_sent", MPI_T_PVAR_CLASS_COUNTER, &number)); });
    count("category_get_index", [&](int) { check(MPI_T_category_get_index("library_of_calls", &number)); });
    count("category_changed", [&](int) { check(MPI_T_category_changed(&number)); });
}

void count_controls() {
    for (const char* name : {"LIBRARY_EAGER_LIMIT", "LIBRARY_SHARE", "LIBRARY_CHECKS", "LIBRARY_DEVICE",
                             "LIBRARY_WATCHED", "LIBRARY_BURST"}) {
        const std::string suffix = std::string{" of "} + name;
        const int variable = cvar_number(name);
        MPI_T_cvar_handle handles[turns];
        int elements = 0;
        alignas(8) char value[64] = {};
        const auto allocate = [&](int i) { check(MPI_T_cvar_handle_alloc(variable, nullptr, &handles[i], &elements)); };
        const auto free = [&](int i) { check(MPI_T_cvar_handle_free(&handles[i])); };
        for (int i = 0; i < turns; i++) allocate(i); // so that there are slots
        for (int i = 0; i < turns; i++) free(i);
        count(("cvar_handle_alloc" + suffix).c_str(), allocate);
        count(("cvar_read" + suffix).c_str(), [&](int) { check(MPI_T_cvar_read(handles[0], value)); });
        count(("cvar_write" + suffix).c_str(), [&](int) { check(MPI_T_cvar_write(handles[0], value)); });
        count(("cvar_handle_free" + suffix).c_str(), free);
        const auto allocate_and_free = [&](int number) {
            check(MPI_T_cvar_handle_alloc(number, nullptr, &handles[0], &elements));
            check(MPI_T_cvar_handle_free(&handles[0]));
        };
        count(("cvar_handle_alloc and free" + suffix).c_str(), [&](int) { allocate_and_free(variable); });
        const int second = cvar_number("LIBRARY_POLL_LIMIT");
        count(("cvar_handle_alloc and free, in turn with another variable," + suffix).c_str(),
              [&](int i) { allocate_and_free(i % 2 == 0 ? second : variable); });
    }
}

void count_performance(const char* name, int var_class, bool is_changed) {
    const std::string suffix =
        std::string{" of "} + name + (var_class == MPI_T_PVAR_CLASS_HIGHWATERMARK ? ", highest" : "");
    const int variable = pvar_number(name, var_class);
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    check(MPI_T_pvar_session_create(&session));
    MPI_T_pvar_handle handles[turns];
    int elements = 0;
    alignas(8) char value[64] = {};
    const auto allocate = [&](int i) {
        check(MPI_T_pvar_handle_alloc(session, variable, nullptr, &handles[i], &elements));
    };
    const auto free = [&](int i) { check(MPI_T_pvar_handle_free(session, &handles[i])); };
    for (int i = 0; i < turns; i++) allocate(i);
    for (int i = 0; i < turns; i++) free(i);
    count(("pvar_handle_alloc" + suffix).c_str(), allocate);
    if (is_changed)
        count(("pvar_start" + suffix).c_str(), [&](int i) { check(MPI_T_pvar_start(session, handles[i])); });
    count(("pvar_read" + suffix).c_str(), [&](int) { check(MPI_T_pvar_read(session, handles[0], value)); });
    if (is_changed) {
        count(("pvar_reset" + suffix).c_str(), [&](int) { check(MPI_T_pvar_reset(session, handles[0])); });
        count(("pvar_readreset" + suffix).c_str(),
              [&](int) { static_cast<void>(MPI_T_pvar_readreset(session, handles[0], value)); });
        count(("pvar_stop" + suffix).c_str(), [&](int i) { check(MPI_T_pvar_stop(session, handles[i])); });
    }
    count(("pvar_handle_free" + suffix).c_str(), free);
    const auto allocate_and_free = [&](int number) {
        check(MPI_T_pvar_handle_alloc(session, number, nullptr, &handles[0], &elements));
        check(MPI_T_pvar_handle_free(session, &handles[0]));
    };
    count(("pvar_handle_alloc and free" + suffix).c_str(), [&](int) { allocate_and_free(variable); });
    const int second = pvar_number("library_bytes_sent", MPI_T_PVAR_CLASS_AGGREGATE);
    count(("pvar_handle_alloc and free, in turn with another variable," + suffix).c_str(),
          [&](int i) { allocate_and_free(i % 2 == 0 ? second : variable); });
    check(MPI_T_pvar_session_free(&session));
}

void count_sessions() {
    MPI_T_pvar_session sessions[turns];
    const auto create = [&](int i) { check(MPI_T_pvar_session_create(&sessions[i])); };
    const auto free = [&](int i) { check(MPI_T_pvar_session_free(&sessions[i])); };
    for (int i = 0; i < turns; i++) create(i);
    for (int i = 0; i < turns; i++) free(i);
    count("pvar_session_create", create);
    count("pvar_session_free", free);
    count("pvar_session_create and free", [&](int) { create(0), free(0); });
}

} // namespace

int main() {
    ++library.messages; // a thread that counts has a shard
    initialize_tool();
    for (communicator* each : {&world, &other}) mpit::created(library, each);
    for (int i = 0; i < 2; i++) { // the first time the linker finds the functions
        count("nothing", [](int) { __asm__ volatile("" ::: "memory"); });
        count_of_objects();
        count_look_ups();
        count_controls();
        count_performance("library_messages_sent", MPI_T_PVAR_CLASS_COUNTER, true);
        count_performance("library_time_waiting", MPI_T_PVAR_CLASS_TIMER, true);
        count_performance("library_queue_length", MPI_T_PVAR_CLASS_LEVEL, true);
        count_performance("library_queue_length", MPI_T_PVAR_CLASS_HIGHWATERMARK, true);
        count_performance("library_protocol", MPI_T_PVAR_CLASS_STATE, false);
        count_performance("library_open_connections", MPI_T_PVAR_CLASS_LEVEL, true);
        count_sessions();
    }
}
