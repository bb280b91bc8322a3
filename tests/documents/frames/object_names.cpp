#include <mpi.h>

#include <mpit/object_name.hpp>

@block@
