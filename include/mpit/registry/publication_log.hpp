// SPDX-License-Identifier: BSD-3-Clause
// The publication log. Everything that a tree adds to the registry becomes visible as one log entry. The order of the
// log entries determines all indices and all lists of category members. The log is lock-free by helping (Herlihy,
// "Wait-free synchronization", 1991). Any thread can finish an unfinished log entry, so that a delayed thread blocks no
// other thread. In each step of finish(), the threads write one value, or a compare-exchange selects one.
//
//   if (log.publish(entry)) ...   for (int i = 0; i < log.count(kind::control); i++) log.at(kind::control, i)->name;
#pragma once

#include <mpit/concurrency/append_array.hpp>
#include <mpit/registry/record.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Contains all records of one kind in the order of their indices. The count and the address of the first records are
// adjacent in memory, because a lookup of a tool reads both.
struct indexed_records {
    atomic<int> count;
    core::append_array<record*> by_index;
};

// A log entry contains the records and memberships that one tree adds. A record may occur in several log entries, or
// twice in one log entry, and gets an index at the first occurrence. All copies of mpit share log entries, because any
// copy that finds an unfinished log entry finishes the entry.
struct log_entry {
    struct part {
        record** records = nullptr;
        std::uint32_t count = 0;
        atomic<int> first{-1}; // the first index that this part assigns, or -1
    };
    part parts[kind_count];
    membership* first_membership = nullptr;
    atomic<std::int64_t> updates{-1}; // changes to categories in all log entries up to this one, or -1
    bool is_complete = false;         // true if the log entry contains all items of the tree
    core::spare_words<2> spare;

    bool is_finished() const noexcept { return updates.load() >= 0; }
};

