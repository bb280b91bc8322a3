// MPI-5.0, 15.3.10: what the functions answer. A table says which codes each of the 51 may return; calls with arguments
// drawn at random, good ones and bad ones, are held against it.
#include "../tool.hpp"
#include "functions.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <type_traits>

namespace {

constexpr int codes[] = {
    MPI_T_ERR_CANNOT_INIT,     MPI_T_ERR_NOT_ACCESSIBLE,  MPI_T_ERR_NOT_INITIALIZED, MPI_T_ERR_NOT_SUPPORTED,
    MPI_T_ERR_MEMORY,          MPI_T_ERR_INVALID,         MPI_T_ERR_INVALID_INDEX,   MPI_T_ERR_INVALID_ITEM,
    MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE,  MPI_T_ERR_INVALID_NAME,    MPI_T_ERR_OUT_OF_HANDLES,
    MPI_T_ERR_OUT_OF_SESSIONS, MPI_T_ERR_CVAR_SET_NOT_NOW, MPI_T_ERR_CVAR_SET_NEVER, MPI_T_ERR_PVAR_NO_WRITE,
    MPI_T_ERR_PVAR_NO_STARTSTOP, MPI_T_ERR_PVAR_NO_ATOMIC,
};
constexpr bool are_distinct_and_in_range() {
    for (std::size_t i = 0; i < std::size(codes); i++) {
        if (codes[i] <= 0 || codes[i] > MPI_ERR_LASTCODE || codes[i] == MPI_SUCCESS) return false;
        for (std::size_t j = 0; j < i; j++)
            if (codes[i] == codes[j]) return false;
    }
    return true;
}

// What a function may answer beside success, MPI_T_ERR_INVALID and MPI_T_ERR_NOT_INITIALIZED. Memory is there.
std::set<int> further_codes(const std::string& function) {
    static const std::map<std::string, std::set<int>> table{
        {"enum_get_item", {MPI_T_ERR_INVALID_INDEX}},
        {"cvar_get_info", {MPI_T_ERR_INVALID_INDEX}},
        {"cvar_get_index", {MPI_T_ERR_INVALID_NAME}},
        {"cvar_handle_alloc", {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_INVALID_HANDLE}},
        {"cvar_handle_free", {MPI_T_ERR_INVALID_HANDLE}},
        {"cvar_read", {MPI_T_ERR_INVALID_HANDLE}},
        {"cvar_write", {MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_CVAR_SET_NOT_NOW, MPI_T_ERR_CVAR_SET_NEVER}},
        {"pvar_get_info", {MPI_T_ERR_INVALID_INDEX}},
        {"pvar_get_index", {MPI_T_ERR_INVALID_NAME}},
        {"pvar_session_free", {MPI_T_ERR_INVALID_SESSION}},
        {"pvar_handle_alloc", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_INVALID_HANDLE}},
        {"pvar_handle_free", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE}},
        {"pvar_start", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_STARTSTOP}},
        {"pvar_stop", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_STARTSTOP}},
        {"pvar_read", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE}},
        {"pvar_write", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_WRITE}},
        {"pvar_reset", {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_WRITE}},
        {"pvar_readreset",
         {MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_PVAR_NO_ATOMIC, MPI_T_ERR_PVAR_NO_WRITE}},
        {"event_get_info", {MPI_T_ERR_INVALID_INDEX}},
        {"event_get_index", {MPI_T_ERR_INVALID_NAME}},
        {"event_handle_alloc", {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_INVALID_HANDLE}},
        {"event_handle_free", {MPI_T_ERR_INVALID_HANDLE}},
        {"event_handle_get_info", {MPI_T_ERR_INVALID_HANDLE}},
        {"event_handle_set_info", {MPI_T_ERR_INVALID_HANDLE}},
        {"event_register_callback", {MPI_T_ERR_INVALID_HANDLE}},
        {"event_callback_get_info", {MPI_T_ERR_INVALID_HANDLE}},
        {"event_callback_set_info", {MPI_T_ERR_INVALID_HANDLE}},
        {"event_set_dropped_handler", {MPI_T_ERR_INVALID_HANDLE}},
        {"event_read", {MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_INVALID_INDEX}},
        {"event_copy", {MPI_T_ERR_INVALID_HANDLE}},
        {"event_get_timestamp", {MPI_T_ERR_INVALID_HANDLE}},
        {"event_get_source", {MPI_T_ERR_INVALID_HANDLE}},
        {"source_get_info", {MPI_T_ERR_INVALID_INDEX}},
        {"source_get_timestamp", {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_NOT_SUPPORTED}},
        {"category_get_info", {MPI_T_ERR_INVALID_INDEX}},
        {"category_get_index", {MPI_T_ERR_INVALID_NAME}},
        {"category_get_cvars", {MPI_T_ERR_INVALID_INDEX}},
        {"category_get_pvars", {MPI_T_ERR_INVALID_INDEX}},
        {"category_get_events", {MPI_T_ERR_INVALID_INDEX}},
        {"category_get_categories", {MPI_T_ERR_INVALID_INDEX}},
        {"category_get_num_events", {MPI_T_ERR_INVALID_INDEX}},
    };
    const auto found = table.find(function);
    return found == table.end() ? std::set<int>{} : found->second;
}

