// What callbacks may do while they run, and what they find: registrations that begin, events that they raise
// themselves, instances that are gone, a place that another registration has left, a lack of memory, and a fork.

#include "events_listening.hpp"

#include <csetjmp>
#include <memory>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

void raise_one(unsigned long number) { stressed.stepped(0, number, -1); }

} // namespace

TEST_CASE("A callback registers another callback, which gets the following instances", "[EVT-27]") {
    initialized tools;
    static std::unique_ptr<watch> other;
    watch w{"stepped"};
    w.listen(mpit::safety::none);
    w.then = [](watch&, const step& s) {
        if (s.number != 2) return;
        other = std::make_unique<watch>("stepped");
        other->listen(mpit::safety::none);
    };
    for (unsigned long n = 1; n <= 4; n++) raise_one(n);
    CHECK(w.seen(0) == 4);
    CHECK(other->seen(0) == 2);
    CHECK(other->free() == MPI_SUCCESS);
    CHECK(w.free() == MPI_SUCCESS);
    CHECK(w.mistakes.load() + other->mistakes.load() == 0);
    other.reset();
}

TEST_CASE("A callback raises another event, whose callback sees its own instance") {
    initialized tools;
    watch w{"stepped"}, answers{"answered"};
    w.listen(mpit::safety::none);
    answers.listen(mpit::safety::none);
    w.then = [](watch&, const step& s) { stressed.answered(1, s.number * 2, -1); };
    for (unsigned long n = 1; n <= 100; n++) raise_one(n);
    CHECK(w.seen(0) == 100);
    CHECK(answers.seen(1) == 100);
    CHECK(w.free() == MPI_SUCCESS);
    CHECK(answers.free() == MPI_SUCCESS);
    CHECK(w.mistakes.load() + answers.mistakes.load() == 0);
}

TEST_CASE("A thread-safe callback that raises its own event runs inside itself, another one runs again afterwards") {
    initialized tools;
    for (const mpit::safety level : every_level) {
        const bool nests = level >= mpit::safety::thread_safe;
        watch w{"stepped"};
        w.count_losses();
        w.listen(level);
        w.then = [](watch&, const step& s) {
            if (s.number == 1)
                for (unsigned long n = 2; n <= 10; n++) raise_one(n);
        };
        raise_one(1);
        CHECK(w.seen(0) == 10);
        CHECK(w.most_inside.load() == (nests ? 2 : 1));
        raise_one(11);
        CHECK(w.seen_and_told() == 11);
        CHECK(w.mistakes.load() == 0);
        CHECK(w.free() == MPI_SUCCESS);
        CHECK(w.frees.load() == 1);
    }
}

TEST_CASE(
    "A callback that is not thread-safe, set by the delivery of an instance that waited, does not run inside itself") {
    initialized tools;
    watch w{"stepped"};
    w.listen(mpit::safety::thread_safe);
    w.then = [](watch& self, const step& s) {
        if (s.number == 1) self.listen(mpit::safety::none);
        if (s.number == 2) raise_one(3);
    };
    stressed.stepped.defer(0, 1ul, -1);
    raise_one(2);
    CHECK(w.seen(0) == 3);
    CHECK(w.most_inside.load() == 1);
    CHECK(w.mistakes.load() == 0);
    CHECK(w.free() == MPI_SUCCESS);
}

namespace {

std::jmp_buf before_raise;
unsigned long tries, jumps, readable;

void leave_by_a_jump(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    MPI_Count stamp = 0;
    readable += MPI_T_event_get_timestamp(instance, &stamp) == MPI_SUCCESS;
    if (++jumps <= 1000) std::longjmp(before_raise, 1);
}

} // namespace

TEST_CASE("Thread-safe callbacks that are left by longjmp take no space from later ones") {
    initialized tools;
    MPI_T_event_registration own = nullptr;
    int index = -1;
    REQUIRE(MPI_T_event_get_index("stepped", &index) == MPI_SUCCESS);
    REQUIRE(MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &own) == MPI_SUCCESS);
    REQUIRE(MPI_T_event_register_callback(own, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, nullptr,
                                          &leave_by_a_jump) == MPI_SUCCESS);
    // A registration ends when the threads have ended that have left its callbacks so.
    std::thread{[] {
        for (; tries < 1001; tries++)
            if (setjmp(before_raise) == 0) raise_one(1);
    }}.join();
    CHECK(jumps == 1001);
    CHECK(readable == 1001);
    CHECK(MPI_T_event_handle_free(own, nullptr, nullptr) == MPI_SUCCESS);
}

