// A tool thread that uses whatever the variables of one library offer while that library comes and goes. Every answer
// must be success or the one that the standard names for what is not there, and every value one that the library can
// have.
//     reader r{names, index_of_thread};   while (!done) r.step();   CHECK(r.mistakes == 0);
#pragma once

#include "plugin.hpp"

#include <atomic>
#include <random>
#include <thread>

// What the tests know of slow_plugin.cpp. The numbers are found once: they never change.
struct slow_numbers {
    int even, text, elements, seven, word, calls, located, depth, highest, called, called_on, counted, source;
    catalogue all;

    slow_numbers()
        : even{cvar_index("slow_even")},
          text{cvar_index("slow_text")},
          elements{cvar_index("slow_elements")},
          seven{pvar_index("slow_seven", MPI_T_PVAR_CLASS_LEVEL)},
          word{pvar_index("slow_word", MPI_T_PVAR_CLASS_GENERIC)},
          calls{pvar_index("slow_calls", MPI_T_PVAR_CLASS_COUNTER)},
          located{pvar_index("slow_located", MPI_T_PVAR_CLASS_COUNTER)},
          depth{pvar_index("slow_depth", MPI_T_PVAR_CLASS_LEVEL)},
          highest{pvar_index("slow_highest", MPI_T_PVAR_CLASS_HIGHWATERMARK)},
          called{event_index("slow_called")},
          called_on{event_index("slow_called_on")},
          counted{event_index("slow_counted")},
          source{-1},
          all{present_catalogue()} {
        for (std::size_t i = 0; i < all.sources.size(); i++)
            if (all.sources[i].rfind("slow_clock:", 0) == 0) source = static_cast<int>(i);
    }
};

class reader {
public:
    std::atomic<unsigned long> uses{0}, refusals{0}, callbacks{0};
    unsigned long lookups = 0;
    std::atomic<int> mistakes{0};
    std::string first_mistake;

    reader(const slow_numbers& numbers, unsigned seed) : of_{numbers}, random_{seed} {
        expect(MPI_T_pvar_session_create(&session_), MPI_SUCCESS, "a session");
    }
    ~reader() { MPI_T_pvar_session_free(&session_); }
    reader(const reader&) = delete;

    // One of all the uses, chosen at random.
    void step() {
        switch (random_() % 10) {
        case 0: return use_number();
        case 1: return use_text();
        case 2: return use_elements();
        case 3: return use_computed();
        case 4: return use_counter(of_.calls, nullptr);
        case 5: return use_counter(of_.located, &object_);
        case 6: return use_level();
        case 7: return listen();
        case 8: return ask_for_time();
        default: return look_up();
        }
    }

private:
    static constexpr int rounds = 20;

    // Whether it is a success; otherwise it must be the refusal.
    bool expect(int answer, int refusal, const char* what) {
        uses.fetch_add(1, std::memory_order_relaxed);
        if (answer == MPI_SUCCESS) return true;
        refusals.fetch_add(1, std::memory_order_relaxed);
        return answer == refusal ? false : complain(what, answer);
    }
    bool complain(const char* what, long answer) {
        if (mistakes++ == 0) first_mistake = std::string{what} + " answered " + std::to_string(answer);
        return false;
    }
    void demand(bool holds, const char* what, long answer) {
        if (!holds) complain(what, answer);
    }

    template <class Use> void with_control(int index, void* object, Use use) {
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        int count = -1;
        const int answer = MPI_T_cvar_handle_alloc(index, object, &handle, &count);
        // The library has announced its object only after its variables were there.
        if (object != nullptr && answer == MPI_T_ERR_INVALID_HANDLE) return;
        if (!expect(answer, MPI_T_ERR_INVALID_INDEX, "a control handle")) return;
        for (int i = 0; i < rounds; i++) use(handle, count);
        expect(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS, "freeing a control handle");
    }
    void use_number() {
        with_control(of_.even, nullptr, [this](MPI_T_cvar_handle handle, int) {
            int value = static_cast<int>(random_() % 1000) * 2;
            expect(MPI_T_cvar_write(handle, &value), MPI_T_ERR_INVALID_HANDLE, "writing");
            if (expect(MPI_T_cvar_read(handle, &value), MPI_T_ERR_INVALID_HANDLE, "reading"))
                demand(value >= 0 && value < 2000 && value % 2 == 0, "slow_even", value);
        });
    }
    void use_text() {
        with_control(of_.text, nullptr, [this](MPI_T_cvar_handle handle, int) {
            char text[32] = "as a tool has written it";
            if (random_() % 4 == 0) expect(MPI_T_cvar_write(handle, text), MPI_T_ERR_INVALID_HANDLE, "writing a text");
            if (!expect(MPI_T_cvar_read(handle, text), MPI_T_ERR_INVALID_HANDLE, "reading a text")) return;
            const std::string read = text;
            demand(read == "as it was loaded" || read == "as a tool has written it", "slow_text",
                   static_cast<long>(read.size()));
        });
    }
    void use_elements() {
        with_control(of_.elements, &object_, [this](MPI_T_cvar_handle handle, int count) {
            int values[8] = {3, 3, 3, 3, 3, 3, 3, 3};
            demand(count == 2, "the elements of slow_elements", count);
            expect(MPI_T_cvar_write(handle, values), MPI_T_ERR_INVALID_HANDLE, "writing elements");
            if (expect(MPI_T_cvar_read(handle, values), MPI_T_ERR_INVALID_HANDLE, "reading elements"))
                demand(values[0] == values[1] && values[2] == 3, "slow_elements", values[0]);
        });
    }

