// The variables of the runtime, as tools see them: one tree, a category for each topic. Nothing else declares any; the
// other files move them by name where the facts that they show change.
//
//   ++variables.messages.sent;    if (bytes <= variables.eager.limit) …
#pragma once

#include <mpi.h>
#include <mpit/mpit.hpp>

#include <cstddef>
#include <string>

namespace mini {

// How a message travels: by its length, or always in one way.
enum class protocol { automatic, eager, rendezvous };

// What the engine's queues hold: nothing, receives that wait for messages, or messages that wait for receives.
enum class engine_state { closed, idle, expecting, backlogged };

} // namespace mini

template <>
inline constexpr auto mpit::enumeration_of<mini::protocol> =
    mpit::enumerators<mini::protocol>("protocol", {{"automatic", mini::protocol::automatic},
                                                   {"eager", mini::protocol::eager},
                                                   {"rendezvous", mini::protocol::rendezvous}});
template <>
inline constexpr auto mpit::enumeration_of<mini::engine_state> =
    mpit::enumerators<mini::engine_state>("engine_state", {{"closed", mini::engine_state::closed},
                                                           {"idle", mini::engine_state::idle},
                                                           {"expecting", mini::engine_state::expecting},
                                                           {"backlogged", mini::engine_state::backlogged}});

namespace mini {

// What the variables below ask of the runtime; see variables.cpp.
unsigned long communicators_alive();
unsigned long requests_alive();
void describe_queues(char (&words)[64]);
mpit::counter_cell* bytes_cell_of(MPI_Comm comm);
mpit::reply before_the_start(const mpit::count&);
bool are_ascending(const mpit::elements<int, 2>& bounds);

using mpit::verbosity;

// The plainest variables come first: many tools stop at the first one that they do not understand. One value comes
// before several and before texts, and what is bound to objects comes last.
// clang-format off
struct runtime_variables : mpit::category<"mini", "The miniature MPI runtime"> {
    struct : mpit::category<"mini_messages", "Messages between threads"> {
        mpit::counter<> sent{this, "messages_sent", "Messages that a send was called for"};
        mpit::counter<> received{this, "messages_received", "Messages that reached the buffer of a receive"};
        mpit::aggregate<> bytes_sent{this, "bytes_sent", "Bytes of the messages sent"};
        mpit::aggregate<> bytes_received{this, "bytes_received", "Bytes that reached the buffers of receives"};
        mpit::generic<mpit::count> balance{
            this, "message_balance", "Messages sent minus messages received",
            {.verbosity = verbosity::user_all}};
    } messages{this};

    struct : mpit::category<"mini_eager", "Messages that are sent at once"> {
        mpit::control<int> limit{
            this, "MINI_EAGER_LIMIT",
            "Largest message in bytes that is sent at once; an unexpected one is copied into a buffer. May change at "
            "any time.",
            {.initial = {4096, 0, 1 << 30}, .verbosity = verbosity::tuner_basic}};
        mpit::counter<> messages{
            this, "eager_messages", "Messages that travelled eagerly",
            {.verbosity = verbosity::tuner_basic}};
    } eager{this};

    struct : mpit::category<"mini_rendezvous", "Messages that wait for their receiver"> {
        mpit::control<unsigned long long> copy_piece{
            this, "MINI_COPY_PIECE", "Messages are copied in pieces of this many bytes; 0 copies them whole",
            {.initial = 0, .verbosity = verbosity::developer_detail}};
        mpit::counter<> messages{
            this, "rendezvous_messages", "Messages that travelled by rendezvous",
            {.verbosity = verbosity::tuner_basic}};
    } rendezvous{this};

