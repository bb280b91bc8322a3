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
    };

    level levels[deepest];
    int depth = 0;
    kept_policy policy;
    mpit::declare::row_memory rows; // outlives the tree
    mpit::declare::measure_memory measures;
    alignas(mpit::dynamic) unsigned char room[sizeof(mpit::dynamic)];
    mpit::dynamic* tree = nullptr;
    unsigned char category[sizeof(mpit::dynamic_category)];

    static mpit_group* open(const mpit_group* parent, const char* name, const char* description,
                            const mpit_policy* wanted) noexcept {
        void* memory = std::malloc(sizeof(mpit_group));
        if (memory == nullptr) return nullptr;
        auto* const made = new (mpit::core::place{memory}) mpit_group;
        if (made->begin(parent, name, description, wanted)) return made;
        made->end();
        return nullptr;
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
    bool add_level(const char* name, const char* description) noexcept {
        if (name == nullptr || depth == deepest) return false;
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
    bool begin(const mpit_group* parent, const char* name, const char* description, const mpit_policy* wanted) noexcept {
        for (int i = 0; parent != nullptr && i < parent->depth; i++)
            if (!add_level(parent->levels[i].name, parent->levels[i].description)) return false;
        if (!add_level(name, description)) return false;
        const mpit_policy inherited = parent == nullptr
                                          ? mpit_policy{nullptr, nullptr, false}
                                          : mpit_policy{parent->policy.environment, parent->policy.prefix, parent->policy.in_capitals};
        const mpit_policy& chosen = wanted != nullptr ? *wanted : inherited;
        if (!keep(policy.environment, chosen.environment) || !keep(policy.prefix, chosen.prefix)) return false;
        policy.in_capitals = chosen.in_capitals;
        mpit::settings_policy rules;
        if (policy.environment != nullptr) rules.environment = policy.environment;
        if (policy.prefix != nullptr) rules.prefix = policy.prefix;
        rules.in_capitals = policy.in_capitals;
        tree = new (mpit::core::place{room}) mpit::dynamic{levels[0].name, levels[0].description, rules};
        mpit::dynamic_category present = *tree;
        for (int i = 1; i < depth; i++) present = present.category(levels[i].name, levels[i].description);
        new (mpit::core::place{category}) mpit::dynamic_category{present};
        return present.answer() == mpit::result::success;
    }
};
