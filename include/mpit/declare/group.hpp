// SPDX-License-Identifier: BSD-3-Clause
// Defines the struct mpit_group of mpit/declare/group.h. The struct has an mpit::dynamic and the category to which
// tables are added. A group inside of another group has an mpit::dynamic of its own, with the same categories as the
// outer group. Thus the outer group and the inner group can be closed in any order. The unloading of a shared object
// closes the shared object's groups.
//
//   mpit_group* group = mpit_group::open(parent, "tcp", "Over sockets", policy);
#pragma once

#include <mpit/declare/controls.hpp> // IWYU pragma: export
#include <mpit/declare/events.hpp>   // IWYU pragma: export
#include <mpit/declare/group.h>
#include <mpit/declare/measures.hpp> // IWYU pragma: export

#include <new> // IWYU pragma: export

// A run-time group of variables that C tables declare. The struct's members are for the library's own use.
struct MPIT_MODULE_LOCAL mpit_group {
    static constexpr int deepest = 8;

    // One of the nested categories of a group. C tables are added to the innermost category. One allocation contains
    // the name and the description of the category.
    struct level {
        char* name = nullptr;
        const char* description = nullptr;
    };
    // A copy of the group's mpit_policy. Groups inside of this group inherit the policy.
    struct policy_copy {
        char* environment = nullptr;
        char* prefix = nullptr;
        bool in_capitals = false;
        int rejection_code = 0;
        bool texts_kept = false;
    };
    // The memory of one group. `slots` lists the slots of all groups in this shared object. No slot is removed from
    // `slots` before the unload. A new group reuses an unused slot. If a thread may still read a closed group, the
    // group's slot stays in the state closed_in_use and is not reused.
    struct slot {
        mpit::core::atomic<std::uint32_t> state;
        slot* next = nullptr;
        mpit_group* group() noexcept { return reinterpret_cast<mpit_group*>(this + 1); }
    };
    enum : std::uint32_t { unused, open_group, closed_in_use };
    static inline constinit mpit::core::atomic<slot*> slots{nullptr};

    // The reason why mpit_open() returns null.
    enum class open_error { none, no_name, name, depth, environment, memory };

    level levels[deepest];
    int depth = 0;
    policy_copy copied_policy;
    alignas(mpit::dynamic) unsigned char tree_storage[sizeof(mpit::dynamic)];
    mpit::dynamic* tree = nullptr;
    unsigned char category_storage[sizeof(mpit::dynamic_category)];
    int rejection_code = 0; // error code from mpit_publish(), until mpit_rejection_code() returns the code

    static mpit_group* open(const mpit_group* parent, const char* name, const char* description,
                            const mpit_policy* policy) noexcept {
        slot* const memory = take_slot();
        if (memory == nullptr) return report(open_error::memory, name, policy), nullptr;
        auto* const group = new (mpit::core::placement{memory->group()}) mpit_group;
        const open_error error = group->begin(parent, name, description, policy);
        if (error == open_error::none) return group;
        group->end();
        return report(error, name, policy), nullptr;
    }
    // Returns the innermost category of the group, to which tables are added.
    const mpit::dynamic_category& category() const noexcept {
        return *reinterpret_cast<const mpit::dynamic_category*>(category_storage);
    }
    void end() noexcept {
        slot* const own_slot = reinterpret_cast<slot*>(this) - 1;
        if (!own_slot->state.compare_and_set(open_group, closed_in_use)) return;
        const bool has_no_readers = tree == nullptr || tree->end();
        for (level& entry : levels) std::free(entry.name);
        std::free(copied_policy.environment);
        std::free(copied_policy.prefix);
        if (!has_no_readers) return;
        this->~mpit_group();
        own_slot->state.store(unused);
    }

private:
    mpit_group() noexcept = default;
    ~mpit_group() {
        if (tree != nullptr) tree->~dynamic();
    }

    // Closes all groups of this shared object, when dlclose() unloads the shared object.
    static void end_open_groups(void*) noexcept {
        slot* next = nullptr;
        for (slot* memory = slots.exchange(nullptr); memory != nullptr; memory = next) {
            next = memory->next;
            memory->group()->end();
            if (memory->state.load() == unused) std::free(memory);
        }
    }
    // Returns an unused or new slot for a group, or null if memory is exhausted.
    static slot* take_slot() noexcept {
        for (slot* existing = slots.load(); existing != nullptr; existing = existing->next)
            if (existing->state.compare_and_set(unused, open_group)) return existing;
        mpit::registry::process_registry* const registry = mpit::registry::the_registry();
        if (registry == nullptr) return nullptr;
        if (slots.load() == nullptr && !mpit::registry::at_unloading(*registry, &end_open_groups, nullptr))
            return nullptr;
        void* const memory = std::malloc(sizeof(slot) + sizeof(mpit_group));
        if (memory == nullptr) return nullptr;
        static_assert(sizeof(slot) % alignof(mpit_group) == 0, "a group must be aligned directly after its slot");
        auto* const new_slot = new (mpit::core::placement{memory}) slot;
        new_slot->state.store(open_group);
        new_slot->next = slots.load();
        while (!slots.compare_exchange(new_slot->next, new_slot)) {}
        return new_slot;
    }

