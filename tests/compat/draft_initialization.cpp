// Initialization of the draft of 2011, which counts for itself, its codes, its texts, and the profiling names of its
// functions.
#include "draft.hpp"

#include <set>

namespace {

// Where the calls that must be refused would write.
struct outputs {
    int number = -77, length = 50;
    char text[50] = "untouched";
    MPIT_Datatype datatype = nullptr;
    MPIT_MPI_Resource resource{-77, nullptr};
    MPIT_Controlvar_attributes of_control{-77};
    MPIT_Perfvar_attributes of_performance{-77, -77};
    MPIT_Controlvar_handle control = MPIT_CONTROLVAR_HANDLE_NULL;
    MPIT_Perfvar_session session = MPIT_PERFVAR_SESSION_NULL;
    MPIT_Perfvar_handle performance = MPIT_PERFVAR_HANDLE_NULL;
} out;
bool is_untouched() {
    return out.number == -77 && out.length == 50 && out.text == std::string{"untouched"} && out.datatype == nullptr &&
           out.resource.mpit_type == -77 && out.of_control.mpit_scope == -77 && out.control == nullptr &&
           out.session == nullptr && out.performance == nullptr;
}

struct call {
    const char* name;
    int (*make)();
};
const call calls[] = {
    {"MPIT_Finalize", [] { return MPIT_Finalize(); }},
    {"MPIT_MPI_Resource_communicator", [] { return MPIT_MPI_Resource_communicator(nullptr, &out.resource); }},
    {"MPIT_MPI_Resource_datatype", [] { return MPIT_MPI_Resource_datatype(nullptr, &out.resource); }},
    {"MPIT_MPI_Resource_errorhandler", [] { return MPIT_MPI_Resource_errorhandler(nullptr, &out.resource); }},
    {"MPIT_MPI_Resource_file", [] { return MPIT_MPI_Resource_file(nullptr, &out.resource); }},
    {"MPIT_MPI_Resource_group", [] { return MPIT_MPI_Resource_group(nullptr, &out.resource); }},
    {"MPIT_MPI_Resource_operation", [] { return MPIT_MPI_Resource_operation(nullptr, &out.resource); }},
    {"MPIT_MPI_Resource_request", [] { return MPIT_MPI_Resource_request(nullptr, &out.resource); }},
    {"MPIT_MPI_Resource_window", [] { return MPIT_MPI_Resource_window(nullptr, &out.resource); }},
    {"MPIT_Type_get_class", [] { return MPIT_Type_get_class(MPIT_INT, &out.number); }},
    {"MPIT_Type_get_size", [] { return MPIT_Type_get_size(MPIT_INT, &out.number); }},
    {"MPIT_Type_enum_get_info", [] { return MPIT_Type_enum_get_info(MPIT_INT, &out.number, out.text, &out.length); }},
    {"MPIT_Type_enum_get_item", [] { return MPIT_Type_enum_get_item(MPIT_INT, 0, out.text, &out.length); }},
    {"MPIT_Controlvar_get_num", [] { return MPIT_Controlvar_get_num(&out.number); }},
    {"MPIT_Controlvar_get_info",
     [] {
    return MPIT_Controlvar_get_info(0, out.text, &out.length, &out.number, &out.datatype, &out.number, out.text,
                                    &out.length, &out.number, &out.of_control);
}},
    {"MPIT_Controlvar_attr_get_scope", [] { return MPIT_Controlvar_attr_get_scope(&out.of_control, &out.number); }},
    {"MPIT_Controlvar_handle_allocate",
     [] { return MPIT_Controlvar_handle_allocate(0, MPIT_MPI_RESOURCE_GLOBAL, &out.control); }},
    {"MPIT_Controlvar_handle_free", [] { return MPIT_Controlvar_handle_free(&out.control); }},
    {"MPIT_Controlvar_read", [] { return MPIT_Controlvar_read(out.control, out.text); }},
    {"MPIT_Controlvar_write", [] { return MPIT_Controlvar_write(out.control, out.text); }},
    {"MPIT_Perfvar_get_num", [] { return MPIT_Perfvar_get_num(&out.number); }},
    {"MPIT_Perfvar_get_info",
     [] {
    return MPIT_Perfvar_get_info(0, out.text, &out.length, &out.number, &out.number, &out.datatype, &out.number,
                                 out.text, &out.length, &out.number, &out.of_performance);
}},
    {"MPIT_Perfvar_attr_get_readonly", [] { return MPIT_Perfvar_attr_get_readonly(&out.of_performance, &out.number); }},
    {"MPIT_Perfvar_attr_get_continuous",
     [] { return MPIT_Perfvar_attr_get_continuous(&out.of_performance, &out.number); }},
    {"MPIT_Perfvar_session_create", [] { return MPIT_Perfvar_session_create(&out.session); }},
    {"MPIT_Perfvar_session_free", [] { return MPIT_Perfvar_session_free(&out.session); }},
    {"MPIT_Perfvar_handle_allocate",
     [] { return MPIT_Perfvar_handle_allocate(out.session, 0, MPIT_MPI_RESOURCE_GLOBAL, &out.performance); }},
    {"MPIT_Perfvar_handle_free", [] { return MPIT_Perfvar_handle_free(out.session, &out.performance); }},
    {"MPIT_Perfvar_start", [] { return MPIT_Perfvar_start(out.session, out.performance); }},
    {"MPIT_Perfvar_stop", [] { return MPIT_Perfvar_stop(out.session, out.performance); }},
    {"MPIT_Perfvar_read", [] { return MPIT_Perfvar_read(out.session, out.performance, out.text); }},
    {"MPIT_Perfvar_write", [] { return MPIT_Perfvar_write(out.session, out.performance, out.text); }},
    {"MPIT_Perfvar_reset", [] { return MPIT_Perfvar_reset(out.session, out.performance); }},
    {"MPIT_Perfvar_readreset", [] { return MPIT_Perfvar_readreset(out.session, out.performance, out.text); }},
    {"MPIT_Category_get_num", [] { return MPIT_Category_get_num(&out.number); }},
    {"MPIT_Category_get_info",
     [] {
    return MPIT_Category_get_info(0, out.text, &out.length, out.text, &out.length, &out.number, &out.number,
                                  &out.number);
}},
    {"MPIT_Category_get_controlvars", [] { return MPIT_Category_get_controlvars(0, 1, &out.number); }},
    {"MPIT_Category_get_perfvars", [] { return MPIT_Category_get_perfvars(0, 1, &out.number); }},
    {"MPIT_Category_get_categories", [] { return MPIT_Category_get_categories(0, 1, &out.number); }},
};
static_assert(std::size(calls) == 39);

struct names_of_function {
    const char* name;
    void (*plain)();
    void (*profiled)();
};
// clang-format off
#define BOTH(name) {#name, reinterpret_cast<void (*)()>(&name), reinterpret_cast<void (*)()>(&P##name)}
const names_of_function functions[] = {
    BOTH(MPIT_Init),
    BOTH(MPIT_Finalize),
    BOTH(MPIT_MPI_Resource_communicator),
    BOTH(MPIT_MPI_Resource_datatype),
    BOTH(MPIT_MPI_Resource_errorhandler),
    BOTH(MPIT_MPI_Resource_file),
    BOTH(MPIT_MPI_Resource_group),
    BOTH(MPIT_MPI_Resource_operation),
    BOTH(MPIT_MPI_Resource_request),
    BOTH(MPIT_MPI_Resource_window),
    BOTH(MPIT_Type_get_class),
    BOTH(MPIT_Type_get_size),
    BOTH(MPIT_Type_enum_get_info),
    BOTH(MPIT_Type_enum_get_item),
    BOTH(MPIT_Controlvar_get_num),
    BOTH(MPIT_Controlvar_get_info),
    BOTH(MPIT_Controlvar_attr_get_scope),
    BOTH(MPIT_Controlvar_handle_allocate),
    BOTH(MPIT_Controlvar_handle_free),
    BOTH(MPIT_Controlvar_read),
    BOTH(MPIT_Controlvar_write),
    BOTH(MPIT_Perfvar_get_num),
    BOTH(MPIT_Perfvar_get_info),
    BOTH(MPIT_Perfvar_attr_get_readonly),
    BOTH(MPIT_Perfvar_attr_get_continuous),
    BOTH(MPIT_Perfvar_session_create),
    BOTH(MPIT_Perfvar_session_free),
    BOTH(MPIT_Perfvar_handle_allocate),
    BOTH(MPIT_Perfvar_handle_free),
    BOTH(MPIT_Perfvar_start),
    BOTH(MPIT_Perfvar_stop),
    BOTH(MPIT_Perfvar_read),
    BOTH(MPIT_Perfvar_write),
    BOTH(MPIT_Perfvar_reset),
    BOTH(MPIT_Perfvar_readreset),
    BOTH(MPIT_Category_get_num),
    BOTH(MPIT_Category_get_info),
    BOTH(MPIT_Category_get_controlvars),
    BOTH(MPIT_Category_get_perfvars),
    BOTH(MPIT_Category_get_categories),
};
#undef BOTH
// clang-format on

int infos(char* name, int* length) {
    return MPIT_Controlvar_get_info(draft_control_index("C_INT"), name, length, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr);
}

} // namespace

