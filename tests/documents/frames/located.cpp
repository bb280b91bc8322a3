#include <mpi.h>

#include <mpit/mpit.hpp>

@block@
inline constexpr auto& objects = mpit::registered<object_variables>;
