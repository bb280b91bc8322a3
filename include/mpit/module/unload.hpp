// SPDX-License-Identifier: BSD-3-Clause
// Calls a function when dlclose() unloads a shared object. At exit() the function is not called, so that all variables
// stay usable. exit() pins the shared object, so that no later dlclose() unmaps the variables.
//
//   at_unloading(*registry, [](void* tree) { … }, &tree);
#pragma once

#include <mpit/module/the_registry.hpp>
#include <mpit/registry/process_registry.hpp>

#if MPIT_CAN_BE_UNLOADED
#include <dlfcn.h>
#include <semaphore.h>

extern "C" {
int __cxa_atexit(void (*function)(void*), void* argument, void* shared_object);
void __cxa_finalize(void* shared_object);
extern void* __dso_handle [[gnu::visibility("hidden")]];
}
#endif

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

#if MPIT_CAN_BE_UNLOADED
namespace MPIT_MODULE_LOCAL detail {

// The dlopen() function, or null in a static program.
[[maybe_unused]] static void* weak_dlopen(const char* path, int mode) noexcept __attribute__((weakref("dlopen")));

struct unload_action {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    sem_t at_exit; // above 0 once exit() has begun
};

// Pins this shared object at exit(), because a destructor that runs later may call dlclose().
inline void pin_this_module() noexcept {
    static constinit bool is_pinned = false;
    if (is_pinned || *name_of_module == '\0' || weak_dlopen == nullptr) return;
    weak_dlopen(name_of_module, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    is_pinned = true;
}

inline void run_at_unloading(void* data) noexcept {
    auto& action = *static_cast<unload_action*>(data);
    int is_exit = 0;
    if (sem_getvalue(&action.at_exit, &is_exit) == 0 && is_exit > 0) return pin_this_module();
    action.function(action.argument);
    // Removes sem_post() from the exit list of the C library, because every dlclose() walks over the whole list.
    __cxa_finalize(&action);
}

} // namespace detail
#endif

// Makes dlclose() call `function(argument)` when this shared object is unloaded. Returns false if memory is exhausted.
inline bool at_unloading([[maybe_unused]] process_registry& registry, [[maybe_unused]] void (*function)(void*),
                         [[maybe_unused]] void* argument) noexcept {
#if MPIT_CAN_BE_UNLOADED
    auto* action = registry.memory.make<detail::unload_action>();
    if (action == nullptr) return false;
    action->function = function;
    action->argument = argument;
    if (__cxa_atexit(&detail::run_at_unloading, action, &__dso_handle) != 0) return false;
    // sem_post() is registered after run_at_unloading(), so that exit() calls sem_post() first (in reverse order). The
    // DSO handle `action` belongs to no shared object, so that dlclose() never calls sem_post(). The registered
    // function is sem_post() of the C library, because at exit() this shared object may already be unmapped.
    __cxa_atexit(reinterpret_cast<void (*)(void*)>(reinterpret_cast<void*>(&sem_post)), &action->at_exit, action);
#endif
    return true;
}

} // namespace registry
} // namespace mpit
