// The cost of each call of a tool, in a process with 200 variables.
//
//   session-benchmark [options of Google Benchmark]
#include "harness.hpp"
#include "listening.hpp"

#include <mpit/module/publish_pending.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

// Storage of the library.
int burst = 4;

struct variables_of_the_library : mpit::category<"library", "Variables that are read"> {
    mpit::control<int> limit{this, "LIBRARY_EAGER_LIMIT", "Largest message that is sent at once, in bytes"};
    mpit::counter<> messages{this, "messages_sent", "Messages that a send was called for"};
    mpit::level<> queued{this, "queue_length", "Messages that nobody has asked for yet"};
    mpit::high_watermark<> longest{this, "queue_length", "Most messages at once that nobody had asked for yet"};
    mpit::control_ref<int> present_burst{this, "LIBRARY_BURST", "Messages that are sent at once", {.storage = &burst}};
    mpit::computed<mpit::performance_class::level, unsigned long> open{
        this, "open_connections", "Connections that are open", {.value = [] {
        return static_cast<unsigned long>(burst);
    }}};
    mpit::event<message> arrived{this, "message_arrived", "A message came"};
};
inline constexpr auto& library = mpit::registered<variables_of_the_library>;

// Company for them, as in a library of some size.
struct company : mpit::category<"company", "Further variables"> {
    static constexpr int count = 100;
    company() {
        names.reserve(count);
        for (int i = 0; i < count; i++) {
            const std::string& called = names.emplace_back("library_further_variable_" + std::to_string(i));
            controls.push_back(std::make_unique<mpit::control<int>>(this, mpit::core::checked_name{called.c_str()},
                                                                    "A further variable"));
            counters.push_back(std::make_unique<mpit::counter<>>(this, mpit::core::checked_name{called.c_str()},
                                                                 "A further variable"));
        }
    }
    std::vector<std::string> names{};
    std::vector<std::unique_ptr<mpit::control<int>>> controls{};
    std::vector<std::unique_ptr<mpit::counter<>>> counters{};
};

// One handle of each kind, started.
struct handles {
    MPI_T_cvar_handle control = MPI_T_CVAR_HANDLE_NULL, adopted = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle counter = MPI_T_PVAR_HANDLE_NULL;
    MPI_T_pvar_handle level = MPI_T_PVAR_HANDLE_NULL;
    MPI_T_pvar_handle computed = MPI_T_PVAR_HANDLE_NULL;
    MPI_T_pvar_handle watermark = MPI_T_PVAR_HANDLE_NULL;
    MPI_T_pvar_handle stopped = MPI_T_PVAR_HANDLE_NULL;
    int elements = 0;

    handles() {
        check(MPI_T_cvar_handle_alloc(cvar_number("LIBRARY_EAGER_LIMIT"), nullptr, &control, &elements));
        check(MPI_T_cvar_handle_alloc(cvar_number("LIBRARY_BURST"), nullptr, &adopted, &elements));
        check(MPI_T_pvar_session_create(&session));
        counter = started("messages_sent", MPI_T_PVAR_CLASS_COUNTER);
        level = started("queue_length", MPI_T_PVAR_CLASS_LEVEL);
        computed = started("open_connections", MPI_T_PVAR_CLASS_LEVEL);
        watermark = started("queue_length", MPI_T_PVAR_CLASS_HIGHWATERMARK);
        stopped = started("messages_sent", MPI_T_PVAR_CLASS_COUNTER);
        check(MPI_T_pvar_stop(session, stopped));
    }
    MPI_T_pvar_handle started(const char* name, int var_class) {
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
        check(MPI_T_pvar_handle_alloc(session, pvar_number(name, var_class), nullptr, &handle, &elements));
        check(MPI_T_pvar_start(session, handle));
        return handle;
    }
};

template <class Call> void add(const std::string& called, Call call) {
    measured("session/" + called, [call](benchmark::State& state) mutable {
        for (auto _ : state) {
            call();
            benchmark::ClobberMemory();
        }
    });
}

void add_reads(handles& h) {
    add("cvar_read of an int", [&h, value = 0]() mutable { check(MPI_T_cvar_read(h.control, &value)); });
    add("cvar_read of an adopted int", [&h, value = 0]() mutable { check(MPI_T_cvar_read(h.adopted, &value)); });
    add("cvar_write of an int", [&h, value = 1]() mutable { check(MPI_T_cvar_write(h.control, &value)); });
    const auto add_read = [&h](const char* called, MPI_T_pvar_handle handle) {
        add(called, [&h, handle, value = 0ull]() mutable { check(MPI_T_pvar_read(h.session, handle, &value)); });
    };
    add_read("pvar_read of a counter", h.counter);
    add_read("pvar_read of a level", h.level);
    add_read("pvar_read of a computed level", h.computed);
    add_read("pvar_read of a watermark", h.watermark);
}

void add_changes(handles& h) {
    const auto add_pair = [&h](const char* called, MPI_T_pvar_handle handle) {
        add(called, [&h, handle] {
            check(MPI_T_pvar_start(h.session, handle));
            check(MPI_T_pvar_stop(h.session, handle));
        });
    };
    add_pair("start and stop of a counter", h.stopped);
    add_pair("start and stop of a computed level", h.computed);
    add("readreset of a counter",
        [&h, value = 0ull]() mutable { check(MPI_T_pvar_readreset(h.session, h.counter, &value)); });
    add("reset of a counter", [&h] { check(MPI_T_pvar_reset(h.session, h.counter)); });
}

