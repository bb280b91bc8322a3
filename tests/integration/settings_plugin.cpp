// A library that reads settings for the whole process, and has a variable of its own.
#include <mpit/mpit.hpp>
#include <mpit/settings.hpp>

namespace {

struct reader_variables : mpit::category<"settings_reader", "Loaded at run time"> {
    mpit::control<int> limit{this, "reader_limit", "A number", {.initial = 5}};
};
constexpr auto& variables = mpit::registered<reader_variables>;

} // namespace

extern "C" [[gnu::visibility("default")]] int plugin_read(const char* file) {
    return mpit::read_configuration(file).settings;
}
extern "C" [[gnu::visibility("default")]] int plugin_limit() { return variables.limit; }
