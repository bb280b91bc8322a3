// The variables of the runtime, as tools see them: one tree, a category for each topic. Nothing else declares any; the
// other files move them by name where the facts that they show change.
//
//   ++variables.messages.sent;    if (bytes <= variables.eager.limit) …    variables.messages.message_sent(context, …);
#pragma once

#include "payloads.hpp"

#include <mpi.h>
#include <mpit/mpit.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace mini {

// Functions behind the variables below; see variables.cpp.
unsigned long communicators_alive();
unsigned long requests_alive();
void describe_queues(char (&words)[64]);
mpit::counter_cell* bytes_cell_of(MPI_Comm comm);
mpit::reply before_the_start(const mpit::count&);
bool are_ascending(const mpit::elements<int, 2>& bounds);
std::int64_t engine_ticks();

using mpit::verbosity;

// The plainest variables are first: many tools stop at the first one that they do not understand. Single values are
// before arrays and texts, and bound variables are last. Events stand beside the variables of their topic. clang-format
// off
struct runtime_variables : mpit::category<"mini", "The miniature MPI runtime"> {
    struct : mpit::category<"mini_messages", "Messages between threads"> {
        mpit::counter<> sent{this, "messages_sent", "Messages that a send was called for"};
        mpit::counter<> received{this, "messages_received", "Messages that reached the buffer of a receive"};
        mpit::aggregate<> bytes_sent{this, "bytes_sent", "Bytes of the messages sent"};
        mpit::aggregate<> bytes_received{this, "bytes_received", "Bytes that reached the buffers of receives"};
        mpit::generic<mpit::count> balance{
            this, "message_balance", "Messages sent minus messages received", {.verbosity = verbosity::user_all}};
        mpit::event<mini::sent_payload> message_sent{this, "message_sent", "A send was called, and its message starts"};
    } messages{this};

    struct : mpit::category<"mini_eager", "Messages that are sent at once"> {
        mpit::control<int> limit{
            this,
            "MINI_EAGER_LIMIT",
            "Largest message in bytes that is sent at once; an unexpected one is copied into a buffer. May change at "
            "any time.",
            {.initial = {4096, 0, 1 << 30}, .verbosity = verbosity::tuner_basic}};
        mpit::counter<> messages{
            this, "eager_messages", "Messages that travelled eagerly", {.verbosity = verbosity::tuner_basic}};
    } eager{this};

    struct : mpit::category<"mini_rendezvous", "Messages that wait for their receiver"> {
        mpit::control<unsigned long long> copy_piece{
            this,
            "MINI_COPY_PIECE",
            "Messages are copied in pieces of this many bytes; 0 copies them whole",
            {.initial = 0, .verbosity = verbosity::developer_detail}};
        mpit::counter<> messages{this,
                                 "rendezvous_messages",
                                 "Messages that travelled by rendezvous",
                                 {.verbosity = verbosity::tuner_basic}};
    } rendezvous{this};

    struct : mpit::category<"mini_buffers", "Buffers of messages that came before their receive"> {
        mpit::control<unsigned long> spare_limit{this,
                                                 "MINI_SPARE_BUFFERS",
                                                 "Empty buffers that are kept for reuse",
                                                 {.initial = 16, .verbosity = verbosity::tuner_detail}};
        mpit::control<mpit::count> limit{
            this,
            "MINI_BUFFER_LIMIT",
            "Bytes that all buffers may hold; a message without room waits for its receiver. Fixed by MPI_Init.",
            {.initial = {std::int64_t{64} << 20, 0, std::int64_t{1} << 40},
             .verbosity = verbosity::tuner_detail,
             .on_write = &before_the_start}};
        mpit::level<> unexpected_bytes{
            this, "unexpected_bytes", "Bytes that the buffers hold", {.verbosity = verbosity::tuner_basic}};
        mpit::size<unsigned long> size{
            this, "buffer_size", "Bytes that the buffers may hold", {.verbosity = verbosity::tuner_basic}};
        mpit::percentage<> use{
            this, "buffer_use", "Part of the buffers that is in use", {.verbosity = verbosity::tuner_basic}};
        mpit::level<unsigned> spare{
            this, "spare_buffers", "Empty buffers that are kept for reuse", {.verbosity = verbosity::developer_basic}};
    } buffers{this};

