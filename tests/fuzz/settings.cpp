// Settings from outside under any bytes: an input is lines of a file and values for control variables of each kind.
// What is refused changes nothing; what is taken is spelled so that it is taken again, as the same value. With
// libFuzzer, in the folder of the project:
//
//   clang++-19 -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Iinclude tests/fuzz/settings.cpp -o build/fuzz
#include "bytes.hpp"

#include <mpit/mpit.hpp> // first: it turns off the warnings of the headers that it includes

#include <mpit/config/file.hpp>
#include <mpit/config/value_text.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

enum class colour { red = -5, green = 100 };

} // namespace
template <>
inline constexpr auto mpit::enumeration_of<colour> =
    mpit::enumerators<colour>("colour", {{"red", colour::red}, {"green", colour::green}});
namespace {

struct settled : mpit::category<"settled", "Takes values from outside"> {
    mpit::control<int> ranged{this, "S_RANGED", "", {.initial = {5, -9, 9}}};
    mpit::control<int> whole{this, "S_WHOLE", ""};
    mpit::control<unsigned long> size{this, "S_SIZE", "", {.unit = mpit::unit::bytes}};
    mpit::control<mpit::exact<std::int64_t>> wide{this, "S_WIDE", ""};
    mpit::control<double> real{this, "S_REAL", "", {.initial = {1, -1e300, 1e300}}};
    mpit::control<bool> on{this, "S_ON", ""};
    mpit::control<colour> chosen{this, "S_COLOUR", "", {.initial = colour::red}};
    mpit::control<char[8]> name{this, "S_NAME", ""};
    mpit::control<unsigned[3]> list{this, "S_LIST", ""};
    mpit::control<double[2]> reals{this, "S_REALS", ""};
};
settled all;

// How often lines were read and refused, and values taken and refused.
long lines_read = 0, lines_refused = 0, values_taken = 0, values_refused = 0;

void demand(bool holds, const char* promise) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", promise);
    std::abort();
}

// A text in memory of its very size, so that a sanitizer sees each byte too far.
class exact_text {
public:
    explicit exact_text(const std::string& text) : size_{text.size()}, characters_{new char[size_ + 1]} {
        std::memcpy(characters_.get(), text.c_str(), size_ + 1);
    }
    char* begin() const { return characters_.get(); }
    char* end() const { return begin() + size_; }
    mpit::core::text text() const { return {begin(), static_cast<std::uint32_t>(size_)}; }

private:
    std::size_t size_;
    std::unique_ptr<char[]> characters_;
};

std::string copy_of(mpit::core::text text) { return {text.characters, text.length}; }
std::string quoted(const std::string& value) {
    std::string made = "\"";
    for (const char each : value) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(each)));
        made += escape;
    }
    return made + '"';
}

void read_line(const std::string& line) {
    using mpit::registry::line_error;
    const exact_text written{line};
    mpit::registry::configuration_line read;
    const line_error wrong = read.read(written.begin(), written.end());
    demand(wrong == line_error::none || wrong == line_error::no_setting || *mpit::registry::to_string(wrong) != '\0',
           "an error has words");
    (wrong == line_error::none ? lines_read : lines_refused)++;
    if (wrong != line_error::none) return;
    demand(read.name.characters[read.name.length] == '\0' && read.value.characters[read.value.length] == '\0',
           "texts end in nulls");
    const std::string name = copy_of(read.name), value = copy_of(read.value);
    demand(value.find('\0') == std::string::npos, "no text has a null inside");
    const exact_text again{name + " = " + quoted(value) + " # a comment"};
    mpit::registry::configuration_line reread;
    demand(reread.read(again.begin(), again.end()) == line_error::none, "a name and a quoted value are a line");
    demand(copy_of(reread.name) == name && copy_of(reread.value) == value, "the line has the same name and value");
}

std::vector<mpit::descriptor::control*> controls() {
    std::vector<mpit::descriptor::control*> found;
    mpit::descriptor::for_each_item(
        all, [&](mpit::descriptor::item& each) { found.push_back(&static_cast<mpit::descriptor::control&>(each)); });
    return found;
}
std::string present_value(mpit::descriptor::control& of) {
    char buffer[256];
    mpit::registry::text_buffer room{buffer, sizeof buffer};
    demand(
        mpit::registry::use_value(of, false, [&](const void* value) { mpit::registry::format_value(of, value, room); }),
        "a variable has a value");
    demand(room.length() < sizeof buffer, "there is room for its text");
    return buffer;
}
void give_value(mpit::descriptor::control& to, const std::string& value) {
    using mpit::descriptor::apply_result;
    const exact_text written{value};
    const std::string before = present_value(to);
    const apply_result answer = to.operations->parse(to, written.text(), false);
    const std::string after = present_value(to);
    (answer == apply_result::stored ? values_taken : values_refused)++;
    if (answer != apply_result::stored) return demand(before == after, "what is refused changes nothing");
    const exact_text spelled{after};
    demand(to.operations->parse(to, spelled.text(), false) == apply_result::stored,
           "a value is spelled as it is taken");
    demand(present_value(to) == after, "and is the same value then");
}

// Words and signs that random bytes seldom make.
std::string piece(bytes& in) {
    static constexpr const char* words[] = {
        "=",     " = ",    "\"",   "\\x41", "\\x00", "\\n",   "#",   " # ",
        ",",     "-",      "+",    ".",     "e",     "0x",    "1",   "99999999999999999999",
        "k",     "MiB",    "true", "off",   "red",   "green", "inf", "nan",
        "1e308", "S_NAME", "\t",   "\r"};
    return in.one_in(3) ? in.text(12) : words[in.number(static_cast<unsigned>(sizeof words / sizeof *words))];
}

} // namespace

bool has_reached_every_function() {
    std::printf("%ld lines read, %ld refused; %ld values taken, %ld refused\n", lines_read, lines_refused, values_taken,
                values_refused);
    return lines_read > 0 && lines_refused > 0 && values_taken > 0 && values_refused > 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<mpit::descriptor::control*> known = controls();
    bytes in{data, size};
    while (!in.is_empty()) {
        const unsigned choice = in.byte();
        std::string text = in.one_in(2) ? in.text(80) : "";
        for (unsigned pieces = in.number(6); pieces > 0; pieces--) text += piece(in);
        // Few lines of random pieces are settings.
        if (choice % 4 == 0) read_line("S_NAME = \"" + text + "\"");
        else if (choice % 2 == 0) read_line(text);
        else give_value(*known[choice / 2 % known.size()], text);
    }
    return 0;
}