    struct : mpit::category<"mini_buffers", "Buffers of messages that came before their receive"> {
        mpit::control<unsigned long> spare_limit{
            this, "MINI_SPARE_BUFFERS", "Empty buffers that are kept for reuse",
            {.initial = 16, .verbosity = verbosity::tuner_detail}};
        mpit::control<mpit::count> limit{
            this, "MINI_BUFFER_LIMIT",
            "Bytes that all buffers may hold; a message without room waits for its receiver. Fixed by MPI_Init.",
            {.initial = {std::int64_t{64} << 20, 0, std::int64_t{1} << 40},
             .verbosity = verbosity::tuner_detail,
             .on_write = &before_the_start}};
        mpit::level<> unexpected_bytes{
            this, "unexpected_bytes", "Bytes that the buffers hold",
            {.verbosity = verbosity::tuner_basic}};
        mpit::size<unsigned long> size{
            this, "buffer_size", "Bytes that the buffers may hold",
            {.verbosity = verbosity::tuner_basic}};
        mpit::percentage<> use{
            this, "buffer_use", "Part of the buffers that is in use",
            {.verbosity = verbosity::tuner_basic}};
        mpit::level<unsigned> spare{
            this, "spare_buffers", "Empty buffers that are kept for reuse",
            {.verbosity = verbosity::developer_basic}};
    } buffers{this};

    struct : mpit::category<"mini_matching", "The queues in which sends and receives find each other"> {
        mpit::level<> unexpected_queue_length{
            this, "unexpected_queue_length", "Messages that nobody has asked for yet",
            {.verbosity = verbosity::tuner_basic, .continuous = true}};
        mpit::high_watermark<> unexpected_queue_longest{
            this, "unexpected_queue_length", "Most messages at once that nobody had asked for yet",
            {.of = &unexpected_queue_length, .verbosity = verbosity::tuner_basic}};
        mpit::low_watermark<> unexpected_queue_shortest{
            this, "unexpected_queue_length", "Fewest messages at once that nobody had asked for yet",
            {.of = &unexpected_queue_length, .verbosity = verbosity::tuner_detail}};
        mpit::level<unsigned> posted_queue_length{
            this, "posted_queue_length", "Receives that wait for a message",
            {.verbosity = verbosity::tuner_basic}};
        mpit::high_watermark<unsigned> posted_queue_longest{
            this, "posted_queue_length", "Most receives at once that waited for a message",
            {.of = &posted_queue_length, .verbosity = verbosity::tuner_basic}};
        mpit::counter<> match_attempts{
            this, "match_attempts", "Entries of a queue that were compared with a message",
            {.verbosity = verbosity::developer_basic, .atomic = false}};
        mpit::state<mini::engine_state> engine_state{
            this, "engine_state", "What the queues hold: nothing, posted receives, or unexpected messages",
            {.initial = mini::engine_state::closed, .verbosity = verbosity::tuner_all, .continuous = true}};
    } matching{this};

    struct : mpit::category<"mini_waiting", "Threads that wait for the end of a message"> {
        mpit::control<unsigned> spin_count{
            this, "MINI_SPIN_COUNT", "Looks at an operation before its thread sleeps",
            {.initial = 100, .verbosity = verbosity::tuner_basic}};
        mpit::control<double> block_seconds{
            this, "MINI_BLOCK_SECONDS", "Longest sleep of a waiting thread before it looks again",
            {.initial = {0.1, 1e-6, 1e6}, .verbosity = verbosity::developer_detail}};
        mpit::timer time_waiting{this, "time_waiting", "Seconds that threads waited for the end of a message"};
        mpit::counter<unsigned long> blocked{
            this, "waits_blocked", "Waits in which the thread went to sleep",
            {.verbosity = verbosity::user_detail}};
    } waiting{this};

    struct : mpit::category<"mini_collectives", "Collective operations"> {
        mpit::counter<> calls{this, "collective_calls", "Collective operations on all communicators"};
        mpit::aggregate<double> bytes{
            this, "collective_bytes", "Bytes of the results of collective operations",
            {.verbosity = verbosity::user_detail}};
    } collectives{this};

