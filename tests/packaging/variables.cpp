// The one file in C++20 of a project in C++17.
#include <mpit/mpit.hpp>

void count_call();

struct consumer_variables : mpit::category<"consumer", "What a consumer counts"> {
    mpit::counter<> calls{this, "consumer_calls", "Calls of the main function"};
};
inline constexpr auto& consumer = mpit::registered<consumer_variables>;

void count_call() { ++consumer.calls; }