// Draws the arguments of a call by their types. What a pointer points to is large enough for every function.
class arguments {
public:
    explicit arguments(unsigned seed) : random_{seed} {}

    template <class... Types> int call(int (*function)(Types...)) {
        int_count_ = 0;
        made_control_ = MPI_T_CVAR_HANDLE_NULL;
        made_session_ = MPI_T_PVAR_SESSION_NULL;
        made_performance_ = MPI_T_PVAR_HANDLE_NULL;
        made_enumeration_ = MPI_T_ENUM_NULL;
        std::tuple<Types...> drawn{draw<Types>()...};
        return std::apply(function, drawn);
    }
    // Keeps what a successful call made, so that later calls draw it.
    void learn() {
        if (made_control_ != MPI_T_CVAR_HANDLE_NULL) remember(controls_, made_control_, 20);
        if (made_session_ != MPI_T_PVAR_SESSION_NULL) remember(sessions_, made_session_, 5);
        if (made_performance_ != MPI_T_PVAR_HANDLE_NULL) remember(performances_, made_performance_, 20);
        if (made_enumeration_ != MPI_T_ENUM_NULL) remember(enumerations_, made_enumeration_, 5);
    }
    unsigned number(unsigned below) { return static_cast<unsigned>(random_() % below); }

private:
    // Half of the time the newest.
    template <class T> T one_of(const std::vector<T>& from) {
        return number(2) == 0 ? from.back() : from[number(static_cast<unsigned>(from.size()))];
    }
    // Forgets the oldest, but never the three that are always wrong and stand in front.
    template <class T> void remember(std::vector<T>& in, T made, unsigned room) {
        if (in.size() == room) in.erase(in.begin() + 3);
        in.push_back(made);
    }
    template <class T> T draw() {
        const bool is_null = number(8) == 0;
        if constexpr (std::is_same_v<T, int>) {
            const int extremes[] = {-1, INT_MAX, INT_MIN, MPI_THREAD_MULTIPLE, MPI_THREAD_FUNNELED};
            return number(4) == 0 ? extremes[number(5)] : static_cast<int>(number(60));
        } else if constexpr (std::is_same_v<T, int*>) {
            // Also the capacities of texts, which have room for 2048 characters each.
            std::array<int, 64>& block = integers_[int_count_++];
            block.fill(number(8) == 0 ? -1 : static_cast<int>(number(40)));
            return is_null ? nullptr : block.data();
        } else if constexpr (std::is_same_v<T, char*>) {
            return is_null ? nullptr : texts_[number(2)];
        } else if constexpr (std::is_same_v<T, const char*>) {
            const char* names[] = {"C_INT", "p_counter", "p_queue", "controls", "no such name", ""};
            return is_null ? nullptr : names[number(6)];
        } else if constexpr (std::is_same_v<T, void*> || std::is_same_v<T, const void*>) {
            // A buffer of values, or the address of an object's handle.
            std::memset(buffer_, static_cast<int>(number(3)), sizeof buffer_);
            const communicator object = handle_number<communicator>(0x100 + number(4));
            if (number(2) == 0) std::memcpy(buffer_, &object, sizeof object);
            return is_null ? nullptr : buffer_;
        } else if constexpr (std::is_same_v<T, MPI_T_cvar_handle>) {
            return one_of(controls_);
        } else if constexpr (std::is_same_v<T, MPI_T_pvar_session>) {
            return one_of(sessions_);
        } else if constexpr (std::is_same_v<T, MPI_T_pvar_handle>) {
            return one_of(performances_);
        } else if constexpr (std::is_same_v<T, MPI_T_cvar_handle*>) {
            made_control_ = one_of(controls_);
            return is_null ? nullptr : &made_control_;
        } else if constexpr (std::is_same_v<T, MPI_T_pvar_session*>) {
            made_session_ = one_of(sessions_);
            return is_null ? nullptr : &made_session_;
        } else if constexpr (std::is_same_v<T, MPI_T_pvar_handle*>) {
            made_performance_ = one_of(performances_);
            return is_null ? nullptr : &made_performance_;
        } else if constexpr (std::is_same_v<T, MPI_T_enum>) {
            return one_of(enumerations_);
        } else if constexpr (std::is_same_v<T, MPI_T_enum*>) {
            return is_null ? nullptr : &made_enumeration_;
        } else if constexpr (std::is_same_v<T, MPI_T_cb_safety>) {
            return MPI_T_CB_REQUIRE_MPI_RESTRICTED;
        } else if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) {
            // Outputs of other types, and handles of events, which are all foreign.
            std::memset(others_, static_cast<int>(number(256)), sizeof others_);
            return is_null ? nullptr : reinterpret_cast<T>(others_);
        } else {
            return T{};
        }
    }

    std::mt19937 random_;
    std::size_t int_count_ = 0;
    std::array<int, 64> integers_[8]{};
    char texts_[2][2048]{};
    alignas(16) char buffer_[4096]{};
    alignas(16) char others_[1024]{};
    MPI_T_cvar_handle made_control_{};
    MPI_T_pvar_session made_session_{};
    MPI_T_pvar_handle made_performance_{};
    MPI_T_enum made_enumeration_{};
    std::vector<MPI_T_cvar_handle> controls_{MPI_T_CVAR_HANDLE_NULL, handle_number<MPI_T_cvar_handle>(1),
                                             handle_number<MPI_T_cvar_handle>(0xdead)};
    std::vector<MPI_T_pvar_session> sessions_{MPI_T_PVAR_SESSION_NULL, handle_number<MPI_T_pvar_session>(1),
                                              handle_number<MPI_T_pvar_session>(0xdead)};
    std::vector<MPI_T_pvar_handle> performances_{MPI_T_PVAR_HANDLE_NULL, MPI_T_PVAR_ALL_HANDLES,
                                                 handle_number<MPI_T_pvar_handle>(0xdead)};
    std::vector<MPI_T_enum> enumerations_{MPI_T_ENUM_NULL, handle_number<MPI_T_enum>(1), handle_number<MPI_T_enum>(0xdead)};
};

