// Configuration files, line by line: what is a setting, what is none, and that nothing else comes of any bytes. Which
// value a control variable takes of all that were given to it: against a model that looks at all of them each time.
#include "../catch.hpp"
#include "../temporary_file.hpp"
#include "../trees.hpp"

#include <mpit/config/file.hpp>
#include <mpit/module/registrar.hpp>

#include <cstdlib>
#include <random>
#include <sys/stat.h>

namespace {

using mpit::registry::configuration_line;
using mpit::registry::line_error;

// A line as name|value, or the number of what is wrong with it.
std::string read(std::string line) {
    configuration_line made;
    const line_error wrong = made.read(line.data(), line.data() + line.size());
    if (wrong != line_error::none) return std::to_string(static_cast<int>(wrong));
    REQUIRE(made.name.characters[made.name.length] == '\0');
    REQUIRE(made.value.characters[made.value.length] == '\0');
    return std::string{made.name.characters, made.name.length} + "|" +
           std::string{made.value.characters, made.value.length};
}

// A file that lives as long as this, and the reports on it without its name.
class file : public temporary_file {
public:
    explicit file(const std::string& content) : temporary_file{content} { reports.clear(); }
    std::string reported() const {
        std::string lines;
        for (std::string line : reports) {
            for (std::size_t at = line.find(path()); at != std::string::npos; at = line.find(path()))
                line.replace(at, std::strlen(path()), "FILE");
            lines += (lines.empty() ? "" : " | ") + line;
        }
        return lines;
    }
};

std::string given_in(const mpit::registry::process_registry& in, const char* name) {
    const auto* found = mpit::registry::latest_setting(in.settings, name, mpit::origin::configuration);
    return found == nullptr ? "nothing" : found->value.characters;
}

} // namespace

TEST_CASE(
    "A line has a name, an equals sign and a value, with blanks anywhere between, and may have quotes and comments") {
    // clang-format off
    for (const auto& [line, wanted] : {
        std::pair{"NAME=value", "NAME|value"}, {"  NAME \t = value  ", "NAME|value"}, {"NAME = value\r", "NAME|value"},
        {"NAME=a=b", "NAME|a=b"}, {"NAME = 1, 2, 3", "NAME|1, 2, 3"}, {"na.me-1 = x", "na.me-1|x"},
        // A comment begins with a # that begins a word.
        {"NAME = value # words", "NAME|value"}, {"NAME = value#3", "NAME|value#3"},
        // Everything in quotes is the value, and a backslash escapes special characters.
        {"NAME = \"  # value \"", "NAME|  # value "}, {"NAME = \"\"", "NAME|"}, {"NAME = \"\" # empty", "NAME|"},
        {R"(NAME = "a \"b\" \\c\\")", R"(NAME|a "b" \c\)"}, {R"(NAME = "\n\r\t\x41\xfF")", "NAME|\n\r\tA\xff"},
        {"NAME = it is \"so\"", "NAME|it is \"so\""}})
        CHECK(read(line) == wanted);
    // clang-format on
}

TEST_CASE("A line that is not a setting is a comment or detected as what is wrong with it") {
    using enum line_error;
    const std::string long_name = std::string(256, 'N') + "=1", with_null{"NAME = va\0lue", 13};
    // clang-format off
    for (const auto& [line, wrong] : {
        std::pair<std::string, line_error>{"# NAME = value", no_setting}, {"   #", no_setting}, {"", no_setting},
        {" \t\r", no_setting}, {"NAME = #3", no_value}, {"NAME =", no_value}, {"NAME value", no_equals},
        {"= value", bad_name}, {"MY NAME = value", bad_name}, {long_name, bad_name}, {"NAME = \"value", open_quotes},
        {"NAME = \"value\\\"", open_quotes}, {"NAME = \"", open_quotes}, {"NAME = \"\\q\"", bad_escape},
        {"NAME = \"\\", bad_escape}, {"NAME = \"\\x4\"", bad_escape}, {"NAME = \"\\x00\"", bad_escape},
        {"NAME = \"value\" more", trailing_text}, {"NAME = \"value\"# more", trailing_text}, {with_null, embedded_null}})
        CHECK(read(line) == std::to_string(static_cast<int>(wrong)));
    // clang-format on
}

