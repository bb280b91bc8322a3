// A program and two libraries, of which some embed another copy of the headers: each copy has an index of its own,
// authors and the tools of their copy notice nothing, and nobody sees the variables of another copy.
//     program local|global same|other <module> same|other <module>    whose copy is the program's, and whose is another
//     program                                                         has the first library linked (LINKED)
// The exit status is the number of what is wrong; the report of the copies goes to standard error.
#include "module.hpp"
#include "names.hpp"

#include <mpit/mpit.hpp>

namespace {

struct variables : mpit::category<"program", "The program"> {
    mpit::counter<> calls{this, "program_calls", "Calls"};
};
constexpr auto& all = mpit::registered<variables>;
void count_in_program(int calls) {
    for (int i = 0; i < calls; i++) ++all.calls;
}
module own_module() {
    return {"program",
            {&MPI_T_init_thread, &MPI_T_finalize, &MPI_T_category_get_num, &MPI_T_pvar_get_index,
             &MPI_T_pvar_session_create, &MPI_T_pvar_session_free, &MPI_T_pvar_handle_alloc, &MPI_T_pvar_start,
             &MPI_T_pvar_read},
            &count_in_program};
}

#ifndef LINKED
struct library {
    bool is_other;
    const char* path;
    const char* name;
    void* loaded = nullptr;
};

// Once around: who was loaded sees those of its own copy.
void look_around(int binding, library* const (&libraries)[2], int unloaded_first) {
    for (library* l : libraries)
        if ((l->loaded = dlopen(l->path, binding)) == nullptr) return check(false, dlerror());
    const module modules[] = {own_module(), module_in(libraries[0]->loaded, libraries[0]->name),
                              module_in(libraries[1]->loaded, libraries[1]->name)};
    const bool are_other[] = {false, libraries[0]->is_other, libraries[1]->is_other};
    for (const module& m : modules) m.begin();
    for (int viewer = 0; viewer < 3; viewer++) {
        int seen = 0;
        for (int author = 0; author < 3; author++) {
            const bool sees = are_other[viewer] == are_other[author];
            check(modules[viewer].sees(modules[author]) == sees, "who sees whom");
            seen += sees;
        }
        check(modules[viewer].categories() == seen, "the number of categories");
    }
    for (const module& m : modules) m.end();
    for (int i = 0; i < 2; i++) dlclose(libraries[i == 0 ? unloaded_first : 1 - unloaded_first]->loaded);
}
#endif

} // namespace

#ifdef LINKED
extern "C" void count_in_first(int);
extern "C" unsigned long long calls_in_first();

int main() {
    const module program = own_module();
    program.begin();
    check(program.sees(program), "the program sees itself");
    check(program.categories() == 1, "the number of categories");
    count_in_first(1000);
    check(calls_in_first() == 1000, "what the author of the library sees");
    check(program.sees(program), "the program still sees itself");
    program.end();
    return mistakes;
}
#else
int main(int argc, char** argv) {
    if (argc != 6) return 255;
    const std::string words = argv[1], first_copy = argv[2], second_copy = argv[4];
    const int binding = RTLD_NOW | (words == "global" ? RTLD_GLOBAL : RTLD_LOCAL);
    library first{first_copy == "other", argv[3], "first"}, second{second_copy == "other", argv[5], "second"};
    for (int round = 0; round < 6; round++) {
        library* const in_order[] = {&first, &second};
        library* const turned[] = {&second, &first};
        look_around(binding, round % 2 == 0 ? in_order : turned, round / 2 % 2);
    }
    return mistakes;
}
#endif
