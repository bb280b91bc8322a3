// What callbacks may do while they run, and what they find: registrations that begin, a place that another
// registration has left, and a fork. Ends of registrations: in their own callbacks, while others are inside, and by
// several threads at once. The end is told once, after the last one has left.
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

TEST_CASE_METHOD(initialized, "A callback registers another callback, which gets the following instances", "[EVT-27]") {
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

TEST_CASE_METHOD(
    initialized,
    "A callback that is not thread-safe, set by the delivery of an instance that waited, does not run inside itself") {
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

std::jmp_buf before_step;
unsigned long tries, jumps, readable;

void leave_by_a_jump(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    MPI_Count stamp = 0;
    readable += MPI_T_event_get_timestamp(instance, &stamp) == MPI_SUCCESS;
    if (++jumps <= 1000) std::longjmp(before_step, 1);
}

} // namespace

TEST_CASE_METHOD(initialized, "Thread-safe callbacks that are left by longjmp take no space from later ones") {
    MPI_T_event_registration own = nullptr;
    int index = -1;
    REQUIRE(MPI_T_event_get_index("stepped", &index) == MPI_SUCCESS);
    REQUIRE(MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &own) == MPI_SUCCESS);
    REQUIRE(MPI_T_event_register_callback(own, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, nullptr,
                                          &leave_by_a_jump) == MPI_SUCCESS);
    // A registration ends when the threads have ended that have left its callbacks so.
    std::thread{[] {
        for (; tries < 1001; tries++)
            if (setjmp(before_step) == 0) raise_one(1);
    }}.join();
    CHECK(jumps == 1001);
    CHECK(readable == 1001);
    CHECK(MPI_T_event_handle_free(own, nullptr, nullptr) == MPI_SUCCESS);
}

TEST_CASE_METHOD(
    initialized,
    "Callbacks nest 100 deep, and at most 256 instances of one thread are nested: deeper ones are dropped and "
    "told",
    "[EVT-38]") {
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
        w.check_end();
    }
}

