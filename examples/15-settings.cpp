// Lesson 15: the source of a value.
//
// A control variable takes its value from outside: a configuration file, the environment, the command line, an info
// object, and at last a tool. The strongest source counts that has a value which the variable can have; a refused value
// is reported with its place, and the next source is used. A former name still works, with one report.
//
//   15-settings [--mpit NAME=VALUE]...
#include <mpit/mpit.hpp>
#include <mpit/settings.hpp>
#include <mpit/tool.hpp>

#include <cstdio>
#include <cstdlib>
#include <sstream>

enum class algorithm { ring, tree, linear };
template <>
inline constexpr auto mpit::enumeration_of<algorithm> = mpit::enumerators<algorithm>(
    "algorithm", {{"ring", algorithm::ring}, {"tree", algorithm::tree}, {"linear", algorithm::linear}});

struct bakery_variables : mpit::category<"bakery", "A bakery that is told how to bake"> {
    mpit::control<int> ovens{this, "BAKERY_OVENS", "Ovens that burn", {.initial = {2, 1, 8}}};
    mpit::control<double> heat{this, "BAKERY_HEAT", "Of each oven, in degrees", {.initial = {230, 20, 300}}};
    mpit::control<char[32]> flour{this, "BAKERY_FLOUR", "What the bread is of", {.initial = "rye"}};
    mpit::control<algorithm> round{
        this, "BAKERY_ROUND", "The way of the cart", {.initial = algorithm::tree, .renamed_from = "BAKERY_CART"}};
    mpit::control<int[2]> hours{this, "BAKERY_HOURS", "First and last hour", {.initial = {4, 12}}};
};
constexpr auto& bakery = mpit::registered<bakery_variables>;

template <class Write> static std::string text_of(Write write) {
    char text[200];
    write(text, sizeof text);
    return text;
}

static void show() {
    const mpit::tool::library<> index;
    std::printf("%-14s %-14s %-10s %-14s %s\n", "variable", "value", "declared", "from", "place");
    for (const auto& each : index.controls()) {
        const mpit::tool::variable_view v = mpit::tool::control_at(each.number);
        std::printf("%-14s %-14s %-10s %-14s %s\n", each.name.c_str(),
                    text_of([&](char* to, std::size_t size) { v.format_value(to, size); }).c_str(),
                    text_of([&](char* to, std::size_t size) { v.format_default(to, size); }).c_str(),
                    name_of(v.origin()),
                    text_of([&](char* to, std::size_t size) { v.format_place(to, size); }).c_str());
    }
}

// An example of a configuration file.
static void write_file(const char* name) {
    std::FILE* file = std::fopen(name, "w");
    if (file == nullptr) return;
    std::fputs("# for the night\n"
               "BAKERY_OVENS = 9        # more than there are\n"
               "BAKERY_FLOUR = \"wheat and rye\"\n"
               "BAKERY_CART = ring\n"
               "BAKERY_HOURS = 22, 6\n"
               "BAKERY_HAET = 250\n",
               file);
    std::fclose(file);
}

int main(int argc, char** argv) {
    mpit::set_report_handler([](const char* line) { std::printf("  %s\n", line); });
    write_file("bakery.conf");
    std::printf("What is said of the file, and of the command line:\n");
    mpit::settings_result read = mpit::read_configuration("bakery.conf");
    char program[] = "15-settings", option[] = "--mpit", setting[] = "BAKERY_HEAT=245.5";
    char* instead[] = {program, option, setting, nullptr};
    int count = 3;
    read = argc > 1 ? mpit::take_arguments(argc, argv) : mpit::take_arguments(count, instead);
    if (read.code != mpit::result::success || mpit::report_unused_settings() != 1) return 1;

    std::printf("\n");
    show();

    // As a configuration file again; the comments, with descriptions, types and the declared values, are left out here.
    std::string file;
    const bool is_written =
        mpit::write_configuration_to([&](mpit::core::text piece) { file.append(piece.characters, piece.length); });
    std::printf("\nAs a configuration file:\n");
    std::istringstream lines{file};
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] != '#') std::printf("%s\n", line.c_str());
    std::remove("bakery.conf");
    return is_written ? 0 : 1;
}
