/* The instructions of C, for instructions.py. */
#include <mpit/declare.h>

mpit_counter counted = MPIT_COUNTER_CELL;
mpit_timer timed = MPIT_TIMER_CELL;
void add_one(void) { mpit_add(&counted, 1); }
void add_many(uint64_t n) { mpit_add(&counted, n); }
void add_to(mpit_counter* cell) { mpit_add(cell, 1); }
void add_time(uint64_t n) { mpit_add(&timed.sum, n); }
