#include <mpi.h>

#include <mpit/object/name.hpp>

@block@