TEST_CASE_METHOD(initialized,
                 "A registration begins without the callbacks and drops of the one that had its slot before",
                 "[EVT-17][EVT-37]") {
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

TEST_CASE_METHOD(initialized,
                 "A child that is forked inside a callback raises, registers and frees without effect on its parent") {
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
    w.check_end();
}

TEST_CASE_METHOD(
    initialized,
    "In a child that is forked while another thread runs a callback nobody waits for that thread, and in one that is "
    "forked inside of it the instance waits until the callback returns") {
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

namespace {

// A thread whose callback is left by longjmp, and which then lives until it may end.
class leaving_thread {
public:
    leaving_thread() {
        REQUIRE(MPI_T_event_get_index("stepped", &index_) == MPI_SUCCESS);
        ends_ = 0;
        REQUIRE(MPI_T_event_handle_alloc(index_, nullptr, MPI_INFO_NULL, &registration_) == MPI_SUCCESS);
        REQUIRE(MPI_T_event_register_callback(registration_, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, nullptr,
                                              &leave) == MPI_SUCCESS);
        thread_ = std::thread{[this] {
            number_ = static_cast<pid_t>(syscall(SYS_gettid));
            if (setjmp(before_raise) == 0) raise_one(1);
            stage_ = 1;
            wait_until([this] { return stage_.load() == 2; });
        }};
        wait_until([this] { return stage_.load() == 1; });
    }
    ~leaving_thread() { end(); }
    leaving_thread(const leaving_thread&) = delete;
    // Returns when the kernel knows the thread no more.
    void end() {
        if (!thread_.joinable()) return;
        stage_ = 2;
        thread_.join();
        while (syscall(SYS_tgkill, getpid(), number_, 0) == 0) usleep(100);
    }
    int free() {
        return MPI_T_event_handle_free(registration_, nullptr,
                                       [](MPI_T_event_registration, MPI_T_cb_safety, void*) { ends_++; });
    }
    int ends() const { return ends_.load(); }
    // Another registration on the event.
    int register_and_free() const {
        MPI_T_event_registration other{};
        const int code = MPI_T_event_handle_alloc(index_, nullptr, MPI_INFO_NULL, &other);
        return code != MPI_SUCCESS ? code : MPI_T_event_handle_free(other, nullptr, nullptr);
    }
    static int read_instance() {
        int value = 0;
        return MPI_T_event_read(left_, 0, &value);
    }

private:
    static void leave(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        left_ = instance;
        std::longjmp(before_raise, 1);
    }
    static inline std::jmp_buf before_raise;
    static inline MPI_T_event_instance left_{};
    static inline std::atomic<int> ends_{0};

    int index_ = -1;
    MPI_T_event_registration registration_{};
    std::atomic<int> stage_{0};
    pid_t number_ = 0;
    std::thread thread_;
};

} // namespace

TEST_CASE_METHOD(
    initialized,
    "A freed registration whose callback was left by longjmp ends at the next registration after its thread",
    "[EVT-35]") {
    leaving_thread leaving;
    CHECK(leaving.free() == MPI_SUCCESS);
    CHECK(leaving.register_and_free() == MPI_SUCCESS);
    CHECK(leaving.ends() == 0);
    leaving.end();
    CHECK(leaving.register_and_free() == MPI_SUCCESS);
    CHECK(leaving.ends() == 1);
}

TEST_CASE("A freed registration whose callback was left by longjmp ends at the last finalize after its thread",
          "[EVT-35]") {
    std::unique_ptr<leaving_thread> leaving;
    {
        initialized tools;
        leaving = std::make_unique<leaving_thread>();
        CHECK(leaving->free() == MPI_SUCCESS);
        leaving->end();
        CHECK(leaving->ends() == 0);
    }
    CHECK(leaving->ends() == 1);
}

TEST_CASE_METHOD(initialized, "An instance is refused when the thread that left its callback by longjmp has ended") {
    leaving_thread leaving;
    leaving.end();
    CHECK(leaving_thread::read_instance() == MPI_T_ERR_INVALID_HANDLE);
    CHECK(leaving.free() == MPI_SUCCESS);
    CHECK(leaving.ends() == 1);
}

TEST_CASE_METHOD(
    initialized,
    "If an inner callback frees a registration, the free callback runs after the outermost one has returned",
    "[EVT-35][EVT-36]") {
    static int frees_inside;
    frees_inside = 0;
    watch w{"stepped"};
    w.listen(mpit::safety::none);
    w.then = [](watch& self, const step& s) {
        if (s.number < 10) raise_one(s.number + 1);
        if (s.number == 10) self.free();
        frees_inside += self.frees.load();
    };
    raise_one(1);
    CHECK(frees_inside == 0);
    CHECK(w.seen(0) == 10);
    CHECK(w.frees.load() == 1);
    CHECK(w.mistakes.load() == 0);
}

TEST_CASE_METHOD(initialized, "Of two threads that end one registration at once, while a third raises, one succeeds",
                 "[EVT-34][EVT-35]") {
    const unsigned long rounds = raises(40'000);
    std::atomic<int> wrong{0}, successes{0};
    std::unique_ptr<watch> w;
    meeting together{3};
    const auto end_it = [&] {
        for (unsigned long n = 1; n <= rounds; n++) {
            together.wait();
            const int answer = w->free();
            successes += answer == MPI_SUCCESS;
            wrong += answer != MPI_SUCCESS && answer != MPI_T_ERR_INVALID_HANDLE;
            together.wait();
        }
    };
    std::thread first{end_it}, second{end_it};
    for (unsigned long n = 1; n <= rounds; n++) {
        w = std::make_unique<watch>("stepped");
        w->listen(mpit::safety::none);
        together.wait();
        raise_one(1);
        together.wait();
        raise_one(2);
        wrong += w->frees.load() != 1 || w->mistakes.load() != 0;
        w->handle = nullptr;
    }
    first.join();
    second.join();
    CHECK(successes.load() == static_cast<int>(rounds));
    CHECK(wrong.load() == 0);
}

TEST_CASE_METHOD(initialized,
                 "A callback that comes too late for its registration does not get into the one that follows",
                 "[EVT-34]") {
    const unsigned long rounds = raises(40'000);
    std::atomic<MPI_T_event_registration> present{nullptr};
    std::atomic<bool> done{false};
    static std::atomic<int> foreign;
    static MPI_T_event_registration expected;
    foreign = 0;
    std::thread late{[&] {
        while (!done.load()) {
            const MPI_T_event_registration seen = present.load();
            MPI_T_event_register_callback(seen, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, seen,
                                          [](MPI_T_event_instance, MPI_T_event_registration r, MPI_T_cb_safety,
                                             void* of) { foreign += r != of || r != expected; });
        }
    }};
    int failures = 0;
    for (unsigned long n = 1; n <= rounds; n++) {
        MPI_T_event_registration r = nullptr;
        int index = -1;
        failures += MPI_T_event_get_index("stepped", &index) != MPI_SUCCESS;
        failures += MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &r) != MPI_SUCCESS;
        expected = r;
        present = r;
        raise_one(n);
        failures += MPI_T_event_handle_free(r, nullptr, nullptr) != MPI_SUCCESS;
    }
    done = true;
    late.join();
    CHECK(failures == 0);
    CHECK(foreign.load() == 0);
}
