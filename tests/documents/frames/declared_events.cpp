#include <mpi.h>

#include <mpit/mpit.hpp>

std::int64_t engine_ticks();

struct event_variables : mpit::category<"mympi_events", "What happens"> {
@block@
};
inline constexpr auto& events = mpit::registered<event_variables>;
