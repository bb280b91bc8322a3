// The last calls of each thread, in memory that outlives the process: a tool reads which call a thread is in, and after
// a crash which calls it made last. Each process has a file `<folder>/<number of the process>-XXXXXX.calls`, which only
// its user can read. Without a folder the memory has no file. mpit_info/call_log.py reads the format.
//
//   the_call_log.begin(folder, rank, processes, launch, names);   if (call_thread* own = this_call_thread()) own->call(number);
#pragma once

#include "../calls.h"
#include "call_clock.hpp"
#include "processor_wait.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <type_traits>
#include <unistd.h>

namespace mpit_info {

enum call_state : std::uint32_t { call_done = 0, call_failed_poll = 1 };

// One call. `begin` and `end` are ticks of the call clock; `end` is 0 while the call has not returned. A poll that did
// not succeed, and those of the same function and request that follow it, share one call.
struct alignas(64) logged_call {
    std::uint64_t begin, end, bytes, request;
    std::uint32_t operation;    // which operation of this process on the communicator, from 1; 0 for other calls
    std::uint16_t function;     // an index of the names
    std::uint16_t communicator; // an index of the communicators, no_communicator without one
    std::int32_t peer, tag;     // of the other process, or the root; no_rank without one
    std::int32_t second;        // how many requests a wait is for; the sender of a send with a receive
    std::uint32_t state, polls; // of a poll: whether it has not succeeded, and how often it has returned
};
static_assert(sizeof(logged_call) == 64);

struct logged_communicator {
    std::uint64_t identity; // equal in all its processes; 0 if unknown
    std::int32_t size, rank;
    std::uint32_t operations; // collective operations that this process has begun
    std::uint32_t is_freed;
    char name[40];
};
static_assert(sizeof(logged_communicator) == 64);

inline constexpr std::uint16_t no_communicator = 0xffff;
inline constexpr std::int32_t any_rank = -1, no_rank = -2;
inline constexpr std::uint32_t most_logged_calls = 1024, most_call_threads = 64, most_logged_communicators = 64;

// The calls of one thread, which alone writes to it. Other threads, and other processes, read it.
struct alignas(64) call_thread {
    std::uint32_t number;       // of the thread in the system
    std::uint32_t is_used;      // 0 after the end of its thread; another thread takes it then
    std::uint64_t calls;        // that have begun; the last one is in the place of (calls - 1) % most_logged_calls
    std::uint64_t failed_polls; // of these, polls that have not succeeded
    std::uint64_t in_mpi;       // ticks in calls that have returned
    std::uint64_t polling;      // ticks between a failed poll and the next poll
    std::uint64_t first_poll;   // of failed polls that follow each other, the begin of the first one
    std::uint64_t poll_began; // the last poll that shares the call of an earlier one; it has returned if `end` is later
    // Of the main thread: what processor_wait was when it was read last, and when; the shortest time for which it is read
    // again; and what of it was certainly in calls and certainly outside of them, in nanoseconds.
    std::uint64_t wait_read, read;
    std::int64_t least_wait;
    std::uint64_t wait_in_calls, wait_outside;
    std::uint64_t spare[4];
    logged_call all[most_logged_calls];

