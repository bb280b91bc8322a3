// Who waits for whom: a lock that is only tried, writers and locks that give up after a second, readers that an
// unload waits for; and the places of the cells of threads, in which nobody waits.
#include "../catch.hpp"
#include "../emulated.hpp"

#include <mpit/concurrency/biased_lock.hpp>
#include <mpit/concurrency/read_guard.hpp>
#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/concurrency/shard_walks.hpp>
#include <mpit/mpit.hpp>
#include <mpit/over_mpi/try_lock.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <latch>
#include <sched.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using mpit::core::biased_lock;

struct tree_with_shards : mpit::category<"turns", "Makes the shards of this program"> {
    mpit::counter<> any{this, "any", "A counter"};
};
inline constexpr auto& tree = mpit::registered<tree_with_shards>;

template <class Act> void in_another_thread(Act act) { std::thread{act}.join(); }

// Makes the lock one of all threads.
void end_ownership(biased_lock& lock) {
    REQUIRE(lock.try_lock());
    in_another_thread([&] { lock.try_lock(); });
    lock.unlock();
}

} // namespace

TEST_CASE("A lock that is held is refused to its holder, and to other threads, and then free again") {
    CHECK(tree.name.length > 0);
    for (const bool is_shared : {false, true}) {
        biased_lock lock;
        if (is_shared) end_ownership(lock);
        for (int round = 0; round < 3; round++) {
            CHECK_FALSE(lock.is_held_by_this_thread());
            REQUIRE(lock.try_lock());
            CHECK(lock.is_held_by_this_thread());
            CHECK_FALSE(lock.try_lock());
            bool is_taken = true, is_held_there = true;
            in_another_thread([&] { is_held_there = lock.is_held_by_this_thread(), is_taken = lock.try_lock(); });
            CHECK_FALSE(is_taken);
            CHECK_FALSE(is_held_there);
            CHECK(lock.is_held_by_this_thread());
            lock.unlock();
            in_another_thread([&] {
                if (lock.try_lock()) is_taken = true, lock.unlock();
            });
            CHECK(is_taken);
        }
    }
}

TEST_CASE("A lock that a thread has left held can be reset") {
    for (const bool is_shared : {false, true}) {
        biased_lock lock;
        if (is_shared) end_ownership(lock);
        in_another_thread([&] { CHECK(lock.try_lock()); });
        CHECK_FALSE(lock.try_lock());
        lock.reset();
        REQUIRE(lock.try_lock());
        CHECK_FALSE(lock.try_lock());
        lock.unlock();
    }
}

TEST_CASE("In the child of a fork a lock is free where another thread held it, and still held where the thread that "
          "forks did") {
    for (const bool is_own : {false, true}) {
        biased_lock lock;
        const auto take = [&] { lock.try_lock(); };
        is_own ? take() : in_another_thread(take);
        const pid_t child = fork();
        if (child == 0) {
            const bool was_forgotten = lock.reset_other_threads();
            _exit(was_forgotten != is_own && lock.try_lock() != is_own ? 0 : 1);
        }
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
}

namespace {

using std::chrono::milliseconds;

// Six threads take one thing again and again, and hold it for some milliseconds each time: a thread that waits rarely
// sees it free.
template <class Take> int refused_of(Take take) {
    std::atomic<int> refused{0};
    std::latch present{6};
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; i++)
        threads.emplace_back([&] {
            present.arrive_and_wait();
            for (int n = 0; n < 100; n++) refused += !take();
        });
    for (std::thread& each : threads) each.join();
    return refused;
}

} // namespace

TEST_CASE("A writer of a value of several words that others overtake for more than a second is not refused") {
    mpit::core::buffer_selection present;
    CHECK(refused_of([&] { return present.write([](int) { std::this_thread::sleep_for(milliseconds{16}); }); }) == 0);
}

