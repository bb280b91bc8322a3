// SPDX-License-Identifier: BSD-3-Clause
// Publishes one tree: a record for each of its categories, variables and enumerations, built first and published
// together. A known name joins its category, revives its variable, or is reported. Several threads may build the
// records of one tree at once: what they write into the tree and its records is equal, or decided by a
// compare-exchange, and one of their batches is published.
//
//   const bool is_whole = tree_publisher{registry, tree, "p2p_variables", reports}.publish();
#pragma once

#include <mpit/registry/event_publisher.hpp>
#include <mpit/registry/report_once.hpp>
#include <mpit/registry/shard_cells.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Former names that are taken: by a variable of another tree, or as a former name of one. The compiler finds those of
// the same tree. Most processes have no former names.
inline bool may_have_taken_former_name(const process_registry& registry, const descriptor::control& fresh) noexcept {
    return fresh.former_name != nullptr || registry.reported_names.load() != nullptr;
}
// Whichever is registered first, both variables take a setting of such a name.
[[gnu::cold]] inline void report_taken_former_name(process_registry& registry, const descriptor::control& fresh,
                                                   text owner, report_list& reports) noexcept {
    if (was_reported(registry, report_topic::former_name, fresh.name))
        reports.add("%s of %s is a former name of another control variable: both take a value that is given to it",
                    fresh.name.characters, owner.characters);
    if (fresh.former_name == nullptr) return;
    const record* there = registry.find(kind::control, fresh.former_name);
    const bool is_taken = there != nullptr;
    if (!is_taken && is_first_report(registry, report_topic::former_name, fresh.former_name)) return;
    reports.add("%s, a former name of %s of %s, is %s: both take a value that is given to it", fresh.former_name,
                fresh.name.characters, owner.characters,
                is_taken ? "the name of another control variable" : "a former name of another control variable, too");
}

// Enters one tree. It makes all records first and publishes them as one batch, with those that another tree has made
// and not published yet: nothing that can be seen refers to what cannot.
class tree_publisher {
public:
    // Records refer to texts that are in `texts`; all others are copied.
    tree_publisher(process_registry& registry, descriptor::category& tree, text owner, report_list& reports,
                   text_blocks* texts = nullptr) noexcept
        : registry_{registry}, tree_{tree}, make_{registry, owner, reports, texts} {}

    // Of a tree that no other thread enters. Returns false without memory; then all of the tree works for its author,
    // and a part or nothing of it is seen by tools.
    bool publish() noexcept {
        if (!begin()) return false;
        const bool is_whole = make_records();
        if (make_.is_empty()) return end_empty(), is_whole;
        if (!registry_.log.publish(make_.all())) return false;
        report_problems();
        return is_whole;
    }
    // The same for a tree that other threads may enter, too. `published_batch` is the last batch that is published. A
    // batch without all of the tree is followed by another one, which was begun after it.
    bool publish(atomic<batch*>& published_batch) noexcept {
        batch* const previous = published_batch.load();
        if (previous != nullptr) {
            if (!registry_.log.publish(*previous)) return false;
            if (previous->is_whole) return true;
        }
        if (!begin()) return false;
        make_.all().is_whole = make_records();
        if (make_.is_empty()) {
            const bool is_whole = make_.all().is_whole;
            return end_empty(), is_whole;
        }
        const batch* const published = registry_.log.publish_one(published_batch, previous, make_.all());
        if (published == &make_.all()) report_problems();
        else make_.reports().clear();
        return published != nullptr && published->is_whole;
    }

private:
    // A tree that comes again, or of which nothing is published, needs no entry in the log, and no memory.
    void end_empty() noexcept {
        report_problems();
        make_.end_empty();
    }
    bool begin() noexcept {
        std::uint32_t counts[kind_count]{};
        count_items(tree_, counts);
        // What an earlier try without memory has left in the log is not made once more.
        return registry_.log.finish_pending() && make_.begin(counts);
    }
    bool make_records() noexcept {
        category_record* root = category_of(tree_);
        return root != nullptr && event_publisher{make_}.add_sources(tree_) && add_members(tree_, *root);
    }
    static void count_items(const descriptor::category& category, std::uint32_t* counts) noexcept {
        counts[static_cast<int>(kind::category)]++;
        for (const descriptor::item* item = category.first; item != nullptr; item = item->next) {
            if (item->item_kind == kind::category) {
                count_items(static_cast<const descriptor::category&>(*item), counts);
            } else {
                counts[static_cast<int>(item->item_kind)]++;
                counts[static_cast<int>(kind::enumeration)] +=
                    2; // at most its own, and that of the record that is there
                // Each is put there when it is made and when it is taken along, by itself and by the events that name
                // it.
                counts[static_cast<int>(kind::source)] +=
                    item->item_kind == kind::event ? 2 : item->item_kind == kind::source;
            }
        }
    }

