// The constant data that the compiler makes of declarations: trees of categories with their members in order, the
// attributes of each variable, and the types that each may have. Most of it is proved by static_assert, before any code
// runs; the test cases say what was proved, and look at the same trees at run time.
#include "catch.hpp"

#include <mpit/mpit.hpp>

#include <string>
#include <vector>

namespace descriptor = mpit::descriptor;
using mpit::datatype;
using mpit::performance_class;

namespace {

enum class lamp { off, on = 7 };
int adopted = 3;
unsigned open_files() { return 5; }

} // namespace

template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

namespace {

struct ordered_variables : mpit::category<"p2p", "A root"> {
    mpit::counter<> first{this, "a", "The first"};
    mpit::control<int> second{this, "A_CONTROL_VARIABLE", "The second"};
    struct inner_variables : mpit::category<"inner"> {
        mpit::control<int[2]> fourth{this, "B", "The fourth"};
        struct innermost_variables : mpit::category<"an_innermost_category"> {
            mpit::level<> sixth{this, "c", "The sixth"};
            using category::category;
        } fifth{this};
        using category::category;
    } third{this};
    mpit::control<char[8]> seventh{this, "D", "The seventh"};
};

// What the compiler can say of a tree that it has just made.
template <bool (*Holds)(ordered_variables&)> consteval bool holds_in_the_compiler() {
    ordered_variables tree{};
    return Holds(tree);
}

constexpr bool is_in_order(ordered_variables& tree) {
    return tree.first.name.length == 1 && static_cast<descriptor::category&>(tree).first == &tree.first &&
           tree.first.next == &tree.second && tree.second.next == &tree.third && tree.third.next == &tree.seventh &&
           tree.seventh.next == nullptr && tree.last == &tree.seventh;
}
static_assert(holds_in_the_compiler<is_in_order>());

constexpr bool is_nested(ordered_variables& tree) {
    auto& inner = tree.third;
    return tree.parent == nullptr && tree.members == 4 && inner.parent == &tree && inner.fifth.parent == &inner &&
           static_cast<descriptor::category&>(inner).first == &inner.fourth && inner.fourth.next == &inner.fifth &&
           static_cast<descriptor::category&>(inner.fifth).first == &inner.fifth.sixth;
}
static_assert(holds_in_the_compiler<is_nested>());

// Constant-initialised: the compiler refuses the word constinit otherwise.
constinit ordered_variables constant_tree{};

// Short names, then a long one and an array: g++ 12 evaluates a tree twice before it is sure of such a constant, and
// the second time must not find what the first has left.
struct hesitant_variables : mpit::category<"p2p"> {
    mpit::counter<> first{this, "a", "A short name"};
    mpit::counter<> second{this, "a_name_of_more_than_eight_characters", "A long name"};
    mpit::control<int[2]> third{this, "B", "An array"};
};
constexpr auto& hesitant = mpit::registered<hesitant_variables>;

struct attributed_variables : mpit::category<"attributes"> {
    mpit::control<int> plain{this, "PLAIN", ""};
    mpit::control<double> chosen{this,
                                 "CHOSEN",
                                 "Everything said",
                                 {.initial = {0.5, 0, 1},
                                  .environment = "ELSEWHERE",
                                  .scope = mpit::scope::all_equal,
                                  .verbosity = mpit::verbosity::developer_all}};
    mpit::control<lamp> light{this, "LIGHT", "A lamp", {.initial = lamp::on}};
    mpit::control<char[8]> text{this, "TEXT", "A text"};
    mpit::control<long[3]> array{this, "ARRAY", "Three numbers"};
    mpit::control<int, MPI_ABI_Win*> bound{this, "BOUND", "A window's"};
    mpit::control_ref<int> reference{this, "REFERENCE", "Kept elsewhere", {.storage = &adopted}};
    mpit::counter<> counter{this, "counter", "Events"};
    mpit::counter<> readonly{this, "readonly", "Events", {.readonly = true}};
    mpit::counter<> not_atomic{this, "not_atomic", "Events", {.atomic = false}};
    mpit::timer_of<unsigned> continuous{this, "continuous", "nanoseconds", {.continuous = true}};
    mpit::state<lamp> state{this, "light", "A lamp"};
    mpit::level<double[2]> levels{this, "levels", "Two levels"};
    mpit::generic<mpit::count> generic{this, "generic", "A number", {.initial = -4}};
    mpit::computed<performance_class::size, unsigned> computed{this, "open", "Open files", {.value = &open_files}};
};
constinit attributed_variables attributes{};

// The same name for everything that may have the same name.
struct sharing_variables : mpit::category<"queue"> {
    mpit::control<int> control{this, "queue", "A limit"};
    mpit::level<unsigned> level{this, "queue", "A level"};
    mpit::size<unsigned> size{this, "queue", "A size"};
    mpit::high_watermark<unsigned> highest{this, "queue", "A mark", {.of = &level}};
    mpit::low_watermark<unsigned> lowest{this, "queue", "A mark", {.of = &level}};
    mpit::counter<> counter{this, "queue", "A counter"};
};
constinit sharing_variables sharing{};

std::vector<std::string> names_of(const descriptor::category& in) {
    std::vector<std::string> names;
    for (const descriptor::item* at = in.first; at != nullptr; at = at->next) names.emplace_back(at->name.characters);
    return names;
}

// The table of the standard: U stands for the three unsigned types, D for double, I for int, E for an enumeration.
template <class T> constexpr bool is_legal(performance_class in) {
    constexpr bool is_unsigned =
        __is_same(T, unsigned) || __is_same(T, unsigned long) || __is_same(T, unsigned long long);
    constexpr bool is_double = __is_same(T, double);
    switch (in) {
    case performance_class::state: return __is_same(T, lamp);
    case performance_class::percentage: return is_double;
    case performance_class::counter: return is_unsigned;
    case performance_class::level:
    case performance_class::size:
    case performance_class::aggregate:
    case performance_class::timer: return is_unsigned || is_double;
    case performance_class::generic: return true;
    default: return false; // watermarks are never computed
    }
}
template <class T, performance_class... Class> constexpr bool is_as_in_the_table() {
    return ((mpit::internal::is_type_of_class<Class, T>() == is_legal<T>(Class)) && ...);
}
template <class... T> constexpr bool are_as_in_the_table() {
    using enum performance_class;
    return (is_as_in_the_table<T, state, level, size, percentage, high_watermark, low_watermark, counter, aggregate,
                               timer, generic>() &&
            ...);
}
static_assert(are_as_in_the_table<int, unsigned, unsigned long, unsigned long long, double, mpit::exact<std::int32_t>,
                                  mpit::exact<std::int64_t>, mpit::exact<std::uint32_t>, mpit::exact<std::uint64_t>,
                                  mpit::count, lamp>());

template <class T> constexpr datatype type_of = mpit::core::datatype_of<T>();
static_assert(type_of<int> == datatype::int_type && type_of<lamp> == datatype::int_type);
static_assert(type_of<unsigned> == datatype::unsigned_type && type_of<unsigned long> == datatype::unsigned_long_type);
static_assert(type_of<unsigned long long> == datatype::unsigned_long_long_type);
static_assert(type_of<double> == datatype::double_type);
static_assert(type_of<long> == datatype::int64_type && type_of<long long> == datatype::int64_type);
static_assert(type_of<mpit::exact<std::int32_t>> == datatype::int32_type);
static_assert(type_of<mpit::exact<std::int64_t>> == datatype::int64_type);
static_assert(type_of<mpit::exact<std::uint32_t>> == datatype::uint32_type);
static_assert(type_of<mpit::exact<std::uint64_t>> == datatype::uint64_type);
static_assert(type_of<mpit::count> == datatype::count_type);

} // namespace

