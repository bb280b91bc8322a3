// The world of MPI_Init: one process, rank 0, any number of threads. The tool interface needs none of this: its
// variables can be read and written before the world opens and after it has closed.
#include "world.hpp"

#include "communicator.hpp"
#include "engine.hpp"
#include "unexpected.hpp"

#include <mpit/settings.hpp>

#include <atomic>
#include <initializer_list>
#include <thread>

namespace mini {
namespace {

enum class phase { before, open, after };

constinit std::atomic<phase> present{phase::before};
constinit std::atomic<int> thread_level{MPI_THREAD_SINGLE};
std::atomic<std::thread::id> main_thread;

// The lowest level of the standard that is enough; the runtime itself is made for MPI_THREAD_MULTIPLE.
int level_for(int required) {
    for (const int level : {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED})
        if (required <= level) return level;
    return MPI_THREAD_MULTIPLE;
}

int open_world(int required) {
    phase expected = phase::before;
    // From here on a tool cannot change what the lines below read.
    if (!present.compare_exchange_strong(expected, phase::open)) return MPI_ERR_OTHER;
    thread_level = level_for(required);
    main_thread = std::this_thread::get_id();
    open_buffers();
    open_engine();
    return MPI_SUCCESS;
}

} // namespace

bool world_is_open() noexcept { return present == phase::open; }
bool world_was_opened() noexcept { return present != phase::before; }

} // namespace mini

using namespace mini;

// `--mpit NAME=VALUE` on the command line, before the world fixes what MPI_Init fixes.
static void take_arguments(int* argc, char*** argv) {
    if (argc != nullptr && argv != nullptr && *argv != nullptr)
        static_cast<void>(mpit::take_arguments(*argc, *argv)); // what is wrong has been reported
}

int PMPI_Init(int* argc, char*** argv) {
    take_arguments(argc, argv);
    return raise_on_self(open_world(MPI_THREAD_SINGLE));
}

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    if (provided == nullptr) return raise_on_self(MPI_ERR_ARG);
    take_arguments(argc, argv);
    const int answer = open_world(required);
    *provided = thread_level;
    return raise_on_self(answer);
}

int PMPI_Initialized(int* flag) {
    if (flag == nullptr) return raise_on_self(MPI_ERR_ARG);
    *flag = world_was_opened();
    return MPI_SUCCESS;
}

int PMPI_Finalize() {
    phase expected = phase::open;
    if (!present.compare_exchange_strong(expected, phase::after)) return raise_on_self(MPI_ERR_OTHER);
    close_engine();
    return MPI_SUCCESS;
}

int PMPI_Finalized(int* flag) {
    if (flag == nullptr) return raise_on_self(MPI_ERR_ARG);
    *flag = present == phase::after;
    return MPI_SUCCESS;
}

int PMPI_Query_thread(int* provided) {
    if (!world_is_open()) return raise_on_self(MPI_ERR_OTHER);
    if (provided == nullptr) return raise_on_self(MPI_ERR_ARG);
    *provided = thread_level;
    return MPI_SUCCESS;
}

int PMPI_Is_thread_main(int* flag) {
    if (!world_is_open()) return raise_on_self(MPI_ERR_OTHER);
    if (flag == nullptr) return raise_on_self(MPI_ERR_ARG);
    *flag = main_thread.load() == std::this_thread::get_id();
    return MPI_SUCCESS;
}

int PMPI_Abort(MPI_Comm /*comm*/, int code) { abort_job("MPI_Abort was called", code); }

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Init")]] decltype(PMPI_Init) MPI_Init;
[[gnu::weak, gnu::alias("PMPI_Init_thread")]] decltype(PMPI_Init_thread) MPI_Init_thread;
[[gnu::weak, gnu::alias("PMPI_Initialized")]] decltype(PMPI_Initialized) MPI_Initialized;
[[gnu::weak, gnu::alias("PMPI_Finalize")]] decltype(PMPI_Finalize) MPI_Finalize;
[[gnu::weak, gnu::alias("PMPI_Finalized")]] decltype(PMPI_Finalized) MPI_Finalized;
[[gnu::weak, gnu::alias("PMPI_Query_thread")]] decltype(PMPI_Query_thread) MPI_Query_thread;
[[gnu::weak, gnu::alias("PMPI_Is_thread_main")]] decltype(PMPI_Is_thread_main) MPI_Is_thread_main;
[[gnu::weak, gnu::alias("PMPI_Abort")]] decltype(PMPI_Abort) MPI_Abort;
}
