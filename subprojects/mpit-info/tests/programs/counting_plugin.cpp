// A plugin with variables and without an MPI, for late.c. It begins when it has been watched.
#include <mpit/mpit.hpp>

#include "counting.hpp"

static std::atomic<unsigned long> reads{0};

struct plugin_variables : mpit::category<NAME, "What a plugin counts"> {
    mpit::counter<> steps{this, NAME "_steps", "Steps done"};
    mpit::computed<mpit::performance_class::level, unsigned long> read{
        this, NAME "_reads", "How often this was read", {.value = [] { return ++reads; }}};
};
static constexpr auto& plugin = mpit::registered<plugin_variables>;

extern "C" [[gnu::visibility("default")]] int plugin_begin() {
    return is_read([] { ++plugin.steps; }, reads) ? 0 : 1;
}
extern "C" [[gnu::visibility("default")]] int plugin_end() { return 0; }
