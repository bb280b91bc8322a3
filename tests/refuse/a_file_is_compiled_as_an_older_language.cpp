// One line says which language is needed, and nothing follows but that the compiler gives up.
// STANDARD: c++17
// ERRORS: 2
// EXPECT: mpit needs C++20: compile this file with -std=c++20, or include mpit in another file that is compiled so
// EACH: mpit/mpit.hpp | mpit/dynamic.hpp | mpit/settings.hpp | mpit/tool.hpp | mpit/tool/over_mpi.hpp | mpit/tool/batch.hpp
// EACH: mpit/ranges.hpp | mpit/c/mpi_t.hpp | mpit/c/own.hpp | mpit/c/settings.hpp | mpit/stack/mpi_t.hpp
// EACH: mpit/compat/mpit.hpp | mpit/object/name.hpp | mpit/declare/object_names.hpp | mpit/object/info.hpp
#include <EACH>

int main() {}