    // Variables first, so that those of one category have consecutive numbers; then the categories inside.
    bool add_members(descriptor::category& category, category_record& parent) noexcept {
        static constexpr kind variables[] = {kind::control, kind::performance, kind::event};
        for (const kind item_kind : variables) {
            batch::part& part = make_.part_of(item_kind);
            const std::uint32_t first = part.count;
            member_search members{parent, item_kind};
            for (descriptor::item* item = category.first; item != nullptr; item = item->next)
                if (item->item_kind == item_kind && !add_variable(static_cast<descriptor::variable&>(*item), members))
                    return false;
            if (!add_members(parent, item_kind, part.records + first, part.count - first)) return false;
        }
        for (descriptor::item* item = category.first; item != nullptr; item = item->next) {
            if (item->item_kind != kind::category) continue;
            auto& inner = static_cast<descriptor::category&>(*item);
            category_record* inner_record = category_of(inner);
            if (inner_record == nullptr) return false;
            if (!parent.holds(*inner_record) && !add_member(parent, *inner_record)) return false;
            if (!add_members(inner, *inner_record)) return false;
        }
        return true;
    }
    bool add_member(category_record& parent, record& member) noexcept {
        auto* child = static_cast<record**>(registry_.memory.allocate(sizeof(record*)));
        if (child == nullptr) return false;
        *child = &member;
        return add_members(parent, member.item_kind, child, 1);
    }
    bool add_members(category_record& parent, kind item_kind, record* const* members, std::uint32_t count) noexcept {
        if (count == 0) return true;
        auto* joined = registry_.memory.make<membership>();
        if (joined == nullptr) return false;
        joined->parent = &parent;
        joined->item_kind = item_kind;
        joined->members = members;
        joined->count = count;
        make_.add(*joined);
        return true;
    }

    void report_problems() noexcept {
        for (const membership* m = make_.all().first_membership; m != nullptr; m = m->next_in_batch)
            if (m->decision.load() == membership::refused && m->closes_a_cycle())
                make_.reports().add("the category %s cannot be in %s, which it contains itself; %s asked for it",
                                    m->child().name.characters, m->parent->name.characters, make_.owner().characters);
        if (make_.has_refused()) report_refused();
        if (has_other_words_) remember_other_words(tree_);
        if (!may_have_taken_former_names_) return;
        const batch::part& controls = make_.part_of(kind::control);
        for (std::uint32_t i = 0; i < controls.count; i++)
            if (const auto* live = static_cast<variable_record*>(controls.records[i])->live.load())
                report_taken_former_name(registry_, static_cast<const descriptor::control&>(*live), make_.owner(),
                                         make_.reports());
    }

    // Items that are not published, since another tree has their names: one line for all of them. Other attributes, and
    // owners of a third tree, have a line each.
    void report_refused() noexcept {
        const descriptor::item* first = nullptr;
        const record* stays = nullptr;
        std::uint32_t more = 0;
        descriptor::for_each_item(tree_, descriptor::item_visit{[&](descriptor::item& each) {
            const char* attribute = nullptr;
            const record* const known = record_instead_of(each, attribute);
            if (known == nullptr) return;
            if (attribute != nullptr || (stays != nullptr && std::strcmp(stays->owner, known->owner) != 0))
                return report_refused(each, *known, attribute, 0);
            if (stays != nullptr) return void(more++);
            first = &each;
            stays = known;
        }});
        if (stays != nullptr) report_refused(*first, *stays, nullptr, more);
    }
    // A line is said once, however often a library with the tree is loaded.
    void report_refused(const descriptor::item& item, const record& known, const char* attribute,
                        std::uint32_t more) noexcept {
        message said;
        said.append("%s%s", item.item_kind == kind::source ? "the source " : "", item.name.characters);
        const char *const stays = known.owner, *const is_refused = make_.owner().characters;
        if (more == 0)
            said.append(" is declared twice: the one of %s stays, the one of %s is not seen by tools", stays,
                        is_refused);
        else
            said.append(" and %u more name%s are declared twice: those of %s stay, those of %s are not seen by tools",
                        more, more == 1 ? "" : "s", stays, is_refused);
        if (attribute != nullptr) said.append(": it has another %s", attribute);
        if (is_first_report(registry_, report_topic::duplicate, {said.line(), said.length()}))
            make_.reports().add(said);
    }
    // The record that an item cannot use; null for one that is published, or was not reached without memory.
    const record* record_instead_of(descriptor::item& item, const char*& attribute) noexcept {
        if (item.record.load() != nullptr) return nullptr;
        const record* const there = registry_.find(item.item_kind, item.name, item.variable_class);
        if (there == nullptr) return nullptr;
        if (item.item_kind == kind::source)
            return static_cast<const source_record*>(there)->live.load() != nullptr ? there : nullptr;
        const auto& known = static_cast<const variable_record&>(*there);
        attribute = different_attribute(known, static_cast<descriptor::variable&>(item));
        return attribute != nullptr || known.declaration.load() != nullptr ? there : nullptr;
    }

