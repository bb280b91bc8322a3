// The cost of N variables for the start of a process: creating the registry and loading the tree; for its first tool:
// publishing them; or a registration call for each that adds it to a map, as in a library without mpit. Each can happen
// only once, and is a process of its own; run.py starts them in turn. Prints one line of JSON.
//
//   start-benchmark ours 1000      start-benchmark tool 1000      start-benchmark map 1000
#include "usage.hpp"

#include <mpit/module/registrar.hpp>
#include <mpit/mpit.hpp>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace {

constexpr int variables_of_a_category = 25;
constexpr const char* description = "A variable that is there when the program starts";

std::string name_of(int number) { return std::string{"start_up_variable_"}.append(std::to_string(number)); }

struct named_category : mpit::descriptor::category {
    explicit named_category(const char* called) : category{called, "Variables"} {}
    named_category(category& inside, const char* called) : category{&inside, called, "Variables"} {}
};

// The tree exists before the measurement: a declared tree is made by the compiler.
struct tree {
    std::deque<std::string> names{};
    named_category root{"start_up"};
    std::deque<named_category> categories{};
    std::deque<mpit::control<int>> controls{};
    std::deque<mpit::counter<>> counters{};

    explicit tree(int count) {
        for (int i = 0; i < count; i++) {
            if (i % variables_of_a_category == 0)
                categories.emplace_back(root, keep(std::string{"start_up_category_"}.append(std::to_string(i))));
            const mpit::core::checked_name name{keep(name_of(i))};
            if (i % 2 == 0) controls.emplace_back(&categories.back(), name, description);
            else counters.emplace_back(&categories.back(), name, description);
        }
    }
    const char* keep(std::string text) { return names.emplace_back(std::move(text)).c_str(); }
};

struct record {
    std::string description;
    void* storage;
    int kind, verbosity, scope;
};
std::unordered_map<std::string, record>& registered() {
    static std::unordered_map<std::string, record> all;
    return all;
}
[[gnu::noinline]] void register_variable(const char* name, const char* described, void* storage, int kind) {
    registered().try_emplace(name, record{described, storage, kind, 1, 2});
}

int print(const usage& used, int expected, int found) {
    if (expected != found) std::fprintf(stderr, "%d variables instead of %d\n", found, expected);
    std::printf("{\"nanoseconds\": %lld, \"page_faults\": %ld, \"bytes\": %ld}\n", used.nanoseconds, used.page_faults,
                used.bytes);
    return expected == found ? 0 : 1;
}

int arrive(int count, bool with_tool) {
    static tree declared{count};
    const usage at_start = usage::begin();
    mpit::registry::process_registry* index = mpit::registry::the_registry();
    mpit::registry::load_tree(index, declared.root, "the benchmark");
    if (!with_tool) return print(at_start.end(), count, count);
    const usage before = usage::begin();
    mpit::registry::open_to_tools(*index);
    const usage used = before.end();
    return print(used, count,
                 index->count(mpit::descriptor::kind::control) + index->count(mpit::descriptor::kind::performance));
}

int register_all(int count) {
    static std::deque<std::string> names;
    static std::deque<unsigned long> words(static_cast<std::size_t>(count));
    for (int i = 0; i < count; i++) names.push_back(name_of(i));
    const usage before = usage::begin();
    for (std::size_t i = 0; i < names.size(); i++) register_variable(names[i].c_str(), description, &words[i], 1);
    const usage used = before.end();
    return print(used, count, static_cast<int>(registered().size()));
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const int variables = std::atoi(arguments[2]);
    const std::string_view what = arguments[1];
    return what == "map" ? register_all(variables) : arrive(variables, what == "tool");
}
