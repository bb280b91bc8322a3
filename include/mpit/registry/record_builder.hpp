// SPDX-License-Identifier: BSD-3-Clause
// Builds the records that one tree adds to the registry, in memory that remains after the tree is unloaded. The log
// entry of the tree contains these records, and the unpublished records to which they refer.
//
//   record_builder builder{registry, owner, reports};   auto* r = builder.new_record<variable_record>(item);
//   record* existing = builder.find_or_insert(*r);
#pragma once

#include <mpit/registry/text_blocks.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

class record_builder {
public:
    // Records point to the texts in `texts`. The texts of the tree that are not in `texts` are copied.
    record_builder(process_registry& registry, text owner, report_list& reports, text_blocks* texts = nullptr) noexcept
        : registry_{registry}, owner_{owner}, reports_{reports}, texts_{texts} {}

    // Allocates the log entry with its arrays and a copy of the owner's name. Returns false if memory is exhausted.
    bool begin(const std::uint32_t (&counts)[kind_count]) noexcept {
        bytes_ = owner_.length + 1;
        for (const std::uint32_t count : counts) bytes_ += count * sizeof(record*);
        entry_ = registry_.memory.make<log_entry>(bytes_, true);
        if (entry_ == nullptr) return false;
        end_of_memberships_ = &entry_->first_membership;
        bytes_ += sizeof(log_entry);
        auto* next = reinterpret_cast<record**>(entry_ + 1);
        for (int k = 0; k < kind_count; next += counts[k++]) entry_->parts[k].records = next;
        auto* const owner = reinterpret_cast<char*>(next);
        std::memcpy(owner, owner_.characters, owner_.length);
        owner_ = {owner, owner_.length};
        return true;
    }
    // Returns true if the tree adds nothing, because the registry already contains all items of the tree.
    bool is_empty() const noexcept {
        for (const log_entry::part& part : entry_->parts)
            if (part.count != 0) return false;
        return entry_->first_membership == nullptr;
    }
    // Frees the log entry, which must be empty. An empty log entry is never published, so that no other thread uses it.
    void release_empty_entry() noexcept { registry_.memory.free(entry_, bytes_); }
    process_registry& registry() noexcept { return registry_; }
    text owner() const noexcept { return owner_; }
    report_list& reports() noexcept { return reports_; }
    // Notes that an item cannot use the existing record of its name. The name conflict is reported after publication.
    void note_refused() noexcept { has_refused_ = true; }
    bool has_refused() const noexcept { return has_refused_; }
    log_entry& current_entry() noexcept { return *entry_; }
    log_entry::part& part_of(kind item_kind) noexcept { return entry_->parts[static_cast<int>(item_kind)]; }