    // The record of a category: trees that use one name share it.
    category_record* category_of(descriptor::category& category) noexcept {
        record* there = registry_.find(kind::category, category.name);
        if (there == nullptr) {
            auto* fresh = make_.fresh<category_record>(category);
            if (fresh == nullptr || (there = make_.find_or_insert(*fresh)) == nullptr) return nullptr;
            if (there == fresh) return fresh;
        }
        make_.add_pending(*there);
        if (has_other_description(*there, category) &&
            !was_reported(registry_, report_topic::category, category.name)) {
            has_other_words_ = true;
            make_.reports().add("the category %s has two descriptions; the one of %s stays, the one of %s is not used",
                                category.name.characters, there->owner, make_.owner().characters);
        }
        return static_cast<category_record*>(there);
    }

    // Tells which variables a category has already. Those of a tree that comes again are there in the same order.
    struct member_search {
        category_record& parent;
        kind item_kind;
        const membership* chunk = nullptr;
        std::uint32_t next = 0;

        bool finds(const record& wanted) noexcept {
            if (chunk != nullptr && next < chunk->count && chunk->members[next] == &wanted) return next++, true;
            for (chunk = parent.members[static_cast<int>(item_kind)].load(); chunk != nullptr;
                 chunk = chunk->next.load())
                for (next = 0; next < chunk->count;)
                    if (chunk->members[next++] == &wanted) return true;
            return false;
        }
    };

