// MPI-5.0, 15.3.10: what the functions answer when something is wrong: which of several faults, without memory, and
// that outputs stay as they were. Calls with arguments drawn at random stand in random_calls.cpp.
#include "../tool.hpp"

#include <mpit/mpi_t/shim.hpp>

#include <iterator>
#include <set>

namespace {

constexpr int codes[] = {
    MPI_T_ERR_CANNOT_INIT,
    MPI_T_ERR_NOT_ACCESSIBLE,
    MPI_T_ERR_NOT_INITIALIZED,
    MPI_T_ERR_NOT_SUPPORTED,
    MPI_T_ERR_MEMORY,
    MPI_T_ERR_INVALID,
    MPI_T_ERR_INVALID_INDEX,
    MPI_T_ERR_INVALID_ITEM,
    MPI_T_ERR_INVALID_SESSION,
    MPI_T_ERR_INVALID_HANDLE,
    MPI_T_ERR_INVALID_NAME,
    MPI_T_ERR_OUT_OF_HANDLES,
    MPI_T_ERR_OUT_OF_SESSIONS,
    MPI_T_ERR_CVAR_SET_NOT_NOW,
    MPI_T_ERR_CVAR_SET_NEVER,
    MPI_T_ERR_PVAR_NO_WRITE,
    MPI_T_ERR_PVAR_NO_STARTSTOP,
    MPI_T_ERR_PVAR_NO_ATOMIC,
};
constexpr bool are_distinct_and_in_range() {
    for (std::size_t i = 0; i < std::size(codes); i++) {
        if (codes[i] <= 0 || codes[i] > MPI_ERR_LASTCODE || codes[i] == MPI_SUCCESS) return false;
        for (std::size_t j = 0; j < i; j++)
            if (codes[i] == codes[j]) return false;
    }
    return true;
}

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

TEST_CASE("Without memory allocations return that there are no more handles or sessions", "[RC-02][RC-05]") {
    initialized tools;
    std::vector<MPI_T_pvar_session> sessions;
    std::vector<MPI_T_cvar_handle> controls;
    MPI_T_pvar_session last{};
    const int control = cvar_index("C_INT"), performance = pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER);
    int code = MPI_SUCCESS, count = -7;
    mpit::core::allocations_left.store(0);
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
    mpit::core::allocations_left.store(-1);

    session s;
    mpit::core::allocations_left.store(0);
    MPI_T_pvar_handle last_performance{};
    for (code = MPI_SUCCESS; code == MPI_SUCCESS;) {
        last_performance = handle_number<MPI_T_pvar_handle>(0xdead);
        count = -7;
        code = MPI_T_pvar_handle_alloc(s.handle, performance, nullptr, &last_performance, &count);
    }
    mpit::core::allocations_left.store(-1);
    CHECK(code == MPI_T_ERR_OUT_OF_HANDLES);
    CHECK(last_performance == MPI_T_PVAR_HANDLE_NULL);
    CHECK(count == -7);

    std::vector<MPI_T_event_registration> registrations;
    MPI_T_event_registration last_registration{};
    mpit::core::allocations_left.store(0);
    for (code = MPI_SUCCESS; code == MPI_SUCCESS && registrations.size() < 100'000;) {
        last_registration = handle_number<MPI_T_event_registration>(0xdead);
        code = MPI_T_event_handle_alloc(0, nullptr, MPI_INFO_NULL, &last_registration);
        if (code == MPI_SUCCESS) registrations.push_back(last_registration);
    }
    mpit::core::allocations_left.store(-1);
    CHECK(code == MPI_T_ERR_OUT_OF_HANDLES);
    CHECK(last_registration == nullptr);

    for (MPI_T_event_registration each : registrations)
        CHECK(MPI_T_event_handle_free(each, nullptr, nullptr) == MPI_SUCCESS);
    for (MPI_T_pvar_session& each : sessions) CHECK(MPI_T_pvar_session_free(&each) == MPI_SUCCESS);
    for (MPI_T_cvar_handle& each : controls) CHECK(MPI_T_cvar_handle_free(&each) == MPI_SUCCESS);
    CHECK(cvar{"C_INT"}.read() == 5);
}

