// What is known only at run time is no initial value, and the compiler says so at the line of the member.
// EXPECT: lookup
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.initial = lookup()}};
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.initial = {lookup(), 0, 5}}};
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.initial = {1, 0, lookup()}}};
// EACH: mpit::control<int[2]> limits{this, "LIMITS", "Two numbers", {.initial = {1, lookup()}}};
// EACH: mpit::control<char[8]> device{this, "DEVICE", "A text", {.initial = text_lookup()}};
// EACH: mpit::control<bool> checks{this, "CHECKS", "A switch", {.initial = lookup() == 1}};
// EACH: mpit::control<lamp> shown{this, "SHOWN", "A lamp", {.initial = static_cast<lamp>(lookup())}};
// EACH: mpit::control_ref<int> adopted{this, "ADOPTED", "A number", {.storage = &storage, .range = {0, lookup()}}};
// EACH: mpit::level<> depth{this, "depth", "A level", {.initial = unsigned_lookup()}};
// EACH: mpit::percentage<> used{this, "used", "A part", {.initial = 0.1 * lookup()}};
// EACH: mpit::high_watermark<> deepest{this, "deepest", "A mark", {.initial = unsigned_lookup()}};
// EACH: mpit::generic<int> any{this, "any", "A number", {.initial = lookup()}};
// EACH: mpit::state<lamp> shown{this, "shown", "A lamp", {.initial = static_cast<lamp>(lookup())}};
#include <mpit/mpit.hpp>

enum class lamp { off, on };
constexpr auto enumeration_of(lamp) { return mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}}); }
int lookup();
unsigned unsigned_lookup();
const char* text_lookup();
int storage;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
