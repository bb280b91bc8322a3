// SPDX-License-Identifier: BSD-3-Clause
// Runs a function when a shared object is unloaded. dlclose() and exit() run the same destructors, but at exit all
// variables stay usable to the end: the shared object is then pinned, so that no later dlclose() unmaps it.
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

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

#if MPIT_CAN_BE_UNLOADED
namespace MPIT_MODULE_LOCAL detail {

// A static program has no dlopen(), and nothing to keep.
[[maybe_unused]] static void* weak_dlopen(const char* path, int mode) noexcept __attribute__((weakref("dlopen")));

struct undoing {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    sem_t exit_is_here;
};

// A destructor that runs later at exit may call dlclose().
inline void keep_this_module() noexcept {
    static constinit bool is_kept = false;
    if (is_kept || *name_of_module == '\0' || weak_dlopen == nullptr) return;
    weak_dlopen(name_of_module, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    is_kept = true;
}

inline void undo(void* what) noexcept {
    auto& self = *static_cast<undoing*>(what);
    int is_here = 0;
    if (sem_getvalue(&self.exit_is_here, &is_here) == 0 && is_here > 0) return keep_this_module();
    self.function(self.argument);
    // Takes the other function from the list of exit(), which each dlclose() walks.
    __cxa_finalize(&self);
}

} // namespace detail
#endif

// Calls `function` with `argument` when dlclose() unloads this shared object. Returns false without memory: then it is
// not called.
inline bool at_unloading([[maybe_unused]] process_registry& registry, [[maybe_unused]] void (*function)(void*),
                         [[maybe_unused]] void* argument) noexcept {
#if MPIT_CAN_BE_UNLOADED
    auto* made = registry.memory.make<detail::undoing>();
    if (made == nullptr) return false;
    made->function = function;
    made->argument = argument;
    if (__cxa_atexit(&detail::undo, made, &__dso_handle) != 0) return false;
    // Registered later, so exit() runs it right before the other one; bound to what is no shared object, so dlclose()
    // never runs it. It is a function of the C library, because code of this shared object may be gone by then.
    __cxa_atexit(reinterpret_cast<void (*)(void*)>(reinterpret_cast<void*>(&sem_post)), &made->exit_is_here, made);
#endif
    return true;
}

} // namespace registry
} // namespace mpit
