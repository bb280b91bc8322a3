// The function behind one that a test puts in front of it. Without an initializer that a guard protects: some libraries
// lock a mutex and make system calls to run one.
//     static std::atomic<int (*)(pthread_mutex_t*)> known{};   next_function(known, "pthread_mutex_lock")(mutex);
#pragma once

#include <atomic>
#include <dlfcn.h>

template <class Function> Function next_function(std::atomic<Function>& known, const char* name) noexcept {
    Function found = known.load();
    if (found == nullptr) known = found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    return found;
}
