// Models of the counters of today's MPIs, written for this comparison after their sources: MPICH changes a plain
// global, and loses counts if threads share it; Open MPI checks whether a tool is attached, then whether threads are
// used, and adds atomically. As in those libraries the variables are globals of a library, and all of this is inlined.
//
//   models::mpich_counter[0] += 1;   models::open_mpi_count(0, 1);   models::processor_count(0, 1);
#pragma once

#include <mpit/core/clock.hpp>

#include <atomic>
#include <cstdint>
#if defined(__x86_64__) && __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define MODELS_HAVE_RSEQ 1
#endif

namespace models {

// MPICH: the macros of a module that is compiled in leave nothing but the addition.
struct alignas(128) mpich_number {
    unsigned long long value = 0;
    mpich_number& operator+=(unsigned long long more) {
        value += more;
        return *this;
    }
};
inline mpich_number mpich_counter[2];

// The start is a part of the variable, so that two threads on one timer would measure nonsense.
struct alignas(128) mpich_timer {
    std::uint64_t started = 0;
    double total = 0;
    unsigned long long count = 0;
    void start() {
        started = mpit::core::nanoseconds();
        count++;
    }
    void stop() { total += 1e-9 * static_cast<double>(mpit::core::nanoseconds() - started); }
};
inline mpich_timer mpich_timers[2];

// The first handle's mark is in the variable, those of the others are in a list.
struct mpich_mark {
    bool is_started = false;
    unsigned long mark = 0;
    mpich_mark* next = nullptr;
};
struct alignas(128) mpich_watermark {
    unsigned long current = 0, mark = 0;
    bool first_used = false, first_started = false;
    mpich_mark* others = nullptr;

    void update(unsigned long to) {
        current = to;
        if (first_used && first_started && to > mark) mark = to;
        for (mpich_mark* at = others; at != nullptr; at = at->next)
            if (at->is_started && to > at->mark) at->mark = to;
    }
};
inline mpich_watermark mpich_watermarks[2];

// With so many handles started.
inline void attach_to_mpich(long handles) {
    static mpich_mark further[2][8];
    for (int which : {0, 1}) {
        mpich_watermark& variable = mpich_watermarks[which];
        variable = {};
        variable.first_used = variable.first_started = handles > 0;
        for (long i = 1; i < handles; i++) {
            further[which][i] = {true, 0, variable.others};
            variable.others = &further[which][i];
        }
    }
}

// Open MPI: an array of all counters, each with the number of handles that are attached.
struct alignas(128) open_mpi_counter {
    std::atomic<std::int64_t> value{0};
    std::atomic<int> attached{0};
};
inline open_mpi_counter open_mpi_counters[4];
inline bool open_mpi_has_threads = true; // at MPI_THREAD_MULTIPLE

inline void open_mpi_add(open_mpi_counter& to, std::int64_t amount) {
    if (open_mpi_has_threads) [[likely]]
        to.value.fetch_add(amount, std::memory_order_relaxed);
    else to.value.store(to.value.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}
inline void open_mpi_count(int which, std::int64_t amount) {
    open_mpi_counter& counter = open_mpi_counters[which];
    if (counter.attached.load(std::memory_order_relaxed) > 0) open_mpi_add(counter, amount);
}
// From the start to the stop, in cycles.
inline void open_mpi_time(int which) {
    open_mpi_counter& timer = open_mpi_counters[which];
    std::uint64_t cycles = 0;
    if (timer.attached.load(std::memory_order_relaxed) > 0) cycles = mpit::core::cycles();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (timer.attached.load(std::memory_order_relaxed) > 0 && cycles > 0)
        open_mpi_add(timer, static_cast<std::int64_t>(mpit::core::cycles() - cycles));
}
// A level and its mark are two counters.
inline void open_mpi_mark(int level, int mark, std::int64_t change) {
    open_mpi_count(level, change);
    if (open_mpi_counters[mark].attached.load(std::memory_order_relaxed) == 0) return;
    const std::int64_t now = open_mpi_counters[level].value.load(std::memory_order_relaxed);
    std::int64_t highest = open_mpi_counters[mark].value.load(std::memory_order_relaxed);
    while (now > highest && !open_mpi_counters[mark].value.compare_exchange_weak(highest, now)) {}
}
inline void attach_to_open_mpi(long handles) {
    for (open_mpi_counter& each : open_mpi_counters) each.attached = static_cast<int>(handles);
}

#if MODELS_HAVE_RSEQ
// A cell for each processor, by the restartable sequences of the kernel, which glibc registers for each thread since 2.35.
// A thread that is interrupted between the labels 1 and 2 goes on at 4 with another processor's cell. The descriptor is
// cleared behind the addition, so that the kernel finds none in a library that was unloaded.
struct alignas(128) processor_cells {
    std::uint64_t values[16];
};
inline processor_cells cells_of_processors[1024];

[[gnu::always_inline]] inline void processor_count(int which, std::uint64_t amount) {
    __asm__ volatile(
        ".pushsection __rseq_cs,\"aw\"\n .balign 32\n3: .long 0, 0\n .quad 1f, 2f - 1f, 4f\n .popsection\n"
        ".pushsection __rseq_failure,\"ax\"\n .byte 0x0f, 0xb9, 0x3d\n .long 0x53053053\n" // RSEQ_SIG
        "4: jmp 5f\n .popsection\n"
        "5: leaq 3b(%%rip), %%rax\n movq %%rax, %%fs:8(%[area])\n"
        "1: movl %%fs:4(%[area]), %%eax\n shlq $7, %%rax\n addq %[amount], (%%rax, %[cell])\n"
        "2: movq $0, %%fs:8(%[area])\n"
        :
        : [area] "r"(__rseq_offset), [cell] "r"(&cells_of_processors[0].values[which]), [amount] "er"(amount)
        : "rax", "cc", "memory");
}
inline bool has_processor_cells() { return __rseq_size != 0; }
#endif

} // namespace models
