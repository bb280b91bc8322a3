// The cost of each call of a tool on the variables of a library and of an MPI, if the process has them.
// The same source is compiled for our own header and for each mpi.h; the library of library.cpp is linked, preloaded,
// or absent. All are initialized with MPI_THREAD_MULTIPLE, as a tool that has threads does.
//
//   LD_PRELOAD=library.so peers-mpich [options of Google Benchmark]
#ifdef MPIT_MPI_HEADER
#include MPIT_MPI_HEADER
#endif
#include "../harness.hpp"
#include "../tool.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

// The owner of a variable, by its name.
constexpr const char* library_prefix = "peers_";
constexpr const char* owners[] = {"own", "host"};
enum owner { own, host };

owner owner_of(const std::string& name) { return name.rfind(library_prefix, 0) == 0 ? own : host; }

template <class Call> void add(const std::string& whose, const std::string& called, Call call) {
    measured("peers/" + whose + "/" + called, [call](benchmark::State& state) mutable {
        for (auto _ : state) {
            call();
            benchmark::ClobberMemory();
        }
    });
}

// Each call is for the next one of a list.
template <class Element, class Call>
void add_walk(const std::string& whose, const std::string& called, const std::vector<Element>& list, Call call) {
    if (list.empty()) return;
    add(whose, called, [list, call, at = std::size_t{0}]() mutable {
        call(list[at]);
        if (++at == list.size()) at = 0;
    });
}

