// Performance variables that are texts (MPI-5.0, 15.3.7): declared, described at run time, and in a batch.
// tests/declare has those of C.
#include "../tool.hpp"

#include <mpit/batch.hpp>
#include <mpit/dynamic.hpp>

#include <array>
#include <atomic>
#include <thread>

using mpit::performance_class;
using mpit::reply;
using mpit::result;

namespace {

// A text as long as 32 KiB, in which each letter is the same: a reader of two halves would see it.
struct repeated {
    std::atomic<char> letter = 'a';
    std::uint64_t handle = 99;
    bool refuses = false;
    int running = 0;
};

char label[8] = "first";
struct text_variables : mpit::category<"measured_texts", "Texts"> {
    mpit::computed<performance_class::generic, char[8]> stored{
        this, "mt_label", "A label", {.value = [](char (&to)[8]) {
        std::memcpy(to, label, 8);
    }, .on_write = [](const char* text) {
        if (std::strcmp(text, "no") == 0) return reply::never;
        std::strncpy(label, text, sizeof label);
        return reply::accepted;
    }}};
    mpit::computed<performance_class::generic, char[8]> kept{
        this, "mt_kept", "A label that tools do not change", {.value = [](char (&to)[8]) {
        std::memcpy(to, "kept", 5);
    }, .on_write = [](const char*) { return reply::accepted; }, .readonly = true}};
    mpit::computed<performance_class::generic, char[1]> least{
        this, "mt_least", "No letter", {.value = [](char (&to)[1]) { to[0] = 'x'; }}};
};
constexpr auto& texts = mpit::registered<text_variables>;

mpit::dynamic_computed_settings<char[]> settings_of(repeated& from, std::uint32_t length) {
    return {.read = [](std::uint64_t handle, char* buffer, std::size_t room, void* data) {
        auto& here = *static_cast<repeated*>(data);
        here.handle = handle;
        std::memset(buffer, here.letter.load(), room); // also where the null is
    }, .on_write = [](std::uint64_t handle, const char* text, void* data) {
        auto& here = *static_cast<repeated*>(data);
        here.handle = handle;
        if (here.refuses) return reply::not_now;
        here.letter = *text;
        return reply::accepted;
    }, .data = &from, .on_watch = [](int change, void* data) {
        static_cast<repeated*>(data)->running += change;
    }, .length = length};
}
int readonly_of(const char* name) {
    int readonly = -1;
    REQUIRE(MPI_T_pvar_get_info(pvar_index(name, MPI_T_PVAR_CLASS_GENERIC), nullptr, nullptr, nullptr, nullptr, nullptr,
                                nullptr, nullptr, nullptr, nullptr, &readonly, nullptr, nullptr) == MPI_SUCCESS);
    return readonly;
}

} // namespace