TEST_CASE("Any bytes are a setting or not, and no byte outside of them is read or written") {
    std::mt19937 random{7};
    static constexpr char likely[] = "=\"\\#\n\r\t x4NAME_\0\xc3";
    int settings = 0;
    for (int round = 0; round < 200000; round++) {
        const std::size_t length = random() % 24;
        // Behind an allocation of exactly its size a sanitizer sees every byte.
        auto* bytes = static_cast<char*>(std::malloc(length + 1));
        for (std::size_t i = 0; i < length; i++)
            bytes[i] = random() % 8 == 0 ? static_cast<char>(random()) : likely[random() % (sizeof likely - 1)];
        bytes[length] = '\0';
        configuration_line line;
        const line_error wrong = line.read(bytes, bytes + length);
        if (wrong == line_error::none) {
            settings++;
            REQUIRE(mpit::core::is_possible_name(line.name));
            REQUIRE(line.name.characters >= bytes);
            REQUIRE(line.value.characters + line.value.length <= bytes + length);
            REQUIRE(std::strlen(line.name.characters) == line.name.length);
            REQUIRE(std::strlen(line.value.characters) == line.value.length);
        }
        std::free(bytes);
    }
    CHECK(settings > 1000);
}

TEST_CASE("A file is read to its end, and each bad line is reported with its number") {
    auto& index = fresh_index();
    const file here{"\xef\xbb\xbf"
                    "FIRST = 1\n"
                    "# a comment\n"
                    "\n"
                    "SECOND 2\n"
                    "THIRD = \"open\n"
                    "FOURTH = 4\r\n"
                    "FIRST = 5\n"
                    "LAST = 6"};
    const mpit::registry::file_content found = mpit::registry::read_settings_of_file(index, here.path());
    CHECK(found.error == 0);
    CHECK(found.settings == 4);
    CHECK(found.refused == 2);
    CHECK(here.reported() == "FILE:4 is not read: expected NAME = value: SECOND 2 | FILE:5 is not read: expected a "
                             "closing quote: THIRD = \"open");
    CHECK(given_in(index, "FIRST") == "5");
    CHECK(given_in(index, "FOURTH") == "4");
    CHECK(given_in(index, "LAST") == "6");
    CHECK(given_in(index, "THIRD") == "nothing");
}

TEST_CASE("A file of any length is read, and a directory or a missing file is an error") {
    auto& index = fresh_index();
    std::string long_value(100000, 'x'), content = "LONG = " + long_value + "\n";
    for (int i = 0; i < 3000; i++) content += "NUMBER_" + std::to_string(i) + " = " + std::to_string(i) + "\n";
    const file here{content};
    CHECK(mpit::registry::read_settings_of_file(index, here.path()).settings == 3001);
    CHECK(given_in(index, "LONG") == long_value);
    CHECK(given_in(index, "NUMBER_2999") == "2999");
    const file empty{""};
    CHECK(mpit::registry::read_settings_of_file(index, empty.path()).error == 0);
    CHECK(mpit::registry::read_settings_of_file(index, "/tmp").error == EISDIR);
    CHECK(mpit::registry::read_settings_of_file(index, "/nonexistent").error == ENOENT);
    CHECK(reports.empty());
}

TEST_CASE("A file that is too large is an error before any of it is read") {
    auto& index = fresh_index();
    const file largest{"FIRST = 1\n"};
    for (const off_t bytes : {off_t{1} << 26, off_t{10} << 30}) {
        if (truncate(largest.path(), bytes) != 0) return std::puts("skipped: no file of 10 GB can be here"), void();
        mpit::core::allocations_left.store(0);
        CHECK(mpit::registry::read_settings_of_file(index, largest.path()).error == EFBIG);
        mpit::core::allocations_left.store(-1);
    }
    CHECK(given_in(index, "FIRST") == "nothing");
}

