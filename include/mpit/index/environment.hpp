// Initial values from the environment: a control variable takes the value of the environment variable that bears its name,
// or the name that its declaration gives. What cannot be used is reported, and the declared value stays; so is a name that
// sets nothing and is nearly one that would.
//
//   EAGER_LIMIT=1024 ./program
#pragma once

#include <mpit/declare/looking.hpp>
#include <mpit/index/anchor.hpp>
#include <mpit/index/refusal.hpp>

extern "C" {
extern char** environ;
}

namespace mpit::inline v0_1::index {

[[gnu::cold]] inline void take_from_environment(process_index& index, describe::control& variable,
                                                const char* value) noexcept {
    const bool is_constant = variable.scope == scope::constant;
    const auto became = is_constant ? describe::intake::is_constant : variable.operations->parse(variable, value);
    if (became != describe::intake::taken) refusal{variable, value}.report(index.reports_to.load(), became);
}

// Whether the variable is asked for under its own name, so that one walk over the environment serves all of them.
inline bool is_called_like_its_environment(const describe::control& variable) noexcept {
    return variable.environment == variable.name.characters;
}

// The names that one tree asks the environment for, and what is probably meant for it under a wrong one. Only entries that
// begin with the same word are looked at, up to and with the underscore: others belong to somebody else.
class environment_names {
public:
    [[gnu::cold]] explicit environment_names(describe::category& tree) noexcept : tree_{tree} {
        describe::for_each_item(tree_, [&](const describe::item& each) {
            if (each.of == kind::control) add(static_cast<const describe::control&>(each).environment);
        });
    }

    bool has_same_first_word(text entry) const noexcept {
        for (int i = 0; i < count_; i++)
            if (base::begins_with(entry, first_words_[i])) return true;
        return false;
    }

    // Reports an entry that sets no control variable, where its name is near to one that does, or is that of a variable
    // which is set by another.
    [[gnu::cold]] MPIT_MODULE_LOCAL void check(const process_index& index, text entry,
                                               const char* value) const noexcept {
        nearest found;
        describe::for_each_item(tree_, [&](const describe::item& each) {
            if (each.of == kind::control) found.look_at(static_cast<const describe::control&>(each), entry);
        });
        if (found.name == nullptr || is_known(index, entry)) return;
        sentence said;
        said.show(entry, 300);
        said.say("=");
        said.quote(value, 120);
        said.say(" is in the environment, and %s; did you mean ",
                 found.is_called_so ? "the control variable is not set by it" : "no control variable is called so");
        said.show(found.name, 300);
        said.say("?");
        said.send(index.reports_to.load());
    }

private:
    struct nearest {
        int letters = base::largest_misspelling + 1;
        const char* name = nullptr;
        bool is_called_so = false;

        [[gnu::cold]] void look_at(const describe::control& variable, text entry) noexcept {
            const bool has_its_name = base::equal(entry, variable.name);
            // What asks for nothing may be called like an entry that its library reads.
            if (*variable.environment == '\0') {
                if (has_its_name) *this = {-1, nullptr, false};
                return;
            }
            const int apart = has_its_name ? 0 : base::misspelling(entry, variable.environment);
            if (apart < letters) *this = {apart, variable.environment, has_its_name};
            if (base::equal(entry, variable.environment)) *this = {-1, nullptr, false};
        }
    };

    // Most variables begin like the one before.
    void add(const char* name) noexcept {
        for (int i = count_ - 1; i >= 0; i--)
            if (std::strncmp(name, first_words_[i].characters, first_words_[i].length) == 0) return;
        const char* end = std::strchr(name, '_');
        if (end == nullptr || end == name || count_ == most_first_words) return;
        first_words_[count_++] = {name, static_cast<std::uint32_t>(end - name) + 1};
    }
    // Whether a variable is called so, or another tree has a name that is near as well: it has reported the entry already.
    [[gnu::cold]] MPIT_MODULE_LOCAL static bool is_known(const process_index& index, text entry) noexcept {
        const declare::looking here;
        for (int i = 0, end = index.count(kind::control); i < end; i++) {
            const variable_record& r = *index.variable(kind::control, i);
            const auto* live = static_cast<const describe::control*>(r.live.load());
            const bool asks = live == nullptr || *live->environment != '\0';
            if (!asks && base::equal(entry, r.name)) return true;
            if (asks && base::misspelling(entry, live != nullptr ? text{live->environment} : r.name) <=
                            base::largest_misspelling)
                return true;
        }
        return false;
    }

    static constexpr int most_first_words = 8;
    describe::category& tree_;
    text first_words_[most_first_words];
    int count_ = 0;
};

// Serves the control variables that `wanted` admits, out of those that bear the name of an environment variable. Of two
// entries under one name the first counts, as it does for getenv().
template <class Wanted>
MPIT_MODULE_LOCAL void take_all_from_environment(process_index& index, describe::category& tree,
                                                 Wanted wanted) noexcept {
    if (environ == nullptr) return;
    const environment_names names{tree};
    const auto is_first = [](char** entry, std::size_t length) {
        for (char** at = environ; at != entry; at++)
            if (std::strncmp(*at, *entry, length) == 0) return false;
        return true;
    };
    for (char** entry = environ; *entry != nullptr; entry++) {
        const char* equals = std::strchr(*entry, '=');
        if (equals == nullptr) continue;
        const auto length = static_cast<std::uint32_t>(equals - *entry);
        const text name{*entry, length};
        const auto* found = static_cast<const variable_record*>(index.find(kind::control, name));
        if (found != nullptr && !wanted(*found)) continue;
        auto* variable = found == nullptr ? nullptr : static_cast<describe::control*>(found->live.load());
        const bool is_served = variable != nullptr && is_called_like_its_environment(*variable);
        if ((!is_served && !names.has_same_first_word(name)) || !is_first(entry, length + 1)) continue;
        if (is_served) take_from_environment(index, *variable, equals + 1);
        else names.check(index, name, equals + 1);
    }
}

} // namespace mpit::index