    // Allocates `size` bytes and copies a text to the allocation. Returns null if memory is exhausted.
    static char* copy(const char* text, std::size_t size) noexcept {
        auto* const characters = static_cast<char*>(std::malloc(size));
        if (characters != nullptr) std::memcpy(characters, text, std::strlen(text) + 1);
        return characters;
    }
    [[gnu::cold]] static void report(open_error error, const char* name, const mpit_policy* policy) noexcept {
        namespace registry = mpit::registry;
        const mpit::core::text category_name = mpit::internal::text_of(name);
        registry::message line;
        line.append("mpit_open returns NULL: ");
        if (error == open_error::no_name) {
            line.append("the name of the category is NULL");
        } else {
            line.append("the category \"");
            line.append_escaped(category_name, 256);
            line.append("\" ");
        }
        if (error == open_error::name) {
            line.append(
                "has a name that is not accepted: expected 1 to 255 printable ASCII characters without blanks, as in ");
            append_possible_name(line, category_name);
        } else if (error == open_error::depth) {
            line.append("is inside of %d others, expected at most %d; open it in an outer one", deepest, deepest - 1);
        } else if (error == open_error::environment) {
            line.append("has a policy with a wrong .environment: expected names with one * each, separated by commas, "
                        "but found ");
            line.append_quoted(mpit::internal::text_of(policy == nullptr ? nullptr : policy->environment), 256);
        } else if (error == open_error::memory) {
            line.append("is not opened: memory is exhausted");
        }
        mpit::declare::send(line);
    }
    // Appends a copy of `name` with an underscore in place of each character that names cannot have.
    static void append_possible_name(mpit::registry::message& line, mpit::core::text name) noexcept {
        char possible[64];
        std::size_t length = 0;
        for (; length < name.length && length + 1 < sizeof possible; length++) {
            const char character = name.characters[length];
            possible[length] = character > ' ' && character <= '~' ? character : '_';
        }
        possible[length] = '\0';
        line.append("%s", length == 0 ? "tcp" : possible);
    }
    bool add_level(const char* name, const char* description) noexcept {
        const char* const words = description == nullptr ? "" : description;
        const std::size_t name_size = std::strlen(name) + 1;
        char* const texts = copy(name, name_size + std::strlen(words) + 1);
        if (texts == nullptr) return false;
        std::memcpy(texts + name_size, words, std::strlen(words) + 1);
        levels[depth++] = {texts, texts + name_size};
        return true;
    }
    static bool copy_to(char*& target, const char* text) noexcept {
        return text == nullptr || (target = copy(text, std::strlen(text) + 1)) != nullptr;
    }
    open_error begin(const mpit_group* parent, const char* name, const char* description,
                     const mpit_policy* policy) noexcept {
        if (name == nullptr) return open_error::no_name;
        if (!mpit::core::is_possible_name(name)) return open_error::name;
        if (parent != nullptr && parent->depth == deepest) return open_error::depth;
        for (int i = 0; parent != nullptr && i < parent->depth; i++)
            if (!add_level(parent->levels[i].name, parent->levels[i].description)) return open_error::memory;
        if (!add_level(name, description)) return open_error::memory;
        const mpit_policy inherited =
            parent == nullptr ? mpit_policy{}
                              : mpit_policy{parent->copied_policy.environment, parent->copied_policy.prefix,
                                            parent->copied_policy.in_capitals, parent->copied_policy.rejection_code,
                                            parent->copied_policy.texts_kept};
        const mpit_policy& effective = policy != nullptr ? *policy : inherited;
        if (!copy_to(copied_policy.environment, effective.environment) ||
            !copy_to(copied_policy.prefix, effective.prefix))
            return open_error::memory;
        copied_policy.in_capitals = effective.in_capitals;
        copied_policy.rejection_code = effective.rejection_code;
        copied_policy.texts_kept = effective.texts_kept;
        mpit::settings_policy rules;
        if (copied_policy.environment != nullptr) rules.environment = copied_policy.environment;
        if (copied_policy.prefix != nullptr) rules.prefix = copied_policy.prefix;
        rules.in_capitals = copied_policy.in_capitals;
        rules.rejection_code = copied_policy.rejection_code;
        tree = new (mpit::core::placement{tree_storage})
            mpit::dynamic{levels[0].name, levels[0].description, rules,
                          copied_policy.texts_kept ? mpit::group_texts::kept : mpit::group_texts::copied};
        mpit::dynamic_category innermost = *tree;
        for (int i = 1; i < depth; i++) innermost = innermost.category(levels[i].name, levels[i].description);
        new (mpit::core::placement{category_storage}) mpit::dynamic_category{innermost};
        return innermost.status() == mpit::result::success        ? open_error::none
               : innermost.status() == mpit::result::invalid_name ? open_error::environment
                                                                  : open_error::memory;
    }
};
