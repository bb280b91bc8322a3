// The smallest project that uses an installed mpit: it declares a category and moves one of its variables.
#include <mpit/mpit.hpp>

struct consumer_variables : mpit::category<"consumer", "What a consumer counts"> {
    mpit::counter<> calls{this, "consumer_calls", "Calls of the main function"};
};
inline constexpr auto& consumer = mpit::registered<consumer_variables>;

int main() { ++consumer.calls; }
