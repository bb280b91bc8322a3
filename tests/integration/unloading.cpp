// Libraries that are unloaded while threads use their variables: whoever looks keeps the library until he has looked,
// and afterwards every answer is an error code.
#include "../emulated.hpp"
#include "../long_tests.hpp"
#include "../sanitizers.hpp"
#include "../standard/another_process.hpp"
#include "readers.hpp"
#include "resident.hpp"

#include <malloc.h>
#include <memory>
#include <sys/mman.h>
#include <sys/wait.h>

namespace {

std::atomic<int> report_count{0};
std::string last_report;
struct reports_counted {
    reports_counted() {
        report_count = 0;
        mpit::set_report_handler([](const char* line) {
            last_report = line;
            report_count++;
        });
    }
    ~reports_counted() { mpit::set_report_handler(nullptr); }
};

template <class Condition> void wait_until(Condition condition) {
    while (!condition()) std::this_thread::yield();
}

// A computed variable of the program, whose function a test chooses.
std::atomic<void (*)()> visitor_of_program{nullptr};
struct program_variables : mpit::category<"of_program", "Variables of the program that loads libraries"> {
    mpit::computed<mpit::performance_class::level, unsigned long> visited{
        this, "program_visited", "A number", {.value = [] {
        if (void (*const visit)() = visitor_of_program.load()) visit();
        return 3ul;
    }}};
};
[[maybe_unused]] constexpr auto& of_program = mpit::registered<program_variables>;

// What a thread in a function of the library tells, and what it waits for.
std::atomic<int> arrivals{0};
std::atomic<bool> may_leave{false}, has_left{false};
void stay() {
    arrivals++;
    wait_until([] { return may_leave.load(); });
    has_left = true;
}

// The tool in tool_library.cpp, which calls back into these.
struct loaded_tool : plugin {
    std::atomic<int>&calls, &stays;
    loaded_tool(std::atomic<int>& counted, std::atomic<int>& staying)
        : plugin{"tool"}, calls{counted}, stays{staying} {}
    int begin() const { return function<int(std::atomic<int>*, std::atomic<int>*)>("tool_begin")(&calls, &stays); }
};

void wait_for_uses(const std::vector<std::unique_ptr<reader>>& readers, unsigned long count) {
    for (auto& each : readers)
        for (const unsigned long before = each->uses; each->uses < before + count;) usleep(100);
}

} // namespace

TEST_CASE("Threads use every variable of a library that another thread loads and unloads, and each answer is right",
          "[GROW-02][GROW-03]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    std::unique_ptr<slow_numbers> known;
    {
        plugin slow{"slow"};
        known = std::make_unique<slow_numbers>();
    }
    REQUIRE(known->source >= 0);
    // A long run is one of many unloads: it seldom waits for its readers, and each of them yields after each use.
    const unsigned reader_count = is_long() ? 2 : 4;
    std::vector<std::unique_ptr<reader>> readers;
    for (unsigned i = 0; i < reader_count; i++) readers.push_back(std::make_unique<reader>(*known, i + 1));
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (auto& each : readers)
        threads.emplace_back([&] {
            while (!done) {
                each->step();
                if (is_long()) std::this_thread::yield();
            }
        });
    const int cycles = is_long() ? static_cast<int>(10'000 * times_as_long()) : is_sanitized ? 40 : 100;
    int kept = 0, met = 0;
    const auto uses_by_now = [&] {
        unsigned long sum = 0;
        for (auto& each : readers) sum += each->uses.load(std::memory_order_relaxed);
        return sum;
    };
    for (int i = 0; i < cycles; i++) {
        plugin slow{"slow"};
        slow.count(5);
        const bool waits = !is_long() || i % 1000 == 0;
        const unsigned long before = uses_by_now();
        if (waits) wait_for_uses(readers, 20);
        else std::this_thread::yield();
        slow.close();
        kept += slow.is_loaded();
        met += uses_by_now() != before;
        // A reader that is still in the library must not find it again at the same place.
        if (waits) wait_for_uses(readers, 20);
    }
    done = true;
    for (std::thread& each : threads) each.join();

    unsigned long uses = 0, refusals = 0, lookups = 0, callbacks = 0;
    for (auto& each : readers) {
        INFO(each->first_mistake);
        CHECK(each->mistakes == 0);
        uses += each->uses;
        refusals += each->refusals;
        lookups += each->lookups;
        callbacks += each->callbacks;
    }
    std::printf(
        "dlclose against readers: %d cycles, %d of them with uses, %lu uses, %lu of them refused, %lu times looked up, "
        "%lu callbacks\n",
        cycles, met, uses, refusals, lookups, callbacks);
    CHECK(kept == 0);
    CHECK(uses > refusals);
    CHECK(refusals > 0);
    CHECK(present_catalogue() == known->all);
}

TEST_CASE("An unload waits for a thread that is in a function of the library") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    for (const char* name : {"slow_seven", "slow_even"}) {
        reports_counted reported;
        plugin slow{"slow"};
        arrivals = 0;
        may_leave = has_left = false;
        session s;
        const auto visit = slow.function<void(void (*)())>("plugin_visit");
        std::thread user;
        if (std::string{name} == "slow_even") {
            auto handle = std::make_shared<cvar>(name);
            visit(&stay);
            user = std::thread{[handle] {
                int value = 6;
                MPI_T_cvar_write(handle->handle, &value);
            }};
        } else {
            auto handle = std::make_shared<pvar>(s, name, MPI_T_PVAR_CLASS_LEVEL);
            visit(&stay);
            user = std::thread{[handle] {
                unsigned long value = 0;
                MPI_T_pvar_start(handle->in, handle->handle);
                MPI_T_pvar_read(handle->in, handle->handle, &value);
            }};
        }
        wait_until([] { return arrivals.load() > 0; });
        std::atomic<bool> closes{false};
        std::thread leaver{[&] {
            wait_until([&] { return closes.load(); });
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
            may_leave = true;
        }};
        closes = true;
        slow.close();
        CHECK(has_left);
        CHECK(report_count == 0);
        user.join();
        leaver.join();
        CHECK_FALSE(slow.is_loaded());
    }
}

