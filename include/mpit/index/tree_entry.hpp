// How one tree enters the index: a record for each of its categories, variables and enumerations, made first and published
// together. Names that are known already join their category, revive their variable, or are reported.
//
//   const bool is_whole = tree_entry{index, tree, "p2p_variables"}.enter();
#pragma once

#include <mpit/index/environment.hpp>

#include <cstdlib>

namespace mpit::index {

// Enters one tree. It makes all records first and publishes them as one batch, with those that another tree has made and
// not published yet: nothing that can be seen refers to what cannot.
class tree_entry {
public:
    tree_entry(process_index& into, describe::category& tree, text owner) noexcept
        : index_{into}, tree_{tree}, owner_{owner} {}

    // False without memory; then all of the tree works for its author, and a part or nothing of it is seen by tools.
    bool enter() noexcept {
        batch_ = index_.memory.make<batch>();
        if (batch_ == nullptr || !copy(owner_, owner_)) return false;
        std::uint32_t counts[kind_count]{};
        count_items(tree_, counts);
        for (int k = 0; k < kind_count; k++) {
            batch_->parts[k].records = static_cast<record**>(index_.memory.allocate(counts[k] * sizeof(record*)));
            if (batch_->parts[k].records == nullptr) return false;
        }
        category_record* root = category_of(tree_);
        const bool is_whole = root != nullptr && enter_members(tree_, *root);
        take_all_from_environment(index_, [&](const variable_record& r) { return r.owner.characters == owner_.characters; });
        if (!index_.log.publish(*batch_)) return false;
        report_cycles();
        return is_whole;
    }

private:
    static void count_items(const describe::category& in, std::uint32_t* counts) noexcept {
        counts[static_cast<int>(kind::category)]++;
        for (const describe::item* at = in.first; at != nullptr; at = at->next) {
            if (at->of == kind::category) {
                count_items(static_cast<const describe::category&>(*at), counts);
            } else {
                counts[static_cast<int>(at->of)]++;
                counts[static_cast<int>(kind::enumeration)] += 2; // at most its own, and that of the record that is there
            }
        }
    }

    // Variables first, so that those of one category have consecutive numbers; then the categories inside.
    bool enter_members(describe::category& in, category_record& into) noexcept {
        static constexpr kind variables[] = {kind::control, kind::performance};
        for (const kind of : variables) {
            batch::part& part = part_of(of);
            const std::uint32_t before = part.count;
            for (describe::item* at = in.first; at != nullptr; at = at->next)
                if (at->of == of && !enter_variable(static_cast<describe::variable&>(*at))) return false;
            if (!join(into, of, part.records + before, part.count - before)) return false;
        }
        for (describe::item* at = in.first; at != nullptr; at = at->next) {
            if (at->of != kind::category) continue;
            auto& inner = static_cast<describe::category&>(*at);
            category_record* inner_record = category_of(inner);
            auto* child = static_cast<record**>(index_.memory.allocate(sizeof(record*)));
            if (inner_record == nullptr || child == nullptr) return false;
            *child = inner_record;
            if (!join(into, kind::category, child, 1) || !enter_members(inner, *inner_record)) return false;
        }
        return true;
    }
    bool join(category_record& into, kind of, record* const* members, std::uint32_t count) noexcept {
        if (count == 0) return true;
        auto* joined = index_.memory.make<membership>();
        if (joined == nullptr) return false;
        joined->into = &into;
        joined->of = of;
        joined->members = members;
        joined->count = count;
        *batch_->end_of_memberships = joined;
        batch_->end_of_memberships = &joined->next_in_batch;
        return true;
    }

    void report_cycles() noexcept {
        for (const membership* m = batch_->first_membership; m != nullptr; m = m->next_in_batch)
            if (m->decision.load() == membership::refused && m->closes_a_cycle())
                report(index_.reports_to.load(), "the category %s cannot be in %s, which it contains itself; %s asked for it",
                       m->child().name.characters, m->into->name.characters, owner_.characters);
    }

    // The record of a category: trees that use one name share it.
    category_record* category_of(describe::category& in) noexcept {
        record* there = index_.find(kind::category, in.name);
        if (there == nullptr) {
            auto* fresh = new_record<category_record>(in.of, in.in, in.hash, in.name, in.description);
            if (fresh == nullptr || (there = claim(*fresh)) == nullptr) return nullptr;
            if (there == fresh) return fresh;
        }
        take_along(*there);
        if (in.description.length != 0 && !base::equal(there->description, in.description))
            report(index_.reports_to.load(), "the category %s has two descriptions; the one of %s stays, the one of %s is not used",
                   in.name.characters, there->owner.characters, owner_.characters);
        return static_cast<category_record*>(there);
    }

