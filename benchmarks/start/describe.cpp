// The cost of variables that are described at run time, in the first MPI_T_init_thread of a process: 344 control
// variables in 20 categories, as many as MPICH 4.0.2 has. Each happens only once, and is a process of its own;
// describe.py starts them in turn. Prints one line of JSON.
//
//   describe-benchmark rows       tables of mpit/declare.h, a group for each category, as MPICH's
//   describe-benchmark group      one mpit::dynamic with a category for each
//   describe-benchmark rows-stay, group-stay     the same with texts that are used where they are
#include "tool.hpp"
#include "usage.hpp"

#include <mpit/declare.hpp>

#include <cstdio>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int variable_count = 344, category_count = 20;
constexpr const char* environment = "MPIR_CVAR_*, MPIR_PARAM_*, MPICH_*";
constexpr const char* prefix = "MPIR_CVAR_";
constexpr std::size_t text_room = 64;

const mpit_item algorithms[] = {{"auto", 0, nullptr}, {"linear", 1, nullptr},         {"binomial", 2, nullptr},
                                {"ring", 3, nullptr}, {"reduce_scatter", 4, nullptr}, {nullptr, 0, nullptr}};
const mpit::enumerator<int> dynamic_algorithms[] = {
    {"auto", 0}, {"linear", 1}, {"binomial", 2}, {"ring", 3}, {"reduce_scatter", 4}};

// Half of a runtime's variables are switches and choices.
constexpr mpit_type types[] = {MPIT_TYPE_INT,    MPIT_TYPE_CHOICE, MPIT_TYPE_CHOICE, MPIT_TYPE_INT,
                               MPIT_TYPE_SWITCH, MPIT_TYPE_CHOICE, MPIT_TYPE_INT,    MPIT_TYPE_CHOICE,
                               MPIT_TYPE_TEXT,   MPIT_TYPE_INT,    MPIT_TYPE_SWITCH, MPIT_TYPE_DOUBLE};

struct storage_of_one {
    int number = 3;
    double real = 0.5;
    char text[text_room] = "tcp";
};

// All texts are those of the library, and there before the measurement, as the tables are.
struct described {
    std::deque<std::string> texts{};
    std::deque<mpit_enumeration> enumerations{};
    std::vector<storage_of_one> storage{std::vector<storage_of_one>(variable_count)};
    std::vector<mpit_control> rows[category_count];
    const char* names[category_count]{};

    described() {
        for (int i = 0; i < category_count; i++) names[i] = keep("COLLECTIVE_" + std::to_string(i));
        for (int i = 0; i < variable_count; i++) rows[i * category_count / variable_count].push_back(row(i));
        for (auto& each : rows) each.emplace_back();
    }

private:
    const char* keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
    mpit_control row(int number) {
        storage_of_one& at = storage[static_cast<std::size_t>(number)];
        mpit_control made{};
        made.name = keep("MPIR_CVAR_ALLREDUCE_INTRA_SETTING_" + std::to_string(number));
        made.description =
            keep("Number " + std::to_string(number) +
                 " of the settings of this category: what a library says of a setting is mostly a sentence or two, "
                 "with the meaning of its values, and which one it takes where nothing is said.");
        made.type = types[static_cast<std::size_t>(number) % (sizeof types / sizeof *types)];
        made.scope = made.type == MPIT_TYPE_CHOICE ? MPIT_ALL_EQUAL : number % 4 == 0 ? MPIT_READONLY : MPIT_LOCAL;
        made.storage = &at.number;
        made.size = sizeof at.number;
        if (made.type == MPIT_TYPE_INT) made.range = {0, 1 << 20};
        if (made.type == MPIT_TYPE_DOUBLE) made.storage = &at.real, made.size = sizeof at.real;
        if (made.type == MPIT_TYPE_TEXT) made.storage = at.text, made.size = text_room;
        if (made.type != MPIT_TYPE_CHOICE) return made;
        enumerations.push_back({keep(std::string{"algorithms_of_"} + made.name), algorithms});
        made.enumeration = &enumerations.back();
        return made;
    }
};

