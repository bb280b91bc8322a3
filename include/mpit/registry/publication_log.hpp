// SPDX-License-Identifier: BSD-3-Clause
// The publication log: everything that a tree adds to the registry becomes visible as one entry. The order of the
// entries determines every number and every list of members, so that any thread can finish an unfinished entry: a
// thread that was stopped in the middle of a publication delays no other.
// The steps of finish() write the same value in every thread, or decide by one compare-exchange.
//
//   if (log.publish(made)) …   for (int i = 0; i < log.count(kind::control); i++) log.at(kind::control, i)->name;
#pragma once

#include <mpit/concurrency/append_array.hpp>
#include <mpit/registry/record.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// All records of one kind, by number. The count stands beside the first piece of the array, because every call of a
// tool reads both.
struct numbered_records {
    atomic<int> count;
    core::append_array<record*> by_number;
};

// What one tree adds. A record may be in several batches, or twice in one: it gets its number at its first place.
// Shared, because any copy that comes across an unfinished batch finishes it.
struct batch {
    struct part {
        record** records = nullptr;
        std::uint32_t count = 0;
        atomic<int> first{-1}; // the number of the first one that gets one here
    };
    part parts[kind_count];
    membership* first_membership = nullptr;
    atomic<std::int64_t> updates{-1}; // changes of categories from the first entry to this one
    bool is_whole = false;            // all of its tree: there was memory
    core::spare_words<2> spare;

    bool is_finished() const noexcept { return updates.load() >= 0; }
};

