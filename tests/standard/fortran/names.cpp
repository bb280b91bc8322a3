// Names of objects, set and got as a Fortran compiler calls the functions, beside the functions for C.

#include "../../catch.hpp"
#include "characters.hpp"
#include "runtime.hpp"

#include <tuple>

#ifndef MPIT_FORTRAN_LENGTH
#define MPIT_FORTRAN_LENGTH std::size_t
#endif
using hidden_length = MPIT_FORTRAN_LENGTH;

int wrong_spellings(); // in spellings.cpp

extern "C" {
void mpi_comm_set_name_(int* comm, const char* comm_name, int* ierror, hidden_length comm_name_length);
void mpi_comm_get_name_(int* comm, char* comm_name, int* resultlen, int* ierror, hidden_length comm_name_length);
void mpi_type_set_name_(int* datatype, const char* type_name, int* ierror, hidden_length type_name_length);
void mpi_type_get_name_(int* datatype, char* type_name, int* resultlen, int* ierror, hidden_length type_name_length);
void mpi_win_set_name_(int* win, const char* win_name, int* ierror, hidden_length win_name_length);
void mpi_win_get_name_(int* win, char* win_name, int* resultlen, int* ierror, hidden_length win_name_length);
void pmpi_win_get_name_(int* win, char* win_name, int* resultlen, int* ierror, hidden_length win_name_length);
void mpi_info_create_(int* info, int* ierror);
void mpi_info_get_valuelen_(int* info, const char* key, int* valuelen, int* flag, int* ierror,
                            hidden_length key_length);
void mpi_info_free_(int* info, int* ierror);
}

namespace {

using fortran::constant;
using fortran::variable;

// The functions about one kind of object.
struct of_communicators {
    using handle = MPI_Comm;
    static constexpr auto set = &mpi_comm_set_name_;
    static constexpr auto get = &mpi_comm_get_name_;
    static constexpr auto set_in_c = &MPI_Comm_set_name;
    static constexpr auto get_in_c = &MPI_Comm_get_name;
    static constexpr const char* name_of_null = "MPI_COMM_NULL";
};
struct of_datatypes {
    using handle = MPI_Datatype;
    static constexpr auto set = &mpi_type_set_name_;
    static constexpr auto get = &mpi_type_get_name_;
    static constexpr auto set_in_c = &MPI_Type_set_name;
    static constexpr auto get_in_c = &MPI_Type_get_name;
    static constexpr const char* name_of_null = "MPI_DATATYPE_NULL";
};
struct of_windows {
    using handle = MPI_Win;
    static constexpr auto set = &mpi_win_set_name_;
    static constexpr auto get = &mpi_win_get_name_;
    static constexpr auto set_in_c = &MPI_Win_set_name;
    static constexpr auto get_in_c = &MPI_Win_get_name;
    static constexpr const char* name_of_null = "MPI_WIN_NULL";
};
using all_kinds = std::tuple<of_communicators, of_datatypes, of_windows>;

template <class Kind> int set(int object, const constant& name) {
    int ierror = 4711;
    Kind::set(&object, name, &ierror, static_cast<hidden_length>(name.length));
    return ierror;
}

struct got {
    int code, length;
    bool operator==(const got&) const = default;
};
template <class Kind> got get(int object, variable& name) {
    got seen{4711, 4711};
    Kind::get(&object, name, &seen.length, &seen.code, static_cast<hidden_length>(name.length));
    return seen;
}

template <class Kind> std::string name_in_c() {
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    REQUIRE(Kind::get_in_c(only_objects::handle<typename Kind::handle>(), name, &length) == MPI_SUCCESS);
    REQUIRE(name[length] == '\0');
    return {name, static_cast<std::size_t>(length)};
}

std::string letters(std::size_t length) {
    std::string text;
    while (text.size() < length) text += static_cast<char>('a' + text.size() % 26);
    return text;
}

constexpr int object = only_objects::integer;

} // namespace

TEMPLATE_LIST_TEST_CASE("A name of any length is returned to a variable of any length, padded and without a null",
                        "[NAME-14][NAME-05]", all_kinds) {
    for (std::size_t length = 0; length <= 130; length++) {
        const std::string whole = letters(length), kept = whole.substr(0, 127);
        REQUIRE(set<TestType>(object, whole) == MPI_SUCCESS);
        REQUIRE(name_in_c<TestType>() == kept);
        for (std::size_t room = 0; room <= 130; room++) {
            variable name{room};
            const got seen = get<TestType>(object, name);
            REQUIRE(seen == got{MPI_SUCCESS, static_cast<int>(std::min(kept.size(), room))});
            REQUIRE(name.holds(kept.substr(0, room)));
        }
    }
}