struct plan {
    described& all;
    bool in_one_group, do_texts_stay;
    std::vector<mpit_group*> groups{};
    std::optional<mpit::dynamic> group{};
};

int describe_rows(plan& wanted) {
    mpit_policy policy{environment, prefix, false, 0, wanted.do_texts_stay};
    int refused = 0;
    for (int i = 0; i < category_count; i++) {
        mpit_group* const group =
            mpit_open(nullptr, wanted.all.names[i], "Settings of a collective operation", &policy);
        if (group == nullptr) return 1;
        wanted.groups.push_back(group);
        refused += mpit_add_controls(group, wanted.all.rows[i].data(), nullptr);
        refused += mpit_publish(group);
    }
    return refused;
}

mpit::result add(const mpit::dynamic_category& category, const mpit_control& row) {
    const auto scope = row.scope == MPIT_READONLY    ? mpit::scope::readonly
                       : row.scope == MPIT_ALL_EQUAL ? mpit::scope::all_equal
                                                     : mpit::scope::local;
    switch (row.type) {
    case MPIT_TYPE_DOUBLE:
        return category.control<double>(row.name, row.description,
                                        {.storage = static_cast<double*>(row.storage), .scope = scope});
    case MPIT_TYPE_SWITCH:
        return category.control<bool, int>(row.name, row.description,
                                           {.storage = static_cast<int*>(row.storage), .scope = scope});
    case MPIT_TYPE_TEXT:
        return category.control<char[]>(
            row.name, row.description,
            {.length = text_room - 1, .storage = static_cast<char*>(row.storage), .scope = scope});
    case MPIT_TYPE_CHOICE:
        return category.control<int>(row.name, row.description,
                                     {.storage = static_cast<int*>(row.storage),
                                      .items = {row.enumeration->name, dynamic_algorithms},
                                      .scope = scope});
    default:
        return category.control<int>(row.name, row.description,
                                     {.storage = static_cast<int*>(row.storage), .scope = scope});
    }
}

int describe_group(plan& wanted) {
    mpit::dynamic& group =
        wanted.group.emplace("COLLECTIVES", "Settings of collective operations",
                             mpit::settings_policy{.environment = environment, .prefix = prefix},
                             wanted.do_texts_stay ? mpit::group_texts::kept : mpit::group_texts::copied);
    int refused = 0;
    for (int i = 0; i < category_count; i++) {
        const mpit::dynamic_category category =
            group.category(wanted.all.names[i], "Settings of a collective operation");
        for (const mpit_control& row : wanted.all.rows[i])
            if (row.name != nullptr) refused += add(category, row) != mpit::result::success;
    }
    return refused + (group.publish().code != mpit::result::success);
}

int describe(void* data) {
    plan& wanted = *static_cast<plan*>(data);
    return wanted.in_one_group ? describe_group(wanted) : describe_rows(wanted);
}

// callgrind counts what is between its begin and its end.
[[gnu::noinline]] void first_tool() { initialize_tool(); }

} // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    static described all;
    const std::string_view form{arguments[1]};
    static plan wanted{all, form.starts_with("group"), form.ends_with("-stay")};
    wanted.groups.reserve(category_count);
    if (mpit::before_tools(describe, &wanted) != mpit::result::success) return 1;
    const usage before = usage::begin();
    first_tool();
    const usage used = before.end();
    int found = 0;
    check(MPI_T_cvar_get_num(&found));
    if (found != variable_count) std::fprintf(stderr, "%d variables instead of %d\n", found, variable_count);
    std::printf("{\"nanoseconds\": %lld, \"page_faults\": %ld, \"bytes\": %ld}\n", used.nanoseconds, used.page_faults,
                used.bytes);
    return found == variable_count ? 0 : 1;
}