    bool enter_variable(describe::variable& v) noexcept {
        record* there = index_.find(v.of, v.name, v.in, v.hash);
        if (there == nullptr) {
            auto* fresh = new_variable(v);
            if (fresh == nullptr) return false;
            there = claim(*fresh);
            if (there == nullptr) return false;
            if (there == fresh) {
                use_environment(v, false);
                return true;
            }
        }
        auto& known = static_cast<variable_record&>(*there);
        if (!is_same_declaration(known, v) || !known.live.replace(nullptr, &v)) {
            report(index_.reports_to.load(), "%s is declared twice: the one of %s stays, the one of %s is not seen by tools",
                   v.name.characters, known.owner.characters, owner_.characters);
            return true;
        }
        take_along(known);
        if (known.enumeration != nullptr) take_along(*known.enumeration);
        known.incarnation.fetch_add(1);
        number_cells(v, known.first_lane_cell);
        use_environment(v, true);
        return true;
    }
    variable_record* new_variable(describe::variable& v) noexcept {
        auto* made = new_record<variable_record>(v.of, v.in, v.hash, v.name, v.description);
        if (made == nullptr) return nullptr;
        made->verbosity = v.verbosity;
        made->binding = v.binding;
        made->type = v.type;
        made->count = v.count;
        if (v.enumeration.count != 0 && (made->enumeration = enumeration_of(v.enumeration)) == nullptr) return nullptr;
        if (v.of == kind::control) {
            made->scope = static_cast<describe::control&>(v).scope;
        } else {
            auto& p = static_cast<describe::performance&>(v);
            made->readonly = p.readonly;
            made->continuous = p.continuous;
            made->atomically = p.atomic;
            made->first_lane_cell = index_.lanes.next_cell.fetch_add(v.count * p.operations->lane_cells);
            number_cells(v, made->first_lane_cell);
        }
        made->live.store(&v);
        return made;
    }
    static void number_cells(describe::variable& v, std::uint32_t first) noexcept {
        if (v.of != kind::performance) return;
        auto& p = static_cast<describe::performance&>(v);
        if (p.operations->lane_cells != 0) p.operations->number(p, first);
    }
    static bool is_same_declaration(const variable_record& r, const describe::variable& v) noexcept {
        return r.type == v.type && r.binding == v.binding && r.count == v.count &&
               (r.enumeration != nullptr) == (v.enumeration.count != 0);
    }
    // New variables that are called like their environment variable are served together, at the end.
    void use_environment(describe::variable& v, bool whatever_it_is_called) noexcept {
        if (v.of != kind::control) return;
        auto& control = static_cast<describe::control&>(v);
        if (!whatever_it_is_called && is_called_like_its_environment(control)) return;
        if (const char* value = std::getenv(control.environment)) take_from_environment(index_, control, value);
    }

    // Enumerations of one name are one, if their items are the same; otherwise the first one stays.
    enumeration_record* enumeration_of(const base::enumeration_view& view) noexcept {
        const std::uint64_t hash = describe::name_hash(kind::enumeration, view.name);
        record* there = index_.find(kind::enumeration, view.name);
        if (there == nullptr) {
            auto* fresh = new_record<enumeration_record>(kind::enumeration, {}, hash, view.name, {});
            if (fresh == nullptr || !copy_items(*fresh, view)) return nullptr;
            there = claim(*fresh);
            if (there == nullptr || there == fresh) return static_cast<enumeration_record*>(there);
        }
        take_along(*there);
        auto& known = static_cast<enumeration_record&>(*there);
        if (!has_same_items(known, view))
            report(index_.reports_to.load(), "the enumeration %s is declared twice with different items: those of %s stay",
                   view.name.characters, known.owner.characters);
        return &known;
    }
    bool copy_items(enumeration_record& to, const base::enumeration_view& from) noexcept {
        auto* items = static_cast<base::enumeration_item*>(
            index_.memory.allocate(static_cast<std::size_t>(from.count) * sizeof(base::enumeration_item)));
        if (items == nullptr) return false;
        for (int i = 0; i < from.count; i++) {
            new (items + i) base::enumeration_item;
            items[i].value = from.items[i].value;
            if (!copy(from.items[i].name, items[i].name)) return false;
        }
        to.items = items;
        to.count = from.count;
        return true;
    }
    static bool has_same_items(const enumeration_record& r, const base::enumeration_view& view) noexcept {
        if (r.count != view.count) return false;
        for (int i = 0; i < r.count; i++)
            if (r.items[i].value != view.items[i].value || !base::equal(r.items[i].name, view.items[i].name)) return false;
        return true;
    }

    template <class Record>
    Record* new_record(kind of, performance_class in, std::uint64_t hash, text name, text description) noexcept {
        auto* made = index_.memory.make<Record>();
        if (made == nullptr || !copy(name, made->name) || !copy(description, made->description)) return nullptr;
        made->hash = hash;
        made->of = of;
        made->in = in;
        made->owner = owner_;
        return made;
    }
    bool copy(text from, text& to) noexcept {
        auto* room = static_cast<char*>(index_.memory.allocate(from.length + 1));
        if (room == nullptr) return false;
        std::memcpy(room, from.characters, from.length);
        room[from.length] = '\0';
        to = {room, from.length};
        return true;
    }
    // Puts a record into the batch, unless its name was taken in the meantime.
    record* claim(record& fresh) noexcept {
        record* there = index_.claim(fresh);
        batch::part& part = part_of(fresh.of);
        if (there == &fresh) part.records[part.count++] = &fresh;
        return there;
    }
    // Puts a record that has no number yet into the batch too: who made it may be slow, or have had no memory.
    void take_along(record& there) noexcept {
        batch::part& part = part_of(there.of);
        if (there.number.load() < 0) part.records[part.count++] = &there;
    }
    batch::part& part_of(kind of) noexcept { return batch_->parts[static_cast<int>(of)]; }

    process_index& index_;
    describe::category& tree_;
    text owner_;
    batch* batch_ = nullptr;
};

} // namespace mpit::index
