// SPDX-License-Identifier: BSD-3-Clause
// Reports environment variables that set nothing and are one or two letters off a name that would.
//
//   report_misspelt_names(registry, tree, reports);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/config/environment_values.hpp>
#include <mpit/core/spelling.hpp>
#include <mpit/registry/process_registry.hpp>
#include <mpit/registry/report.hpp>
#include <mpit/registry/report_limit.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// The names that one tree asks the environment for, and what is probably meant for it under a wrong one. Only entries
// that begin with the same word are compared, up to and with the underscore: others belong to other programs.
class environment_names {
public:
    [[gnu::cold]] explicit environment_names(descriptor::category& tree) noexcept : tree_{tree} {
        const char* known = nullptr; // a list of which the first words are there
        descriptor::for_each_item(tree_, descriptor::item_visit{[&](const descriptor::item& each) {
            if (each.item_kind != kind::control) return;
            const auto& variable = static_cast<const descriptor::control&>(each);
            if (variable.has_one_name) return add(variable.name);
            if (variable.environment == known) return;
            known = has_same_first_words(variable.environment) ? variable.environment : nullptr;
            if (known != nullptr) return add_names_of(known);
            for (descriptor::asked_names names{variable}; names.next();) add(names.name());
        }});
    }

    // Of a whole entry: no first word has the character behind its name. Most entries have another first letter.
    bool has_same_first_word(const char* entry) const noexcept {
        if ((first_letters_ & core::bit_of_letter(*entry)) == 0) return false;
        for (int i = 0; i < count_; i++) {
            const first_word& word = first_words_[i];
            std::uint32_t same = 0;
            while (same < word.length && core::is_same_letter(entry[same], word.room[same])) same++;
            if (same == word.length) return true;
        }
        return false;
    }

    // Reports an entry that sets no control variable, where its name is near to one that does, or is that of a variable
    // which is set by another. Of two entries under one name the first counts, as it does for getenv(); that is found
    // out for the few entries that are reported, because it takes a walk over the environment.
    [[gnu::cold]] void check(const process_registry& registry, char** line, text entry, report_limit& limit,
                             report_list& reports) const noexcept {
        nearest found;
        descriptor::for_each_item(tree_, descriptor::item_visit{[&](const descriptor::item& each) {
            if (each.item_kind == kind::control) found.compare(static_cast<const descriptor::control&>(each), entry);
        }});
        if (found.nearest_name().length == 0 || is_known(registry, entry)) return;
        if (!limit.is_reached() && !is_first(line, entry)) return;
        if (!limit.allows_one_more()) return;
        const char* value = *line + entry.length + 1;
        message said;
        said.append_escaped(entry, 300);
        said.append("=");
        said.append_quoted(value, 120);
        said.append(" is in the environment, and %s; did you mean ",
                    found.is_called_so ? "the control variable is not set by it" : "no control variable is called so");
        said.append_escaped(found.nearest_name(), 300);
        said.append("?");
        reports.add(said);
    }

private:
    static bool is_first(char** entry, text name) noexcept {
        for (char** line = environ; line != entry; line++)
            if (std::strncmp(*line, *entry, name.length + 1) == 0) return false;
        return true;
    }
    static bool was_called_so(const descriptor::control& variable, text entry) noexcept {
        return variable.former_name != nullptr && core::equal(entry, variable.former_name);
    }

    [[gnu::cold]] static bool is_near(const descriptor::control& variable, text entry, int letters) noexcept {
        for (descriptor::asked_names each{variable}; each.next();)
            if (core::misspelling(entry, each.name()) <= letters) return true;
        return false;
    }

    // The name that is nearest to an entry, unless the entry is one that a library knows.
    class nearest {
    public:
        bool is_called_so = false;

        text nearest_name() const noexcept { return is_known_ ? text{} : text{room_, length_}; }
        [[gnu::cold]] void compare(const descriptor::control& variable, text entry) noexcept {
            const bool has_its_name = core::equal(entry, variable.name);
            // A variable without an environment name may have the name of an entry that its library reads.
            if (was_called_so(variable, entry) || (*variable.environment == '\0' && has_its_name)) is_known_ = true;
            if (is_known_) return;
            for (descriptor::asked_names each{variable}; each.next();) compare(each.name(), entry, has_its_name);
        }