TEST_CASE("A thread that others overtake for more than a second takes a lock that gives up") {
    mpit::over_mpi::try_lock lock;
    CHECK(refused_of([&] { return lock.take([] { std::this_thread::sleep_for(milliseconds{4}); }); }) == 0);
}

TEST_CASE("A lock that gives up refuses the thread that has it, and after a second another one") {
    mpit::over_mpi::try_lock lock;
    bool is_taken_twice = true, is_taken_by_other = true;
    CHECK(lock.take([&] {
        is_taken_twice = lock.take([] {});
        std::thread{[&] { is_taken_by_other = lock.take([] {}); }}.join();
    }));
    CHECK_FALSE(is_taken_twice);
    CHECK_FALSE(is_taken_by_other);
}

namespace {

std::jmp_buf out_of_reader;
[[gnu::noinline]] void leave_a_reader() {
    const mpit::core::read_guard guard;
    std::longjmp(out_of_reader, 1);
}

} // namespace

TEST_CASE("A reader that was left by longjmp is waited for once, and the next one of its thread as any other") {
    CHECK(tree.name.length > 0);
    mpit::core::shard_set& shards = *mpit::core::shards.load();
    std::atomic<int> stage{0};
    const auto wait_for = [&stage](int n) {
        while (stage.load() != n) sched_yield();
    };
    std::thread reader{[&] {
        if (setjmp(out_of_reader) == 0) leave_a_reader();
        stage = 1;
        wait_for(2);
        {
            const mpit::core::read_guard guard;
            stage = 3;
            wait_for(4);
        }
        stage = 5;
        wait_for(6);
    }};
    wait_for(1);
    CHECK_FALSE(mpit::core::wait_for_grace_period(shards));
    CHECK(mpit::core::wait_for_grace_period(shards));
    stage = 2;
    wait_for(3);
    CHECK_FALSE(mpit::core::wait_for_grace_period(shards));
    stage = 4;
    wait_for(5);
    CHECK(mpit::core::wait_for_grace_period(shards));
    stage = 6;
    reader.join();
}

TEST_CASE("A reader that has no memory for a shard is waited for once, and can end after that") {
    static mpit::core::shard_set set;
    set.begin(16384);
    mpit::core::shard_set* const shards_before = mpit::core::shards.exchange(&set);
    const auto thread_before = mpit::core::this_thread_shard;
    mpit::core::this_thread_shard = {};
    mpit::core::allocations_left.store(0);
    {
        const mpit::core::read_guard guard;
        REQUIRE(mpit::core::this_thread_shard.shard == nullptr);
        CHECK_FALSE(mpit::core::wait_for_grace_period(set));
        CHECK(mpit::core::wait_for_grace_period(set));
    }
    CHECK(mpit::core::wait_for_grace_period(set));
    mpit::core::allocations_left.store(-1);
    mpit::core::this_thread_shard = thread_before;
    mpit::core::shards.store(shards_before);
}

TEST_CASE("A reader is waited for although another one has lasted for more than a second") {
    CHECK(tree.name.length > 0);
    mpit::core::shard_set& shards = *mpit::core::shards.load();
    const mpit::core::shard* own[2] = {};
    std::atomic<int> ready{0}, lasting{-1}, inside{0};
    std::atomic<bool> is_over{false}, has_left{false};
    std::vector<std::thread> readers;
    for (int i = 0; i < 2; i++)
        readers.emplace_back([&, i] {
            own[i] = mpit::core::shard_of_this_thread();
            ready++;
            while (lasting < 0) sched_yield();
            const mpit::core::read_guard guard;
            inside++;
            if (lasting == i) {
                while (!is_over) std::this_thread::sleep_for(milliseconds{1});
            } else {
                std::this_thread::sleep_for(milliseconds{1300});
                has_left = true;
            }
        });
    while (ready < 2) sched_yield();
    const mpit::core::shard* first = shards.first.load();
    while (first != own[0] && first != own[1]) first = first->next();
    lasting = first == own[1];
    while (inside < 2) sched_yield();
    CHECK_FALSE(mpit::core::wait_for_grace_period(shards));
    CHECK(has_left);
    is_over = true;
    for (std::thread& each : readers) each.join();
    CHECK(mpit::core::wait_for_grace_period(shards));
}