struct random_call {
    std::string name;
    int (*make)(arguments&);
};
#define RANDOM_CALL(name) {#name, [](arguments& drawn) { return drawn.call(&MPI_T_##name); }},
const random_call every_random_call[] = {EVERY_FUNCTION(RANDOM_CALL)};

// The outputs of a call that fails; all of them must stay, but for handles, which a failed allocation sets to null.
struct outputs {
    int numbers[8];
    char text[16];
    MPI_T_enum enumeration;
    MPI_Datatype type;
    MPI_Count ticks;
    unsigned char value[64];
};
template <class Call> void expect_untouched(int code, Call call) {
    outputs before, after;
    std::memset(static_cast<void*>(&before), 0x11, sizeof before);
    after = before;
    CHECK(call(after) == code);
    CHECK(std::memcmp(&before, &after, sizeof before) == 0);
}

} // namespace

TEST_CASE("The eighteen codes are distinct, positive and not above the last code", "[RC-01][RC-06]") {
    STATIC_REQUIRE(std::size(codes) == 18);
    STATIC_REQUIRE(are_distinct_and_in_range());
    STATIC_REQUIRE(MPI_SUCCESS == 0);
}

TEST_CASE("Calls with random arguments return only the codes that the standard lists for them", "[RC-02][RC-03]") {
    arguments drawn{1};
    const int rounds = std::getenv("MPIT_LONG_TESTS") != nullptr ? 10'000'000 : 300'000;
    phase_is_open = true;
    for (std::uintptr_t object : {0x101u, 0x102u}) mpit::created(all, handle_number<communicator>(object));
    int depth = 0;
    std::set<int> seen;
    std::map<std::string, int> successes;
    for (int i = 0; i < rounds; i++) {
        // The interface is open most of the time, and now and then it closes under all handles.
        const bool changes_epoch = depth == 0 || drawn.number(200) == 0;
        const auto& call = changes_epoch ? every_random_call[drawn.number(2) == 0 || depth == 0 ? 0 : function_count - 1]
                                         : every_random_call[1 + drawn.number(function_count - 2)];
        const int code = call.make(drawn);
        seen.insert(code);
        if (code == MPI_SUCCESS) {
            drawn.learn();
            depth += call.name == "init_thread" ? 1 : call.name == "finalize" ? -1 : 0;
            successes[call.name]++;
            continue;
        }
        const bool generic = code == MPI_T_ERR_INVALID || code == MPI_T_ERR_NOT_INITIALIZED;
        if (generic || further_codes(call.name).count(code) == 1) continue;
        FAIL(call.name << " answered " << code);
    }
    for (; depth > 0; depth--) REQUIRE(MPI_T_finalize() == MPI_SUCCESS);
    phase_is_open = false;
    all.controls.plain = 5;
    // The calls went everywhere: each of the functions that can succeed without events did.
    for (const random_call& call : every_random_call)
        if (call.name.find("event_") == std::string::npos && call.name.find("source_get_") == std::string::npos) {
            INFO(call.name);
            CHECK(successes[call.name] > 0);
        }
    for (int code : {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_INVALID_NAME, MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE,
                     MPI_T_ERR_CVAR_SET_NEVER, MPI_T_ERR_PVAR_NO_WRITE, MPI_T_ERR_PVAR_NO_STARTSTOP,
                     MPI_T_ERR_PVAR_NO_ATOMIC})
        CHECK(seen.count(code) == 1);
}

