// MPI-5.0, 15.3.7, advice: the functions that use a handle on a performance variable can be called in signal handlers.
// The allocator and the locks of the C library are replaced in this program: what is called in a handler is counted,
// and the test fails. The comments of the roof say which functions are meant, and this file holds them to it.

#include "../signal_safe.hpp"
#include "../tool.hpp"
#include "../watched_allocator.hpp"

#include <set>
#include <sys/time.h>

namespace {

volatile std::sig_atomic_t handled_signals = 0;

// Every performance variable of the program, with a handle and its own buffer. The objects of bound ones exist.
std::uintptr_t known_object = 0x88;
struct every_pvar {
    session in;
    struct one {
        MPI_T_pvar_handle handle;
        int readonly, continuous, atomic;
    };
    std::vector<one> handles;

    every_pvar() {
        announce<MPI_ABI_Comm*, MPI_ABI_Datatype*, MPI_ABI_Errhandler*, MPI_ABI_File*, MPI_ABI_Group*, MPI_ABI_Op*,
                 MPI_ABI_Request*, MPI_ABI_Win*, MPI_ABI_Message*, MPI_ABI_Info*, MPI_ABI_Session*>();
        mpit::created<mpit::binding::communicator>(all, static_cast<int>(known_object));
        int number = 0, count = 0;
        REQUIRE(MPI_T_pvar_get_num(&number) == MPI_SUCCESS);
        handles.resize(static_cast<std::size_t>(number));
        for (int i = 0; i < number; i++) {
            one& h = handles[static_cast<std::size_t>(i)];
            REQUIRE(MPI_T_pvar_handle_alloc(in.handle, i, &known_object, &h.handle, &count) == MPI_SUCCESS);
            REQUIRE(MPI_T_pvar_get_info(i, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                        nullptr, &h.readonly, &h.continuous, &h.atomic) == MPI_SUCCESS);
        }
    }
    template <class... Handle> static void announce() {
        (mpit::created(all, handle_number<Handle>(known_object)), ...);
    }
};
every_pvar* watched = nullptr;
int wrong_answers = 0;

void expect(int answer, bool allowed, int refusal) noexcept {
    wrong_answers += answer != (allowed ? MPI_SUCCESS : refusal);
}

// The six functions on every handle, and on all of a session at once.
void use_every_handle(int) noexcept {
    is_in_handler = 1;
    const MPI_T_pvar_session in = watched->in.handle;
    for (const every_pvar::one& h : watched->handles) {
        alignas(8) char buffer[256];
        expect(MPI_T_pvar_start(in, h.handle), !h.continuous, MPI_T_ERR_PVAR_NO_STARTSTOP);
        expect(MPI_T_pvar_read(in, h.handle, buffer), true, 0);
        expect(MPI_T_pvar_write(in, h.handle, buffer), !h.readonly, MPI_T_ERR_PVAR_NO_WRITE);
        expect(MPI_T_pvar_reset(in, h.handle), !h.readonly, MPI_T_ERR_PVAR_NO_WRITE);
        expect(MPI_T_pvar_readreset(in, h.handle, buffer), h.atomic, MPI_T_ERR_PVAR_NO_ATOMIC);
        expect(MPI_T_pvar_stop(in, h.handle), !h.continuous, MPI_T_ERR_PVAR_NO_STARTSTOP);
    }
    expect(MPI_T_pvar_start(in, MPI_T_PVAR_ALL_HANDLES), true, 0);
    expect(MPI_T_pvar_reset(in, MPI_T_PVAR_ALL_HANDLES), true, 0);
    expect(MPI_T_pvar_stop(in, MPI_T_PVAR_ALL_HANDLES), true, 0);
    expect(MPI_T_pvar_read(in, MPI_T_PVAR_HANDLE_NULL, nullptr), false, MPI_T_ERR_INVALID);
    expect(MPI_T_pvar_stop(in, MPI_T_PVAR_HANDLE_NULL), false, MPI_T_ERR_INVALID_HANDLE);
    handled_signals = handled_signals + 1;
    is_in_handler = 0;
}

// What the timer's handler does to a live counter, and what it has seen.
struct live {
    MPI_T_pvar_session in;
    MPI_T_pvar_handle shared, own, mark;
    unsigned long long sum = 0;
    int wrong = 0;
};
live* ticking = nullptr;
constexpr int signals = 100, rounds_a_tick = 1000;

void tick(int) noexcept {
    is_in_handler = 1;
    live& on = *ticking;
    for (int i = 0; i < rounds_a_tick; i++) {
        unsigned long long part = 0, read = 0, mark = 0;
        ++all.performances.counter;
        on.wrong += MPI_T_pvar_readreset(on.in, on.shared, &part) != MPI_SUCCESS;
        on.sum += part;
        on.wrong += MPI_T_pvar_write(on.in, on.own, &part) != MPI_SUCCESS;
        on.wrong += MPI_T_pvar_read(on.in, on.own, &read) != MPI_SUCCESS || read != part;
        on.wrong += MPI_T_pvar_reset(on.in, on.own) != MPI_SUCCESS;
        on.wrong += MPI_T_pvar_readreset(on.in, on.mark, &mark) != MPI_SUCCESS || mark > 3;
    }
    handled_signals = handled_signals + 1;
    is_in_handler = 0;
}

// One signal at a time: a handler slower than the clock would leave its thread no time.
class ticking_clock {
public:
    explicit ticking_clock(int wanted) : wanted_{wanted} { handled_signals = 0; }
    // False when all signals have come.
    bool goes_on() {
        if (handled_signals == asked_) {
            if (asked_++ == wanted_) return false;
            const itimerval once{{0, 0}, {0, 50}};
            setitimer(ITIMER_REAL, &once, nullptr);
        }
        return true;
    }

private:
    int asked_ = 0, wanted_;
};

// Installs a handler for the length of a test.
class installed_handler {
public:
    installed_handler(int signal, void (*handler)(int)) : signal_{signal} {
        struct sigaction action{};
        action.sa_handler = handler;
        action.sa_flags = SA_RESTART;
        REQUIRE(sigaction(signal, &action, &former_) == 0);
    }
    ~installed_handler() { sigaction(signal_, &former_, nullptr); }
    installed_handler(const installed_handler&) = delete;

private:
    int signal_;
    struct sigaction former_{};
};

// Comments of the library, as the assembler finds them where the compiler finds the headers. Global, since the linker
// for aarch64 forgets the distance of a local one from its section.
__asm__(R"(
    .pushsection .rodata
    .globl text_of_shims, text_of_performance, text_of_computed
    .hidden text_of_shims, text_of_performance, text_of_computed
text_of_shims: .incbin "mpit/mpi_t.hpp"
    .byte 0
text_of_performance: .incbin "mpit/mpi_t/performance.hpp"
    .byte 0
text_of_computed: .incbin "mpit/variable/computed.hpp"
    .byte 0
    .popsection
)");
extern "C" const char text_of_shims[], text_of_performance[], text_of_computed[];

// A sentence may go on in the next line of its comment.
bool says(const char* text, const char* sentence) {
    std::string joined;
    for (const char* at = text; *at != '\0'; at++) {
        const bool is_border = std::strncmp(at, "\n// ", 4) == 0;
        joined += is_border ? ' ' : *at;
        if (is_border) at += 3;
    }
    return joined.find(sentence) != std::string::npos;
}

} // namespace

