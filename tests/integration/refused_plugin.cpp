// A library that refused_calls.cpp loads where system calls are refused: a variable of each kind, and one whose
// function lets other threads run while it is in the library.
#include <mpit/mpit.hpp>

#include <sched.h>

namespace refused {

struct call {
    int number;
};
struct variables : mpit::category<"refused", "Loaded where system calls are refused"> {
    mpit::control<int> limit{this, "REFUSED_LIMIT", "A number", {.initial = 5}};
    mpit::counter<> calls{this, "refused_calls", "Calls"};
    mpit::level<unsigned long> depth{this, "refused_depth", "A level"};
    mpit::computed<mpit::performance_class::level, unsigned long> seven{
        this, "refused_seven", "Seven, after a while", {.value = [] {
        for (int i = 0; i < 20; i++) sched_yield();
        return 7ul;
    }}};
    mpit::event<call> called{this, "refused_called", "A call was made", {.source = mpit::steady_clock}};
};
constexpr auto& all = mpit::registered<variables>;

} // namespace refused

extern "C" [[gnu::visibility("default")]] void count_in_refused(int calls) {
    for (int i = 0; i < calls; i++) ++refused::all.calls;
}
extern "C" [[gnu::visibility("default")]] void raise_in_refused(int number) { refused::all.called(number); }
