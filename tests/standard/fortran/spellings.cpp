// The names that Fortran compilers give the functions: with MPIT_FORTRAN_NAMES as it was chosen, all functions have that
// spelling and its profiling twin, and no other one. A program of its own where SPELLINGS_ALONE is defined, which needs no
// Catch2.
#include <cstdio>
#include <cstring>

#define EACH_FUNCTION(function)                                                                                        \
    function(comm_get_name, COMM_GET_NAME) function(comm_set_name, COMM_SET_NAME) function(info_create, INFO_CREATE)   \
        function(info_create_env, INFO_CREATE_ENV) function(info_delete, INFO_DELETE) function(info_dup, INFO_DUP)     \
            function(info_free, INFO_FREE) function(info_get, INFO_GET) function(info_get_nkeys, INFO_GET_NKEYS)       \
                function(info_get_nthkey, INFO_GET_NTHKEY) function(info_get_string, INFO_GET_STRING)                  \
                    function(info_get_valuelen, INFO_GET_VALUELEN) function(info_set, INFO_SET)                        \
                        function(type_get_name, TYPE_GET_NAME) function(type_set_name, TYPE_SET_NAME)                  \
                            function(win_get_name, WIN_GET_NAME) function(win_set_name, WIN_SET_NAME)

// A weak name that nobody defines has the address 0.
#define DECLARED(lower, upper)                                                                                         \
    extern "C" [[gnu::weak]] void mpi_##lower##_();                                                                    \
    extern "C" [[gnu::weak]] void pmpi_##lower##_();                                                                   \
    extern "C" [[gnu::weak]] void mpi_##lower##__();                                                                   \
    extern "C" [[gnu::weak]] void pmpi_##lower##__();                                                                  \
    extern "C" [[gnu::weak]] void mpi_##lower();                                                                       \
    extern "C" [[gnu::weak]] void pmpi_##lower();                                                                      \
    extern "C" [[gnu::weak]] void MPI_##upper();                                                                       \
    extern "C" [[gnu::weak]] void PMPI_##upper();
EACH_FUNCTION(DECLARED)

namespace {

struct spelled {
    const char* word;
    void (*plain)();
    void (*profiled)();
};
struct spellings {
    const char* function;
    spelled all[4];
};

#define SPELLINGS(lower, upper)                                                                                        \
    {#lower,                                                                                                           \
     {{"one_underscore", &mpi_##lower##_, &pmpi_##lower##_},                                                           \
      {"two_underscores", &mpi_##lower##__, &pmpi_##lower##__},                                                        \
      {"no_underscore", &mpi_##lower, &pmpi_##lower},                                                                  \
      {"upper_case", &MPI_##upper, &PMPI_##upper}}},
const spellings every_function[] = {EACH_FUNCTION(SPELLINGS)};

#define TEXT_EXPANDED(word) #word
#define TEXT(word) TEXT_EXPANDED(word)
constexpr const char* chosen = TEXT(MPIT_FORTRAN_NAMES);

} // namespace

// How many functions lack a spelling that was chosen or its twin, or have another one.
int wrong_spellings() {
    int wrong = 0;
    for (const spellings& each : every_function) {
        void (*function)() = nullptr;
        bool is_right = true;
        for (const spelled& one : each.all) {
            const bool is_chosen = std::strcmp(chosen, "all") == 0 || std::strcmp(chosen, one.word) == 0;
            if (is_chosen && function == nullptr) function = one.plain;
            void (*const expected)() = is_chosen ? function : nullptr;
            is_right = is_right && one.plain == expected && one.profiled == expected;
        }
        if (is_right && function != nullptr) continue;
        std::printf("wrong: %s\n", each.function);
        wrong++;
    }
    return wrong;
}

#ifdef SPELLINGS_ALONE
int main() { return wrong_spellings(); }
#endif
