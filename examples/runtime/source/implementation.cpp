// The functions that each file of the runtime would contain otherwise: all files are compiled with
// MPIT_SEPARATE_COMPILATION.
#include <mpit/implementation.hpp>
