// A library with events and with the functions of the interface, for leaving.cpp. It is built with exceptions and
// without.
#include "leaving.hpp"

#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>

namespace {

struct number_payload {
    int number;
};
unsigned long long compute() { return leaving_compute == nullptr ? 0 : leaving_compute(); }
struct leaving_tree : mpit::category<"leaving", "Events whose callbacks do not return"> {
    mpit::source clock{this, "leaving_clock", "A clock", {.ordering = mpit::ordering::ordered}};
    mpit::event<number_payload> plain{this, "leaving_plain", "An event"};
    mpit::event<number_payload> ordered{this, "leaving_ordered", "An event of an ordered source", {.source = &clock}};
    mpit::computed<mpit::performance_class::size, unsigned long long> computed{
        this, "leaving_computed", "A number", {.value = &compute}};
};
inline constexpr auto& tree = mpit::registered<leaving_tree>;

} // namespace

unsigned long long (*leaving_compute)() = nullptr;
bool leaving_has_exceptions() {
#ifdef __cpp_exceptions
    return true;
#else
    return false;
#endif
}
void leaving_raise_plain() { tree.plain(7); }
void leaving_raise_ordered() { tree.ordered(7); }