TEST_CASE("Threads that read other variables all the time do not prevent a library from being unloaded") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    reports_counted reported;
    // A look that begins after the library is gone never ends before it has been unloaded.
    static std::atomic<int> looks;
    static std::atomic<bool> is_closing, is_closed;
    looks = 0;
    is_closing = is_closed = false;
    plugin slow{"slow"};
    session s;
    pvar visited{s, "program_visited", MPI_T_PVAR_CLASS_LEVEL};
    REQUIRE(visited.start() == MPI_SUCCESS);
    visitor_of_program = [] {
        looks++;
        if (!is_closing) wait_until([] { return is_closing.load(); });
        else wait_until([] { return is_closed.load(); });
    };
    std::thread looker{[&] {
        unsigned long value = 0;
        while (!is_closed) MPI_T_pvar_read(s.handle, visited.handle, &value);
    }};
    wait_until([] { return looks.load() > 0; });
    std::thread releaser{[] {
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
        is_closing = true;
    }};
    slow.close();
    CHECK(report_count == 0);
    CHECK_FALSE(slow.is_loaded());
    is_closed = true;
    looker.join();
    releaser.join();
    visitor_of_program = nullptr;
}

// Runs alone, because its thread never comes back: the code that it would return to is gone.
TEST_CASE_METHOD(initialized, "unload under a thread that waits for the loader", "[.]") {
    reports_counted reported;
    static session s;
    plugin slow{"slow"};
    static pvar seven{s, "slow_seven", MPI_T_PVAR_CLASS_LEVEL};
    slow.function<void(void (*)())>("plugin_visit")([] {
        arrivals++;
        wait_until([] { return may_leave.load(); });
        dlopen("libm.so.6", RTLD_NOW);
        for (;;) pause();
    });
    std::thread{[] {
        unsigned long value = 0;
        MPI_T_pvar_start(s.handle, seven.handle);
        MPI_T_pvar_read(s.handle, seven.handle, &value);
    }}.detach();
    wait_until([] { return arrivals.load() > 0; });
    std::thread{[] {
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
        may_leave = true;
    }}.detach();
    slow.close();
    std::printf("answer: %d %s\n", report_count.load(), last_report.c_str());
    std::fflush(stdout);
    _exit(0);
}
TEST_CASE("dlclose stops waiting and reports it if the thread that it waits for waits for the loader") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    const auto answer =
        lines_of_another_process("unload under a thread that waits for the loader", "answer:", "timeout 60");
    REQUIRE(answer.size() == 1);
    CHECK(answer[0].find("answer: 1 a thread has read variables for a second while ") == 0);
    CHECK(answer[0].find("slow.so") != std::string::npos);
}

