// One line says which language is needed, and nothing follows but that the compiler gives up.
// STANDARD: c++17
// ERRORS: 2
// EXPECT: mpit needs C++20: compile this file with -std=c++20, or include mpit only in files that are compiled with it
// EACH: mpit/mpit.hpp | mpit/dynamic.hpp | mpit/settings.hpp | mpit/tool.hpp | mpit/tool/over_mpi.hpp | mpit/batch.hpp
// EACH: mpit/ranges.hpp | mpit/mpi_t.hpp | mpit/mpi_t/functions.hpp | mpit/mpi_t/settings.hpp | mpit/over_mpi.hpp
// EACH: mpit/compat.hpp | mpit/object_name.hpp | mpit/info/object_names.hpp | mpit/info.hpp
#include <EACH>

int main() {}
