// SPDX-License-Identifier: BSD-3-Clause
// Publishes a tree (the declared items of one library) to tools. A tree_publisher builds records for the categories,
// variables and enumerations of the tree and publishes all records as one log entry. If the registry already has a
// record with the name of an item, the item uses this record or is reported as a conflict. Several threads may build
// records of one tree at once. The threads write equal values, or a compare-exchange selects one thread's value.
//
//   const bool is_complete = tree_publisher{registry, tree, "p2p_variables", reports}.publish();
#pragma once

#include <mpit/registry/event_publisher.hpp>
#include <mpit/registry/report_once.hpp>
#include <mpit/registry/shard_cells.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Returns true if a variable of another tree may use the name or the former name of this variable. Within one tree, the
// compiler rejects names that are used twice. In most processes, no variable has a former name.
inline bool may_have_taken_former_name(const process_registry& registry, const descriptor::control& variable) noexcept {
    return variable.former_name != nullptr || registry.reported_names.load() != nullptr;
}
// Reports a former name of two variables. A setting with this former name sets both variables.
[[gnu::cold]] inline void report_taken_former_name(process_registry& registry, const descriptor::control& variable,
                                                   text owner, report_list& reports) noexcept {
    if (was_reported(registry, report_topic::former_name, variable.name))
        reports.add("the name of the control variable %s of %s is a former name of another one: a setting of this name "
                    "sets both",
                    variable.name.characters, owner.characters);
    if (variable.former_name == nullptr) return;
    const record* existing = registry.find(kind::control, variable.former_name);
    const bool is_taken = existing != nullptr;
    if (!is_taken && is_first_report(registry, report_topic::former_name, variable.former_name)) return;
    reports.add("%s, a former name of the control variable %s of %s, is also %s: a setting of this name sets both",
                variable.former_name, variable.name.characters, owner.characters,
                is_taken ? "the name of another one" : "a former name of another one");
}

// Publishes one tree. If the tree uses unpublished records of other trees, the log entry contains these records, too.
// Tools therefore see no record that refers to an unpublished record.
class tree_publisher {
public:
    // Records point to the texts in `texts`. The texts of the tree that are not in `texts` are copied.
    tree_publisher(process_registry& registry, descriptor::category& tree, text owner, report_list& reports,
                   text_blocks* texts = nullptr) noexcept
        : registry_{registry}, tree_{tree}, builder_{registry, owner, reports, texts} {}

    // Publishes a tree that no other thread publishes. Returns false if memory is exhausted, and tools then see only
    // some or none of the tree's variables. The library can use all variables in any case.
    bool publish() noexcept {
        if (!begin()) return false;
        const bool is_complete = build_records();
        if (builder_.is_empty()) return end_empty(), is_complete;
        if (!registry_.log.publish(builder_.current_entry())) return false;
        report_problems();
        return is_complete;
    }
    // Publishes a tree that other threads may publish at the same time. `published_entry` is the log entry that was
    // chosen last for the publication of the tree. If memory was exhausted while `published_entry` was built, a further
    // log entry is published. Returns false if memory is exhausted.
    bool publish(atomic<log_entry*>& published_entry) noexcept {
        log_entry* const previous = published_entry.load();
        if (previous != nullptr) {
            if (!registry_.log.publish(*previous)) return false;
            if (previous->is_complete) return true;
        }
        if (!begin()) return false;
        builder_.current_entry().is_complete = build_records();
        if (builder_.is_empty()) {
            const bool is_complete = builder_.current_entry().is_complete;
            return end_empty(), is_complete;
        }
        const log_entry* const published =
            registry_.log.publish_one(published_entry, previous, builder_.current_entry());
        if (published == &builder_.current_entry()) report_problems();
        else builder_.reports().clear();
        return published != nullptr && published->is_complete;
    }

private:
    // Releases the empty log entry of a tree that is loaded again, or of a tree of which nothing can be published.
    void end_empty() noexcept {
        report_problems();
        builder_.release_empty_entry();
    }
    bool begin() noexcept {
        std::uint32_t counts[kind_count]{};
        count_items(tree_, counts);
        // If memory was exhausted, the log may have an unfinished entry, which is finished before a new entry is built.
        return registry_.log.finish_pending() && builder_.begin(counts);
    }
    bool build_records() noexcept {
        category_record* root = record_of(tree_);
        return root != nullptr && event_publisher{builder_}.add_sources(tree_) && add_members(tree_, *root);
    }
    // Adds to `counts` how many records of each kind the category can add to a log entry at most.
    static void count_items(const descriptor::category& category, std::uint32_t* counts) noexcept {
        counts[static_cast<int>(kind::category)]++;
        for (const descriptor::item* item = category.first; item != nullptr; item = item->next) {
            if (item->item_kind == kind::category) {
                count_items(static_cast<const descriptor::category&>(*item), counts);
            } else {
                counts[static_cast<int>(item->item_kind)]++;
                counts[static_cast<int>(kind::enumeration)] += 2; // the new enumeration and that of the existing record
                // The declaration of an event source may add the source's record to the log entry twice. Each event of
                // the source may add this record up to three times, because another thread may add the event at the
                // same time.
                counts[static_cast<int>(kind::source)] +=
                    item->item_kind == kind::event ? 3 : item->item_kind == kind::source;
            }
        }
    }

