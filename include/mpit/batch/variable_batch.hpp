// SPDX-License-Identifier: BSD-3-Clause
// A batch: performance variables that are started, stopped, reset and read together. Checks once what a session of
// the standard checks for each handle: one read guard, and one number that tells whether a library was unloaded
// since the last read. Sums are read shard by shard (MPI-5.0, 15.3.7).
//
//   variable_batch batch;  result added = batch.add(sizeof(sample), {…});   result answer = batch.read(&now);
#pragma once

#include <mpit/variable/cells.hpp>
#include <mpit/module/registrar.hpp>
#include <mpit/batch/choice.hpp>
#include <mpit/batch/reading.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

class variable_batch {
public:
    constexpr variable_batch() noexcept {}
    variable_batch(const variable_batch&) = delete;
    variable_batch& operator=(const variable_batch&) = delete;
    MPIT_MODULE_LOCAL ~variable_batch() {
        const internal::read_guard here;
        find_unloaded();
        memory_.for_each_variable([this](batch_variable& each) { leave(each); });
    }

    // MPI_T_ERR_INVALID_NAME, _INDEX while the variable's library is not loaded, _HANDLE where the object is none or not
    // known, MPI_T_ERR_MEMORY, wrong_type, wrong_count, or field_in_use. A field whose variable no longer exists is in use no more.
    MPIT_MODULE_LOCAL [[gnu::cold]] result add(std::size_t bytes_of_sample, const batch_choice& chosen) noexcept {
        registry::process_registry* registry = registry::published_registry();
        if (registry == nullptr || !memory_.begin(bytes_of_sample)) return result::out_of_memory;
        if (chosen.name == nullptr) return result::invalid_name;
        registry::record* found = registry->find(descriptor::kind::performance, chosen.name, chosen.variable_class);
        if (found == nullptr || found->number.load() >= registry->count(descriptor::kind::performance) ||
            found->number.load() < 0)
            return result::invalid_name;
        auto& record = static_cast<variable_record&>(*found);
        if (!chosen.fits(record)) return result::wrong_type;
        if (record.count != chosen.count) return result::wrong_count;
        const internal::read_guard here;
        find_unloaded();
        if (is_in_use(chosen)) return result::field_in_use;
        reference<descriptor::performance> target;
        const result bound = target.bind(record, chosen.object_handle);
        if (bound != result::success) return bound;
        while (batch_variable* former = variable_in(chosen)) forget(*former);
        return add_target(*registry, target, chosen);
    }

    // Each of them changes all variables that can be changed so. MPI_T_ERR_INVALID_HANDLE if a library is unloaded or an
    // object is freed, MPI_T_ERR_PVAR_NO_WRITE if a library refuses to reset a text, not_together if a change of a tally was under way
    // that could not be waited for; the others are changed.
    MPIT_MODULE_LOCAL result start() noexcept { return change_all(batch_change::start); }
    MPIT_MODULE_LOCAL result stop() noexcept { return change_all(batch_change::stop); }
    MPIT_MODULE_LOCAL result reset() noexcept { return change_all(batch_change::reset); }

    // Fills the fields of all variables. MPI_T_ERR_INVALID_HANDLE if a library is unloaded or an object is freed: its fields
    // are left as they are. If all are there, not_together says that a sum may be of other changes than its count, because one
    // was under way; both fields are filled.
    MPIT_MODULE_LOCAL [[gnu::noinline]] result read(void* sample) noexcept {
        const internal::read_guard here;
        find_unloaded();
        if (registry_ == nullptr) return result::success;
        const batch_reading now{memory_, registry_->shards, stamp(), static_cast<char*>(sample)};
        bool all_are_there = true, are_together = true;
        // A change of the batch may fall between the loads of a word and of its state. One that this thread has interrupted never ends here.
        for (int reads = 0; reads < most_reads; reads++) {
            const std::uint32_t ended = changes_ended_.load();
            now.sums<false>(batch_pass::sums);
            now.sums<true>(batch_pass::real_sums);
            now.levels();
            now.marks();
            all_are_there = now.calls();
            are_together = now.tallies();
            if (changes_begun_.load() == ended) break;
            are_together = false; // the change may be done to one of a sum and its count
        }
        if (!all_are_there || gone_count_.load() != 0) return result::invalid_handle;
        return are_together ? result::success : result::not_together;
    }

private:
    static constexpr int most_reads = 8;

