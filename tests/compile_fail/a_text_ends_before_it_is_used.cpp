// [DT-06] The characters of a text are there as long as the text is.
// EXPECT: the text of c_str() ends with the statement: store it first, as in const auto text = variable.get(); and text.c_str()
// EACH: const char* kept = refused.device.get().c_str();
// EACH: const char* kept = refused.bound[1].get().c_str();
#include <mpit/mpit.hpp>

using communicator = mpit::object<mpit::binding::communicator, int>;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<char[8]> device{this, "DEVICE", "A text"};
    mpit::control<char[8], communicator> bound{this, "BOUND", "A text"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() {
    EACH // HERE
    return kept[0];
}