    logged_call& call(std::uint64_t which) noexcept { return all[which % most_logged_calls]; }
    // For other threads: the last one of so many calls; null without one.
    const logged_call* last_of(std::uint64_t count) const noexcept {
        return count != 0 ? &all[(count - 1) % most_logged_calls] : nullptr;
    }
    std::uint64_t begun() const noexcept { return __atomic_load_n(&calls, __ATOMIC_ACQUIRE); }
    // Grows with the begin and the end of each call that is not a failed poll. Of another thread.
    std::uint64_t moves() const noexcept {
        const std::uint64_t count = begun();
        const logged_call* const last = last_of(count);
        if (last == nullptr) return 0;
        const bool has_ended = load(last->end) != 0 && load(last->state) != call_failed_poll;
        return 2 * (count - load(failed_polls)) + has_ended;
    }
    // When the last call, or the last poll of it, began if it has not returned, otherwise 0. Of another thread.
    std::uint64_t open_since(const logged_call& last) const noexcept {
        const std::uint64_t ended = __atomic_load_n(&last.end, __ATOMIC_ACQUIRE), again = load(poll_began);
        if (ended == 0) return load(last.begin);
        return load(last.state) == call_failed_poll && again > ended ? again : 0;
    }
    // The end of the last call if it is a failed poll, otherwise 0. Of another thread.
    std::uint64_t latest_failed_poll() const noexcept {
        const logged_call* const last = last_of(begun());
        if (last == nullptr || load(last->state) != call_failed_poll) return 0;
        const std::uint64_t ended = load(last->end);
        return ended != 0 ? ended : load(last->begin);
    }
    // Adds what the thread has waited for a processor since `began`, if this is long ago.
    void note_wait(std::uint64_t& to, std::uint64_t began, std::uint64_t now) noexcept {
        if (static_cast<std::int64_t>(now - began) >= least_wait) [[unlikely]]
            read_wait(to, began, now);
    }
    [[gnu::cold, gnu::noinline]] void read_wait(std::uint64_t& to, std::uint64_t began, std::uint64_t now) noexcept {
        const std::uint64_t waited = processor_wait.nanoseconds(), passed = waited - wait_read;
        // It may have waited before as well, between the last reading and `began`.
        const std::uint64_t before = call_clock.nanoseconds(began - read);
        if (waited > wait_read && passed > before && began >= processor_wait.restarted())
            store(to, to + (passed - before));
        wait_read = waited;
        read = now;
    }

    template <class Word> static Word load(const Word& from) noexcept {
        return __atomic_load_n(&from, __ATOMIC_RELAXED);
    }
    template <class Word> static void store(Word& to, std::type_identity_t<Word> value) noexcept {
        __atomic_store_n(&to, value, __ATOMIC_RELAXED);
    }
};

// The head of a file. Behind it are the names of the functions, the communicators and the threads.
struct call_log_head {
    char format[8];
    std::uint32_t process;
    std::int32_t rank, processes;
    std::uint32_t functions, communicators, threads, calls; // numbers of places
    std::uint32_t used_communicators, used_threads;
    std::uint32_t phase;              // of calls.h
    std::uint64_t ticks, nanoseconds; // the same moment by the clock of calls and by CLOCK_REALTIME
    std::uint64_t scale;              // nanoseconds of a tick, times 2^32
    std::uint64_t began; // if a tool has attached to a process that ran: when, in ticks. Older calls may be incomplete
    char host[48];
    char launch[256]; // equal in the processes of a launch, see ../launch.hpp
};
static_assert(sizeof(call_log_head) == 384);

// The place of the calling thread, null without one, and its distributions (distributions.hpp), null before the first.
class distribution_table;
struct own_call_thread {
    call_thread* place;
    bool is_asked;
    distribution_table* distributions;
};
inline thread_local own_call_thread this_thread_in_log [[gnu::tls_model("initial-exec")]]{};

class call_log {
public:
    using function_name = char[32];

    // Once. Returns false without memory. `names` are those of the functions.
    template <std::size_t Functions>
    bool begin(const char* folder, int rank, int processes, const char* launch,
               const char* const (&names)[Functions]) noexcept {
        functions_ = Functions;
        void* const memory = map(folder, size_of(Functions));
        if (memory == nullptr) return false;
        auto* const head = static_cast<call_log_head*>(memory);
        head->process = static_cast<std::uint32_t>(getpid());
        head->rank = rank;
        head->processes = processes;
        head->functions = Functions;
        head->communicators = most_logged_communicators;
        head->threads = most_call_threads;
        head->calls = most_logged_calls;
        gethostname(head->host, sizeof head->host - 1);
        std::strncpy(head->launch, launch, sizeof head->launch - 1);
        set_time(*head);
        head->scale = call_clock.scale();
        auto* const of_functions = reinterpret_cast<function_name*>(head + 1);
        for (std::size_t i = 0; i < Functions; i++) std::strncpy(of_functions[i], names[i], sizeof(function_name) - 1);
        communicators_ = reinterpret_cast<logged_communicator*>(of_functions + Functions);
        threads_ = reinterpret_cast<call_thread*>(communicators_ + most_logged_communicators);
        has_key_ = pthread_key_create(&key_, &call_log::give_back) == 0;
        std::memcpy(head->format, "mpitcal2", sizeof head->format);
        head_.store(head, std::memory_order_release);
        return true;
    }
    void begin_late() noexcept {
        processor_wait.restart(call_clock.now());
        if (call_log_head* const head = head_.load()) head->began = processor_wait.restarted();
    }
    std::uint64_t began() const noexcept {
        const call_log_head* const head = head_.load(std::memory_order_acquire);
        return head != nullptr ? head->began : 0;
    }
    bool is_there() const noexcept { return head_.load(std::memory_order_acquire) != nullptr; }

