// MPI-5.0, 15.3.1 and 15.3.2: for whom a variable is, and the kind of MPI object that it belongs to. A handle of an
// object is a number here, as the library sees it: it is fetched through an address, compared, and never followed.
#include "../tool.hpp"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <set>
#include <sys/mman.h>

namespace {

constexpr int verbosities[] = {
    MPI_T_VERBOSITY_USER_BASIC,   MPI_T_VERBOSITY_USER_DETAIL,   MPI_T_VERBOSITY_USER_ALL,
    MPI_T_VERBOSITY_TUNER_BASIC,  MPI_T_VERBOSITY_TUNER_DETAIL,  MPI_T_VERBOSITY_TUNER_ALL,
    MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, MPI_T_VERBOSITY_MPIDEV_ALL,
};
constexpr bool is_verbosity(int level) {
    for (int each : verbosities)
        if (each == level) return true;
    return false;
}
constexpr bool increases() {
    for (std::size_t i = 1; i < std::size(verbosities); i++)
        if (verbosities[i - 1] >= verbosities[i]) return false;
    return true;
}
// An audience, or-ed with a depth of detail.
constexpr bool is_composed() {
    constexpr int audiences[] = {0x08, 0x10, 0x20}, depths[] = {1, 2, 4};
    for (std::size_t i = 0; i < std::size(verbosities); i++)
        if (verbosities[i] != (audiences[i / 3] | depths[i % 3])) return false;
    return true;
}

int verbosity_of_pvar(const char* name) {
    int level = -1;
    REQUIRE(MPI_T_pvar_get_info(pvar_index(name, MPI_T_PVAR_CLASS_COUNTER), nullptr, nullptr, &level, nullptr, nullptr,
                                nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == MPI_SUCCESS);
    return level;
}
int binding_of_pvar(const char* name) {
    int bind = -1;
    REQUIRE(MPI_T_pvar_get_info(pvar_index(name, MPI_T_PVAR_CLASS_COUNTER), nullptr, nullptr, nullptr, nullptr, nullptr,
                                nullptr, nullptr, nullptr, &bind, nullptr, nullptr, nullptr) == MPI_SUCCESS);
    return bind;
}
int binding_of_cvar(const char* name) {
    int bind = -1;
    REQUIRE(MPI_T_cvar_get_info(cvar_index(name), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &bind,
                                nullptr) == MPI_SUCCESS);
    return bind;
}

// A counter that is bound to one kind of object counts for each of two objects apart.
template <class Handle, class Counter>
void expect_a_value_for_each_object(Counter& counter, const char* name, int bind) {
    INFO(name);
    CHECK(binding_of_pvar(name) == bind);
    Handle one = handle_number<Handle>(0x1001), other = handle_number<Handle>(0x1002);
    mpit::created(all, one);
    mpit::created(all, other);
    session s;
    pvar of_one{s, name, MPI_T_PVAR_CLASS_COUNTER, &one}, of_other{s, name, MPI_T_PVAR_CLASS_COUNTER, &other};
    REQUIRE(of_one.start() == MPI_SUCCESS);
    REQUIRE(of_other.start() == MPI_SUCCESS);
    ++counter[one];
    ++counter[one];
    ++counter[other];
    CHECK(of_one.template read<unsigned long>() == 2);
    CHECK(of_other.template read<unsigned long>() == 1);
    mpit::freed(all, one);
    mpit::freed(all, other);
}

// Allocations on a bound variable that must not succeed.
void expect_refused(void* object_handle) {
    MPI_T_cvar_handle control{};
    MPI_T_pvar_handle performance{};
    int count = -7;
    CHECK(MPI_T_cvar_handle_alloc(cvar_index("C_BOUND"), object_handle, &control, &count) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(control == MPI_T_CVAR_HANDLE_NULL);
    session s;
    for (int var_class : {MPI_T_PVAR_CLASS_COUNTER, MPI_T_PVAR_CLASS_HIGHWATERMARK}) {
        const char* name = var_class == MPI_T_PVAR_CLASS_COUNTER ? "b_comm" : "b_watermark";
        CHECK(MPI_T_pvar_handle_alloc(s.handle, pvar_index(name, var_class), object_handle, &performance, &count) ==
              MPI_T_ERR_INVALID_HANDLE);
        CHECK(performance == MPI_T_PVAR_HANDLE_NULL);
    }
    CHECK(count == -7);
    MPI_T_event_registration event{};
    CHECK(MPI_T_event_handle_alloc(event_index("e_bound"), object_handle, MPI_INFO_NULL, &event) ==
          MPI_T_ERR_INVALID_HANDLE);
    CHECK(event == nullptr);
}

} // namespace

TEST_CASE("The nine verbosities increase, each an audience or-ed with a depth", "[VERB-01][VERB-03]") {
    STATIC_REQUIRE(increases());
    STATIC_REQUIRE(is_composed());
}

TEST_CASE("Every variable has one of the nine verbosities", "[VERB-02]") {
    initialized tools;
    int count = 0, level = 0;
    std::set<int> seen;
    REQUIRE(MPI_T_cvar_get_num(&count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        REQUIRE(MPI_T_cvar_get_info(i, nullptr, nullptr, &level, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr) == MPI_SUCCESS);
        CHECK(is_verbosity(level));
    }
    REQUIRE(MPI_T_pvar_get_num(&count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        REQUIRE(MPI_T_pvar_get_info(i, nullptr, nullptr, &level, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr) == MPI_SUCCESS);
        CHECK(is_verbosity(level));
        seen.insert(level);
    }
    CHECK(seen.size() == 9);
}

TEST_CASE("A variable has the verbosity that its author chose", "[VERB-02]") {
    initialized tools;
    const char* names[] = {"v_user_basic",      "v_user_detail",      "v_user_all",
                           "v_tuner_basic",     "v_tuner_detail",     "v_tuner_all",
                           "v_developer_basic", "v_developer_detail", "v_developer_all"};
    for (std::size_t i = 0; i < std::size(names); i++) CHECK(verbosity_of_pvar(names[i]) == verbosities[i]);
}

TEST_CASE("A variable whose author chose no verbosity is for users", "[VERB-04]") {
    initialized tools;
    int level = -1;
    REQUIRE(MPI_T_cvar_get_info(cvar_index("C_INT"), nullptr, nullptr, &level, nullptr, nullptr, nullptr, nullptr,
                                nullptr, nullptr) == MPI_SUCCESS);
    CHECK(level == 0x09);
    CHECK(verbosity_of_pvar("p_counter") == 0x09);
}

TEST_CASE("The object handle of an unbound variable is ignored, whatever it is", "[BIND-01]") {
    STATIC_REQUIRE(MPI_T_BIND_NO_OBJECT == 1);
    initialized tools;
    CHECK(binding_of_cvar("C_INT") == MPI_T_BIND_NO_OBJECT);
    CHECK(binding_of_pvar("p_counter") == MPI_T_BIND_NO_OBJECT);
    void* const nowhere = reinterpret_cast<void*>(std::uintptr_t{0x101});
    cvar without{"C_INT"}, with{"C_INT", nowhere};
    CHECK(without.write(8) == MPI_SUCCESS);
    CHECK(with.read() == 8);
    CHECK(with.write(5) == MPI_SUCCESS);
    CHECK(without.read() == 5);

    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, same{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER, nowhere};
    CHECK(counter.start() == MPI_SUCCESS);
    CHECK(same.start() == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(counter.read() == 1);
    CHECK(same.read() == 1);
}

TEST_CASE("A variable bound to any of the eleven kinds of object has a value for each object",
          "[BIND-02][BIND-03][BIND-04][BIND-05][BIND-06][BIND-07][BIND-08][BIND-09][BIND-10][BIND-11][BIND-12]") {
    initialized tools;
    auto& bound = all.bound;
    expect_a_value_for_each_object<MPI_ABI_Comm*>(bound.comm, "b_comm", MPI_T_BIND_MPI_COMM);
    expect_a_value_for_each_object<MPI_ABI_Datatype*>(bound.datatype, "b_datatype", MPI_T_BIND_MPI_DATATYPE);
    expect_a_value_for_each_object<MPI_ABI_Errhandler*>(bound.errhandler, "b_errhandler", MPI_T_BIND_MPI_ERRHANDLER);
    expect_a_value_for_each_object<MPI_ABI_File*>(bound.file, "b_file", MPI_T_BIND_MPI_FILE);
    expect_a_value_for_each_object<MPI_ABI_Group*>(bound.group, "b_group", MPI_T_BIND_MPI_GROUP);
    expect_a_value_for_each_object<MPI_ABI_Op*>(bound.op, "b_op", MPI_T_BIND_MPI_OP);
    expect_a_value_for_each_object<MPI_ABI_Request*>(bound.request, "b_request", MPI_T_BIND_MPI_REQUEST);
    expect_a_value_for_each_object<MPI_ABI_Win*>(bound.win, "b_win", MPI_T_BIND_MPI_WIN);
    expect_a_value_for_each_object<MPI_ABI_Message*>(bound.message, "b_message", MPI_T_BIND_MPI_MESSAGE);
    expect_a_value_for_each_object<MPI_ABI_Info*>(bound.info, "b_info", MPI_T_BIND_MPI_INFO);
    expect_a_value_for_each_object<MPI_ABI_Session*>(bound.session, "b_session", MPI_T_BIND_MPI_SESSION);
}

TEST_CASE("The bindings have the values of the binary interface",
          "[BIND-02][BIND-03][BIND-04][BIND-05][BIND-06][BIND-07][BIND-08][BIND-09][BIND-10][BIND-11][BIND-12]") {
    STATIC_REQUIRE(MPI_T_BIND_MPI_COMM == 2);
    STATIC_REQUIRE(MPI_T_BIND_MPI_DATATYPE == 3);
    STATIC_REQUIRE(MPI_T_BIND_MPI_ERRHANDLER == 4);
    STATIC_REQUIRE(MPI_T_BIND_MPI_FILE == 5);
    STATIC_REQUIRE(MPI_T_BIND_MPI_GROUP == 6);
    STATIC_REQUIRE(MPI_T_BIND_MPI_OP == 7);
    STATIC_REQUIRE(MPI_T_BIND_MPI_REQUEST == 8);
    STATIC_REQUIRE(MPI_T_BIND_MPI_WIN == 9);
    STATIC_REQUIRE(MPI_T_BIND_MPI_MESSAGE == 10);
    STATIC_REQUIRE(MPI_T_BIND_MPI_INFO == 11);
    STATIC_REQUIRE(MPI_T_BIND_MPI_SESSION == 12);
}

TEST_CASE("A bound control variable has a value for each communicator", "[BIND-02]") {
    initialized tools;
    CHECK(binding_of_cvar("C_BOUND") == MPI_T_BIND_MPI_COMM);
    communicator one = handle_number<communicator>(0x2001), other = handle_number<communicator>(0x2002);
    mpit::created(all, one);
    mpit::created(all, other);
    cvar of_one{"C_BOUND", &one}, of_other{"C_BOUND", &other};
    CHECK(of_one.write(70) == MPI_SUCCESS);
    CHECK(of_one.read() == 70);
    CHECK(of_other.read() == 7);
    CHECK(all.controls.bound[one] == 70);
    CHECK(all.controls.bound[other] == 7);
}

TEST_CASE("A handle stays with its object when the variable that held the object's handle changes", "[BIND-13]") {
    initialized tools;
    const communicator one = handle_number<communicator>(0x3001), other = handle_number<communicator>(0x3002);
    mpit::created(all, one);
    mpit::created(all, other);
    communicator local = one;
    session s;
    cvar control{"C_BOUND", &local};
    pvar counter{s, "b_comm", MPI_T_PVAR_CLASS_COUNTER, &local};
    local = other;
    REQUIRE(counter.start() == MPI_SUCCESS);
    ++all.bound.comm[one];
    CHECK(counter.read<unsigned long>() == 1);
    ++all.bound.comm[other];
    CHECK(counter.read<unsigned long>() == 1);
    CHECK(control.write(33) == MPI_SUCCESS);
    local = nullptr;
    CHECK(control.read() == 33);
    CHECK(all.controls.bound[one] == 33);
    CHECK(all.controls.bound[other] == 7);
}

TEST_CASE("A handle on a bound variable needs an existing object", "[BIND-14]") {
    initialized tools;
    communicator null_handle = nullptr, unknown = handle_number<communicator>(0x4444),
                 freed = handle_number<communicator>(0x4001);
    mpit::created(all, freed);
    mpit::freed(all, freed);
    expect_refused(nullptr);
    expect_refused(&null_handle);
    expect_refused(&unknown);
    expect_refused(&freed);
}

TEST_CASE("An object handle that is passed instead of its address is refused", "[BIND-14]") {
    initialized tools;
    mpit::created(all, handle_number<communicator>(0x101));
    void* const closed = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(closed != MAP_FAILED);
    for (const std::uint64_t no_address : {0x101ul, 1ul, 4095ul, 0x8000000000000000ul, ~0ul}) {
        errno = 7;
        expect_refused(handle_number<void*>(no_address));
        CHECK(errno == 7);
    }
    expect_refused(closed);
    expect_refused(static_cast<char*>(closed) + 4092);
    CHECK(munmap(closed, 4096) == 0);
}

TEST_CASE("An object handle of four bytes may be the last one before memory that cannot be read", "[BIND-15]") {
    initialized tools;
    auto* const pages =
        static_cast<char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(pages != MAP_FAILED);
    REQUIRE(mprotect(pages + 4096, 4096, PROT_NONE) == 0);
    const int number = 0x1234;
    void* const last = pages + 4092;
    std::memcpy(last, &number, sizeof number);
    ++all.bound.named[number];
    session s;
    MPI_T_pvar_handle handle{};
    int count = 0;
    const int index = pvar_index("b_named", MPI_T_PVAR_CLASS_COUNTER);
    CHECK(MPI_T_pvar_handle_alloc(s.handle, index, last, &handle, &count) == MPI_SUCCESS);
    CHECK(munmap(pages, 8192) == 0);
}

TEST_CASE("A predefined object is bound through a copy of its handle, which need not be an address", "[BIND-15]") {
    initialized tools;
    communicator world = handle_number<communicator>(0x101);
    mpit::created(all, world);
    session s;
    pvar counter{s, "b_comm", MPI_T_PVAR_CLASS_COUNTER, &world};
    REQUIRE(counter.start() == MPI_SUCCESS);
    ++all.bound.comm[handle_number<communicator>(0x101)];
    CHECK(counter.read<unsigned long>() == 1);
}

TEST_CASE("A handle that is an int in its MPI is fetched as an int", "[BIND-15]") {
    initialized tools;
    CHECK(binding_of_pvar("b_named") == MPI_T_BIND_MPI_COMM);
    struct {
        int handle;
        int behind;
    } world{0x44000000, -1};
    mpit::created<mpit::binding::communicator>(all, world.handle);
    session s;
    pvar counter{s, "b_named", MPI_T_PVAR_CLASS_COUNTER, &world.handle};
    REQUIRE(counter.start() == MPI_SUCCESS);
    ++all.bound.named[world.handle];
    CHECK(counter.read<unsigned long>() == 1);
}
