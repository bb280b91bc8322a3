// Error classes with their texts, those of the tool information interface included, and what happens when a call fails.
// The runtime has no error codes beyond the classes.
#include "error.hpp"

#include "variables.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

namespace mini {
namespace {

struct explanation {
    int code;
    std::string_view text;
};

// Ascending, so that a code is found by bisection.
constexpr explanation explanations[] = {
    {MPI_SUCCESS, "no error"},
    {MPI_ERR_BUFFER, "invalid buffer pointer"},
    {MPI_ERR_COUNT, "invalid count"},
    {MPI_ERR_TYPE, "invalid datatype"},
    {MPI_ERR_TAG, "invalid tag"},
    {MPI_ERR_COMM, "invalid communicator"},
    {MPI_ERR_RANK, "invalid rank"},
    {MPI_ERR_REQUEST, "invalid request"},
    {MPI_ERR_ROOT, "invalid root"},
    {MPI_ERR_GROUP, "invalid group"},
    {MPI_ERR_OP, "invalid reduction operation"},
    {MPI_ERR_TOPOLOGY, "invalid topology"},
    {MPI_ERR_DIMS, "invalid dimensions"},
    {MPI_ERR_ARG, "invalid argument"},
    {MPI_ERR_UNKNOWN, "unknown error"},
    {MPI_ERR_TRUNCATE, "message longer than the receive buffer"},
    {MPI_ERR_OTHER, "call not allowed before MPI_Init or after MPI_Finalize"},
    {MPI_ERR_INTERN, "internal error"},
    {MPI_ERR_PENDING, "request still pending"},
    {MPI_ERR_IN_STATUS, "error code is in the status"},
    {MPI_ERR_ACCESS, "permission denied"},
    {MPI_ERR_AMODE, "invalid access mode"},
    {MPI_ERR_ASSERT, "invalid assertion"},
    {MPI_ERR_BAD_FILE, "invalid file name"},
    {MPI_ERR_BASE, "invalid base address"},
    {MPI_ERR_CONVERSION, "data conversion failed"},
    {MPI_ERR_DISP, "invalid displacement unit"},
    {MPI_ERR_DUP_DATAREP, "data representation defined twice"},
    {MPI_ERR_FILE_EXISTS, "file exists"},
    {MPI_ERR_FILE_IN_USE, "file in use"},
    {MPI_ERR_FILE, "invalid file handle"},
    {MPI_ERR_INFO_KEY, "info key too long"},
    {MPI_ERR_INFO_NOKEY, "no such info key"},
    {MPI_ERR_INFO_VALUE, "info value too long"},
    {MPI_ERR_INFO, "invalid info object"},
    {MPI_ERR_IO, "input or output failed"},
    {MPI_ERR_KEYVAL, "invalid attribute key"},
    {MPI_ERR_LOCKTYPE, "invalid lock type"},
    {MPI_ERR_NAME, "name not published"},
    {MPI_ERR_NO_MEM, "out of memory or of handles"},
    {MPI_ERR_NOT_SAME, "arguments differ between processes"},
    {MPI_ERR_NO_SPACE, "no space left"},
    {MPI_ERR_NO_SUCH_FILE, "no such file"},
    {MPI_ERR_PORT, "invalid port"},
    {MPI_ERR_QUOTA, "quota exceeded"},
    {MPI_ERR_READ_ONLY, "read-only file"},
    {MPI_ERR_RMA_ATTACH, "memory cannot be attached"},
    {MPI_ERR_RMA_CONFLICT, "conflicting accesses to a window"},
    {MPI_ERR_RMA_RANGE, "target memory outside the window"},
    {MPI_ERR_RMA_SHARED, "memory cannot be shared"},
    {MPI_ERR_RMA_SYNC, "wrong synchronisation of a window"},
    {MPI_ERR_SERVICE, "invalid service name"},
    {MPI_ERR_SIZE, "invalid size"},
    {MPI_ERR_SPAWN, "processes cannot be started"},
    {MPI_ERR_UNSUPPORTED_DATAREP, "unsupported data representation"},
    {MPI_ERR_UNSUPPORTED_OPERATION, "unsupported operation"},
    {MPI_ERR_WIN, "invalid window"},
    {MPI_ERR_RMA_FLAVOR, "wrong flavour of window"},
    {MPI_ERR_PROC_ABORTED, "a process has aborted"},
    {MPI_ERR_VALUE_TOO_LARGE, "value too large for its argument"},
    {MPI_ERR_SESSION, "invalid session"},
    {MPI_ERR_ERRHANDLER, "invalid error handler"},
    {MPI_ERR_ABI, "mismatch of the binary interface"},
    {MPI_T_ERR_CANNOT_INIT, "the tool interface cannot be initialised"},
    {MPI_T_ERR_NOT_ACCESSIBLE, "tool call not accessible at this moment"},
    {MPI_T_ERR_NOT_INITIALIZED, "the tool interface is not initialised"},
    {MPI_T_ERR_NOT_SUPPORTED, "tool call not supported"},
    {MPI_T_ERR_MEMORY, "the tool interface is out of memory"},
    {MPI_T_ERR_INVALID, "invalid argument of a tool call"},
    {MPI_T_ERR_INVALID_INDEX, "index out of range"},
    {MPI_T_ERR_INVALID_ITEM, "item of an enumeration out of range"},
    {MPI_T_ERR_INVALID_SESSION, "invalid performance variable session"},
    {MPI_T_ERR_INVALID_HANDLE, "invalid handle of a tool"},
    {MPI_T_ERR_INVALID_NAME, "no such variable, event or category"},
    {MPI_T_ERR_OUT_OF_HANDLES, "no more handles for tools"},
    {MPI_T_ERR_OUT_OF_SESSIONS, "no more performance variable sessions"},
    {MPI_T_ERR_CVAR_SET_NOT_NOW, "the control variable cannot be set now"},
    {MPI_T_ERR_CVAR_SET_NEVER, "the control variable cannot be set any more"},
    {MPI_T_ERR_PVAR_NO_WRITE, "the performance variable cannot be written or reset"},
    {MPI_T_ERR_PVAR_NO_STARTSTOP, "the performance variable cannot be started or stopped"},
    {MPI_T_ERR_PVAR_NO_ATOMIC, "the performance variable cannot be read and reset at once"},
    {MPI_ERR_LASTCODE, "last error code"},
};
static_assert(std::ranges::is_sorted(explanations, {}, &explanation::code));

const explanation* explain(int code) {
    const auto* const found = std::ranges::lower_bound(explanations, code, {}, &explanation::code);
    return found != std::end(explanations) && found->code == code ? found : nullptr;
}

} // namespace

bool is_error_handler(MPI_Errhandler handler) {
    return handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_ABORT || handler == MPI_ERRORS_RETURN;
}

void abort_job(const char* reason, int code) {
    std::fprintf(stderr, "%s: MPI ends the program: %s (%d)\n", job_name().c_str(), reason, code);
    std::fflush(nullptr);
    // Other threads are still running, so nothing may be torn down.
    std::_Exit(code != 0 ? code : EXIT_FAILURE);
}

int raise(MPI_Errhandler handler, int code) {
    if (code == MPI_SUCCESS || handler == MPI_ERRORS_RETURN) return code;
    const explanation* const reason = explain(code);
    abort_job(reason != nullptr ? reason->text.data() : "error", code);
}

} // namespace mini

int PMPI_Error_class(int code, int* error_class) {
    if (error_class == nullptr || mini::explain(code) == nullptr) return MPI_ERR_ARG;
    *error_class = code;
    return MPI_SUCCESS;
}

int PMPI_Error_string(int code, char* text, int* length) {
    const mini::explanation* const found = mini::explain(code);
    if (found == nullptr || text == nullptr || length == nullptr) return MPI_ERR_ARG;
    std::memcpy(text, found->text.data(), found->text.size() + 1);
    *length = static_cast<int>(found->text.size());
    return MPI_SUCCESS;
}

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Error_class")]] decltype(PMPI_Error_class) MPI_Error_class;
[[gnu::weak, gnu::alias("PMPI_Error_string")]] decltype(PMPI_Error_string) MPI_Error_string;
}
