// SPDX-License-Identifier: BSD-3-Clause
// Groups of C: a run-time group and the category in it that the tables are added to. A group inside of another one has a tree of
// its own, whose categories have the names of those around it, so that either can be closed first.
//
//   mpit_group* made = mpit_group::open(parent, "tcp", "Over sockets", policy);
#pragma once

#include <mpit/declare/controls.hpp>
#include <mpit/declare/events.hpp>
#include <mpit/declare/group.h>
#include <mpit/declare/measures.hpp>
#include <mpit/declare/report.hpp>

#include <new>

// Its members are for the library's own use.
struct MPIT_MODULE_LOCAL mpit_group {
    static constexpr int deepest = 8;

    // A category around the tables: its texts, in one allocation.
    struct level {
        char* name = nullptr;
        const char* description = nullptr;
    };
    // The texts of a policy; they are copied by the tree, and for groups inside.
    struct kept_policy {
        char* environment = nullptr;
        char* prefix = nullptr;
        bool in_capitals = false;
        int rejection_code = 0;
        bool texts_stay = false;
    };
    // Why a group cannot be opened.
    enum class obstacle { none, no_name, name, depth, environment, memory };

    level levels[deepest];
    int depth = 0;
    kept_policy policy;
    mpit::declare::row_memory rows; // outlives the tree
    mpit::declare::measure_memory measures;
    alignas(mpit::dynamic) unsigned char room[sizeof(mpit::dynamic)];
    mpit::dynamic* tree = nullptr;
    unsigned char category[sizeof(mpit::dynamic_category)];
    int rejected = 0; // the code that publish() has answered, until it is asked for

    static mpit_group* open(const mpit_group* parent, const char* name, const char* description,
                            const mpit_policy* wanted) noexcept {
        void* memory = std::malloc(sizeof(mpit_group));
        if (memory == nullptr) return report(obstacle::memory, name, wanted), nullptr;
        auto* const made = new (mpit::core::place{memory}) mpit_group;
        const obstacle found = made->begin(parent, name, description, wanted);
        if (found == obstacle::none) return made;
        made->end();
        return report(found, name, wanted), nullptr;
    }
    const mpit::dynamic_category& at() const noexcept { return *reinterpret_cast<const mpit::dynamic_category*>(category); }
    void end() noexcept {
        if (tree != nullptr) tree->~dynamic();
        for (level& each : levels) std::free(each.name);
        std::free(policy.environment);
        std::free(policy.prefix);
        this->~mpit_group();
        std::free(this);
    }

private:
    mpit_group() noexcept = default;
    ~mpit_group() = default;

    static char* copy(const char* text, std::size_t room) noexcept {
        auto* const made = static_cast<char*>(std::malloc(room));
        if (made != nullptr) std::memcpy(made, text, std::strlen(text) + 1);
        return made;
    }
    [[gnu::cold]] static void report(obstacle why, const char* name, const mpit_policy* wanted) noexcept {
        namespace registry = mpit::registry;
        const mpit::core::text called = mpit::internal::text_of(name);
        registry::message said;
        said.append("mpit_open returns NULL: ");
        if (why == obstacle::no_name) {
            said.append("the category has no name");
        } else {
            said.append("the category \"");
            said.append_escaped(called, 256);
            said.append("\" ");
        }
        if (why == obstacle::name) {
            said.append("has a name that no tool can type: 1 to 255 printable ASCII characters, and no blank, as in ");
            append_possible(said, called);
        } else if (why == obstacle::depth) {
            said.append("is inside of %d others; open it inside of an outer one", deepest);
        } else if (why == obstacle::environment) {
            said.append("has a policy whose .environment cannot be: names with one * each, separated by commas, and not ");
            said.append_quoted(mpit::internal::text_of(wanted == nullptr ? nullptr : wanted->environment), 256);
        } else if (why == obstacle::memory) {
            said.append("gets no memory");
        }
        mpit::declare::send(said);
    }
    // The name with another character for each that cannot be.
    static void append_possible(mpit::registry::message& said, mpit::core::text name) noexcept {
        char possible[64];
        std::size_t length = 0;
        for (; length < name.length && length + 1 < sizeof possible; length++) {
            const char each = name.characters[length];
            possible[length] = each > ' ' && each <= '~' ? each : '_';
        }
        possible[length] = '\0';
        said.append("%s", length == 0 ? "tcp" : possible);
    }
    bool add_level(const char* name, const char* description) noexcept {
        const char* const words = description == nullptr ? "" : description;
        const std::size_t length = std::strlen(name) + 1;
        char* const made = copy(name, length + std::strlen(words) + 1);
        if (made == nullptr) return false;
        std::memcpy(made + length, words, std::strlen(words) + 1);
        levels[depth++] = {made, made + length};
        return true;
    }
    static bool keep(char*& place, const char* text) noexcept {
        return text == nullptr || (place = copy(text, std::strlen(text) + 1)) != nullptr;
    }
    obstacle begin(const mpit_group* parent, const char* name, const char* description, const mpit_policy* wanted) noexcept {
        if (name == nullptr) return obstacle::no_name;
        if (!mpit::core::is_possible_name(name)) return obstacle::name;
        if (parent != nullptr && parent->depth == deepest) return obstacle::depth;
        for (int i = 0; parent != nullptr && i < parent->depth; i++)
            if (!add_level(parent->levels[i].name, parent->levels[i].description)) return obstacle::memory;
        if (!add_level(name, description)) return obstacle::memory;
        const mpit_policy inherited = parent == nullptr
                                          ? mpit_policy{}
                                          : mpit_policy{parent->policy.environment, parent->policy.prefix, parent->policy.in_capitals,
                                                        parent->policy.rejection_code, parent->policy.texts_stay};
        const mpit_policy& chosen = wanted != nullptr ? *wanted : inherited;
        if (!keep(policy.environment, chosen.environment) || !keep(policy.prefix, chosen.prefix)) return obstacle::memory;
        policy.in_capitals = chosen.in_capitals;
        policy.rejection_code = chosen.rejection_code;
        policy.texts_stay = chosen.texts_stay;
        mpit::settings_policy rules;
        if (policy.environment != nullptr) rules.environment = policy.environment;
        if (policy.prefix != nullptr) rules.prefix = policy.prefix;
        rules.in_capitals = policy.in_capitals;
        rules.rejection_code = policy.rejection_code;
        tree = new (mpit::core::place{room}) mpit::dynamic{levels[0].name, levels[0].description, rules,
                                                      policy.texts_stay ? mpit::group_texts::stay : mpit::group_texts::copied};
        mpit::dynamic_category present = *tree;
        for (int i = 1; i < depth; i++) present = present.category(levels[i].name, levels[i].description);
        new (mpit::core::place{category}) mpit::dynamic_category{present};
        return present.answer() == mpit::result::success        ? obstacle::none
               : present.answer() == mpit::result::invalid_name ? obstacle::environment
                                                                : obstacle::memory;
    }
};
