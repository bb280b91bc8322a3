// The program of the shapes: it has variables of its own, and finds those of two libraries in the same index.
//     program local|global|deep <module>...    loads the modules, whose names are first and second
//     program                                  has them linked (LINKED)
// The exit status is the number of what is wrong.
#include "../../unloaded_libraries.hpp"
#include "names.hpp"

#include <mpit/mpi_t.h>
#include <mpit/mpit.hpp>
#include <mpit/report_handler.hpp>

#ifdef COMMON_TREE
#include "common_tree.hpp"
#endif

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {

struct variables : mpit::category<"program", "The program"> {
    mpit::counter<> calls{this, "program_calls", "Calls"};
    mpit::aggregate<double> time{this, "program_time", "Half a unit for every call"};
    mpit::control<int> limit{this, "program_limit", "A number", {.initial = 5}};
};
constexpr auto& all = mpit::registered<variables>;

using count_function = void (*)(int);
void count_in_program(int calls) {
    for (int i = 0; i < calls; i++) {
        ++all.calls;
        all.time += 0.5;
    }
}

int wrong = 0;
void check(bool good, const char* what, const std::string& of) {
    if (good) return;
    std::printf("wrong: %s of %s\n", what, of.c_str());
    wrong++;
}
void report(const char* line) {
    std::printf("report: %s\n", line);
    wrong++;
}

template <class T> T read(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    T value{};
    check(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS, "read", "a variable");
    return value;
}
MPI_T_pvar_handle started(MPI_T_pvar_session session, const std::string& name, int var_class) {
    int index = -1, count = 0;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    check(MPI_T_pvar_get_index(name.c_str(), var_class, &index) == MPI_SUCCESS, "index", name);
    check(MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count) == MPI_SUCCESS, "handle", name);
    check(MPI_T_pvar_start(session, handle) == MPI_SUCCESS, "start", name);
    return handle;
}

// What the function counts is what a tool reads, under the names that begin with the prefix.
void check_counting(const std::string& prefix, count_function count) {
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    check(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "session", prefix);
    MPI_T_pvar_handle calls = started(session, prefix + "_calls", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle time = started(session, prefix + "_time", MPI_T_PVAR_CLASS_AGGREGATE);
    count(1000);
    check(read<unsigned long long>(session, calls) == 1000, "calls", prefix);
    check(read<double>(session, time) == 500.0, "time", prefix);
    MPI_T_pvar_session_free(&session);
}

#ifdef LINKED
extern "C" void count_in_first(int);
extern "C" void count_in_second(int);
#else
template <class Function> Function* function_in(void* module, const char* name) {
    return reinterpret_cast<Function*>(dlsym(module, name));
}
// A tool that goes through the functions of this module sees what every other tool sees.
void check_functions(void* module, const std::string& name) {
    int here = -1, there = -1, provided = 0;
    MPI_T_pvar_get_num(&here);
    check(function_in<decltype(MPI_T_init_thread)>(module, "MPI_T_init_thread")(MPI_THREAD_SINGLE, &provided) ==
              MPI_SUCCESS,
          "init_thread", name);
    check(function_in<decltype(MPI_T_pvar_get_num)>(module, "MPI_T_pvar_get_num")(&there) == MPI_SUCCESS, "get_num",
          name);
    check(here == there, "number of variables", name);
    check(function_in<decltype(MPI_T_cvar_get_index)>(module, "MPI_T_cvar_get_index")("program_limit", &there) ==
              MPI_SUCCESS,
          "get_index", name);
    check(function_in<decltype(MPI_T_finalize)>(module, "MPI_T_finalize")() == MPI_SUCCESS, "finalize", name);
}
#endif

} // namespace

int main([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
    mpit::set_report_handler(&report);
    count_function first = nullptr, second = nullptr;
#ifdef LINKED
    first = &count_in_first, second = &count_in_second;
#else
    const std::string words = argv[1];
    const int binding = RTLD_NOW | (words == "global" ? RTLD_GLOBAL : words == "deep" ? RTLD_DEEPBIND : RTLD_LOCAL);
    void* const modules[] = {dlopen(argv[2], binding), dlopen(argv[3], binding)};
    if (modules[0] == nullptr || modules[1] == nullptr) return std::printf("%s\n", dlerror()), 1;
    first = function_in<void(int)>(modules[0], "count_in_first");
    second = function_in<void(int)>(modules[1], "count_in_second");
#endif

    int provided = 0, count = 0;
    check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "initialisation", "the program");
    check_counting("program", &count_in_program);
    check_counting("first", first);
    check_counting("second", second);
    check_counting("program", &count_in_program);
    int expected = 3;
#ifdef COMMON_TREE
    expected = 4;
    common.calls += 10;
    check(common.calls.get() == 2010, "sum", "the tree in the header");
#endif
    MPI_T_category_get_num(&count);
    check(count == expected, "number", "all categories");
#ifndef LINKED
    check_functions(modules[0], "first");
    check_functions(modules[1], "second");
#endif
    MPI_T_finalize();
#ifndef LINKED
    const bool are_one_file = std::strcmp(argv[2], argv[3]) == 0;
    for (int i : {1, 0}) {
        dlclose(modules[i]);
        if (unloads_libraries && (i == 0 || !are_one_file))
            check(dlopen(argv[2 + i], RTLD_NOW | RTLD_NOLOAD) == nullptr, "unloading", argv[2 + i]);
    }
#endif
    return wrong;
}