// The entries, and what they have published. Shared, because their order decides every number that any tool sees.
class publication_log {
public:
    // Makes a batch visible, once, also where several threads publish it; false without memory.
    bool publish(batch& b) noexcept {
        for (;;) {
            if (!finish_pending()) return false;
            const int end = finished_.load();
            atomic<batch*>* place = entries_.place(static_cast<std::uint32_t>(end));
            if (place == nullptr) return false;
            // Read after `end`: one that is not finished is not before that place, so that it is not put behind itself.
            if (b.is_finished()) return true;
            if (!place->replace(nullptr, &b)) continue;
            return finish_pending();
        }
    }
    // Several threads have made a batch of the same things: the first one that follows `previous` is chosen and becomes
    // visible. Returns it, or null without memory.
    batch* publish_one(atomic<batch*>& published_batch, batch* previous, batch& mine) noexcept {
        batch* const chosen = published_batch.compare_exchange(previous, &mine) ? &mine : previous;
        return publish(*chosen) ? chosen : nullptr;
    }
    // Finishes what others have begun; false if there is no memory for it.
    [[gnu::noinline]] bool finish_pending() noexcept {
        for (;;) {
            const int index = finished_.load();
            batch* b = entries_.find(static_cast<std::uint32_t>(index));
            if (b == nullptr) return true;
            if (!finish(*b, index)) return false;
            finished_.replace(index, index + 1);
        }
    }
    // How often categories changed. An entry that is in the log counts, whether or not its author has finished it.
    std::int64_t updates() noexcept {
        const int end = length();
        return end == 0 ? 0 : entries_.get(static_cast<std::uint32_t>(end - 1))->updates.load();
    }
    // How many entries there are: as long as there are no more of them nothing has changed.
    int length() noexcept {
        const int finished = finished_.load();
        if (entries_.find(static_cast<std::uint32_t>(finished)) == nullptr) [[likely]]
            return finished;
        finish_pending();
        return finished_.load();
    }
    int count(kind item_kind) const noexcept { return numbers_[static_cast<int>(item_kind)].count.load(); }
    record* at(kind item_kind, int number) const noexcept {
        return numbers_[static_cast<int>(item_kind)].by_number.get(static_cast<std::uint32_t>(number));
    }
    // For tests of the update number's saturation: as many changes more were published with the last entry, or fewer.
    void add_updates(std::int64_t more) noexcept {
        entries_.get(static_cast<std::uint32_t>(length() - 1))->updates.fetch_add(more);
    }

private:
    bool finish(batch& b, int index) noexcept {
        const batch::part& events = b.parts[static_cast<int>(kind::event)];
        for (std::uint32_t i = 0; i < events.count; i++)
            add_source_records(static_cast<event_record*>(events.records[i])->channel);
        std::int64_t changes = 0; // of categories, which are the last: what has a number refers to nothing without one
        for (int k = kind_count - 1; k >= 0; k--)
            if (!give_numbers(b.parts[k], numbers_[k], changes)) return false;
        for (membership* m = b.first_membership; m != nullptr; m = m->next_in_batch) changes += link(*m);
        const std::int64_t previous =
            index == 0 ? 0 : entries_.get(static_cast<std::uint32_t>(index - 1))->updates.load();
        b.updates.replace(-1, previous + changes);
        return true;
    }
    // Puts an event into the list of its source, where notify_dropped() finds it. Its successor is published_batch
    // once, and stays the first of the list until the event is, because the events of the log join one after another.
    static void add_source_records(internal::event_channel& event) noexcept {
        atomic<internal::event_channel*>& first = event.source->first;
        if (event.next_of_source.load() == &event) event.next_of_source.replace(&event, first.load());
        first.replace(event.next_of_source.load(), &event);
    }
    // `given` becomes how many records get their number here.
    static bool give_numbers(batch::part& part, numbered_records& numbers, std::int64_t& setting) noexcept {
        setting = 0;
        if (part.count == 0) return true;
        int first = -1;
        if (part.first.compare_exchange(first, numbers.count.load())) first = part.first.load();
        int end = first;
        for (std::uint32_t i = 0; i < part.count; i++) {
            const int known = part.records[i]->number.load();
            if (known >= 0 && known < end) continue; // it has been at an earlier place
            atomic<record*>* place = numbers.by_number.place(static_cast<std::uint32_t>(end));
            if (place == nullptr) return false;
            place->store(part.records[i]);
            part.records[i]->number.store(end++);
        }
        setting = end - first;
        int count = numbers.count.load();
        while (count < end && !numbers.count.compare_exchange(count, end)) {}
        return true;
    }
    // Answers how many members were added.
    static std::int64_t link(membership& m) noexcept {
        if (m.decision.load() == membership::undecided)
            m.decision.replace(membership::undecided, is_refused(m) ? membership::refused : membership::accepted);
        if (m.decision.load() == membership::refused) return 0;
        if (m.is_consecutive()) m.first_number.store(m.members[0]->number.load());
        append(m, m.parent->members[static_cast<int>(m.item_kind)], m.parent->near_end[static_cast<int>(m.item_kind)]);
        for (std::uint32_t i = 0; i < m.count; i++) add_parent(*m.members[i], m);
        return m.count;
    }
    // Appends `m` unless the list has it. If it stands before `begin` its `next` is set, which is loaded after `begin`;
    // what follows `begin` is searched for it. So it is never there twice, and a list of any length costs a few steps.
    static void append(membership& m, atomic<membership*>& first, atomic<membership*>& near_end) noexcept {
        membership* const begin = near_end.load();
        if (begin == &m || m.next.load() != nullptr) return;
        atomic<membership*>* end = begin != nullptr ? &begin->next : &first;
        for (membership* last = end->load(); last != &m; last = end->load()) {
            if (last == nullptr && end->replace(nullptr, &m)) break;
            if (last != nullptr) end = &last->next;
        }
        near_end.store(&m);
    }
    // Memberships are told in the order of the log, so that a thread that was stopped here stores what is there
    // already.
    static void add_parent(record& member, const membership& m) noexcept {
        const membership* const first = member.first_membership.load();
        if (first == nullptr) member.first_membership.store(&m);
        else if (first->parent != m.parent) member.has_several_parents.store(true);
    }
    // A category that has the member already, or that the member contains, does not get it.
    static bool is_refused(const membership& m) noexcept {
        return m.item_kind == kind::category && (m.parent->holds(m.child()) || m.closes_a_cycle());
    }

    atomic<int> finished_;
    core::append_array<batch*> entries_;
    numbered_records numbers_[kind_count];
};

} // namespace registry
} // namespace mpit
