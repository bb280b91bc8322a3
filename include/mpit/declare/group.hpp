// SPDX-License-Identifier: BSD-3-Clause
// Groups of C: a run-time group and the category in it that the tables are added to. A group inside of another one has
// a tree of its own, whose categories have the names of those around it, so that either can be closed first. Groups
// that are open when their shared object is unloaded end then.
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
        int rejection_code = 0;
        bool texts_stay = false;
    };
    // The memory of a group of this shared object, which a later one uses again once it is unused. That of a group that
    // a thread may still use stays in use.
    struct place {
        mpit::core::atomic<std::uint32_t> state;
        place* next = nullptr;
        mpit_group* group() noexcept { return reinterpret_cast<mpit_group*>(this + 1); }
    };
    enum : std::uint32_t { unused, open_group, closed_in_use };
    static inline constinit mpit::core::atomic<place*> places{nullptr};

    // Why a group cannot be opened.
    enum class obstacle { none, no_name, name, depth, environment, memory };

    level levels[deepest];
    int depth = 0;
    kept_policy policy;
    alignas(mpit::dynamic) unsigned char room[sizeof(mpit::dynamic)];
    mpit::dynamic* tree = nullptr;
    unsigned char category[sizeof(mpit::dynamic_category)];
    int rejected = 0; // the code that publish() has answered, until it is asked for

    static mpit_group* open(const mpit_group* parent, const char* name, const char* description,
                            const mpit_policy* wanted) noexcept {
        place* const memory = take_place();
        if (memory == nullptr) return report(obstacle::memory, name, wanted), nullptr;
        auto* const group = new (mpit::core::place{memory->group()}) mpit_group;
        const obstacle found = group->begin(parent, name, description, wanted);
        if (found == obstacle::none) return group;
        group->end();
        return report(found, name, wanted), nullptr;
    }
    const mpit::dynamic_category& at() const noexcept {
        return *reinterpret_cast<const mpit::dynamic_category*>(category);
    }
    void end() noexcept {
        place* const own = reinterpret_cast<place*>(this) - 1;
        if (!own->state.replace(open_group, closed_in_use)) return;
        const bool is_alone = tree == nullptr || tree->end();
        for (level& each : levels) std::free(each.name);
        std::free(policy.environment);
        std::free(policy.prefix);
        if (!is_alone) return;
        this->~mpit_group();
        own->state.store(unused);
    }

private:
    mpit_group() noexcept = default;
    ~mpit_group() {
        if (tree != nullptr) tree->~dynamic();
    }

    // Runs when the shared object is unloaded by dlclose().
    static void end_open_groups(void*) noexcept {
        place* next = nullptr;
        for (place* memory = places.exchange(nullptr); memory != nullptr; memory = next) {
            next = memory->next;
            memory->group()->end();
            if (memory->state.load() == unused) std::free(memory);
        }
    }
    // Null without memory.
    static place* take_place() noexcept {
        for (place* each = places.load(); each != nullptr; each = each->next)
            if (each->state.replace(unused, open_group)) return each;
        mpit::registry::process_registry* const registry = mpit::registry::the_registry();
        if (registry == nullptr) return nullptr;
        if (places.load() == nullptr && !mpit::registry::at_unloading(*registry, &end_open_groups, nullptr))
            return nullptr;
        void* const memory = std::malloc(sizeof(place) + sizeof(mpit_group));
        if (memory == nullptr) return nullptr;
        static_assert(sizeof(place) % alignof(mpit_group) == 0, "a group is right behind its place");
        auto* const made = new (mpit::core::place{memory}) place;
        made->state.store(open_group);
        made->next = places.load();
        while (!places.compare_exchange(made->next, made)) {}
        return made;
    }

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
            said.append(
                "has a policy whose .environment cannot be: names with one * each, separated by commas, and not ");
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
    obstacle begin(const mpit_group* parent, const char* name, const char* description,
                   const mpit_policy* wanted) noexcept {
        if (name == nullptr) return obstacle::no_name;
        if (!mpit::core::is_possible_name(name)) return obstacle::name;
        if (parent != nullptr && parent->depth == deepest) return obstacle::depth;
        for (int i = 0; parent != nullptr && i < parent->depth; i++)
            if (!add_level(parent->levels[i].name, parent->levels[i].description)) return obstacle::memory;
        if (!add_level(name, description)) return obstacle::memory;
        const mpit_policy inherited =
            parent == nullptr
                ? mpit_policy{}
                : mpit_policy{parent->policy.environment, parent->policy.prefix, parent->policy.in_capitals,
                              parent->policy.rejection_code, parent->policy.texts_stay};
        const mpit_policy& chosen = wanted != nullptr ? *wanted : inherited;
        if (!keep(policy.environment, chosen.environment) || !keep(policy.prefix, chosen.prefix))
            return obstacle::memory;
        policy.in_capitals = chosen.in_capitals;
        policy.rejection_code = chosen.rejection_code;
        policy.texts_stay = chosen.texts_stay;
        mpit::settings_policy rules;
        if (policy.environment != nullptr) rules.environment = policy.environment;
        if (policy.prefix != nullptr) rules.prefix = policy.prefix;
        rules.in_capitals = policy.in_capitals;
        rules.rejection_code = policy.rejection_code;
        tree = new (mpit::core::place{room})
            mpit::dynamic{levels[0].name, levels[0].description, rules,
                          policy.texts_stay ? mpit::group_texts::stay : mpit::group_texts::copied};
        mpit::dynamic_category present = *tree;
        for (int i = 1; i < depth; i++) present = present.category(levels[i].name, levels[i].description);
        new (mpit::core::place{category}) mpit::dynamic_category{present};
        return present.answer() == mpit::result::success        ? obstacle::none
               : present.answer() == mpit::result::invalid_name ? obstacle::environment
                                                                : obstacle::memory;
    }
};
