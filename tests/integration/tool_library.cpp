// A tool that is a library: it has the standard functions under names of its own, and listens to events and watches
// levels of the program that loads it.
#define MPIT_C_PREFIX TOOL_T_
#include <mpit/mpi_t.hpp>

#include <atomic>
#include <initializer_list>

namespace {

std::atomic<int>* calls = nullptr;
std::atomic<int>* stays = nullptr; // a callback stays while this is not 0
MPI_T_event_registration registered[4];
MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
MPI_T_pvar_handle mark = MPI_T_PVAR_HANDLE_NULL;

void hear(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    calls->fetch_add(1);
    while (stays->load() != 0) sched_yield();
}
void lose(MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void*) { calls->fetch_add(1000); }

} // namespace

// Answers how many functions have failed.
extern "C" [[gnu::visibility("default")]] int tool_begin(std::atomic<int>* counted, std::atomic<int>* staying) {
    calls = counted;
    stays = staying;
    int provided = 0, index = -1, count = -1,
        failures = TOOL_T_init_thread(MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS;
    int next = 0;
    for (const char* event : {"e_plain", "e_ordered", "e_plain", "e_clockless"}) {
        MPI_T_event_registration& handle = registered[next++];
        failures += TOOL_T_event_get_index(event, &index) != MPI_SUCCESS;
        failures += TOOL_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &handle) != MPI_SUCCESS;
        failures +=
            TOOL_T_event_register_callback(handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &hear) != MPI_SUCCESS;
        failures += TOOL_T_event_set_dropped_handler(handle, &lose) != MPI_SUCCESS;
    }
    failures += TOOL_T_pvar_session_create(&session) != MPI_SUCCESS;
    failures += TOOL_T_pvar_get_index("p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK, &index) != MPI_SUCCESS;
    failures += TOOL_T_pvar_handle_alloc(session, index, nullptr, &mark, &count) != MPI_SUCCESS;
    return failures + (TOOL_T_pvar_start(session, mark) != MPI_SUCCESS);
}
// Ends one of the registrations, in which a callback may be.
extern "C" [[gnu::visibility("default")]] int tool_end() {
    return TOOL_T_event_handle_free(registered[3], nullptr, nullptr) != MPI_SUCCESS;
}