#if WATCHES_THE_ALLOCATOR
TEST_CASE("A call of the allocator or of a lock in a handler does not escape this test") {
    forbidden_calls = 0;
    is_in_handler = 1;
    ::operator delete(::operator new(100)); // a string's own would be optimised away
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    is_in_handler = 0;
    pthread_mutex_unlock(&mutex);
    CHECK(forbidden_calls >= 3);
}
#endif

TEST_CASE_METHOD(initialized, "Every operation on a handle of any class can be used in a signal handler",
                 "[ASYNC-01][ASYNC-02]") {
    every_pvar every;
    watched = &every;
    wrong_answers = 0;
    forbidden_calls = 0;
    installed_handler handler{SIGUSR1, &use_every_handle};
    for (int i = 0; i < 3; i++) REQUIRE(raise(SIGUSR1) == 0);
    CHECK(wrong_answers == 0);
    CHECK(forbidden_calls == 0);
}

TEST_CASE_METHOD(in_session,
                 "A timer's handler reads, writes and resets what its thread is using, and no event is lost",
                 "[ASYNC-01][HNDL-20]") {
    pvar shared{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, own{in, "p_continuous", MPI_T_PVAR_CLASS_COUNTER},
        mark{in, "p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK};
    all.performances.level = 0;
    CHECK(MPI_T_pvar_start(in.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    live on{in.handle, shared.handle, own.handle, mark.handle};
    ticking = &on;
    forbidden_calls = 0;
    unsigned long long events = 0, sum = 0;
    int wrong = 0;
    {
        installed_handler handler{SIGALRM, &tick};
        for (ticking_clock clock{signals}; clock.goes_on();) {
            unsigned long long part = 0;
            ++all.performances.counter;
            events++;
            all.performances.level += 3;
            wrong += MPI_T_pvar_readreset(in.handle, shared.handle, &part) != MPI_SUCCESS;
            sum += part;
            wrong += MPI_T_pvar_reset(in.handle, mark.handle) != MPI_SUCCESS;
            all.performances.level -= 3;
            wrong += MPI_T_pvar_write(in.handle, own.handle, &part) != MPI_SUCCESS;
            wrong += MPI_T_pvar_stop(in.handle, mark.handle) != MPI_SUCCESS;
            wrong += MPI_T_pvar_start(in.handle, mark.handle) != MPI_SUCCESS;
        }
    }
    constexpr unsigned long long in_handlers = signals * rounds_a_tick;
    CHECK(sum + on.sum + shared.readreset() == events + in_handlers);
    CHECK(wrong == 0);
    CHECK(on.wrong == 0);
    CHECK(forbidden_calls == 0);
}

TEST_CASE("The shims document which functions are async-signal-safe", "[ASYNC-02][ASYNC-03]") {
    CHECK(
        says(text_of_shims,
             "The async-signal-safe functions are MPI_T_pvar_start, stop, read, write, reset and readreset, "
             "MPI_T_event_copy, event_read, event_get_source and event_get_timestamp, and MPI_T_source_get_timestamp"));
    CHECK(says(text_of_performance,
               "MPI_T_pvar_start, stop, read, write, reset and readreset are async-signal-safe. Functions that query "
               "variables, and functions that allocate or free sessions and handles, are not async-signal-safe"));
    // The promise stands above the first of the six, and holds for what follows it.
    const std::string text = text_of_performance;
    const std::size_t promise = text.find("MPI_T_PVAR_START and the five functions below are async-signal-safe");
    std::set<std::string> before, after;
    const std::string body = "functions<Provider>::";
    for (std::size_t at = text.find(body); at != std::string::npos; at = text.find(body, at + 1)) {
        const std::size_t name = at + body.size();
        (at < promise ? before : after).insert(text.substr(name, text.find('(', name) - name));
    }
    CHECK(after ==
          std::set<std::string>{"pvar_start", "pvar_stop", "pvar_read", "pvar_write", "pvar_reset", "pvar_readreset"});
    CHECK(before.size() == 7);
}

TEST_CASE("The header of computed variables documents that their functions run in signal handlers", "[ASYNC-02]") {
    CHECK(says(text_of_computed, "mpit may call `.value` in any thread and in signal handlers"));
    CHECK(says(text_of_computed, "the description must say so"));
}
