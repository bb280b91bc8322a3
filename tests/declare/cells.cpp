// The instructions of C++, for instructions.py.
#include <mpit/mpit.hpp>

constinit mpit::counter_cell counted;
constinit mpit::timer_cell timed;
constinit mpit::level_cell<unsigned long long> queued;
constinit mpit::state_cell<int> phase;
constinit mpit::real_cell energy;
constinit mpit::level_cell<double> load;
constinit mpit::histogram_cell<unsigned long> sizes;

struct arrival {
    int source;
    unsigned long bytes;
};
struct twin_variables : mpit::category<"twins", "The variables of cells.c"> {
    mpit::control<int> eager_limit{
        this, "TWIN_EAGER_LIMIT", "Largest message sent at once, in bytes", {.initial = 4096}};
    mpit::event<arrival> arrived{this, "twin_arrived", "A message has come"};
};
inline constexpr auto& twins = mpit::registered<twin_variables>;
extern "C" {
void add_one(void) { ++counted; }
void add_many(unsigned long n) { counted += n; }
void add_to(mpit::counter_cell* cell) { ++*cell; }
void add_time(unsigned long n) { timed.add(n); }
void raise_level(void) { ++queued; }
void lower_level(mpit::level_cell<unsigned long long>* level, long n) { *level -= n; }
void set_level(unsigned long long n) { queued = n; }
void set_state(int now) { phase = now; }
void add_real(double n) { energy += n; }
void change_real(double n) { load += n; }
void set_real(double n) { load = n; }
void record_value(unsigned long n) { sizes.record(n); }
void raise_event(int source, unsigned long bytes) { twins.arrived(source, bytes); }
int read_control(void) { return twins.eager_limit; }
}
