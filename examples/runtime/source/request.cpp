// Requests and their end: MPI_Wait, MPI_Waitall and MPI_Test. A completed request is returned to the pool, and the
// caller's handle becomes MPI_REQUEST_NULL.
#include "request.hpp"

#include "communicator.hpp"
#include "pool.hpp"
#include "variables.hpp"

#include <cstring>

namespace mini {
namespace {

using request_pool = pool<operation, MPI_Request, 65536>;

constinit request_pool requests;

operation* open(const transfer& what, bool is_complete, MPI_Request* request) {
    operation* const fresh = requests.claim([&](operation& each) { each.begin(what, is_complete); });
    *request = fresh != nullptr ? request_pool::handle_of(*fresh) : MPI_REQUEST_NULL;
    return fresh;
}

// Null handles are valid and stand for nothing.
bool is_valid(MPI_Request request) { return request == MPI_REQUEST_NULL || requests.find(request) != nullptr; }

// Waits for the end of a valid request and returns its result.
transfer finish(MPI_Request& request) {
    if (request == MPI_REQUEST_NULL) return nothing;
    operation& ended = *requests.find(request);
    wait_for(ended);
    const transfer result = ended;
    requests.release(ended);
    request = MPI_REQUEST_NULL;
    return result;
}

int finish_one(MPI_Request& request, MPI_Status* status) {
    const transfer result = finish(request);
    write_status(result, status);
    return result.error == MPI_SUCCESS ? MPI_SUCCESS : raise(result.handler, result.error);
}

} // namespace

operation* open_request(const transfer& what, MPI_Request* request) { return open(what, false, request); }

int open_finished_request(const transfer& what, MPI_Request* request) {
    if (open(what, true, request) == nullptr) return MPI_ERR_NO_MEM;
    variables.waiting.request_completed(what.label.context, what.label.source, what.label.tag, what.error, what.bytes);
    return MPI_SUCCESS;
}

std::size_t request_count() noexcept { return requests.alive_count(); }

// The error field is left alone: only calls that return MPI_ERR_IN_STATUS set it.
void write_status(const transfer& what, MPI_Status* status) {
    if (status == MPI_STATUS_IGNORE) return;
    status->MPI_SOURCE = what.label.source;
    status->MPI_TAG = what.label.tag;
    const MPI_Count bytes = static_cast<MPI_Count>(what.bytes);
    std::memcpy(status->MPI_internal, &bytes, sizeof bytes);
}

} // namespace mini

using namespace mini;

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
    if (request == nullptr || !is_valid(*request)) return raise_on_self(MPI_ERR_REQUEST);
    return finish_one(*request, status);
}

int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    if (request == nullptr || !is_valid(*request)) return raise_on_self(MPI_ERR_REQUEST);
    if (flag == nullptr) return raise_on_self(MPI_ERR_ARG);
    make_progress();
    *flag = *request == MPI_REQUEST_NULL || requests.find(*request)->complete.load(std::memory_order_acquire);
    return *flag != 0 ? finish_one(*request, status) : MPI_SUCCESS;
}

int PMPI_Waitall(int count, MPI_Request all[], MPI_Status* statuses) {
    if (count < 0) return raise_on_self(MPI_ERR_COUNT);
    if (count > 0 && all == nullptr) return raise_on_self(MPI_ERR_REQUEST);
    for (int i = 0; i < count; ++i)
        if (!is_valid(all[i])) return raise_on_self(MPI_ERR_REQUEST);

    MPI_Errhandler handler = MPI_ERRORS_RETURN;
    bool failed = false;
    for (int i = 0; i < count; ++i) {
        const transfer result = finish(all[i]);
        if (statuses != MPI_STATUSES_IGNORE) {
            write_status(result, &statuses[i]);
            statuses[i].MPI_ERROR = result.error;
        }
        if (result.error != MPI_SUCCESS && !failed) handler = result.handler;
        failed = failed || result.error != MPI_SUCCESS;
    }
    return failed ? raise(handler, MPI_ERR_IN_STATUS) : MPI_SUCCESS;
}

int PMPI_Get_count(const MPI_Status* status, MPI_Datatype datatype, int* count) {
    int size = 0;
    if (status == MPI_STATUS_IGNORE || count == nullptr) return raise_on_self(MPI_ERR_ARG);
    if (const int wrong = PMPI_Type_size(datatype, &size)) return wrong;
    MPI_Count bytes = 0;
    std::memcpy(&bytes, status->MPI_internal, sizeof bytes);
    const bool is_whole = size != 0 ? bytes % size == 0 : bytes == 0;
    *count = is_whole ? static_cast<int>(size != 0 ? bytes / size : 0) : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Get_count")]] decltype(PMPI_Get_count) MPI_Get_count;
[[gnu::weak, gnu::alias("PMPI_Wait")]] decltype(PMPI_Wait) MPI_Wait;
[[gnu::weak, gnu::alias("PMPI_Waitall")]] decltype(PMPI_Waitall) MPI_Waitall;
[[gnu::weak, gnu::alias("PMPI_Test")]] decltype(PMPI_Test) MPI_Test;
}