// The first test case, because the index has its memory after the first init.
TEST_CASE("Without memory for the registry MPIT_Init says so, and succeeds when there is some", "[T2011-03]") {
    mpit::core::allocations_left.store(0);
    const int without_memory = MPIT_Init();
    mpit::core::allocations_left.store(-1);
    CHECK(without_memory == MPIT_ERR_CANTINIT);
    CHECK(MPIT_Finalize() == MPIT_ERR_NOTINITIALIZED);
    CHECK(MPIT_Init() == MPIT_SUCCESS);
    CHECK(MPIT_Finalize() == MPIT_SUCCESS);
}

TEST_CASE("There are 40 functions, each under its profiling name as well", "[T2011-01]") {
    STATIC_REQUIRE(std::size(functions) == 40);
    for (const names_of_function& each : functions) {
        INFO(each.name);
        CHECK(each.plain != nullptr);
        CHECK(each.plain == each.profiled);
    }
}

TEST_CASE("Success is 0, and all errors are positive and different, but for one with two names", "[T2011-02]") {
    STATIC_REQUIRE(MPIT_SUCCESS == 0);
    const int codes[] = {MPIT_ERR_MEMORY,
                         MPIT_ERR_NOTINITIALIZED,
                         MPIT_ERR_CANTINIT,
                         MPIT_ERR_PREDEFINED,
                         MPIT_ERR_INVALIDTYPE,
                         MPIT_ERR_INVALIDITEM,
                         MPIT_ERR_INVALIDINDEX,
                         MPIT_ERR_INVALIDHANDLE,
                         MPIT_ERR_OUTOFHANDLES,
                         MPIT_ERR_OUTOFSESSIONS,
                         MPIT_ERR_INVALIDSESSION,
                         MPIT_ERR_SETNOTNOW,
                         MPIT_ERR_SETNEVER,
                         MPIT_ERR_INVALIDVAR,
                         MPIT_ERR_NOSTARTSTOP,
                         MPIT_ERR_NOWRITE,
                         MPIT_ERR_INVALIDCATEGORY,
                         MPIT_ERR_INVALID,
                         MPIT_END};
    std::set<int> different;
    for (const int code : codes) {
        CHECK(code > 0);
        different.insert(code);
    }
    CHECK(different.size() == std::size(codes));
    STATIC_REQUIRE(MPIT_ERR_PERFVAR_WRITE == MPIT_ERR_NOWRITE);
}

