// A library that waits for tools, and may be unloaded before one comes.
#include <mpit/mpit.hpp>

namespace {

int count_call(void* calls) noexcept {
    ++*static_cast<int*>(calls);
    return 0;
}

} // namespace

extern "C" [[gnu::visibility("default")]] int plugin_waits_for_tools(int* calls) {
    return static_cast<int>(mpit::before_tools(&count_call, calls));
}
