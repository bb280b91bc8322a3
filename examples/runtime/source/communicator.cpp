// Communicators: MPI_COMM_WORLD and MPI_COMM_SELF live as long as the library, the others in a pool. Each birth and
// death is told to the tool interface, which keeps one cell per communicator for the variables that are bound to one,
// and raised as an event, where nothing is locked: callbacks may use the communicator.
#include "communicator.hpp"

#include "hints.hpp"
#include "pool.hpp"
#include "request.hpp"
#include "variables.hpp"
#include "world.hpp"

#include <string_view>

namespace mini {
namespace {

using communicator_pool = pool<communicator, MPI_Comm, 1024>;

constinit communicator_pool communicators;
constinit communicator world_communicator{.context = 0, .name = {"MPI_COMM_WORLD"}};
constinit communicator self_communicator{.context = 1, .name = {"MPI_COMM_SELF"}};
constinit std::atomic<int> next_context{2};

// A new communicator with the error handler of its parent and no name; Returns MPI_COMM_NULL if the pool is full.
MPI_Comm born_from(const communicator& parent) {
    communicator* const child = communicators.claim([&](communicator& fresh) {
        fresh.context = next_context++;
        fresh.handler = handler_of(&parent);
        fresh.bytes.reset(0);
        static_cast<void>(fresh.name.set("")); // nobody else has it
    });
    if (child == nullptr) return MPI_COMM_NULL;
    const MPI_Comm handle = communicator_pool::handle_of(*child);
    mpit::created(variables, handle);
    return handle;
}

unsigned long number_of(MPI_Comm comm) { return reinterpret_cast<unsigned long>(comm); }

int duplicate(const communicator& parent, MPI_Comm* copy) {
    const MPI_Comm child = born_from(parent);
    *copy = child;
    if (child == MPI_COMM_NULL) return MPI_ERR_NO_MEM;
    variables.objects.communicator_created(number_of(child), find(child)->context.load(), parent.context.load());
    return MPI_SUCCESS;
}

} // namespace

communicator* find(MPI_Comm handle) noexcept {
    if (handle == MPI_COMM_WORLD) return &world_communicator;
    if (handle == MPI_COMM_SELF) return &self_communicator;
    return communicators.find(handle);
}

std::size_t communicator_count() noexcept { return communicators.alive_count() + 2; }

int check_communicator(const communicator* where) {
    if (!world_is_open()) return MPI_ERR_OTHER;
    return where != nullptr ? MPI_SUCCESS : MPI_ERR_COMM;
}

// A predefined communicator holds no handler until one is set.
MPI_Errhandler handler_of(const communicator* where) {
    const MPI_Errhandler handler = (where != nullptr ? where : &self_communicator)->handler;
    return handler != nullptr ? handler : MPI_ERRORS_ARE_FATAL;
}

object_name* object_names::find(MPI_Comm comm, int& code) {
    communicator* const where = mini::find(comm);
    code = check_communicator(where);
    return code == MPI_SUCCESS ? &where->name : nullptr;
}
int object_names::call_errhandler(MPI_Comm comm, int code) { return raise(mini::find(comm), code); }
void object_names::named(MPI_Comm comm, const char* name) {
    named_payload named{.handle = number_of(comm), .context = mini::find(comm)->context, .name = {}};
    std::string_view{name}.copy(named.name, sizeof named.name - 1);
    variables.per_object.communicator_named[comm](named);
}

} // namespace mini

using namespace mini;

int PMPI_Comm_rank(MPI_Comm comm, int* rank) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_output(rank)})) return raise(where, wrong);
    *rank = 0;
    return MPI_SUCCESS;
}

int PMPI_Comm_size(MPI_Comm comm, int* size) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_output(size)})) return raise(where, wrong);
    *size = 1;
    return MPI_SUCCESS;
}

int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_output(copy)})) return raise(where, wrong);
    return raise(where, duplicate(*where, copy));
}

int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm* copy, MPI_Request* request) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_output(copy), check_output(request)}))
        return raise(where, wrong);
    // A communicator with one member needs no agreement: the copy is there at once, and so is the request's end.
    if (const int wrong = first_error({duplicate(*where, copy), open_finished_request(nothing, request)}))
        return raise(where, wrong);
    return MPI_SUCCESS;
}

int PMPI_Comm_split(MPI_Comm comm, int color, int /*key*/, MPI_Comm* part) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_output(part)})) return raise(where, wrong);
    if (color < 0 && color != MPI_UNDEFINED) return raise(where, MPI_ERR_ARG);
    if (color == MPI_UNDEFINED) {
        *part = MPI_COMM_NULL;
        return MPI_SUCCESS;
    }
    return raise(where, duplicate(*where, part));
}

int PMPI_Comm_free(MPI_Comm* comm) {
    if (comm == nullptr) return raise_on_self(MPI_ERR_ARG);
    communicator* const where = find(*comm);
    if (const int wrong = check_communicator(where)) return raise(where, wrong);
    if (where == &world_communicator || where == &self_communicator) return raise(where, MPI_ERR_COMM);
    variables.per_object.communicator_freed[*comm](number_of(*comm), where->context.load(), where->bytes.get());
    mpit::freed(variables, *comm);
    communicators.release(*where);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    communicator* const where = find(comm);
    if (const int wrong = check_communicator(where)) return raise(where, wrong);
    if (!is_error_handler(handler)) return raise(where, MPI_ERR_ERRHANDLER);
    where->handler = handler;
    return MPI_SUCCESS;
}

// Hints may be ignored, and this runtime has none that it understands.
int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
    const communicator* const where = find(comm);
    return raise(where, first_error({check_communicator(where), check_hints(info)}));
}

MPI_Fint PMPI_Comm_c2f(MPI_Comm comm) { return communicators.integer_of(comm); }
MPI_Comm PMPI_Comm_f2c(MPI_Fint comm) { return communicators.handle_of_integer(comm); }

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Comm_rank")]] decltype(PMPI_Comm_rank) MPI_Comm_rank;
[[gnu::weak, gnu::alias("PMPI_Comm_size")]] decltype(PMPI_Comm_size) MPI_Comm_size;
[[gnu::weak, gnu::alias("PMPI_Comm_dup")]] decltype(PMPI_Comm_dup) MPI_Comm_dup;
[[gnu::weak, gnu::alias("PMPI_Comm_idup")]] decltype(PMPI_Comm_idup) MPI_Comm_idup;
[[gnu::weak, gnu::alias("PMPI_Comm_split")]] decltype(PMPI_Comm_split) MPI_Comm_split;
[[gnu::weak, gnu::alias("PMPI_Comm_free")]] decltype(PMPI_Comm_free) MPI_Comm_free;
[[gnu::weak, gnu::alias("PMPI_Comm_set_errhandler")]] decltype(PMPI_Comm_set_errhandler) MPI_Comm_set_errhandler;
[[gnu::weak, gnu::alias("PMPI_Comm_set_info")]] decltype(PMPI_Comm_set_info) MPI_Comm_set_info;
[[gnu::weak, gnu::alias("PMPI_Comm_c2f")]] decltype(PMPI_Comm_c2f) MPI_Comm_c2f;
[[gnu::weak, gnu::alias("PMPI_Comm_f2c")]] decltype(PMPI_Comm_f2c) MPI_Comm_f2c;
}