    template <class Use> void with_performance(int index, void* object, Use use) {
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
        int count = -1;
        if (!expect(MPI_T_pvar_handle_alloc(session_, index, object, &handle, &count), MPI_T_ERR_INVALID_INDEX,
                    "a handle"))
            return;
        for (int i = 0; i < rounds; i++) use(handle);
        expect(MPI_T_pvar_handle_free(session_, &handle), MPI_SUCCESS, "freeing a handle");
    }
    bool start(MPI_T_pvar_handle handle) {
        return expect(MPI_T_pvar_start(session_, handle), MPI_T_ERR_INVALID_HANDLE, "starting");
    }
    template <class T> bool read(MPI_T_pvar_handle handle, T& value) {
        return expect(MPI_T_pvar_read(session_, handle, &value), MPI_T_ERR_INVALID_HANDLE, "reading");
    }
    void use_computed() {
        with_performance(of_.seven, nullptr, [this](MPI_T_pvar_handle handle) {
            unsigned long value = 0;
            if (start(handle) && read(handle, value)) demand(value == 7, "slow_seven", static_cast<long>(value));
        });
        with_performance(of_.word, nullptr, [this](MPI_T_pvar_handle handle) {
            char word[16];
            if (read(handle, word)) demand(word[0] == 'x' && word[1] == '\0', "slow_word", word[0]);
        });
    }
    void use_counter(int index, void* object) {
        with_performance(index, object, [this, object](MPI_T_pvar_handle handle) {
            unsigned long long value = 0, written = random_() % 1000;
            start(handle);
            if (read(handle, value))
                demand(value < 1'000'000 || object != nullptr, "a counter", static_cast<long>(value));
            expect(MPI_T_pvar_write(session_, handle, &written), MPI_T_ERR_INVALID_HANDLE, "writing a counter");
            expect(MPI_T_pvar_reset(session_, handle), MPI_T_ERR_INVALID_HANDLE, "resetting");
            expect(MPI_T_pvar_readreset(session_, handle, &value), MPI_T_ERR_INVALID_HANDLE, "reading and resetting");
            expect(MPI_T_pvar_stop(session_, handle), MPI_T_ERR_INVALID_HANDLE, "stopping");
            expect(MPI_T_pvar_start(session_, MPI_T_PVAR_ALL_HANDLES), MPI_T_ERR_PVAR_NO_STARTSTOP, "starting all");
            expect(MPI_T_pvar_reset(session_, MPI_T_PVAR_ALL_HANDLES), MPI_T_ERR_PVAR_NO_WRITE, "resetting all");
        });
    }
    void use_level() {
        for (const int index : {of_.depth, of_.highest})
            with_performance(index, nullptr, [this](MPI_T_pvar_handle handle) {
                unsigned long value = 0;
                start(handle);
                if (read(handle, value)) demand(value <= 1, "slow_depth", static_cast<long>(value));
            });
    }

    static void hear(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* user_data) {
        reader& self = *static_cast<reader*>(user_data);
        int number = -1;
        self.callbacks++;
        self.mistakes += MPI_T_event_read(instance, 0, &number) != MPI_SUCCESS || number < 0;
    }
    void listen() {
        for (const int index : {of_.called, of_.called_on, of_.counted}) {
            MPI_T_event_registration handle = nullptr;
            void* const object = index == of_.called_on ? &object_ : nullptr;
            if (!expect(MPI_T_event_handle_alloc(index, object, MPI_INFO_NULL, &handle), MPI_T_ERR_INVALID_INDEX,
                        "a registration"))
                continue;
            expect(MPI_T_event_register_callback(handle, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, this, &hear),
                   MPI_T_ERR_INVALID_HANDLE, "a callback");
            if (random_() % 2 == 0) std::this_thread::yield();
            ended_ = false;
            const auto end = [](MPI_T_event_registration, MPI_T_cb_safety, void* self) {
                static_cast<reader*>(self)->ended_.store(true);
            };
            expect(MPI_T_event_handle_free(handle, this, end), MPI_SUCCESS, "freeing a registration");
            while (!ended_) std::this_thread::yield();
        }
    }
    void ask_for_time() {
        for (int i = 0; i < rounds; i++) {
            MPI_Count now = -1;
            if (expect(MPI_T_source_get_timestamp(of_.source, &now), MPI_T_ERR_NOT_SUPPORTED, "asking for the time"))
                demand(now >= 0, "slow_clock", now);
        }
    }
    void look_up() {
        lookups++;
        int found = -1;
        demand(MPI_T_cvar_get_index("slow_even", &found) == MPI_SUCCESS && found == of_.even, "looking slow_even up",
               found);
        demand(MPI_T_event_get_index("slow_counted", &found) == MPI_SUCCESS && found == of_.counted,
               "looking slow_counted up", found);
        demand(
            MPI_T_pvar_get_index("slow_calls", MPI_T_PVAR_CLASS_COUNTER, &found) == MPI_SUCCESS && found == of_.calls,
            "looking slow_calls up", found);
        demand(cvar_line(of_.even) == of_.all.cvars[static_cast<std::size_t>(of_.even)], "the facts of slow_even",
               of_.even);
        demand(pvar_line(of_.seven) == of_.all.pvars[static_cast<std::size_t>(of_.seven)], "the facts of slow_seven",
               of_.seven);
        demand(event_line(of_.called) == of_.all.events[static_cast<std::size_t>(of_.called)],
               "the facts of slow_called", of_.called);
        demand(source_line(of_.source) == of_.all.sources[static_cast<std::size_t>(of_.source)],
               "the facts of slow_clock", of_.source);
    }

    const slow_numbers& of_;
    std::minstd_rand random_;
    MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;
    int object_ = 1;
    std::atomic<bool> ended_{false};
};
