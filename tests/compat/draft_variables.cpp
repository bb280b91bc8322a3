// Control and performance variables, sessions, handles and categories through the draft of 2011, beside the present
// interface.
#include "draft.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace {

// Names that are MPI's own, in a library that is none.
struct reserved_variables : mpit::category<"beside_reserved", "Something with an open name"> {
    mpit::control<int> hidden{this, "MPIT_HIDDEN", "Has a name of MPI's"};
    mpit::control<int> lower_case{this, "mpi_t_shown", "Has not"};
    mpit::counter<> counter{this, "MPI_hidden_counter", "Has a name of MPI's"};
    mpit::counter<> shown{this, "r_shown", "Has not"};
    struct : mpit::category<"MPI_hidden_category", "Has a name of MPI's"> {
        mpit::counter<> inside{this, "r_inside", "In no category that is shown"};
    } inner{this};
};
[[maybe_unused]] constexpr auto& beside = mpit::registered<reserved_variables>;

int count_of(int (*get_num)(int*)) {
    int count = -1;
    REQUIRE(get_num(&count) == MPIT_SUCCESS);
    return count;
}
template <class Handle>
MPIT_MPI_Resource resource_of(int (*convert)(Handle, MPIT_MPI_Resource*), std::uintptr_t number) {
    MPIT_MPI_Resource made;
    REQUIRE(convert(handle_number<Handle>(number), &made) == MPIT_SUCCESS);
    return made;
}
// What the present interface says of the control variable with a name.
struct final_control {
    int verbosity = -1, bind = -1, scope = -1;
    std::string description;
    explicit final_control(const std::string& name) {
        char text[300] = "";
        int length = sizeof text;
        REQUIRE(MPI_T_cvar_get_info(cvar_index(name.c_str()), nullptr, nullptr, &verbosity, nullptr, nullptr, text,
                                    &length, &bind, &scope) == MPI_SUCCESS);
        description = text;
    }
};

} // namespace

TEST_CASE("Every control variable of the draft is the one of that name in the present interface", "[T2011-18]") {
    const draft_initialized draft;
    const initialized now;
    int finals = 0;
    MPI_T_cvar_get_num(&finals);
    const int count = count_of(&MPIT_Controlvar_get_num);
    CHECK(count == finals - 1);
    std::set<std::string> names;
    for (int i = 0; i < count; i++) {
        const draft_control seen = control_at(i);
        INFO(seen.name);
        CHECK(names.insert(seen.name).second);
        const final_control other{seen.name};
        CHECK(seen.description == other.description);
        CHECK(seen.assoc == other.bind - MPI_T_BIND_NO_OBJECT + MPIT_MPI_RESOURCE_TYPE_GLOBAL);
        CHECK(seen.scope == (other.scope <= MPI_T_SCOPE_READONLY ? MPIT_SCOPE_READONLY
                             : other.scope == MPI_T_SCOPE_LOCAL  ? MPIT_SCOPE_LOCAL
                                                                 : MPIT_SCOPE_GLOBAL));
        if (seen.assoc != MPIT_MPI_RESOURCE_TYPE_GLOBAL) continue;
        const cvar handle{seen.name.c_str()};
        CHECK(seen.count == handle.count);
    }
    for (int i = count - 1; i >= 0; i--) CHECK(names.count(control_at(i).name) == 1);
    for (const int wrong : {-1, count, INT_MIN, INT_MAX})
        CHECK(MPIT_Controlvar_get_info(wrong, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                       nullptr) == MPIT_ERR_INVALIDINDEX);
}

TEST_CASE("The seven scopes become the three of the draft, and the handle stays usable", "[T2011-19]") {
    const draft_initialized draft;
    const std::pair<const char*, int> scopes[] = {
        {"C_CONSTANT", MPIT_SCOPE_READONLY}, {"C_READONLY", MPIT_SCOPE_READONLY}, {"C_INT", MPIT_SCOPE_LOCAL},
        {"C_GROUP", MPIT_SCOPE_GLOBAL},      {"C_GROUP_EQ", MPIT_SCOPE_GLOBAL},   {"C_ALL", MPIT_SCOPE_GLOBAL},
        {"C_ALL_EQ", MPIT_SCOPE_GLOBAL}};
    std::vector<MPIT_Controlvar_attributes> kept;
    for (const auto& [name, scope] : scopes)
        REQUIRE(MPIT_Controlvar_get_info(draft_control_index(name), nullptr, nullptr, nullptr, nullptr, nullptr,
                                         nullptr, nullptr, nullptr, &kept.emplace_back()) == MPIT_SUCCESS);
    for (std::size_t i = 0; i < kept.size(); i++) {
        int scope = -1;
        CHECK(MPIT_Controlvar_attr_get_scope(&kept[i], &scope) == MPIT_SUCCESS);
        CHECK(scope == scopes[i].second);
    }
}