TEST_CASE("Callbacks nest 100 deep, and at most 256 instances of one thread are nested: deeper ones are dropped and "
          "told") {
    initialized tools;
    static unsigned long deepest;
    const mpit::safety level = GENERATE(mpit::safety::none, mpit::safety::thread_safe);
    for (const unsigned long wanted : {100ul, 256ul, 300ul}) {
        deepest = wanted;
        watch w{"stepped"};
        w.count_losses();
        w.listen(level);
        w.then = [](watch& self, const step& s) {
            if (s.number < deepest && self.mistakes.load() == 0) raise_one(s.number + 1);
        };
        raise_one(1);
        CHECK(w.seen(0) == (wanted < 256 ? wanted : 256));
        w.then = nullptr;
        raise_one(1000);
        CHECK(w.told.load() == (wanted > 256 ? 1 : 0));
        CHECK(w.mistakes.load() == 0);
        CHECK(w.free() == MPI_SUCCESS);
        CHECK(w.frees.load() == 1);
    }
}

TEST_CASE(
    "The handle of an instance is worth nothing after its callback, neither alone nor in the callback of the next one",
    "[EVT-29]") {
    initialized tools;
    static MPI_T_event_instance kept;
    static int answer;
    kept = nullptr;
    answer = -1;
    int index = -1;
    MPI_T_event_registration r = nullptr;
    REQUIRE(MPI_T_event_get_index("stepped", &index) == MPI_SUCCESS);
    REQUIRE(MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &r) == MPI_SUCCESS);
    MPI_T_event_register_callback(r, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr,
                                  [](MPI_T_event_instance now, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        step copied{};
        if (kept != nullptr) answer = MPI_T_event_copy(kept, &copied);
        else kept = now;
    });
    step copied{};
    raise_one(1);
    CHECK(MPI_T_event_copy(kept, &copied) == MPI_T_ERR_INVALID_HANDLE);
    raise_one(2);
    CHECK(answer == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_handle_free(r, nullptr, nullptr) == MPI_SUCCESS);
}

TEST_CASE("A registration begins without the callbacks and drops of the one that had its slot before",
          "[EVT-17][EVT-37]") {
    initialized tools;
    for (const mpit::safety level : every_level) {
        watch ended{"stepped"};
        ended.count_losses();
        ended.listen(mpit::safety::none);
        if (level != mpit::safety::none) ended.listen(level);
        stressed.stepped.defer(0, 1ul, -1);
        stressed.stepped.deliver();
        ended.ignore(mpit::safety::none);
        ended.ignore(level);
        raise_one(2); // a loss that nobody is told of
        ended.listen(level);
        CHECK(ended.free() == MPI_SUCCESS);

        watch w{"stepped"};
        raise_one(3);
        w.listen(level);
        w.count_losses();
        raise_one(4);
        CHECK(w.seen(0) == 1);
        CHECK(w.told.load() == 0);
        CHECK(w.free() == MPI_SUCCESS);
        CHECK(ended.seen(0) == 1);
        CHECK(ended.mistakes.load() + w.mistakes.load() == 0);
        CHECK(ended.frees.load() + w.frees.load() == 2);
    }
}