TEST_CASE("The compiler links the members of a category in the order of their declaration", "[CAT-10]") {
    CHECK(names_of(constant_tree) == std::vector<std::string>{"a", "A_CONTROL_VARIABLE", "inner", "D"});
    CHECK(is_in_order(constant_tree));
}

TEST_CASE("A tree holds each of its members once, however often the compiler has to evaluate it") {
    CHECK(names_of(hesitant) == std::vector<std::string>{"a", "a_name_of_more_than_eight_characters", "B"});
}

TEST_CASE("A category inside another one is its member, and its own members are not", "[CAT-02][CAT-13]") {
    CHECK(names_of(constant_tree.third) == std::vector<std::string>{"B", "an_innermost_category"});
    CHECK(names_of(constant_tree.third.fifth) == std::vector<std::string>{"c"});
    CHECK(is_nested(constant_tree));
}

TEST_CASE("Different kinds of things, and performance variables of different classes, may share a name",
          "[CVAR-05][PVAR-05]") {
    CHECK(names_of(sharing) == std::vector<std::string>(6, "queue"));
}

TEST_CASE("A setting that a declaration leaves out has its default", "[VERB-04][CVAR-06][PVAR-08][PVAR-09][PVAR-10]") {
    const auto& control = attributes.plain;
    CHECK(control.verbosity == mpit::verbosity::user_basic);
    CHECK(control.binding == mpit::binding::none);
    CHECK(control.scope == mpit::scope::local);
    CHECK(control.environment == std::string("PLAIN"));
    CHECK(control.count == 1);
    const auto& performance = attributes.counter;
    CHECK(performance.verbosity == mpit::verbosity::user_basic);
    CHECK_FALSE(performance.readonly);
    CHECK_FALSE(performance.continuous);
    CHECK(performance.descriptor::performance::atomic);
}

