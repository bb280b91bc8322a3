// SPDX-License-Identifier: BSD-3-Clause
// Reports environment variables that set nothing and whose names differ from a valid name by only one or two letters.
//
//   report_misspelled_names(registry, tree, reports);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/config/environment_values.hpp>
#include <mpit/core/spelling.hpp>
#include <mpit/registry/process_registry.hpp>
#include <mpit/registry/report.hpp>
#include <mpit/registry/report_limit.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Finds environment variables whose names are probably misspelt names of control variables in one tree. Compares only
// names that begin with the first word of a valid name and an underscore, such as MYMPI_.
class misspelling_check {
public:
    [[gnu::cold]] explicit misspelling_check(descriptor::category& tree) noexcept : tree_{tree} {
        const char* added_list = nullptr; // list of names whose first words were added last
        descriptor::for_each_item(tree_, descriptor::item_visit{[&](const descriptor::item& item) {
            if (item.item_kind != kind::control) return;
            const auto& variable = static_cast<const descriptor::control&>(item);
            if (variable.has_only_its_name) return add(variable.name);
            if (variable.environment == added_list) return;
            added_list = has_same_first_words(variable.environment) ? variable.environment : nullptr;
            if (added_list != nullptr) return add_names_of(added_list);
            for (descriptor::environment_name_cursor names{variable}; names.next();) add(names.name());
        }});
    }

    // True if an entry NAME=value begins with the first word of a valid name. A bitmap excludes most entries quickly.
    bool has_same_first_word(const char* entry) const noexcept {
        if ((first_letters_ & core::letter_bit(*entry)) == 0) return false;
        for (int i = 0; i < count_; i++) {
            const first_word& word = first_words_[i];
            std::uint32_t length = 0;
            while (length < word.length && core::equal_letters(entry[length], word.chars[length])) length++;
            if (length == word.length) return true;
        }
        return false;
    }

    // Reports an environment entry if the entry sets no control variable, but has a name similar to one that sets a
    // variable. Also reports an entry with the name of a control variable that reads only other names from the
    // environment. If two entries have the same name, only the first entry is reported, because getenv() ignores the
    // second entry. is_first() is called last, because is_first() searches the whole environment.
    [[gnu::cold]] void check(const process_registry& registry, char** line, text entry, report_limit& limit,
                             report_list& reports) const noexcept {
        nearest_name nearest;
        descriptor::for_each_item(tree_, descriptor::item_visit{[&](const descriptor::item& item) {
            if (item.item_kind == kind::control) nearest.compare(static_cast<const descriptor::control&>(item), entry);
        }});
        if (nearest.name().length == 0 || is_known(registry, entry)) return;
        if (!limit.is_reached() && !is_first(line, entry)) return;
        if (!limit.allows_one_more()) return;
        const char* value = *line + entry.length + 1;
        message report;
        report.append_escaped(entry, 300);
        report.append("=");
        report.append_quoted(value, 120);
        report.append(nearest.is_variable
                          ? " in the environment does not set the control variable of this name; did you mean "
                          : " in the environment does not set any control variable; did you mean ");
        report.append_escaped(nearest.name(), 300);
        report.append("?");
        reports.add(report);
    }

private:
    static bool is_first(char** entry, text name) noexcept {
        for (char** line = environ; line != entry; line++)
            if (std::strncmp(*line, *entry, name.length + 1) == 0) return false;
        return true;
    }
    static bool is_former_name(const descriptor::control& variable, text entry) noexcept {
        return variable.former_name != nullptr && core::equal(entry, variable.former_name);
    }

    [[gnu::cold]] static bool is_near(const descriptor::control& variable, text entry, int max_letters) noexcept {
        for (descriptor::environment_name_cursor names{variable}; names.next();)
            if (core::misspelling(entry, names.name()) <= max_letters) return true;
        return false;
    }

    // The valid name that is most similar to an entry, or empty if the entry has a valid or a former name of the tree.
    class nearest_name {
    public:
        bool is_variable = false; // the entry is the name of a variable with other names in the environment

        text name() const noexcept { return is_known_ ? text{} : text{buffer_, length_}; }
        [[gnu::cold]] void compare(const descriptor::control& variable, text entry) noexcept {
            const bool is_equal = core::equal(entry, variable.name);
            // If mpit reads no entry for a variable, the library itself may read the entry with the variable's name.
            if (is_former_name(variable, entry) || (*variable.environment == '\0' && is_equal)) is_known_ = true;
            if (is_known_) return;
            for (descriptor::environment_name_cursor names{variable}; names.next();)
                compare(names.name(), entry, is_equal);
        }

    private:
        [[gnu::cold]] void compare(text name, text entry, bool is_equal_to_variable) noexcept {
            if (core::equal(entry, name)) is_known_ = true;
            const int distance = is_equal_to_variable ? 0 : core::misspelling(entry, name);
            if (distance >= distance_ || name.length >= sizeof buffer_) return;
            distance_ = distance;
            is_variable = is_equal_to_variable;
            length_ = name.length;
            std::memcpy(buffer_, name.characters, length_);
        }

