// What works on many processes calls their MPI.
// EXPECT: mpit/collective.hpp needs the header of an MPI
#include <mpit/collective.hpp>

int main() {}
