// [PCLASS-15][DT-01] The types of a class are the same where the value is computed.
// EXPECT: this class of performance variable cannot have this type: see the table in MPI-5.0, 15.3.7
// EACH: state, int | state, unsigned | level, int | level, mpit::count | size, int | size, char[8] | counter, double
// EACH: counter, int | counter, char[8] | aggregate, mpit::exact<std::uint64_t> | timer, int | generic, float
// EACH: generic, short | counter, lamp | counter, bool | level, bool
#include <mpit/mpit.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::computed<mpit::performance_class::EACH> x{this, "x", "A value"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