TEMPLATE_LIST_TEST_CASE("The blanks that fill a variable are not part of a name, those at its beginning are",
                        "[NAME-14][NAME-04]", all_kinds) {
    for (std::size_t blanks = 0; blanks <= 130; blanks++) {
        REQUIRE(set<TestType>(object, "  halo exchange" + std::string(blanks, ' ')) == MPI_SUCCESS);
        REQUIRE(name_in_c<TestType>() == "  halo exchange");
        REQUIRE(set<TestType>(object, std::string(blanks, ' ')) == MPI_SUCCESS);
        REQUIRE(name_in_c<TestType>().empty());
        variable name{20};
        REQUIRE(get<TestType>(object, name) == got{MPI_SUCCESS, 0});
        REQUIRE(name.holds(""));
    }
    REQUIRE(set<TestType>(object, "b" + std::string(200, ' ') + "c") == MPI_SUCCESS);
    CHECK(name_in_c<TestType>() == "b");
}

TEMPLATE_LIST_TEST_CASE("A name that C has set is the same in Fortran, and vice versa", "[NAME-14]", all_kinds) {
    const auto handle = only_objects::handle<typename TestType::handle>();
    variable name{MPI_MAX_OBJECT_NAME - 1};
    for (const std::string& text : {std::string{"ghost cells"}, std::string{}, std::string{" leading"}, letters(127)}) {
        REQUIRE(TestType::set_in_c(handle, text.c_str()) == MPI_SUCCESS);
        CHECK(get<TestType>(object, name) == got{MPI_SUCCESS, static_cast<int>(text.size())});
        CHECK(name.holds(text));
        REQUIRE(TestType::set_in_c(handle, "between") == MPI_SUCCESS);
        REQUIRE(set<TestType>(object, fortran::padded(text, 127)) == MPI_SUCCESS);
        CHECK(name_in_c<TestType>() == text);
    }
}

TEMPLATE_LIST_TEST_CASE("The runtime is notified once of a name that Fortran sets", "[NAME-01]", all_kinds) {
    const int before = only_objects::times_named<typename TestType::handle>;
    std::string text = "own";
    REQUIRE(set<TestType>(object, text) == MPI_SUCCESS);
    CHECK(only_objects::times_named<typename TestType::handle> == before + 1);
    text = "...";
    CHECK(name_in_c<TestType>() == "own");
}

TEMPLATE_LIST_TEST_CASE("An INTEGER of no object returns the code of C, and a name of blanks", "[NAME-06][NAME-14]",
                        all_kinds) {
    variable name{20}, none{0};
    CHECK(set<TestType>(7, "nobody") == 1000 + MPI_ERR_ARG);
    CHECK(get<TestType>(7, name) == got{1000 + MPI_ERR_ARG, 0});
    CHECK(name.holds(""));
    CHECK(get<TestType>(7, none) == got{1000 + MPI_ERR_ARG, 0});
    CHECK(none.is_untouched());
}

TEMPLATE_LIST_TEST_CASE("A null handle has the name of its constant in Fortran, too", "[NAME-08]", all_kinds) {
    variable name{30};
    const std::string constant_name = TestType::name_of_null;
    CHECK(get<TestType>(only_objects::null_integer, name) == got{MPI_SUCCESS, static_cast<int>(constant_name.size())});
    CHECK(name.holds(constant_name));
    CHECK(set<TestType>(only_objects::null_integer, "nobody") == 1000 + MPI_ERR_ARG);
}

TEST_CASE("The profiling name of Fortran is the same function", "[NAME-14]") {
    REQUIRE(set<of_windows>(object, "ghost cells") == MPI_SUCCESS);
    variable name{14};
    int win = object, length = -1, ierror = -1;
    pmpi_win_get_name_(&win, name, &length, &ierror, 14);
    CHECK((ierror == MPI_SUCCESS && length == 11 && name.holds("ghost cells")));
}

TEST_CASE("A flag has the compiler's values for .true. and .false.", "[INFO-14]") {
    int info = 0, ierror = -1, length = 0, flag = 5;
    mpi_info_create_(&info, &ierror);
    REQUIRE(ierror == MPI_SUCCESS);
    mpi_info_get_valuelen_(&info, constant{"k"}, &length, &flag, &ierror, 1);
    CHECK(flag == 0);
    REQUIRE(MPI_Info_set(MPI_Info_f2c(info), "k", "abc") == MPI_SUCCESS);
    mpi_info_get_valuelen_(&info, constant{"k"}, &length, &flag, &ierror, 1);
    CHECK(flag == -1);
    CHECK(length == 3);
    mpi_info_free_(&info, &ierror);
    CHECK(info == 0x130);
}

TEST_CASE("Each function has the spellings that were chosen, and a profiling twin of each") {
    CHECK(wrong_spellings() == 0);
}