TEST_CASE("A callback of one library's event may unload another library") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    static std::unique_ptr<plugin> other;
    static int calls;
    for (int round = 0; round < 20; round++) {
        other = std::make_unique<plugin>(round % 2 == 0 ? "slow" : "alpha_again");
        calls = 0;
        plugin alpha{"beta"};
        registration r{"beta_called"};
        REQUIRE(r.call([](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
            calls++;
            if (other != nullptr) other->close();
        }) == MPI_SUCCESS);
        alpha.count(3);
        CHECK(calls == 3);
        CHECK_FALSE(other->is_loaded());
        other.reset();
    }
}

TEST_CASE("A function of one library's variable may unload another library") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    reports_counted reported;
    static std::unique_ptr<plugin> other;
    other = std::make_unique<plugin>("alpha");
    plugin slow{"slow"};
    slow.function<void(void (*)())>("plugin_visit")([] { other->close(); });
    session s;
    pvar seven{s, "slow_seven", MPI_T_PVAR_CLASS_LEVEL};
    CHECK(seven.start() == MPI_SUCCESS);
    CHECK(seven.read<unsigned long>() == 7);
    CHECK_FALSE(other->is_loaded());
    CHECK(report_count == 0);
    other.reset();
}

TEST_CASE("An unloaded tool is not called any more, and its watermarks are released") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    std::atomic<int> calls{0}, stays{0};
    for (int round = 0; round < 20; round++) {
        reports_counted reported;
        loaded_tool tool{calls, stays};
        calls = 0;
        REQUIRE(tool.begin() == 0);
        const auto raise_all = [] {
            all.events.plain(1, 2, 3ul);
            all.events.ordered(1);
            all.events.clockless(1);
        };
        raise_all();
        CHECK(calls == 4);
        for (int i = 0; i < 300; i++) all.events.plain.defer(1, 2, 3ul); // more than the queue holds: some are lost
        tool.close();
        CHECK_FALSE(tool.is_loaded());
        const int before = calls;
        raise_all();
        all.events.plain.deliver();
        ++all.performances.level;
        --all.performances.level;
        CHECK(calls == before);
        CHECK(report_count == 0);
    }
}

TEST_CASE("An unload of a tool waits for a thread that is in one of its callbacks") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    reports_counted reported;
    std::atomic<int> calls{0}, stays{1};
    loaded_tool tool{calls, stays};
    REQUIRE(tool.begin() == 0);
    std::thread raiser{[] { all.events.clockless(1); }};
    wait_until([&] { return calls.load() == 1; });
    std::atomic<bool> was_released{false};
    std::thread releaser{[&] {
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
        was_released = true;
        stays = 0;
    }};
    tool.close();
    CHECK(was_released);
    CHECK(report_count == 0);
    raiser.join();
    releaser.join();
}

