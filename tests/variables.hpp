// A tree with one variable of every type, class, scope, verbosity and binding, and events of every payload and source,
// for tests that look at the library through the standard functions. A test that needs something else declares a tree
// of its own beside it.
#pragma once

#include <mpit/mpit.hpp>

#include <atomic>

enum class colour { red = -5, green = 100, blue = 7 };
template <>
inline constexpr auto mpit::enumeration_of<colour> =
    mpit::enumerators<colour>("colour", {{"red", colour::red}, {"green", colour::green}, {"blue", colour::blue}});

// Another enumeration with an item of the same name.
enum class lamp { off, red };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"red", lamp::red}});

// Handles of objects: any value but null is the handle of an object that was announced.
using communicator = MPI_ABI_Comm*;
template <class Handle> Handle handle_number(std::uintptr_t n) { return reinterpret_cast<Handle>(n); }

inline bool phase_is_open = false;

// Payloads of events.
struct message_payload {
    int source;
    int tag;
    unsigned long bytes;
};
struct number_payload {
    int number;
};
struct empty_payload {};
struct payload_of_all_types {
    char letter;
    int of_int;
    unsigned of_unsigned;
    unsigned long of_unsigned_long;
    unsigned long long of_unsigned_long_long;
    double of_double;
    mpit::exact<std::int32_t> of_int32;
    mpit::exact<std::int64_t> of_int64;
    mpit::exact<std::uint32_t> of_uint32;
    mpit::exact<std::uint64_t> of_uint64;
    mpit::count of_count;
    colour of_colour;
    char text[5];
    double pair[2];
};

// The time of the sources whose clocks the tests drive.
inline std::atomic<std::int64_t> ticks_of_ordered{0}, ticks_of_wrapping{0};

