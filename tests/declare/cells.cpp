// The instructions of C++, for instructions.py.
#include <mpit/mpit.hpp>

constinit mpit::counter_cell counted;
constinit mpit::timer_cell timed;
extern "C" {
void add_one(void) { ++counted; }
void add_many(unsigned long n) { counted += n; }
void add_to(mpit::counter_cell* cell) { ++*cell; }
void add_time(unsigned long n) { timed.add(n); }
}