    struct : mpit::category<"mini_matching", "The queues in which sends and receives find each other"> {
        mpit::level<> unexpected_queue_length{this,
                                              "unexpected_queue_length",
                                              "Messages that nobody has asked for yet",
                                              {.verbosity = verbosity::tuner_basic, .continuous = true}};
        mpit::high_watermark<> unexpected_queue_longest{
            this,
            "unexpected_queue_length",
            "Most messages at once that nobody had asked for yet",
            {.of = &unexpected_queue_length, .verbosity = verbosity::tuner_basic}};
        mpit::low_watermark<> unexpected_queue_shortest{
            this,
            "unexpected_queue_length",
            "Fewest messages at once that nobody had asked for yet",
            {.of = &unexpected_queue_length, .verbosity = verbosity::tuner_detail}};
        mpit::level<unsigned> posted_queue_length{
            this, "posted_queue_length", "Receives that wait for a message", {.verbosity = verbosity::tuner_basic}};
        mpit::high_watermark<unsigned> posted_queue_longest{
            this,
            "posted_queue_length",
            "Most receives at once that waited for a message",
            {.of = &posted_queue_length, .verbosity = verbosity::tuner_basic}};
        mpit::counter<> match_attempts{this,
                                       "match_attempts",
                                       "Entries of a queue that were compared with a message",
                                       {.verbosity = verbosity::developer_basic, .atomic = false}};
        mpit::state<mini::engine_state> engine_state{
            this,
            "engine_state",
            "What the queues hold: nothing, posted receives, or unexpected messages",
            {.initial = mini::engine_state::closed, .verbosity = verbosity::tuner_all, .continuous = true}};

        // These two are delivered in the order in which the queues changed, for all threads.
        mpit::source engine_clock{this,
                                  "engine_clock",
                                  "Nanoseconds of the system's monotonic clock, in the order of the engine's queues",
                                  {.ordering = mpit::ordering::ordered, .clock = &engine_ticks}};
        mpit::event<mini::unexpected_payload> message_unexpected{
            this,
            "message_unexpected",
            "A message has come that nobody has asked for yet",
            {.source = &engine_clock, .verbosity = verbosity::tuner_basic}};
        mpit::event<mini::matched_payload> message_matched{
            this,
            "message_matched",
            "A message and its receive have found each other",
            {.source = &engine_clock, .verbosity = verbosity::tuner_basic}};
    } matching{this};

    struct : mpit::category<"mini_waiting", "Threads that wait for the end of a message"> {
        mpit::control<unsigned> spin_count{this,
                                           "MINI_SPIN_COUNT",
                                           "Looks at an operation before its thread sleeps",
                                           {.initial = 100, .verbosity = verbosity::tuner_basic}};
        mpit::control<double> block_seconds{this,
                                            "MINI_BLOCK_SECONDS",
                                            "Longest sleep of a waiting thread before it looks again",
                                            {.initial = {0.1, 1e-6, 1e6}, .verbosity = verbosity::developer_detail}};
        mpit::timer time_waiting{this, "time_waiting", "Seconds that threads waited for the end of a message"};
        mpit::counter<unsigned long> blocked{
            this, "waits_blocked", "Waits in which the thread went to sleep", {.verbosity = verbosity::user_detail}};
        mpit::event<mini::completed_payload> request_completed{
            this,
            "request_completed",
            "A non-blocking operation has done its work, and its wait can end",
            {.verbosity = verbosity::user_detail}};
    } waiting{this};

    struct : mpit::category<"mini_collectives", "Collective operations"> {
        mpit::counter<> calls{this, "collective_calls", "Collective operations on all communicators"};
        mpit::aggregate<double> bytes{this,
                                      "collective_bytes",
                                      "Bytes of the results of collective operations",
                                      {.verbosity = verbosity::user_detail}};
    } collectives{this};

    struct : mpit::category<"mini_job", "The process, and what was fixed at its start"> {
        mpit::control<int> abi_version{this,
                                       "MINI_ABI_VERSION",
                                       "Version of the binary interface of MPI",
                                       {.initial = MPI_ABI_VERSION, .scope = mpit::scope::constant}};
        mpit::control<mini::protocol> protocol{
            this,
            "MINI_PROTOCOL",
            "How messages travel: automatic (by MINI_EAGER_LIMIT), always eager or always rendezvous. Set in the "
            "environment of the process only.",
            {.initial = mini::protocol::automatic,
             .scope = mpit::scope::readonly,
             .verbosity = verbosity::tuner_basic}};
        mpit::control<char[64]> name{this,
                                     "MINI_JOB_NAME",
                                     "Name of the job, shown in its messages and version",
                                     {.initial = "miniature", .verbosity = verbosity::user_detail}};
    } job{this};

    struct : mpit::category<"mini_objects", "MPI objects that exist"> {
        mpit::computed<mpit::performance_class::level, unsigned long> communicators{
            this,
            "communicators",
            "Communicators that exist",
            {.value = &communicators_alive, .readonly = true, .continuous = true}};
        mpit::computed<mpit::performance_class::level, unsigned long> requests{
            this,
            "requests",
            "Requests that their owner has not completed yet",
            {.value = &requests_alive, .readonly = true, .continuous = true}};
        mpit::size<unsigned long> exposed_bytes{
            this, "exposed_bytes", "Bytes in all windows", {.verbosity = verbosity::user_detail}};
        mpit::event<mini::created_payload> communicator_created{
            this,
            "communicator_created",
            "A communicator has been made, and can be bound to from now on",
            {.verbosity = verbosity::user_detail}};
    } objects{this};

