#include <mpit/mpit.hpp>

#include <cstdlib>
#include <vector>

inline int limit_of_my_parser() { return std::getenv("PATH") == nullptr ? 0 : 65536; }
std::vector<char> buffer;
extern int eager_limit;

struct my_variables : mpit::category<"my", "Initialized when the program is loaded"> {
    mpit::control_ref<int> limit{this, "MYMPI_EAGER_LIMIT", "Largest message sent at once, in bytes",
                                 {.storage = &eager_limit}};
};
inline constexpr auto& variables = mpit::registered<my_variables>;

@block@
