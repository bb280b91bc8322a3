// SPDX-License-Identifier: BSD-3-Clause
// The trees of a run-time group. Each call of publish() publishes one tree, which contains categories and the variables
// that were added since the last call. The latest tree is unpublished until the next call of publish(). The trees have
// the same kinds of descriptors as trees of declared variables. The group owns the descriptors and the copied texts.
//
//   group_trees trees;   group_category* category = trees.add_category(nullptr, "libfabric", "...", error);
//   if (category) error = trees.add_control(*category, "FI_TX_SIZE", "...", describe(dynamic_settings<int>{}));
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/dynamic/describe.hpp>             // IWYU pragma: keep
#include <mpit/dynamic/describe_performance.hpp> // IWYU pragma: keep
#include <mpit/dynamic/event.hpp>
#include <mpit/dynamic/histogram.hpp>
#include <mpit/dynamic/labels.hpp>
#include <mpit/dynamic/tree_memory.hpp>

#include <cstdlib>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The descriptor of a category in one tree of a run-time group. The members are used only in the root of a tree.
struct described_category : descriptor::category {
    described_category* next_tree = nullptr;
    descriptor::settings_rules own_rules;
    tree_memory memory;
    described_category(text category_name, text category_description, const descriptor::policy_values& values) noexcept
        : category{category_name, category_description}, own_rules{values} {
        rules = &own_rules;
        has_rules = true;
    }
    described_category(descriptor::category& parent_category, text category_name, text category_description) noexcept
        : category{&parent_category, category_name, category_description} {}
};

// A category of a run-time group. Each tree with variables of the category has its own descriptor of the category.
struct group_category {
    text name;
    text description;
    group_category* parent = nullptr;
    group_category* next = nullptr;
    described_category* in_open_tree = nullptr;
    descriptor::policy_values rules; // policy of the group, for a category without a parent
};

