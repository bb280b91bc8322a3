// The agent that reads the registry of mpit, for programs whose libraries do not export MPI_T_ functions.
#include <mpit/tool/over_registry.hpp>

#include "agent.hpp"

extern "C" [[gnu::visibility("default")]] int mpit_info_begin(const char* moment) {
    return mpit_info::agent<mpit::tool::over_registry>::begin(moment, {});
}
extern "C" [[gnu::visibility("default")]] int mpit_info_end(const char* moment) {
    return mpit_info::agent<mpit::tool::over_registry>::end(moment) ? 1 : 0;
}
// An MPI is started next, whose agent is for this process from then on.
extern "C" [[gnu::visibility("default")]] void mpit_info_leave(const char* moment) {
    mpit_info::agent<mpit::tool::over_registry>::leave(moment);
}
// Sends a message: no agent can read the MPI of this process. It has the MPI's binary interface and its version text.
extern "C" [[gnu::visibility("default")]] void mpit_info_tell_no_agent(const char* interface, const char* library) {
    const mpit_info::program_thread as_before;
    try {
        mpit_info::channel to;
        if (to.connect()) to.send({{"message", "no_agent"}, {"interface", interface}, {"library", library}});
    } catch (...) {}
}
