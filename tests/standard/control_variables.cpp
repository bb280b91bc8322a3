// MPI-5.0, 15.3.6: control variables through the standard functions: what is said of them, their handles, reading, and
// the four ways in which a write can end.

#include "../descriptions.hpp"

#include <mpit/module/publish_pending.hpp>

#include <map>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

namespace {

// Trees that a test registers while it runs, as a library does that is loaded late.
struct late_variables : mpit::category<"late_controls", "Control variables of a library that is loaded late"> {
    mpit::control<int> first{this, "LATE_FIRST", "A late number"};
    mpit::control<int> second{this, "LATE_SECOND", "Another one"};
};
struct duplicate_variables : mpit::category<"duplicate_controls", "Names that are taken, or taken by another kind"> {
    mpit::control<int> taken{this, "C_INT", "Another number of the same name"};
    mpit::counter<> of_another_kind{this, "C_INT", "A counter of the same name"};
};
template <class Tree> Tree& enrol_now() {
    mpit::registry::register_tree(mpit::tree_holder<Tree>::held.tree, "a late library");
    return mpit::tree_holder<Tree>::held.tree;
}

struct ranged_variables : mpit::category<"ranged_controls", "An array whose range does not contain zero"> {
    mpit::control<int[8], communicator> positive{
        this,
        "POSITIVE",
        "As many positive numbers as the last digit of the handle",
        {.initial = {1, 1, 1, 1, 1, 1, 1, 1}, .minimum = 1, .count = [](communicator c) {
        return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(c) & 7);
    }}};
};
constexpr auto& ranged = mpit::registered<ranged_variables>;

std::string last_report;

} // namespace

TEST_CASE("The attributes of a control variable survive writes, growth and epochs", "[CVAR-03][INIT-12][INIT-15]") {
    std::vector<std::string> before;
    {
        initialized now;
        before = lines_of_all<cvar_info>();
        cvar{"C_INT"}.write(12);
    }
    {
        initialized now;
        struct growth : mpit::category<"growth_controls", "One more"> {
            mpit::control<int> one{this, "GROWTH", "A number"};
        };
        enrol_now<growth>();
        std::vector<std::string> after = lines_of_all<cvar_info>();
        REQUIRE(after.size() > before.size());
        after.resize(before.size());
        CHECK(after == before);
    }
}

TEST_CASE_METHOD(initialized,
                 "A second control variable of a name is reported and hidden, while other kinds may use the name",
                 "[CVAR-05][CVAR-09]") {
    mpit::set_report_handler([](const char* line) { last_report = line; });
    const int before = number_of_all<cvar_info>();
    enrol_now<duplicate_variables>();
    mpit::set_report_handler(nullptr);
    CHECK(number_of_all<cvar_info>() == before);
    CHECK(last_report.find("C_INT is declared twice") != std::string::npos);
    CHECK(std::string{cvar_info{"C_INT"}.description} == "A number");
    CHECK(pvar_index("C_INT", MPI_T_PVAR_CLASS_COUNTER) >= 0);

    std::set<std::string> names;
    for (int i = 0; i < number_of_all<cvar_info>(); i++) {
        const std::string name = cvar_info{i}.name;
        CHECK(names.insert(name).second);
        CHECK(cvar_index(name.c_str()) == i);
    }
}

TEST_CASE_METHOD(initialized,
                 "Every control variable has one of the seven scopes, and each scope is reported as declared",
                 "[CVAR-06]") {
    for (const cvar_info& each : all_of<cvar_info>()) CHECK((each.scope >= 1 && each.scope <= 7));
    const std::map<const char*, int> declared{
        {"C_CONSTANT", MPI_T_SCOPE_CONSTANT}, {"C_READONLY", MPI_T_SCOPE_READONLY}, {"C_INT", MPI_T_SCOPE_LOCAL},
        {"C_GROUP", MPI_T_SCOPE_GROUP},       {"C_GROUP_EQ", MPI_T_SCOPE_GROUP_EQ}, {"C_ALL", MPI_T_SCOPE_ALL},
        {"C_ALL_EQ", MPI_T_SCOPE_ALL_EQ}};
    for (const auto& [name, scope] : declared) CHECK(cvar_info{name}.scope == scope);
}

TEST_CASE_METHOD(initialized, "A control variable that several processes must write says so in its description",
                 "[CVAR-07]") {
    for (const cvar_info& about : all_of<cvar_info>())
        if (about.scope >= MPI_T_SCOPE_GROUP) CHECK(about.description_length > 1);
    CHECK(std::string{cvar_info{"C_GROUP"}.description} == "Written alike by the processes of a node");
}

