// A program that embeds mpit and has no variable, for torture.c: an agent waits for one as long as the program runs.
#include <mpit/dynamic.hpp>