    // Adds the variables of a category before its subcategories, so that the variables have consecutive indices.
    bool add_members(descriptor::category& category, category_record& parent) noexcept {
        static constexpr kind variables[] = {kind::control, kind::performance, kind::event};
        for (const kind item_kind : variables) {
            log_entry::part& part = builder_.part_of(item_kind);
            const std::uint32_t first = part.count;
            member_search members{parent, item_kind};
            for (descriptor::item* item = category.first; item != nullptr; item = item->next)
                if (item->item_kind == item_kind && !add_variable(static_cast<descriptor::variable&>(*item), members))
                    return false;
            if (!add_members(parent, item_kind, part.records + first, part.count - first)) return false;
        }
        for (descriptor::item* item = category.first; item != nullptr; item = item->next) {
            if (item->item_kind != kind::category) continue;
            auto& child = static_cast<descriptor::category&>(*item);
            category_record* child_record = record_of(child);
            if (child_record == nullptr) return false;
            if (!parent.holds(*child_record) && !add_member(parent, *child_record)) return false;
            if (!add_members(child, *child_record)) return false;
        }
        return true;
    }
    bool add_member(category_record& parent, record& member) noexcept {
        auto* members = static_cast<record**>(registry_.memory.allocate(sizeof(record*)));
        if (members == nullptr) return false;
        *members = &member;
        return add_members(parent, member.item_kind, members, 1);
    }
    bool add_members(category_record& parent, kind item_kind, record* const* members, std::uint32_t count) noexcept {
        if (count == 0) return true;
        auto* added = registry_.memory.make<membership>();
        if (added == nullptr) return false;
        added->parent = &parent;
        added->item_kind = item_kind;
        added->members = members;
        added->count = count;
        builder_.add(*added);
        return true;
    }

    void report_problems() noexcept {
        for (const membership* m = builder_.current_entry().first_membership; m != nullptr; m = m->next_in_entry)
            if (m->decision.load() == membership::refused && m->would_close_cycle())
                builder_.reports().add(
                    "the category %s cannot be inside of the category %s, which it contains; %s declares it there",
                    m->child().name.characters, m->parent->name.characters, builder_.owner().characters);
        if (builder_.has_refused()) report_refused();
        if (has_other_texts_) remember_other_texts(tree_);
        if (!may_have_taken_former_names_) return;
        const log_entry::part& controls = builder_.part_of(kind::control);
        for (std::uint32_t i = 0; i < controls.count; i++)
            if (const auto* live = static_cast<variable_record*>(controls.records[i])->live.load())
                report_taken_former_name(registry_, static_cast<const descriptor::control&>(*live), builder_.owner(),
                                         builder_.reports());
    }