    bool add_variable(descriptor::variable& v, member_search& members) noexcept {
        const std::uint64_t hash = name_hash(v.item_kind, v.name, v.variable_class);
        record* there = registry_.find(v.item_kind, v.name, v.variable_class, hash);
        if (there == nullptr) {
            bool is_refused = false;
            auto* fresh = new_variable(v, hash, is_refused);
            if (fresh == nullptr) return is_refused;
            there = make_.find_or_insert(*fresh);
            if (there == nullptr) return false;
            if (there == fresh) {
                if (v.item_kind == kind::event)
                    event_publisher::connect(static_cast<descriptor::event&>(v), static_cast<event_record&>(*fresh));
                v.record.store(fresh);
                remember_former_name(v);
                return true;
            }
        }
        auto& known = static_cast<variable_record&>(*there);
        if (different_attribute(known, v) != nullptr || !claim(known, v)) return make_.note_refused(), true;
        v.record.store(&known);
        // One that was published by a try without memory may be in no category.
        const bool is_published = known.number.load() >= 0;
        if (is_published && !members.finds(known) && !add_member(members.parent, known)) return false;
        if (!is_published) {
            make_.add_pending(known);
            remember_former_name(v);
        }
        if (known.enumeration != nullptr) make_.add_pending(*known.enumeration);
        report_other_words(known, v);
        if (v.item_kind == kind::event)
            event_publisher::connect(static_cast<descriptor::event&>(v), static_cast<event_record&>(known));
        if (v.item_kind == kind::performance) use_known_cells(known, static_cast<descriptor::performance&>(v));
        std::uint32_t incarnation = known.incarnation.load();
        if (incarnation % 2 != 0) known.incarnation.compare_exchange(incarnation, incarnation + 1);
        known.live.store(&v); // from here on tools use it
        return true;
    }
    void remember_former_name(const descriptor::variable& v) noexcept {
        may_have_taken_former_names_ =
            may_have_taken_former_names_ ||
            (v.item_kind == kind::control &&
             may_have_taken_former_name(registry_, static_cast<const descriptor::control&>(v)));
    }
    // Continues what another thread has begun.
    static bool claim(variable_record& known, descriptor::variable& v) noexcept {
        descriptor::item* there = nullptr;
        return known.declaration.compare_exchange(there, &v) || there == &v;
    }
    // Returns null without memory, or if it is refused: its enumeration has the name of another one.
    variable_record* new_variable(descriptor::variable& v, std::uint64_t hash, bool& is_refused) noexcept {
        enumeration_record* items = nullptr;
        if (v.enumeration.count != 0) {
            items = make_.enumeration_of(v.enumeration, v.item_kind != kind::event);
            if (items == nullptr || !is_suitable(*items, has_items(*items, v.enumeration), v, is_refused))
                return nullptr;
        }
        variable_record* made = v.item_kind == kind::event
                                    ? event_publisher{make_}.fresh(static_cast<descriptor::event&>(v))
                                    : make_.fresh<variable_record>(v, hash);
        if (made == nullptr) return nullptr;
        if (v.item_kind == kind::event && made->enumeration != nullptr) {
            const core::payload_view& payload = static_cast<const descriptor::event&>(v).payload;
            const bool has_names = has_element_names(made->enumeration, payload);
            if (!is_suitable(*made->enumeration, has_names, v, is_refused)) return nullptr;
        }
        made->verbosity = v.verbosity;
        made->binding = v.binding;
        made->type = v.type;
        made->count = v.count;
        if (items != nullptr) made->enumeration = items;
        if (v.item_kind == kind::control) {
            made->scope = static_cast<descriptor::control&>(v).scope;
        } else if (v.item_kind == kind::performance) {
            auto& p = static_cast<descriptor::performance&>(v);
            made->readonly = p.readonly;
            made->continuous = p.continuous;
            made->atomically = p.atomic;
            if (p.shard_cell.load() == core::no_shard_cell) number_shard_cells(registry_, p);
            made->first_shard_cell = p.shard_cell.load();
            made->is_in_shards = p.operations->is_in_shards;
        }
        made->declaration.store(&v);
        made->live.store(&v);
        return made;
    }
    // A tool would see values that are not items, or are called otherwise.
    bool is_suitable(const enumeration_record& known, bool has_all, const descriptor::variable& v,
                     bool& is_refused) noexcept {
        is_refused = !has_all;
        if (!has_all)
            make_.reports().add("%s of %s is not seen by tools: its enumeration %s has other items than the one of %s",
                                v.name.characters, make_.owner().characters, known.name.characters, known.owner);
        return has_all;
    }
    // A variable that is loaded again has the cells that it had, if it had any.
    void use_known_cells(const variable_record& known, descriptor::performance& p) noexcept {
        if (p.operations->is_in_shards == known.is_in_shards) number_shard_cells(p, known.first_shard_cell);
        else if (p.shard_cell.load() == core::no_shard_cell) number_shard_cells(registry_, p);
    }
    const char* different_attribute(const variable_record& known, descriptor::variable& v) noexcept {
        const char* found = registry::different_attribute(known, v);
        if (found != nullptr || v.item_kind != kind::event) return found;
        return event_publisher{make_}.different_attribute(static_cast<const event_record&>(known),
                                                          static_cast<descriptor::event&>(v));
    }
    static bool has_other_description(const record& known, const descriptor::item& item) noexcept {
        return item.description.length != 0 && !core::equal(known.description, item.description);
    }
    // What tools were told of a variable stays, so its new words are told to a person alone: once for each name,
    // however often trees with the name are published.
    void report_other_words(const variable_record& known, const descriptor::variable& v) noexcept {
        const bool is_other = has_other_description(known, v);
        if ((!is_other && known.verbosity == v.verbosity) || was_reported(registry_, report_topic::variable, v.name))
            return;
        has_other_words_ = true;
        make_.reports().add("%s has two %s; that of %s stays, that of %s is not used", v.name.characters,
                            is_other ? "descriptions" : "verbosities", known.owner, make_.owner().characters);
    }
    // Remembers what is reported now: not before, because the reports of a batch that is not published are dropped.
    void remember_other_words(descriptor::category& category) noexcept {
        const record* const own = registry_.find(kind::category, category.name);
        if (own != nullptr && has_other_description(*own, category))
            static_cast<void>(is_first_report(registry_, report_topic::category, category.name));
        for (descriptor::item* item = category.first; item != nullptr; item = item->next) {
            if (item->item_kind == kind::category) remember_other_words(static_cast<descriptor::category&>(*item));
            else if (const record* known = item->item_kind == kind::source ? nullptr : item->record.load();
                     known != nullptr && (has_other_description(*known, *item) ||
                                          static_cast<const variable_record*>(known)->verbosity !=
                                              static_cast<const descriptor::variable*>(item)->verbosity))
                static_cast<void>(is_first_report(registry_, report_topic::variable, item->name));
        }
    }

    process_registry& registry_;
    descriptor::category& tree_;
    record_builder make_;
    bool may_have_taken_former_names_ = false;
    bool has_other_words_ = false;
};

} // namespace registry
} // namespace mpit
