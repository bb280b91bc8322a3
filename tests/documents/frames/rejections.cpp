#include <mpit/mpit.hpp>
#include <mpit/policy.hpp>

constexpr int MYMPI_ERR_ENVIRONMENT = 77;

@block@
inline constexpr auto& variables = mpit::registered<strict_variables>;