    // Reports unpublished items whose names are taken by other declarations. Items whose names are taken by one library
    // share a report. An item whose attributes differ from the existing record is reported separately.
    void report_refused() noexcept {
        const descriptor::item* first = nullptr;
        const record* other = nullptr;
        std::uint32_t more = 0;
        descriptor::for_each_item(tree_, descriptor::item_visit{[&](descriptor::item& item) {
            const char* attribute = nullptr;
            const record* const existing = conflicting_record(item, attribute);
            if (existing == nullptr) return;
            if (attribute != nullptr || (other != nullptr && std::strcmp(other->owner, existing->owner) != 0))
                return report_refused(item, *existing, attribute, 0);
            if (other != nullptr) return void(more++);
            first = &item;
            other = existing;
        }});
        if (other != nullptr) report_refused(*first, *other, nullptr, more);
    }
    // Reports a name conflict only once, even if the library of the tree is loaded several times.
    void report_refused(const descriptor::item& item, const record& existing, const char* attribute,
                        std::uint32_t more) noexcept {
        message line;
        line.append("%s%s", item.item_kind == kind::source ? "the source " : "", item.name.characters);
        const char *const owner = existing.owner, *const refused_owner = builder_.owner().characters;
        if (more == 0)
            line.append(" is declared twice: tools use the declaration of %s, not that of %s", owner, refused_owner);
        else
            line.append(" and %u more name%s are declared twice: tools use the declarations of %s, not those of %s",
                        more, more == 1 ? "" : "s", owner, refused_owner);
        if (attribute != nullptr) line.append(", which has a different %s", attribute);
        if (is_first_report(registry_, report_topic::duplicate, {line.line(), line.length()}))
            builder_.reports().add(line);
    }
    // Returns the existing record with which an item conflicts, or null. Stores the name of the differing attribute.
    const record* conflicting_record(descriptor::item& item, const char*& attribute) noexcept {
        if (item.record.load() != nullptr) return nullptr;
        const record* const existing = registry_.find(item.item_kind, item.name, item.variable_class);
        if (existing == nullptr) return nullptr;
        if (item.item_kind == kind::source)
            return static_cast<const source_record*>(existing)->live.load() != nullptr ? existing : nullptr;
        const auto& variable = static_cast<const variable_record&>(*existing);
        attribute = different_attribute(variable, static_cast<descriptor::variable&>(item));
        return attribute != nullptr || variable.declaration.load() != nullptr ? existing : nullptr;
    }

    // Returns the record that all categories with this name share, or null if memory is exhausted.
    category_record* record_of(descriptor::category& category) noexcept {
        record* existing = registry_.find(kind::category, category.name);
        if (existing == nullptr) {
            auto* added = builder_.new_record<category_record>(category);
            if (added == nullptr || (existing = builder_.find_or_insert(*added)) == nullptr) return nullptr;
            if (existing == added) return added;
        }
        builder_.add_pending(*existing);
        if (has_other_description(*existing, category) &&
            !was_reported(registry_, report_topic::category, category.name)) {
            has_other_texts_ = true;
            builder_.reports().add("the category %s has two descriptions: tools read that of %s, not that of %s",
                                   category.name.characters, existing->owner, builder_.owner().characters);
        }
        return static_cast<category_record*>(existing);
    }

    // Searches a category for a member. The search begins after the last match, because reloads keep the order.
    struct member_search {
        category_record& parent;
        kind item_kind;
        const membership* current = nullptr;
        std::uint32_t next = 0;

        bool find(const record& member) noexcept {
            if (current != nullptr && next < current->count && current->members[next] == &member) return next++, true;
            for (current = parent.members[static_cast<int>(item_kind)].load(); current != nullptr;
                 current = current->next.load())
                for (next = 0; next < current->count;)
                    if (current->members[next++] == &member) return true;
            return false;
        }
    };