    // Returns the record of an enumeration, or null if memory is exhausted. If two enumerations have the same name but
    // different items, the record keeps the items of the first enumeration, and the conflict is reported. If
    // `is_of_variable` is true, the text blocks may contain the enumeration's name.
    enumeration_record* enumeration_of(const core::enumeration_view& view, bool is_of_variable = false) noexcept {
        const std::uint64_t hash = name_hash(kind::enumeration, view.name);
        record* existing = registry_.find(kind::enumeration, view.name, {}, hash);
        if (existing == nullptr) {
            auto* added = new_record<enumeration_record>(kind::enumeration, {}, view.name, {}, hash, is_of_variable);
            if (added == nullptr || !store_items(*added, view)) return nullptr;
            existing = find_or_insert(*added);
            if (existing == nullptr || existing == added) return static_cast<enumeration_record*>(existing);
        }
        add_pending(*existing);
        auto& enumeration = static_cast<enumeration_record&>(*existing);
        if (!has_same_items(enumeration, view))
            reports_.add("the enumeration %s is declared twice with different items: tools read those of %s",
                         view.name.characters, enumeration.owner);
        return &enumeration;
    }
    template <class Record> Record* new_record(const descriptor::item& item) noexcept {
        return new_record<Record>(item, name_hash(item.item_kind, item.name, item.variable_class));
    }
    template <class Record> Record* new_record(const descriptor::item& item, std::uint64_t hash) noexcept {
        const bool is_variable = item.item_kind == kind::control || item.item_kind == kind::performance;
        return new_record<Record>(item.item_kind, item.variable_class, item.name, item.description, hash, is_variable);
    }
    template <class Record>
    Record* new_record(kind item_kind, performance_class variable_class, text name, text description,
                       std::uint64_t hash, bool is_of_variable) noexcept {
        text_blocks* const texts = is_of_variable ? texts_ : nullptr; // the blocks have no other texts
        auto* record = registry_.memory.make<Record>(0, true);
        if (record == nullptr || !store_text(name, record->name, texts)) return nullptr;
        record->description = {record->name.characters + name.length, 0};
        if (description.length != 0 && !store_text(description, record->description, texts)) return nullptr;
        record->hash = hash;
        record->item_kind = item_kind;
        record->variable_class = variable_class;
        record->owner = owner_.characters;
        return record;
    }
    bool copy(text source, text& target) noexcept {
        auto* characters = static_cast<char*>(registry_.memory.allocate_populated(source.length + 1));
        if (characters == nullptr) return false;
        std::memcpy(characters, source.characters, source.length);
        characters[source.length] = '\0';
        target = {characters, source.length};
        return true;
    }
    void add(membership& added) noexcept {
        *end_of_memberships_ = &added;
        end_of_memberships_ = &added.next_in_entry;
    }
    // Inserts a record by name, and adds an inserted record to the log entry. Returns the record that now has the name,
    // or null if memory is exhausted.
    record* find_or_insert(record& added) noexcept {
        record* existing = registry_.find_or_insert(added);
        log_entry::part& part = part_of(added.item_kind);
        if (existing == &added) part.records[part.count++] = &added;
        return existing;
    }
    // Adds a record without an index to the log entry, because the thread that built the record may be delayed.
    void add_pending(record& existing) noexcept {
        log_entry::part& part = part_of(existing.item_kind);
        if (existing.index.load() < 0) part.records[part.count++] = &existing;
    }

private:
    // Sets `target` to `source` if the characters outlive the tree, and to a copy of `source` if they do not.
    bool store_text(text source, text& target, text_blocks* texts) noexcept {
        if (texts == nullptr || (!texts->are_in_place() && !texts->take(source.characters)))
            return copy(source, target);
        target = source;
        return true;
    }
    bool store_items(enumeration_record& record, const core::enumeration_view& enumeration) noexcept {
        if (texts_ != nullptr && texts_->take(enumeration.items)) {
            for (int i = 0; i < enumeration.count && !texts_->are_in_place(); i++) {
                static_cast<void>(texts_->take(enumeration.items[i].name.characters));
                static_cast<void>(texts_->take(enumeration.items[i].also));
            }
            record.items = enumeration.items;
            record.count = enumeration.count;
            return true;
        }
        auto* items = static_cast<core::enumeration_item*>(registry_.memory.allocate_populated(
            static_cast<std::size_t>(enumeration.count) * sizeof(core::enumeration_item)));
        if (items == nullptr) return false;
        for (int i = 0; i < enumeration.count; i++) {
            new (core::placement{items + i}) core::enumeration_item;
            items[i].value = enumeration.items[i].value;
            if (!copy(enumeration.items[i].name, items[i].name)) return false;
        }
        record.items = items;
        record.count = enumeration.count;
        return true;
    }
    static bool has_same_items(const enumeration_record& record, const core::enumeration_view& view) noexcept {
        if (record.count != view.count) return false;
        if (record.items == view.items) return true;
        for (int i = 0; i < record.count; i++)
            if (record.items[i].value != view.items[i].value || !core::equal(record.items[i].name, view.items[i].name))
                return false;
        return true;
    }

    process_registry& registry_;
    text owner_;
    report_list& reports_;
    text_blocks* texts_;
    log_entry* entry_ = nullptr;
    membership** end_of_memberships_ = nullptr;
    std::size_t bytes_ = 0; // size of the log entry, its arrays and the owner's name
    bool has_refused_ = false;
};

} // namespace registry
} // namespace mpit
