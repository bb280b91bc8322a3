// A whole number that keeps an enumeration has all of its values.
// EXPECT: an item of an enumeration does not fit the storage
#include <mpit/mpit.hpp>

enum class speed { slow = 1, fast = 1000 };
constexpr auto enumeration_of(speed) {
    return mpit::enumerators<speed>("speed", {{"slow", speed::slow}, {"fast", speed::fast}});
}
signed char storage = 1;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<speed, signed char> limit{this, "LIMIT", "A speed", {.storage = &storage}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
