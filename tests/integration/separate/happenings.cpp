// Counts in one tree and raises events of the other.
#include "separate.hpp"

int adopted_limit = 1;

void send(int source) {
    ++held_values.calls;
    held_happenings.arrived(source, 0.5);
}
void send_later(int source) { held_happenings.arrived.defer(source, 1.5); }
void make_progress() { mpit::deliver(held_happenings); }
