// The instructions of C++, for instructions.py.
#include <mpit/mpit.hpp>

constinit mpit::counter_cell counted;
constinit mpit::timer_cell timed;
constinit mpit::level_cell<unsigned long long> queued;
constinit mpit::state_cell<int> phase;
constinit mpit::real_cell energy;
constinit mpit::level_cell<double> load;
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
}