    // A place for the calling thread; null if all places are in use.
    call_thread* thread() noexcept {
        call_log_head* const head = head_.load(std::memory_order_acquire);
        if (head == nullptr) return nullptr;
        call_thread* own = nullptr;
        for (std::uint32_t i = 0; own == nullptr && i < most_call_threads; i++) {
            std::uint32_t is_used = 0;
            if (i >= __atomic_load_n(&head->used_threads, __ATOMIC_RELAXED) && !has_room_for(i)) return nullptr;
            if (__atomic_compare_exchange_n(&threads_[i].is_used, &is_used, 1, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_RELAXED))
                own = &threads_[i];
            if (i >= __atomic_load_n(&head->used_threads, __ATOMIC_RELAXED))
                __atomic_store_n(&head->used_threads, i + 1, __ATOMIC_RELEASE);
        }
        if (own == nullptr) return nullptr;
        call_thread::store(own->number, static_cast<std::uint32_t>(syscall(SYS_gettid)));
        own->least_wait = INT64_MAX;
        if (own->number == static_cast<std::uint32_t>(getpid())) {
            own->least_wait = processor_wait.least();
            own->wait_read = processor_wait.nanoseconds();
            own->read = call_clock.now();
        }
        if (has_key_) pthread_setspecific(key_, own);
        return own;
    }
    // A place for a communicator; null if all are in use. add_communicator() makes it visible and returns its index.
    logged_communicator* new_communicator() noexcept {
        call_log_head* const head = head_.load(std::memory_order_acquire);
        if (head == nullptr || head->used_communicators == most_logged_communicators) return nullptr;
        return &communicators_[head->used_communicators];
    }
    std::uint16_t add_communicator() noexcept {
        call_log_head* const head = head_.load();
        const std::uint32_t index = head->used_communicators;
        __atomic_store_n(&head->used_communicators, index + 1, __ATOMIC_RELEASE);
        return static_cast<std::uint16_t>(index);
    }
    void set_phase(int now) noexcept {
        if (call_log_head* const head = head_.load())
            __atomic_store_n(&head->phase, static_cast<std::uint32_t>(now), __ATOMIC_RELEASE);
    }
    // At the end of the process: there is nothing to find out after MPI_Finalize.
    void remove_file() noexcept {
        const call_log_head* const head = head_.load();
        if (path_.empty() || head->phase != phase_in_finalize || head->process != static_cast<std::uint32_t>(getpid()))
            return;
        unlink(path_.c_str());
        if (const auto slash = path_.rfind('/'); slash != std::string::npos) rmdir(path_.substr(0, slash).c_str());
        path_.clear();
    }
    template <class Visit> void for_each_thread(Visit visit) const noexcept {
        const call_log_head* const head = head_.load(std::memory_order_acquire);
        if (head == nullptr) return;
        const std::uint32_t used = __atomic_load_n(&head->used_threads, __ATOMIC_ACQUIRE);
        for (std::uint32_t i = 0; i < used; i++) visit(threads_[i]);
    }
    std::size_t number_of(const call_thread& of) const noexcept { return static_cast<std::size_t>(&of - threads_); }
    // The same format, with the time of the copy, the communicators and threads that are in use, and the last calls of
    // each thread.
    std::string short_copy() const;

private:
    static constexpr std::uint32_t calls_of_copy = 64;

