// SPDX-License-Identifier: BSD-3-Clause
// Builds the records that one tree adds to the registry, in memory that outlives the tree, and appends them to its
// batch. Records that another tree has built but not yet published are added to the batch as well.
//
//   record_builder make{registry, owner, reports};   auto* r = make.fresh<variable_record>(item);   record* there = make.claim(*r);
#pragma once

#include <mpit/registry/text_blocks.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

class record_builder {
public:
    // Texts that are in `texts` stay where they are.
    record_builder(process_registry& registry, text owner, report_list& reports, text_blocks* texts = nullptr) noexcept
        : registry_{registry}, owner_{owner}, reports_{reports}, texts_{texts} {}

    // Room in the batch for so many records of each kind, and for the owner, in one piece; false without memory.
    bool begin(const std::uint32_t (&counts)[kind_count]) noexcept {
        bytes_ = owner_.length + 1;
        for (const std::uint32_t count : counts) bytes_ += count * sizeof(record*);
        batch_ = registry_.memory.make<batch>(bytes_, true);
        if (batch_ == nullptr) return false;
        end_of_memberships_ = &batch_->first_membership;
        bytes_ += sizeof(batch);
        auto* next = reinterpret_cast<record**>(batch_ + 1);
        for (int k = 0; k < kind_count; next += counts[k++]) batch_->parts[k].records = next;
        auto* const owner = reinterpret_cast<char*>(next);
        std::memcpy(owner, owner_.characters, owner_.length);
        owner_ = {owner, owner_.length};
        return true;
    }
    // Whether the tree adds nothing to the registry: all of it has been there before.
    bool is_empty() const noexcept {
        for (const batch::part& part : batch_->parts)
            if (part.count != 0) return false;
        return batch_->first_membership == nullptr;
    }
    // Ends a batch that is empty, which nobody has seen.
    void end_empty() noexcept { registry_.memory.give_back(batch_, bytes_); }
    process_registry& registry() noexcept { return registry_; }
    text owner() const noexcept { return owner_; }
    report_list& reports() noexcept { return reports_; }
    // An item of the tree has the name of another one, which is said when the batch is published.
    void note_refused() noexcept { has_refused_ = true; }
    bool has_refused() const noexcept { return has_refused_; }
    batch& all() noexcept { return *batch_; }
    batch::part& part_of(kind item_kind) noexcept { return batch_->parts[static_cast<int>(item_kind)]; }

    // Enumerations of one name are one, if their items are the same; otherwise the first one stays. Names of variables'
    // enumerations stay where those of variables do.
    enumeration_record* enumeration_of(const core::enumeration_view& view, bool is_of_variable = false) noexcept {
        const std::uint64_t hash = name_hash(kind::enumeration, view.name);
        record* there = registry_.find(kind::enumeration, view.name, {}, hash);
        if (there == nullptr) {
            auto* made = fresh<enumeration_record>(kind::enumeration, {}, view.name, {}, hash, is_of_variable);
            if (made == nullptr || !copy_items(*made, view)) return nullptr;
            there = find_or_insert(*made);
            if (there == nullptr || there == made) return static_cast<enumeration_record*>(there);
        }
        add_pending(*there);
        auto& known = static_cast<enumeration_record&>(*there);
        if (!has_same_items(known, view))
            reports_.add("the enumeration %s is declared twice with different items: those of %s stay",
                         view.name.characters, known.owner);
        return &known;
    }
    template <class Record> Record* fresh(const descriptor::item& item) noexcept {
        return fresh<Record>(item, name_hash(item.item_kind, item.name, item.variable_class));
    }
    template <class Record> Record* fresh(const descriptor::item& item, std::uint64_t hash) noexcept {
        const bool is_variable = item.item_kind == kind::control || item.item_kind == kind::performance;
        return fresh<Record>(item.item_kind, item.variable_class, item.name, item.description, hash, is_variable);
    }
    template <class Record>
    Record* fresh(kind item_kind, performance_class variable_class, text name, text description, std::uint64_t hash,
                  bool is_of_variable) noexcept {
        text_blocks* const texts = is_of_variable ? texts_ : nullptr; // those of others are in none of the blocks
        auto* made = registry_.memory.make<Record>(0, true);
        if (made == nullptr || !keep(name, made->name, texts)) return nullptr;
        made->description = {made->name.characters + name.length, 0};
        if (description.length != 0 && !keep(description, made->description, texts)) return nullptr;
        made->hash = hash;
        made->item_kind = item_kind;
        made->variable_class = variable_class;
        made->owner = owner_.characters;
        return made;
    }
    bool copy(text source, text& copied) noexcept {
        auto* room = static_cast<char*>(registry_.memory.allocate_for_tools(source.length + 1));
        if (room == nullptr) return false;
        std::memcpy(room, source.characters, source.length);
        room[source.length] = '\0';
        copied = {room, source.length};
        return true;
    }
    void add(membership& joined) noexcept {
        *end_of_memberships_ = &joined;
        end_of_memberships_ = &joined.next_in_batch;
    }
    // Puts a record into the batch, unless its name was taken in the meantime.
    record* find_or_insert(record& fresh) noexcept {
        record* there = registry_.find_or_insert(fresh);
        batch::part& part = part_of(fresh.item_kind);
        if (there == &fresh) part.records[part.count++] = &fresh;
        return there;
    }
    // Puts a record that has no number yet into the batch too: its maker may be slow, or have had no memory.
    void add_pending(record& there) noexcept {
        batch::part& part = part_of(there.item_kind);
        if (there.number.load() < 0) part.records[part.count++] = &there;
    }

private:
    // The text itself if it stays, or a copy.
    bool keep(text source, text& kept, text_blocks* texts) noexcept {
        if (texts == nullptr || (!texts->are_in_place() && !texts->take(source.characters))) return copy(source, kept);
        kept = source;
        return true;
    }
    bool copy_items(enumeration_record& record, const core::enumeration_view& enumeration) noexcept {
        if (texts_ != nullptr && texts_->take(enumeration.items)) {
            for (int i = 0; i < enumeration.count && !texts_->are_in_place(); i++) {
                static_cast<void>(texts_->take(enumeration.items[i].name.characters));
                static_cast<void>(texts_->take(enumeration.items[i].also));
            }
            record.items = enumeration.items;
            record.count = enumeration.count;
            return true;
        }
        auto* items = static_cast<core::enumeration_item*>(registry_.memory.allocate_for_tools(
            static_cast<std::size_t>(enumeration.count) * sizeof(core::enumeration_item)));
        if (items == nullptr) return false;
        for (int i = 0; i < enumeration.count; i++) {
            new (core::place{items + i}) core::enumeration_item;
            items[i].value = enumeration.items[i].value;
            if (!copy(enumeration.items[i].name, items[i].name)) return false;
        }
        record.items = items;
        record.count = enumeration.count;
        return true;
    }
    static bool has_same_items(const enumeration_record& r, const core::enumeration_view& view) noexcept {
        if (r.count != view.count) return false;
        if (r.items == view.items) return true;
        for (int i = 0; i < r.count; i++)
            if (r.items[i].value != view.items[i].value || !core::equal(r.items[i].name, view.items[i].name))
                return false;
        return true;
    }

    process_registry& registry_;
    text owner_;
    report_list& reports_;
    text_blocks* texts_;
    batch* batch_ = nullptr;
    membership** end_of_memberships_ = nullptr;
    std::size_t bytes_ = 0; // of the batch and what is behind it
    bool has_refused_ = false;
};

} // namespace registry
} // namespace mpit
