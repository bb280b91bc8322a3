// Control variables as values of C++, through the reader's handles.
#include "reader.hpp"

// The values of colour under other names.
enum class paint { crimson = -5, lime = 100, navy = 7 };
template <>
inline constexpr auto mpit::enumeration_of<paint> =
    mpit::enumerators<paint>("paint", {{"crimson", paint::crimson}, {"lime", paint::lime}, {"navy", paint::navy}});

namespace {

using mpit::result;
using mpit::tool::any_value;
auto& variables = mpit::registered<everything>.controls;

} // namespace

FOR_EACH_INTERFACE("A handle reads and writes a number of each type") {
    const mpit::tool::library<TestType> interface;
    const auto holds = [&](const char* name, auto number) {
        using number_type = decltype(number);
        auto handle = interface.template control<number_type>(name);
        CHECK(handle.write(number) == result::success);
        return handle.read() == number;
    };
    CHECK(holds("C_INT", -3));
    CHECK(holds("C_UNSIGNED", ~0u));
    CHECK(holds("C_UNSIGNED_LONG", ~0ul));
    CHECK(holds("C_UNSIGNED_LONG_LONG", ~0ull));
    CHECK(holds("C_DOUBLE", 1e-300));
    CHECK(holds("C_INT32", mpit::exact<std::int32_t>{-7}));
    CHECK(holds("C_INT64", INT64_MIN));
    CHECK(holds("C_UINT32", mpit::exact<std::uint32_t>{UINT32_MAX}));
    CHECK(holds("C_UINT64", mpit::exact<std::uint64_t>{UINT64_MAX}));
    CHECK(holds("C_COUNT", mpit::count{-1}));
    CHECK(variables.plain == -3);
}

FOR_EACH_INTERFACE("Types of one size and kind hold each other's values") {
    const mpit::tool::library<TestType> interface;
    variables.of_unsigned_long = 12;
    CHECK(interface.template control<unsigned long long>("C_UNSIGNED_LONG").read() == 12);
    CHECK(interface.template control<mpit::exact<std::uint64_t>>("C_UNSIGNED_LONG").read().has_value());
    variables.plain = -12;
    CHECK(interface.template control<mpit::exact<std::int32_t>>("C_INT").read().has_value());
    variables.enumerated = colour::blue;
    CHECK(interface.template control<int>("C_COLOUR").read() == 7);
}

FOR_EACH_INTERFACE("A variable of another type is refused when the handle is made, and is never read") {
    const mpit::tool::library<TestType> interface;
    CHECK(interface.template control<unsigned>("C_INT").answer() == result::wrong_type);
    CHECK(interface.template control<long>("C_INT").answer() == result::wrong_type);
    CHECK(interface.template control<double>("C_UNSIGNED_LONG").answer() == result::wrong_type);
    CHECK(interface.template control<unsigned long>("C_DOUBLE").answer() == result::wrong_type);
    CHECK(interface.template control<std::string>("C_INT").answer() == result::wrong_type);
    CHECK(interface.template control<int>("C_TEXT").answer() == result::wrong_type);
    CHECK(interface.template control<bool>("C_INT").answer() == result::wrong_type);
    CHECK(interface.template control<lamp>("C_COLOUR").answer() == result::wrong_type);
    CHECK(interface.template control<paint>("C_COLOUR").answer() == result::wrong_type);
    auto handle = interface.template control<double>("C_INT");
    CHECK(!handle);
    CHECK(!handle.read().has_value());
    CHECK(handle.write(1.0) == result::wrong_type);
}

FOR_EACH_INTERFACE("A variable with another number of elements is refused") {
    const mpit::tool::library<TestType> interface;
    CHECK(interface.template control<int>("C_ARRAY").answer() == result::wrong_count);
    CHECK(interface.template control<std::array<int, 3>>("C_ARRAY").answer() == result::wrong_count);
    CHECK(interface.template control<std::array<int, 5>>("C_ARRAY").answer() == result::wrong_count);
    CHECK(interface.template control<std::array<unsigned, 4>>("C_ARRAY").answer() == result::wrong_type);
}

FOR_EACH_INTERFACE("Arrays and vectors have the elements of the variable") {
    const mpit::tool::library<TestType> interface;
    auto array = interface.template control<std::array<int, 4>>("C_ARRAY");
    CHECK(array.write({-1, 2, -3, 4}) == result::success);
    auto vector = interface.template control<std::vector<int>>("C_ARRAY");
    CHECK(vector.read() == std::vector<int>{-1, 2, -3, 4});
    CHECK(vector.write({1, 2, 3}) == result::wrong_count);
    CHECK(vector.write({1, 2, 3, 4, 5}) == result::wrong_count);
    CHECK(vector.write({5, 6, 7, 8}) == result::success);
    CHECK(array.read() == std::array<int, 4>{5, 6, 7, 8});
}

FOR_EACH_INTERFACE("An enumeration is read as its own type, and named") {
    const mpit::tool::library<TestType> interface;
    variables.enumerated = colour::green;
    auto handle = interface.template control<colour>("C_COLOUR");
    CHECK(handle.read() == colour::green);
    CHECK(handle.write(colour::red) == result::success);
    CHECK(variables.enumerated == colour::red);
    CHECK(*handle.facts().enumeration.name_of(-5) == "red");
    CHECK(handle.facts().enumeration.name_of(6) == nullptr);
    CHECK(handle.facts().enumeration.value_of("blue") == 7);
    CHECK(!handle.facts().enumeration.value_of("violet").has_value());
}

