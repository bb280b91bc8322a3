// absl's map as a library would offer it to tools: behind a C function of a shared object of its own, which answers as
// MPI_T_cvar_get_index does.
#include "map_of_a_library.h"

#include <absl/container/flat_hash_map.h>

#include <string>

static absl::flat_hash_map<std::string, int>& numbers() {
    static absl::flat_hash_map<std::string, int> all;
    return all;
}
static absl::flat_hash_map<std::string, int>* known; // no guard of a static on the way to a number

extern "C" [[gnu::visibility("default")]] void map_add(const char* name, int number) {
    known = &numbers();
    known->emplace(name, number);
}

extern "C" [[gnu::visibility("default")]] int map_get_index(const char* name, int* number) {
    if (known == nullptr) return 1;
    if (name == nullptr || number == nullptr) return 2;
    const auto found = known->find(absl::string_view{name});
    if (found == known->end()) return 3;
    *number = found->second;
    return 0;
}