void add_allocations(handles& h) {
    add("cvar_handle_alloc and free", [number = cvar_number("LIBRARY_EAGER_LIMIT"), elements = 0]() mutable {
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        check(MPI_T_cvar_handle_alloc(number, nullptr, &handle, &elements));
        check(MPI_T_cvar_handle_free(&handle));
    });
    const auto add_handle = [&h](const char* called, int number) {
        add(called, [&h, number, elements = 0]() mutable {
            MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
            check(MPI_T_pvar_handle_alloc(h.session, number, nullptr, &handle, &elements));
            check(MPI_T_pvar_handle_free(h.session, &handle));
        });
    };
    add_handle("pvar_handle_alloc and free of a counter", pvar_number("messages_sent", MPI_T_PVAR_CLASS_COUNTER));
    add_handle("pvar_handle_alloc and free of a watermark",
               pvar_number("queue_length", MPI_T_PVAR_CLASS_HIGHWATERMARK));
    add("session_create and free", [] {
        MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
        check(MPI_T_pvar_session_create(&session));
        check(MPI_T_pvar_session_free(&session));
    });
}

// The calls that are made inside a callback, while there is an instance.
std::function<void(MPI_T_event_instance)> inside;
void call_inside(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { inside(instance); }
template <class Call> void add_inside(const std::string& called, Call call) {
    measured("session/" + called, [call](benchmark::State& state) {
        inside = [&](MPI_T_event_instance instance) {
            for (auto _ : state) {
                call(instance);
                benchmark::ClobberMemory();
            }
        };
        library.arrived(1, 2, 3ul);
    });
}

void add_events(registration& listening) {
    add("event_handle_alloc and free", [number = event_number("message_arrived")] {
        MPI_T_event_registration handle = nullptr;
        check(MPI_T_event_handle_alloc(number, nullptr, MPI_INFO_NULL, &handle));
        check(MPI_T_event_handle_free(handle, nullptr, nullptr));
    });
    add("event_register_callback", [&listening] { listening.call(call_inside); });
    add_inside("event_read of an int", [](MPI_T_event_instance instance) {
        int source = 0;
        check(MPI_T_event_read(instance, 0, &source));
    });
    add_inside("event_copy of 16 bytes", [](MPI_T_event_instance instance) {
        message copy;
        check(MPI_T_event_copy(instance, &copy));
    });
    add_inside("event_get_timestamp", [](MPI_T_event_instance instance) {
        MPI_Count stamp = 0;
        check(MPI_T_event_get_timestamp(instance, &stamp));
    });
    for (const int source : {0, 1})
        add(source == 0 ? "source_get_timestamp of the steady clock" : "source_get_timestamp of the cycle counter",
            [source, stamp = MPI_Count{0}]() mutable { check(MPI_T_source_get_timestamp(source, &stamp)); });
}

void add_queries() {
    add("cvar_get_info with all fields", [number = cvar_number("LIBRARY_EAGER_LIMIT")] {
        char name[256], description[1024];
        int name_length = sizeof name, description_length = sizeof description, verbosity, bind, scope;
        MPI_Datatype datatype;
        MPI_T_enum enumeration;
        check(MPI_T_cvar_get_info(number, name, &name_length, &verbosity, &datatype, &enumeration, description,
                                  &description_length, &bind, &scope));
        benchmark::DoNotOptimize(name);
    });
    add("pvar_get_info with all fields", [number = pvar_number("messages_sent", MPI_T_PVAR_CLASS_COUNTER)] {
        char name[256], description[1024];
        int name_length = sizeof name, description_length = sizeof description, verbosity, var_class, bind;
        int readonly, continuous, atomic;
        MPI_Datatype datatype;
        MPI_T_enum enumeration;
        check(MPI_T_pvar_get_info(number, name, &name_length, &verbosity, &var_class, &datatype, &enumeration,
                                  description, &description_length, &bind, &readonly, &continuous, &atomic));
        benchmark::DoNotOptimize(name);
    });
    add("event_get_info with all fields", [number = event_number("message_arrived")] {
        char name[256], description[1024];
        int name_length = sizeof name, description_length = sizeof description, verbosity, elements = 8, bind;
        MPI_Datatype datatypes[8];
        MPI_Aint displacements[8];
        MPI_T_enum enumeration;
        MPI_Info hints_of_event;
        check(MPI_T_event_get_info(number, name, &name_length, &verbosity, datatypes, displacements, &elements,
                                   &enumeration, &hints_of_event, description, &description_length, &bind));
        check(MPI_Info_free(&hints_of_event));
        benchmark::DoNotOptimize(name);
    });
    add("cvar_get_num", [count = 0]() mutable { check(MPI_T_cvar_get_num(&count)); });
}

} // namespace

int main(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    static company further;
    mpit::registry::register_tree(further, "the benchmark");
    initialize_tool();
    ++library.messages; // a thread that counts has a shard, and a read adds up all shards

    handles of_the_tool;
    add_reads(of_the_tool);
    add_changes(of_the_tool);
    add_allocations(of_the_tool);
    registration listening{"message_arrived"};
    add_events(listening.call(call_inside));
    add_queries();
    benchmark::RunSpecifiedBenchmarks();
}