TEST_CASE("Without memory a registration is refused, existing ones continue, and later it succeeds", "[EVT-12]") {
    initialized tools;
    int index = -1;
    REQUIRE(MPI_T_event_get_index("stepped", &index) == MPI_SUCCESS);
    watch w{"stepped"};
    w.listen(mpit::safety::none);
    const hints deep{{"mpit_buffer_depth", "65536"}};
    MPI_T_event_registration r = nullptr;
    int answer = -1, refusals = 0;
    for (int left = 0; answer != MPI_SUCCESS; left++) {
        r = reinterpret_cast<MPI_T_event_registration>(&index);
        mpit::core::allocations_left.store(left);
        answer = MPI_T_event_handle_alloc(index, nullptr, deep.info, &r);
        mpit::core::allocations_left.store(-1);
        refusals += answer == MPI_T_ERR_OUT_OF_HANDLES;
        CHECK((answer == MPI_SUCCESS) == (r != nullptr));
        // The info object is read first, and takes memory, too.
        CHECK((answer == MPI_SUCCESS || answer == MPI_T_ERR_OUT_OF_HANDLES ||
               (answer == MPI_T_ERR_MEMORY && refusals == 0)));
        raise_one(static_cast<unsigned long>(left + 1));
        CHECK(w.seen(0) == static_cast<unsigned long>(left + 1));
    }
    CHECK(refusals > 0);
    CHECK(MPI_T_event_handle_free(r, nullptr, nullptr) == MPI_SUCCESS);
    CHECK(w.free() == MPI_SUCCESS);
    CHECK(w.frees.load() == 1);
}

TEST_CASE("A child that is forked inside a callback raises, registers and frees without effect on its parent") {
    initialized tools;
    static int failures;
    failures = -1;
    watch w{"stepped"};
    w.count_losses();
    w.listen(mpit::safety::thread_safe);
    w.then = [](watch& self, const step& s) {
        if (s.number != 2) return;
        const pid_t child = fork();
        if (child == 0) {
            int failed = 0;
            raise_one(3);
            failed += self.seen(0) != 3;
            watch own{"stepped"};
            own.listen(mpit::safety::none);
            raise_one(4);
            failed += self.seen(0) != 4 || own.seen(0) != 1;
            failed += own.free() != MPI_SUCCESS || own.frees.load() != 1;
            std::thread{[] { raise_one(5); }}.join();
            failed += self.seen(0) != 5 || own.seen(0) != 1;
            failed += self.free() != MPI_SUCCESS || self.frees.load() != 0; // still inside
            failed += self.mistakes.load();
            _exit(failed);
        }
        int status = -1;
        waitpid(child, &status, 0);
        failures = WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
    };
    raise_one(1);
    raise_one(2);
    raise_one(6);
    CHECK(failures == 0);
    CHECK(w.seen(0) == 3);
    CHECK(w.free() == MPI_SUCCESS);
    CHECK(w.frees.load() == 1);
    CHECK(w.mistakes.load() == 0);
}

TEST_CASE(
    "In a child that is forked while another thread runs a callback nobody waits for that thread, and in one that is "
    "forked inside of it the instance waits until the callback returns") {
    initialized tools;
    static std::atomic<int> running;
    static std::atomic<bool> is_over;
    running = 0;
    is_over = false;
    watch w{"stepped"};
    w.listen(mpit::safety::none);
    w.then = [](watch&, const step& s) {
        if (s.number != 1) return;
        running++;
        wait_until([] { return is_over.load(); });
    };
    std::thread other{[] { raise_one(1); }};
    wait_until([] { return running.load() == 1; });
    const auto in_child = [](auto what) {
        const pid_t child = fork();
        if (child == 0) syscall(SYS_exit_group, what() ? 1 : 0); // a sanitizer would miss the threads of the parent
        int status = -1;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
    };
    CHECK(in_child([&] {
        stressed.stepped(1, 2ul, -1);
        return w.seen(1) != 1;
    }) == 0);
    is_over = true;
    other.join();
    CHECK(w.seen(1) == 0);
    CHECK(in_child([&] {
        static int failed = 0;
        w.then = [](watch& self, const step& s) {
            if (s.number != 3) return;
            const pid_t grandchild = fork();
            if (grandchild != 0) {
                int status = -1;
                waitpid(grandchild, &status, 0);
                syscall(SYS_exit_group, WIFEXITED(status) ? WEXITSTATUS(status) : 100);
            }
            raise_one(4);
            failed += self.seen(0) != 2;
        };
        raise_one(3);
        failed += w.seen(0) != 3 || w.has_pending();
        raise_one(5);
        return failed + (w.seen(0) != 4) + w.mistakes.load();
    }) == 0);
    CHECK(w.free() == MPI_SUCCESS);
    CHECK(w.mistakes.load() == 0);
}
