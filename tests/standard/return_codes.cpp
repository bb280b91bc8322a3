// MPI-5.0, 15.3.10: what the functions answer when something is wrong: which of several faults, and that outputs stay as they
// were. Which codes each function may answer at all, tests/fuzz holds calls with random arguments against.
#include "../tool.hpp"
#include "abi/values.h"
#include "calls.h"

#include <mpit/mpi_t/shim.hpp>

#include <algorithm>
#include <iterator>
#include <set>

namespace {

#define EACH(name, value) name,
constexpr int codes[] = {EVERY_CODE(EACH)};
#undef EACH
constexpr bool are_distinct_and_in_range() {
    for (std::size_t i = 0; i < std::size(codes); i++) {
        if (codes[i] <= 0 || codes[i] > MPI_ERR_LASTCODE || codes[i] == MPI_SUCCESS) return false;
        for (std::size_t j = 0; j < i; j++)
            if (codes[i] == codes[j]) return false;
    }
    return true;
}

constexpr int (*lists_of_category[])(int, int, int*) = {MPI_T_category_get_cvars, MPI_T_category_get_pvars,
                                                        MPI_T_category_get_events, MPI_T_category_get_categories};

// A call with the arguments of calls.h is refused, and nothing that it was given changes.
#define REFUSES(code, ...)                                                                                             \
    do {                                                                                                               \
        set_arguments();                                                                                               \
        CHECK((__VA_ARGS__) == (code));                                                                                \
        CHECK(arguments_are_untouched());                                                                              \
    } while (false)

template <class Handle> Handle garbage() { return handle_number<Handle>(0xdead); }

// A failed allocation stores null, and no count.
void expect_no_allocation(int code, MPI_T_pvar_session in, int control, int performance, int event,
                          void* object = nullptr) {
    auto of_control = garbage<MPI_T_cvar_handle>();
    auto of_performance = garbage<MPI_T_pvar_handle>();
    auto of_event = garbage<MPI_T_event_registration>();
    int count = -7;
    CHECK(MPI_T_cvar_handle_alloc(control, object, &of_control, &count) == code);
    CHECK(MPI_T_pvar_handle_alloc(in, performance, object, &of_performance, &count) == code);
    CHECK(MPI_T_event_handle_alloc(event, object, MPI_INFO_NULL, &of_event) == code);
    CHECK(of_control == MPI_T_CVAR_HANDLE_NULL);
    CHECK(of_performance == MPI_T_PVAR_HANDLE_NULL);
    CHECK(of_event == nullptr);
    CHECK(count == -7);
}

// What every function that takes a handle answers for a value that is none.
void expect_no_control(MPI_T_cvar_handle none) {
    MPI_T_cvar_handle copy = none;
    REFUSES(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_read(none, &given.value));
    REFUSES(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_write(none, &given.value));
    CHECK(MPI_T_cvar_handle_free(&copy) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(copy == none);
}
void expect_no_performance(MPI_T_pvar_session in, MPI_T_pvar_handle none, int code = MPI_T_ERR_INVALID_HANDLE) {
    MPI_T_pvar_handle copy = none;
    const bool may_be_all = none == MPI_T_PVAR_ALL_HANDLES && code == MPI_T_ERR_INVALID_HANDLE;
    CHECK((may_be_all || MPI_T_pvar_start(in, none) == code));
    CHECK((may_be_all || MPI_T_pvar_stop(in, none) == code));
    CHECK((may_be_all || MPI_T_pvar_reset(in, none) == code));
    REFUSES(code, MPI_T_pvar_read(in, none, &given.value));
    REFUSES(code, MPI_T_pvar_write(in, none, &given.value));
    REFUSES(code, MPI_T_pvar_readreset(in, none, &given.value));
    CHECK(MPI_T_pvar_handle_free(in, &copy) == code);
    CHECK(copy == none);
}
void expect_no_session(MPI_T_pvar_session none, MPI_T_pvar_handle good) {
    MPI_T_pvar_session copy = none;
    for (const MPI_T_pvar_handle each : {good, MPI_T_PVAR_HANDLE_NULL, MPI_T_PVAR_ALL_HANDLES})
        expect_no_performance(none, each, MPI_T_ERR_INVALID_SESSION);
    for (const int index : {0, -1}) {
        MPI_T_pvar_handle made = good;
        REFUSES(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_handle_alloc(none, index, nullptr, &made, given.numbers));
        CHECK(made == MPI_T_PVAR_HANDLE_NULL);
    }
    CHECK(MPI_T_pvar_session_free(&copy) == MPI_T_ERR_INVALID_SESSION);
    CHECK(copy == none);
}
void expect_no_registration(MPI_T_event_registration none) {
    const MPI_T_cb_safety level = MPI_T_CB_REQUIRE_NONE;
    CHECK(MPI_T_event_handle_free(none, nullptr, nullptr) == MPI_T_ERR_INVALID_HANDLE);
    REFUSES(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_handle_get_info(none, &given.info));
    CHECK(MPI_T_event_handle_set_info(none, MPI_INFO_NULL) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_register_callback(none, level, MPI_INFO_NULL, nullptr, nullptr) == MPI_T_ERR_INVALID_HANDLE);
    REFUSES(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_callback_get_info(none, level, &given.info));
    CHECK(MPI_T_event_callback_set_info(none, level, MPI_INFO_NULL) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_set_dropped_handler(none, nullptr) == MPI_T_ERR_INVALID_HANDLE);
}
void expect_no_instance(MPI_T_event_instance none) {
    for (const int element : {0, -1}) REFUSES(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_read(none, element, &given.value));
    REFUSES(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_copy(none, &given.value));
    REFUSES(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_get_timestamp(none, given.ticks));
    REFUSES(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_get_source(none, given.numbers));
}

} // namespace

TEST_CASE("The eighteen codes are distinct, positive and not above the last code", "[RC-01][RC-06][DT-13]") {
    STATIC_REQUIRE(std::size(codes) == 18);
    STATIC_REQUIRE(are_distinct_and_in_range());
    STATIC_REQUIRE(MPI_SUCCESS == 0);
}

TEST_CASE_METHOD(initialized,
                 "An index that nothing has is refused by each function that takes one, which changes no output",
                 "[CVAR-02][CVAR-12][PVAR-02][HNDL-01][EVT-02][EVT-12][SRC-02][SRC-09][CAT-06][DT-12][RC-05]") {
    session s;
    int controls = 0, performances = 0, categories = 0, events = 0, sources = 0;
    MPI_T_enum colours{};
    REQUIRE(MPI_T_cvar_get_num(&controls) == MPI_SUCCESS);
    REQUIRE(MPI_T_pvar_get_num(&performances) == MPI_SUCCESS);
    REQUIRE(MPI_T_category_get_num(&categories) == MPI_SUCCESS);
    REQUIRE(MPI_T_event_get_num(&events) == MPI_SUCCESS);
    REQUIRE(MPI_T_source_get_num(&sources) == MPI_SUCCESS);
    REQUIRE(MPI_T_cvar_get_info(cvar_index("C_COLOUR"), nullptr, nullptr, nullptr, nullptr, &colours, nullptr, nullptr,
                                nullptr, nullptr) == MPI_SUCCESS);
    for (const int each : {-1, 0, 1, INT_MAX, INT_MIN}) {
        const auto beyond = [each](int count) { return each == 0 || each == 1 ? count + each : each; };
        INFO(each);
        call_arguments& g = given;
        int* const n = g.numbers;
        REFUSES(MPI_T_ERR_INVALID_INDEX,
                MPI_T_cvar_get_info(beyond(controls), g.text, &g.length, n, &g.datatype, &g.enumtype, g.second_text,
                                    &g.second_length, n + 1, n + 2));
        REFUSES(MPI_T_ERR_INVALID_INDEX,
                MPI_T_pvar_get_info(beyond(performances), g.text, &g.length, n, n + 1, &g.datatype, &g.enumtype,
                                    g.second_text, &g.second_length, n + 2, n + 3, n + 4, n + 5));
        REFUSES(MPI_T_ERR_INVALID_INDEX,
                MPI_T_event_get_info(beyond(events), g.text, &g.length, n, &g.datatype, &g.displacement, &g.capacity,
                                     &g.enumtype, &g.info, g.second_text, &g.second_length, n + 1));
        REFUSES(MPI_T_ERR_INVALID_INDEX,
                MPI_T_source_get_info(beyond(sources), g.text, &g.length, g.second_text, &g.second_length, &g.order,
                                      g.ticks, g.ticks + 1, &g.info));
        REFUSES(MPI_T_ERR_INVALID_INDEX, MPI_T_source_get_timestamp(beyond(sources), g.ticks));
        REFUSES(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_info(beyond(categories), g.text, &g.length, g.second_text,
                                                                 &g.second_length, n, n + 1, n + 2));
        CHECK(MPI_T_category_get_info(beyond(categories), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                      nullptr) == MPI_T_ERR_INVALID_INDEX);
        REFUSES(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_num_events(beyond(categories), n));
        for (const auto list : lists_of_category) {
            REFUSES(MPI_T_ERR_INVALID_INDEX, list(beyond(categories), 4, n));
            REFUSES(MPI_T_ERR_INVALID_INDEX, list(beyond(categories), 0, n));
            CHECK(list(beyond(categories), 0, nullptr) == MPI_T_ERR_INVALID_INDEX);
        }
        REFUSES(MPI_T_ERR_INVALID_INDEX, MPI_T_enum_get_item(colours, beyond(3), n, g.text, &g.length));
        expect_no_allocation(MPI_T_ERR_INVALID_INDEX, s.handle, beyond(controls), beyond(performances), beyond(events));
    }
}

TEST_CASE_METHOD(initialized, "What is ill-formed is refused before the session, the handle or the index is looked at",
                 "[RC-04][RC-05][STR-13][CVAR-26][PVAR-07][HNDL-23][CAT-17][SESS-01][EVT-12]") {
    session s;
    const cvar control{"C_INT"}, constant{"C_CONSTANT"};
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    const registration r{"e_plain"};
    CHECK(counter.write(3ull) == MPI_SUCCESS);
    const MPI_T_pvar_session no_session = MPI_T_PVAR_SESSION_NULL;
    const MPI_T_pvar_handle no_handle = MPI_T_PVAR_HANDLE_NULL;
    const auto no_level = static_cast<MPI_T_cb_safety>(7);
    const auto no_info = garbage<MPI_Info>();
    call_arguments& g = given;
    int* const n = g.numbers;
    int bad = -1;
#define IS_INVALID(...) REFUSES(MPI_T_ERR_INVALID, __VA_ARGS__)
    // Lengths of texts and numbers of elements below zero.
    IS_INVALID(MPI_T_cvar_get_info(-1, g.text, &bad, n, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr));
    IS_INVALID(MPI_T_pvar_get_info(INT_MAX, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, g.text, &bad, n,
                                   nullptr, nullptr, nullptr));
    IS_INVALID(MPI_T_category_get_info(-1, g.text, &bad, nullptr, nullptr, n, nullptr, nullptr));
    IS_INVALID(MPI_T_event_get_info(-1, g.text, &bad, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, n));
    IS_INVALID(MPI_T_event_get_info(-1, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, g.text,
                                    &bad, n));
    IS_INVALID(MPI_T_event_get_info(-1, nullptr, nullptr, nullptr, nullptr, &g.displacement, &bad, nullptr, nullptr,
                                    nullptr, nullptr, n));
    IS_INVALID(MPI_T_source_get_info(-1, g.text, &bad, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr));
    IS_INVALID(MPI_T_source_get_info(-1, nullptr, nullptr, g.text, &bad, nullptr, nullptr, nullptr, nullptr));
    CHECK(bad == -1);
    // Null pointers where something is stored or read, and lists of less than none.
    for (const auto get_num : {MPI_T_cvar_get_num, MPI_T_pvar_get_num, MPI_T_event_get_num, MPI_T_source_get_num,
                               MPI_T_category_get_num, MPI_T_category_changed})
        CHECK(get_num(nullptr) == MPI_T_ERR_INVALID);
    for (const auto get_index : {MPI_T_cvar_get_index, MPI_T_event_get_index, MPI_T_category_get_index}) {
        IS_INVALID(get_index(nullptr, n));
        CHECK(get_index("no such name", nullptr) == MPI_T_ERR_INVALID);
    }
    IS_INVALID(MPI_T_pvar_get_index(nullptr, MPI_T_PVAR_CLASS_COUNTER, n));
    CHECK(MPI_T_pvar_get_index("no such name", -1, nullptr) == MPI_T_ERR_INVALID);
    for (const int index : {-1, 0}) {
        CHECK(MPI_T_category_get_num_events(index, nullptr) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_source_get_timestamp(index, nullptr) == MPI_T_ERR_INVALID);
        for (const auto list : lists_of_category) {
            IS_INVALID(list(index, -1, n));
            CHECK(list(index, 1, nullptr) == MPI_T_ERR_INVALID);
        }
        IS_INVALID(MPI_T_cvar_handle_alloc(index, nullptr, nullptr, n));
        IS_INVALID(MPI_T_cvar_handle_alloc(index, nullptr, &g.cvar, nullptr));
        IS_INVALID(MPI_T_pvar_handle_alloc(no_session, index, nullptr, nullptr, n));
        IS_INVALID(MPI_T_pvar_handle_alloc(no_session, index, nullptr, &g.pvar, nullptr));
        IS_INVALID(MPI_T_pvar_handle_alloc(s.handle, index, nullptr, nullptr, n));
        IS_INVALID(MPI_T_pvar_handle_alloc(s.handle, index, nullptr, &g.pvar, nullptr));
        CHECK(MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, nullptr) == MPI_T_ERR_INVALID);
        auto made = garbage<MPI_T_event_registration>();
        CHECK(MPI_T_event_handle_alloc(index, nullptr, no_info, &made) == MPI_T_ERR_INVALID);
        CHECK(made == nullptr);
    }
    for (const auto list : lists_of_category) {
        CHECK(list(0, 0, nullptr) == MPI_SUCCESS);
        REFUSES(MPI_SUCCESS, list(0, 0, n));
    }
    CHECK(MPI_T_cvar_handle_free(nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_handle_free(s.handle, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_session_create(nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_session_free(nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_read(control.handle, nullptr) == MPI_T_ERR_INVALID);
    for (const MPI_T_cvar_handle each : {MPI_T_CVAR_HANDLE_NULL, control.handle, constant.handle})
        CHECK(MPI_T_cvar_write(each, nullptr) == MPI_T_ERR_INVALID);
    for (const auto& [in, handle] : {std::pair{no_session, no_handle}, {s.handle, counter.handle}}) {
        CHECK(MPI_T_pvar_read(in, handle, nullptr) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_pvar_write(in, handle, nullptr) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_pvar_readreset(in, handle, nullptr) == MPI_T_ERR_INVALID);
    }
    CHECK(counter.read() == 3);
    CHECK(MPI_T_enum_get_item(MPI_T_ENUM_NULL, -1, nullptr, nullptr, nullptr) == MPI_T_ERR_INVALID);
    // Levels that there are not, and hints that are no object.
    for (const MPI_T_event_registration each : {MPI_T_event_registration{}, r.handle}) {
        CHECK(MPI_T_event_handle_get_info(each, nullptr) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_event_handle_set_info(each, no_info) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_event_register_callback(each, no_level, MPI_INFO_NULL, nullptr, nullptr) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_event_register_callback(each, MPI_T_CB_REQUIRE_NONE, no_info, nullptr, nullptr) ==
              MPI_T_ERR_INVALID);
        CHECK(MPI_T_event_callback_set_info(each, no_level, MPI_INFO_NULL) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_event_callback_set_info(each, MPI_T_CB_REQUIRE_NONE, no_info) == MPI_T_ERR_INVALID);
        IS_INVALID(MPI_T_event_callback_get_info(each, no_level, &g.info));
        CHECK(MPI_T_event_callback_get_info(each, MPI_T_CB_REQUIRE_NONE, nullptr) == MPI_T_ERR_INVALID);
    }
    CHECK(MPI_T_event_read(nullptr, -1, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_copy(nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_timestamp(nullptr, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_source(nullptr, nullptr) == MPI_T_ERR_INVALID);
}

TEST_CASE_METHOD(initialized,
                 "A handle is looked at before what its variable allows, an index before its object, and a value last",
                 "[RC-04]") {
    session s, other;
    pvar readonly{s, "p_readonly", MPI_T_PVAR_CLASS_COUNTER}, continuous{s, "p_continuous", MPI_T_PVAR_CLASS_COUNTER};
    const cvar constant{"C_CONSTANT"};
    unsigned long long value = 0;
    CHECK(MPI_T_pvar_start(other.handle, continuous.handle) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_reset(other.handle, readonly.handle) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_write(other.handle, readonly.handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_readreset(other.handle, readonly.handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    expect_no_allocation(MPI_T_ERR_INVALID_HANDLE, s.handle, cvar_index("C_BOUND"),
                         pvar_index("b_comm", MPI_T_PVAR_CLASS_COUNTER), event_index("e_bound"));
    CHECK(constant.write(12345) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(MPI_T_pvar_readreset(s.handle, readonly.handle, &value) == MPI_T_ERR_PVAR_NO_ATOMIC);
}

TEST_CASE_METHOD(initialized,
                 "A value that is no handle of its kind, or was one, is refused by every function that takes one",
                 "[CVAR-15][HNDL-05][HNDL-06][SESS-04][EVT-29][EVT-34][DT-14][RC-05]") {
    session s, other, freed_session;
    const cvar control{"C_INT"};
    cvar freed_control{"C_INT"};
    pvar performance{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER},
        freed_performance{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    const registration listening{"e_plain"};
    registration freed_registration{"e_plain"};
    static MPI_T_event_instance instance;
    REQUIRE(listening.call([](MPI_T_event_instance seen, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        instance = seen; // as no tool should
    }) == MPI_SUCCESS);
    all.events.plain(1, 2, 3ul);
    MPI_T_enum colours{};
    REQUIRE(MPI_T_cvar_get_info(cvar_index("C_COLOUR"), nullptr, nullptr, nullptr, nullptr, &colours, nullptr, nullptr,
                                nullptr, nullptr) == MPI_SUCCESS);
    const auto near_it = [word = reinterpret_cast<std::uintptr_t>(colours)](std::uintptr_t bits) {
        return handle_number<void*>(word ^ bits);
    };
    int on_the_stack = 0;
    // clang-format off
    void* const none[] = {
        nullptr, handle_number<void*>(1), handle_number<void*>(0xdead), handle_number<void*>(~std::uintptr_t{0}),
        near_it(0x80000000u), near_it(std::uintptr_t{1} << 63), near_it(0x400), &on_the_stack, control.handle,
        performance.handle, s.handle, listening.handle, instance, freed_control.handle, freed_performance.handle,
        freed_session.handle, freed_registration.handle,
    };
    // clang-format on
    CHECK(MPI_T_cvar_handle_free(&freed_control.handle) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_free(s.handle, &freed_performance.handle) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_session_free(&freed_session.handle) == MPI_SUCCESS);
    CHECK(freed_control.handle == MPI_T_CVAR_HANDLE_NULL);
    CHECK(freed_performance.handle == MPI_T_PVAR_HANDLE_NULL);
    CHECK(freed_session.handle == MPI_T_PVAR_SESSION_NULL);
    CHECK(freed_registration.free() == MPI_SUCCESS);
    // They may have the places of those that were freed.
    const cvar fresh_control{"C_INT"};
    const pvar fresh_performance{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    const session fresh_session;
    const registration fresh_registration{"e_plain"};
    for (void* const fresh : std::initializer_list<void*>{fresh_control.handle, fresh_performance.handle,
                                                          fresh_session.handle, fresh_registration.handle})
        CHECK(std::count(std::begin(none), std::end(none), fresh) == 0);
    CHECK(performance.start() == MPI_SUCCESS);
    ++all.performances.counter;
    for (void* const each : none) {
        INFO(each);
        if (each != control.handle) expect_no_control(static_cast<MPI_T_cvar_handle>(each));
        if (each != performance.handle) expect_no_performance(s.handle, static_cast<MPI_T_pvar_handle>(each));
        if (each != s.handle) expect_no_session(static_cast<MPI_T_pvar_session>(each), performance.handle);
        if (each != listening.handle) expect_no_registration(static_cast<MPI_T_event_registration>(each));
        expect_no_instance(static_cast<MPI_T_event_instance>(each));
        REFUSES(MPI_T_ERR_INVALID,
                MPI_T_enum_get_info(static_cast<MPI_T_enum>(each), given.numbers, given.text, &given.length));
        REFUSES(MPI_T_ERR_INVALID,
                MPI_T_enum_get_item(static_cast<MPI_T_enum>(each), 0, given.numbers, given.text, &given.length));
    }
    expect_no_performance(other.handle, performance.handle);
    for (const cvar* each : {&control, &fresh_control}) CHECK(each->read() == 5);
    CHECK(fresh_performance.start() == MPI_SUCCESS);
    CHECK(MPI_T_pvar_start(fresh_session.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(fresh_registration.call_for_losses(nullptr) == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(performance.read() == 2);
    CHECK(fresh_performance.read() == 1);
}

TEST_CASE("Every enumerator of the typed result has a code of its own", "[RC-07]") {
    std::set<int> seen;
    for (int i = 0; i <= static_cast<int>(mpit::result::not_atomic); i++)
        CHECK(seen.insert(mpit::mpi_t::code_of(static_cast<mpit::result>(i))).second);
    CHECK(seen.erase(MPI_SUCCESS) == 1);
    CHECK(seen == std::set<int>(std::begin(codes), std::end(codes)));
}