    // Any variable whose field is a part of the chosen one.
    batch_variable* variable_in(const batch_choice& chosen) const noexcept {
        batch_variable* found = nullptr;
        memory_.for_each_variable([&](batch_variable& each) {
            if (is_in(chosen, each)) found = &each;
        });
        return found;
    }
    bool is_in_use(const batch_choice& chosen) const noexcept {
        bool found = false;
        memory_.for_each_variable([&](batch_variable& each) {
            found = found || (is_in(chosen, each) && each.target.present_cell() != nullptr);
        });
        return found;
    }
    static bool is_in(const batch_choice& chosen, const batch_variable& each) noexcept {
        return each.offset < chosen.end() && chosen.offset < each.offset + each.bytes;
    }

    MPIT_MODULE_LOCAL result add_target(registry::process_registry& registry,
                                   const reference<descriptor::performance>& target,
                                   const batch_choice& chosen) noexcept {
        registry_ = &registry;
        batch_pass pass = batch_variable::pass_of(target);
        if (pass <= batch_pass::real_sums &&
            kept_in_shards(target, chosen.count - 1).distance_in_shards() >= registry.shards.cells_end)
            pass = batch_pass::calls;
        batch_variable& made = memory_.append_variable(pass);
        made.target = target;
        made.offset = chosen.offset;
        made.bytes = chosen.end() - chosen.offset;
        made.elements = pass == batch_pass::tallies ? part_for(target) : memory_.append(pass, made.element_count());
        for (std::uint32_t i = 0; i < made.element_count(); i++) {
            batch_element& e = made.elements[i];
            e.offset = (chosen.offset + i * core::size_of(chosen.type)) & ((1u << offset_bits) - 1);
            e.form = form_of(*target.variable);
            if (pass <= batch_pass::real_sums) e.distance = kept_in_shards(target, i).distance_in_shards();
            e.source.store(source_of(made, i));
            if (e.source.load() == nullptr) {
                leave(made);
                forget(made);
                return result::out_of_memory;
            }
        }
        if (pass == batch_pass::tallies) {
            element_value{*target.variable, target.cell, 0, stamp(), *made.state(0)}.begin();
            begin_together(*made.elements);
        } else {
            static_cast<void>(made.each_element(target.cell, stamp(), [](auto element) { return element.begin(), true; }));
        }
        return result::success;
    }
    static const internal::shard_cell& kept_in_shards(const reference<descriptor::performance>& target,
                                                      std::uint32_t i) noexcept {
        return static_cast<const internal::shard_kept*>(target.cell)[i].in_shards();
    }
    static internal::watched_level& level_of(const batch_variable& variable, void* cell, std::uint32_t i) noexcept {
        return *static_cast<internal::watched_level*>(
            variable.target.variable->operations->level(*variable.target.variable, cell, i));
    }
    // Returns null without memory for a mark.
    MPIT_MODULE_LOCAL void* source_of(const batch_variable& variable, std::uint32_t i) const noexcept {
        if (variable.is_mark())
            return level_of(variable, variable.target.cell, i)
                .watch(variable.target.variable->operations->value_behaviour == behaviour::marking_high, owner());
        switch (variable.pass) {
        case batch_pass::sums:
        case batch_pass::real_sums:
            return const_cast<atomic<std::uint64_t>*>(&kept_in_shards(variable.target, i).shared());
        case batch_pass::levels: return &level_of(variable, variable.target.cell, i);
        default: return variable.target.cell;
        }
    }
    // Marks have owners, which no other batch and no handle is.
    std::uint64_t owner() const noexcept { return reinterpret_cast<std::uintptr_t>(this); }
    std::uint64_t stamp() const noexcept { return owner() >> 3 & 0xffffff; }
    void leave(batch_variable& left) const noexcept {
        void* cell = left.target.present_cell();
        if (cell == nullptr) return;
        if (left.pass == batch_pass::calls)
            static_cast<void>(element_value::end(left.elements[0].state, stamp(), left.target.variable));
        if (!left.is_mark()) return;
        for (std::uint32_t i = 0; i < left.target.record->count; i++)
            if (auto* mark = static_cast<internal::mark*>(left.elements[i].source.load()))
                level_of(left, cell, i).leave(*mark, owner());
    }
    void forget(batch_variable& gone) noexcept {
        if (gone.is_gone.load() != 0) gone_count_.fetch_add(-1u);
        memory_.remove(gone);
    }