    struct : mpit::category<"mini_sizes", "Messages sent, by their length"> {
        mpit::control<int[2]> bounds{
            this,
            "MINI_SIZE_BOUNDS",
            "Longest short and longest medium message, in bytes",
            {.initial = {1024, 65536}, .minimum = 0, .verbosity = verbosity::user_all, .valid = &are_ascending}};
        mpit::counter<unsigned long long[3]> messages{
            this,
            "messages_by_size",
            "Messages sent that were short, medium and long",
            {.verbosity = verbosity::user_all, .labels = "short,medium,long"}};
        mpit::histogram<unsigned long> lengths{this, "message_sizes", "Lengths of the messages sent, in bytes"};
        mpit::latency<> latency{
            this,
            "message_latency",
            "Time from the call of a send to the message in the buffer of its receive, in seconds. Measured while a "
            "tool reads it.",
            {.when_watched = true}};
    } sizes{this};

    struct : mpit::category<"mini_summary", "The runtime in words"> {
        mpit::computed<mpit::performance_class::generic, char[64]> queues{
            this,
            "queue_summary",
            "What the queues hold, in words: messages that nobody has asked for, and receives "
            "that wait for a message",
            {.value = &describe_queues, .verbosity = verbosity::user_detail}};
    } summary{this};

    struct : mpit::category<"mini_per_object", "What is chosen and counted for each MPI object"> {
        // The library keeps a cell for each of these objects, by the value of the handle.
        mpit::control<mini::protocol, MPI_Comm> communicator_protocol{
            this,
            "MINI_COMM_PROTOCOL",
            "How messages on the communicator travel: automatic (as MINI_PROTOCOL says), always eager or always "
            "rendezvous. A new communicator begins with automatic. May change at any time.",
            {.initial = mini::protocol::automatic, .verbosity = verbosity::tuner_detail}};
        mpit::counter<unsigned long, MPI_Comm> communicator_messages{
            this, "communicator_messages", "Messages sent on the communicator", {.verbosity = verbosity::tuner_basic}};
        mpit::counter<unsigned long, MPI_Comm> communicator_collectives{this,
                                                                        "communicator_collectives",
                                                                        "Collective operations on the communicator",
                                                                        {.verbosity = verbosity::tuner_basic}};
        mpit::counter<unsigned long, MPI_Datatype> datatype_messages{
            this, "datatype_messages", "Messages sent with the datatype", {.verbosity = verbosity::tuner_detail}};
        mpit::size<unsigned long, MPI_Win> window_size{
            this, "window_size", "Bytes that the window exposes", {.verbosity = verbosity::user_detail}};

        // The runtime keeps this one inside its communicators.
        mpit::aggregate<unsigned long, MPI_Comm> communicator_bytes{
            this,
            "communicator_bytes",
            "Bytes sent on the communicator",
            {.verbosity = verbosity::tuner_basic, .locate = &bytes_cell_of}};

        mpit::histogram<unsigned long, mpit::buckets{}, MPI_Comm> communicator_sizes{
            this,
            "communicator_message_sizes",
            "Lengths of the messages sent on the communicator, in bytes. Counted while a tool reads them.",
            {.verbosity = verbosity::tuner_basic, .when_watched = true}};
        mpit::latency<mpit::buckets{.scale = 2, .lowest = 6, .highest = 34}, MPI_Comm> communicator_latency{
            this,
            "communicator_message_latency",
            "Time from the call of a send on the communicator to the message in the buffer of its receive, in seconds. "
            "Measured while a tool reads it.",
            {.verbosity = verbosity::tuner_basic, .when_watched = true}};

        mpit::event<mini::named_payload, MPI_Comm> communicator_named{
            this, "communicator_named", "The communicator has got a name", {.verbosity = verbosity::user_detail}};
        mpit::event<mini::freed_payload, MPI_Comm> communicator_freed{
            this, "communicator_freed", "The communicator is about to be freed", {.verbosity = verbosity::user_detail}};
    } per_object{this};
};
// clang-format on

} // namespace mini

// The tree itself is compiled once, in variables.cpp, and not in each file that counts.
extern template struct mpit::tree_holder<mini::runtime_variables>;

namespace mini {

inline constexpr auto& variables = mpit::registered<runtime_variables>;

inline std::string job_name() {
    const auto name = variables.job.name.get();
    return name.c_str();
}

} // namespace mini