TEST_CASE("Without memory allocations answer that there are no more handles or sessions", "[RC-02][RC-05]") {
    initialized tools;
    std::vector<MPI_T_pvar_session> sessions;
    std::vector<MPI_T_cvar_handle> controls;
    MPI_T_pvar_session last{};
    const int control = cvar_index("C_INT"), performance = pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER);
    int code = MPI_SUCCESS, count = -7;
    mpit::base::allocations_left.store(0);
    for (code = MPI_SUCCESS; code == MPI_SUCCESS && sessions.size() < 100'000;) {
        last = handle_number<MPI_T_pvar_session>(0xdead);
        code = MPI_T_pvar_session_create(&last);
        if (code == MPI_SUCCESS) sessions.push_back(last);
    }
    CHECK(code == MPI_T_ERR_OUT_OF_SESSIONS);
    CHECK(last == MPI_T_PVAR_SESSION_NULL);

    MPI_T_cvar_handle last_control{};
    for (code = MPI_SUCCESS; code == MPI_SUCCESS && controls.size() < 100'000;) {
        last_control = handle_number<MPI_T_cvar_handle>(0xdead);
        count = -7;
        code = MPI_T_cvar_handle_alloc(control, nullptr, &last_control, &count);
        if (code == MPI_SUCCESS) controls.push_back(last_control);
    }
    CHECK(code == MPI_T_ERR_OUT_OF_HANDLES);
    CHECK(last_control == MPI_T_CVAR_HANDLE_NULL);
    CHECK(count == -7);
    mpit::base::allocations_left.store(-1);

    session s;
    mpit::base::allocations_left.store(0);
    MPI_T_pvar_handle last_performance{};
    for (code = MPI_SUCCESS; code == MPI_SUCCESS;) {
        last_performance = handle_number<MPI_T_pvar_handle>(0xdead);
        count = -7;
        code = MPI_T_pvar_handle_alloc(s.handle, performance, nullptr, &last_performance, &count);
    }
    mpit::base::allocations_left.store(-1);
    CHECK(code == MPI_T_ERR_OUT_OF_HANDLES);
    CHECK(last_performance == MPI_T_PVAR_HANDLE_NULL);
    CHECK(count == -7);

    for (MPI_T_pvar_session& each : sessions) CHECK(MPI_T_pvar_session_free(&each) == MPI_SUCCESS);
    for (MPI_T_cvar_handle& each : controls) CHECK(MPI_T_cvar_handle_free(&each) == MPI_SUCCESS);
    CHECK(cvar{"C_INT"}.read() == 5);
}

