# The sources that are compiled: trees of 1000 variables and of 100 events, and the same variables as a library would keep
# them without mpit.
#     sources.tree() + sources.REGISTERED

VARIABLES, VARIABLES_OF_A_CATEGORY = 1000, 25

# One of each kind after the other; {n} is a number that makes the name unique.
DECLARATIONS = [
    'mpit::control<int> limit_{n}{{this, "BENCH_EAGER_LIMIT_{n}", "Largest message sent at once, in bytes",'
    ' {{.initial = {{4096, 0, 1 << 20}}, .verbosity = mpit::verbosity::tuner_basic}}}};',
    'mpit::counter<> messages_{n}{{this, "messages_sent_{n}", "Messages that a send was called for"}};',
    'mpit::level<> queued_{n}{{this, "unexpected_queue_length_{n}", "Messages that nobody has asked for yet"}};',
    'mpit::high_watermark<> longest_{n}{{this, "unexpected_queue_longest_{n}", "Most messages nobody had asked for"}};',
    'mpit::timer waiting_{n}{{this, "time_waiting_{n}", "Seconds that threads waited for the end of a message"}};',
    'mpit::aggregate<> bytes_{n}{{this, "bytes_sent_{n}", "Bytes of the messages sent"}};',
    'mpit::control<double> pause_{n}{{this, "BENCH_BLOCK_SECONDS_{n}", "Longest sleep of a thread that waits"}};',
    'mpit::control<char[64]> device_{n}{{this, "BENCH_DEVICE_NAME_{n}", "Name of the device that is used"}};',
    'mpit::state<engine> engine_{n}{{this, "engine_state_{n}", "What the engine does"}};',
    'mpit::counter<unsigned long[4]> kinds_{n}{{this, "messages_by_size_{n}", "Messages, by their length"}};',
]
# The same variables as a library would keep them without mpit, with the attributes in one call each.
PLAIN = [
    ("int limit_{n} = 4096;", '"BENCH_EAGER_LIMIT_{n}", "Largest message sent at once, in bytes", &limit_{n}'),
    ("unsigned long messages_{n};", '"messages_sent_{n}", "Messages that a send was called for", &messages_{n}'),
    ("unsigned long queued_{n};",
     '"unexpected_queue_length_{n}", "Messages that nobody has asked for yet", &queued_{n}'),
    ("unsigned long longest_{n};",
     '"unexpected_queue_longest_{n}", "Most messages nobody had asked for", &longest_{n}'),
    ("double waiting_{n};", '"time_waiting_{n}", "Seconds that threads waited for the end of a message", &waiting_{n}'),
    ("unsigned long bytes_{n};", '"bytes_sent_{n}", "Bytes of the messages sent", &bytes_{n}'),
    ("double pause_{n};", '"BENCH_BLOCK_SECONDS_{n}", "Longest sleep of a thread that waits", &pause_{n}'),
    ("char device_{n}[64];", '"BENCH_DEVICE_NAME_{n}", "Name of the device that is used", &device_{n}'),
    ("int engine_{n};", '"engine_state_{n}", "What the engine does", &engine_{n}'),
    ("unsigned long kinds_{n}[4];", '"messages_by_size_{n}", "Messages, by their length", &kinds_{n}'),
]

# A payload with eight members, and an event with one of its own kind.
PAYLOAD = ("struct payload_{n} {{ int source; int tag; unsigned long bytes; double seconds; unsigned kind;"
           " unsigned long long sequence; long offset; int device; }};")
EVENT = ('mpit::event<payload_{n}> event_{n}{{this, "unexpected_message_{n}", "A message that nobody has asked for yet",'
         ' {{.verbosity = mpit::verbosity::tuner_basic}}}};')

