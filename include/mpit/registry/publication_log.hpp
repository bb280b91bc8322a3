// SPDX-License-Identifier: BSD-3-Clause
// The publication log: all that a tree adds to the registry becomes visible as one entry. The order of the entries
// determines every index and every list of members. Any thread can finish an unfinished entry (lock-free by helping, as
// in Herlihy, "Wait-free synchronization", 1991), so that a thread that is stopped in the middle delays no other: each
// step of finish() writes the same value in every thread, or is decided by one compare-exchange.
//
//   if (log.publish(entry)) ...   for (int i = 0; i < log.count(kind::control); i++) log.at(kind::control, i)->name;
#pragma once

#include <mpit/concurrency/append_array.hpp>
#include <mpit/registry/record.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// All records of one kind, by index. The count is beside the first piece's address: every call of a tool reads both.
struct indexed_records {
    atomic<int> count;
    core::append_array<record*> by_index;
};

// The records and memberships that one tree adds. A record may be in several entries, or twice in one: it gets its
// index at its first occurrence. Shared, because any copy of the headers that reads an unfinished entry finishes it.
struct log_entry {
    struct part {
        record** records = nullptr;
        std::uint32_t count = 0;
        atomic<int> first{-1}; // the first index that this part assigns
    };
    part parts[kind_count];
    membership* first_membership = nullptr;
    atomic<std::int64_t> updates{-1}; // changes of categories from the first entry to this one
    bool is_complete = false;         // it has all of its tree: memory was not exhausted
    core::spare_words<2> spare;

    bool is_finished() const noexcept { return updates.load() >= 0; }
};

