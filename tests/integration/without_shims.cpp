// A program in which nobody serves tools: a value in the environment that cannot be used is told in one line, and not
// once more by a library with the tool interface that is loaded later.
#include "../reports_at_load.hpp"
#include "beside_program.hpp"

#include <mpit/mpit.hpp>

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

namespace {

struct roofless_variables : mpit::category<"roofless", "In a program without the tool interface"> {
    mpit::control<int> number{this, "W_NUMBER", "", {.initial = 5}};
    mpit::control<int> right{this, "W_RIGHT", "", {.initial = 5}};
    mpit::control<double> real{this, "W_REAL", "", {.initial = 0.5}};
    mpit::control<char[4]> text{this, "W_TEXT", "", {.initial = "x"}};
    mpit::control<int> constant{this, "W_CONSTANT", "", {.initial = 5, .scope = mpit::scope::constant}};
    mpit::control<int> renamed{this, "W_RENAMED", "", {.initial = 5, .renamed_from = "W_FORMER"}};
};
constexpr auto& variables = mpit::registered<roofless_variables>;

constexpr const char* expected =
    "W_NUMBER in the environment is not accepted: the control variable W_NUMBER accepts a whole number in its range "
    "and keeps its value\n"
    "W_REAL in the environment is not accepted: the control variable W_REAL accepts a number in "
    "its range and keeps its value\n"
    "W_TEXT in the environment is not accepted: the control variable W_TEXT accepts a "
    "shorter text and keeps its value\n"
    "W_CONSTANT in the environment is not accepted: the control variable W_CONSTANT "
    "accepts no settings and keeps its value\n"
    "W_FORMER in the environment is not accepted: the control variable "
    "W_RENAMED accepts a whole number in its range and keeps its value\n";

int failures = 0;
void expect(bool is_true, const char* what) {
    if (is_true) return;
    failures++;
    std::printf("not so: %s\n%s", what, lines);
}

} // namespace

int main() {
    expect(variables.number == 5 && variables.right == 7 && variables.constant == 5 && variables.renamed == 5,
           "what cannot be used leaves the declared value");
    expect(std::strcmp(lines, expected) == 0, "each value that cannot be used is told in one line");
    lines[0] = '\0';
    void* const tool = dlopen(beside_program("tool").c_str(), RTLD_NOW);
    expect(tool != nullptr, "a library with the tool interface is loaded");
    expect(mpit::registry::the_registry()->pending_trees.registrars.load() != nullptr,
           "it looks after the variables of the program");
    expect(std::strstr(lines, "W_FORMER=x in the environment uses a former name of the control variable W_RENAMED") ==
               lines,
           "it tells what the program could not");
    expect(std::strstr(lines, "W_NUMBER") == nullptr && std::strstr(lines, "W_REAL") == nullptr,
           "it says nothing twice");
    return failures != 0;
}
