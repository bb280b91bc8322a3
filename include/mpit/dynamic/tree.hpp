// SPDX-License-Identifier: BSD-3-Clause
// Trees that grow at run time. A group keeps its categories and, for each of its rounds, a tree of what was added: the
// same descriptors as those of a declared tree, in memory of the group with copies of all texts.
//
//   dynamic_tree group;   dynamic_branch* at = group.branch(nullptr, "libfabric", "…", why);
//   if (at != nullptr) why = group.add_control(*at, "FI_TX_SIZE", "…", describe(dynamic_settings<int>{}));
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/dynamic/describe.hpp>
#include <mpit/dynamic/describe_performance.hpp>
#include <mpit/dynamic/event.hpp>
#include <mpit/dynamic/round_memory.hpp>

#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// A category of one round.
struct dynamic_category_item : descriptor::category {
    dynamic_category_item* next_round = nullptr; // of roots
    descriptor::settings_rules own_rules;        // of roots
    round_memory memory;                         // of roots
    dynamic_category_item(text called, text meaning, const descriptor::policy_values& chosen) noexcept
        : category{called, meaning}, own_rules{chosen} {
        rules = &own_rules;
        has_rules = true;
    }
    dynamic_category_item(descriptor::category& inside, text called, text meaning) noexcept
        : category{&inside, called, meaning} {}
};

// A category of the group: all rounds use it.
struct dynamic_branch {
    text name;
    text description;
    dynamic_branch* inside = nullptr;
    dynamic_branch* next = nullptr;
    dynamic_category_item* open = nullptr; // in the present round
    descriptor::policy_values rules;       // of a root
};

// Hands out the parts of one allocation.
class dynamic_room {
public:
    explicit dynamic_room(std::size_t bytes) noexcept
        : begin_{core::memory_is_left() ? static_cast<char*>(std::calloc(1, bytes)) : nullptr}, next_{begin_} {}
    bool is_there() const noexcept { return begin_ != nullptr; }
    void* take(std::size_t bytes) noexcept {
        char* taken = next_;
        next_ += bytes;
        return taken;
    }
    text keep(text source) noexcept {
        auto* copy = static_cast<char*>(take(source.length + 1));
        if (source.length != 0) std::memcpy(copy, source.characters, source.length);
        return {copy, source.length};
    }

private:
    char* begin_;
    char* next_;
};

class dynamic_tree {
public:
    constexpr dynamic_tree() noexcept {}
    dynamic_tree(const dynamic_tree&) = delete;
    dynamic_tree& operator=(const dynamic_tree&) = delete;

    // Before the first branch: that texts stay where their library has them, as long as the process.
    void use_texts_in_place() noexcept { are_texts_in_place_ = true; }

    // A category, which is part of the present round from now on; null if `why` tells.
    dynamic_branch* branch(dynamic_branch* inside, text name, text description, result& why,
                           const settings_policy& chosen = {}) noexcept {
        const text names = chosen.environment.names;
        const bool has_possible_names =
            names.length == 0 || descriptor::defect_of_names(names, true) == descriptor::list_defect::none;
        if (!core::is_possible_name(name) || !has_possible_names) return why = result::invalid_name, nullptr;
        why = result::out_of_memory;
        descriptor::policy_values rules;
        descriptor::apply_policy(rules, chosen);
        dynamic_room room{sizeof(dynamic_branch) + name.length + description.length + room_of(rules) + 2};
        if (!room.is_there()) return nullptr;
        void* const memory = room.take(sizeof(dynamic_branch));
        auto* made = new (core::place{memory}) dynamic_branch;
        made->name = room.keep(name);
        made->description = room.keep(description);
        made->inside = inside;
        made->rules = kept(rules, room);
        if (open(*made) == nullptr) return std::free(memory), nullptr;
        made->next = branches_;
        branches_ = made;
        why = result::success;
        return made;
    }

    // Adds a control variable to the present round.
    [[gnu::noinline]] result add_control(dynamic_branch& branch, text name, text description,
                                         const control_description& from) noexcept {
        control_texts texts{name, description, from};
        if (!texts.are_possible()) return result::invalid_name;
        if (described_control::defect_of(from, description) != control_defect::none) return result::invalid;
        return add<described_control>(branch, texts, from);
    }
    // Adds a performance variable to the present round.
    [[gnu::noinline]] result add_performance(dynamic_branch& branch, text name, text description,
                                             const performance_description& from) noexcept {
        described_texts texts{name, description};
        if (!texts.are_possible()) return result::invalid_name;
        if (described_performance::defect_of(from) != performance_defect::none) return result::invalid;
        return add<described_performance>(branch, texts, from);
    }