TEST_CASE("Of several faults the arguments come first, then the session, the handle or index, and the variable", "[RC-04]") {
    initialized tools;
    session s;
    pvar readonly{s, "p_readonly", MPI_T_PVAR_CLASS_COUNTER}, continuous{s, "p_continuous", MPI_T_PVAR_CLASS_COUNTER};
    cvar constant{"C_CONSTANT"};
    const MPI_T_pvar_session none = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle{};
    MPI_T_cvar_handle control{};
    int bad = -1, count = 0;
    unsigned long long value = 0;

    CHECK(MPI_T_cvar_get_info(-1, nullptr, &bad, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
          MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_get_info(INT_MAX, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &bad, nullptr, nullptr,
                              nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_get_info(-1, nullptr, &bad, nullptr, nullptr, nullptr, nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_get_cvars(-1, -1, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_get_num_events(-1, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_enum_get_item(MPI_T_ENUM_NULL, -1, nullptr, nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_get_index("no such name", -1, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_handle_alloc(-1, nullptr, nullptr, &count) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_handle_alloc(-1, nullptr, &control, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_handle_alloc(none, -1, nullptr, nullptr, &count) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_handle_alloc(none, -1, nullptr, &handle, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_read(none, MPI_T_PVAR_HANDLE_NULL, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_write(none, MPI_T_PVAR_HANDLE_NULL, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_readreset(none, MPI_T_PVAR_HANDLE_NULL, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_write(MPI_T_CVAR_HANDLE_NULL, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_write(constant.handle, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_read(nullptr, -1, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_copy(nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_source_get_timestamp(-1, nullptr) == MPI_T_ERR_INVALID);

    CHECK(MPI_T_pvar_handle_alloc(none, -1, nullptr, &handle, &count) == MPI_T_ERR_INVALID_SESSION);
    CHECK(MPI_T_pvar_read(none, MPI_T_PVAR_HANDLE_NULL, &value) == MPI_T_ERR_INVALID_SESSION);
    CHECK(MPI_T_pvar_start(none, continuous.handle) == MPI_T_ERR_INVALID_SESSION);
    CHECK(MPI_T_pvar_reset(none, readonly.handle) == MPI_T_ERR_INVALID_SESSION);

    session other;
    CHECK(MPI_T_pvar_start(other.handle, continuous.handle) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_reset(other.handle, readonly.handle) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_write(other.handle, readonly.handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_readreset(other.handle, readonly.handle, &value) == MPI_T_ERR_INVALID_HANDLE);

    // A value that the variable cannot have is the last thing to be looked at.
    const int impossible = 12345;
    CHECK(MPI_T_cvar_write(constant.handle, &impossible) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(MPI_T_pvar_readreset(s.handle, readonly.handle, &value) == MPI_T_ERR_PVAR_NO_ATOMIC);
}

TEST_CASE("A call that fails changes none of its outputs", "[RC-05]") {
    initialized tools;
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, not_atomic{s, "p_not_atomic", MPI_T_PVAR_CLASS_COUNTER};
    const int bound = pvar_index("b_comm", MPI_T_PVAR_CLASS_COUNTER);
    expect_untouched(MPI_T_ERR_INVALID_INDEX, [](outputs& o) {
        int n = 16, d = 0;
        const int code = MPI_T_cvar_get_info(-1, o.text, &n, o.numbers, &o.type, &o.enumeration, nullptr, &d, o.numbers + 1,
                                             o.numbers + 2);
        CHECK(n == 16);
        CHECK(d == 0);
        return code;
    });
    expect_untouched(MPI_T_ERR_INVALID_INDEX, [](outputs& o) {
        int n = 16;
        const int code =
            MPI_T_pvar_get_info(INT_MAX, o.text, &n, o.numbers, o.numbers + 1, &o.type, &o.enumeration, nullptr, nullptr,
                                o.numbers + 2, o.numbers + 3, o.numbers + 4, o.numbers + 5);
        CHECK(n == 16);
        return code;
    });
    expect_untouched(MPI_T_ERR_INVALID_INDEX, [](outputs& o) {
        int n = 16;
        return MPI_T_category_get_info(-1, o.text, &n, nullptr, nullptr, o.numbers, o.numbers + 1, o.numbers + 2);
    });
    expect_untouched(MPI_T_ERR_INVALID_INDEX, [](outputs& o) { return MPI_T_category_get_cvars(-1, 8, o.numbers); });
    expect_untouched(MPI_T_ERR_INVALID, [](outputs& o) { return MPI_T_category_get_pvars(0, -1, o.numbers); });
    expect_untouched(MPI_T_ERR_INVALID_INDEX, [](outputs& o) { return MPI_T_category_get_num_events(-1, o.numbers); });
    expect_untouched(MPI_T_ERR_INVALID_NAME, [](outputs& o) { return MPI_T_cvar_get_index("none", o.numbers); });
    expect_untouched(MPI_T_ERR_INVALID_NAME, [](outputs& o) { return MPI_T_pvar_get_index("p_counter", 99, o.numbers); });
    expect_untouched(MPI_T_ERR_INVALID_NAME, [](outputs& o) { return MPI_T_category_get_index("none", o.numbers); });
    expect_untouched(MPI_T_ERR_INVALID,
                     [](outputs& o) { return MPI_T_enum_get_item(MPI_T_ENUM_NULL, 0, o.numbers, nullptr, nullptr); });
    expect_untouched(MPI_T_ERR_INVALID_HANDLE,
                     [](outputs& o) { return MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, o.value); });
    expect_untouched(MPI_T_ERR_INVALID_HANDLE, [&](outputs& o) {
        return MPI_T_pvar_read(s.handle, MPI_T_PVAR_ALL_HANDLES, o.value);
    });
    expect_untouched(MPI_T_ERR_INVALID_SESSION, [&](outputs& o) {
        return MPI_T_pvar_readreset(MPI_T_PVAR_SESSION_NULL, counter.handle, o.value);
    });
    expect_untouched(MPI_T_ERR_PVAR_NO_ATOMIC,
                     [&](outputs& o) { return MPI_T_pvar_readreset(s.handle, not_atomic.handle, o.value); });
    expect_untouched(MPI_T_ERR_INVALID_INDEX, [](outputs& o) { return MPI_T_source_get_timestamp(99, &o.ticks); });
    expect_untouched(MPI_T_ERR_INVALID_HANDLE, [](outputs& o) { return MPI_T_event_copy(nullptr, o.value); });
    expect_untouched(MPI_T_ERR_INVALID, [](outputs& o) { return MPI_T_init_thread(77, o.numbers); });

    // Allocations set the handle to null and leave the count.
    expect_untouched(MPI_T_ERR_INVALID_HANDLE, [&](outputs& o) {
        MPI_T_pvar_handle handle = counter.handle;
        const int code = MPI_T_pvar_handle_alloc(s.handle, bound, nullptr, &handle, o.numbers);
        CHECK(handle == MPI_T_PVAR_HANDLE_NULL);
        return code;
    });
    expect_untouched(MPI_T_ERR_INVALID_INDEX, [](outputs& o) {
        MPI_T_cvar_handle handle = handle_number<MPI_T_cvar_handle>(0xdead);
        const int code = MPI_T_cvar_handle_alloc(-1, nullptr, &handle, o.numbers);
        CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
        return code;
    });
    MPI_T_event_registration registration = handle_number<MPI_T_event_registration>(0xdead);
    CHECK(MPI_T_event_handle_alloc(-1, nullptr, MPI_INFO_NULL, &registration) == MPI_T_ERR_INVALID_INDEX);
    CHECK(registration == nullptr);

    // A handle that cannot be freed stays what it was.
    MPI_T_pvar_handle freed = MPI_T_PVAR_ALL_HANDLES;
    CHECK(MPI_T_pvar_handle_free(s.handle, &freed) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(freed == MPI_T_PVAR_ALL_HANDLES);
}

TEST_CASE("Every enumerator of the typed result has a code of its own", "[RC-07]") {
    std::set<int> seen;
    for (int i = 0; i <= static_cast<int>(mpit::result::not_atomic); i++)
        CHECK(seen.insert(mpit::c::code_of(static_cast<mpit::result>(i))).second);
    CHECK(seen.erase(MPI_SUCCESS) == 1);
    CHECK(seen == std::set<int>(std::begin(codes), std::end(codes)));
}
