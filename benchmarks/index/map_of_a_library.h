// A map that a library offers to tools by C functions: 0, or an error as MPI_T_cvar_get_index has them.
//
//   if (map_get_index("EAGER_LIMIT", &number) == 0) …
#pragma once

extern "C" {
void map_add(const char* name, int number);
int map_get_index(const char* name, int* number);
}