// The entries, and the records that they have published. Shared, because their order determines every index.
class publication_log {
public:
    // Publishes an entry once, also if several threads call this with it. Returns false if memory is exhausted.
    bool publish(log_entry& b) noexcept {
        for (;;) {
            if (!finish_pending()) return false;
            const int end = finished_.load();
            atomic<log_entry*>* slot = entries_.ensure(static_cast<std::uint32_t>(end));
            if (slot == nullptr) return false;
            // Loaded after `end`: an entry that is not finished now is in no slot before `end`, so it is appended once.
            if (b.is_finished()) return true;
            if (!slot->compare_and_set(nullptr, &b)) continue;
            return finish_pending();
        }
    }
    // Publishes one of the entries that several threads have built of the same tree: the first one that replaces
    // `previous` in `published_entry`. Returns that one, or null if memory is exhausted.
    log_entry* publish_one(atomic<log_entry*>& published_entry, log_entry* previous, log_entry& candidate) noexcept {
        log_entry* const winner = published_entry.compare_exchange(previous, &candidate) ? &candidate : previous;
        return publish(*winner) ? winner : nullptr;
    }
    // Finishes the entries that other threads have begun; false if memory is exhausted. The compare-exchange of
    // finished_ releases the writes of finish() to the acquire loads of finished_ here, in publish() and in length().
    [[gnu::noinline]] bool finish_pending() noexcept {
        for (;;) {
            const int index = finished_.load();
            log_entry* b = entries_.find(static_cast<std::uint32_t>(index));
            if (b == nullptr) return true;
            if (!finish(*b, index)) return false;
            finished_.compare_and_set(index, index + 1);
        }
    }
    // The number of changes of categories. An entry counts as soon as it is in the log, whether it is finished or not.
    std::int64_t updates() noexcept {
        const int end = length();
        return end == 0 ? 0 : entries_.at(static_cast<std::uint32_t>(end - 1))->updates.load();
    }
    // The number of entries, with those that this call finishes. While it stays the same, nothing was published.
    int length() noexcept {
        const int finished = finished_.load();
        if (entries_.find(static_cast<std::uint32_t>(finished)) == nullptr) [[likely]]
            return finished;
        finish_pending();
        return finished_.load();
    }
    int count(kind item_kind) const noexcept { return records_[static_cast<int>(item_kind)].count.load(); }
    record* at(kind item_kind, int index) const noexcept {
        return records_[static_cast<int>(item_kind)].by_index.at(static_cast<std::uint32_t>(index));
    }
    // For tests of the update number's saturation: adds `changes`, which may be negative, to those of the last entry.
    void add_updates(std::int64_t changes) noexcept {
        entries_.at(static_cast<std::uint32_t>(length() - 1))->updates.fetch_add(changes);
    }

private:
    bool finish(log_entry& b, int index) noexcept {
        const log_entry::part& events = b.parts[static_cast<int>(kind::event)];
        for (std::uint32_t i = 0; i < events.count; i++)
            link_to_source(static_cast<event_record*>(events.records[i])->channel);
        // From the last kind to the first: an item with an index refers only to items with one. New categories are
        // changes.
        std::int64_t changes = 0;
        for (int k = kind_count - 1; k >= 0; k--)
            if (!assign_indices(b.parts[k], records_[k], changes)) return false;
        for (membership* m = b.first_membership; m != nullptr; m = m->next_in_entry) changes += link(*m);
        const std::int64_t previous =
            index == 0 ? 0 : entries_.at(static_cast<std::uint32_t>(index - 1))->updates.load();
        b.updates.compare_and_set(-1, previous + changes);
        return true;
    }
    // Pushes an event onto the list of its source, which notify_dropped() walks. The first compare-exchange decides its
    // successor: the head of the list until the event is pushed, because the log pushes one event after another.
    static void link_to_source(internal::event_channel& event) noexcept {
        atomic<internal::event_channel*>& first = event.source->first;
        if (event.next_in_source.load() == &event) event.next_in_source.compare_and_set(&event, first.load());
        first.compare_and_set(event.next_in_source.load(), &event);
    }
    // Assigns indices to the `assigned_count` records of a part that have none yet; false if memory is exhausted.
    static bool assign_indices(log_entry::part& part, indexed_records& indexed, std::int64_t& assigned_count) noexcept {
        assigned_count = 0;
        if (part.count == 0) return true;
        int first = -1;
        if (part.first.compare_exchange(first, indexed.count.load())) first = part.first.load();
        int end = first;
        for (std::uint32_t i = 0; i < part.count; i++) {
            const int index = part.records[i]->index.load();
            if (index >= 0 && index < end) continue; // by an earlier entry, or at an earlier position
            atomic<record*>* slot = indexed.by_index.ensure(static_cast<std::uint32_t>(end));
            if (slot == nullptr) return false;
            slot->store(part.records[i]);
            part.records[i]->index.store(end++);
        }
        assigned_count = end - first;
        // Releases the records and their indices; pairs with the acquire load in count().
        int count = indexed.count.load();
        while (count < end && !indexed.count.compare_exchange(count, end)) {}
        return true;
    }
    // Decides whether the category gets the members, and adds them if so. Returns how many were added.
    static std::int64_t link(membership& m) noexcept {
        if (m.decision.load() == membership::undecided)
            m.decision.compare_and_set(membership::undecided,
                                       is_refused(m) ? membership::refused : membership::accepted);
        if (m.decision.load() == membership::refused) return 0;
        if (m.is_consecutive()) m.first_index.store(m.members[0]->index.load());
        append(m, m.parent->members[static_cast<int>(m.item_kind)], m.parent->near_end[static_cast<int>(m.item_kind)]);
        for (std::uint32_t i = 0; i < m.count; i++) add_parent(*m.members[i], m);
        return m.count;
    }
    // Appends `m` once. The walk from `begin`, of a few steps, finds it behind `begin`; before `begin` its `next` is
    // set and visible, because the release store of near_end pairs with the acquire load of `begin`.
    static void append(membership& m, atomic<membership*>& first, atomic<membership*>& near_end) noexcept {
        membership* const begin = near_end.load();
        if (begin == &m || m.next.load() != nullptr) return;
        atomic<membership*>* end = begin != nullptr ? &begin->next : &first;
        for (membership* last = end->load(); last != &m; last = end->load()) {
            if (last == nullptr && end->compare_and_set(nullptr, &m)) break;
            if (last != nullptr) end = &last->next;
        }
        near_end.store(&m);
    }
    // Memberships are linked in the order of the log, so that a delayed thread stores the value that is stored already.
    static void add_parent(record& member, const membership& m) noexcept {
        const membership* const first = member.first_membership.load();
        if (first == nullptr) member.first_membership.store(&m);
        else if (first->parent != m.parent) member.has_several_parents.store(true);
    }
    // True for a category that is a member of the parent already, or that contains the parent.
    static bool is_refused(const membership& m) noexcept {
        return m.item_kind == kind::category && (m.parent->holds(m.child()) || m.would_close_cycle());
    }

    atomic<int> finished_;
    core::append_array<log_entry*> entries_;
    indexed_records records_[kind_count];
};

} // namespace registry
} // namespace mpit