TEST_CASE("Before init and after finalize every function but MPIT_Init returns the code for it and writes nothing",
          "[T2011-01][T2011-04]") {
    for (const bool is_after : {false, true}) {
        if (is_after) {
            REQUIRE(MPIT_Init() == MPIT_SUCCESS);
            REQUIRE(MPIT_Finalize() == MPIT_SUCCESS);
        }
        for (const call& each : calls) {
            INFO(each.name);
            CHECK(each.make() == MPIT_ERR_NOTINITIALIZED);
            CHECK(is_untouched());
        }
    }
}

TEST_CASE("Inits are counted, apart from those of the present interface", "[T2011-03]") {
    int number = -1, provided = -1;
    REQUIRE(MPIT_Init() == MPIT_SUCCESS);
    REQUIRE(MPIT_Init() == MPIT_SUCCESS);
    CHECK(MPI_T_cvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPIT_Finalize() == MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_get_num(&number) == MPIT_SUCCESS);
    REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    CHECK(provided == MPI_THREAD_SINGLE);
    CHECK(MPIT_Finalize() == MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_get_num(&number) == MPIT_ERR_NOTINITIALIZED);
    CHECK(MPI_T_cvar_get_num(&number) == MPI_SUCCESS);
    REQUIRE(MPI_T_finalize() == MPI_SUCCESS);
}

