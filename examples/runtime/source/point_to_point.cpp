// Messages between threads of the process: MPI_Send, MPI_Recv and their non-blocking forms. A call checks its
// arguments, counts itself, chooses how its message travels, and leaves the rest to the engine.
#include "communicator.hpp"
#include "datatype.hpp"
#include "request.hpp"
#include "variables.hpp"

#include <algorithm>

namespace mini {
namespace {

int check_data(const void* buffer, int count, MPI_Datatype datatype) {
    if (count < 0) return MPI_ERR_COUNT;
    if (size_of(datatype) == 0) return MPI_ERR_TYPE;
    return buffer != nullptr || count == 0 ? MPI_SUCCESS : MPI_ERR_BUFFER;
}

int check_destination(int rank) { return rank == 0 || rank == MPI_PROC_NULL ? MPI_SUCCESS : MPI_ERR_RANK; }
int check_source(int rank) { return rank == MPI_ANY_SOURCE ? MPI_SUCCESS : check_destination(rank); }

int check_send_tag(int tag) { return tag >= 0 ? MPI_SUCCESS : MPI_ERR_TAG; }
int check_receive_tag(int tag) { return tag == MPI_ANY_TAG ? MPI_SUCCESS : check_send_tag(tag); }

// A message to or from MPI_PROC_NULL is over before it begins (MPI-5.0, 3.10).
constexpr transfer no_message{.label = {.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG}};

transfer outgoing(const void* buffer, std::size_t bytes, int tag, const communicator& where) {
    return {.label = {.context = where.context, .source = 0, .tag = tag},
            .send_from = static_cast<const std::byte*>(buffer),
            .bytes = bytes,
            .handler = handler_of(&where)};
}

transfer incoming(void* buffer, std::size_t room, int source, int tag, const communicator& where) {
    return {.label = {.context = where.context, .source = source, .tag = tag},
            .receive_into = static_cast<std::byte*>(buffer),
            .bytes = room,
            .handler = handler_of(&where)};
}

// Short, medium or long.
std::size_t size_class_of(std::size_t bytes) {
    const auto bounds = variables.sizes.bounds.get();
    return static_cast<std::size_t>(
        std::ranges::count_if(bounds, [&](int bound) { return bytes > static_cast<std::size_t>(bound); }));
}

void count_sent(std::size_t bytes, MPI_Datatype datatype, MPI_Comm comm) {
    ++variables.messages.sent;
    variables.messages.bytes_sent += bytes;
    variables.messages.balance += 1;
    ++variables.sizes.messages[size_class_of(bytes)];
    variables.sizes.lengths.record(bytes);
    ++variables.per_object.communicator_messages[comm];
    variables.per_object.communicator_bytes[comm] += bytes;
    variables.per_object.communicator_sizes[comm].record(bytes);
    ++variables.per_object.datatype_messages[datatype];
}

// Reads the clock only while a tool reads a latency.
void note_departure(operation& sender, MPI_Comm comm) {
    if (variables.sizes.latency.is_watched() || variables.per_object.communicator_latency.is_watched())
        sender.departed = {.time = static_cast<std::uint64_t>(engine_ticks()), .comm = comm};
}

// The communicator decides first, then the process, and where both leave it open the length of the message.
protocol protocol_of(std::size_t bytes, MPI_Comm comm) {
    protocol chosen = variables.per_object.communicator_protocol[comm];
    if (chosen == protocol::automatic) chosen = variables.job.protocol;
    if (chosen != protocol::automatic) return chosen;
    return bytes <= static_cast<std::size_t>(variables.eager.limit) ? protocol::eager : protocol::rendezvous;
}

// Counts a message, raises its event and passes it to the engine. Nothing is locked, so callbacks run at once.
void start(operation& sender, MPI_Datatype datatype, MPI_Comm comm) {
    const protocol chosen = protocol_of(sender.bytes, comm);
    count_sent(sender.bytes, datatype, comm);
    note_departure(sender, comm);
    variables.messages.message_sent(sender.label.context, sender.label.source, sender.label.tag, chosen, sender.bytes);
    send(sender, chosen == protocol::eager);
}

} // namespace
} // namespace mini

using namespace mini;

int PMPI_Send(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_data(buffer, count, datatype),
                                       check_destination(destination), check_send_tag(tag)}))
        return raise(where, wrong);
    if (destination == MPI_PROC_NULL) return MPI_SUCCESS;

    operation sender{outgoing(buffer, bytes_of(count, datatype), tag, *where)};
    start(sender, datatype, comm);
    wait_for(sender);
    return MPI_SUCCESS;
}

int PMPI_Recv(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_data(buffer, count, datatype),
                                       check_source(source), check_receive_tag(tag)}))
        return raise(where, wrong);
    if (source == MPI_PROC_NULL) {
        write_status(no_message, status);
        return MPI_SUCCESS;
    }

    operation receiver{incoming(buffer, bytes_of(count, datatype), source, tag, *where)};
    receive(receiver);
    wait_for(receiver);
    write_status(receiver, status);
    return raise(receiver.handler, receiver.error);
}

int PMPI_Isend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
               MPI_Request* request) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_data(buffer, count, datatype),
                                       check_destination(destination), check_send_tag(tag), check_output(request)}))
        return raise(where, wrong);
    if (destination == MPI_PROC_NULL) return raise(where, open_finished_request(no_message, request));

    operation* const sender = open_request(outgoing(buffer, bytes_of(count, datatype), tag, *where), request);
    if (sender == nullptr) return raise(where, MPI_ERR_NO_MEM);
    start(*sender, datatype, comm);
    return MPI_SUCCESS;
}

int PMPI_Irecv(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Request* request) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_data(buffer, count, datatype),
                                       check_source(source), check_receive_tag(tag), check_output(request)}))
        return raise(where, wrong);
    if (source == MPI_PROC_NULL) return raise(where, open_finished_request(no_message, request));

    operation* const receiver = open_request(incoming(buffer, bytes_of(count, datatype), source, tag, *where), request);
    if (receiver == nullptr) return raise(where, MPI_ERR_NO_MEM);
    receive(*receiver);
    return MPI_SUCCESS;
}

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Send")]] decltype(PMPI_Send) MPI_Send;
[[gnu::weak, gnu::alias("PMPI_Recv")]] decltype(PMPI_Recv) MPI_Recv;
[[gnu::weak, gnu::alias("PMPI_Isend")]] decltype(PMPI_Isend) MPI_Isend;
[[gnu::weak, gnu::alias("PMPI_Irecv")]] decltype(PMPI_Irecv) MPI_Irecv;
}
