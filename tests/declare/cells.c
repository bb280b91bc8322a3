/* The instructions of C, for instructions.py. */
#include <mpit/declare.h>

mpit_counter counted = MPIT_COUNTER_CELL;
mpit_timer timed = MPIT_TIMER_CELL;
mpit_level queued = MPIT_LEVEL_CELL(0);
mpit_state phase = MPIT_STATE_CELL(0);
mpit_real energy = MPIT_REAL_CELL;
mpit_real_level load = MPIT_REAL_LEVEL_CELL(0);
mpit_histogram sizes = MPIT_HISTOGRAM_CELL(0, 0, 31);
void add_one(void) { mpit_add(&counted, 1); }
void add_many(uint64_t n) { mpit_add(&counted, n); }
void add_to(mpit_counter* cell) { mpit_add(cell, 1); }
void add_time(uint64_t n) { mpit_add(&timed.sum, n); } /* what mpit_stop() adds */
void raise_level(void) { mpit_change(&queued, 1); }
void lower_level(mpit_level* level, long n) { mpit_change(level, -n); }
void set_level(unsigned long long n) { mpit_set(&queued, n); }
void set_state(int now) { mpit_set_state(&phase, now); }
void add_real(double n) { mpit_add_real(&energy, n); }
void change_real(double n) { mpit_change_real(&load, n); }
void set_real(double n) { mpit_set_real(&load, n); }
void record_value(uint64_t n) { mpit_record(&sizes, n); }

#define HIDDEN __attribute__((visibility("hidden"))) /* as a declared tree is */
struct arrival {
    int source;
    unsigned long bytes;
};
HIDDEN mpit_event arrived;
HIDDEN int eager_limit = 4096;
void raise_event(int source, unsigned long bytes) { mpit_raise(&arrived, &(struct arrival){source, bytes}); }
int read_control(void) { return eager_limit; }
