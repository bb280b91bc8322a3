// A library that describes variables at run time, and is unloaded: one group ends with it, the other one, in memory of
// the program, is never ended.
#include <mpit/dynamic.hpp>

#include <new>

namespace {

mpit::dynamic owned{"dynamic_owned", "Ends with its library"};
int calls = 0;

} // namespace

extern "C" [[gnu::visibility("default")]] int plugin_publish(void* room) {
    auto& forgotten = *new (room) mpit::dynamic{"dynamic_forgotten", "Nobody ends it"};
    const auto count = [](void* data) { return ++*static_cast<int*>(data); };
    int wrong = owned.control<int>("DYNAMIC_OWNED", "A number", {.initial = 3}) != mpit::result::success;
    wrong += forgotten.control<int>("DYNAMIC_FORGOTTEN", "Calls of its function",
                                    {.read = count, .data = &calls, .scope = mpit::scope::readonly}) !=
             mpit::result::success;
    return wrong + (owned.publish().seen != 1) + (forgotten.publish().seen != 1);
}
