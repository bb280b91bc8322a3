// The program of the shapes, with variables of its own, and two libraries whose variables begin with first and second. A tool that goes
// through any of the three sees what each of them counts, unless that one embeds a copy of the headers of another version: then each copy
// has an index of its own, and authors and the tools of their copy notice nothing.
//     program local|global|deep same|other <module> same|other <module>    loads the modules, whose copy is the program's or another
//     program                                                              has them linked (LINKED), or the first, of another copy (LINKED_OTHER)
// The exit status is the number of what is wrong; each report is, unless the script judges it (REPORTS_ARE_JUDGED).
#include "../../unloaded_libraries.hpp"
#include "module.hpp"
#include "names.hpp"

#include <mpit/mpit.hpp>
#include <mpit/report_handler.hpp>

#ifdef COMMON_TREE
#include "common_tree.hpp"
#endif

#include <cstring>

namespace {

struct variables : mpit::category<"program", "The program"> {
    mpit::counter<> calls{this, "program_calls", "Calls"};
    mpit::aggregate<double> time{this, "program_time", "Half a unit for every call"};
    mpit::control<int> limit{this, "program_limit", "A number", {.initial = 5}};
};
constexpr auto& all = mpit::registered<variables>;
void count_in_program(int calls) {
    for (int i = 0; i < calls; i++) {
        ++all.calls;
        all.time += 0.5;
    }
}
module own_module(const char* name = "program", void (*count)(int) = &count_in_program) {
    return {name,
            {&MPI_T_init_thread, &MPI_T_finalize, &MPI_T_category_get_num, &MPI_T_pvar_get_num, &MPI_T_pvar_get_index,
             &MPI_T_pvar_session_create, &MPI_T_pvar_session_free, &MPI_T_pvar_handle_alloc, &MPI_T_pvar_start,
             &MPI_T_pvar_read},
            count};
}

#ifndef LINKED_OTHER
int common_calls = 0;
// Once around: who sees those of its own copy, and nobody else.
void look_around(const module (&modules)[3], const bool (&are_other)[3]) {
    for (const module& m : modules) m.begin();
    for (int viewer = 0; viewer < 3; viewer++) {
        int seen = 0;
        for (int author = 0; author < 3; author++) {
            const bool sees = are_other[viewer] == are_other[author];
            check(modules[viewer].sees(modules[author]) == sees, "who sees whom");
            if (sees && author != 0) common_calls += 1000;
            seen += sees;
            if (sees)
                check(modules[viewer].performances() == modules[author].performances(), "the number of variables");
        }
#ifdef COMMON_TREE
        seen++;
#endif
        check(modules[viewer].categories() == seen, "the number of categories");
    }
#ifdef COMMON_TREE
    common.calls += 10;
    check(common.calls.get() == static_cast<unsigned long long>(common_calls += 10),
          "the sum in the tree in the header");
#endif
    for (const module& m : modules) m.end();
}
#endif
#ifndef REPORTS_ARE_JUDGED
// None is expected.
[[maybe_unused]] const bool hears_reports = [] {
    mpit::set_report_handler([](const char* line) { check(false, line); });
    return true;
}();
#endif

} // namespace

#if defined(LINKED)
extern "C" void count_in_first(int);
extern "C" void count_in_second(int);

int main() {
    for (int round = 0; round < 2; round++)
        look_around({own_module(), own_module("first", &count_in_first), own_module("second", &count_in_second)},
                    {false, false, false});
    return mistakes;
}
#elif defined(LINKED_OTHER)
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
    const std::string words = argv[1];
    const int binding = RTLD_NOW | (words == "global" ? RTLD_GLOBAL : words == "deep" ? RTLD_DEEPBIND : RTLD_LOCAL);
    const bool are_one_file = std::strcmp(argv[3], argv[5]) == 0;
    const bool are_other[] = {false, std::string{argv[2]} == "other", std::string{argv[4]} == "other"};
    for (int round = 0; round < 6; round++) {
        // Either is loaded first, and either is unloaded first.
        void* loaded[2];
        for (int i : {0, 1}) {
            const int which = round % 2 == 0 ? i : 1 - i;
            loaded[which] = dlopen(argv[3 + 2 * which], binding);
            if (loaded[which] == nullptr) return std::printf("%s\n", dlerror()), 254;
        }
        look_around({own_module(), module_in(loaded[0], "first"), module_in(loaded[1], "second")}, are_other);
        for (int i : {0, 1}) {
            const int which = round / 2 % 2 == 0 ? i : 1 - i;
            dlclose(loaded[which]);
            if (unloads_libraries && (i == 1 || !are_one_file))
                check(dlopen(argv[3 + 2 * which], RTLD_NOW | RTLD_NOLOAD) == nullptr, "unloading");
        }
    }
    return mistakes;
}
#endif
