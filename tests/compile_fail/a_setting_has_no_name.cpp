// A value without the name of its setting would be taken for another setting, such as the scope for the initial value.
// EXPECT: a setting needs its name, as in {.initial = 8} or {.readonly = true}
// EACH: mpit::control<int> x{this, "X", "A number", {8}};
// EACH: mpit::control<int> x{this, "X", "A number", 8};
// EACH: mpit::control<int> x{this, "X", "A number", 8, mpit::scope::local};
// EACH: mpit::control<int> x{this, "X", "A number", {8, 0, 9}};
// EACH: mpit::control<int> x{this, "X", "A number", {{8, 0, 9}}};
// EACH: mpit::control<int> x{this, "X", "A number", {{}, {}, {}, mpit::unit::bytes}};
// EACH: mpit::control<int> x{this, "X", "A number", {mpit::scope::readonly}};
// EACH: mpit::control<int> x{this, "X", "A number", {"bytes", 8}};
// EACH: mpit::control<int> x{this, "X", "A number", {8, .scope = mpit::scope::local}};
// EACH: mpit::control<int, communicator*> x{this, "X", "A number", {8}};
// EACH: mpit::control<bool> x{this, "X", "A switch", {true}};
// EACH: mpit::control<lamp> x{this, "X", "A lamp", {lamp::on}};
// EACH: mpit::control<int[2]> x{this, "X", "Numbers", {1, 2}};
// EACH: mpit::control<int[2]> x{this, "X", "Numbers", {{1, 2}, 0, 5}};
// EACH: mpit::control<int[2]> x{this, "X", "Numbers", 1, 2};
// EACH: mpit::control<char[8]> x{this, "X", "A text", {"eth0", "DEVICE"}};
// EACH: mpit::control<char[8]> x{this, "X", "A text", "eth0"};
// EACH: mpit::control_ref<int> x{this, "X", "A number", {&number}};
// EACH: mpit::control_ref<int> x{this, "X", "A number", &number};
// EACH: mpit::control_ref<lamp> x{this, "X", "A lamp", {&shown}};
// EACH: mpit::control_ref<bool, int> x{this, "X", "A switch", {&number}};
// EACH: mpit::control_ref<char[8]> x{this, "X", "A text", {&characters}};
// EACH: mpit::control_ref<char[8]> x{this, "X", "A text", characters};
// EACH: mpit::control_ref<std::string> x{this, "X", "A text", {&string}};
// EACH: mpit::control_ref<std::string> x{this, "X", "A text", string};
// EACH: mpit::counter<> x{this, "x", "Events", {mpit::verbosity::user_all}};
// EACH: mpit::counter<> x{this, "x", "Events", {mpit::verbosity::user_all, true}};
// EACH: mpit::counter<> x{this, "x", "Events", {true}};
// EACH: mpit::histogram<> x{this, "x", "Sizes", {true}};
// EACH: mpit::latency<mpit::buckets{}, communicator*> x{this, "x", "Times", {true}};
// EACH: mpit::counter<unsigned long[4]> x{this, "x", "Events", true};
// EACH: mpit::aggregate<double, communicator*> x{this, "x", "Amounts, in joules", {true}};
// EACH: mpit::timer x{this, "x", "A time", {mpit::verbosity::user_all, true}};
// EACH: mpit::timer x{this, "x", "A time", true};
// EACH: mpit::level<> x{this, "x", "A level", {8}};
// EACH: mpit::level<> x{this, "x", "A level", 8};
// EACH: mpit::size<> x{this, "x", "A size", {8, mpit::verbosity::user_all}};
// EACH: mpit::percentage<> x{this, "x", "A part", {0.5}};
// EACH: mpit::high_watermark<> x{this, "x", "A mark", {&depth}};
// EACH: mpit::low_watermark<> x{this, "x", "A mark", &depth};
// EACH: mpit::state<lamp> x{this, "x", "A lamp", {lamp::on}};
// EACH: mpit::state<lamp> x{this, "x", "A lamp", lamp::on};
// EACH: mpit::generic<int> x{this, "x", "A number", {8}};
// EACH: mpit::generic<int> x{this, "x", "A number", 8, true};
// EACH: mpit::computed<mpit::performance_class::level, unsigned> x{this, "x", "A level", {&answer}};
// EACH: mpit::computed<mpit::performance_class::level, unsigned> x{this, "x", "A level", [] { return 1u; }};
// EACH: mpit::computed<mpit::performance_class::generic, char[8]> x{this, "x", "A text", {&answer_text}};
// EACH: mpit::computed<mpit::performance_class::generic, char[8]> x{this, "x", "A text", answer_text};
// EACH: mpit::event<message> x{this, "x", "A message", {mpit::steady_clock}};
// EACH: mpit::event<message> x{this, "x", "A message", mpit::verbosity::user_all};
// EACH: mpit::event<message, communicator*> x{this, "x", "A message", {&clock}};
// EACH: mpit::source x{this, "x", "A clock", {mpit::ordering::ordered}};
// EACH: mpit::source x{this, "x", "A clock", {1000, 9999}};
// EACH: mpit::source x{this, "x", "A clock", &ticks};
#include <mpit/mpit.hpp>

#include <string>

struct communicator;
template <> inline constexpr mpit::binding mpit::binding_of<communicator*> = mpit::binding::communicator;
enum class lamp { off, on };
constexpr auto enumeration_of(lamp) { return mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}}); }
struct message { int tag; };
int number;
lamp shown;
char characters[8];
std::string string;
unsigned answer();
void answer_text(char (&)[8]);
std::int64_t ticks();

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::level<> depth{this, "depth", "A level"};
    mpit::source clock{this, "clock", "A clock"};
    EACH // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