TEST_CASE("A pipe, a device or a socket is an error at once, and nothing is read from it") {
    auto& index = fresh_index();
    const file place{""};
    REQUIRE(unlink(place.path()) == 0);
    REQUIRE(mkfifo(place.path(), 0600) == 0);
    CHECK(mpit::registry::read_settings_of_file(index, place.path()).error == EINVAL);
    const int writer = open(place.path(), O_RDWR);
    REQUIRE(write(writer, "NAME = 1\n", 9) == 9);
    CHECK(mpit::registry::read_settings_of_file(index, place.path()).error == EINVAL);
    close(writer);
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    CHECK(mpit::registry::read_settings_of_file(index, ("/dev/fd/" + std::to_string(ends[0])).c_str()).error == EINVAL);
    REQUIRE(write(ends[1], "NAME = 1\n", 9) == 9);
    CHECK(mpit::registry::read_settings_of_file(index, ("/dev/fd/" + std::to_string(ends[0])).c_str()).error == EINVAL);
    char kept[16];
    CHECK(read(ends[0], kept, sizeof kept) == 9);
    close(ends[0]);
    close(ends[1]);
    CHECK(mpit::registry::read_settings_of_file(index, "/dev/zero").error == EINVAL);
    CHECK(mpit::registry::read_settings_of_file(index, "/dev/null").error == EINVAL);
    CHECK(given_in(index, "NAME") == "nothing");
    CHECK(reports.empty());
}

TEST_CASE("Of a file with many errors the first are reported, and the number of the others") {
    auto& index = fresh_index();
    std::string content;
    for (int i = 0; i < 1000; i++) content += "not a setting\n";
    const file here{content + "NAME = 1\n"};
    const mpit::registry::file_content found = mpit::registry::read_settings_of_file(index, here.path());
    CHECK(found.refused == 1000);
    CHECK(found.settings == 1);
    REQUIRE(reports.size() == 11);
    CHECK(reports[9] == std::string{here.path()} + ":10 is not read: expected NAME = value: not a setting");
    CHECK(reports[10] == std::string{here.path()} + " has 990 more lines that are not read");
}

TEST_CASE("A file that is read again takes memory only for new settings") {
    auto& index = fresh_index();
    const file here{"FIRST = 1\nSECOND = 2\n# a comment\n"}, other{"FIRST = 3\n"}, empty{"# a comment\n"};
    CHECK(mpit::registry::read_settings_of_file(index, here.path()).settings == 2);
    const std::size_t bytes = mpit::core::bytes_in_use();
    for (int i = 0; i < 100; i++) REQUIRE(mpit::registry::read_settings_of_file(index, here.path()).settings == 2);
    REQUIRE(mpit::registry::read_settings_of_file(index, empty.path()).settings == 0);
    CHECK(mpit::core::bytes_in_use() == bytes);
    CHECK(index.settings.count.load() == 2);
    CHECK(mpit::registry::read_settings_of_file(index, other.path()).settings == 1);
    CHECK(given_in(index, "FIRST") == "3");
    CHECK(mpit::registry::read_settings_of_file(index, here.path()).settings == 2);
    CHECK(given_in(index, "FIRST") == "1");
    CHECK(index.settings.count.load() == 4);
}

TEST_CASE("Random files never crash, and every line of them is a setting, a comment or a report") {
    std::mt19937 random{11};
    static constexpr const char* pieces[] = {"NAME", "=", " ", "\"", "\\", "\n", "#", "x41", "value", "\xe2\x80", "\r"};
    for (int round = 0; round < 300; round++) {
        auto& index = fresh_index();
        std::string content;
        for (int i = 0; i < 60; i++) content += pieces[random() % std::size(pieces)];
        const file here{content};
        const auto lines = static_cast<int>(std::count(content.begin(), content.end(), '\n')) + 1;
        const mpit::registry::file_content found = mpit::registry::read_settings_of_file(index, here.path());
        REQUIRE(found.error == 0);
        REQUIRE(found.settings + found.refused <= lines);
        REQUIRE(static_cast<int>(reports.size()) == std::min(found.refused, 11));
        REQUIRE(static_cast<int>(index.settings.count.load()) <= found.settings);
    }
}

TEST_CASE("Without memory a file is an error, and the settings read before the failure are applied") {
    auto& index = fresh_index();
    const file here{"FIRST = 1\n"};
    mpit::core::allocations_left.store(0);
    const mpit::registry::file_content found = mpit::registry::read_settings_of_file(index, here.path());
    mpit::core::allocations_left.store(1);
    const mpit::registry::file_content later = mpit::registry::read_settings_of_file(index, here.path());
    mpit::core::allocations_left.store(-1);
    CHECK(found.error == ENOMEM);
    CHECK(later.error == ENOMEM);
    CHECK(mpit::registry::read_settings_of_file(index, here.path()).error == 0);
    CHECK(given_in(index, "FIRST") == "1");
}