TEST_CASE("One finalize too many is refused, and old sessions and handles are invalid in the next epoch",
          "[T2011-05]") {
    REQUIRE(MPIT_Init() == MPIT_SUCCESS);
    MPIT_Perfvar_session session = MPIT_PERFVAR_SESSION_NULL;
    MPIT_Perfvar_handle counter = MPIT_PERFVAR_HANDLE_NULL;
    MPIT_Controlvar_handle control = MPIT_CONTROLVAR_HANDLE_NULL;
    REQUIRE(MPIT_Perfvar_session_create(&session) == MPIT_SUCCESS);
    REQUIRE(MPIT_Perfvar_handle_allocate(session, draft_performance_index("p_counter"), MPIT_MPI_RESOURCE_GLOBAL,
                                         &counter) == MPIT_SUCCESS);
    REQUIRE(MPIT_Controlvar_handle_allocate(draft_control_index("C_INT"), MPIT_MPI_RESOURCE_GLOBAL, &control) ==
            MPIT_SUCCESS);
    CHECK(MPIT_Finalize() == MPIT_SUCCESS);
    CHECK(MPIT_Finalize() == MPIT_ERR_NOTINITIALIZED);
    const draft_initialized again;
    long long value = -77;
    CHECK(MPIT_Controlvar_read(control, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Perfvar_start(session, counter) == MPIT_ERR_INVALIDSESSION);
    CHECK(MPIT_Perfvar_session_free(&session) == MPIT_ERR_INVALIDSESSION);
    CHECK(value == -77);
}

TEST_CASE("A text is truncated to its buffer and its whole length is returned", "[T2011-06]") {
    const draft_initialized draft;
    const std::string name = "C_INT";
    const int whole = static_cast<int>(name.size()) + 1;
    for (int room = 1; room <= whole + 2; room++) {
        char buffer[20];
        std::memset(buffer, '?', sizeof buffer);
        int length = room;
        CHECK(infos(buffer, &length) == MPIT_SUCCESS);
        CHECK(length == whole);
        CHECK(buffer == name.substr(0, static_cast<std::size_t>(room < whole ? room : whole) - 1));
        for (std::size_t i = static_cast<std::size_t>(room < whole ? room : whole); i < sizeof buffer; i++)
            CHECK(buffer[i] == '?');
    }
    char buffer[20] = "untouched";
    int length = 0;
    CHECK(infos(buffer, &length) == MPIT_SUCCESS);
    CHECK(length == whole);
    length = 3;
    CHECK(infos(nullptr, &length) == MPIT_SUCCESS);
    CHECK(length == whole);
    CHECK(infos(buffer, nullptr) == MPIT_SUCCESS);
    length = -1;
    CHECK(infos(buffer, &length) == MPIT_ERR_INVALID);
    CHECK(length == -1);
    CHECK(buffer == std::string{"untouched"});
}

TEST_CASE("Null arguments are refused if they are required", "[T2011-01]") {
    const draft_initialized draft;
    draft_session s;
    draft_pvar counter{s, "p_counter"};
    const draft_cvar control{"C_INT"};
    for (const int code : {MPIT_Controlvar_get_num(nullptr),
                           MPIT_Perfvar_get_num(nullptr),
                           MPIT_Category_get_num(nullptr),
                           MPIT_Type_get_class(MPIT_INT, nullptr),
                           MPIT_Type_get_size(MPIT_INT, nullptr),
                           MPIT_MPI_Resource_group(nullptr, nullptr),
                           MPIT_Controlvar_attr_get_scope(nullptr, nullptr),
                           MPIT_Perfvar_attr_get_readonly(nullptr, nullptr),
                           MPIT_Perfvar_attr_get_continuous(nullptr, nullptr),
                           MPIT_Controlvar_handle_allocate(0, MPIT_MPI_RESOURCE_GLOBAL, nullptr),
                           MPIT_Controlvar_handle_free(nullptr),
                           MPIT_Controlvar_read(control.handle, nullptr),
                           MPIT_Controlvar_write(control.handle, nullptr),
                           MPIT_Perfvar_session_create(nullptr),
                           MPIT_Perfvar_session_free(nullptr),
                           MPIT_Perfvar_handle_allocate(s.handle, 0, MPIT_MPI_RESOURCE_GLOBAL, nullptr),
                           MPIT_Perfvar_handle_free(s.handle, nullptr),
                           MPIT_Perfvar_read(s.handle, counter.handle, nullptr),
                           MPIT_Perfvar_write(s.handle, counter.handle, nullptr),
                           MPIT_Perfvar_readreset(s.handle, counter.handle, nullptr),
                           MPIT_Category_get_perfvars(0, 1, nullptr),
                           MPIT_Category_get_controlvars(0, -1, nullptr)})
        CHECK(code == MPIT_ERR_INVALID);
}
