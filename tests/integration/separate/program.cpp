// A tool in the process of the library: it listens, counts and writes, and says what is not as in any other library.
#include <mpit/mpi_t.h>

#include <cstdio>
#include <cstring>
#include <pthread.h>

int begin_library();
void send(int source);
void send_later(int source);
void make_progress();
const char* last_report();

namespace {

int wrong = 0, heard = 0, sum = 0;
void expect(bool holds, const char* what) {
    if (!holds) wrong++, std::printf("not so: %s\n", what);
}
void listen(MPI_T_event_instance event, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    int source = 0;
    MPI_T_event_read(event, 0, &source);
    heard++, sum += source;
}
void* count(void*) { return send(0), nullptr; }

} // namespace

int main() {
    // 64 KiB, 7 and 9 from the environment, and the three others.
    expect(begin_library() == 100000 + 65536 + 7 + 9 + 60,
           "each value of the environment is there before a tool comes");
    int level = 0, index = 0, elements = 0, calls_of_handle = 0;
    expect(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &level) == MPI_SUCCESS, "the interface begins");
    pthread_t thread;
    pthread_create(&thread, nullptr, &count, nullptr); // a thread that counts for the first time
    pthread_join(thread, nullptr);

    MPI_T_event_registration registration;
    expect(MPI_T_event_get_index("separate_arrived", &index) == MPI_SUCCESS, "the event is found");
    MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &registration);
    MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &listen);
    for (int source = 1; source <= 3; source++) send(source);
    send_later(10);
    expect(heard == 3 && sum == 6, "an event is delivered at once");
    make_progress();
    expect(heard == 4 && sum == 16, "a deferred event is delivered where progress is made");

    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    unsigned long long calls = 0;
    expect(MPI_T_pvar_get_index("separate_calls", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS,
           "the counter is found");
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &calls_of_handle);
    MPI_T_pvar_start(session, handle);
    send(4);
    expect(MPI_T_pvar_read(session, handle, &calls) == MPI_SUCCESS && calls == 1, "the counter counts for a handle");

    MPI_T_cvar_handle variable;
    char device[16] = "";
    expect(MPI_T_cvar_get_index("SEPARATE_DEVICE", &index) == MPI_SUCCESS, "the text is found");
    MPI_T_cvar_handle_alloc(index, nullptr, &variable, &elements);
    MPI_T_cvar_write(variable, "card1");
    expect(MPI_T_cvar_read(variable, device) == MPI_SUCCESS && std::strcmp(device, "card1") == 0,
           "a text is written and read");
    expect(std::strstr(last_report(), "SEPARATE_LIMIT") != nullptr,
           "a value that is none is reported to the library's handler");
    MPI_T_finalize();
    return wrong;
}