TEST_CASE_METHOD(initialized,
                 "A child may unload a tool whose registration ended while a thread of its parent was in a callback") {
    const reports_counted counted;
    std::atomic<int> calls{0}, stays{1};
    loaded_tool tool{calls, stays};
    REQUIRE(tool.begin() == 0);
    std::thread raiser{[] { all.events.clockless(1); }};
    wait_until([&] { return calls.load() == 1; });
    REQUIRE(tool.function<int()>("tool_end")() == 0);
    const pid_t child = fork();
    if (child == 0) {
        tool.close();
        _exit(report_count);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    stays = 0;
    raiser.join();
    tool.close();
    CHECK(report_count == 0);
}

TEST_CASE_METHOD(initialized, "Threads raise while tools are loaded and unloaded, and no event is lost for others") {
    std::atomic<int> calls{0}, stays{0};
    std::atomic<bool> done{false};
    std::atomic<unsigned long> raises{0}, heard{0};
    registration r{"e_plain"};
    REQUIRE(r.call([](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void* count) {
        ++*static_cast<std::atomic<unsigned long>*>(count);
    }, &heard, MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
    std::vector<std::thread> raisers;
    for (int t = 0; t < 2; t++)
        raisers.emplace_back([&] {
            while (!done) {
                all.events.plain(1, 2, 3ul);
                raises++;
                all.events.ordered(1);
                all.events.clockless(1);
                ++all.performances.level;
                --all.performances.level;
            }
        });
    const int cycles = is_long() ? static_cast<int>(5'000 * times_as_long()) : is_sanitized ? 40 : 200;
    int failures = 0;
    for (int i = 0; i < cycles; i++) {
        loaded_tool tool{calls, stays};
        failures += tool.begin();
        for (const unsigned long seen = raises; raises < seen + 3;) std::this_thread::yield();
    }
    done = true;
    for (std::thread& each : raisers) each.join();
    std::printf("dlclose of a tool against raisers: %d cycles, %lu raises, %d callbacks of the tool\n", cycles,
                raises.load(), calls.load());
    CHECK(failures == 0);
    CHECK(heard == raises);
    CHECK(calls > 0);
}

TEST_CASE(
    "A handle does not find what the one before it had, if the library of both was unloaded or loaded again meanwhile",
    "[CVAR-12]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    session s;
    const auto allocate_both = [&](int wanted) {
        const int control = cvar_index("alpha_limit"), counter = pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER);
        MPI_T_cvar_handle of_control = MPI_T_CVAR_HANDLE_NULL;
        MPI_T_pvar_handle of_counter = MPI_T_PVAR_HANDLE_NULL;
        int count = -1, value = 0;
        CHECK(MPI_T_cvar_handle_alloc(control, nullptr, &of_control, &count) == wanted);
        CHECK(MPI_T_pvar_handle_alloc(s.handle, counter, nullptr, &of_counter, &count) == wanted);
        if (wanted != MPI_SUCCESS) return;
        CHECK(MPI_T_cvar_read(of_control, &value) == MPI_SUCCESS);
        CHECK(value == 5);
        CHECK(MPI_T_cvar_handle_free(&of_control) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_handle_free(s.handle, &of_counter) == MPI_SUCCESS);
    };
    for (int round = 0; round < 3; round++) {
        {
            const plugin alpha{"alpha"};
            for (int i = 0; i < 2; i++) allocate_both(MPI_SUCCESS);
        }
        allocate_both(MPI_T_ERR_INVALID_INDEX);
    }
}

static const char* const memory_of_emulator = "skipped: the memory of an emulator is not that of the program";

// The bytes that malloc() has given out; 0 where it does not say.
static long bytes_given_out() {
#if defined(__GLIBC__)
    return static_cast<long>(mallinfo2().uordblks);
#else
    return 0;
#endif
}

TEST_CASE_METHOD(
    initialized,
    "Loading a library again and again takes hardly any memory, and leaves nothing in the list of functions that "
    "exit() calls") {
    if (is_sanitized) return;
    const int cycles = is_long() ? 50'000 : 3'000;
    for (const char* name : {"alpha", "slow"}) {
        long before = 0, before_of_malloc = 0;
        for (int i = -300; i < cycles; i++) {
            if (i == 0) before = resident_bytes(), before_of_malloc = bytes_given_out();
            plugin loaded{name};
            loaded.count(1);
        }
        const long bytes = (resident_bytes() - before) / cycles, of_malloc = bytes_given_out() - before_of_malloc;
        std::printf("loading %s again: %d cycles, %ld bytes a cycle, %ld of the C library after all\n", name, cycles,
                    bytes, of_malloc);
        // A function takes 32 bytes of the C library's memory; that of the registry is taken from the kernel.
        if (std::string{name} == "alpha") CHECK(of_malloc < cycles);
        if (is_emulated()) std::puts(memory_of_emulator);
        else CHECK(bytes < 13 * 200);
    }
}

TEST_CASE("Loading a tool again and again takes hardly any memory") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    if (is_sanitized) return;
    std::atomic<int> calls{0}, stays{0};
    const int cycles = is_long() ? 50'000 : 2'000;
    long before = 0;
    int failures = 0;
    for (int i = -100; i < cycles; i++) {
        if (i == 0) before = resident_bytes();
        loaded_tool tool{calls, stays};
        failures += tool.begin();
        all.events.plain(1, 2, 3ul);
    }
    const long bytes = (resident_bytes() - before) / cycles;
    std::printf("loading a tool again: %d cycles, %ld bytes a cycle\n", cycles, bytes);
    CHECK(failures == 0);
    if (is_emulated()) std::puts(memory_of_emulator);
    else CHECK(bytes < 1000);
}