TEST_CASE_METHOD(initialized, "A name is unknown until its library is loaded, and known from then on", "[CVAR-10]") {
    int index = 77;
    CHECK(MPI_T_cvar_get_index("LATE_SECOND", &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(index == 77);
    late_variables& late = enrol_now<late_variables>();
    CHECK(MPI_T_cvar_get_index("LATE_SECOND", &index) == MPI_SUCCESS);
    CHECK(cvar{"LATE_SECOND"}.write(5) == MPI_SUCCESS);
    CHECK(late.second == 5);
}

TEST_CASE_METHOD(initialized, "Allocating a handle returns the number of elements of its object", "[CVAR-11]") {
    CHECK(cvar{"C_INT"}.count == 1);
    CHECK(cvar{"C_ARRAY"}.count == 4);
    CHECK(cvar{"C_TEXT"}.count == 32);
    for (const int elements : {2, 5}) {
        auto object = handle_number<communicator>(0x100u + static_cast<unsigned>(elements));
        mpit::created(all, object);
        CHECK(cvar{"C_BOUND_ARRAY", &object}.count == elements);
        mpit::freed(all, object);
    }
}

TEST_CASE_METHOD(initialized, "Handles on one control variable and one object share its value", "[CVAR-13]") {
    cvar one{"C_INT"}, other{"C_INT"};
    CHECK(one.handle != other.handle);
    CHECK(one.write(31) == MPI_SUCCESS);
    CHECK(other.read() == 31);

    auto first = handle_number<communicator>(0x201), second = handle_number<communicator>(0x202);
    mpit::created(all, first);
    mpit::created(all, second);
    cvar of_first{"C_BOUND", &first}, again{"C_BOUND", &first}, of_second{"C_BOUND", &second};
    CHECK(of_first.write(8) == MPI_SUCCESS);
    CHECK(again.read() == 8);
    CHECK(of_second.read() == 7);
}

TEST_CASE_METHOD(initialized, "A freed handle is null, and the variable keeps its value", "[CVAR-14]") {
    MPI_T_cvar_handle handle{};
    int count = 0;
    const int value = 64;
    REQUIRE(MPI_T_cvar_handle_alloc(cvar_index("C_INT"), nullptr, &handle, &count) == MPI_SUCCESS);
    REQUIRE(MPI_T_cvar_write(handle, &value) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
    CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
    CHECK(cvar{"C_INT"}.read() == 64);
}

TEST_CASE_METHOD(initialized, "A read stores the elements of the value and nothing behind them", "[CVAR-16]") {
    for (const cvar_info& about : all_of<cvar_info>()) {
        auto object = handle_number<communicator>(0x303);
        mpit::created(all, object);
        mpit::created(ranged, object);
        cvar at{about.name, &object};
        const bool is_small = about.datatype == MPI_INT || about.datatype == MPI_UNSIGNED ||
                              about.datatype == MPI_INT32_T || about.datatype == MPI_UINT32_T;
        const std::size_t size = (about.datatype == MPI_CHAR ? 1
                                  : is_small                 ? 4
                                                             : 8) *
                                 static_cast<std::size_t>(at.count);
        std::vector<unsigned char> first(size + 16, 0x11), second(size + 16, 0xee);
        REQUIRE(MPI_T_cvar_read(at.handle, first.data()) == MPI_SUCCESS);
        REQUIRE(MPI_T_cvar_read(at.handle, second.data()) == MPI_SUCCESS);
        INFO(about.name);
        CHECK(std::memcmp(first.data(), second.data(), size) == 0);
        CHECK(std::vector<unsigned char>(first.begin() + static_cast<std::ptrdiff_t>(size), first.end()) ==
              std::vector<unsigned char>(16, 0x11));
        CHECK(std::vector<unsigned char>(second.begin() + static_cast<std::ptrdiff_t>(size), second.end()) ==
              std::vector<unsigned char>(16, 0xee));
    }
}

TEST_CASE_METHOD(initialized, "A readonly variable has the library's present value, and a constant one never changes",
                 "[CVAR-17][CVAR-19][CVAR-21]") {
    cvar readonly{"C_READONLY"}, constant{"C_CONSTANT"};
    for (const int value : {3, 4}) {
        all.controls.readonly = value;
        CHECK(readonly.read() == value);
        CHECK(readonly.write(9) == MPI_T_ERR_CVAR_SET_NEVER);
        CHECK(readonly.read() == value);
        CHECK(constant.write(value) == MPI_T_ERR_CVAR_SET_NEVER);
        CHECK(constant.read() == 42);
    }
}

TEST_CASE_METHOD(initialized, "A write replaces the whole value for every handle and for the library", "[CVAR-18]") {
    cvar one{"C_ARRAY"}, other{"C_ARRAY"};
    const int wanted[4] = {9, 8, 7, 6};
    CHECK(MPI_T_cvar_write(one.handle, wanted) == MPI_SUCCESS);
    int read[4]{};
    CHECK(MPI_T_cvar_read(other.handle, read) == MPI_SUCCESS);
    CHECK(std::equal(wanted, wanted + 4, read));
    const mpit::elements<int, 4> owned = all.controls.array.get();
    CHECK(std::equal(wanted, wanted + 4, owned.begin()));

    CHECK(cvar{"C_COLOUR"}.write(static_cast<int>(colour::blue)) == MPI_SUCCESS);
    CHECK(all.controls.enumerated == colour::blue);
    CHECK(cvar{"C_DOUBLE"}.write(2.5) == MPI_SUCCESS);
    CHECK(all.controls.of_double == 2.5);
}

TEST_CASE_METHOD(initialized, "The range of an array applies to the elements that an object has, and to no others",
                 "[CVAR-11][CVAR-18]") {
    auto object = handle_number<communicator>(0x402);
    mpit::created(ranged, object);
    cvar at{"POSITIVE", &object};
    REQUIRE(at.count == 2);
    const int possible[2] = {3, 4}, impossible[2] = {3, 0};
    CHECK(MPI_T_cvar_write(at.handle, possible) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_write(at.handle, impossible) == MPI_T_ERR_INVALID);
    int read[2]{};
    CHECK(MPI_T_cvar_read(at.handle, read) == MPI_SUCCESS);
    CHECK(std::equal(read, read + 2, possible));
}

TEST_CASE_METHOD(initialized, "A variable that cannot be set now can be set later", "[CVAR-20]") {
    cvar phased{"C_PHASE"};
    phase_is_open = false;
    CHECK(phased.write(3) == MPI_T_ERR_CVAR_SET_NOT_NOW);
    CHECK(phased.read() == 0);
    phase_is_open = true;
    CHECK(phased.write(3) == MPI_SUCCESS);
    CHECK(phased.read() == 3);
    phase_is_open = false;
}

TEST_CASE_METHOD(initialized, "A local variable may refuse every further write", "[CVAR-22]") {
    cvar frozen{"C_FROZEN"};
    REQUIRE(cvar_info{"C_FROZEN"}.scope == MPI_T_SCOPE_LOCAL);
    CHECK(frozen.write(3) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(frozen.read() == 0);
}

TEST_CASE_METHOD(initialized, "A write for a group or for all is done in this process alone", "[CVAR-23]") {
    for (const char* name : {"C_GROUP", "C_GROUP_EQ", "C_ALL", "C_ALL_EQ"}) {
        cvar at{name};
        CHECK(at.write(17) == MPI_SUCCESS);
        CHECK(at.read() == 17);
    }
}

TEST_CASE_METHOD(initialized, "A text is read to its null, and one that does not fit is refused", "[CVAR-25][DT-06]") {
    cvar text{"C_TEXT"};
    const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    char* pages =
        static_cast<char*>(mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(pages != MAP_FAILED);
    REQUIRE(mprotect(pages + size, size, PROT_NONE) == 0);
    char* at_the_end = pages + size - 5;
    std::strcpy(at_the_end, "eth0");
    CHECK(MPI_T_cvar_write(text.handle, at_the_end) == MPI_SUCCESS);
    munmap(pages, 2 * size);

    char read[32];
    std::memset(read, 'x', sizeof read);
    CHECK(MPI_T_cvar_read(text.handle, read) == MPI_SUCCESS);
    CHECK(std::string(read, sizeof read) == std::string("eth0").append(28, '\0'));

    char longest[33] = "0123456789abcdef0123456789abcde";
    CHECK(MPI_T_cvar_write(text.handle, longest) == MPI_SUCCESS);
    longest[31] = 'f';
    CHECK(MPI_T_cvar_write(text.handle, longest) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_read(text.handle, read) == MPI_SUCCESS);
    CHECK(std::string{read} == "0123456789abcdef0123456789abcde");
}
