// The payloads of the runtime's events. A tool sees the members as elements, by the names that they have here.
#pragma once

#include "enumerations.hpp"

#include <mpi.h>

namespace mini {

// Messages of different contexts never meet: each communicator has its own.
struct sent_payload {
    int context;
    int source;
    int tag;
    mini::protocol protocol; // eager or rendezvous, as it was chosen for this message
    unsigned long bytes;
};

struct unexpected_payload {
    int context;
    int source;
    int tag;
    int waiting; // messages that nobody has asked for, with this one
    unsigned long bytes;
};

struct matched_payload {
    int context;
    int source;
    int tag;
    int was_unexpected; // 1 where the message waited for its receive, 0 where the receive waited
    unsigned long bytes;
};

struct completed_payload {
    int context;
    int source;
    int tag;
    int error;
    unsigned long bytes;
};

// Handles are those of this process: a callback can bind to a new communicator at once.
struct created_payload {
    unsigned long handle;
    int context;
    int parent_context;
};

struct named_payload {
    unsigned long handle;
    int context;
    char name[MPI_MAX_OBJECT_NAME]; // as it is stored
};

struct freed_payload {
    unsigned long handle;
    int context;
    unsigned long bytes; // sent on the communicator in all its life
};

} // namespace mini