namespace {

using mpit::origin;
namespace registry = mpit::registry;

struct settled_tree : mpit::category<"settled", "Takes the strongest value"> {
    mpit::control<int> number{this, "D_NUMBER", "", {.initial = {5, 0, 9}, .renamed_from = "D_FORMER"}};
    mpit::control<int> other{this, "D_OTHER", "", {.initial = 5}};
};

struct choice {
    origin from;
    bool is_former;
    int value;
    std::string place;
};

// What the variable has to have, and where from.
struct expectation {
    int value = 5;
    origin from = origin::library;
    std::string place;
};
expectation strongest(const std::vector<choice>& all, const std::vector<origin>& weakest_first) {
    expectation found;
    int best = -1;
    for (const choice& c : all) {
        const auto rank = std::find(weakest_first.begin(), weakest_first.end(), c.from) - weakest_first.begin();
        const int weight = static_cast<int>(rank) * 2 + (c.is_former ? 0 : 1);
        if (c.value < 0 || c.value > 9 || weight < best) continue;
        best = weight;
        found = {c.value, c.from, c.place};
    }
    return found;
}

} // namespace

TEST_CASE("After every step each variable has its strongest accepted value, whenever its tree was loaded") {
    std::mt19937 random{5};
    unsetenv("D_NUMBER");
    unsetenv("D_FORMER");
    for (int round = 0; round < 400; round++) {
        auto& in = fresh_index();
        settled_tree tree;
        std::vector<origin> order{origin::configuration, origin::environment, origin::command_line, origin::info};
        std::vector<choice> all;
        const unsigned arrival = static_cast<unsigned>(random() % 20), writing = static_cast<unsigned>(random() % 60);
        const bool is_announced = random() % 2 == 0;
        for (unsigned step = 0; step < 30; step++) {
            if (step == arrival && is_announced) registry::load_tree(&in, tree, "owner");
            if (step == arrival && !is_announced) REQUIRE(enter(in, tree));
            if (random() % 10 == 0) {
                std::shuffle(order.begin(), order.end(), random);
                in.settings.order.store(registry::word_of_order({order[0], order[1], order[2], order[3]}));
                in.settings.order_changes.fetch_add(1);
            } else {
                static constexpr origin sources[] = {origin::configuration, origin::command_line, origin::info};
                choice made{sources[random() % 3], random() % 3 == 0, static_cast<int>(random() % 14) - 2,
                            "place " + std::to_string(step)};
                const std::string value = std::to_string(made.value);
                REQUIRE(registry::add_setting_copy(in, made.from, made.is_former ? "D_FORMER" : "D_NUMBER",
                                                   value.c_str(), made.place.c_str()) != nullptr);
                all.push_back(made);
            }
            registry::apply_settings(in);
            if (step < arrival) {
                REQUIRE(tree.number == 5);
                continue;
            }
            const expectation wanted = strongest(all, order);
            const mpit::descriptor::provenance from{tree.number.provenance_word.load()};
            REQUIRE(tree.number == wanted.value);
            REQUIRE(from.origin() == wanted.from);
            REQUIRE((from.location() == nullptr ? "" : from.location()) == wanted.place);
            REQUIRE(tree.other == 5);
            if (step == writing) {
                tree.number = 7;
                tree.number.provenance_word.store(mpit::descriptor::provenance{origin::tool}.word());
                registry::apply_settings(in);
                REQUIRE(tree.number == 7);
                break;
            }
        }
    }
}

TEST_CASE("The files that the environment names are read once, and unreadable ones are reported") {
    const temporary_file here{"D_NUMBER = 6\nbad line\n"};
    setenv("MPIT_CONFIGURATION", (std::string{":/nonexistent:/dev/zero:"} + here.path() + ":").c_str(), 1);
    auto& in = fresh_index();
    reports.clear();
    settled_tree tree, again;
    REQUIRE(enter(in, tree));
    CHECK(tree.number == 6);
    registry::unregister(tree);
    REQUIRE(enter(in, again));
    CHECK(again.number == 6);
    unsetenv("MPIT_CONFIGURATION");
    REQUIRE(reports.size() == 3);
    CHECK(reports[0] == "/nonexistent, named in MPIT_CONFIGURATION, cannot be read: No such file or directory");
    CHECK(reports[1] == "/dev/zero, named in MPIT_CONFIGURATION, cannot be read: it is not a regular file");
    CHECK(reports[2] == std::string{here.path()} + ":2 is not read: expected NAME = value: bad line");
}