FOR_EACH_INTERFACE("A text is a string, and one that is too long is refused whole") {
    const mpit::tool::library<TestType> interface;
    auto handle = interface.template control<std::string>("C_TEXT");
    CHECK(handle.write("a longer text") == result::success);
    CHECK(handle.read() == "a longer text");
    CHECK(handle.write("") == result::success);
    CHECK(handle.read() == "");
    CHECK(handle.write(std::string(31, 'x')) == result::success);
    CHECK(handle.read() == std::string(31, 'x'));
    CHECK(handle.write(std::string(32, 'y')) == result::wrong_count);
    CHECK(handle.read() == std::string(31, 'x'));
}

FOR_EACH_INTERFACE("A value of any type loses neither sign nor fraction") {
    const mpit::tool::library<TestType> interface;
    const auto text_of = [&](const char* name) {
        auto handle = interface.template control<any_value>(name);
        REQUIRE(handle.answer() == result::success);
        return mpit::tool::text_of(*handle.read(), handle.facts().enumeration);
    };
    variables.plain = -1;
    variables.of_unsigned_long = ~0ul;
    variables.of_double = 0.1;
    variables.enumerated = colour::red;
    CHECK(interface.template control<std::string>("C_TEXT").write("text") == result::success);
    CHECK(interface.template control<std::array<int, 4>>("C_ARRAY").write({-1, 0, 1, 2}) == result::success);
    CHECK(text_of("C_INT") == "-1");
    CHECK(text_of("C_UNSIGNED_LONG") == "18446744073709551615");
    CHECK(text_of("C_DOUBLE") == "0.1");
    CHECK(text_of("C_COLOUR") == "red");
    CHECK(text_of("C_TEXT") == "text");
    CHECK(text_of("C_ARRAY") == "-1 0 1 2");
}

FOR_EACH_INTERFACE("A value of any type is written where it is of the variable's kind") {
    const mpit::tool::library<TestType> interface;
    using signed_numbers = std::vector<std::int64_t>;
    using real_numbers = std::vector<double>;
    auto number = interface.template control<any_value>("C_INT");
    CHECK(number.write(signed_numbers{-9}) == result::success);
    CHECK(variables.plain == -9);
    CHECK(number.write(real_numbers{1.5}) == result::wrong_count);
    CHECK(number.write(signed_numbers{1, 2}) == result::wrong_count);
    CHECK(number.write(std::string{"9"}) == result::wrong_count);
    CHECK(variables.plain == -9);
    auto text = interface.template control<any_value>("C_TEXT");
    CHECK(text.write(std::string{"any"}) == result::success);
    CHECK(text.read() == any_value{std::string{"any"}});
    CHECK(text.write(signed_numbers{1}) == result::wrong_count);
    auto array = interface.template control<any_value>("C_ARRAY");
    CHECK(array.write(signed_numbers{4, 3, 2, -1}) == result::success);
    CHECK(array.read() == any_value{signed_numbers{4, 3, 2, -1}});
}

FOR_EACH_INTERFACE("Objects are given by value, where a variable has one and nowhere else") {
    const mpit::tool::library<TestType> interface;
    const auto first = handle_number<communicator>(0x1001), second = handle_number<communicator>(0x1003);
    mpit::created(all, first);
    mpit::created(all, second);
    auto one = interface.template control<int>("C_BOUND", first),
         other = interface.template control<int>("C_BOUND", second);
    CHECK(one.write(11) == result::success);
    CHECK(other.write(22) == result::success);
    CHECK(one.read() == 11);
    CHECK(interface.template control<std::vector<int>>("C_BOUND_ARRAY", second).count() == 3);
    CHECK(interface.template control<int>("C_BOUND").answer() == result::invalid_handle);
    CHECK(interface.template control<int>("C_INT", first).answer() == result::invalid_handle);
    CHECK(interface.template control<int>("C_BOUND", handle_number<communicator>(0x2222)).answer() ==
          result::invalid_handle);
    mpit::freed(all, first);
    CHECK(!one.read().has_value());
    CHECK(other.read() == 22);
    mpit::freed(all, second);
}

FOR_EACH_INTERFACE("A name that nothing has, and a write that is refused, are answered in words") {
    const mpit::tool::library<TestType> interface;
    auto missing = interface.template control<int>("C_MISSING");
    CHECK(missing.answer() == result::invalid_name);
    CHECK(std::string{to_string(missing.answer())} == "there is no item of this kind and name");
    CHECK(interface.template control<int>("C_CONSTANT").write(1) == result::cannot_set_ever);
    CHECK(interface.template control<int>("C_RANGED").write(101) == result::invalid);
    phase_is_open = false;
    CHECK(interface.template control<int>("C_PHASE").write(1) == result::cannot_set_now);
}

FOR_EACH_INTERFACE("A handle works as long as it is there, whatever became of the library that made it") {
    std::optional<mpit::tool::library<TestType>> interface{std::in_place};
    auto handle = interface->template control<int>("C_INT");
    auto session = interface->session();
    interface.reset();
    CHECK(handle.write(77) == result::success);
    auto moved = std::move(handle);
    CHECK(moved.read() == 77);
    CHECK(!handle.read().has_value());
    CHECK(session.answer() == result::success);
}

FOR_EACH_INTERFACE("A handle that was moved ends once, and ends nothing of others") {
    const mpit::tool::library<TestType> interface;
    {
        auto handle = interface.template control<int>("C_INT");
        const auto moved = std::move(handle);
        CHECK(moved.answer() == result::success);
    }
    CHECK(interface.count(mpit::tool::kind::control) > 0);
    CHECK(interface.template control<int>("C_INT").read().has_value());
}