    // A library was unloaded since the last read. Concurrent reads do the same.
    void find_unloaded() noexcept {
        if (registry_ == nullptr) return;
        const std::uint64_t unregistrations = registry_->unregistrations.load();
        if (unregistrations != checked_unregistrations_.load()) [[unlikely]]
            find_gone(unregistrations);
    }
    MPIT_MODULE_LOCAL [[gnu::cold, gnu::noinline]] void find_gone(std::uint64_t unregistrations) noexcept {
        memory_.for_each_variable([this](batch_variable& each) {
            if (each.target.is_loaded()) return;
            if (each.is_gone.replace(0, 1)) gone_count_.fetch_add(1);
            for (std::uint32_t i = 0; i < each.element_count(); i++) each.elements[i].source.store(nullptr);
        });
        checked_unregistrations_.store(unregistrations);
    }

    MPIT_MODULE_LOCAL result change_all(batch_change what) noexcept {
        const internal::read_guard here;
        find_unloaded();
        const std::uint32_t previous = changes_begun_.fetch_add(1);
        bool is_alone = changes_ended_.load() == previous, all_are_there = true, are_together = true;
        result refused = result::success;
        memory_.for_each_variable([&](batch_variable& each) {
            const variable_record& record = *each.target.record;
            if (what == batch_change::reset ? record.readonly : record.continuous) return;
            void* cell = each.target.present_cell();
            if (cell == nullptr) all_are_there = false;
            if (cell == nullptr || each.pass == batch_pass::tallies) return;
            const auto apply_to = [&](auto element) {
                if (what != batch_change::reset || !each.is_text()) return apply(what, element);
                const result made = element.act_on_text(handle_step::reset, nullptr);
                if (made != result::success) refused = made;
                return true;
            };
            if (!each.each_element(cell, stamp(), apply_to)) all_are_there = false;
        });
        std::uint32_t attempts_left = batch_tally::most_attempts;
        for (batch_tally& each : memory_.tallies()) are_together = each.apply(what, attempts_left) && are_together;
        // Changes by two threads at once may have begun at two moments.
        is_alone = is_alone && changes_begun_.load() == previous + 1;
        if (!is_alone)
            for (batch_tally& each : memory_.tallies()) are_together = each.part() && are_together;
        changes_ended_.fetch_add(1);
        if (!all_are_there) return result::invalid_handle;
        if (refused != result::success) return refused;
        return are_together ? result::success : result::not_together;
    }
    template <class Value> static bool apply(batch_change what, Value element) noexcept {
        switch (what) {
        case batch_change::start: return element.start();
        case batch_change::stop: return element.stop();
        default: return element.reset();
        }
    }

    // The element for a sum or a count, beside the other one if that is there.
    batch_element* part_for(const reference<descriptor::performance>& target) noexcept {
        const int part = target.record->variable_class == performance_class::aggregate;
        batch_tally* found = nullptr;
        for (batch_tally& each : memory_.tallies())
            if (each.cell() == target.cell && each.parts[part].source.load() == nullptr) found = &each;
        if (found == nullptr) found = &memory_.append_tally();
        if (part == 1) found->real = target.variable->operations->real;
        found->readonly = target.record->readonly;
        found->continuous = target.record->continuous;
        return &found->parts[part];
    }
    void begin_together(batch_element& part) noexcept {
        for (batch_tally& each : memory_.tallies())
            if (&part == &each.parts[0] || &part == &each.parts[1]) each.begin();
    }

    batch_memory memory_;
    registry::process_registry* registry_ = nullptr;
    atomic<std::uint64_t> checked_unregistrations_; // how many were unregistered at the last read
    atomic<std::uint32_t> gone_count_, changes_begun_, changes_ended_;
};

} // namespace session
} // namespace mpit
