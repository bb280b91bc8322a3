// What a host answers wrongly, and what it is never asked.

#include "stacked.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mock_host;

// The host is initialized once in a process: the first three test cases come before that.
TEST_CASE("A thread that initializes during the host's initialization in another thread does not wait forever",
          "[INIT-06]") {
    REQUIRE(the_host().epochs == 0);
    int provided = -1, code = -1;
    the_host().fails_to_initialize = true;
    the_host().opens_a_plugin = [&] {
        std::thread{[&] {
            int level = -1;
            code = MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
        }}.join();
    };
    CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_T_ERR_CANNOT_INIT);
    CHECK(code == MPI_T_ERR_CANNOT_INIT);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    be_kind();
}

TEST_CASE("A host that refuses is refused, and tried again", "[INIT-06]") {
    REQUIRE(the_host().epochs == 0);
    int provided = -1, number = -1;
    the_host().fails_to_initialize = true;
    for (int i = 0; i < 2; i++) {
        CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_T_ERR_CANNOT_INIT);
        CHECK(MPI_T_cvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
    }
    be_kind();
}

TEST_CASE("A plugin that initializes inside the host's initialization uses the variables that exist already, and the "
          "level is the lower one of both",
          "[INIT-05][INIT-06]") {
    REQUIRE(the_host().epochs == 0);
    add_to<control>(the_host().controls, {.name = "HOST_OF_PLUGIN"});
    add_to<performance>(the_host().performances, {.name = "host_of_plugin"});
    int level = -1, limit = -1, of_host = -1, count = 0, value = 0, calls = 0, update = -1;
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    the_host().opens_a_plugin = [&] {
        calls++;
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &level) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_get_index("LAB_LIMIT", &limit) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_get_index("HOST_OF_PLUGIN", &of_host) == MPI_T_ERR_INVALID_NAME);
        CHECK(MPI_T_cvar_handle_alloc(limit, nullptr, &handle, &count) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS);
        CHECK(MPI_T_category_changed(&update) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
        CHECK(MPI_T_finalize() == MPI_SUCCESS);
    };
    {
        const epoch here;
        CHECK(here.provided == MPI_THREAD_SERIALIZED);
        CHECK(calls == 1);
        CHECK(value == 7);
        CHECK(the_host().crashes == 0);
        CHECK(control_number("LAB_LIMIT") == limit);
        CHECK(control_number("HOST_OF_PLUGIN") >= 0);
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
        CHECK(MPI_T_pvar_handle_alloc(session, performance_number("host_of_plugin"), nullptr, &handle, &count) ==
              MPI_SUCCESS);
        CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
    }
    CHECK(the_host().epochs == 1);
    int number = 0;
    MPI_T_event_registration none{};
    CHECK(MPI_T_cvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_event_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_source_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_category_changed(&number) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_pvar_session_create(&session) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_event_handle_alloc(0, nullptr, MPI_INFO_NULL, &none) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
}