TEST_CASE("Without memory for an info object a query returns MPI_T_ERR_MEMORY and stores nothing", "[RC-02][RC-05]") {
    initialized tools;
    registration r{"e_plain"};
    REQUIRE(r.call([](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {}) == MPI_SUCCESS);
    const auto without_memory = [](auto call) {
        MPI_Info info = MPI_INFO_NULL;
        mpit::core::allocations_left.store(0);
        const int code = call(&info);
        mpit::core::allocations_left.store(-1);
        CHECK(info == MPI_INFO_NULL);
        return code;
    };
    expect_untouched(MPI_T_ERR_MEMORY, [&](outputs& o) {
        return without_memory([&](MPI_Info* info) {
            return MPI_T_event_get_info(0, nullptr, o.numbers, o.numbers + 1, &o.type, nullptr, o.numbers + 2,
                                        &o.enumeration, info, nullptr, o.numbers + 3, o.numbers + 4);
        });
    });
    expect_untouched(MPI_T_ERR_MEMORY, [&](outputs& o) {
        return without_memory([&](MPI_Info* info) {
            return MPI_T_source_get_info(0, nullptr, o.numbers, nullptr, o.numbers + 1, nullptr, &o.ticks, nullptr,
                                         info);
        });
    });
    CHECK(without_memory([&](MPI_Info* info) { return MPI_T_event_handle_get_info(r.handle, info); }) ==
          MPI_T_ERR_MEMORY);
    CHECK(without_memory([&](MPI_Info* info) {
        return MPI_T_event_callback_get_info(r.handle, MPI_T_CB_REQUIRE_NONE, info);
    }) == MPI_T_ERR_MEMORY);
}

TEST_CASE("Of several faults the arguments are reported first, then the session, the handle or index, and the variable",
          "[RC-04]") {
    initialized tools;
    session s;
    pvar readonly{s, "p_readonly", MPI_T_PVAR_CLASS_COUNTER}, continuous{s, "p_continuous", MPI_T_PVAR_CLASS_COUNTER};
    cvar constant{"C_CONSTANT"};
    const MPI_T_pvar_session none = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle{};
    MPI_T_cvar_handle control{};
    int bad = -1, count = 0;
    unsigned long long value = 0;
    char text[8] = "";

    CHECK(MPI_T_cvar_get_info(-1, text, &bad, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
          MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_get_info(INT_MAX, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, text, &bad, nullptr,
                              nullptr, nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_get_info(-1, text, &bad, nullptr, nullptr, nullptr, nullptr, nullptr) == MPI_T_ERR_INVALID);
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
    CHECK(bad == -1);

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

TEST_CASE("Of several faults in a call about events the arguments are reported first, then the handle or the index",
          "[RC-04]") {
    const auto no_level = static_cast<MPI_T_cb_safety>(7);
    const MPI_Info no_info = handle_number<MPI_Info>(0xdead);
    CHECK(MPI_T_event_read(nullptr, -1, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_event_register_callback(nullptr, no_level, no_info, nullptr, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_event_handle_alloc(-1, nullptr, no_info, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_source_get_timestamp(-1, nullptr) == MPI_T_ERR_NOT_INITIALIZED);

    initialized tools;
    char text[8] = "";
    int bad = -1;
    MPI_Aint displacement = 0;
    MPI_T_event_registration made{};
    MPI_Info info = MPI_INFO_NULL;
    unsigned long long value = 0;
    CHECK(MPI_T_event_get_info(-1, text, &bad, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                               nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_info(-1, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, text, &bad,
                               nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_info(-1, nullptr, nullptr, nullptr, nullptr, &displacement, &bad, nullptr, nullptr, nullptr,
                               nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_index("no such name", nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_handle_alloc(-1, nullptr, MPI_INFO_NULL, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_handle_alloc(-1, nullptr, no_info, &made) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_handle_set_info(nullptr, no_info) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_handle_get_info(nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_register_callback(nullptr, no_level, MPI_INFO_NULL, nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_register_callback(nullptr, MPI_T_CB_REQUIRE_NONE, no_info, nullptr, nullptr) ==
          MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_set_info(nullptr, no_level, MPI_INFO_NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_set_info(nullptr, MPI_T_CB_REQUIRE_NONE, no_info) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_get_info(nullptr, no_level, &info) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_get_info(nullptr, MPI_T_CB_REQUIRE_NONE, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_read(nullptr, -1, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_copy(nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_timestamp(nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_source(nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_source_get_info(-1, text, &bad, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
          MPI_T_ERR_INVALID);
    CHECK(MPI_T_source_get_info(-1, nullptr, nullptr, text, &bad, nullptr, nullptr, nullptr, nullptr) ==
          MPI_T_ERR_INVALID);
    CHECK(MPI_T_source_get_timestamp(-1, nullptr) == MPI_T_ERR_INVALID);

    // The index of an event comes before its object, and an instance before an index into it.
    CHECK(MPI_T_event_handle_alloc(-1, nullptr, MPI_INFO_NULL, &made) == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_event_handle_alloc(event_index("e_bound"), nullptr, MPI_INFO_NULL, &made) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_read(nullptr, -1, &value) == MPI_T_ERR_INVALID_HANDLE);
    // The registration comes before the level that has no callback.
    CHECK(MPI_T_event_callback_get_info(nullptr, MPI_T_CB_REQUIRE_NONE, &info) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(bad == -1);
    CHECK(info == MPI_INFO_NULL);
    CHECK(made == nullptr);
}

TEST_CASE("A call that fails changes none of its outputs", "[RC-05]") {
    initialized tools;
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, not_atomic{s, "p_not_atomic", MPI_T_PVAR_CLASS_COUNTER};
    const int bound = pvar_index("b_comm", MPI_T_PVAR_CLASS_COUNTER);
    expect_untouched(MPI_T_ERR_INVALID_INDEX, [](outputs& o) {
        int n = 16, d = 0;
        const int code = MPI_T_cvar_get_info(-1, o.text, &n, o.numbers, &o.type, &o.enumeration, nullptr, &d,
                                             o.numbers + 1, o.numbers + 2);
        CHECK(n == 16);
        CHECK(d == 0);
        return code;
    });
    expect_untouched(MPI_T_ERR_INVALID_INDEX, [](outputs& o) {
        int n = 16;
        const int code =
            MPI_T_pvar_get_info(INT_MAX, o.text, &n, o.numbers, o.numbers + 1, &o.type, &o.enumeration, nullptr,
                                nullptr, o.numbers + 2, o.numbers + 3, o.numbers + 4, o.numbers + 5);
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
    expect_untouched(MPI_T_ERR_INVALID_NAME,
                     [](outputs& o) { return MPI_T_pvar_get_index("p_counter", 99, o.numbers); });
    expect_untouched(MPI_T_ERR_INVALID_NAME, [](outputs& o) { return MPI_T_category_get_index("none", o.numbers); });
    expect_untouched(MPI_T_ERR_INVALID,
                     [](outputs& o) { return MPI_T_enum_get_item(MPI_T_ENUM_NULL, 0, o.numbers, nullptr, nullptr); });
    expect_untouched(MPI_T_ERR_INVALID_HANDLE,
                     [](outputs& o) { return MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, o.value); });
    expect_untouched(MPI_T_ERR_INVALID_HANDLE,
                     [&](outputs& o) { return MPI_T_pvar_read(s.handle, MPI_T_PVAR_ALL_HANDLES, o.value); });
    expect_untouched(MPI_T_ERR_INVALID_SESSION, [&](outputs& o) {
        return MPI_T_pvar_readreset(MPI_T_PVAR_SESSION_NULL, counter.handle, o.value);
    });
    expect_untouched(MPI_T_ERR_PVAR_NO_ATOMIC,
                     [&](outputs& o) { return MPI_T_pvar_readreset(s.handle, not_atomic.handle, o.value); });
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
    // A handle that cannot be freed stays what it was.
    MPI_T_pvar_handle freed = MPI_T_PVAR_ALL_HANDLES;
    CHECK(MPI_T_pvar_handle_free(s.handle, &freed) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(freed == MPI_T_PVAR_ALL_HANDLES);
}

TEST_CASE("A call about events that fails changes none of its outputs", "[RC-05]") {
    initialized tools;
    registration r{"e_plain"};
    for (const int index : {-1, 99, INT_MAX}) {
        expect_untouched(MPI_T_ERR_INVALID_INDEX, [=](outputs& o) {
            int length = 16, room = 1;
            MPI_Aint displacement = -7;
            MPI_Info info = MPI_INFO_NULL;
            const int code = MPI_T_event_get_info(index, o.text, &length, o.numbers, &o.type, &displacement, &room,
                                                  &o.enumeration, &info, nullptr, o.numbers + 1, o.numbers + 2);
            CHECK((length == 16 && room == 1 && displacement == -7 && info == MPI_INFO_NULL));
            return code;
        });
        expect_untouched(MPI_T_ERR_INVALID_INDEX, [=](outputs& o) {
            int length = 16;
            MPI_T_source_order ordering = MPI_T_SOURCE_ORDERED;
            MPI_Count most = -7;
            MPI_Info info = MPI_INFO_NULL;
            const int code =
                MPI_T_source_get_info(index, o.text, &length, nullptr, o.numbers, &ordering, &o.ticks, &most, &info);
            CHECK((length == 16 && ordering == MPI_T_SOURCE_ORDERED && most == -7 && info == MPI_INFO_NULL));
            return code;
        });
        expect_untouched(MPI_T_ERR_INVALID_INDEX,
                         [=](outputs& o) { return MPI_T_source_get_timestamp(index, &o.ticks); });
        expect_untouched(MPI_T_ERR_INVALID_INDEX,
                         [=](outputs& o) { return MPI_T_category_get_events(index, 8, o.numbers); });
    }
    expect_untouched(MPI_T_ERR_INVALID_NAME, [](outputs& o) { return MPI_T_event_get_index("none", o.numbers); });
    expect_untouched(MPI_T_ERR_INVALID_HANDLE, [](outputs& o) { return MPI_T_event_copy(nullptr, o.value); });
    expect_untouched(MPI_T_ERR_INVALID_HANDLE, [](outputs& o) { return MPI_T_event_read(nullptr, 0, o.value); });
    expect_untouched(MPI_T_ERR_INVALID_HANDLE, [](outputs& o) { return MPI_T_event_get_timestamp(nullptr, &o.ticks); });
    expect_untouched(MPI_T_ERR_INVALID_HANDLE, [](outputs& o) { return MPI_T_event_get_source(nullptr, o.numbers); });
    for (const MPI_T_event_registration none :
         {MPI_T_event_registration{}, handle_number<MPI_T_event_registration>(0xdead)}) {
        MPI_Info info = MPI_INFO_NULL;
        CHECK(MPI_T_event_handle_get_info(none, &info) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_callback_get_info(none, MPI_T_CB_REQUIRE_NONE, &info) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(info == MPI_INFO_NULL);
    }
    MPI_Info info = MPI_INFO_NULL;
    CHECK(MPI_T_event_callback_get_info(r.handle, MPI_T_CB_REQUIRE_NONE, &info) == MPI_T_ERR_INVALID);
    CHECK(info == MPI_INFO_NULL);

    // A failed allocation sets the handle to null.
    MPI_T_event_registration made = r.handle;
    CHECK(MPI_T_event_handle_alloc(-1, nullptr, MPI_INFO_NULL, &made) == MPI_T_ERR_INVALID_INDEX);
    CHECK(made == nullptr);
    made = r.handle;
    CHECK(MPI_T_event_handle_alloc(0, nullptr, handle_number<MPI_Info>(0xdead), &made) == MPI_T_ERR_INVALID);
    CHECK(made == nullptr);
}

TEST_CASE("Every enumerator of the typed result has a code of its own", "[RC-07]") {
    std::set<int> seen;
    for (int i = 0; i <= static_cast<int>(mpit::result::not_atomic); i++)
        CHECK(seen.insert(mpit::mpi_t::code_of(static_cast<mpit::result>(i))).second);
    CHECK(seen.erase(MPI_SUCCESS) == 1);
    CHECK(seen == std::set<int>(std::begin(codes), std::end(codes)));
}
