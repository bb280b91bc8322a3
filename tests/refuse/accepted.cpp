// The surroundings of every mistake in this folder, without a mistake: this file has to compile. It has each class of
// performance variable with every type that the standard's table gives it.
// [PCLASS-15] Every pair of class and type that the table has is accepted.
#include <mpit/mpit.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

template <template <class, class> class Variable> struct unsigned_types {
    Variable<unsigned, void> a;
    Variable<unsigned long, void> b;
    Variable<unsigned long long, void> c;
    constexpr unsigned_types(mpit::describe::category* in)
        : a{in, "a", "nanoseconds"}, b{in, "b", "nanoseconds"}, c{in, "c", "nanoseconds"} {}
};
template <template <class, class> class Variable> struct utilization_types : unsigned_types<Variable> {
    Variable<double, void> d;
    constexpr utilization_types(mpit::describe::category* in) : unsigned_types<Variable>{in}, d{in, "d", "A number"} {}
};

struct refused_variables : mpit::category<"refused", "No mistake"> {
    mpit::control<int> limit{
        this,
        "REFUSED_LIMIT",
        "Largest message sent at once",
        {.initial = {65536, 0, 1 << 20}, .renamed_from = "REFUSED_EAGER", .deprecated = "use REFUSED_LIMIT_2"}};
    mpit::control<char[8]> device{this, "REFUSED_DEVICE", "A name", {.renamed_from = "refused_name"}};
    unsigned_types<mpit::counter> counters{this};
    utilization_types<mpit::aggregate> aggregates{this};
    utilization_types<mpit::timer_of> timers{this};
    utilization_types<mpit::level> levels{this};
    utilization_types<mpit::size> sizes{this};
    utilization_types<mpit::high_watermark> highest{this};
    utilization_types<mpit::low_watermark> lowest{this};
    utilization_types<mpit::generic> generics{this};
    mpit::generic<int> of_int{this, "int", "A number"};
    mpit::generic<mpit::exact<std::int32_t>> of_int32{this, "int32", "A number"};
    mpit::generic<mpit::exact<std::int64_t>> of_int64{this, "int64", "A number"};
    mpit::generic<mpit::exact<std::uint32_t>> of_uint32{this, "uint32", "A number"};
    mpit::generic<mpit::exact<std::uint64_t>> of_uint64{this, "uint64", "A number"};
    mpit::generic<mpit::count> of_count{this, "count", "A number"};
    mpit::computed<mpit::performance_class::generic, char[8]> of_char{
        this, "char", "A text", {.value = [](char (&)[8]) {}}};
    mpit::tally<unsigned> tally_of_unsigned{this, {"tally_a", "A count"}, {"tally_a", "A sum"}};
    mpit::tally<unsigned long> tally_of_unsigned_long{this, {"tally_b", "A count"}, {"tally_b", "A sum"}};
    mpit::tally<> tally{this, {"tally_c", "A count"}, {"tally_c", "A sum"}};
    mpit::tally<double> tally_of_double{this, {"tally_d", "A count"}, {"tally_d", "A sum"}};
    mpit::percentage<> percentage{this, "part", "A number"};
    mpit::state<lamp> state{this, "lamp", "A lamp"};
};
inline constexpr auto& refused = mpit::enrolled<refused_variables>;

int main() { return refused.limit; }