    private:
        [[gnu::cold]] void compare(text name, text entry, bool has_its_name) noexcept {
            if (core::equal(entry, name)) is_known_ = true;
            const int apart = has_its_name ? 0 : core::misspelling(entry, name);
            if (apart >= letters_ || name.length >= sizeof room_) return;
            letters_ = apart;
            is_called_so = has_its_name;
            length_ = name.length;
            std::memcpy(room_, name.characters, length_);
        }

        bool is_known_ = false;
        int letters_ = core::largest_misspelling + 1;
        std::uint32_t length_ = 0;
        char room_[2 * core::longest_name + 1];
    };

    struct first_word { // a copy, since it may be of a name with a star
        std::uint32_t length = 0;
        char room[64]{};
    };

    // Whether the first word of each name stands before its star: then it is that of all variables of the list.
    [[gnu::cold]] static bool has_same_first_words(const char* list) noexcept {
        bool has_word = false;
        for (; *list != '\0'; list++) {
            if (*list == '*' && !has_word) return false;
            has_word = *list != ',' && (has_word || *list == '_');
        }
        return true;
    }
    [[gnu::cold]] void add_names_of(const char* list) noexcept {
        for (text name = core::take_spelling(list); name.length != 0; name = core::take_spelling(list)) add(name);
    }
    static bool begins_so(text name, const first_word& word) noexcept {
        if (name.length < word.length) return false;
        if (name.length >= 8 && word.length <= 8 && word.length != 0)
            return (core::eight_bytes(name.characters) ^ core::eight_bytes(word.room)) << (64 - 8 * word.length) == 0;
        return std::memcmp(name.characters, word.room, word.length) == 0;
    }
    // Most variables begin like the one before.
    void add(text name) noexcept {
        for (int i = count_ - 1; i >= 0; i--)
            if (begins_so(name, first_words_[i])) return;
        std::uint32_t length = 0; // no call: the loader would search for the function in each process
        while (length < name.length && name.characters[length] != '_') length++;
        if (length++ == name.length || length == 1 || count_ == most_first_words) return;
        if (length > sizeof first_word::room) return;
        first_word& added = first_words_[count_++];
        added.length = length;
        std::memcpy(added.room, name.characters, length);
        first_letters_ |= core::bit_of_letter(*name.characters);
    }
    // Whether a variable is called so, or another tree has a name that is near as well: it has reported the entry
    // already.
    [[gnu::cold]] bool is_known(const process_registry& registry, text entry) const noexcept {
        const core::read_guard guard;
        bool is_of_another = false;
        registry.pending_trees.each([&](const pending_tree& a) {
            const descriptor::category* other = a.tree.load();
            const std::uint64_t state = a.state.load();
            if (other == &tree_ || state == pending_tree::unused || state == pending_tree::loading ||
                state == pending_tree::published)
                return;
            const int letters = a.is_checked.load() != 0 ? core::largest_misspelling : 0;
            descriptor::for_each_item(*a.tree.load(), descriptor::item_visit{[&](const descriptor::item& each) {
                if (each.item_kind != kind::control || is_of_another) return;
                const auto& control = static_cast<const descriptor::control&>(each);
                is_of_another = was_called_so(control, entry) || is_near(control, entry, letters) ||
                                (*control.environment == '\0' && core::misspelling(entry, control.name) <= letters);
            }});
        });
        if (is_of_another) return true;
        for (int i = 0, end = registry.count(kind::control); i < end; i++) {
            const variable_record& r = *registry.variable(kind::control, i);
            const auto* live = static_cast<const descriptor::control*>(r.live.load());
            const bool asks = live == nullptr || *live->environment != '\0';
            if (!asks && core::equal(entry, r.name)) return true;
            if (live != nullptr && was_called_so(*live, entry)) return true;
            if (live != nullptr ? is_near(*live, entry, core::largest_misspelling)
                                : core::misspelling(entry, r.name) <= core::largest_misspelling)
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

// The first few of each tree, and then how many more there are. The time grows with the number of entries.
[[gnu::cold]] inline void report_misspelt_names(const process_registry& registry, descriptor::category& tree,
                                                report_list& reports) noexcept {
    const environment_names names{tree};
    report_limit limit;
    for (char** entry = entries_of_environment(); entry != nullptr && *entry != nullptr; entry++) {
        if (!names.has_same_first_word(*entry)) continue;
        const text name = name_of_entry(*entry);
        if (name.length != 0) names.check(registry, entry, name, limit, reports);
    }
    if (limit.left_out() != 0)
        reports.add("the environment has %d more entries with names that are nearly those of control variables",
                    limit.left_out());
}

} // namespace registry
} // namespace mpit
