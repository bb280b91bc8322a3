// MPI-5.0, 15.3.10: a table says which codes each of the 51 functions may return; calls with arguments drawn at random,
// good ones and bad ones, also from callbacks of events, are held against it.
#include "../codes_of_functions.hpp"
#include "../long_tests.hpp"
#include "../tool.hpp"
#include "functions.h"

#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <type_traits>

namespace {

// Memory is there.
bool may_answer(const std::string& function, int code) {
    for (const function_codes& each : codes_of_functions)
        if (each.function == function) return each.may_answer(code) && !is_about_memory(code);
    return false;
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
        made_registration_ = nullptr;
        made_info_ = MPI_INFO_NULL;
        std::tuple<Types...> drawn{draw<Types>()...};
        return std::apply(function, drawn);
    }
    // Keeps what a successful call made, so that later calls draw it.
    void learn() {
        if (made_control_ != MPI_T_CVAR_HANDLE_NULL) remember(controls_, made_control_, 20);
        if (made_session_ != MPI_T_PVAR_SESSION_NULL) remember(sessions_, made_session_, 5);
        if (made_performance_ != MPI_T_PVAR_HANDLE_NULL) remember(performances_, made_performance_, 20);
        if (made_enumeration_ != MPI_T_ENUM_NULL) remember(enumerations_, made_enumeration_, 5);
        if (made_registration_ != nullptr) remember(registrations_, made_registration_, 20);
        if (made_info_ != MPI_INFO_NULL) MPI_Info_free(&made_info_);
    }
    void look_at(MPI_T_event_instance instance) { instances_.back() = instance; }
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
            const char* names[] = {"C_INT", "p_counter", "p_queue", "controls", "e_plain", "no such name", ""};
            return is_null ? nullptr : names[number(7)];
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
            const int levels[] = {MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_T_CB_REQUIRE_THREAD_SAFE,
                                  MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, 7};
            return static_cast<MPI_T_cb_safety>(levels[number(5)]);
        } else if constexpr (std::is_same_v<T, MPI_T_event_registration>) {
            return one_of(registrations_);
        } else if constexpr (std::is_same_v<T, MPI_T_event_registration*>) {
            made_registration_ = one_of(registrations_);
            return is_null ? nullptr : &made_registration_;
        } else if constexpr (std::is_same_v<T, MPI_T_event_instance>) {
            return one_of(instances_);
        } else if constexpr (std::is_same_v<T, MPI_Info>) {
            return is_null ? handle_number<MPI_Info>(0xdead) : number(2) == 0 ? MPI_INFO_NULL : hints_.info;
        } else if constexpr (std::is_same_v<T, MPI_Info*>) {
            return is_null ? nullptr : &made_info_;
        } else if constexpr (std::is_same_v<T, MPI_T_event_cb_function*>) {
            return is_null ? nullptr : &look_at_event;
        } else if constexpr (std::is_same_v<T, MPI_T_event_dropped_cb_function*>) {
            return is_null ? nullptr : +[](MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void*) {};
        } else if constexpr (std::is_same_v<T, MPI_T_event_free_cb_function*>) {
            return is_null ? nullptr : +[](MPI_T_event_registration, MPI_T_cb_safety, void*) {};
        } else {
            // Outputs of other types.
            static_assert(std::is_pointer_v<T>);
            std::memset(others_, static_cast<int>(number(256)), sizeof others_);
            return is_null ? nullptr : reinterpret_cast<T>(others_);
        }
    }
    static void look_at_event(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*);

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
    MPI_T_event_registration made_registration_{};
    MPI_Info made_info_{};
    hints hints_{{"mpit_buffer_depth", "3"}, {"mpit_drop_policy", "oldest"}, {"mpit_sampling", "2"}};
    std::vector<MPI_T_cvar_handle> controls_{MPI_T_CVAR_HANDLE_NULL, handle_number<MPI_T_cvar_handle>(1),
                                             handle_number<MPI_T_cvar_handle>(0xdead)};
    std::vector<MPI_T_pvar_session> sessions_{MPI_T_PVAR_SESSION_NULL, handle_number<MPI_T_pvar_session>(1),
                                              handle_number<MPI_T_pvar_session>(0xdead)};
    std::vector<MPI_T_pvar_handle> performances_{MPI_T_PVAR_HANDLE_NULL, MPI_T_PVAR_ALL_HANDLES,
                                                 handle_number<MPI_T_pvar_handle>(0xdead)};
    std::vector<MPI_T_enum> enumerations_{MPI_T_ENUM_NULL, handle_number<MPI_T_enum>(1),
                                          handle_number<MPI_T_enum>(0xdead)};
    std::vector<MPI_T_event_registration> registrations_{nullptr, handle_number<MPI_T_event_registration>(1),
                                                         handle_number<MPI_T_event_registration>(0xdead)};
    // The last one is that of the last callback.
    std::vector<MPI_T_event_instance> instances_{nullptr, handle_number<MPI_T_event_instance>(0xdead), nullptr};
};

