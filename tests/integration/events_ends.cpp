// Ends of registrations: in their own callbacks, while others are inside, and by several threads at once. The end is
// told once, after the last one has left.

#include "events_listening.hpp"

#include <csetjmp>
#include <memory>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

void raise_one(unsigned long number) { stressed.stepped(0, number, -1); }

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

TEST_CASE("A freed registration whose callback was left by longjmp ends at the next registration after its thread",
          "[EVT-35]") {
    initialized tools;
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

TEST_CASE("An instance is refused when the thread that left its callback by longjmp has ended") {
    initialized tools;
    leaving_thread leaving;
    leaving.end();
    CHECK(leaving_thread::read_instance() == MPI_T_ERR_INVALID_HANDLE);
    CHECK(leaving.free() == MPI_SUCCESS);
    CHECK(leaving.ends() == 1);
}

TEST_CASE("A callback frees its own registration, and the free callback runs after it has returned",
          "[EVT-35][EVT-36]") {
    initialized tools;
    static int answer, frees_inside;
    answer = frees_inside = -1;
    watch w{"stepped"};
    w.listen(mpit::safety::none);
    w.then = [](watch& self, const step& s) {
        if (s.number != 3) return;
        answer = self.free();
        frees_inside = self.frees.load();
    };
    for (unsigned long n = 1; n <= 5; n++) raise_one(n);
    CHECK(answer == MPI_SUCCESS);
    CHECK(frees_inside == 0);
    CHECK(w.seen(0) == 3);
    CHECK(w.frees.load() == 1);
    CHECK(w.free() == MPI_T_ERR_INVALID_HANDLE);
    CHECK(w.mistakes.load() == 0);
}

TEST_CASE("If an inner callback frees a registration, the free callback runs after the outermost one has returned",
          "[EVT-35][EVT-36]") {
    initialized tools;
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

TEST_CASE(
    "Ended while another thread is inside its callback, a registration is told its end when that one has returned",
    "[EVT-35]") {
    initialized tools;
    static std::atomic<int> stage;
    stage = 0;
    watch w{"stepped"};
    w.listen(mpit::safety::none);
    w.then = [](watch&, const step&) {
        stage = 1;
        wait_until([] { return stage.load() == 2; });
    };
    std::thread inside{[] { raise_one(1); }};
    wait_until([] { return stage.load() == 1; });
    CHECK(w.free() == MPI_SUCCESS);
    CHECK(w.frees.load() == 0);
    raise_one(2); // not delivered any more
    CHECK(w.frees.load() == 0);
    CHECK(w.free() == MPI_T_ERR_INVALID_HANDLE);
    stage = 2;
    inside.join();
    CHECK(w.frees.load() == 1);
    CHECK(w.seen(0) == 1);
    CHECK(w.mistakes.load() == 0);
}

TEST_CASE("Of two threads that end one registration at once, while a third raises, one succeeds", "[EVT-34][EVT-35]") {
    initialized tools;
    const unsigned long rounds = raises(40'000);
    std::atomic<int> wrong{0}, successes{0};
    std::unique_ptr<watch> w;
    meeting all{3};
    const auto end_it = [&] {
        for (unsigned long n = 1; n <= rounds; n++) {
            all.wait();
            const int answer = w->free();
            successes += answer == MPI_SUCCESS;
            wrong += answer != MPI_SUCCESS && answer != MPI_T_ERR_INVALID_HANDLE;
            all.wait();
        }
    };
    std::thread first{end_it}, second{end_it};
    for (unsigned long n = 1; n <= rounds; n++) {
        w = std::make_unique<watch>("stepped");
        w->listen(mpit::safety::none);
        all.wait();
        raise_one(1);
        all.wait();
        raise_one(2);
        wrong += w->frees.load() != 1 || w->mistakes.load() != 0;
        w->handle = nullptr;
    }
    first.join();
    second.join();
    CHECK(successes.load() == static_cast<int>(rounds));
    CHECK(wrong.load() == 0);
}

TEST_CASE("Of two threads that leave an ended registration at once, one calls the free callback", "[EVT-35]") {
    initialized tools;
    const unsigned long rounds = raises(40'000);
    static std::atomic<int> inside, ends;
    static std::atomic<std::uint64_t> departure; // in cycles: nothing that the two share may delay one of them
    int index = -1, untold = 0;
    REQUIRE(MPI_T_event_get_index("stepped", &index) == MPI_SUCCESS);
    meeting both{2};
    std::thread other{[&] {
        for (unsigned long n = 1; n <= rounds; n++) {
            both.wait();
            stressed.stepped(1, n, -1);
            both.wait();
        }
    }};
    for (unsigned long n = 1; n <= rounds; n++) {
        inside = ends = 0;
        departure = 0;
        MPI_T_event_registration r = nullptr;
        MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &r);
        MPI_T_event_register_callback(
            r, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, nullptr,
            [](MPI_T_event_instance instance, MPI_T_event_registration ended, MPI_T_cb_safety, void*) {
            step now{};
            MPI_T_event_copy(instance, &now);
            inside++;
            wait_until([] { return inside.load() == 2; });
            if (now.raiser == 0) {
                MPI_T_event_handle_free(ended, nullptr,
                                        [](MPI_T_event_registration, MPI_T_cb_safety, void*) { ends++; });
                departure = mpit::core::cycles() + 2000;
            }
            wait_until([] { return departure.load() != 0; });
            const std::uint64_t mine = departure.load() + (now.raiser == 0 ? 32 : now.number % 64);
            while (mpit::core::cycles() < mine) {}
        });
        both.wait();
        stressed.stepped(0, n, -1);
        both.wait();
        untold += ends.load() != 1;
    }
    other.join();
    CHECK(untold == 0);
}

TEST_CASE("A callback that comes too late for its registration does not get into the one that follows", "[EVT-34]") {
    initialized tools;
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