    static void set_time(call_log_head& of) noexcept {
        timespec now{};
        of.ticks = call_clock.now();
        clock_gettime(CLOCK_REALTIME, &now);
        of.nanoseconds =
            static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
    }
    static std::size_t size_of(std::size_t functions) noexcept {
        return sizeof(call_log_head) + functions * sizeof(function_name) +
               most_logged_communicators * sizeof(logged_communicator) + most_call_threads * sizeof(call_thread);
    }
    static std::size_t up_to_threads(std::size_t functions) noexcept {
        return size_of(functions) - most_call_threads * sizeof(call_thread);
    }
    // Takes the room for a part of the file: where a file system is full, a write to memory would end the program.
    static bool has_room(int file, std::size_t begin, std::size_t size) noexcept {
        return fallocate(file, 0, static_cast<off_t>(begin), static_cast<off_t>(size)) == 0 ||
               (errno != ENOSPC && errno != EDQUOT);
    }
    bool has_room_for(std::uint32_t thread) const noexcept {
        if (path_.empty()) return true;
        const int kept = errno, file = open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        const bool is_there =
            file < 0 || has_room(file, up_to_threads(functions_) + thread * sizeof(call_thread), sizeof(call_thread));
        if (file >= 0) close(file);
        errno = kept;
        return is_there;
    }
    // The places of threads that make no call need no memory.
    void* map(const char* folder, std::size_t size) noexcept {
        int file = -1;
        if (folder != nullptr && *folder == '/') {
            struct stat about{};
            mkdir(folder, 0700); // on further machines of the job
            if (lstat(folder, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid()) {
                // Processes of other machines and containers may have this number, and the directory.
                path_ = std::string{folder} + '/' + std::to_string(getpid()) + "-XXXXXX.calls";
                file = mkostemps(path_.data(), 6, O_CLOEXEC);
            }
            if (file >= 0 &&
                (ftruncate(file, static_cast<off_t>(size)) != 0 || !has_room(file, 0, up_to_threads(functions_)))) {
                unlink(path_.c_str());
                close(file);
                file = -1;
            }
            if (file < 0) path_.clear();
        }
        void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                  file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, file, 0);
        if (file >= 0) close(file);
        return memory == MAP_FAILED ? nullptr : memory;
    }
    static void give_back(void* of) noexcept {
        auto* const thread = static_cast<call_thread*>(of);
        // Destructors that follow may call functions of the MPI.
        this_thread_in_log = {nullptr, true, nullptr};
        __atomic_store_n(&thread->is_used, 0, __ATOMIC_RELEASE);
    }

    std::atomic<call_log_head*> head_{nullptr};
    std::size_t functions_ = 0;
    logged_communicator* communicators_ = nullptr;
    call_thread* threads_ = nullptr;
    std::string path_;
    pthread_key_t key_{};
    bool has_key_ = false;
};

// Never destroyed, since threads of the program may call functions of the MPI until the end of the process.
inline call_log& the_call_log = *new call_log;

inline std::string call_log::short_copy() const {
    const call_log_head* const from = head_.load(std::memory_order_acquire);
    if (from == nullptr) return {};
    call_log_head head = *from;
    set_time(head);
    head.communicators = head.used_communicators;
    head.threads = head.used_threads;
    head.calls = calls_of_copy;
    const auto part = [](const void* begin, std::size_t size) {
        return std::string(static_cast<const char*>(begin), size);
    };
    std::string text = part(&head, sizeof head) + part(from + 1, functions_ * sizeof(function_name)) +
                       part(communicators_, head.communicators * sizeof(logged_communicator));
    for (std::uint32_t i = 0; i < head.threads; i++) {
        const call_thread& of = threads_[i];
        const std::uint64_t calls = __atomic_load_n(&of.calls, __ATOMIC_ACQUIRE);
        call_thread shown;
        std::memcpy(static_cast<void*>(&shown), &of, offsetof(call_thread, all));
        shown.calls = calls;
        for (std::uint64_t each = calls - std::min<std::uint64_t>(calls, calls_of_copy); each < calls; each++)
            shown.all[each % calls_of_copy] = of.all[each % most_logged_calls];
        text += part(&shown, offsetof(call_thread, all) + calls_of_copy * sizeof(logged_call));
    }
    return text;
}

[[gnu::cold, gnu::noinline]] inline call_thread* first_call_of(own_call_thread& own) noexcept {
    own.is_asked = true;
    return own.place = the_call_log.thread();
}
inline call_thread* this_call_thread() noexcept {
    own_call_thread& own = this_thread_in_log;
    return own.is_asked ? own.place : first_call_of(own);
}

} // namespace mpit_info