    struct : mpit::category<"mini_job", "The process, and what was fixed at its start"> {
        mpit::control<int> abi_version{
            this, "MINI_ABI_VERSION", "Version of the binary interface of MPI",
            {.initial = MPI_ABI_VERSION, .scope = mpit::scope::constant}};
        mpit::control<mini::protocol> protocol{
            this, "MINI_PROTOCOL",
            "How messages travel: automatic (by MINI_EAGER_LIMIT), always eager or always rendezvous. Set in the "
            "environment of the process only.",
            {.initial = mini::protocol::automatic,
             .scope = mpit::scope::readonly,
             .verbosity = verbosity::tuner_basic}};
        mpit::control<char[64]> name{
            this, "MINI_JOB_NAME", "Name of the job, shown in its messages and version",
            {.initial = "miniature", .verbosity = verbosity::user_detail}};
    } job{this};

    struct : mpit::category<"mini_objects", "MPI objects that exist"> {
        mpit::computed<mpit::performance_class::level, unsigned long> communicators{
            this, "communicators", "Communicators that exist",
            {.value = &communicators_alive, .readonly = true, .continuous = true}};
        mpit::computed<mpit::performance_class::level, unsigned long> requests{
            this, "requests", "Requests that their owner has not completed yet",
            {.value = &requests_alive, .readonly = true, .continuous = true}};
        mpit::size<unsigned long> exposed_bytes{
            this, "exposed_bytes", "Bytes in all windows",
            {.verbosity = verbosity::user_detail}};
    } objects{this};

    struct : mpit::category<"mini_sizes", "Messages sent, by their length"> {
        mpit::control<int[2]> bounds{
            this, "MINI_SIZE_BOUNDS", "Longest short and longest medium message, in bytes",
            {.initial = {1024, 65536}, .minimum = 0, .verbosity = verbosity::user_all, .valid = &are_ascending}};
        mpit::counter<unsigned long long[3]> messages{
            this, "messages_by_size", "Messages sent that were short, medium and long",
            {.verbosity = verbosity::user_all}};
    } sizes{this};

    struct : mpit::category<"mini_summary", "The runtime in words"> {
        mpit::computed<mpit::performance_class::generic, char[64]> queues{
            this, "queue_summary", "What the queues hold, in words: messages that nobody has asked for, and receives "
            "that wait for a message",
            {.value = &describe_queues, .verbosity = verbosity::user_detail}};
    } summary{this};

    struct : mpit::category<"mini_per_object", "What is chosen and counted for each MPI object"> {
        // The library keeps a cell for each of these objects, by the value of the handle.
        mpit::control<mini::protocol, MPI_Comm> communicator_protocol{
            this, "MINI_COMM_PROTOCOL",
            "How messages on the communicator travel: automatic (as MINI_PROTOCOL says), always eager or always "
            "rendezvous. A new communicator begins with automatic. May change at any time.",
            {.initial = mini::protocol::automatic, .verbosity = verbosity::tuner_detail}};
        mpit::counter<unsigned long, MPI_Comm> communicator_messages{
            this, "communicator_messages", "Messages sent on the communicator",
            {.verbosity = verbosity::tuner_basic}};
        mpit::counter<unsigned long, MPI_Comm> communicator_collectives{
            this, "communicator_collectives", "Collective operations on the communicator",
            {.verbosity = verbosity::tuner_basic}};
        mpit::counter<unsigned long, MPI_Datatype> datatype_messages{
            this, "datatype_messages", "Messages sent with the datatype",
            {.verbosity = verbosity::tuner_detail}};
        mpit::size<unsigned long, MPI_Win> window_size{
            this, "window_size", "Bytes that the window exposes",
            {.verbosity = verbosity::user_detail}};

        // The runtime keeps this one inside its communicators.
        mpit::aggregate<unsigned long, MPI_Comm> communicator_bytes{
            this, "communicator_bytes", "Bytes sent on the communicator",
            {.verbosity = verbosity::tuner_basic, .locate = &bytes_cell_of}};
    } per_object{this};
};
// clang-format on

} // namespace mini

// The tree itself is compiled once, in variables.cpp, and not in each file that counts.
extern template struct mpit::tree_holder<mini::runtime_variables>;

namespace mini {

inline constexpr auto& variables = mpit::enrolled<runtime_variables>;

inline std::string job_name() { return variables.job.name.get().c_str(); }

} // namespace mini