TEST_CASE("A declared text is the library's own for every handle, and a tool writes it where the library stores it",
          "[HNDL-17][HNDL-18]") {
    static_cast<void>(texts);
    initialized tools;
    const session in, other;
    const pvar one{in, "mt_label", MPI_T_PVAR_CLASS_GENERIC}, two{other, "mt_label", MPI_T_PVAR_CLASS_GENERIC};
    char text[9] = "????????";
    CHECK(readonly_of("mt_label") == 0);
    REQUIRE(MPI_T_pvar_write(in.handle, one.handle, "seventh") == MPI_SUCCESS);
    REQUIRE(MPI_T_pvar_read(other.handle, two.handle, text) == MPI_SUCCESS);
    CHECK(std::string{text} == "seventh");
    CHECK(text[8] == '\0');
    CHECK(MPI_T_pvar_write(in.handle, one.handle, "eight___") == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_write(in.handle, one.handle, "no") == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(std::string{label} == "seventh");
    CHECK(MPI_T_pvar_reset(other.handle, two.handle) == MPI_SUCCESS);
    CHECK(std::string{label}.empty());
}

TEST_CASE("A declared text that is readonly, or that nobody stores, is not written", "[HNDL-17][HNDL-18]") {
    initialized tools;
    const session in;
    for (const char* name : {"mt_kept", "mt_least"}) {
        const pvar text{in, name, MPI_T_PVAR_CLASS_GENERIC};
        CHECK(readonly_of(name) == 1);
        CHECK(MPI_T_pvar_write(in.handle, text.handle, "") == MPI_T_ERR_PVAR_NO_WRITE);
        CHECK(MPI_T_pvar_reset(in.handle, text.handle) == MPI_T_ERR_PVAR_NO_WRITE);
    }
    const pvar least{in, "mt_least", MPI_T_PVAR_CLASS_GENERIC};
    char text[2] = "?";
    REQUIRE(MPI_T_pvar_read(in.handle, least.handle, text) == MPI_SUCCESS);
    CHECK(text[0] == '\0');
}

TEST_CASE("A text of a group has any length, of which each handle reads and writes all", "[HNDL-01][HNDL-17]") {
    initialized tools;
    const session in;
    repeated from;
    mpit::dynamic group{"dynamic_measured_texts"};
    const std::uint32_t length = (1 << 20) - 1;
    REQUIRE(group.computed<performance_class::generic, char[]>("dm_long", "", settings_of(from, length)) ==
            result::success);
    REQUIRE(group.publish().seen == 1);
    const pvar long_text{in, "dm_long", MPI_T_PVAR_CLASS_GENERIC};
    REQUIRE(long_text.count == static_cast<int>(length) + 1);
    std::vector<char> text(length + 2, '?');
    REQUIRE(MPI_T_pvar_read(in.handle, long_text.handle, text.data()) == MPI_SUCCESS);
    CHECK(std::string(text.data()) == std::string(length, 'a'));
    CHECK(text[length + 1] == '?');
    text[length - 1] = 'b';
    text[0] = 'z';
    REQUIRE(MPI_T_pvar_write(in.handle, long_text.handle, text.data()) == MPI_SUCCESS);
    CHECK(from.letter == 'z');
    text[length] = 'x';
    CHECK(MPI_T_pvar_write(in.handle, long_text.handle, text.data()) == MPI_T_ERR_INVALID);
    CHECK(from.handle == 0);
    CHECK(from.running == 0);
    CHECK(long_text.start() == MPI_SUCCESS);
    CHECK(from.running == 1);
}

TEST_CASE("A text of a group that cannot be is refused, and one that nobody stores is readonly", "[PVAR-10]") {
    initialized tools;
    repeated from;
    mpit::dynamic group{"dynamic_refused_texts"};
    const auto add = [&group](const char* name, const mpit::dynamic_computed_settings<char[]>& chosen) {
        return group.computed<performance_class::generic, char[]>(name, "", chosen);
    };
    auto chosen = settings_of(from, 16);
    chosen.read = nullptr;
    CHECK(add("dm_nobody", chosen) == result::invalid);
    CHECK(add("dm_empty", settings_of(from, 0)) == result::invalid);
    CHECK(add("dm_longer", settings_of(from, 1 << 20)) == result::invalid);
    chosen = settings_of(from, 16);
    chosen.bound.kind = mpit::binding::communicator;
    CHECK(add("dm_no_elements", chosen) == result::invalid);
    chosen = settings_of(from, 16);
    chosen.on_write = nullptr;
    CHECK(add("dm_readonly", chosen) == result::success);
    REQUIRE(group.publish().seen == 1);
    CHECK(readonly_of("dm_readonly") == 1);
}

TEST_CASE(
    "A batch reads, starts, stops and resets a text among numbers, and leaves it as it is once its group has ended") {
    struct sample {
        char first[16];
        unsigned long count;
        char second[8];
    };
    initialized tools;
    repeated from;
    unsigned long counted = 3;
    mpit::tool::batch<sample> b;
    sample now{};
    {
        mpit::dynamic group{"dynamic_batched_texts"};
        REQUIRE(group.computed<performance_class::generic, char[]>("db_text", "", settings_of(from, 15)) ==
                result::success);
        REQUIRE(group.computed<performance_class::counter, unsigned long>("db_count", "", {.storage = &counted}) ==
                result::success);
        REQUIRE(group.publish().seen == 2);
        REQUIRE(b.add({{&sample::second, performance_class::generic, "mt_label"},
                       {&sample::first, performance_class::generic, "db_text"},
                       {&sample::count, performance_class::counter, "db_count"}}) == result::success);
        CHECK(from.running == 0);
        std::strcpy(label, "lab");
        REQUIRE(b.start() == result::success);
        CHECK(from.running == 1);
        counted += 2;
        REQUIRE(b.read(now) == result::success);
        CHECK(std::string{now.first} == std::string(15, 'a'));
        CHECK(now.count == 2);
        CHECK(std::string{now.second} == "lab");
        REQUIRE(b.stop() == result::success);
        CHECK(from.running == 0);
        from.refuses = true;
        CHECK(b.reset() == result::cannot_write);
        CHECK(from.letter == 'a');
        CHECK(std::string{label}.empty());
        from.refuses = false;
        CHECK(b.reset() == result::success);
        CHECK(from.letter == '\0');
        REQUIRE(b.start() == result::success);
        CHECK(from.running == 1);
        {
            mpit::tool::batch<sample> freed;
            REQUIRE(freed.add(&sample::first, performance_class::generic, "db_text") == result::success);
            REQUIRE(freed.start() == result::success);
            CHECK(from.running == 2);
        }
        CHECK(from.running == 1);
    }
    std::strcpy(label, "later");
    std::strcpy(now.first, "as it was");
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(std::string{now.first} == "as it was");
    CHECK(std::string{now.second} == "later");
    // Its place is free for another one.
    REQUIRE(b.add(&sample::first, performance_class::generic, "p_computed_text") == result::success);
    CHECK(b.read(now) == result::invalid_handle); // the count is not there
    CHECK(std::string{now.first} == "x");
}

TEST_CASE("Threads read, write, start and reset one text at once, and no start is left when all handles are freed") {
    initialized tools;
    repeated from;
    std::atomic<int> running = 0;
    mpit::dynamic group{"dynamic_threaded_texts"};
    auto chosen = settings_of(from, 63);
    chosen.read = [](std::uint64_t, char* buffer, std::size_t room, void*) { std::memset(buffer, 'r', room - 1); };
    chosen.on_write = [](std::uint64_t, const char*, void*) { return reply::accepted; };
    chosen.on_watch = [](int change, void* data) { static_cast<std::atomic<int>*>(data)->fetch_add(change); };
    chosen.data = &running;
    REQUIRE(group.computed<performance_class::generic, char[]>("dt_text", "", chosen) == result::success);
    REQUIRE(group.publish().seen == 1);
    {
        const session in;
        const pvar shared{in, "dt_text", MPI_T_PVAR_CLASS_GENERIC};
        std::atomic<int> failures = 0;
        std::array<std::thread, 4> threads;
        for (std::thread& each : threads)
            each = std::thread{[&] {
                char text[64];
                for (int i = 0; i < 500; i++) {
                    const bool is_good = MPI_T_pvar_start(in.handle, shared.handle) == MPI_SUCCESS &&
                                         MPI_T_pvar_read(in.handle, shared.handle, text) == MPI_SUCCESS &&
                                         std::strlen(text) == 63 &&
                                         MPI_T_pvar_write(in.handle, shared.handle, "w") == MPI_SUCCESS &&
                                         MPI_T_pvar_reset(in.handle, shared.handle) == MPI_SUCCESS &&
                                         MPI_T_pvar_stop(in.handle, shared.handle) == MPI_SUCCESS;
                    failures += !is_good;
                }
            }};
        for (std::thread& each : threads) each.join();
        CHECK(failures == 0);
        CHECK(running == 0);
        CHECK(shared.start() == MPI_SUCCESS);
        CHECK(running == 1);
    }
    CHECK(running == 0);
}
