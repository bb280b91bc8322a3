// The whole C interface under calls that nobody would make: an input is a sequence of calls, each with arguments from
// pools of valid, stale and garbage handles, and of changes on the library's own side; callbacks make further calls.
// Every answer is held against what the calls before it have done: the code, each output, and what must stay as it was.
// [RC-02][RC-03] Calls with arguments of any kind, also from callbacks, answer only the codes that the standard lists for them.
// [RC-04] What is ill-formed is refused first, then a session, a handle or an index, then its object, and a value last.
// [RC-05] A call that is refused changes nothing but a handle that it would have made, which is null then.
// [CVAR-02][PVAR-02][EVT-02][SRC-02][SRC-09][CAT-06][DT-12] An index that nothing has is refused, and changes no output.
// [CVAR-12][HNDL-01][EVT-12] A handle that cannot be made is null, and its number of elements is not stored.
// [CVAR-15][HNDL-05][HNDL-06][EVT-29][EVT-34][DT-14] What is no handle of its kind, or was one, is refused by all that takes one.
// [SESS-01][SESS-04] What is no session, or was one, is refused, and where it was is null or as it was.
// [STR-13][CVAR-26][PVAR-07][HNDL-23][CAT-17] A null where something is read or stored, and a number below zero, are invalid.
// [INIT-11] Handles and sessions end with the last finalization, and are refused in later epochs, whatever has their places.
// [INFO-05][INFO-06][INFO-07][INFO-15] Keys and values are null, empty, as long as can be, or longer by one.
// [INFO-09][INFO-10][INFO-16][INFO-17] Pairs are set, changed, deleted, found and numbered as a list of pairs would be.
// [INFO-11][INFO-12][INFO-13][INFO-14] A value is cut to its room, or its size is asked for, and nothing behind it changes.
// With libFuzzer, in the folder of the project:
//
//   clang++-19 -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Iinclude
//       tests/fuzz/target.cpp -o build/fuzz && build/fuzz -max_len=4096 -max_total_time=3600 build/corpus
#define MPIT_C_INFO 1
#define MPIT_TESTS_OWN_TREE
#include "category_calls.hpp"
#include "library.hpp"

#include <algorithm>