    // Adds a source, and an event, in places of their owner; `keep(room)` returns the elements of an event, for which
    // there are `bytes` more.
    result add_source(dynamic_branch& branch, text name, text description, described_place<dynamic_source>& place,
                      const dynamic_source_settings& chosen) noexcept {
        if (!core::is_possible_name(name)) return result::invalid_name;
        if (place.is_described() || chosen.ticks_per_second <= 0 || chosen.max_ticks <= 0) return result::invalid;
        return add_with_room(branch, name.length + description.length + 2,
                             [&](descriptor::category* category, dynamic_room& room) {
            const text called = room.keep(name);
            auto* const made = new (core::place{place.at()})
                dynamic_source{category, called, room.keep(description), const_cast<char*>(called.characters)};
            made->ordering = chosen.ordering;
            made->ticks_per_second = chosen.ticks_per_second;
            made->max_ticks = chosen.max_ticks;
            made->clock = chosen.clock;
        });
    }
    template <class Function>
    result add_event(dynamic_branch& branch, text name, text description, described_place<dynamic_event>& place,
                     const dynamic_event_traits& traits, std::size_t bytes, const Function& keep) noexcept {
        if (!core::is_possible_name(name)) return result::invalid_name;
        if (place.is_described() || static_cast<int>(traits.verbosity) >= verbosity_count ||
            (traits.kind != binding::none && !is_possible_binding(traits.kind, traits.handle_size)))
            return result::invalid;
        const std::size_t all = bytes + name.length + description.length + 2;
        return add_with_room(branch, all, [&](descriptor::category* category, dynamic_room& room) {
            void* const memory = room.take(0);
            dynamic_event_traits kept = traits;
            keep(room, kept.payload);
            const text called = room.keep(name);
            new (core::place{place.at()}) dynamic_event{category, called, room.keep(description), kept, memory};
        });
    }

    // Adds what `make(category, room)` makes with the room for `bytes`, which it owns from then on.
    template <class Function>
    result add_with_room(dynamic_branch& branch, std::size_t bytes, const Function& make) noexcept {
        descriptor::category* category = open(branch);
        if (category == nullptr) return result::out_of_memory;
        dynamic_room room{bytes};
        if (!room.is_there()) return result::out_of_memory;
        make(category, room);
        return result::success;
    }

    // That `count` variables of a category follow, most of them control variables of one number or texts.
    void expect(dynamic_branch& branch, std::size_t count) noexcept {
        if (count != 0 && open(branch) != nullptr) present_->memory.expect(count * sizeof(described_control));
    }
    // Whether it was added since the last round.
    bool is_new(const descriptor::item& member) noexcept {
        bool is_found = false;
        if (present_ != nullptr)
            descriptor::for_each_item(*present_,
                                      [&](descriptor::item& each) { is_found = is_found || &each == &member; });
        return is_found;
    }
    // The root of what was added since the last round; null if that is nothing.
    dynamic_category_item* present_round() noexcept { return present_; }
    void end_round() noexcept {
        present_->next_round = rounds_;
        rounds_ = present_;
        present_ = nullptr;
        for (dynamic_branch* branch = branches_; branch != nullptr; branch = branch->next) branch->open = nullptr;
    }
    // Also of the present one.
    template <class Function> void for_each_round(const Function& function) noexcept {
        if (present_ != nullptr) function(*present_);
        for (dynamic_category_item* item = rounds_; item != nullptr; item = item->next_round) function(*item);
    }

    // Takes all rounds away, and releases the rest of the memory; that of the first may still be in use.
    dynamic_category_item* end() noexcept {
        if (present_ != nullptr) end_round();
        while (dynamic_branch* first = branches_) {
            branches_ = first->next;
            std::free(first);
        }
        dynamic_category_item* ended = rounds_;
        rounds_ = nullptr;
        return ended;
    }
    // Not to be called while a reader is left.
    static void release(dynamic_category_item* first) noexcept {
        while (first != nullptr) {
            dynamic_category_item* const next = first->next_round;
            release_items(*first);
            first->memory.release();
            std::free(first);
            first = next;
        }
    }

private:
    // Adds a variable whose texts and description are checked, but for its items.
    template <class Variable, class Texts, class Description>
    [[gnu::always_inline]] result add(dynamic_branch& branch, Texts& texts, const Description& from) noexcept {
        descriptor::category* const category = open(branch);
        if (category == nullptr) return result::out_of_memory;
        round_memory& all = present_->memory;
        const round_memory::position before = all.present();
        core::enumeration_view items = from.items_of_type;
        result status = from.items.count == 0 ? result::success : keep_items(from.items, items);
        if (status == result::success && !Variable::are_possible_items(from, items)) status = result::invalid;
        void* memory = nullptr;
        if (status == result::success) {
            memory = all.take(sizeof(Variable) + Variable::room_for(from));
            const bool are_kept = memory != nullptr && (all.are_texts_in_place() || texts.keep(all));
            if (!are_kept) status = result::out_of_memory;
        }
        if (status != result::success) return all.go_back(before), status;
        new (core::place{memory}) Variable{category, texts, items, from};
        return result::success;
    }
    static std::size_t room_of(const descriptor::policy_values& rules) noexcept {
        return std::strlen(rules.environment) + rules.prefix.length + 2;
    }
    static descriptor::policy_values kept(descriptor::policy_values rules, dynamic_room& room) noexcept {
        rules.environment = room.keep(rules.environment).characters;
        rules.prefix = room.keep(rules.prefix);
        return rules;
    }
    // The category as it is in the present round, in those that it is inside of; null without memory.
    [[gnu::always_inline]] descriptor::category* open(dynamic_branch& branch) noexcept {
        return branch.open != nullptr ? branch.open : open_first(branch);
    }
    [[gnu::noinline]] descriptor::category* open_first(dynamic_branch& wanted) noexcept {
        descriptor::category* inside = wanted.inside == nullptr ? nullptr : open(*wanted.inside);
        if (wanted.inside != nullptr && inside == nullptr) return nullptr;
        if (inside != nullptr) {
            void* const memory = present_->memory.take(sizeof(dynamic_category_item));
            if (memory == nullptr) return nullptr;
            return wanted.open =
                       new (core::place{memory}) dynamic_category_item{*inside, wanted.name, wanted.description};
        }
        dynamic_room room{sizeof(dynamic_category_item) + room_of(wanted.rules)};
        if (!room.is_there()) return nullptr;
        void* const memory = room.take(sizeof(dynamic_category_item));
        const descriptor::policy_values rules = kept(wanted.rules, room); // a round may stay longer than its group
        present_ = new (core::place{memory}) dynamic_category_item{wanted.name, wanted.description, rules};
        if (are_texts_in_place_) present_->memory.texts().use_in_place();
        return wanted.open = present_;
    }

