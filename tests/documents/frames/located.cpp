#include <mpi.h>

#include <mpit/mpit.hpp>

@block@
inline constexpr auto& objects = mpit::enrolled<object_variables>;