namespace {

struct action {
    const char* name;
    void (*act)();
    bool may_starve = true; // memory may end in it
};
#define CALL(name) {#name, &call_##name}
// clang-format off
constexpr action actions[] = {
    CALL(init_thread), CALL(finalize), CALL(enum_get_info), CALL(enum_get_item),
    CALL(cvar_get_num), CALL(cvar_get_info), CALL(cvar_get_index), CALL(cvar_handle_alloc), CALL(cvar_handle_alloc),
    CALL(cvar_handle_free), CALL(cvar_read), CALL(cvar_read), CALL(cvar_write), CALL(cvar_write),
    CALL(pvar_get_num), CALL(pvar_get_info), CALL(pvar_get_index), CALL(pvar_session_create), CALL(pvar_session_free),
    CALL(pvar_handle_alloc), CALL(pvar_handle_alloc), CALL(pvar_handle_alloc), CALL(pvar_handle_free), CALL(pvar_start),
    CALL(pvar_start), CALL(pvar_stop), CALL(pvar_read), CALL(pvar_read), CALL(pvar_write), CALL(pvar_reset),
    CALL(pvar_readreset), CALL(event_get_num), CALL(event_get_info), CALL(event_get_index), CALL(event_handle_alloc),
    CALL(event_handle_alloc), {"event_handle_free", &call_event_handle_free, false},
    CALL(event_handle_get_info), CALL(event_handle_set_info), CALL(event_register_callback),
    CALL(event_register_callback), CALL(event_callback_get_info), CALL(event_callback_set_info),
    CALL(event_set_dropped_handler), CALL(event_read), CALL(event_copy), CALL(event_get_timestamp),
    CALL(event_get_source), CALL(source_get_num), CALL(source_get_info), CALL(source_get_timestamp),
    CALL(category_get_num), CALL(category_get_info), CALL(category_get_index), CALL(category_get_cvars),
    CALL(category_get_pvars), CALL(category_get_events), CALL(category_get_categories), CALL(category_get_num_events),
    CALL(category_changed), CALL(info_create), CALL(info_create_env), CALL(info_delete), CALL(info_dup),
    CALL(info_free), CALL(info_get), CALL(info_get_nkeys), CALL(info_get_nthkey), CALL(info_get_string),
    CALL(info_get_valuelen), CALL(info_set), {"count_something", &count_something, false},
    {"count_something", &count_something, false}, {"count_for_an_object", &count_for_an_object, false},
    {"move_a_level", &move_a_level, false}, {"change_something_else", &change_something_else, false},
    {"announce_an_object", &announce_an_object, false}, {"announce_an_object", &announce_an_object, false},
    {"move_the_clocks", &move_the_clocks, false}, {"raise_an_event", &raise_an_event, false},
    {"raise_an_event", &raise_an_event, false}, {"raise_an_event", &raise_an_event, false},
    {"raise_an_event", &raise_an_event, false}, {"raise_an_event", &raise_an_event, false},
    {"start_listening_alloc", &start_listening, false}, {"start_listening_alloc", &start_listening, false},
    {"start_measuring_alloc", &start_measuring, false}, {"start_measuring_alloc", &start_measuring, false},
    {"start_controlling_alloc", &start_controlling, false}, {"start_controlling_alloc", &start_controlling, false},
    {"raise_many_events", &raise_many_events, false}, {"deliver_events", &deliver_events, false},
    {"reload_the_library", &reload_the_library, false},
};
// clang-format on
#undef CALL

// Kept small, so that every input is fast: what the pools are full of is not made again.
bool are_pools_full() {
    return the_world.controls.open.size() > world::most_handles ||
           the_world.performances.open.size() > world::most_handles ||
           the_world.registrations.open.size() > world::most_handles ||
           the_world.infos.open.size() > world::most_handles;
}
void act() {
    the_world.actions_left--;
    const unsigned choice = the_world.in.byte();
    const action& next = actions[choice % std::size(actions)];
    const std::string_view name = next.name;
    if (are_pools_full() && (name.ends_with("_alloc") || name.starts_with("info_") || name.ends_with("info"))) return;
    present_call = next.name;
    is_starved = next.may_starve && choice >= std::size(actions) && the_world.in.one_in(4);
    if (is_starved) mpit::core::allocations_left.store(static_cast<int>(the_world.in.number(4)));
    if (is_traced && !next.may_starve) std::fprintf(stderr, "%s\n", next.name);
    next.act();
    is_starved = false;
    mpit::core::allocations_left.store(-1);
}

// Everything is given back, one by one or by the last finalize.
void end_everything() {
    const bool frees_handles = the_world.is_open() && the_world.in.one_in(2);
    present_call = "the end of the input";
    the_world.actions_left = 0;
    if (!the_world.is_loaded) reload_the_library();
    while (frees_handles && !the_world.registrations.open.empty()) {
        const auto registration = handle_number<MPI_T_event_registration>(the_world.registrations.open.begin()->first);
        demand(MPI_T_event_handle_free(registration, nullptr, nullptr) == MPI_SUCCESS,
               "an open registration can be ended");
        the_world.registrations.open.erase(word_of(registration));
    }
    while (frees_handles && !the_world.controls.open.empty()) {
        auto handle = handle_number<MPI_T_cvar_handle>(the_world.controls.open.begin()->first);
        the_world.controls.open.erase(word_of(handle));
        demand(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS, "an open handle can be freed");
    }
    while (frees_handles && !the_world.sessions.open.empty()) {
        auto session = handle_number<MPI_T_pvar_session>(the_world.sessions.open.begin()->first);
        the_world.close_session(word_of(session));
        demand(MPI_T_pvar_session_free(&session) == MPI_SUCCESS, "an open session can be freed");
    }
    the_world.close_all();
    for (; the_world.initialized > 0; the_world.initialized--)
        demand(MPI_T_finalize() == MPI_SUCCESS, "every init has its finalize");
    demand(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED, "there is no finalize without an init");
    for (const auto& each : the_world.infos.open) {
        auto info = handle_number<MPI_Info>(each.first);
        demand(MPI_Info_free(&info) == MPI_SUCCESS, "an open info object can be freed");
    }
    demand(the_world.promised_ends.empty(), "the function of every ended registration was called");
    forget_all_objects();
    demand(all.events.plain.listening.load() == 0 && all.events.bound.listening.load() == 0, "nobody listens any more");
}

void begin_everything() {
    mpit::set_report_handler([](const char*) {});
    demand(load_the_library(), "there is memory");
    demand(MPI_T_init_thread(MPI_THREAD_SINGLE, nullptr) == MPI_SUCCESS, "the interface opens");
    facts.learn();
    environment_model();
    demand(MPI_T_finalize() == MPI_SUCCESS, "the interface closes");
}

} // namespace

void act_inside() {
    if (the_world.nesting > world::max_nesting) return;
    static constexpr void (*looks[])() = {&call_event_read, &call_event_copy, &call_event_get_timestamp,
                                          &call_event_get_source};
    for (unsigned calls = the_world.in.number(4); calls > 0 && the_world.actions_left > 0; calls--) {
        if (the_world.in.is_empty()) return;
        if (the_world.in.one_in(2)) the_world.in.one_of(looks)();
        else act();
    }
}

bool has_reached_every_function() {
    bool has_reached_all = true;
    for (std::size_t i = 0; i < known_function_count; i++) {
        const call_count& made = call_counts[i];
        std::printf("%-24s %9ld calls %9ld successes\n", codes_of_functions[i].function.data(), made.calls,
                    made.successes);
        has_reached_all = has_reached_all && made.successes > 0 && made.successes <= made.calls;
    }
    return has_reached_all;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bool has_begun = (begin_everything(), true);
    static_cast<void>(has_begun);
    the_world = world{};
    the_world.in = bytes{data, size};
    the_world.actions_left = 400;
    // Most inputs open the interface and a session first, since little can be done without.
    if (!the_world.in.one_in(8)) {
        demand(MPI_T_init_thread(MPI_THREAD_MULTIPLE, nullptr) == MPI_SUCCESS, "the interface opens");
        the_world.initialized = 1;
        MPI_T_pvar_session session{};
        demand(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "there is memory");
        the_world.sessions.add(session, {});
    }
    while (the_world.actions_left > 0 && !the_world.in.is_empty()) act();
    end_everything();
    return 0;
}