struct everything : mpit::category<"everything", "One of each"> {
    struct : mpit::category<"controls", "Control variables of every type and scope"> {
        mpit::control<int> plain{this, "C_INT", "A number", {.initial = 5}};
        mpit::control<unsigned> of_unsigned{this, "C_UNSIGNED", "A number"};
        mpit::control<unsigned long> of_unsigned_long{this, "C_UNSIGNED_LONG", "A number"};
        mpit::control<unsigned long long> of_unsigned_long_long{this, "C_UNSIGNED_LONG_LONG", "A number"};
        mpit::control<double> of_double{this, "C_DOUBLE", "A number", {.initial = 0.5}};
        mpit::control<mpit::exact<std::int32_t>> of_int32{this, "C_INT32", "A number"};
        mpit::control<mpit::exact<std::int64_t>> of_int64{this, "C_INT64", "A number"};
        mpit::control<mpit::exact<std::uint32_t>> of_uint32{this, "C_UINT32", "A number"};
        mpit::control<mpit::exact<std::uint64_t>> of_uint64{this, "C_UINT64", "A number"};
        mpit::control<mpit::count> of_count{this, "C_COUNT", "A number"};
        mpit::control<char[32]> text{this, "C_TEXT", "A text", {.initial = "hello"}};
        mpit::control<int[4]> array{this, "C_ARRAY", "Four numbers", {.initial = {1, 2, 3, 4}}};
        mpit::control<int> ranged{this, "C_RANGED", "From 0 to 100", {.initial = {50, 0, 100}}};
        mpit::control<colour> enumerated{this, "C_COLOUR", "A colour", {.initial = colour::green}};
        mpit::control<int> undescribed{this, "C_UNDESCRIBED", ""};
        mpit::control<int> constant{
            this, "C_CONSTANT", "Never changes", {.initial = 42, .scope = mpit::scope::constant}};
        mpit::control<int> readonly{
            this, "C_READONLY", "Changed by the library alone", {.scope = mpit::scope::readonly}};
        mpit::control<int> of_group{
            this, "C_GROUP", "Written alike by the processes of a node", {.scope = mpit::scope::group}};
        mpit::control<int> of_group_equal{this,
                                          "C_GROUP_EQ",
                                          "Written with one value by the processes of a node",
                                          {.scope = mpit::scope::group_equal}};
        mpit::control<int> of_all{this, "C_ALL", "Written alike by all processes", {.scope = mpit::scope::all}};
        mpit::control<int> of_all_equal{
            this, "C_ALL_EQ", "Written with one value by all processes", {.scope = mpit::scope::all_equal}};
        mpit::control<int> in_phases{this, "C_PHASE", "Can be written in the open phase", {.on_write = [](const int&) {
            return phase_is_open ? mpit::reply::accepted : mpit::reply::not_now;
        }}};
        mpit::control<int> frozen{
            this, "C_FROZEN", "Refuses every write", {.on_write = [](const int&) { return mpit::reply::never; }}};
        mpit::control<int> even{
            this, "C_EVEN", "Even numbers", {.valid = [](const int& value) { return value % 2 == 0; }}};
        mpit::control<int, communicator> bound{this, "C_BOUND", "One value a communicator", {.initial = 7}};
        mpit::control<int[8], communicator> bound_array{
            this, "C_BOUND_ARRAY", "As many elements as the last digit of the handle", {.count = [](communicator c) {
            return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(c) & 7);
        }}};
    } controls{this};

    struct : mpit::category<"performances", "Performance variables of every class"> {
        mpit::counter<> counter{this, "p_counter", "Events"};
        mpit::counter<unsigned> counter_unsigned{this, "p_counter_unsigned", "Events"};
        mpit::counter<unsigned long[4]> counters{this, "p_counters", "Events of four kinds"};
        mpit::aggregate<> aggregate{this, "p_aggregate", "Amounts"};
        mpit::aggregate<double> aggregate_double{this, "p_aggregate_double", "Amounts"};
        mpit::timer timer{this, "p_timer", "Time, in seconds"};
        mpit::timer_of<unsigned long long> timer_integer{this, "p_timer_integer", "Time, in nanoseconds"};
        mpit::level<unsigned long> level{this, "p_queue", "Entries in the queue"};
        mpit::size<unsigned long> size{this, "p_queue", "Room of the queue", {.initial = 64}};
        mpit::high_watermark<unsigned long> highest{this, "p_queue", "Longest queue", {.of = &level}};
        mpit::low_watermark<unsigned long> lowest{this, "p_queue", "Shortest queue", {.of = &level}};
        mpit::high_watermark<double> own_high{
            this, "p_own_high", "A watermark with a level of its own", {.initial = 1.0}};
        mpit::low_watermark<unsigned> own_low{
            this, "p_own_low", "A watermark with a level of its own", {.initial = 10}};
        mpit::percentage<> percentage{this, "p_percentage", "Use of the queue", {.initial = 0.25}};
        mpit::state<colour> state{this, "p_state", "A colour", {.initial = colour::blue}};
        mpit::generic<mpit::count> generic{this, "p_generic", "Begins at 100", {.initial = 100}};
        mpit::generic<mpit::exact<std::int32_t>> generic_int32{this, "p_generic_int32", "A number"};
        mpit::computed<mpit::performance_class::level, unsigned long> computed{
            this, "p_computed", "The answer", {.value = [] { return 42ul; }}};
        mpit::computed<mpit::performance_class::generic, char[16]> computed_text{
            this, "p_computed_text", "A text", {.value = [](char (&to)[16]) { to[0] = 'x'; }}};
        mpit::counter<> continuous{this, "p_continuous", "Always counting", {.continuous = true}};
        mpit::counter<> readonly{this, "p_readonly", "Read by tools, and no more", {.readonly = true}};
        mpit::counter<> not_atomic{this, "p_not_atomic", "Not read and reset in one step", {.atomic = false}};
    } performances{this};

    struct : mpit::category<"bound", "Counters bound to every kind of object"> {
        mpit::counter<unsigned long, MPI_ABI_Comm*> comm{this, "b_comm", "A communicator's"};
        mpit::counter<unsigned long, MPI_ABI_Datatype*> datatype{this, "b_datatype", "A datatype's"};
        mpit::counter<unsigned long, MPI_ABI_Errhandler*> errhandler{this, "b_errhandler", "An error handler's"};
        mpit::counter<unsigned long, MPI_ABI_File*> file{this, "b_file", "A file's"};
        mpit::counter<unsigned long, MPI_ABI_Group*> group{this, "b_group", "A group's"};
        mpit::counter<unsigned long, MPI_ABI_Op*> op{this, "b_op", "An operator's"};
        mpit::counter<unsigned long, MPI_ABI_Request*> request{this, "b_request", "A request's"};
        mpit::counter<unsigned long, MPI_ABI_Win*> win{this, "b_win", "A window's"};
        mpit::counter<unsigned long, MPI_ABI_Message*> message{this, "b_message", "A message's"};
        mpit::counter<unsigned long, MPI_ABI_Info*> info{this, "b_info", "An info object's"};
        mpit::counter<unsigned long, MPI_ABI_Session*> session{this, "b_session", "A session's"};
        mpit::high_watermark<unsigned long, MPI_ABI_Comm*> watermark{this, "b_watermark",
                                                                     "A communicator's longest queue"};
        mpit::counter<unsigned long, mpit::object<mpit::binding::communicator, int>> named{
            this, "b_named", "A communicator's, where its handle is an int"};
    } bound{this};

    struct : mpit::category<"verbosities", "One counter of every verbosity"> {
        mpit::counter<> user_basic{this, "v_user_basic", "For users", {.verbosity = mpit::verbosity::user_basic}};
        mpit::counter<> user_detail{this, "v_user_detail", "For users", {.verbosity = mpit::verbosity::user_detail}};
        mpit::counter<> user_all{this, "v_user_all", "For users", {.verbosity = mpit::verbosity::user_all}};
        mpit::counter<> tuner_basic{this, "v_tuner_basic", "For tuners", {.verbosity = mpit::verbosity::tuner_basic}};
        mpit::counter<> tuner_detail{
            this, "v_tuner_detail", "For tuners", {.verbosity = mpit::verbosity::tuner_detail}};
        mpit::counter<> tuner_all{this, "v_tuner_all", "For tuners", {.verbosity = mpit::verbosity::tuner_all}};
        mpit::counter<> developer_basic{
            this, "v_developer_basic", "For developers", {.verbosity = mpit::verbosity::developer_basic}};
        mpit::counter<> developer_detail{
            this, "v_developer_detail", "For developers", {.verbosity = mpit::verbosity::developer_detail}};
        mpit::counter<> developer_all{
            this, "v_developer_all", "For developers", {.verbosity = mpit::verbosity::developer_all}};
    } verbosities{this};

    struct : mpit::category<"events", "Events of every payload, binding and source"> {
        mpit::source in_order{this,
                              "s_ordered",
                              "A clock that the tests drive",
                              {.ordering = mpit::ordering::ordered, .ticks_per_second = 1000, .clock = [] {
            return ticks_of_ordered.load();
        }}};
        mpit::source without_clock{
            this, "s_clockless", "Tools cannot ask for the time", {.ticks_per_second = 1'000'000}};
        mpit::source wrapping{
            this,
            "s_wrapping",
            "A clock that begins again after 1000",
            {.ticks_per_second = 10, .max_ticks = 1000, .clock = [] { return ticks_of_wrapping.load(); }}};

        mpit::event<message_payload> plain{this, "e_plain", "A message came"};
        mpit::event<payload_of_all_types> all_types{
            this,
            "e_all_types",
            "An element of every type",
            {.source = mpit::steady_clock, .verbosity = mpit::verbosity::tuner_all}};
        mpit::event<empty_payload> empty{this, "e_empty", "Nothing is told but that it happened"};
        mpit::event<number_payload> ordered{
            this, "e_ordered", "Stamped by the clock of the tests", {.source = &in_order}};
        mpit::event<number_payload> ordered_too{
            this, "e_ordered_too", "Stamped by the same clock", {.source = &in_order}};
        mpit::event<number_payload> clockless{this, "e_clockless", "", {.source = &without_clock}};
        mpit::event<number_payload> wrapped{this, "e_wrapping", "Stamped by a clock that wraps", {.source = &wrapping}};
        mpit::event<number_payload, communicator> bound{this, "e_bound", "Something happened to a communicator"};
    } events{this};
};
#ifdef MPIT_TESTS_OWN_TREE // a test that compiles the library otherwise than the others
inline constexpr auto& all = mpit::registered<everything>;
#else // constructed in variables.cpp, so that a test compiles what it uses of the tree and nothing else
extern everything& all;
// Each program with this header is linked with variables.cpp, also where it knows the variables by their names alone.
extern const char is_tree_of_tests;
[[gnu::used]] inline const char* const tree_of_tests = &is_tree_of_tests;
#endif