TEST_CASE("The nine verbosities of the draft are those of the present interface", "[T2011-08]") {
    const draft_initialized draft;
    const std::pair<const char*, int> levels[] = {
        {"v_user_basic", MPIT_VERBOSITY_USER_BASIC},        {"v_user_detail", MPIT_VERBOSITY_USER_DETAILED},
        {"v_user_all", MPIT_VERBOSITY_USER_VERBOSE},        {"v_tuner_basic", MPIT_VERBOSITY_TUNER_BASIC},
        {"v_tuner_detail", MPIT_VERBOSITY_TUNER_DETAILED},  {"v_tuner_all", MPIT_VERBOSITY_TUNER_VERBOSE},
        {"v_developer_basic", MPIT_VERBOSITY_MPIDEV_BASIC}, {"v_developer_detail", MPIT_VERBOSITY_MPIDEV_DETAILED},
        {"v_developer_all", MPIT_VERBOSITY_MPIDEV_VERBOSE}};
    std::set<int> different;
    for (const auto& [name, level] : levels) {
        CHECK(performance_at(draft_performance_index(name)).verbosity == level);
        different.insert(level);
    }
    CHECK(different.size() == 9);
}

TEST_CASE("A variable of each of the eight kinds of objects is reached through a reference to one",
          "[T2011-09][T2011-10]") {
    const draft_initialized draft;
    draft_session s;
    constexpr std::uintptr_t number = 0x1230;
    const auto check = [&](const char* name, int type, MPIT_MPI_Resource on, auto& counter, auto handle) {
        INFO(name);
        CHECK(performance_at(draft_performance_index(name)).assoc == type);
        MPIT_Perfvar_handle refused = MPIT_PERFVAR_HANDLE_NULL;
        CHECK(MPIT_Perfvar_handle_allocate(s.handle, draft_performance_index(name), on, &refused) ==
              MPIT_ERR_INVALIDHANDLE);
        mpit::created(all, handle);
        draft_pvar on_object{s, name, on};
        REQUIRE(on_object.start() == MPIT_SUCCESS);
        counter[handle] += 3;
        CHECK(on_object.read() == 3);
        mpit::freed(all, handle);
        long long gone = -1;
        CHECK(MPIT_Perfvar_read(s.handle, on_object.handle, &gone) == MPIT_ERR_INVALIDHANDLE);
    };
    auto& b = all.bound;
    check("b_comm", MPIT_MPI_RESOURCE_TYPE_COMMUNICATOR, resource_of(&MPIT_MPI_Resource_communicator, number), b.comm,
          handle_number<MPI_Comm>(number));
    check("b_datatype", MPIT_MPI_RESOURCE_TYPE_DATATYPE, resource_of(&MPIT_MPI_Resource_datatype, number), b.datatype,
          handle_number<MPI_Datatype>(number));
    check("b_errhandler", MPIT_MPI_RESOURCE_TYPE_ERRORHANDLER, resource_of(&MPIT_MPI_Resource_errorhandler, number),
          b.errhandler, handle_number<MPI_Errhandler>(number));
    check("b_file", MPIT_MPI_RESOURCE_TYPE_FILE, resource_of(&MPIT_MPI_Resource_file, number), b.file,
          handle_number<MPI_File>(number));
    check("b_group", MPIT_MPI_RESOURCE_TYPE_GROUP, resource_of(&MPIT_MPI_Resource_group, number), b.group,
          handle_number<MPI_Group>(number));
    check("b_op", MPIT_MPI_RESOURCE_TYPE_OPERATOR, resource_of(&MPIT_MPI_Resource_operation, number), b.op,
          handle_number<MPI_Op>(number));
    check("b_request", MPIT_MPI_RESOURCE_TYPE_REQUEST, resource_of(&MPIT_MPI_Resource_request, number), b.request,
          handle_number<MPI_Request>(number));
    check("b_win", MPIT_MPI_RESOURCE_TYPE_WINDOW, resource_of(&MPIT_MPI_Resource_window, number), b.win,
          handle_number<MPI_Win>(number));
}

