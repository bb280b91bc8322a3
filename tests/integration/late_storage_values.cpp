// Variables of a library whose initializers run when it is loaded, before or after those of its tree: as it is linked.
#include <cstdlib>

namespace {
template <class T> T at_run_time(T value) { return std::getenv("PATH") == nullptr ? T{} : value; }
} // namespace

int late_lost = at_run_time(65536);
int late_kept = at_run_time(65536);
int late_unset = at_run_time(65536);
double late_real = at_run_time(0.5);
unsigned long late_refused = at_run_time(3ul);
