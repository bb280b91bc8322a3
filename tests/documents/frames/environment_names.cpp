#include <mpit/mpit.hpp>

struct my_variables : mpit::category<"my", "Set by the environment under several names, or not at all"> {
    @block@
};
inline constexpr auto& variables = mpit::registered<my_variables>;
