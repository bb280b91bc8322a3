// SPDX-License-Identifier: BSD-3-Clause
// The merged numbers of one kind: the host's and ours, in the order of discovery. The list only grows, and no number
// changes.
//
//   merged_entry* found = controls.find("EAGER_LIMIT", 0);   found->own_number.load()
#pragma once

#include <mpit/concurrency/append_array.hpp>
#include <mpit/concurrency/insert_only_table.hpp>
#include <mpit/core/hash.hpp>
#include <mpit/registry/record.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

using core::atomic;
using core::text;

struct merged_entry {
    std::uint64_t hash = 0;
    text name;
    text description;
    int variable_class = 0; // the class of a performance variable, as the mpi.h has it
    bool is_of_host = false;
    bool is_clash_reported = false;
    const registry::variable_record* own = nullptr; // of one of our variables and events
    atomic<int> number{-1};
    atomic<int> host_number{-1}; // -1 where the host has none
    atomic<int> own_number{-1};
};

// Many threads may read; one at a time adds.
class merged_numbers {
public:
    int count() const noexcept { return count_.load(); }
    // The entry of a number, or null if there is none.
    merged_entry* at(int number) const noexcept {
        return number >= 0 && number < count() ? entries_.get(static_cast<std::uint32_t>(number)) : nullptr;
    }
    // The entry of a name, or null if there is none yet.
    merged_entry* find(text name, int variable_class) const noexcept {
        merged_entry* found =
            core::find_by_name(names_, name, seed_of(variable_class),
                               [variable_class](const merged_entry& e) { return e.variable_class == variable_class; });
        return found != nullptr && found->number.load() < count() ? found : nullptr;
    }
    // The number that stands for one of the host's or one of ours, or -1: it has none, or is not known yet.
    int number_of_host(int host_number) const noexcept { return number_in(host_, host_number); }
    int number_of_own(int own_number) const noexcept { return number_in(own_, own_number); }

    // Whether it was decided which number stands for one of the host's, or that none does.
    bool knows_host(int host_number) const noexcept { return host_.find(static_cast<std::uint32_t>(host_number)) != 0; }

    // Assigns the next number to an entry with a new name. Returns false without memory.
    bool add(merged_entry& fresh) noexcept {
        const int number = count_.load(core::relaxed);
        atomic<merged_entry*>* place = entries_.place(static_cast<std::uint32_t>(number));
        if (place == nullptr) return false;
        fresh.hash = core::hash(fresh.name, seed_of(fresh.variable_class));
        fresh.number.store(number);
        place->store(&fresh);
        if (names_.insert(fresh, [](const merged_entry&) { return false; }) == nullptr) return false;
        count_.store(number + 1);
        return true;
    }
    void stand_for_host(merged_entry& entry, int host_number) noexcept {
        entry.host_number.store(host_number);
        keep(host_, host_number, entry.number.load() + 1);
    }
    void stand_for_own(merged_entry& entry, int own_number) noexcept {
        entry.own_number.store(own_number);
        keep(own_, own_number, entry.number.load() + 1);
    }
    void leave_out_host(int host_number) noexcept { keep(host_, host_number, left_out); }
    void leave_out_own(int own_number) noexcept { keep(own_, own_number, left_out); }

private:
    static constexpr int left_out = -1;
    static std::uint64_t seed_of(int variable_class) noexcept { return static_cast<std::uint32_t>(variable_class); }

    // Keeps numbers one higher than they are, so that zero means that nothing is known.
    using number_map = core::append_array<int>;
    static int number_in(const number_map& map, int index) noexcept {
        const int kept = index < 0 ? 0 : map.find(static_cast<std::uint32_t>(index));
        return kept > 0 ? kept - 1 : -1;
    }
    static void keep(number_map& map, int index, int value) noexcept {
        if (atomic<int>* place = map.place(static_cast<std::uint32_t>(index))) place->store(value);
    }

    core::append_array<merged_entry*> entries_;
    core::insert_only_table<merged_entry> names_;
    number_map host_, own_;
    atomic<int> count_;
};

} // namespace over_mpi
} // namespace mpit