// A variable or a category, as its info says.
struct listed {
    int number = -1;
    std::string name;
    int in = 0;
    MPI_Datatype datatype{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    int bind = MPI_T_BIND_NO_OBJECT;
    int readonly = 0, continuous = 0, atomically = 0;
    char description[1024] = "";
    int members[3] = {};
};

int ask_control(int number, listed& to) {
    char name[256];
    int length = sizeof name, description_length = sizeof to.description, verbosity, scope;
    const int answer = MPI_T_cvar_get_info(number, name, &length, &verbosity, &to.datatype, &to.enumeration,
                                           to.description, &description_length, &to.bind, &scope);
    benchmark::DoNotOptimize(name);
    if (to.number < 0 && answer == MPI_SUCCESS) to.name = name;
    return answer;
}
int ask_performance(int number, listed& to) {
    char name[256];
    int length = sizeof name, description_length = sizeof to.description, verbosity;
    const int answer =
        MPI_T_pvar_get_info(number, name, &length, &verbosity, &to.in, &to.datatype, &to.enumeration, to.description,
                            &description_length, &to.bind, &to.readonly, &to.continuous, &to.atomically);
    benchmark::DoNotOptimize(name);
    if (to.number < 0 && answer == MPI_SUCCESS) to.name = name;
    return answer;
}
int ask_category(int number, listed& to) {
    char name[256];
    int length = sizeof name, description_length = sizeof to.description;
    const int answer = MPI_T_category_get_info(number, name, &length, to.description, &description_length,
                                               &to.members[0], &to.members[1], &to.members[2]);
    benchmark::DoNotOptimize(name);
    if (to.number < 0 && answer == MPI_SUCCESS) to.name = name;
    return answer;
}

using list = std::vector<listed>;

list list_of(owner wanted, int count, int (*ask)(int, listed&)) {
    list all;
    for (int i = 0; i < count; i++) {
        listed made;
        if (ask(i, made) != MPI_SUCCESS || owner_of(made.name) != wanted) continue; // an MPI may have holes
        made.number = i;
        all.push_back(made);
    }
    return all;
}
int count_with(int (*get_num)(int*)) {
    int count = 0;
    check(get_num(&count));
    return count;
}

void add_info(const std::string& whose, const std::string& called, const list& all, int (*ask)(int, listed&)) {
    add_walk(whose, called, all, [ask, to = listed{all.empty() ? listed{} : all[0]}](const listed& of) mutable {
        check(ask(of.number, to));
    });
}
void add_enumeration(const std::string& whose, const list& all) {
    for (const listed& each : all) {
        if (each.enumeration == MPI_T_ENUM_NULL) continue;
        benchmark::AddCustomContext(whose + " enumeration of", each.name);
        add(whose, "enum_get_info", [of = each.enumeration] {
            char name[256];
            int length = sizeof name, count = 0;
            check(MPI_T_enum_get_info(of, &count, name, &length));
            benchmark::DoNotOptimize(name);
        });
        add(whose, "enum_get_item", [of = each.enumeration] {
            char name[256];
            int length = sizeof name, value = 0;
            check(MPI_T_enum_get_item(of, 1, &value, name, &length));
            benchmark::DoNotOptimize(name);
        });
        return;
    }
}

// The next one that belongs to no object, or the same without one.
const listed& another(const list& all, const listed& first) {
    const auto* next = &first + 1;
    while (next != all.data() + all.size() && next->bind != MPI_T_BIND_NO_OBJECT) next++;
    return next != all.data() + all.size() ? *next : first;
}

// The first one that is a single int and can be read.
void add_control(const std::string& whose, const list& all) {
    for (const listed& each : all) {
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        int count = 0, value = 0;
        if (each.bind != MPI_T_BIND_NO_OBJECT || each.datatype != MPI_INT) continue;
        if (MPI_T_cvar_handle_alloc(each.number, nullptr, &handle, &count) != MPI_SUCCESS) continue;
        if (count != 1 || MPI_T_cvar_read(handle, &value) != MPI_SUCCESS ||
            MPI_T_cvar_write(handle, &value) != MPI_SUCCESS) {
            check(MPI_T_cvar_handle_free(&handle));
            continue;
        }
        benchmark::AddCustomContext(whose + " control variable", each.name);
        add(whose, "cvar_handle_alloc and free", [number = each.number, elements = 0]() mutable {
            MPI_T_cvar_handle made = MPI_T_CVAR_HANDLE_NULL;
            check(MPI_T_cvar_handle_alloc(number, nullptr, &made, &elements));
            check(MPI_T_cvar_handle_free(&made));
        });
        add(whose, "cvar_handle_alloc and free, two variables in turn",
            [numbers = std::array{each.number, another(all, each).number}, turn = 0u, elements = 0]() mutable {
            MPI_T_cvar_handle made = MPI_T_CVAR_HANDLE_NULL;
            check(MPI_T_cvar_handle_alloc(numbers[turn ^= 1], nullptr, &made, &elements));
            check(MPI_T_cvar_handle_free(&made));
        });
        add(whose, "cvar_read", [handle, to = 0]() mutable { check(MPI_T_cvar_read(handle, &to)); });
        add(whose, "cvar_write", [handle, value]() mutable { check(MPI_T_cvar_write(handle, &value)); });
        return;
    }
}
void add_controls(owner of) {
    const std::string whose = owners[of];
    static list both[2];
    const list& all = both[of] = list_of(of, count_with(&MPI_T_cvar_get_num), &ask_control);
    add_info(whose, "cvar_get_info", all, &ask_control);
    add_walk(whose, "cvar_get_index", all,
             [number = 0](const listed& each) mutable { check(MPI_T_cvar_get_index(each.name.c_str(), &number)); });
    // In an order without a pattern, so that the processor can predict neither lengths nor places.
    std::vector<const char*> any;
    std::minstd_rand chance;
    for (int i = 0; i < 1 << 15 && !all.empty(); i++) any.push_back(all[chance() % all.size()].name.c_str());
    add_walk(whose, "cvar_get_index of any name", any,
             [number = 0](const char* name) mutable { check(MPI_T_cvar_get_index(name, &number)); });
    add_control(whose, all);
    add_enumeration(whose, all);
}

void add_performance(const std::string& whose, MPI_T_pvar_session session, const list& all, const listed& each,
                     MPI_T_pvar_handle handle) {
    add(whose, "pvar_handle_alloc and free", [session, number = each.number, elements = 0]() mutable {
        MPI_T_pvar_handle made = MPI_T_PVAR_HANDLE_NULL;
        check(MPI_T_pvar_handle_alloc(session, number, nullptr, &made, &elements));
        check(MPI_T_pvar_handle_free(session, &made));
    });
    // Open MPI crashes where a handle is allocated on a variable of a network that is not there.
    if (whose == owners[own])
        add(whose, "pvar_handle_alloc and free, two variables in turn",
            [session, numbers = std::array{each.number, another(all, each).number}, turn = 0u, elements = 0]() mutable {
            MPI_T_pvar_handle made = MPI_T_PVAR_HANDLE_NULL;
            check(MPI_T_pvar_handle_alloc(session, numbers[turn ^= 1], nullptr, &made, &elements));
            check(MPI_T_pvar_handle_free(session, &made));
        });
    add(whose, "pvar_read",
        [session, handle, value = 0ull]() mutable { check(MPI_T_pvar_read(session, handle, &value)); });
    if (each.continuous == 0)
        add(whose, "pvar_start and stop", [session, handle] {
            check(MPI_T_pvar_stop(session, handle));
            check(MPI_T_pvar_start(session, handle));
        });
    if (each.readonly != 0) return;
    add(whose, "pvar_write", [session, handle, value = 0ull] { check(MPI_T_pvar_write(session, handle, &value)); });
    add(whose, "pvar_reset", [session, handle] { check(MPI_T_pvar_reset(session, handle)); });
    if (each.atomically != 0)
        add(whose, "pvar_readreset",
            [session, handle, value = 0ull]() mutable { check(MPI_T_pvar_readreset(session, handle, &value)); });
}
// The first one that is a single number of eight bytes and can be read.
void add_performances(owner of, MPI_T_pvar_session session) {
    const std::string whose = owners[of];
    const list all = list_of(of, count_with(&MPI_T_pvar_get_num), &ask_performance);
    add_info(whose, "pvar_get_info", all, &ask_performance);
    add_walk(whose, "pvar_get_index", all, [number = 0](const listed& each) mutable {
        check(MPI_T_pvar_get_index(each.name.c_str(), each.in, &number));
    });
    for (const listed& each : all) {
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
        int count = 0;
        char value[1024];
        if (each.bind != MPI_T_BIND_NO_OBJECT) continue;
        if (MPI_T_pvar_handle_alloc(session, each.number, nullptr, &handle, &count) != MPI_SUCCESS) continue;
        const bool is_started = each.continuous != 0 || MPI_T_pvar_start(session, handle) == MPI_SUCCESS;
        if (count != 1 || !is_started || MPI_T_pvar_read(session, handle, value) != MPI_SUCCESS) continue;
        benchmark::AddCustomContext(whose + " performance variable", each.name);
        return add_performance(whose, session, all, each, handle);
    }
}

void add_categories(owner of, int room) {
    const std::string whose = owners[of];
    const list all = list_of(of, count_with(&MPI_T_category_get_num), &ask_category);
    add_info(whose, "category_get_info", all, &ask_category);
    add_walk(whose, "category_get_index", all,
             [number = 0](const listed& each) mutable { check(MPI_T_category_get_index(each.name.c_str(), &number)); });
    const auto add_members = [&](const char* called, int (*get)(int, int, int*)) {
        std::vector<int> members(static_cast<std::size_t>(room));
        add_walk(whose, called, all, [get, members](const listed& each) mutable {
            check(get(each.number, static_cast<int>(members.size()), members.data()));
        });
    };
    add_members("category_get_cvars", &MPI_T_category_get_cvars);
    add_members("category_get_pvars", &MPI_T_category_get_pvars);
    add_members("category_get_categories", &MPI_T_category_get_categories);
}

// An mpi.h of before MPI-4.0 does not declare the functions of events, and an MPI does not have them.
template <class Function> Function* function_called(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

void add_whole_process() {
    const auto add_count = [](const char* called, int (*get)(int*)) {
        add("all", called, [get, count = 0]() mutable { check(get(&count)); });
    };
    add_count("cvar_get_num", &MPI_T_cvar_get_num);
    add_count("pvar_get_num", &MPI_T_pvar_get_num);
    add_count("category_get_num", &MPI_T_category_get_num);
    add_count("category_changed", &MPI_T_category_changed);
    if (auto* event_get_num = function_called<int(int*)>("MPI_T_event_get_num"))
        add_count("event_get_num", event_get_num);
    add("all", "cvar_get_index of no variable", [name = std::string{"no_such_control_variable"}, number = 0]() mutable {
        benchmark::DoNotOptimize(MPI_T_cvar_get_index(name.c_str(), &number));
    });
    add("all", "pvar_session_create and free", [] {
        MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
        check(MPI_T_pvar_session_create(&session));
        check(MPI_T_pvar_session_free(&session));
    });
    add("all", "init_thread and finalize", [] {
        initialize_tool();
        check(MPI_T_finalize());
    });
}

using get_info_function = int(int, char*, int*, int*, MPI_Datatype*, MPI_Aint*, int*, MPI_T_enum*, MPI_Info*, char*,
                              int*, int*);
using get_index_function = int(const char*, int*);
using allocate_function = int(int, void*, MPI_Info, MPI_T_event_registration*);
using free_function = int(MPI_T_event_registration, void*, MPI_T_event_free_cb_function*);
using register_function = int(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void*, MPI_T_event_cb_function*);

std::function<void(MPI_T_event_instance)> inside;
void call_inside(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    if (inside) inside(instance);
}
// A call inside a callback, while there is an instance.
template <class Call> void add_inside(void (*raise)(), const std::string& called, Call call) {
    measured("peers/own/" + called, [raise, call](benchmark::State& state) {
        inside = [&](MPI_T_event_instance instance) {
            for (auto _ : state) {
                call(instance);
                benchmark::ClobberMemory();
            }
        };
        raise();
        inside = nullptr;
    });
}
// Those of the library alone.
void add_events() {
    auto* raise = function_called<void()>("peers_send");
    if (raise == nullptr) return;
    auto* get_index = function_called<get_index_function>("MPI_T_event_get_index");
    auto* get_info = function_called<get_info_function>("MPI_T_event_get_info");
    auto* allocate = function_called<allocate_function>("MPI_T_event_handle_alloc");
    auto* free = function_called<free_function>("MPI_T_event_handle_free");
    auto* register_callback = function_called<register_function>("MPI_T_event_register_callback");
    auto* read = function_called<int(MPI_T_event_instance, int, void*)>("MPI_T_event_read");
    auto* copy = function_called<int(MPI_T_event_instance, void*)>("MPI_T_event_copy");
    auto* get_timestamp = function_called<int(MPI_T_event_instance, MPI_Count*)>("MPI_T_event_get_timestamp");
    auto* get_source = function_called<int(MPI_T_event_instance, int*)>("MPI_T_event_get_source");
    auto* read_source = function_called<int(int, MPI_Count*)>("MPI_T_source_get_timestamp");
    int number = -1;
    MPI_T_event_registration listening{};
    check(get_index("peers_message_arrived", &number));
    check(allocate(number, nullptr, MPI_INFO_NULL, &listening));
    check(register_callback(listening, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &call_inside));
    add("own", "event_get_info", [get_info, number] {
        char called[256], description[1024];
        int length = sizeof called, description_length = sizeof description, verbosity, elements = 8, bind;
        MPI_Datatype datatypes[8];
        MPI_Aint displacements[8];
        MPI_T_enum enumeration;
        check(get_info(number, called, &length, &verbosity, datatypes, displacements, &elements, &enumeration, nullptr,
                       description, &description_length, &bind));
        benchmark::DoNotOptimize(called);
    });
    alignas(64) static constexpr char name[] = "peers_message_arrived";
    add("own", "event_get_index", [get_index, to = 0]() mutable { check(get_index(name, &to)); });
    add("own", "event_handle_alloc and free", [allocate, free, number] {
        MPI_T_event_registration made{};
        check(allocate(number, nullptr, MPI_INFO_NULL, &made));
        check(free(made, nullptr, nullptr));
    });
    add("own", "event_register_callback", [register_callback, listening] {
        check(register_callback(listening, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &call_inside));
    });
    add_inside(raise, "event_read", [read](MPI_T_event_instance instance) {
        int source = 0;
        check(read(instance, 0, &source));
    });
    add_inside(raise, "event_copy", [copy](MPI_T_event_instance instance) {
        char bytes[16];
        check(copy(instance, bytes));
        benchmark::DoNotOptimize(bytes);
    });
    add_inside(raise, "event_get_timestamp", [get_timestamp](MPI_T_event_instance instance) {
        MPI_Count stamp = 0;
        check(get_timestamp(instance, &stamp));
    });
    add_inside(raise, "event_get_source", [get_source](MPI_T_event_instance instance) {
        int source = -1;
        check(get_source(instance, &source));
    });
    add("own", "source_get_timestamp",
        [read_source, stamp = MPI_Count{0}]() mutable { check(read_source(0, &stamp)); });
}

} // namespace

int main(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    // An MPI starts threads, and what the kernel does for a process with threads takes longer: they all have one.
    std::thread{[] { pause(); }}.detach();
#ifdef MPI_VERSION
    int provided = 0;
    check(MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &provided));
    if (provided != MPI_THREAD_MULTIPLE) return 1;
#endif
    if (initialize_tool() != MPI_THREAD_MULTIPLE) return 1;
    benchmark::AddCustomContext("thread level", "MPI_THREAD_MULTIPLE");
    benchmark::AddCustomContext("control variables", std::to_string(count_with(&MPI_T_cvar_get_num)));
    benchmark::AddCustomContext("performance variables", std::to_string(count_with(&MPI_T_pvar_get_num)));
    if (auto* send = function_called<void()>("peers_send")) send(); // a thread that counts has a shard
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    check(MPI_T_pvar_session_create(&session));
    const int members = count_with(&MPI_T_cvar_get_num) + count_with(&MPI_T_pvar_get_num);
    add_whole_process();
    for (const owner of : {own, host}) {
        add_controls(of);
        add_performances(of, session);
        add_categories(of, members);
    }
    add_events();
    benchmark::RunSpecifiedBenchmarks();
    check(MPI_T_pvar_session_free(&session));
    check(MPI_T_finalize());
#ifdef MPI_VERSION
    check(MPI_Finalize());
#endif
}