    bool add_variable(descriptor::variable& item, member_search& members) noexcept {
        const std::uint64_t hash = name_hash(item.item_kind, item.name, item.variable_class);
        record* existing = registry_.find(item.item_kind, item.name, item.variable_class, hash);
        if (existing == nullptr) {
            bool is_refused = false;
            auto* added = new_record(item, hash, is_refused);
            if (added == nullptr) return is_refused;
            existing = builder_.find_or_insert(*added);
            if (existing == nullptr) return false;
            if (existing == added) {
                if (item.item_kind == kind::event)
                    event_publisher::connect(static_cast<descriptor::event&>(item), static_cast<event_record&>(*added));
                item.record.store(added);
                note_former_name(item);
                return true;
            }
        }
        auto& record = static_cast<variable_record&>(*existing);
        if (item.item_kind == kind::event &&
            event_publisher{builder_}.source_of(static_cast<descriptor::event&>(item)) == nullptr)
            return false;
        if (different_attribute(record, item) != nullptr || !claim(record, item)) return builder_.note_refused(), true;
        item.record.store(&record);
        // If memory was exhausted during an earlier publication, a published record may be in no category.
        const bool is_published = record.index.load() >= 0;
        if (is_published && !members.find(record) && !add_member(members.parent, record)) return false;
        if (!is_published) {
            builder_.add_pending(record);
            note_former_name(item);
        }
        if (record.enumeration != nullptr) builder_.add_pending(*record.enumeration);
        report_other_texts(record, item);
        if (item.item_kind == kind::event)
            event_publisher::connect(static_cast<descriptor::event&>(item), static_cast<event_record&>(record));
        if (item.item_kind == kind::performance) reuse_shard_cells(record, static_cast<descriptor::performance&>(item));
        std::uint32_t incarnation = record.incarnation.load();
        if (incarnation % 2 != 0) record.incarnation.compare_exchange(incarnation, incarnation + 1);
        record.live.store(&item); // tools can use the variable after this store
        return true;
    }
    void note_former_name(const descriptor::variable& item) noexcept {
        may_have_taken_former_names_ =
            may_have_taken_former_names_ ||
            (item.item_kind == kind::control &&
             may_have_taken_former_name(registry_, static_cast<const descriptor::control&>(item)));
    }
    // Assigns a record to this declaration. Returns false if the record belongs to another declaration.
    static bool claim(variable_record& record, descriptor::variable& item) noexcept {
        descriptor::item* expected = nullptr;
        return record.declaration.compare_exchange(expected, &item) || expected == &item;
    }
    // Creates the record of a variable. Returns null if memory is exhausted or the variable is refused. A variable is
    // refused if its enumeration has the name of another enumeration with different items.
    variable_record* new_record(descriptor::variable& item, std::uint64_t hash, bool& is_refused) noexcept {
        enumeration_record* enumeration = nullptr;
        if (item.enumeration.count != 0) {
            enumeration = builder_.enumeration_of(item.enumeration, item.item_kind != kind::event);
            if (enumeration == nullptr ||
                !is_suitable(*enumeration, has_items(*enumeration, item.enumeration), item, is_refused))
                return nullptr;
        }
        variable_record* record = item.item_kind == kind::event
                                      ? event_publisher{builder_}.new_record(static_cast<descriptor::event&>(item))
                                      : builder_.new_record<variable_record>(item, hash);
        if (record == nullptr) return nullptr;
        if (item.item_kind == kind::event && record->enumeration != nullptr) {
            const core::payload_view& payload = static_cast<const descriptor::event&>(item).payload;
            const bool has_names = has_element_names(record->enumeration, payload);
            if (!is_suitable(*record->enumeration, has_names, item, is_refused)) return nullptr;
        }
        record->verbosity = item.verbosity;
        record->binding = item.binding;
        record->type = item.type;
        record->count = item.count;
        if (enumeration != nullptr) record->enumeration = enumeration;
        if (item.item_kind == kind::control) {
            record->scope = static_cast<descriptor::control&>(item).scope;
        } else if (item.item_kind == kind::performance) {
            auto& performance = static_cast<descriptor::performance&>(item);
            record->readonly = performance.readonly;
            record->continuous = performance.continuous;
            record->atomically = performance.atomic;
            if (performance.shard_cell.load() == core::no_shard_cell) assign_shard_cells(registry_, performance);
            record->first_shard_cell = performance.shard_cell.load();
            record->is_in_shards = performance.operations->is_in_shards;
            record->cells_beside = performance.operations->cells_beside;
        }
        record->declaration.store(&item);
        record->live.store(&item);
        return record;
    }
    // Refuses and reports a variable if the existing enumeration lacks an item, because tools would misread values.
    bool is_suitable(const enumeration_record& existing, bool has_all_items, const descriptor::variable& item,
                     bool& is_refused) noexcept {
        is_refused = !has_all_items;
        if (!has_all_items)
            builder_.reports().add(
                "%s of %s is not registered: its enumeration %s has other items than that of %s; rename one of them",
                item.name.characters, builder_.owner().characters, existing.name.characters, existing.owner);
        return has_all_items;
    }
    // Gives the record's shard cells, if there are any, to a variable that is loaded again. Another declaration of the
    // same name, such as an array instead of a histogram, may need another number of cells.
    void reuse_shard_cells(const variable_record& record, descriptor::performance& item) noexcept {
        const bool has_same_cells = item.operations->is_in_shards == record.is_in_shards &&
                                    item.operations->cells_beside == record.cells_beside &&
                                    record.first_shard_cell != core::no_shard_cell;
        if (has_same_cells) assign_shard_cells(item, record.first_shard_cell);
        else if (item.shard_cell.load() == core::no_shard_cell) assign_shard_cells(registry_, item);
    }
    const char* different_attribute(const variable_record& existing, descriptor::variable& item) noexcept {
        const char* attribute = registry::different_attribute(existing, item);
        if (attribute != nullptr || item.item_kind != kind::event) return attribute;
        return event_publisher{builder_}.different_attribute(static_cast<const event_record&>(existing),
                                                             static_cast<descriptor::event&>(item));
    }
    static bool has_other_description(const record& existing, const descriptor::item& item) noexcept {
        return item.description.length != 0 && !core::equal(existing.description, item.description);
    }
    // Reports a second description or verbosity of a variable once for each name. Tools read the record's description.
    void report_other_texts(const variable_record& existing, const descriptor::variable& item) noexcept {
        const bool is_other = has_other_description(existing, item);
        if ((!is_other && existing.verbosity == item.verbosity) ||
            was_reported(registry_, report_topic::variable, item.name))
            return;
        has_other_texts_ = true;
        builder_.reports().add("%s has two %s: tools read that of %s, not that of %s", item.name.characters,
                               is_other ? "descriptions" : "verbosities", existing.owner, builder_.owner().characters);
    }
    // Remembers which descriptions and verbosities were reported as different. Must be called after publication,
    // because the reports of an unpublished log entry are dropped.
    void remember_other_texts(descriptor::category& category) noexcept {
        const record* const existing = registry_.find(kind::category, category.name);
        if (existing != nullptr && has_other_description(*existing, category))
            static_cast<void>(is_first_report(registry_, report_topic::category, category.name));
        for (descriptor::item* item = category.first; item != nullptr; item = item->next) {
            if (item->item_kind == kind::category) remember_other_texts(static_cast<descriptor::category&>(*item));
            else if (const record* published = item->item_kind == kind::source ? nullptr : item->record.load();
                     published != nullptr && (has_other_description(*published, *item) ||
                                              static_cast<const variable_record*>(published)->verbosity !=
                                                  static_cast<const descriptor::variable*>(item)->verbosity))
                static_cast<void>(is_first_report(registry_, report_topic::variable, item->name));
        }
    }

    process_registry& registry_;
    descriptor::category& tree_;
    record_builder builder_;
    bool may_have_taken_former_names_ = false;
    bool has_other_texts_ = false; // true if a description or a verbosity differs from the record
};

} // namespace registry
} // namespace mpit