TEST_CASE("Variables of messages, info objects and sessions are not in the draft", "[T2011-09]") {
    const draft_initialized draft;
    for (const char* newer : {"b_message", "b_info", "b_session"}) CHECK(draft_performance_index(newer) == -1);
}

TEST_CASE("A variable of the process takes MPIT_MPI_RESOURCE_GLOBAL, and another kind than the variable's is refused",
          "[T2011-11][T2011-12]") {
    const draft_initialized draft;
    draft_session s;
    MPIT_Controlvar_handle control = MPIT_CONTROLVAR_HANDLE_NULL;
    CHECK(MPIT_Controlvar_handle_allocate(draft_control_index("C_INT"), MPIT_MPI_RESOURCE_GLOBAL, &control) ==
          MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_handle_free(&control) == MPIT_SUCCESS);
    const auto comm = handle_number<MPI_Comm>(0x4560);
    mpit::created(all, comm);
    const MPIT_MPI_Resource of_comm = resource_of(&MPIT_MPI_Resource_communicator, 0x4560);
    const MPIT_MPI_Resource of_window = resource_of(&MPIT_MPI_Resource_window, 0x4560);
    MPIT_Perfvar_handle handle = MPIT_PERFVAR_HANDLE_NULL;
    const auto allocate = [&](const char* name, MPIT_MPI_Resource on) {
        handle = reinterpret_cast<MPIT_Perfvar_handle>(std::uintptr_t{77});
        return MPIT_Perfvar_handle_allocate(s.handle, draft_performance_index(name), on, &handle);
    };
    CHECK(allocate("b_comm", of_window) == MPIT_ERR_INVALIDHANDLE);
    CHECK(handle == MPIT_PERFVAR_HANDLE_NULL);
    CHECK(allocate("b_comm", MPIT_MPI_RESOURCE_GLOBAL) == MPIT_ERR_INVALIDHANDLE);
    CHECK(allocate("p_counter", of_comm) == MPIT_ERR_INVALIDHANDLE);
    CHECK(allocate("b_comm", MPIT_MPI_Resource{}) == MPIT_ERR_INVALIDHANDLE);
    CHECK(allocate("no such variable", of_comm) == MPIT_ERR_INVALIDINDEX);
    CHECK(allocate("b_comm", of_comm) == MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_handle_allocate(draft_control_index("C_INT"), of_comm, &control) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Controlvar_handle_allocate(-1, of_comm, &control) == MPIT_ERR_INVALIDINDEX);
    mpit::freed(all, comm);
}

