#include <mpit/mpit.hpp>

#include <cstdlib>

int eager_limit = 65536;

struct my_variables : mpit::category<"my", "Read by the library itself"> {
    mpit::control_ref<int> limit{this, "MYMPI_EAGER_LIMIT", "Largest message sent at once, in bytes",
                                 {.storage = &eager_limit, .default_value = 65536, .environment = mpit::none}};
};
inline constexpr auto& my = mpit::registered<my_variables>;

void initialize_my_library() {
    @block@
}
