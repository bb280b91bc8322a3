// The variables of the layer that a tool can read and change. This is all that its author writes to be served by every
// MPI_T tool; the members are used in fabric.cpp like numbers.
#pragma once

#include <mpit/mpit.hpp>

struct fabric_variables : mpit::category<"fabric", "A small messaging layer over libfabric"> {
    // Tunables: each of them is looked at again whenever it matters, so that a tool can change it while messages
    // travel.
    mpit::control<char[128]> provider{this,
                                      "FABRIC_PROVIDER",
                                      "Providers of libfabric that open() tries, in this order",
                                      {.initial = "tcp;ofi_rxm shm udp;ofi_rxd sockets"}};
    mpit::control<char[64]> address{
        this, "FABRIC_ADDRESS", "Address of the network that open() uses; empty for any", {.initial = "127.0.0.1"}};
    mpit::control<int> queue_limit{this,
                                   "FABRIC_QUEUE_LIMIT",
                                   "Messages under way at once before send() answers false",
                                   {.initial = {64, 1, 4096}, .verbosity = mpit::verbosity::tuner_basic}};
    mpit::control<int> inject_limit{
        this,
        "FABRIC_INJECT_LIMIT",
        "Largest message that is copied and not waited for, in bytes; the provider may allow less",
        {.initial = {64, 0, 1 << 16}, .verbosity = mpit::verbosity::tuner_basic}};
    mpit::control<int> progress_batch{this,
                                      "FABRIC_PROGRESS_BATCH",
                                      "Completions that progress() takes at once",
                                      {.initial = {16, 1, 64}, .verbosity = mpit::verbosity::tuner_detail}};

    mpit::counter<> messages_sent{this, "fabric_messages_sent", "Messages sent"};
    mpit::counter<> messages_received{this, "fabric_messages_received", "Messages received"};
    mpit::counter<> messages_injected{this, "fabric_messages_injected", "Messages sent by copying them"};
    mpit::aggregate<> bytes_sent{this, "fabric_bytes_sent", "Bytes sent"};
    mpit::aggregate<> bytes_received{this, "fabric_bytes_received", "Bytes received"};
    mpit::counter<> completions{this, "fabric_completions", "Entries taken from completion queues"};
    mpit::counter<> retries{this, "fabric_retries", "Operations that libfabric wants to be tried again (EAGAIN)"};
    mpit::counter<> refusals{this, "fabric_refusals", "Calls of send() that found the queue full"};
    mpit::level<> queued{this, "fabric_queue", "Messages under way"};
    mpit::high_watermark<> most_queued{this, "fabric_queue", "Most messages under way at once", {.of = &queued}};
    mpit::timer progressing{this, "fabric_time_progress", "Time spent in progress(), in seconds"};
};
// The library has the tree, in fabric.cpp, and exports it: a program that reads a variable uses the same one.
[[gnu::visibility("default")]] extern mpit::shared_tree<fabric_variables> fabric_tree;
inline constexpr auto& variables = mpit::shared<fabric_tree>;
