// What a library beside an MPI declares, for waiting.c. Two categories and two control variables have names of MPICH
// and of Open MPI, and an enumeration has the name of one of Open MPI's.
#include <mpit/mpit.hpp>

struct embedded_transfer {
    unsigned long bytes;
};

enum class embedded_mode { quiet, loud };
template <>
inline constexpr auto mpit::enumeration_of<embedded_mode> =
    mpit::enumerators<embedded_mode>("verbosity", {{"quiet", embedded_mode::quiet}, {"loud", embedded_mode::loud}});

struct embedded_variables : mpit::category<"embedded", "What a library beside an MPI declares"> {
    mpit::control<unsigned long> limit{this, "EMBEDDED_LIMIT", "Largest transfer", {.initial = {7, 1, 100}}};
    mpit::control<embedded_mode> mode{this, "EMBEDDED_MODE", "How much is said", {.initial = embedded_mode::loud}};
    mpit::control<int> of_mpich{
        this, "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE", "Not that of the MPI", {.initial = {-5, -9, 9}}};
    mpit::control<int> of_openmpi{this, "btl_self_eager_limit", "Not that of the MPI", {.initial = {-5, -9, 9}}};
    mpit::level<> depth{this, "embedded_depth", "Depth of the queue"};
    mpit::event<embedded_transfer> transfer{this, "embedded_transfer", "A transfer"};
};
struct collective_variables : mpit::category<"COLLECTIVE", "The name of a category of MPICH"> {
    mpit::counter<> calls{this, "embedded_calls", "Collective calls"};
};
struct self_variables : mpit::category<"opal_btl_self", "The name of a category of Open MPI"> {
    mpit::counter<> sends{this, "embedded_sends", "Messages to itself"};
};
static constexpr auto& embedded = mpit::registered<embedded_variables>;
static constexpr auto& collective = mpit::registered<collective_variables>;
static constexpr auto& to_self = mpit::registered<self_variables>;

[[gnu::constructor]] static void begin() {
    embedded.depth = 3;
    ++collective.calls;
    ++to_self.sends;
}
