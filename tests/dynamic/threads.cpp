// Groups that come and go while threads look at everything: no answer is wrong, and nobody uses what has ended.
#include "../tool.hpp"

#include <mpit/dynamic.hpp>

#include <atomic>
#include <memory>
#include <thread>

using mpit::performance_class;
using mpit::result;

namespace {

constexpr int size = 12;

// What the functions of a group are shown; it ends right after the group.
struct source_of_values {
    int lives = 1;
    int value = 0;
    ~source_of_values() { lives = 0; }
};

std::atomic<int> wrong{0};

int read_of(void* data) {
    const auto& of = *static_cast<source_of_values*>(data);
    wrong += of.lives != 1;
    return of.value;
}
mpit::reply written(const int& value, void* data) {
    wrong += static_cast<source_of_values*>(data)->lives != 1;
    return value < 1000 ? mpit::reply::accepted : mpit::reply::not_now;
}

void live_once(int owner, int round) {
    const std::string prefix = "DTH_" + std::to_string(owner) + "_";
    source_of_values values;
    values.value = owner;
    mpit::dynamic group{("dth_" + std::to_string(owner)).c_str(), "Comes and goes"};
    const auto inner = group.category(("dth_inner_" + std::to_string(owner)).c_str());
    for (int i = 0; i < size; i++) {
        const std::string name = prefix + std::to_string(i);
        result added = result::invalid;
        if (i % 3 == 0)
            added = group.control<int>(name.c_str(), "By a function",
                                       {.read = &read_of, .on_write = &written, .data = &values});
        else if (i % 3 == 1)
            added = inner.control<int>(name.c_str(), "Kept", {.initial = owner, .minimum = owner, .maximum = owner});
        else added = inner.control<char[]>(name.c_str(), "A text", {.initial = i % 2 == 0 ? "aaaaaaaaaaaaaaaa" : "b"});
        wrong += added != result::success;
        if (i == size / 2) wrong += group.publish().code != result::success;
    }
    const auto answer = group.publish();
    wrong += answer.code != result::success || answer.refused != 0;
    if (round % 4 == 0) std::this_thread::yield();
}

// A text is whole, a number is that of its group, and a handle of a group that has ended says so.
void look_at(int number) {
    char name[64];
    int length = sizeof name, same = -1, count = 0;
    MPI_Datatype type{};
    wrong += MPI_T_cvar_get_info(number, name, &length, nullptr, &type, nullptr, nullptr, nullptr, nullptr, nullptr) !=
             MPI_SUCCESS;
    if (std::strncmp(name, "DTH_", 4) != 0) return;
    wrong += MPI_T_cvar_get_index(name, &same) != MPI_SUCCESS || same != number;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    const int made = MPI_T_cvar_handle_alloc(number, nullptr, &handle, &count);
    if (made != MPI_SUCCESS) {
        wrong += made != MPI_T_ERR_INVALID_INDEX && made != MPI_T_ERR_INVALID_HANDLE;
        return;
    }
    for (int i = 0; i < 20; i++) {
        char value[64];
        wrong += type == MPI_CHAR ? count != 64 : count != 1;
        const int code = MPI_T_cvar_read(handle, value);
        wrong += code != MPI_SUCCESS && code != MPI_T_ERR_INVALID_HANDLE;
        if (code != MPI_SUCCESS) continue;
        int number_read = -1;
        std::memcpy(&number_read, value, sizeof number_read);
        const std::string text = type == MPI_CHAR ? value : "";
        if (type == MPI_CHAR) wrong += text != "aaaaaaaaaaaaaaaa" && text != "b" && text != "cc";
        else wrong += number_read != name[4] - '0';
        const int refused = 1000;
        if (type == MPI_CHAR) std::memcpy(value, "cc", 3);
        const int answer = MPI_T_cvar_write(handle, type == MPI_CHAR ? static_cast<const void*>(value) : &refused);
        wrong += answer != MPI_T_ERR_INVALID_HANDLE &&
                 (type == MPI_CHAR ? answer != MPI_SUCCESS && answer != MPI_T_ERR_CVAR_SET_NOT_NOW
                                   : answer != MPI_T_ERR_INVALID && answer != MPI_T_ERR_CVAR_SET_NOT_NOW);
    }
    wrong += MPI_T_cvar_handle_free(&handle) != MPI_SUCCESS;
}

} // namespace

TEST_CASE("Threads read and write everything while others register and end groups") {
    initialized tools;
    constexpr int owners = 2, readers = 2;
    const int rounds = std::getenv("MPIT_LONG_TESTS") != nullptr ? 3000 : 150;
    std::atomic<int> running{owners};
    std::vector<std::thread> threads;
    int before = 0, after = 0;
    REQUIRE(MPI_T_cvar_get_num(&before) == MPI_SUCCESS);
    for (int owner = 0; owner < owners; owner++)
        threads.emplace_back([&, owner] {
            for (int round = 0; round < rounds; round++) live_once(owner, round);
            running--;
        });
    for (int reader = 0; reader < readers; reader++)
        threads.emplace_back([&] {
            while (running > 0) {
                int count = 0;
                MPI_T_cvar_get_num(&count);
                for (int i = before; i < count; i++) look_at(i);
            }
        });
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
    REQUIRE(MPI_T_cvar_get_num(&after) == MPI_SUCCESS);
    CHECK(after == before + owners * size);
}

TEST_CASE("A thread that reads for long delays the release of an ended group's memory, and is reported") {
    initialized tools;
    static std::atomic<int> arrived{0}, reported{0};
    static std::atomic<bool> may_leave{false};
    mpit::set_report_handler([](const char* line) {
        if (std::strstr(line, "while the group dth_slow is ended") != nullptr) {
            reported++;
            may_leave = true;
        }
    });
    std::thread reader;
    {
        mpit::dynamic group{"dth_slow"};
        REQUIRE(group.control<int>("DTH_SLOW", "", {.read = [](void*) {
            arrived++;
            while (!may_leave) std::this_thread::yield();
            return 5;
        }, .scope = mpit::scope::readonly}) == result::success);
        REQUIRE(group.publish().seen == 1);
        reader = std::thread{[] {
            const cvar slow{"DTH_SLOW"};
            CHECK(slow.read() == 5);
        }};
        while (arrived == 0) std::this_thread::yield();
    }
    reader.join();
    CHECK(reported == 1);
    mpit::set_report_handler(nullptr);
}