TREE_HEAD = """#include <mpit/mpit.hpp>
enum class engine { idle, polling };
template <>
inline constexpr auto mpit::enumeration_of<engine> =
    mpit::enumerators<engine>("engine", {{"idle", engine::idle}, {"polling", engine::polling}});
"""
SMALL_TREE = """#include <mpit/mpit.hpp>
struct small_variables : mpit::category<"small_tree", "One variable"> {
    mpit::counter<> calls{this, "calls_made", "Calls made"};
};
inline constexpr auto& small = mpit::registered<small_variables>;
void call() { ++small.calls; }
"""
EXTERN_TREE = "extern template struct mpit::tree_holder<thousand_variables>;\n"
REGISTERED = "inline constexpr auto& thousand = mpit::registered<thousand_variables>;\n"
USE = "void call() { ++thousand.category_0.messages_1; }\n"
LOADS = """#include <mpit/module/registrar.hpp>
#include <cstdio>
#include <sys/resource.h>
static long page_faults() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}
int main() {
    const long faults_before = page_faults();
    const auto before = mpit::core::nanoseconds();
    mpit::registry::the_registry();
    const auto there = mpit::core::nanoseconds();
    mpit::descriptor::category& tree = mpit::tree_holder<thousand_variables>::held.tree;
    mpit::registry::load_tree(mpit::registry::the_registry(), tree, "thousand_variables");
    const auto after = mpit::core::nanoseconds();
    const long faults_after = page_faults();
    mpit::registry::open_to_tools(*mpit::registry::the_registry());
    const auto served = mpit::core::nanoseconds();
    std::printf("%llu %llu %llu %ld %ld %d\\n", static_cast<unsigned long long>(after - there),
                static_cast<unsigned long long>(after - before), static_cast<unsigned long long>(served - after),
                faults_after - faults_before, page_faults() - faults_after,
                mpit::registry::the_registry()->count(mpit::descriptor::kind::control) +
                    mpit::registry::the_registry()->count(mpit::descriptor::kind::performance));
}
"""


def tree(count=VARIABLES):
    """The struct of so many variables."""
    lines = ['struct thousand_variables : mpit::category<"thousand_variables", "All of them"> {']
    for category, first in enumerate(range(0, count, VARIABLES_OF_A_CATEGORY)):
        lines.append(f'struct : mpit::category<"thousand_category_{category}", "The category {category}"> {{')
        for number in range(first, min(first + VARIABLES_OF_A_CATEGORY, count)):
            lines.append("    " + DECLARATIONS[number % len(DECLARATIONS)].format(n=number))
        lines.append(f"}} category_{category}{{this}};")
    return TREE_HEAD + "\n".join(lines) + "\n};\n"


def events(count):
    """A struct of events, each with a payload of its own, and a raise of each."""
    return ("#include <mpit/mpit.hpp>\n"
            + "\n".join(PAYLOAD.format(n=n) for n in range(count))
            + '\nstruct some_events : mpit::category<"some_events", "All of them"> {\n'
            + "\n".join(EVENT.format(n=n) for n in range(count))
            + "\n};\ninline constexpr auto& some = mpit::registered<some_events>;\nvoid call() {\n"
            + "\n".join(f'    some.event_{n}({n}, 2, 3ul, 0.5, 4u, 5ull, 6l, 7);' for n in range(count))
            + "\n}\n")


def plain(count=VARIABLES):
    """The same as globals, with a call for each."""
    variables = [PLAIN[n % len(PLAIN)] for n in range(count)]
    return ("void register_variable(const char* category, const char* name, const char* description, void* storage,\n"
            "                       int kind, int type, int verbosity, int scope);\n"
            + "\n".join(declared.format(n=n) for n, (declared, _) in enumerate(variables))
            + "\nvoid register_all() {\n"
            + "\n".join(f'    register_variable("category_{n // VARIABLES_OF_A_CATEGORY}", {said.format(n=n)},'
                        f" {n % len(PLAIN)}, 1, 2, 3);" for n, (_, said) in enumerate(variables))
            + "\n}\n")


def plain_library():
    """The same as a library, which registers its variables while it is loaded."""
    names = [said.format(n=n).split(",")[0] for n, (_, said) in
             ((n, PLAIN[n % len(PLAIN)]) for n in range(VARIABLES))]
    return (plain() + "[[gnu::constructor]] static void at_load() { register_all(); }\n"
            "void unregister_variable(const char* name);\n[[gnu::destructor]] static void at_unload() {\n"
            + "\n".join(f"    unregister_variable({name});" for name in names) + "\n}\n")
