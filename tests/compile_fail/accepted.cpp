// The surroundings of every mistake in this folder, without a mistake: this file has to compile. It has each class of
// performance variable with every type that the standard's table gives it.
// [PCLASS-15] Every pair of class and type that the table has is accepted.
#include <mpit/mpit.hpp>
#include <mpit/policy.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

// A library in a namespace: its enumerations are described there, and its tree is compiled once. The language has explicit
// instantiations in a namespace around the template alone.
namespace accepted {

enum class protocol : unsigned char { eager, rendezvous };
constexpr auto enumeration_of(protocol) {
    return mpit::enumerators<protocol>("protocol",
                                       {{"eager", protocol::eager}, {"rendezvous", protocol::rendezvous, "rndv,rdv"}});
}
namespace {
enum level { level_low, level_high };
constexpr auto enumeration_of(level) {
    return mpit::enumerators<level>("level", {{"low", level_low}, {"high", level_high}});
}
} // namespace

constexpr int four() { return 4; }
bool checks = true;
protocol chosen{};
int chosen_number = 1;
char device[8] = "eth0";
constexpr mpit::counter<>::settings shared{.readonly = true};
struct kept_elsewhere {
    constexpr operator mpit::counter<>::settings() const { return shared; }
};

struct variables_type : mpit::category<"accepted", "No mistake"> {
    mpit::policy names{this, {.environment = "ACCEPTED_*, *", .prefix = "ACCEPTED_"}};
    mpit::control<bool> verbose{this, "ACCEPTED_VERBOSE", "A switch", {.initial = true}};
    mpit::control<level> amount{this, "ACCEPTED_AMOUNT", "How much", {.initial = level_high}};
    mpit::control<unsigned long> limit{
        this, "ACCEPTED_LIMIT", "In bytes", {.initial = {four(), 0, 1 << 20}, .unit = mpit::unit::bytes}};
    mpit::control<int> several{this, "ACCEPTED_SEVERAL", "A number", {.environment = "*, MINE_*, OLD.NAME-2 ,X"}};
    mpit::control<int> closed{this, "ACCEPTED_CLOSED", "A number", {.environment = mpit::none}};
    mpit::control_ref<bool> checks_{this, "ACCEPTED_CHECKS", "A switch", {.storage = &checks}};
    mpit::control_ref<protocol> chosen_{
        this, "ACCEPTED_PROTOCOL", "Which one", {.storage = &chosen, .default_value = protocol::rendezvous}};
    mpit::control_ref<protocol, int> number{this, "ACCEPTED_NUMBER", "Which one", {.storage = &chosen_number}};
    mpit::control_ref<char[8]> device_{this, "ACCEPTED_DEVICE", "A name", {.storage = &device}};
    mpit::state<bool> is_busy{this, "accepted_is_busy", "A switch"};
    mpit::counter<> first{this, "accepted_first", "Events", shared};
    mpit::counter<> second{this, "accepted_second", "Events", kept_elsewhere{}};
    mpit::counter<> third{this, "accepted_third", "Events", mpit::counter<>::settings{.continuous = true}};
    mpit::counter<> fourth{this, "accepted_fourth", "Events", {}};
};

} // namespace accepted

extern template struct mpit::tree_holder<accepted::variables_type>;

namespace accepted {
inline constexpr auto& variables = mpit::registered<variables_type>;
bool says(const char* name) {
    const auto device_of_now = variables.device_.get();
    return variables.verbose && device_of_now == name && device_of_now.c_str()[0] != '\0';
}
} // namespace accepted

template struct mpit::tree_holder<accepted::variables_type>;

template <template <class, class> class Variable> struct unsigned_types {
    Variable<unsigned, void> a;
    Variable<unsigned long, void> b;
    Variable<unsigned long long, void> c;
    constexpr unsigned_types(mpit::descriptor::category* in)
        : a{in, "a", "nanoseconds"}, b{in, "b", "nanoseconds"}, c{in, "c", "nanoseconds"} {}
};
template <template <class, class> class Variable> struct utilization_types : unsigned_types<Variable> {
    Variable<double, void> d;
    constexpr utilization_types(mpit::descriptor::category* in) : unsigned_types<Variable>{in}, d{in, "d", "A number"} {}
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
    mpit::percentage<> percentage{this, "part", "A number"};
    mpit::state<lamp> state{this, "lamp", "A lamp"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.limit; }