struct random_call {
    std::string name;
    int (*make)(arguments&);
};
const random_call every_random_call[] = {
#define MPIT_T_FUNCTION(name, ...) {#name, [](arguments& drawn) { return drawn.call(&MPI_T_##name); }},
#include <mpit/mpi_t/functions.def>
};

// The calls of the test case, and of the callbacks that run meanwhile.
struct call_record {
    arguments drawn{1};
    std::set<int> seen;
    std::map<std::string, int> successes;
    std::vector<std::string> complaints;
    int make(const random_call& call) {
        const int code = call.make(drawn);
        seen.insert(code);
        if (code == MPI_SUCCESS) {
            drawn.learn();
            successes[call.name]++;
        } else if (!may_answer(call.name, code)) {
            complaints.push_back(call.name + " answered " + std::to_string(code));
        }
        return code;
    }
};
call_record* present_record = nullptr;

// A callback that calls the four functions on instances with what is drawn, most often its own.
void arguments::look_at_event(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    present_record->drawn.look_at(instance);
    for (const random_call& call : every_random_call)
        if (call.name == "event_read" || call.name == "event_copy" || call.name == "event_get_timestamp" ||
            call.name == "event_get_source")
            present_record->make(call);
}
void raise_something(arguments& drawn) {
    const auto level = static_cast<mpit::safety>(drawn.number(4));
    all.events.plain.raise(level, 1, 2, 3ul);
    all.events.ordered.raise(level, 1);
    all.events.bound[handle_number<communicator>(0x100 + drawn.number(4))].raise(level, 1);
    all.events.empty.defer();
    all.events.all_types.defer(payload_of_all_types{});
    mpit::deliver(all, level);
}

} // namespace

TEST_CASE("Calls with random arguments return only the codes that the standard lists for them", "[RC-02][RC-03]") {
    static call_record made;
    present_record = &made;
    const int rounds = is_long() ? 10'000'000 : 300'000;
    phase_is_open = true;
    for (std::uintptr_t object : {0x101u, 0x102u}) mpit::created(all, handle_number<communicator>(object));
    int depth = 0;
    for (int i = 0; i < rounds && made.complaints.empty(); i++) {
        // The interface is open most of the time, and now and then it closes under all handles.
        const bool changes_epoch = depth == 0 || made.drawn.number(200) == 0;
        const unsigned which = !changes_epoch                            ? 1 + made.drawn.number(function_count - 2)
                               : made.drawn.number(2) == 0 || depth == 0 ? 0
                                                                         : function_count - 1;
        if (made.make(every_random_call[which]) == MPI_SUCCESS)
            depth += which == 0 ? 1 : which == function_count - 1 ? -1 : 0;
        if (i % 16 == 0) raise_something(made.drawn);
    }
    for (const std::string& complaint : made.complaints) FAIL(complaint);
    for (; depth > 0; depth--) REQUIRE(MPI_T_finalize() == MPI_SUCCESS);
    phase_is_open = false;
    all.controls.plain = 5;
    // The calls went everywhere: each of the functions did succeed.
    for (const random_call& call : every_random_call) {
        INFO(call.name);
        CHECK(made.successes[call.name] > 0);
    }
    for (int code : {MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_INVALID_NAME, MPI_T_ERR_INVALID_SESSION,
                     MPI_T_ERR_INVALID_HANDLE, MPI_T_ERR_CVAR_SET_NEVER, MPI_T_ERR_PVAR_NO_WRITE,
                     MPI_T_ERR_PVAR_NO_STARTSTOP, MPI_T_ERR_PVAR_NO_ATOMIC, MPI_T_ERR_NOT_SUPPORTED})
        CHECK(made.seen.count(code) == 1);
}
