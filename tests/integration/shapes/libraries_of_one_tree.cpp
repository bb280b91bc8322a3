// One tree in two libraries: where it is shared, both count in it; otherwise each has its own, the first stays, the
// second is reported, and tools never see a count change or vanish. Either library may be unloaded first.
//     twice local|global|deep one|two first|second <module> <module>    how many trees there are, and who goes first
// The exit status is the number of what is wrong.
#include "../../unloaded_libraries.hpp"

#include <mpit/mpi_t.h>
#include <mpit/report_handler.hpp>

#include <cstdio>
#include <dlfcn.h>
#include <string>

namespace {

int wrong = 0, reports = 0;
void check(bool good, const char* what) {
    if (good) return;
    std::printf("wrong: %s\n", what);
    wrong++;
}
void report(const char* line) {
    std::printf("report: %s\n", line);
    const bool is_expected = std::string(line).find(" declared twice: ") != std::string::npos;
    check(is_expected, "the report");
    reports++;
}

struct module {
    std::string path, name;
    int binding;
    void* loaded = nullptr;

    void load() {
        loaded = dlopen(path.c_str(), binding);
        if (loaded == nullptr) check(false, dlerror());
    }
    // True when nothing of it is left in the process.
    bool unload() {
        dlclose(loaded);
        void* const there = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
        if (there != nullptr) dlclose(there);
        return there == nullptr;
    }
    template <class Function> Function* function(const std::string& prefix) const {
        return reinterpret_cast<Function*>(dlsym(loaded, (prefix + name).c_str()));
    }
    const void* tree() const { return function<const void*()>("common_tree_of_")(); }
    void count(int calls) const { function<void(int)>("count_in_")(calls); }
    unsigned long long calls() const { return function<unsigned long long()>("common_calls_in_")(); }
};

MPI_T_pvar_session session;
MPI_T_pvar_handle handle;
bool reads(unsigned long long expected) {
    unsigned long long value = 0;
    return MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS && value == expected;
}
int index_of_common_calls() {
    int index = -1;
    MPI_T_pvar_get_index("common_calls", MPI_T_PVAR_CLASS_COUNTER, &index);
    return index;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 6) return 255;
    mpit::set_report_handler(&report);
    const std::string words = argv[1];
    const int binding = RTLD_NOW | (words == "global" ? RTLD_GLOBAL : words == "deep" ? RTLD_DEEPBIND : RTLD_LOCAL);
    const bool is_one = std::string(argv[2]) == "one", first_goes = std::string(argv[3]) == "first";
    module first{argv[4], "first", binding}, second{argv[5], "second", binding};
    first.load(), second.load();
    check((first.tree() == second.tree()) == is_one, "the number of trees");
    check(reports == 0, "no report before a tool comes");

    int provided = 0, count = 0, before = 0, after = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check(reports == (is_one ? 0 : 1), "a report for the variables of a second tree, and no other");
    MPI_T_pvar_get_num(&before);
    const int index = index_of_common_calls();
    check(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "session");
    check(MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count) == MPI_SUCCESS, "handle");
    check(MPI_T_pvar_start(session, handle) == MPI_SUCCESS, "start");
    first.count(1000), second.count(500);
    check(reads(is_one ? 1500 : 1000), "what a tool sees of both");
    check(first.calls() == (is_one ? 1500u : 1000u) && second.calls() == (is_one ? 1500u : 500u),
          "what the authors see");

    if (!unloads_libraries) return MPI_T_pvar_session_free(&session), MPI_T_finalize(), wrong;
    module &going = first_goes ? first : second, &staying = first_goes ? second : first;
    const bool is_gone = going.unload();
    check(is_gone != (is_one && first_goes), "a library goes, unless another one uses its tree");
    staying.count(10);
    check(staying.calls() == (is_one ? 1510u : first_goes ? 510u : 1010u), "what the author of the other library sees");
    const bool is_seen = !(is_gone && first_goes);
    const unsigned long long expected = is_one ? 1510 : first_goes ? 1000 : 1010;
    unsigned long long value = 0;
    check(is_seen ? reads(expected) : MPI_T_pvar_read(session, handle, &value) != MPI_SUCCESS,
          "what a tool sees of the rest");
    MPI_T_pvar_get_num(&after);
    check(before == after && index_of_common_calls() == index, "the numbers");

    going.load();
    going.count(7);
    check(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS, "freeing the handle");
    check(MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count) == MPI_SUCCESS, "another handle");
    check(MPI_T_pvar_start(session, handle) == MPI_SUCCESS, "another start");
    first.count(3);
    check(reads(3), "what a tool sees of the library that came again");
    MPI_T_pvar_session_free(&session);
    staying.unload(), going.unload();
    check(index_of_common_calls() == index, "the number at the end");
    MPI_T_finalize();
    return wrong;
}
