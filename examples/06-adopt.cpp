// Lesson 6: adopt what is already there, one variable at a time.
//
// An existing library has globals for its settings and its own places where it counts. Nothing of that has to move: a
// control_ref refers to a global, a computed variable calls a function, and if the old code is changed anyway a counter
// replaces an int. In the old library one line changes; it is marked.

#include <mpit/mpit.hpp>

#include <mpit/mpi_t.hpp>

#include <cstdio>
#include <vector>

namespace old {

int retry_limit = 3;
double backoff_seconds = 0.25;
bool settings_have_changed = false;
std::vector<int> connections;

} // namespace old

struct network_variables : mpit::category<"network", "A library that was there before"> {
    // Step 1: the settings. The library still reads its own globals.
    mpit::control_ref<int> retry_limit{this,
                                       "NETWORK_RETRY_LIMIT",
                                       "Attempts before a connection is given up",
                                       {.storage = &old::retry_limit, .range = {1, 100}, .on_write = [](const int&) {
        old::settings_have_changed = true; // as its own code does
        return mpit::reply::accepted;
    }}};
    mpit::control_ref<double> backoff{this,
                                      "NETWORK_BACKOFF",
                                      "Seconds between two attempts",
                                      {.storage = &old::backoff_seconds, .range = {0.001, 60}}};

    // Step 2: what the library knows already.
    mpit::computed<mpit::performance_class::level, unsigned long> open{
        this, "open_connections", "Connections that are open", {.value = [] { return old::connections.size(); }}};
    mpit::computed<mpit::performance_class::generic, char[32]> summary{
        this, "network_summary", "The state of the network, in words", {.value = [](char (&to)[32]) {
        std::snprintf(to, sizeof to, "%zu open, up to %d retries", old::connections.size(), old::retry_limit);
    }}};

    // Step 3: what is worth a line in the old code. It loses nothing to other threads, and costs no more than an int.
    mpit::counter<> failures{this, "connection_failures", "Attempts that failed"};
};
inline constexpr auto& network = mpit::registered<network_variables>;

namespace old {

void connect(int peer) {
    for (int attempt = 1; attempt <= retry_limit; attempt++) {
        if (attempt * 2 > peer) { // nearer peers answer sooner
            connections.push_back(peer);
            return;
        }
        ++network.failures; // the changed line; it was: failures++
    }
}

} // namespace old

// A tool, which cannot distinguish an adopted variable from any other.
static MPI_T_pvar_session session;

template <class T> static T value_of(const char* name, int var_class) {
    T value{};
    int index = 0, count = 0;
    MPI_T_pvar_handle handle;
    MPI_T_pvar_get_index(name, var_class, &index);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count);
    MPI_T_pvar_read(session, handle, &value);
    MPI_T_pvar_handle_free(session, &handle);
    return value;
}

static void set(const char* name, int value) {
    int index = 0, count = 0;
    MPI_T_cvar_handle handle;
    MPI_T_cvar_get_index(name, &index);
    MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count);
    const int answer = MPI_T_cvar_write(handle, &value);
    std::printf("%s = %d: %s, and the library's own global is %d\n", name, value,
                answer == MPI_SUCCESS ? "accepted" : "refused", old::retry_limit);
    MPI_T_cvar_handle_free(&handle);
}

static void connect_all() {
    old::connections.clear();
    for (int peer = 1; peer <= 12; peer++) old::connect(peer);
    struct text {
        char words[32];
    };
    std::printf("  open %lu   failed attempts so far %llu   (%s)\n",
                value_of<unsigned long>("open_connections", MPI_T_PVAR_CLASS_LEVEL),
                static_cast<unsigned long long>(network.failures.get()),
                value_of<text>("network_summary", MPI_T_PVAR_CLASS_GENERIC).words);
}

int main() {
    int provided = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    connect_all();
    set("NETWORK_RETRY_LIMIT", 6);
    connect_all();
    set("NETWORK_RETRY_LIMIT", 1000);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}
