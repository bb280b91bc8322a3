// Sessions: other users of MPI in the process, beside the world of MPI_Init and independent of it. A session of this
// runtime offers no process sets, so it can only begin, be asked for its hints and end.
#include "communicator.hpp"
#include "error.hpp"
#include "hints.hpp"
#include "pool.hpp"

namespace mini {
namespace {

struct session {
    MPI_Errhandler handler = nullptr;
};

using session_pool = pool<session, MPI_Session, 1024>;

constinit session_pool sessions;

} // namespace
} // namespace mini

using namespace mini;

int PMPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
    if (!is_error_handler(handler)) return raise_on_self(MPI_ERR_ERRHANDLER);
    if (const int wrong = first_error({check_hints(info), check_output(session)})) return raise(handler, wrong);
    auto* const fresh = sessions.claim([&](mini::session& each) { each.handler = handler; });
    *session = fresh != nullptr ? session_pool::handle_of(*fresh) : MPI_SESSION_NULL;
    return raise(handler, fresh != nullptr ? MPI_SUCCESS : MPI_ERR_NO_MEM);
}

int PMPI_Session_finalize(MPI_Session* session) {
    auto* const ended = session != nullptr ? sessions.find(*session) : nullptr;
    if (ended == nullptr) return raise_on_self(MPI_ERR_SESSION);
    sessions.release(*ended);
    *session = MPI_SESSION_NULL;
    return MPI_SUCCESS;
}

// No hint is in use, so the new object is empty.
int PMPI_Session_get_info(MPI_Session session, MPI_Info* info) {
    const auto* const asked = sessions.find(session);
    if (asked == nullptr) return raise_on_self(MPI_ERR_SESSION);
    if (info == nullptr) return raise(asked->handler, MPI_ERR_ARG);
    return raise(asked->handler, create_hints(info));
}

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Session_init")]] decltype(PMPI_Session_init) MPI_Session_init;
[[gnu::weak, gnu::alias("PMPI_Session_finalize")]] decltype(PMPI_Session_finalize) MPI_Session_finalize;
[[gnu::weak, gnu::alias("PMPI_Session_get_info")]] decltype(PMPI_Session_get_info) MPI_Session_get_info;
}