    // The items with their texts in `kept`, which stays if none are declared. `invalid` if they cannot be an
    // enumeration.
    [[gnu::noinline]] result keep_items(const dynamic_items& declared, core::enumeration_view& kept) noexcept {
        if (declared.count == 0) return result::success;
        const text name = text_of(declared.name);
        if (declared.count < 0 || declared.items == nullptr || name.length == 0) return result::invalid;
        round_memory& memory = present_->memory;
        if (are_last_items(declared)) {
            kept = memory.last_items();
            if (!core::equal(kept.name, name)) kept.name = memory.keep(name);
            return kept.name.characters != nullptr ? result::success : result::out_of_memory;
        }
        auto* const items = static_cast<core::enumeration_item*>(
            memory.room_for_items(static_cast<std::size_t>(declared.count) * sizeof(core::enumeration_item)));
        if (items == nullptr) return result::out_of_memory;
        for (int i = 0; i < declared.count; i++) {
            const enumerator<int>& from = declared.items[i];
            const text called = text_of(from.name);
            if (called.length == 0) return result::invalid;
            for (int j = 0; j < i; j++)
                if (items[j].value == from.value || core::equal(items[j].name, called)) return result::invalid;
            auto* const item = new (core::place{items + i}) core::enumeration_item;
            item->name = memory.keep(called);
            item->value = from.value;
            if (item->name.characters == nullptr) return result::out_of_memory;
            item->also = item->name.characters + called.length; // nothing
            if (text_of(from.also).length == 0) continue;
            item->also = memory.keep(from.also).characters;
            if (item->also == nullptr) return result::out_of_memory;
        }
        kept = {memory.keep(name), items, declared.count};
        if (kept.name.characters == nullptr) return result::out_of_memory;
        memory.remember_items(kept);
        return result::success;
    }
    static bool are_equal(const char* text_of_item, const char* other) noexcept {
        return other == nullptr ? *text_of_item == '\0'
                                : text_of_item == other || std::strcmp(text_of_item, other) == 0;
    }
    // Whether they are those of the enumeration before: enumerations of one library often have the same items.
    bool are_last_items(const dynamic_items& declared) const noexcept {
        const core::enumeration_view& last = present_->memory.last_items();
        if (last.count != declared.count) return false;
        for (int i = 0; i < declared.count; i++) {
            const enumerator<int>& from = declared.items[i];
            const core::enumeration_item& item = last.items[i];
            const bool is_same = item.value == from.value && are_equal(item.name.characters, from.name) &&
                                 are_equal(item.also, from.also);
            if (!is_same) return false;
        }
        return true;
    }

    // Variables have nothing to destroy.
    static void release_items(descriptor::category& category) noexcept {
        for (descriptor::item* item = category.first; item != nullptr;) {
            descriptor::item* const next = item->next;
            if (item->item_kind == descriptor::kind::category) release_items(static_cast<descriptor::category&>(*item));
            else if (item->item_kind == descriptor::kind::event) static_cast<dynamic_event&>(*item).release();
            else if (item->item_kind == descriptor::kind::source) static_cast<dynamic_source&>(*item).release();
            item = next;
        }
    }

    dynamic_branch* branches_ = nullptr;
    dynamic_category_item* present_ = nullptr;
    dynamic_category_item* rounds_ = nullptr;
    bool are_texts_in_place_ = false;
};

} // namespace internal
} // namespace mpit