TEST_CASE("A variable carries the attributes that its declaration gives", "[CVAR-06][PVAR-08][PVAR-09][PVAR-10]") {
    CHECK(attributes.chosen.verbosity == mpit::verbosity::developer_all);
    CHECK(attributes.chosen.scope == mpit::scope::all_equal);
    CHECK(attributes.chosen.environment == std::string("ELSEWHERE"));
    CHECK(attributes.bound.binding == mpit::binding::window);
    CHECK(attributes.readonly.descriptor::performance::readonly);
    CHECK_FALSE(attributes.readonly.descriptor::performance::atomic);
    CHECK_FALSE(attributes.not_atomic.descriptor::performance::atomic);
    CHECK_FALSE(attributes.not_atomic.descriptor::performance::readonly);
    CHECK(attributes.continuous.descriptor::performance::continuous);
    CHECK(attributes.generic.starting_word == std::uint64_t(-4));
}

TEST_CASE("A variable has one of the eleven types, and as many elements as its array", "[DT-01][CVAR-11]") {
    CHECK((attributes.chosen.type == datatype::double_type && attributes.chosen.count == 1));
    CHECK((attributes.text.type == datatype::char_type && attributes.text.count == 8));
    CHECK((attributes.array.type == datatype::int64_type && attributes.array.count == 3));
    CHECK((attributes.reference.type == datatype::int_type && attributes.reference.count == 1));
    CHECK((attributes.levels.type == datatype::double_type && attributes.levels.count == 2));
    CHECK((attributes.continuous.type == datatype::unsigned_type && attributes.continuous.count == 1));
    CHECK((attributes.computed.type == datatype::unsigned_type &&
           attributes.computed.variable_class == performance_class::size));
}

TEST_CASE("Only a variable of an enumeration type has an enumeration, and its type is int", "[DT-07][PCLASS-02]") {
    for (const descriptor::item* at = attributes.first; at != nullptr; at = at->next) {
        const auto& variable = static_cast<const descriptor::variable&>(*at);
        const bool is_lamp = at == &attributes.light || at == &attributes.state;
        CHECK(variable.enumeration.count == (is_lamp ? 2 : 0));
        if (is_lamp) CHECK(variable.type == datatype::int_type);
    }
}

TEST_CASE("A class of computed variables admits the types of the standard's table and no others", "[PCLASS-15]") {
    CHECK(are_as_in_the_table<int, unsigned, double, mpit::count, lamp>());
}

TEST_CASE("An empty category has no members") {
    static constinit struct : mpit::category<"empty"> {
    } empty{};
    CHECK(empty.members == 0);
    CHECK(empty.first == nullptr);
}
