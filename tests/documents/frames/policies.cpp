#include <mpit/dynamic.hpp>
#include <mpit/mpit.hpp>
#include <mpit/policy.hpp>

@block@
inline constexpr auto& variables = mpit::registered<mpich_variables>;