TEST_CASE("Without memory there are no more handles and no more sessions", "[T2011-12][T2011-24]") {
    const draft_initialized draft;
    draft_session s;
    const int control = draft_control_index("C_INT"), performance = draft_performance_index("p_counter");
    MPIT_Controlvar_handle of_control = MPIT_CONTROLVAR_HANDLE_NULL;
    MPIT_Perfvar_handle handle = MPIT_PERFVAR_HANDLE_NULL;
    MPIT_Perfvar_session more = MPIT_PERFVAR_SESSION_NULL;
    int codes[3] = {MPIT_SUCCESS, MPIT_SUCCESS, MPIT_SUCCESS};
    mpit::core::allocations_left.store(0);
    for (int i = 0; i < 100'000 && codes[0] == MPIT_SUCCESS; i++)
        codes[0] = MPIT_Controlvar_handle_allocate(control, MPIT_MPI_RESOURCE_GLOBAL, &of_control);
    for (int i = 0; i < 100'000 && codes[1] == MPIT_SUCCESS; i++)
        codes[1] = MPIT_Perfvar_handle_allocate(s.handle, performance, MPIT_MPI_RESOURCE_GLOBAL, &handle);
    for (int i = 0; i < 100'000 && codes[2] == MPIT_SUCCESS; i++) codes[2] = MPIT_Perfvar_session_create(&more);
    mpit::core::allocations_left.store(-1);
    CHECK(codes[0] == MPIT_ERR_OUTOFHANDLES);
    CHECK(codes[1] == MPIT_ERR_OUTOFHANDLES);
    CHECK(codes[2] == MPIT_ERR_OUTOFSESSIONS);
    CHECK(more == MPIT_PERFVAR_SESSION_NULL);
}

TEST_CASE("A control variable is read and written through a handle, and refuses with the codes of the draft",
          "[T2011-20]") {
    const draft_initialized draft;
    {
        const draft_cvar plain{"C_INT"};
        CHECK(plain.write(17) == MPIT_SUCCESS);
        CHECK(all.controls.plain.get() == 17);
        CHECK(plain.read<int>() == 17);
    }
    CHECK(draft_cvar{"C_CONSTANT"}.write(1) == MPIT_ERR_SETNEVER);
    CHECK(draft_cvar{"C_READONLY"}.write(1) == MPIT_ERR_SETNEVER);
    CHECK(draft_cvar{"C_FROZEN"}.write(1) == MPIT_ERR_SETNEVER);
    CHECK(draft_cvar{"C_PHASE"}.write(1) == MPIT_ERR_SETNOTNOW);
    CHECK(draft_cvar{"C_RANGED"}.write(101) == MPIT_ERR_INVALID);
    CHECK(all.controls.ranged.get() == 50);
    int value = 5;
    MPIT_Controlvar_handle handle = MPIT_CONTROLVAR_HANDLE_NULL;
    CHECK(MPIT_Controlvar_read(handle, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Controlvar_write(handle, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Controlvar_handle_free(&handle) == MPIT_ERR_INVALIDHANDLE);
    REQUIRE(MPIT_Controlvar_handle_allocate(draft_control_index("C_INT"), MPIT_MPI_RESOURCE_GLOBAL, &handle) ==
            MPIT_SUCCESS);
    const MPIT_Controlvar_handle old = handle;
    CHECK(MPIT_Controlvar_handle_free(&handle) == MPIT_SUCCESS);
    CHECK(handle == MPIT_CONTROLVAR_HANDLE_NULL);
    CHECK(MPIT_Controlvar_read(old, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(value == 5);
}

TEST_CASE("A control variable whose object was freed is invalid", "[T2011-20]") {
    const draft_initialized draft;
    const auto comm = handle_number<MPI_Comm>(0x7893);
    mpit::created(all, comm);
    const MPIT_MPI_Resource on = resource_of(&MPIT_MPI_Resource_communicator, 0x7893);
    const draft_cvar bound{"C_BOUND", on}, array{"C_BOUND_ARRAY", on};
    CHECK(bound.read<int>() == 7);
    int values[8];
    std::fill(values, values + 8, 55);
    CHECK(control_at(draft_control_index("C_BOUND_ARRAY")).count == 8);
    CHECK(MPIT_Controlvar_read(array.handle, values) == MPIT_SUCCESS);
    for (int i = 3; i < 8; i++) CHECK(values[i] == 0);
    mpit::freed(all, comm);
    int value = 5;
    CHECK(MPIT_Controlvar_read(bound.handle, &value) == MPIT_ERR_INVALIDVAR);
    CHECK(MPIT_Controlvar_write(bound.handle, &value) == MPIT_ERR_INVALIDVAR);
}

TEST_CASE("Eight classes are in the draft: a size is a level there, and generic variables are left out", "[T2011-21]") {
    const draft_initialized draft;
    const std::pair<const char*, int> classes[] = {
        {"p_state", MPIT_PERFVAR_CLASS_STATE},
        {"p_queue", MPIT_PERFVAR_CLASS_RESOURCE_LEVEL},
        {"p_queue (size)", MPIT_PERFVAR_CLASS_RESOURCE_LEVEL},
        {"p_percentage", MPIT_PERFVAR_CLASS_RESOURCE_PERCENTAGE},
        {"p_own_high", MPIT_PERFVAR_CLASS_RESOURCE_HIGHWATERMARK},
        {"p_own_low", MPIT_PERFVAR_CLASS_RESOURCE_LOWWATERMARK},
        {"p_counter", MPIT_PERFVAR_CLASS_EVENT_COUNTER},
        {"p_aggregate", MPIT_PERFVAR_CLASS_EVENT_AGGREGATE},
        {"p_timer", MPIT_PERFVAR_CLASS_EVENT_TIMER},
    };
    for (const auto& [name, in] : classes) {
        INFO(name);
        CHECK(performance_at(draft_performance_index(name)).in == in);
    }
    for (const char* generic : {"p_generic", "p_generic_int32", "p_computed_text"})
        CHECK(draft_performance_index(generic) == -1);
}

TEST_CASE("Four classes with one name are four variables with different names", "[T2011-22]") {
    const draft_initialized draft;
    const int count = count_of(&MPIT_Perfvar_get_num);
    std::set<std::string> names;
    int queues = 0;
    for (int i = 0; i < count; i++) {
        const std::string name = performance_at(i).name;
        CHECK(names.insert(name).second);
        queues += name.substr(0, 7) == "p_queue";
    }
    CHECK(queues == 4);
    for (const char* name : {"p_queue", "p_queue (size)", "p_queue (high watermark)", "p_queue (low watermark)"})
        CHECK(names.count(name) == 1);
    for (const int wrong : {-1, count})
        CHECK(MPIT_Perfvar_get_info(wrong, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr) == MPIT_ERR_INVALIDINDEX);
}

TEST_CASE("The flags readonly and continuous of a performance variable are 0 or 1", "[T2011-23]") {
    const draft_initialized draft;
    const initialized now;
    const int count = count_of(&MPIT_Perfvar_get_num);
    int readonly_ones = 0, continuous_ones = 0;
    for (int i = 0; i < count; i++) {
        const draft_performance seen = performance_at(i);
        readonly_ones += seen.readonly, continuous_ones += seen.continuous;
        if (seen.in != MPIT_PERFVAR_CLASS_EVENT_COUNTER) continue;
        int readonly = -1, continuous = -1;
        REQUIRE(MPI_T_pvar_get_info(pvar_index(seen.name.c_str(), MPI_T_PVAR_CLASS_COUNTER), nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &readonly, &continuous,
                                    nullptr) == MPI_SUCCESS);
        CHECK(seen.readonly == readonly);
        CHECK(seen.continuous == continuous);
    }
    CHECK(readonly_ones > 0);
    CHECK(continuous_ones > 0);
}

TEST_CASE("Sessions of the draft do not affect each other, nor those of the present interface", "[T2011-24]") {
    const draft_initialized draft;
    const initialized now;
    draft_session first, second;
    session present;
    draft_pvar one{first, "p_counter"}, other{second, "p_counter"};
    pvar third{present, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(one.start() == MPIT_SUCCESS);
    REQUIRE(other.start() == MPIT_SUCCESS);
    REQUIRE(third.start() == MPI_SUCCESS);
    for (int i = 0; i < 5; i++) ++all.performances.counter;
    CHECK(MPIT_Perfvar_reset(first.handle, one.handle) == MPIT_SUCCESS);
    ++all.performances.counter;
    CHECK(one.read() == 1);
    CHECK(other.read() == 6);
    CHECK(third.read() == 6);
    long long value = -1;
    CHECK(MPIT_Perfvar_read(second.handle, one.handle, &value) == MPIT_ERR_INVALIDHANDLE);
    const MPIT_Perfvar_session freed = first.handle;
    CHECK(MPIT_Perfvar_session_free(&first.handle) == MPIT_SUCCESS);
    CHECK(first.handle == MPIT_PERFVAR_SESSION_NULL);
    CHECK(MPIT_Perfvar_read(freed, one.handle, &value) == MPIT_ERR_INVALIDSESSION);
    CHECK(MPIT_Perfvar_session_free(&first.handle) == MPIT_ERR_INVALIDSESSION);
    CHECK(MPIT_Perfvar_handle_allocate(freed, 0, MPIT_MPI_RESOURCE_GLOBAL, &one.handle) == MPIT_ERR_INVALIDSESSION);
    CHECK(value == -1);
    CHECK(other.read() == 6);
}

TEST_CASE("A handle begins stopped at its starting value, unless its variable is continuous", "[T2011-25]") {
    const draft_initialized draft;
    draft_session s;
    ++all.performances.counter;
    ++all.performances.continuous;
    draft_pvar counter{s, "p_counter"}, continuous{s, "p_continuous"}, queue{s, "p_queue (high watermark)"};
    ++all.performances.counter;
    ++all.performances.continuous;
    CHECK(counter.read() == 0);
    CHECK(continuous.read() == 1);
    CHECK(continuous.start() == MPIT_ERR_NOSTARTSTOP);
    CHECK(MPIT_Perfvar_start(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_SUCCESS);
    ++all.performances.counter;
    CHECK(MPIT_Perfvar_stop(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_SUCCESS);
    ++all.performances.counter;
    CHECK(counter.read() == 1);
    CHECK(MPIT_Perfvar_handle_free(s.handle, &counter.handle) == MPIT_SUCCESS);
    CHECK(counter.handle == MPIT_PERFVAR_HANDLE_NULL);
    CHECK(MPIT_Perfvar_handle_free(s.handle, &counter.handle) == MPIT_ERR_INVALIDHANDLE);
    CHECK(counter.start() == MPIT_ERR_INVALIDHANDLE);
}

TEST_CASE("A watermark begins with the first start of its handle, and not with its allocation as the draft says",
          "[T2011-25]") {
    const draft_initialized draft;
    draft_session s;
    all.performances.level = 5;
    draft_pvar lowest{s, "p_queue (low watermark)"};
    CHECK(lowest.read() == 5);
    all.performances.level = 7;
    REQUIRE(lowest.start() == MPIT_SUCCESS);
    CHECK(lowest.read() == 7);
    REQUIRE(lowest.stop() == MPIT_SUCCESS);
    all.performances.level = 9;
    REQUIRE(lowest.start() == MPIT_SUCCESS);
    CHECK(lowest.read() == 7);
    all.performances.level = 0;
}

TEST_CASE("All handles of a session are started although the object of one was freed, and the code says so",
          "[T2011-25]") {
    const draft_initialized draft;
    draft_session s;
    const auto comm = handle_number<MPI_Comm>(0x3210);
    mpit::created(all, comm);
    draft_pvar lost{s, "b_comm", resource_of(&MPIT_MPI_Resource_communicator, 0x3210)}, counter{s, "p_counter"};
    mpit::freed(all, comm);
    CHECK(MPIT_Perfvar_start(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_ERR_NOSTARTSTOP);
    ++all.performances.counter;
    CHECK(counter.read() == 1);
    CHECK(MPIT_Perfvar_reset(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_ERR_NOWRITE);
    CHECK(counter.read() == 0);
}

TEST_CASE("A value is written and reset unless the variable is readonly, and all handles are for reset alone",
          "[T2011-26]") {
    static_assert(MPIT_ERR_NOWRITE == MPIT_ERR_PERFVAR_WRITE);
    const draft_initialized draft;
    draft_session s;
    draft_pvar counter{s, "p_counter"}, readonly{s, "p_readonly"}, percentage{s, "p_percentage"};
    CHECK(counter.write(40ll) == MPIT_SUCCESS);
    REQUIRE(counter.start() == MPIT_SUCCESS);
    REQUIRE(readonly.start() == MPIT_SUCCESS);
    ++all.performances.counter;
    ++all.performances.readonly;
    CHECK(counter.read() == 41);
    CHECK(counter.write(-1ll) == MPIT_ERR_INVALID);
    CHECK(readonly.write(1ll) == MPIT_ERR_NOWRITE);
    CHECK(MPIT_Perfvar_reset(s.handle, readonly.handle) == MPIT_ERR_NOWRITE);
    CHECK(percentage.read<double>() == 0.25);
    CHECK(MPIT_Perfvar_reset(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_SUCCESS);
    CHECK(counter.read() == 0);
    CHECK(readonly.read() == 1);
    long long value = 3;
    CHECK(MPIT_Perfvar_read(s.handle, MPIT_PERFVAR_ALL_HANDLES, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Perfvar_write(s.handle, MPIT_PERFVAR_ALL_HANDLES, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Perfvar_readreset(s.handle, MPIT_PERFVAR_ALL_HANDLES, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Perfvar_write(MPIT_PERFVAR_SESSION_NULL, counter.handle, &value) == MPIT_ERR_INVALIDSESSION);
    CHECK(value == 3);
}

TEST_CASE("Readreset works where the present interface refuses it, and on a readonly variable it still reads",
          "[T2011-27]") {
    const draft_initialized draft;
    draft_session s;
    draft_pvar not_atomic{s, "p_not_atomic"}, readonly{s, "p_readonly"};
    REQUIRE(not_atomic.start() == MPIT_SUCCESS);
    REQUIRE(readonly.start() == MPIT_SUCCESS);
    for (int i = 0; i < 3; i++) ++all.performances.not_atomic, ++all.performances.readonly;
    long long value = -1;
    CHECK(MPIT_Perfvar_readreset(s.handle, not_atomic.handle, &value) == MPIT_SUCCESS);
    CHECK(value == 3);
    CHECK(not_atomic.read() == 0);
    value = -1;
    CHECK(MPIT_Perfvar_readreset(s.handle, readonly.handle, &value) == MPIT_ERR_NOWRITE);
    CHECK(value == 3);
    CHECK(readonly.read() == 3);
}

TEST_CASE("Categories list the same members as in the present interface, by the names and indices of the draft",
          "[T2011-28]") {
    const draft_initialized draft;
    const initialized now;
    const int count = count_of(&MPIT_Category_get_num);
    bool has_seen_bound = false;
    for (int i = 0; i < count; i++) {
        char name[300] = "", description[300] = "";
        int name_length = sizeof name, description_length = sizeof description, sizes[3];
        REQUIRE(MPIT_Category_get_info(i, name, &name_length, description, &description_length, &sizes[0], &sizes[1],
                                       &sizes[2]) == MPIT_SUCCESS);
        INFO(name);
        int final_index = -1, finals[3];
        REQUIRE(MPI_T_category_get_index(name, &final_index) == MPI_SUCCESS);
        MPI_T_category_get_info(final_index, nullptr, nullptr, nullptr, nullptr, &finals[0], &finals[1], &finals[2]);
        const std::string called = name;
        const int hidden[3] = {called == "beside_reserved",
                               called == "performances"      ? 3
                               : called == "bound"           ? 3
                               : called == "beside_reserved" ? 1
                                                             : 0,
                               called == "beside_reserved"};
        for (int k = 0; k < 3; k++) CHECK(sizes[k] == finals[k] - hidden[k]);
        has_seen_bound |= called == "bound";

        std::vector<int> members(static_cast<std::size_t>(sizes[1]) + 1, -77);
        CHECK(MPIT_Category_get_perfvars(i, sizes[1] + 1, members.data()) == MPIT_SUCCESS);
        CHECK(members.back() == -77);
        for (int m = 0; m < sizes[1]; m++) {
            const draft_performance seen = performance_at(members[static_cast<std::size_t>(m)]);
            CHECK(seen.description != "A message's");
            if (called == "bound") CHECK(seen.name.substr(0, 2) == "b_");
        }
        std::vector<int> controls(static_cast<std::size_t>(sizes[0]) + 1, -77);
        CHECK(MPIT_Category_get_controlvars(i, sizes[0], controls.data()) == MPIT_SUCCESS);
        if (called == "controls") CHECK(control_at(controls[0]).name == "C_INT");
        CHECK(controls.back() == -77);
        int one[2] = {-77, -77};
        CHECK(MPIT_Category_get_categories(i, 1, one) == MPIT_SUCCESS);
        CHECK((one[0] == -77) == (sizes[2] == 0));
        CHECK(one[1] == -77);
    }
    CHECK(has_seen_bound);
    for (const int wrong : {-1, count, INT_MAX}) {
        int one = -77;
        CHECK(MPIT_Category_get_info(wrong, nullptr, nullptr, nullptr, nullptr, &one, nullptr, nullptr) ==
              MPIT_ERR_INVALIDINDEX);
        for (const auto get :
             {&MPIT_Category_get_controlvars, &MPIT_Category_get_perfvars, &MPIT_Category_get_categories})
            CHECK(get(wrong, 1, &one) == MPIT_ERR_INVALIDCATEGORY);
        CHECK(one == -77);
    }
}

TEST_CASE("A library that is not an MPI shows nothing under names of MPI", "[T2011-07]") {
    const draft_initialized draft;
    CHECK(draft_control_index("MPIT_HIDDEN") == -1);
    CHECK(draft_control_index("mpi_t_shown") >= 0);
    CHECK(draft_performance_index("MPI_hidden_counter") == -1);
    CHECK(draft_performance_index("r_shown") >= 0);
    CHECK(draft_performance_index("r_inside") >= 0);
}