TEST_CASE("Indices are checked before they are passed to the host", "[CVAR-02][PVAR-02][CAT-02]") {
    add_to<control>(the_host().controls, {.name = "HOST_CHECKED"});
    add_to<performance>(the_host().performances, {.name = "host_checked"});
    add_to<category>(the_host().categories, {.name = "host_checked"});
    const epoch here;
    MPI_T_pvar_session session;
    REQUIRE(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    for (const int wrong : {-1, 1000, INT_MAX, INT_MIN}) {
        MPI_T_cvar_handle control = reinterpret_cast<MPI_T_cvar_handle>(&session);
        MPI_T_pvar_handle performance = reinterpret_cast<MPI_T_pvar_handle>(&session);
        int count = 5, members[1];
        CHECK(MPI_T_cvar_get_info(wrong, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_cvar_handle_alloc(wrong, nullptr, &control, &count) == MPI_T_ERR_INVALID_INDEX);
        CHECK(control == MPI_T_CVAR_HANDLE_NULL);
        CHECK(count == 0);
        CHECK(MPI_T_pvar_handle_alloc(session, wrong, nullptr, &performance, &count) == MPI_T_ERR_INVALID_INDEX);
        CHECK(performance == MPI_T_PVAR_HANDLE_NULL);
        CHECK(MPI_T_category_get_cvars(wrong, 1, members) == MPI_T_ERR_INVALID_INDEX);
    }
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

TEST_CASE("What is no session is refused, whatever its bits are", "[SESS-04]") {
    const epoch here;
    MPI_T_pvar_session session, other;
    REQUIRE(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    REQUIRE(MPI_T_pvar_session_create(&other) == MPI_SUCCESS);
    const auto word = reinterpret_cast<std::uintptr_t>(session);
    for (const std::uintptr_t bits : {std::uintptr_t{0}, std::uintptr_t{1}, std::uintptr_t{2}, ~std::uintptr_t{0},
                                      word | 0xffffffff, word ^ std::uintptr_t{1} << 32}) {
        auto none = reinterpret_cast<MPI_T_pvar_session>(bits);
        INFO(bits);
        CHECK(MPI_T_pvar_start(none, MPI_T_PVAR_ALL_HANDLES) == MPI_T_ERR_INVALID_SESSION);
        CHECK(MPI_T_pvar_session_free(&none) == MPI_T_ERR_INVALID_SESSION);
    }
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_session_free(&other) == MPI_SUCCESS);
}

TEST_CASE("The host allocates no handle in a session that another thread has freed at the host meanwhile",
          "[SESS-04]") {
    add_to<performance>(the_host().performances, {.name = "host_of_freed_session"});
    const epoch here;
    const int number = performance_number("host_of_freed_session");
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int count = 0, code_of_free = -1;
    REQUIRE(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    MPI_T_pvar_session freed = session;
    std::thread other;
    the_host().makes_a_handle = [&] {
        other = std::thread{[&] { code_of_free = MPI_T_pvar_session_free(&freed); }};
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
    };
    const int code = MPI_T_pvar_handle_alloc(session, number, nullptr, &handle, &count);
    other.join();
    CHECK(code_of_free == MPI_SUCCESS);
    CHECK((code == MPI_SUCCESS || code == MPI_T_ERR_INVALID_SESSION));
    CHECK(the_host().crashes == 0);
    CHECK(the_host().sessions.empty());
    CHECK(the_host().performance_handles.empty());
    CHECK(MPI_T_pvar_handle_alloc(session, number, nullptr, &handle, &count) == MPI_T_ERR_INVALID_SESSION);
}

TEST_CASE("A host that fails leaves no output unset", "[RC-02]") {
    add_to<control>(the_host().controls, {.name = "HOST_FAILING"});
    add_to<performance>(the_host().performances, {.name = "host_failing"});
    const epoch here;
    MPI_T_pvar_session session;
    REQUIRE(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    int count = 5;
    MPI_T_cvar_handle control = reinterpret_cast<MPI_T_cvar_handle>(&count);
    MPI_T_pvar_handle performance = reinterpret_cast<MPI_T_pvar_handle>(&count);
    MPI_T_pvar_session second = reinterpret_cast<MPI_T_pvar_session>(&count);
    const int of_control = control_number("HOST_FAILING"), of_performance = performance_number("host_failing");
    the_host().fails_to_make_handles = true;
    CHECK(MPI_T_cvar_handle_alloc(of_control, nullptr, &control, &count) == MPI_T_ERR_OUT_OF_HANDLES);
    CHECK(control == MPI_T_CVAR_HANDLE_NULL);
    CHECK(count == 0);
    count = 5;
    CHECK(MPI_T_pvar_handle_alloc(session, of_performance, nullptr, &performance, &count) == MPI_T_ERR_OUT_OF_HANDLES);
    CHECK(performance == MPI_T_PVAR_HANDLE_NULL);
    CHECK(count == 0);
    CHECK(MPI_T_pvar_session_create(&second) == MPI_T_ERR_OUT_OF_SESSIONS);
    CHECK(second == MPI_T_PVAR_SESSION_NULL);
    the_host().fails_to_make_handles = false;
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

TEST_CASE("An invalid object is not passed to a bound variable of the host", "[CVAR-11][BIND-14]") {
    add_to<control>(the_host().controls, {.name = "HOST_BOUND", .bind = MPI_T_BIND_MPI_COMM});
    const epoch here;
    MPI_T_cvar_handle handle;
    int count = 0;
    MPI_Comm world = MPI_COMM_WORLD, null = MPI_COMM_NULL;
    const int number = control_number("HOST_BOUND");
    add_to<performance>(the_host().performances, {.name = "host_bound", .bind = MPI_T_BIND_MPI_COMM});
    add_to<event>(the_host().events, {.name = "host_bound", .bind = MPI_T_BIND_MPI_COMM});
    for (void* const object : {static_cast<void*>(nullptr), reinterpret_cast<void*>(0x101),
                               reinterpret_cast<void*>(4095), static_cast<void*>(&null)}) {
        MPI_T_pvar_session session;
        MPI_T_pvar_handle of_performance;
        MPI_T_event_registration of_event;
        CHECK(MPI_T_cvar_handle_alloc(number, object, &handle, &count) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_handle_alloc(session, performance_number("host_bound"), object, &of_performance, &count) ==
              MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
        CHECK(MPI_T_event_handle_alloc(event_number("host_bound"), object, MPI_INFO_NULL, &of_event) ==
              MPI_T_ERR_INVALID_HANDLE);
    }
    CHECK(MPI_T_cvar_handle_alloc(number, &world, &handle, &count) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
}

TEST_CASE("The null handle of each kind is no object", "[BIND-14]") {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    MPI_Errhandler error_handler = MPI_ERRHANDLER_NULL;
    MPI_File file = MPI_FILE_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Op operation = MPI_OP_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Session session_of_mpi = MPI_SESSION_NULL;
    const std::pair<int, void*> nulls[] = {
        {MPI_T_BIND_MPI_COMM, &communicator},
        {MPI_T_BIND_MPI_DATATYPE, &datatype},
        {MPI_T_BIND_MPI_ERRHANDLER, &error_handler},
        {MPI_T_BIND_MPI_FILE, &file},
        {MPI_T_BIND_MPI_GROUP, &group},
        {MPI_T_BIND_MPI_OP, &operation},
        {MPI_T_BIND_MPI_REQUEST, &request},
        {MPI_T_BIND_MPI_WIN, &window},
        {MPI_T_BIND_MPI_MESSAGE, &message},
        {MPI_T_BIND_MPI_INFO, &info},
        {MPI_T_BIND_MPI_SESSION, &session_of_mpi},
    };
    const epoch here;
    MPI_T_pvar_session session;
    REQUIRE(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    for (const auto& [bind, object] : nulls) {
        const std::string name = "host_bound_" + std::to_string(bind);
        add_to<performance>(the_host().performances, {.name = name, .bind = bind});
        MPI_T_pvar_handle handle;
        int count = 0;
        const int number = performance_number(name.c_str());
        CAPTURE(name);
        CHECK(MPI_T_pvar_handle_alloc(session, number, object, &handle, &count) == MPI_T_ERR_INVALID_HANDLE);
        *static_cast<char*>(object) = static_cast<char>(*static_cast<char*>(object) + 1);
        CHECK(MPI_T_pvar_handle_alloc(session, number, object, &handle, &count) == MPI_SUCCESS);
    }
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

TEST_CASE("One session starts, stops and resets the variables of both sides", "[HNDL-11]") {
    add_to<performance>(the_host().performances, {.name = "host_switched", .value = 12});
    const epoch here;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle of_host, of_lab;
    int count = 0;
    unsigned long long value = 99;
    REQUIRE(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    REQUIRE(MPI_T_pvar_handle_alloc(session, performance_number("host_switched"), nullptr, &of_host, &count) ==
            MPI_SUCCESS);
    REQUIRE(MPI_T_pvar_handle_alloc(session, performance_number("lab_messages"), nullptr, &of_lab, &count) ==
            MPI_SUCCESS);
    const int started = the_host().started;
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(the_host().started == started + 1);
    lab::count();
    CHECK(MPI_T_pvar_read(session, of_lab, &value) == MPI_SUCCESS);
    CHECK(value == 1);
    CHECK(MPI_T_pvar_readreset(session, of_host, &value) == MPI_SUCCESS);
    CHECK(value == 12);
    CHECK(MPI_T_pvar_read(session, of_host, &value) == MPI_SUCCESS);
    CHECK(value == 0);
    value = 4;
    CHECK(MPI_T_pvar_write(session, of_host, &value) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_reset(session, of_host) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_read(session, of_host, &value) == MPI_SUCCESS);
    CHECK(value == 0);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_read(session, of_host, &value) == MPI_T_ERR_INVALID_SESSION);
}

TEST_CASE("A child of fork scans the host at once, although a thread of its parent was scanning") {
    const epoch here;
    std::atomic<bool> is_inside{false}, may_go_on{false};
    const std::thread::id parent = std::this_thread::get_id();
    int asked = 0;
    add_to<control>(the_host().controls, {.name = "NEWS"});
    the_host().asked_for_controls = [&] {
        // It is asked for news first, and in the turn then.
        if (std::this_thread::get_id() == parent || ++asked < 2) return;
        is_inside = true;
        while (!may_go_on) std::this_thread::yield();
    };
    std::thread looker{[] {
        int count = 0;
        MPI_T_cvar_get_num(&count);
    }};
    while (!is_inside) std::this_thread::yield();
    const pid_t child = fork();
    if (child == 0) {
        // Who waits for the thread that is not here gives up after a second, and does not see what is new.
        the_host().controls.push_back({.name = "SEEN_IN_A_CHILD"});
        int number = -1;
        _exit(MPI_T_cvar_get_index("SEEN_IN_A_CHILD", &number) == MPI_SUCCESS ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    may_go_on = true;
    looker.join();
}

TEST_CASE("A signal handler during a scan sees the variables that exist already") {
    const epoch here;
    static std::atomic<int> code{-1};
    std::signal(SIGUSR1, [](int) {
        int number = -1;
        code = MPI_T_cvar_get_index("LAB_LIMIT", &number);
    });
    the_host().asked_for_controls = [] { std::raise(SIGUSR1); };
    int count = 0;
    CHECK(MPI_T_cvar_get_num(&count) == MPI_SUCCESS);
    CHECK(code == MPI_SUCCESS);
    std::signal(SIGUSR1, SIG_DFL);
}
