// The settings of what is described at run time have names, as those of declarations.
// EXPECT: a setting needs its name, as in {.initial = 8} or {.readonly = true}
// EACH: static_cast<void>(group.control<int>("X", "A number", {8}));
// EACH: static_cast<void>(group.control<int>("X", "A number", {8, 0, 9}));
// EACH: static_cast<void>(group.control<lamp>("X", "A lamp", {lamp::on}));
// EACH: static_cast<void>(group.control<char[]>("X", "A text", {"eth0", "lo"}));
// EACH: static_cast<void>(group.control<int[]>("X", "Numbers", {numbers}));
// EACH: static_cast<void>(group.bound_control<int>("X", "A number", {&locate}));
// EACH: static_cast<void>(group.computed<mpit::performance_class::level, unsigned>("x", "A level", {&answer}));
// EACH: static_cast<void>(group.computed<mpit::performance_class::generic, char[]>("x", "A text", {&answer_text}));
// EACH: static_cast<void>(group.counter("x", "Events", {&counted}));
// EACH: static_cast<void>(group.timer("x", "A time", {&timed}));
// EACH: static_cast<void>(group.level("x", "A level", {&depth}));
// EACH: static_cast<void>(group.state("x", "A state", {&phase}));
// EACH: static_cast<void>(group.source("x", "A clock", {&ticking}));
// EACH: static_cast<void>(group.event<message>("x", "A message", {&arrived}));
// EACH: mpit::dynamic other{"other", "Another group", {"OTHER_*"}};
#include <mpit/dynamic.hpp>

enum class lamp { off, on };
constexpr auto enumeration_of(lamp) { return mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}}); }
struct message { int tag; };
int numbers[2];
int* locate(std::uint64_t, void*);
unsigned answer(void*);
void answer_text(std::uint64_t, char*, std::size_t, void*);
mpit::counter_cell counted;
mpit::timer_cell timed;
mpit::level_cell<unsigned long long> depth;
mpit::state_cell<int> phase;
mpit::source_cell ticking;
mpit::event_cell<message> arrived;

int main() {
    mpit::dynamic group{"refused", "One mistake"};
    EACH // HERE
}
