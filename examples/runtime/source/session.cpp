// Sessions: other users of MPI in the process, beside the world of MPI_Init and independent of it. A session of this
// runtime has no process sets, so it can only be initialized, return its hints and be finalized. The one hint that it
// takes is `thread_level` (MPI-5.0, 11.3.1).
#include "communicator.hpp"
#include "error.hpp"
#include "hints.hpp"
#include "pool.hpp"

#include <cstring>

namespace mini {
namespace {

struct session {
    MPI_Errhandler handler = nullptr;
    const char* thread_level = nullptr;
};

constexpr char level_key[] = "thread_level";

// The level in the hints. The runtime supports the highest, and gives it if the hints have none of the four.
const char* thread_level_of(MPI_Info hints) {
    char asked[32] = "";
    int room = sizeof asked, is_there = 0;
    if (hints != MPI_INFO_NULL) PMPI_Info_get_string(hints, level_key, &room, asked, &is_there);
    for (const char* const each : {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED"})
        if (is_there != 0 && std::strcmp(asked, each) == 0) return each;
    return "MPI_THREAD_MULTIPLE";
}

using session_pool = pool<session, MPI_Session, 1024>;

constinit session_pool sessions;

} // namespace
} // namespace mini

using namespace mini;

int PMPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
    if (!is_error_handler(handler)) return raise_on_self(MPI_ERR_ERRHANDLER);
    if (const int wrong = first_error({check_hints(info), check_output(session)})) return raise(handler, wrong);
    auto* const fresh = sessions.claim([&, level = thread_level_of(info)](mini::session& each) {
        each.handler = handler;
        each.thread_level = level;
    });
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

// The thread level that the session has been given.
int PMPI_Session_get_info(MPI_Session session, MPI_Info* info) {
    const auto* const asked = sessions.find(session);
    if (asked == nullptr) return raise_on_self(MPI_ERR_SESSION);
    if (info == nullptr) return raise(asked->handler, MPI_ERR_ARG);
    int code = create_hints(info);
    if (code == MPI_SUCCESS) code = PMPI_Info_set(*info, level_key, asked->thread_level);
    return raise(asked->handler, code);
}

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Session_init")]] decltype(PMPI_Session_init) MPI_Session_init;
[[gnu::weak, gnu::alias("PMPI_Session_finalize")]] decltype(PMPI_Session_finalize) MPI_Session_finalize;
[[gnu::weak, gnu::alias("PMPI_Session_get_info")]] decltype(PMPI_Session_get_info) MPI_Session_get_info;
}