namespace {

using mpit::core::shard;
using mpit::core::shard_parts;
constexpr std::uint32_t cell_numbers = 3000, word = sizeof(std::uint64_t);

// The flags of the mapping that has the address, as the kernel tells them; empty if it does not.
std::string flags_of_mapping(const void* address) {
    std::FILE* file = std::fopen("/proc/self/smaps", "r");
    if (file == nullptr) return "";
    char line[512];
    bool is_it = false;
    std::string flags;
    while (flags.empty() && std::fgets(line, sizeof line, file) != nullptr) {
        unsigned long begin = 0, end = 0;
        if (std::sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            is_it =
                begin <= reinterpret_cast<std::uintptr_t>(address) && reinterpret_cast<std::uintptr_t>(address) < end;
        else if (is_it && std::strncmp(line, "VmFlags:", 8) == 0) flags = line + 8;
    }
    std::fclose(file);
    return flags;
}
bool has_huge_pages() {
    std::FILE* file = std::fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (file != nullptr) std::fclose(file);
    return file != nullptr;
}

} // namespace

TEST_CASE("The cells of threads are not in huge pages, where a thread that counts once would fill megabytes") {
    static mpit::core::shard_set set;
    set.begin(16384);
    errno = 5;
    const shard* made = mpit::core::detail::allocate_shard_memory(set);
    REQUIRE(made != nullptr);
    CHECK(errno == 5);
    const std::string flags = flags_of_mapping(made);
    if (!is_emulated() && has_huge_pages() && !flags.empty()) CHECK(flags.find(" nh") != std::string::npos);
}

TEST_CASE("Every cell of every thread of a slab has a place of its own, and larger numbers have larger distances") {
    int wrong = 0;
    std::vector<bool> is_taken(shard_parts::stride * (cell_numbers / shard_parts::first_cells + 2) / word);
    const auto take = [&](std::size_t byte) {
        wrong += byte % word != 0 || byte / word >= is_taken.size() || is_taken[byte / word];
        if (byte / word < is_taken.size()) is_taken[byte / word] = true;
    };
    for (std::uint32_t thread = 0; thread < shard_parts::shards; thread++) {
        const std::size_t begin = std::size_t{thread} * shard_parts::bytes;
        for (std::size_t byte = 0; byte < sizeof(shard); byte += word) take(begin + byte);
        for (std::uint32_t n = 0; n < cell_numbers; n++) {
            take(begin + shard::offset_of(n));
            wrong += n > 0 && shard::offset_of(n) <= shard::offset_of(n - 1);
        }
    }
    CHECK(wrong == 0);
    CHECK(shard::offset_of(1u << 22) == mpit::core::no_shard_cell);
    CHECK(shard::offset_of((1u << 22) - 1) < mpit::core::no_shard_cell);
}

TEST_CASE("Cells that are asked for together stand one behind the other, and those of more than a part begin one") {
    int wrong = 0;
    for (std::uint32_t from = 0; from < 500; from++) {
        for (std::uint32_t count = 1; count < 300; count++) {
            const std::uint32_t first = shard::first_contiguous(count, from);
            wrong += first < from || shard::first_contiguous(count, first) != first;
            const std::uint32_t together = shard::contiguous_cells_at(shard::offset_of(first));
            const std::uint32_t of_part =
                first < shard_parts::first_cells ? shard_parts::first_cells : shard_parts::further_cells;
            wrong += count > together && (count <= shard_parts::further_cells || together != of_part);
            for (std::uint32_t i = 1; i < together && i < count; i++)
                wrong += shard::offset_of(first + i) != shard::offset_of(first) + i * word;
        }
    }
    CHECK(wrong == 0);
}
