// A library with mpit for processes without an MPI, with the functions that tools call: test_variables.py loads it.
#include <mpit/mpit.hpp>

#include <mpit/mpi_t.hpp>

// Python can have no member of an enumeration with the second name.
enum class order { first, other };
template <>
inline constexpr auto mpit::enumeration_of<order> =
    mpit::enumerators<order>("order", {{"first come", order::first}, {"mro", order::other}});

struct kitchen_variables : mpit::category<"kitchen", "What a kitchen does"> {
    mpit::control<int> stoves{this, "KITCHEN_STOVES", "Dishes cooked at once", {.initial = {2, 1, 8}}};
    mpit::control<order> sequence{this, "KITCHEN_ORDER", "What is cooked next", {.initial = order::first}};
    mpit::counter<> dishes{this, "dishes", "Dishes served"};
};
static constexpr auto& kitchen = mpit::registered<kitchen_variables>;

extern "C" [[gnu::visibility("default")]] void serve(int guests) { kitchen.dishes += static_cast<unsigned>(guests); }
