// The functions of the C library that the library under test calls, as they are for fibers; see system.hpp.
#include "system.hpp"

#include "sites.hpp"
#include "world.hpp"

#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>

namespace model {

void* world_pages::take(int zone, std::size_t size) noexcept {
    char* free = memory_[zone];
    for (std::uint64_t i = 0; i < known_.count; i++) {
        const piece& p = known_.all[i];
        if (p.zone == static_cast<std::uint32_t>(zone)) free = p.memory + ((p.size + 4095) & ~std::uint64_t{4095});
    }
    if (free + size > memory_[zone] + zone_size || known_.count == std::size(known_.all)) return nullptr;
    // The pieces lie in the order of their zones, so that it does not matter which fiber was first.
    std::uint64_t at = known_.count++;
    for (; at > 0 && known_.all[at - 1].zone > static_cast<std::uint32_t>(zone); at--)
        known_.all[at] = known_.all[at - 1];
    known_.all[at] = {free, size, static_cast<std::uint32_t>(zone), 0};
    std::memset(free, 0, kept_of(known_.all[at]));
    return free;
}
bool world_pages::give_back(void* memory, std::size_t size) noexcept {
    for (std::uint64_t i = 0; i < known_.count; i++) {
        piece& p = known_.all[i];
        if (p.memory != memory || p.size != size || p.is_given_back) continue;
        p.is_given_back = 1;
        return true;
    }
    return false;
}
place_in_pages world_pages::place_of(const char* at) const noexcept {
    for (std::uint64_t i = 0; i < known_.count; i++) {
        const piece& p = known_.all[i];
        if (at < p.memory || at >= p.memory + p.size) continue;
        if (p.is_given_back) return place_in_pages::given_back;
        return at < p.memory + kept_of(p) ? place_in_pages::kept : place_in_pages::elsewhere;
    }
    return place_in_pages::elsewhere;
}
bool world_pages::has_changed_outside() const noexcept {
    for (std::uint64_t i = 0; i < known_.count; i++) {
        const piece& p = known_.all[i];
        if (std::any_of(p.memory + kept_of(p), p.memory + p.size, [](char c) { return c != 0; })) return true;
    }
    return false;
}

std::uint64_t make(operation what, std::size_t size, int order, void* at, std::uint64_t first, std::uint64_t second,
                   const site& from) noexcept {
    const bool has_orders = the_world.present() >= 0 && the_world.memory() == cxx20;
    const int wanted = has_orders ? the_sites.order_of(from, what, order) : order;
    return the_world.make(
        {what, static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(wanted), 0, 0, at, first, second});
}

std::uint64_t make(operation what, std::size_t size, int order, void* at, std::uint64_t first,
                   std::uint64_t second) noexcept {
    return make(what, size, order, at, first, second, site{});
}

void check(bool holds, const char* sentence) noexcept {
    if (!holds) the_world.complain(std::string("not so: ") + sentence);
}
int this_fiber() noexcept { return the_world.present(); }
void keep(void* memory, std::size_t bytes) noexcept { the_world.keep(static_cast<char*>(memory), bytes); }
void keep_for_each_fiber(void* memory, std::size_t bytes) noexcept {
    the_world.keep_own(static_cast<char*>(memory), bytes);
}
void leave_out(void* memory, std::size_t bytes) noexcept { the_world.leave_out(static_cast<char*>(memory), bytes); }
void observe(void* memory, std::size_t bytes) noexcept { the_world.observe(static_cast<char*>(memory), bytes); }
void leave_in_order(void* memory, std::size_t bytes) noexcept {
    the_world.leave_in_order(static_cast<char*>(memory), bytes);
}
void call(const void* memory, std::size_t bytes, const char* name) noexcept {
    the_world.call(static_cast<const char*>(memory), bytes, name);
}

namespace {

long raw_syscall(long number, long a, long b, long c, long d, long e, long f) noexcept {
    long answer;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ __volatile__("syscall"
                         : "=a"(answer)
                         : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                         : "rcx", "r11", "memory");
    if (answer < 0 && answer > -4096) {
        errno = static_cast<int>(-answer);
        return -1;
    }
    return answer;
}

// Every processor runs a fence at some moment between the begin of the call and its end.
long fence_everywhere() noexcept {
    const step fence{operation::fence, 0, __ATOMIC_SEQ_CST, 0, 0, nullptr, 0, 0};
    the_world.needs_all_switches();
    the_world.make(fence);
    for (int f = 0; f < the_world.fibers(); f++)
        if (f != this_fiber())
            the_world.make({operation::drain, 0, __ATOMIC_SEQ_CST, static_cast<std::uint8_t>(f), 0, nullptr, 0, 0});
    if (the_world.memory() == cxx20) the_world.make(fence);
    return 0;
}

} // namespace
} // namespace model

using model::the_world;

// glibc declares these functions as functions that throw nothing, musl does not say it.
#if defined(__GLIBC__)
#define AS_DECLARED noexcept
#else
#define AS_DECLARED
#endif

extern "C" {

void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) AS_DECLARED {
    if (!the_world.is_at_work())
        return reinterpret_cast<void*>(model::raw_syscall(SYS_mmap, reinterpret_cast<long>(address),
                                                          static_cast<long>(size), protection, flags, file, offset));
    const int zone = the_world.present() < 0 ? 0 : the_world.present() + 1;
    void* memory = model::pages_of_world.take(zone, size);
    if (memory == nullptr) the_world.complain("the pages of the explorer are used up");
    return memory == nullptr ? MAP_FAILED : memory;
}
int munmap(void* memory, std::size_t size) AS_DECLARED {
    if (!the_world.is_at_work())
        return static_cast<int>(
            model::raw_syscall(SYS_munmap, reinterpret_cast<long>(memory), static_cast<long>(size), 0, 0, 0, 0));
    if (!model::pages_of_world.give_back(memory, size)) the_world.complain("pages are given back that are not there");
    the_world.forget(static_cast<char*>(memory), size);
    return 0;
}
long syscall(long number, ...) AS_DECLARED {
    va_list arguments;
    va_start(arguments, number);
    long a[6];
    for (long& each : a) each = va_arg(arguments, long);
    va_end(arguments);
    if (!the_world.is_at_work()) return model::raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    switch (number) {
    case SYS_gettid: return 100 + the_world.present();
    case SYS_tgkill:
        if (model::knows_thread == nullptr || model::knows_thread(static_cast<int>(a[1]))) return 0;
        errno = ESRCH;
        return -1;
    case SYS_membarrier:
        return static_cast<int>(a[0]) == MEMBARRIER_CMD_PRIVATE_EXPEDITED ? model::fence_everywhere() : 0;
    default: return model::raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
}
int sched_yield() AS_DECLARED { return the_world.pause(), 0; }
int nanosleep(const timespec*, timespec*) { return the_world.pause(), 0; }
// Time stands still for fibers: it is no part of their state. It is not 0, which is a clock that the kernel refuses.
int clock_gettime(clockid_t clock, timespec* now) AS_DECLARED {
    *now = {1, 0};
    if (the_world.is_at_work()) return 0;
    return static_cast<int>(model::raw_syscall(SYS_clock_gettime, clock, reinterpret_cast<long>(now), 0, 0, 0, 0));
}
}
