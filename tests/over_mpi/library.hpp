// A library that stands on top of the host of the tests: what a test may ask of it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

struct lab_payload {
    int source;
    double bytes;
};

namespace lab {

// Raises its event lab_arrival, the one that has the name of one of the host's, and the one with a source of the
// library's.
void raise(int source, double bytes);
void raise_clash(int value);
void raise_ticking();
// Adds one to its counter lab_messages.
void count();
// The lines that the library has reported since the last call.
std::vector<std::string> take_reports();
// The bytes of all pages that the library has allocated.
std::size_t bytes_in_use();
// Enrols one more control variable.
void register_control(const std::string& name, int value);

} // namespace lab
