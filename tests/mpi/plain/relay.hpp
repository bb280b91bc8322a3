// A research library in C++17 with flat globals.
#pragma once

namespace relay {
enum class protocol { eager, rendezvous };
extern int window; // messages under way at once
extern int shards; // known when the program starts
extern bool registers_memory;
extern protocol way;
void count(unsigned long bytes);
} // namespace relay
extern "C" int relay_send(unsigned long bytes);