// Contains the log entries and the published records. All copies of mpit share one log, which determines every index.
class publication_log {
public:
    // Publishes a log entry. Several threads may publish one log entry at once. Returns false if memory is exhausted.
    bool publish(log_entry& b) noexcept {
        for (;;) {
            if (!finish_pending()) return false;
            const int end = finished_.load();
            atomic<log_entry*>* slot = entries_.ensure(static_cast<std::uint32_t>(end));
            if (slot == nullptr) return false;
            // The thread loads b.is_finished() after `end`. If b.is_finished() returns false, no slot before `end`
            // contains `b`, so that `b` is appended only once.
            if (b.is_finished()) return true;
            if (!slot->compare_and_set(nullptr, &b)) continue;
            return finish_pending();
        }
    }
    // Publishes one of several log entries that threads have built for one tree. The winner is the first log entry that
    // a thread stores in `published_entry` instead of `previous`. Returns the winner, or null if memory is exhausted.
    log_entry* publish_one(atomic<log_entry*>& published_entry, log_entry* previous, log_entry& candidate) noexcept {
        log_entry* const winner = published_entry.compare_exchange(previous, &candidate) ? &candidate : previous;
        return publish(*winner) ? winner : nullptr;
    }
    // Finishes the log entries that other threads have begun. Returns false if memory is exhausted. The compare-and-set
    // of finished_ releases the writes of finish(), and pairs with the acquire loads of finished_ in this class.
    [[gnu::noinline]] bool finish_pending() noexcept {
        for (;;) {
            const int index = finished_.load();
            log_entry* b = entries_.find(static_cast<std::uint32_t>(index));
            if (b == nullptr) return true;
            if (!finish(*b, index)) return false;
            finished_.compare_and_set(index, index + 1);
        }
    }
    // Returns the number of category changes by all log entries. Pending log entries are finished before the count.
    std::int64_t updates() noexcept {
        const int end = length();
        return end == 0 ? 0 : entries_.at(static_cast<std::uint32_t>(end - 1))->updates.load();
    }
    // Finishes pending log entries, and returns the number of finished log entries. If two calls of length() return the
    // same number, nothing was published between the two calls.
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
    // Adds `changes`, which may be negative, to the update number of the last log entry. Tests use add_updates() to
    // reach the saturation of the update number.
    void add_updates(std::int64_t changes) noexcept {
        entries_.at(static_cast<std::uint32_t>(length() - 1))->updates.fetch_add(changes);
    }

private:
    bool finish(log_entry& b, int index) noexcept {
        const log_entry::part& events = b.parts[static_cast<int>(kind::event)];
        for (std::uint32_t i = 0; i < events.count; i++)
            link_to_source(static_cast<event_record*>(events.records[i])->channel);
        // Indices are assigned from the last kind to the first kind, so that an item with an index refers only to items
        // with indices. The loop ends with the categories, so `changes` then is the number of new categories.
        std::int64_t changes = 0;
        for (int k = kind_count - 1; k >= 0; k--)
            if (!assign_indices(b.parts[k], records_[k], changes)) return false;
        for (membership* m = b.first_membership; m != nullptr; m = m->next_in_entry) changes += link(*m);
        const std::int64_t previous =
            index == 0 ? 0 : entries_.at(static_cast<std::uint32_t>(index - 1))->updates.load();
        b.updates.compare_and_set(-1, previous + changes);
        return true;
    }
    // Pushes an event onto its source's list of events. notify_dropped() walks the list of a source. A compare-exchange
    // sets the event's successor once. Until the successor is set, the head of the list does not change, because only
    // one event is pushed at a time.
    static void link_to_source(internal::event_channel& event) noexcept {
        atomic<internal::event_channel*>& first = event.source->first;
        if (event.next_in_source.load() == &event) event.next_in_source.compare_and_set(&event, first.load());
        first.compare_and_set(event.next_in_source.load(), &event);
    }
    // Assigns indices to those records of a part (all records of one kind in a log entry) that have no index. Stores
    // the number of assigned indices in `assigned_count`. Returns false if memory is exhausted.
    static bool assign_indices(log_entry::part& part, indexed_records& indexed, std::int64_t& assigned_count) noexcept {
        assigned_count = 0;
        if (part.count == 0) return true;
        int first = -1;
        if (part.first.compare_exchange(first, indexed.count.load())) first = part.first.load();
        int end = first;
        for (std::uint32_t i = 0; i < part.count; i++) {
            const int index = part.records[i]->index.load();
            if (index >= 0 && index < end) continue; // the record has an index from an earlier occurrence
            atomic<record*>* slot = indexed.by_index.ensure(static_cast<std::uint32_t>(end));
            if (slot == nullptr) return false;
            slot->store(part.records[i]);
            part.records[i]->index.store(end++);
        }
        assigned_count = end - first;
        // The compare-exchange releases the records and their indices, and pairs with the acquire load in count().
        int count = indexed.count.load();
        while (count < end && !indexed.count.compare_exchange(count, end)) {}
        return true;
    }
    // Decides whether the category accepts the members, and adds accepted members. Returns the number of added members.
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
    // Appends the membership `m` to a category's list once. A thread walks from `begin`, which is near the end of the
    // list. If another thread has already appended `m` after `begin`, the walk reaches `m`. If `m` is before `begin`,
    // the pointer `m.next` is not null, because the release store of near_end pairs with the acquire load of `begin`.
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
    // A delayed thread stores only values that are stored already, because all threads link memberships in log order.
    static void add_parent(record& member, const membership& m) noexcept {
        const membership* const first = member.first_membership.load();
        if (first == nullptr) member.first_membership.store(&m);
        else if (first->parent != m.parent) member.has_several_parents.store(true);
    }
    // Returns true for a subcategory if the category already contains it, or if the categories would form a cycle.
    static bool is_refused(const membership& m) noexcept {
        return m.item_kind == kind::category && (m.parent->holds(m.child()) || m.would_close_cycle());
    }

    atomic<int> finished_;
    core::append_array<log_entry*> entries_;
    indexed_records records_[kind_count];
};

} // namespace registry
} // namespace mpit
