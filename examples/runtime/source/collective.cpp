// Collective operations. A communicator has one member, so nothing is exchanged and nothing is combined: the result of
// every operation is the member's own contribution, which is checked, copied where the result belongs, and counted.
#include "communicator.hpp"
#include "datatype.hpp"
#include "variables.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace mini {
namespace {

// One buffer of a collective call.
template <class Address> struct buffer_of {
    Address address;
    int count;
    MPI_Datatype datatype;

    std::size_t bytes() const { return bytes_of(count, datatype); }
    int check() const {
        if (count < 0) return MPI_ERR_COUNT;
        if (size_of(datatype) == 0) return MPI_ERR_TYPE;
        return address != nullptr || count == 0 ? MPI_SUCCESS : MPI_ERR_BUFFER;
    }
};
using input = buffer_of<const void*>;
using output = buffer_of<void*>;

int check_operation(MPI_Op operation) {
    const MPI_Op predefined[] = {MPI_SUM,  MPI_MIN,  MPI_MAX, MPI_PROD, MPI_BAND,   MPI_BOR,
                                 MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_MINLOC, MPI_MAXLOC};
    return std::ranges::find(predefined, operation) != std::end(predefined) ? MPI_SUCCESS : MPI_ERR_OP;
}

void count_call(MPI_Comm comm, std::size_t bytes) {
    ++variables.collectives.calls;
    variables.collectives.bytes += static_cast<double>(bytes);
    ++variables.per_object.communicator_collectives[comm];
}

// Copies the contribution to its place, unless the caller passes MPI_IN_PLACE, where it is there already.
int contribute(MPI_Comm comm, const input& from, const output& into) {
    const communicator* const where = find(comm);
    const bool in_place = from.address == MPI_IN_PLACE;
    if (const int wrong = first_error({check_communicator(where), into.check(), in_place ? MPI_SUCCESS : from.check()}))
        return raise(where, wrong);
    if (!in_place) {
        if (from.bytes() > into.bytes()) return raise(where, MPI_ERR_TRUNCATE);
        if (from.bytes() > 0) std::memmove(into.address, from.address, from.bytes());
    }
    count_call(comm, into.bytes());
    return MPI_SUCCESS;
}

int combine(MPI_Comm comm, MPI_Op operation, int root, const input& from, const output& into) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_operation(operation), check_root(root)}))
        return raise(where, wrong);
    return contribute(comm, from, into);
}

} // namespace
} // namespace mini

using namespace mini;

// The only member of the communicator has arrived.
int PMPI_Barrier(MPI_Comm comm) {
    const communicator* const where = find(comm);
    if (const int wrong = check_communicator(where)) return raise(where, wrong);
    count_call(comm, 0);
    return MPI_SUCCESS;
}

int PMPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_root(root)})) return raise(where, wrong);
    return contribute(comm, {MPI_IN_PLACE, count, datatype}, {buffer, count, datatype});
}

int PMPI_Reduce(const void* send_buffer, void* receive_buffer, int count, MPI_Datatype datatype, MPI_Op operation,
                int root, MPI_Comm comm) {
    return combine(comm, operation, root, {send_buffer, count, datatype}, {receive_buffer, count, datatype});
}

int PMPI_Allreduce(const void* send_buffer, void* receive_buffer, int count, MPI_Datatype datatype, MPI_Op operation,
                   MPI_Comm comm) {
    return combine(comm, operation, 0, {send_buffer, count, datatype}, {receive_buffer, count, datatype});
}

int PMPI_Allgather(const void* send_buffer, int send_count, MPI_Datatype send_type, void* receive_buffer,
                   int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
    return contribute(comm, {send_buffer, send_count, send_type}, {receive_buffer, receive_count, receive_type});
}

int PMPI_Alltoall(const void* send_buffer, int send_count, MPI_Datatype send_type, void* receive_buffer,
                  int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
    return contribute(comm, {send_buffer, send_count, send_type}, {receive_buffer, receive_count, receive_type});
}

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Barrier")]] decltype(PMPI_Barrier) MPI_Barrier;
[[gnu::weak, gnu::alias("PMPI_Bcast")]] decltype(PMPI_Bcast) MPI_Bcast;
[[gnu::weak, gnu::alias("PMPI_Reduce")]] decltype(PMPI_Reduce) MPI_Reduce;
[[gnu::weak, gnu::alias("PMPI_Allreduce")]] decltype(PMPI_Allreduce) MPI_Allreduce;
[[gnu::weak, gnu::alias("PMPI_Allgather")]] decltype(PMPI_Allgather) MPI_Allgather;
[[gnu::weak, gnu::alias("PMPI_Alltoall")]] decltype(PMPI_Alltoall) MPI_Alltoall;
}
