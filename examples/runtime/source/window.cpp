// Windows: memory that a process exposes. The runtime has no remote access, so a window is its handle and its size,
// which the tool interface shows for each window.
#include "communicator.hpp"
#include "hints.hpp"
#include "object_name.hpp"
#include "pool.hpp"
#include "variables.hpp"

namespace mini {
namespace {

struct window {
    unsigned long bytes = 0;
    object_name name{};
};

using window_pool = pool<window, MPI_Win, 1024>;

constinit window_pool windows;

int check_memory(const void* base, MPI_Aint size, int displacement_unit) {
    if (size < 0) return MPI_ERR_SIZE;
    if (base == nullptr && size > 0) return MPI_ERR_BASE;
    return displacement_unit > 0 ? MPI_SUCCESS : MPI_ERR_DISP;
}

} // namespace

object_name* object_names::find(MPI_Win win, int& code) {
    window* const found = windows.find(win);
    code = found != nullptr ? MPI_SUCCESS : MPI_ERR_WIN;
    return found != nullptr ? &found->name : nullptr;
}
int object_names::call_errhandler(MPI_Win, int code) { return raise_on_self(code); }

} // namespace mini

using namespace mini;

int PMPI_Win_create(void* base, MPI_Aint size, int displacement_unit, MPI_Info info, MPI_Comm comm, MPI_Win* win) {
    const communicator* const where = find(comm);
    if (const int wrong = first_error({check_communicator(where), check_memory(base, size, displacement_unit),
                                       check_hints(info), check_output(win)}))
        return raise(where, wrong);
    window* const fresh = windows.claim([&](window& each) {
        each.bytes = static_cast<unsigned long>(size);
        static_cast<void>(each.name.set("")); // nobody else has it
    });
    if (fresh == nullptr) return raise(where, MPI_ERR_NO_MEM);
    *win = window_pool::handle_of(*fresh);
    mpit::created(variables, *win);
    variables.per_object.window_size[*win] = fresh->bytes;
    variables.objects.exposed_bytes += fresh->bytes;
    return MPI_SUCCESS;
}

int PMPI_Win_free(MPI_Win* win) {
    window* const ended = win != nullptr ? windows.find(*win) : nullptr;
    if (ended == nullptr) return raise_on_self(MPI_ERR_WIN);
    variables.objects.exposed_bytes -= ended->bytes;
    mpit::freed(variables, *win);
    windows.release(*ended);
    *win = MPI_WIN_NULL;
    return MPI_SUCCESS;
}

MPI_Fint PMPI_Win_c2f(MPI_Win win) { return windows.integer_of(win); }
MPI_Win PMPI_Win_f2c(MPI_Fint win) { return windows.handle_of_integer(win); }

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Win_create")]] decltype(PMPI_Win_create) MPI_Win_create;
[[gnu::weak, gnu::alias("PMPI_Win_free")]] decltype(PMPI_Win_free) MPI_Win_free;
[[gnu::weak, gnu::alias("PMPI_Win_c2f")]] decltype(PMPI_Win_c2f) MPI_Win_c2f;
[[gnu::weak, gnu::alias("PMPI_Win_f2c")]] decltype(PMPI_Win_f2c) MPI_Win_f2c;
}
