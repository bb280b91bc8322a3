// What works on many processes calls their MPI.
// EXPECT: what uses an MPI needs its header
#include <mpit/collective.hpp>

int main() {}