// Makes one allocation, from which take() and keep() return parts one after the other.
class part_allocator {
public:
    explicit part_allocator(std::size_t bytes) noexcept
        : begin_{core::memory_is_left() ? static_cast<char*>(std::calloc(1, bytes)) : nullptr}, next_{begin_} {}
    bool is_allocated() const noexcept { return begin_ != nullptr; }
    void* take(std::size_t bytes) noexcept {
        char* part = next_;
        next_ += bytes;
        return part;
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

class group_trees {
public:
    constexpr group_trees() noexcept {}
    group_trees(const group_trees&) = delete;
    group_trees& operator=(const group_trees&) = delete;

    // Switches off copies of texts, for a library that keeps all texts until the end of the process. Must be called
    // before the first add_category().
    void use_texts_in_place() noexcept { are_texts_in_place_ = true; }

    // Adds a category to the group and to the unpublished tree. Returns null and sets `error` if the call fails.
    group_category* add_category(group_category* parent, text name, text description, result& error,
                                 const settings_policy& policy = {}) noexcept {
        const text names = policy.environment.names;
        const bool has_possible_names =
            names.length == 0 || descriptor::defect_of_names(names, true) == descriptor::list_defect::none;
        if (!core::is_possible_name(name) || !has_possible_names) return error = result::invalid_name, nullptr;
        error = result::out_of_memory;
        descriptor::policy_values rules;
        descriptor::apply_policy(rules, policy);
        part_allocator room{sizeof(group_category) + name.length + description.length + bytes_of_texts(rules) + 2};
        if (!room.is_allocated()) return nullptr;
        void* const memory = room.take(sizeof(group_category));
        auto* category = new (core::placement{memory}) group_category;
        category->name = room.keep(name);
        category->description = room.keep(description);
        category->parent = parent;
        category->rules = copy_of(rules, room);
        if (descriptor_of(*category) == nullptr) return std::free(memory), nullptr;
        category->next = categories_;
        categories_ = category;
        error = result::success;
        return category;
    }

    // Adds a control variable to the unpublished tree.
    [[gnu::noinline]] result add_control(group_category& category, text name, text description,
                                         const control_description& from) noexcept {
        control_texts texts{name, description, from};
        if (!texts.are_possible()) return result::invalid_name;
        if (described_control::defect_of(from, description) != control_defect::none) return result::invalid;
        return add<described_control>(category, texts, from);
    }
    // Adds a performance variable to the unpublished tree.
    [[gnu::noinline]] result add_performance(group_category& category, text name, text description,
                                             const performance_description& from) noexcept {
        described_texts texts{name, description};
        if (!texts.are_possible()) return result::invalid_name;
        if (described_performance::defect_of(from) != performance_defect::none) return result::invalid;
        const bool has_labels = from.labels != nullptr || from.label != nullptr;
        if ((has_labels || from.bounds != nullptr) && !suffixed_name::is_possible(name)) return result::invalid;
        result status = add<described_performance>(category, texts, from);
        if (status == result::success && from.bounds != nullptr) status = add_bounds(category, name, from);
        return status == result::success && has_labels ? add_labels(category, name, from) : status;
    }

    // Adds the six variables of a histogram to the unpublished tree.
    [[gnu::noinline]] result add_histogram(group_category& category, text name, text description,
                                           const dynamic_histogram_settings& settings) noexcept {
        const described_histogram& from = settings.cell;
        described_texts texts{name, description};
        if (!texts.are_possible()) return result::invalid_name;
        if (static_cast<int>(settings.verbosity) >= verbosity_count || defect_of(from, name) != histogram_defect::none)
            return result::invalid;
        descriptor::category* const parent = descriptor_of(category);
        if (parent == nullptr) return result::out_of_memory;
        tree_memory& tree = open_tree_->memory;
        const tree_memory::position before = tree.current();
        void* const memory = tree.allocate_with_names(sizeof(histogram_parts));
        const bool has_texts = memory != nullptr && (tree.are_texts_in_place() || texts.copy_to(tree));
        if (!has_texts) return tree.rewind(before), result::out_of_memory;
        from.cell->begin(from.operations->kind, settings.when_watched);
        new (core::placement{memory}) histogram_parts{parent,           texts.checked(), texts.description, from.cell,
                                                      *from.operations, from.type,       settings.verbosity};
        return result::success;
    }

    // Adds an event source to the unpublished tree. The source's descriptor is constructed in the author's `place`.
    result add_source(group_category& category, text name, text description, descriptor_storage<dynamic_source>& place,
                      const dynamic_source_settings& settings) noexcept {
        if (!core::is_possible_name(name)) return result::invalid_name;
        if (place.is_described() || settings.ticks_per_second <= 0 || settings.max_ticks <= 0) return result::invalid;
        return add_with_room(category, name.length + description.length + 2,
                             [&](descriptor::category* parent, part_allocator& room) {
            const text source_name = room.keep(name);
            auto* const source = new (core::placement{place.at()})
                dynamic_source{parent, source_name, room.keep(description), const_cast<char*>(source_name.characters)};
            source->ordering = settings.ordering;
            source->ticks_per_second = settings.ticks_per_second;
            source->max_ticks = settings.max_ticks;
            source->clock = settings.clock;
        });
    }
    // Adds an event to the unpublished tree. The descriptor of the event is constructed in the author's `place`.
    // `add_elements(room, payload)` takes `bytes` bytes from `room` for the elements of the payload.
    template <class Function>
    result add_event(group_category& category, text name, text description, descriptor_storage<dynamic_event>& place,
                     const dynamic_event_traits& traits, std::size_t bytes, const Function& add_elements) noexcept {
        if (!core::is_possible_name(name)) return result::invalid_name;
        if (place.is_described() || static_cast<int>(traits.verbosity) >= verbosity_count ||
            (traits.kind != binding::none && !is_possible_binding(traits.kind, traits.handle_size)))
            return result::invalid;
        const std::size_t all_bytes = bytes + name.length + description.length + 2;
        return add_with_room(category, all_bytes, [&](descriptor::category* parent, part_allocator& room) {
            void* const memory = room.take(0);
            dynamic_event_traits copied = traits;
            add_elements(room, copied.payload);
            const text event_name = room.keep(name);
            new (core::placement{place.at()}) dynamic_event{parent, event_name, room.keep(description), copied, memory};
        });
    }

    // Allocates `bytes` bytes as `room` and calls `make(parent, room)`. The function `make` owns the allocation.
    template <class Function>
    result add_with_room(group_category& category, std::size_t bytes, const Function& make) noexcept {
        descriptor::category* parent = descriptor_of(category);
        if (parent == nullptr) return result::out_of_memory;
        part_allocator room{bytes};
        if (!room.is_allocated()) return result::out_of_memory;
        make(parent, room);
        return result::success;
    }

    // Reserves memory for `count` variables without trailing bytes, such as control variables of one number.
    void reserve(group_category& category, std::size_t count) noexcept {
        if (count != 0 && descriptor_of(category) != nullptr)
            open_tree_->memory.reserve(count * sizeof(described_control));
    }
    // Returns true if the variable, event or source `member` was added after the last publication.
    bool is_unpublished(const descriptor::item& member) noexcept {
        bool is_found = false;
        if (open_tree_ != nullptr)
            descriptor::for_each_item(*open_tree_,
                                      [&](descriptor::item& other) { is_found = is_found || &other == &member; });
        return is_found;
    }
    // Returns the root of the unpublished tree, or null if nothing was added after the last publication.
    described_category* open_tree() noexcept { return open_tree_; }
    void close_tree() noexcept {
        open_tree_->next_tree = closed_trees_;
        closed_trees_ = open_tree_;
        open_tree_ = nullptr;
        for (group_category* category = categories_; category != nullptr; category = category->next)
            category->in_open_tree = nullptr;
    }
    // Calls `function(root)` for each tree of the group, including the unpublished tree.
    template <class Function> void for_each_tree(const Function& function) noexcept {
        if (open_tree_ != nullptr) function(*open_tree_);
        for (described_category* root = closed_trees_; root != nullptr; root = root->next_tree) function(*root);
    }

    // Frees the categories of the group, but not the trees, because readers may still use the trees. Returns the list
    // of trees. The caller passes the list to release() when no reader is left.
    described_category* end() noexcept {
        if (open_tree_ != nullptr) close_tree();
        while (group_category* first = categories_) {
            categories_ = first->next;
            std::free(first);
        }
        described_category* first_root = closed_trees_;
        closed_trees_ = nullptr;
        return first_root;
    }
    // Frees a list of trees. The caller makes sure that no thread reads the trees.
    static void release(described_category* root) noexcept {
        while (root != nullptr) {
            described_category* const next = root->next_tree;
            release_items(*root);
            root->memory.release();
            std::free(root);
            root = next;
        }
    }

private:
    // Adds the bounds of the buckets that the elements of the counter `name` are.
    [[gnu::cold]] result add_bounds(group_category& category, text name, const performance_description& of) noexcept {
        void* const memory = open_tree_->memory.allocate_with_names(sizeof(stored_bounds));
        if (memory == nullptr) return result::out_of_memory;
        new (core::placement{memory}) stored_bounds{descriptor_of(category), name, of.count, of.bounds, of.verbosity};
        return result::success;
    }
    [[gnu::cold]] result add_labels(group_category& category, text name, const performance_description& of) noexcept {
        const text list = open_tree_->memory.copy_until_release(text_of(of.labels));
        void* const memory = open_tree_->memory.allocate_with_names(sizeof(stored_labels));
        if (memory == nullptr || list.characters == nullptr) return result::out_of_memory;
        new (core::placement{memory}) stored_labels{descriptor_of(category), name, of, list};
        return result::success;
    }
    // Adds a variable to the unpublished tree. The caller has checked the texts and the description, but not the items.
    template <class Variable, class Texts, class Description>
    [[gnu::always_inline]] result add(group_category& category, Texts& texts, const Description& from) noexcept {
        descriptor::category* const parent = descriptor_of(category);
        if (parent == nullptr) return result::out_of_memory;
        tree_memory& tree = open_tree_->memory;
        const tree_memory::position before = tree.current();
        core::enumeration_view items = from.items_of_type;
        result status = from.items.count == 0 ? result::success : copy_items(from.items, items);
        if (status == result::success && !Variable::are_possible_items(from, items)) status = result::invalid;
        void* memory = nullptr;
        if (status == result::success) {
            memory = tree.allocate(sizeof(Variable) + Variable::trailing_bytes(from));
            const bool has_texts = memory != nullptr && (tree.are_texts_in_place() || texts.copy_to(tree));
            if (!has_texts) status = result::out_of_memory;
        }
        if (status != result::success) return tree.rewind(before), status;
        new (core::placement{memory}) Variable{parent, texts, items, from};
        return result::success;
    }
    static std::size_t bytes_of_texts(const descriptor::policy_values& rules) noexcept {
        return std::strlen(rules.environment) + rules.prefix.length + 2;
    }
    static descriptor::policy_values copy_of(descriptor::policy_values rules, part_allocator& room) noexcept {
        rules.environment = room.keep(rules.environment).characters;
        rules.prefix = room.keep(rules.prefix);
        return rules;
    }
    // Returns the descriptor of the category in the unpublished tree, and creates the descriptor if necessary. Returns
    // null if memory is exhausted.
    [[gnu::always_inline]] descriptor::category* descriptor_of(group_category& category) noexcept {
        return category.in_open_tree != nullptr ? category.in_open_tree : make_descriptor(category);
    }
    [[gnu::noinline]] descriptor::category* make_descriptor(group_category& category) noexcept {
        descriptor::category* parent = category.parent == nullptr ? nullptr : descriptor_of(*category.parent);
        if (category.parent != nullptr && parent == nullptr) return nullptr;
        if (parent != nullptr) {
            void* const memory = open_tree_->memory.allocate(sizeof(described_category));
            if (memory == nullptr) return nullptr;
            return category.in_open_tree =
                       new (core::placement{memory}) described_category{*parent, category.name, category.description};
        }
        part_allocator room{sizeof(described_category) + bytes_of_texts(category.rules)};
        if (!room.is_allocated()) return nullptr;
        void* const memory = room.take(sizeof(described_category));
        const descriptor::policy_values rules = copy_of(category.rules, room); // a tree may outlive the group
        open_tree_ = new (core::placement{memory}) described_category{category.name, category.description, rules};
        if (are_texts_in_place_) open_tree_->memory.texts().use_in_place();
        return category.in_open_tree = open_tree_;
    }

    // Copies the items of an enumeration to `copied`. Returns `invalid` if a name is empty, or if two items have the
    // same name or the same value.
    [[gnu::noinline]] result copy_items(const dynamic_items& declared, core::enumeration_view& copied) noexcept {
        if (declared.count == 0) return result::success;
        const text name = text_of(declared.name);
        if (declared.count < 0 || declared.items == nullptr || name.length == 0) return result::invalid;
        tree_memory& memory = open_tree_->memory;
        if (are_last_items(declared)) {
            copied = memory.last_items();
            if (!core::equal(copied.name, name)) copied.name = memory.copy(name);
            return copied.name.characters != nullptr ? result::success : result::out_of_memory;
        }
        auto* const items = static_cast<core::enumeration_item*>(
            memory.allocate_items(static_cast<std::size_t>(declared.count) * sizeof(core::enumeration_item)));
        if (items == nullptr) return result::out_of_memory;
        for (int i = 0; i < declared.count; i++) {
            const enumerator<int>& from = declared.items[i];
            const text item_name = text_of(from.name);
            if (item_name.length == 0) return result::invalid;
            for (int j = 0; j < i; j++)
                if (items[j].value == from.value || core::equal(items[j].name, item_name)) return result::invalid;
            auto* const item = new (core::placement{items + i}) core::enumeration_item;
            item->name = memory.copy(item_name);
            item->value = from.value;
            if (item->name.characters == nullptr) return result::out_of_memory;
            item->also = item->name.characters + item_name.length; // empty text
            if (text_of(from.also).length == 0) continue;
            item->also = memory.copy(from.also).characters;
            if (item->also == nullptr) return result::out_of_memory;
        }
        copied = {memory.copy(name), items, declared.count};
        if (copied.name.characters == nullptr) return result::out_of_memory;
        memory.set_last_items(copied);
        return result::success;
    }
    static bool are_equal(const char* text_of_item, const char* other) noexcept {
        return other == nullptr ? *text_of_item == '\0'
                                : text_of_item == other || std::strcmp(text_of_item, other) == 0;
    }
    // Returns true if the enumeration that was added last has the items of `declared`. Many enumerations of one library
    // have equal items, which are then copied only once.
    bool are_last_items(const dynamic_items& declared) const noexcept {
        const core::enumeration_view& last = open_tree_->memory.last_items();
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

    // Releases the events and sources of a category. Variables need no release, because the tree owns their memory.
    static void release_items(descriptor::category& category) noexcept {
        for (descriptor::item* item = category.first; item != nullptr;) {
            descriptor::item* const next = item->next;
            if (item->item_kind == descriptor::kind::category) release_items(static_cast<descriptor::category&>(*item));
            else if (item->item_kind == descriptor::kind::event) static_cast<dynamic_event&>(*item).release();
            else if (item->item_kind == descriptor::kind::source) static_cast<dynamic_source&>(*item).release();
            item = next;
        }
    }

    group_category* categories_ = nullptr;
    described_category* open_tree_ = nullptr;
    described_category* closed_trees_ = nullptr;
    bool are_texts_in_place_ = false;
};

} // namespace internal
} // namespace mpit
