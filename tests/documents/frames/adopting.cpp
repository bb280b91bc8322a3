#include <mpit/mpit.hpp>

#include <cstdio>
#include <vector>

int eager_limit = 65536;
bool is_initialized = false;
std::vector<int> requests;

struct adopted_variables : mpit::category<"adopted", "What was there before"> {
@block@
};
inline constexpr auto& adopted = mpit::registered<adopted_variables>;
