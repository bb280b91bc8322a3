// Adopted variables whose initializers run after the tree was loaded, or before it, in the order in which the files
// were linked: values from the environment win where the library resolves them, and are told where it does not.
#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>

#include <cstdio>
#include <cstring>
#include <string>

extern int late_lost, late_kept, late_unset;
extern double late_real;
extern unsigned long late_refused;

struct lost_variables : mpit::category<"late_lost", "Never resolved"> {
    mpit::control_ref<int> lost{this, "LATE_LOST", "", {.storage = &late_lost}};
    mpit::control_ref<int> unset{this, "LATE_UNSET", "", {.storage = &late_unset}};
};
struct kept_variables : mpit::category<"late_kept", "Resolved by its library"> {
    mpit::control_ref<int> kept{this, "LATE_KEPT", "", {.storage = &late_kept}};
    mpit::control_ref<double> real{this, "LATE_REAL", "", {.storage = &late_real}};
    mpit::control_ref<unsigned long> refused{this, "LATE_REFUSED", "", {.storage = &late_refused, .range = {1, 9}}};
};
constexpr auto& lost = mpit::registered<lost_variables>;
constexpr auto& kept = mpit::registered<kept_variables>;

namespace {

int failures = 0;
void expect(bool is_true, const char* what) {
    if (is_true) return;
    failures++;
    std::printf("not so: %s\n", what);
}
std::string lines;
void keep_line(const char* line) { lines += std::string{line} + "\n"; }

// Value, origin, declared value and whether they differ.
std::string said_of(const char* name) {
    int number = -1;
    if (MPI_T_cvar_get_index(name, &number) != MPI_SUCCESS) return "unknown";
    const mpit::tool::variable_view of = mpit::tool::control_at(number);
    char value[64], declared[64];
    of.format_value(value, sizeof value);
    of.format_default(declared, sizeof declared);
    return std::string{value} + (of.origin() == mpit::origin::environment ? " environment " : " library ") + declared +
           (of.is_changed() ? " changed" : "");
}

} // namespace

int main(int, char** arguments) {
    const bool is_linked_first = std::strcmp(arguments[1], "first") == 0; // the file with the values
    mpit::set_report_handler(&keep_line);
    expect(late_lost == (is_linked_first ? 7 : 65536), "the later one of the two has set the variable");
    mpit::resolve<kept_variables>();
    expect(late_kept == 7 && late_real == 1.5, "a library that resolves its values reads those of the environment");
    expect(late_refused == 3, "a value that cannot be used leaves what the library has assigned");

    int provided = 0;
    expect(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "a tool comes");
    expect(said_of("LATE_LOST") == (is_linked_first ? "7 environment 65536 changed" : "65536 library 65536"),
           "a tool is told who has set the value that is there");
    expect(said_of("LATE_UNSET") == "65536 library 65536", "what nobody has set from outside is not changed");
    expect(said_of("LATE_KEPT") == "7 environment 65536 changed", "what was resolved is from the environment");
    expect(said_of("LATE_REAL") == "1.5 environment 0.5 changed", "and so is a number of another type");
    expect(said_of("LATE_REFUSED") == "3 library 3", "what was refused is the library's");
    const std::string said =
        "LATE_LOST=7 in the environment is not in effect: the library has assigned 65536 to LATE_LOST";
    expect(lines.find(said) == (is_linked_first ? std::string::npos : 0), "a value that is lost is said, and no other");
    expect(lines.find("LATE_KEPT") == std::string::npos, "a value that was resolved is not said");
    lines.clear();
    expect(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "a second tool comes");
    expect(lines.empty(), "it is said once");
    if (failures != 0) std::printf("%s", lines.c_str());
    return failures != 0;
}
