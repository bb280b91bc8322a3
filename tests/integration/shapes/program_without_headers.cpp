// A program that knows nothing of the headers, and loads two libraries that embed them: a tool of either sees both.
//     without local|global|apart <module>...    apart: each in a namespace of its own, so that each sees itself alone
// The exit status is the number of what is wrong.
#include "module.hpp"

#if !defined(__GLIBC__) // musl has one namespace
#define LM_ID_NEWLM 0
static void* dlmopen(int, const char* path, int how) { return dlopen(path, how); }
#endif

int main(int argc, char** argv) {
    if (argc != 4) return 255;
    const std::string words = argv[1];
#if defined(__GLIBC__)
    const bool are_apart = words == "apart";
#else
    const bool are_apart = false;
#endif
    void* loaded[2];
    for (int i = 0; i < 2; i++) {
        loaded[i] = are_apart ? dlmopen(LM_ID_NEWLM, argv[2 + i], RTLD_NOW)
                              : dlopen(argv[2 + i], RTLD_NOW | (words == "global" ? RTLD_GLOBAL : RTLD_LOCAL));
        if (loaded[i] == nullptr) return std::printf("%s\n", dlerror()), 255;
    }
    const module modules[] = {module_in(loaded[0], "first"), module_in(loaded[1], "second")};
    for (const module& m : modules) m.begin();
    for (const module& m : modules) {
        check(m.categories() == (are_apart ? 1 : 2), "the number of categories");
        for (const module& other : modules) check(m.sees(other) == (!are_apart || &m == &other), "who sees whom");
    }
    for (const module& m : modules) m.end();
    for (void* one : loaded) dlclose(one);
    return mistakes;
}