        bool is_known_ = false;
        int distance_ = core::largest_misspelling + 1; // edit distance in letters
        std::uint32_t length_ = 0;
        char buffer_[2 * core::longest_name + 1];
    };

    struct first_word { // a copy, because the expanded name of a list with a star is temporary
        std::uint32_t length = 0;
        char chars[64]{};
    };

    // True if every star in a list of names follows an underscore. A star in a first word would make the word differ
    // between variables, because a star stands for the name of a variable.
    [[gnu::cold]] static bool has_same_first_words(const char* list) noexcept {
        bool has_word = false;
        for (; *list != '\0'; list++) {
            if (*list == '*' && !has_word) return false;
            has_word = *list != ',' && (has_word || *list == '_');
        }
        return true;
    }
    [[gnu::cold]] void add_names_of(const char* list) noexcept {
        for (text name = core::next_spelling(list); name.length != 0; name = core::next_spelling(list)) add(name);
    }
    static bool begins_with(text name, const first_word& word) noexcept {
        if (name.length < word.length) return false;
        if (name.length >= 8 && word.length <= 8 && word.length != 0)
            return (core::eight_bytes(name.characters) ^ core::eight_bytes(word.chars)) << (64 - 8 * word.length) == 0;
        return std::memcmp(name.characters, word.chars, word.length) == 0;
    }
    // Adds the first word of a name to the list of first words. The search for an equal word begins with the latest
    // word, because most variables have the same first word as the previous variable.
    void add(text name) noexcept {
        for (int i = count_ - 1; i >= 0; i--)
            if (begins_with(name, first_words_[i])) return;
        std::uint32_t length = 0; // a loop, because the loader would have to resolve memchr() in each process
        while (length < name.length && name.characters[length] != '_') length++;
        if (length++ == name.length || length == 1 || count_ == most_first_words) return;
        if (length > sizeof first_word::chars) return;
        first_word& word = first_words_[count_++];
        word.length = length;
        std::memcpy(word.chars, name.characters, length);
        first_letters_ |= core::letter_bit(*name.characters);
    }
    // True if the entry's name is a current or former name in another tree, or if the entry was already reported.
    [[gnu::cold]] bool is_known(const process_registry& registry, text entry) const noexcept {
        const core::read_guard guard;
        bool is_of_other_tree = false;
        registry.pending_trees.each([&](const pending_tree& pending) {
            const descriptor::category* other = pending.tree.load();
            const std::uint64_t state = pending.state.load();
            if (other == &tree_ || state == pending_tree::unused || state == pending_tree::loading ||
                state == pending_tree::published)
                return;
            const int max_letters = pending.is_checked.load() != 0 ? core::largest_misspelling : 0;
            descriptor::for_each_item(*pending.tree.load(), descriptor::item_visit{[&](const descriptor::item& item) {
                if (item.item_kind != kind::control || is_of_other_tree) return;
                const auto& control = static_cast<const descriptor::control&>(item);
                is_of_other_tree =
                    is_former_name(control, entry) || is_near(control, entry, max_letters) ||
                    (*control.environment == '\0' && core::misspelling(entry, control.name) <= max_letters);
            }});
        });
        if (is_of_other_tree) return true;
        for (int i = 0, end = registry.count(kind::control); i < end; i++) {
            const variable_record& record = *registry.variable(kind::control, i);
            const auto* live = static_cast<const descriptor::control*>(record.live.load());
            const bool reads_environment = live == nullptr || *live->environment != '\0';
            if (!reads_environment && core::equal(entry, record.name)) return true;
            if (live != nullptr && is_former_name(*live, entry)) return true;
            if (live != nullptr ? is_near(*live, entry, core::largest_misspelling)
                                : core::misspelling(entry, record.name) <= core::largest_misspelling)
                return true;
        }
        return false;
    }

    static constexpr int most_first_words = 8;
    descriptor::category& tree_;
    first_word first_words_[most_first_words];
    std::uint32_t first_letters_ = 0;
    int count_ = 0;
};

// Reports the first few misspelt environment entries one by one, and then only the number of further misspelt entries.
[[gnu::cold]] inline void report_misspelled_names(const process_registry& registry, descriptor::category& tree,
                                                  report_list& reports) noexcept {
    const misspelling_check names{tree};
    report_limit limit;
    for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++) {
        if (!names.has_same_first_word(*entry)) continue;
        const text name = name_of_entry(*entry);
        if (name.length != 0) names.check(registry, entry, name, limit, reports);
    }
    if (limit.left_out() != 0)
        reports.add("%d more entries of the environment have names similar to those of control variables",
                    limit.left_out());
}

} // namespace registry
} // namespace mpit
