// A handle that several threads use: none of them loses what another one has counted or changed.

#include "../tool.hpp"

#include <atomic>
#include <thread>

namespace {

// Events are counted and taken out of the handle.
struct taker {
    MPI_T_pvar_session in;
    MPI_T_pvar_handle handle;
    unsigned long long sum = 0;
    int wrong = 0;

    void take() {
        unsigned long long part = 0;
        wrong += MPI_T_pvar_readreset(in, handle, &part) != MPI_SUCCESS;
        sum += part;
    }
};

} // namespace

TEST_CASE("No event is lost or counted twice where two threads read and reset one handle", "[HNDL-20]") {
    initialized now;
    session in;
    for (int round = 0; round < 200; round++) {
        pvar counter{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
        REQUIRE(counter.start() == MPI_SUCCESS);
        taker first{in.handle, counter.handle}, other{in.handle, counter.handle};
        constexpr int events = 300;
        std::thread second{[&] {
            for (int i = 0; i < 3; i++) other.take();
        }};
        for (int i = 0; i < events; i++) {
            ++all.performances.counter;
            first.take();
        }
        second.join();
        first.take();
        REQUIRE(first.sum + other.sum == events);
        // The other one finds what the first one has left.
        ++all.performances.counter;
        other.sum = 0;
        std::thread{[&] { other.take(); }}.join();
        REQUIRE(other.sum == 1);
        REQUIRE(first.wrong + other.wrong == 0);
    }
}

TEST_CASE("A thread that reads a handle while another one stops and starts it sees no value after a later one",
          "[HNDL-20]") {
    initialized now;
    session in;
    pvar counter{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    unsigned long long at_last = 0;
    int wrong = 0;
    std::atomic<bool> is_over{false};
    std::thread second{[&] {
        for (unsigned long long last = 0; !is_over.load();) {
            unsigned long long next = 0;
            wrong += MPI_T_pvar_read(in.handle, counter.handle, &next) != MPI_SUCCESS || next < last;
            last = next;
        }
        wrong += MPI_T_pvar_read(in.handle, counter.handle, &at_last) != MPI_SUCCESS;
    }};
    for (int i = 0; i < 2000; i++) {
        REQUIRE(counter.start() == MPI_SUCCESS);
        ++all.performances.counter;
        REQUIRE(counter.stop() == MPI_SUCCESS);
    }
    is_over.store(true);
    second.join();
    CHECK(wrong == 0);
    CHECK(at_last == 2000);
    CHECK(counter.read() == 2000);
}

TEST_CASE("A handle that another thread has changed and freed leaves nothing behind for the next ones") {
    initialized now;
    session in;
    for (int round = 0; round < 20; round++) {
        pvar counter{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
        REQUIRE(counter.start() == MPI_SUCCESS);
        all.performances.counter += 5;
        MPI_T_pvar_handle freed = counter.handle;
        std::thread{[&] {
            unsigned long long value = 0;
            if (round % 2 == 0 && MPI_T_pvar_readreset(in.handle, freed, &value) == MPI_SUCCESS && value != 5) return;
            if (MPI_T_pvar_handle_free(in.handle, &freed) == MPI_SUCCESS) counter.handle = freed;
        }}.join();
        CHECK(counter.handle == MPI_T_PVAR_HANDLE_NULL);
        pvar next{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
        CHECK(next.read() == 0);
        CHECK(next.start() == MPI_SUCCESS);
        all.performances.counter += 2;
        CHECK(next.stop() == MPI_SUCCESS);
        CHECK(next.readreset() == 2);
        CHECK(next.read() == 0);
        CHECK(MPI_T_pvar_handle_free(in.handle, &next.handle) == MPI_SUCCESS);
    }
}

TEST_CASE("A handle on a variable that always runs has the same value for all threads", "[HNDL-03][HNDL-09]") {
    initialized now;
    session in;
    for (int round = 0; round < 3; round++) {
        pvar counter{in, "p_continuous", MPI_T_PVAR_CLASS_COUNTER};
        int wrong = 0;
        for (unsigned long long i = 0; i < 5; i++) {
            REQUIRE(counter.read() == i);
            std::thread{[&] {
                unsigned long long value = 0;
                wrong += MPI_T_pvar_read(in.handle, counter.handle, &value) != MPI_SUCCESS || value != i;
                wrong += MPI_T_pvar_start(in.handle, counter.handle) != MPI_T_ERR_PVAR_NO_STARTSTOP;
            }}.join();
            REQUIRE(counter.stop() == MPI_T_ERR_PVAR_NO_STARTSTOP);
            ++all.performances.continuous;
        }
        CHECK(wrong == 0);
        std::thread{[&] { CHECK(counter.reset() == MPI_SUCCESS); }}.join();
        REQUIRE(counter.read() == 0);
        ++all.performances.continuous;
        REQUIRE(counter.read() == 1);
        REQUIRE(MPI_T_pvar_handle_free(in.handle, &counter.handle) == MPI_SUCCESS);
    }
}
