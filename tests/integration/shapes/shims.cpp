// The standard functions of a program or a library of the shapes. A file of its own, since every tree is compiled with
// the same.
#include <mpit/mpi_t.hpp>
