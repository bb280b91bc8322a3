// SPDX-License-Identifier: BSD-3-Clause
// Discovery adds the items of the host MPI and of this process's registry to the merged indices. Functions of the host
// MPI are called only while the tool interface of the host MPI is initialized. Only one thread at a time runs
// discovery. A signal handler that interrupts discovery uses the items that were added before. Discovery acquires no
// lock if the host MPI and the registry have not changed.
//
//   the_indices.discover(kind::control);   int n = the_indices.list(kind::control).count();
#pragma once

#include <mpit/host/defects.hpp>
#include <mpit/over_mpi/host_info.hpp>
#include <mpit/over_mpi/try_lock.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL over_mpi {

using descriptor::kind;
using mpi_t::registry;

// The progress of discovery for items of one kind, such as control variables. Any thread may call has_changed(), which
// calls a function such as MPI_T_cvar_get_num of the host MPI. Only the thread that runs discovery changes the
// progress, and only after all new items are added. A hole is an index for which the host MPI returns no description.
class item_scan {
public:
    bool has_changed(int present_own_count) noexcept {
        if (is_host_open_.load() == 0) return true;
        const auto get_num = get_num_.load();
        int count = 0;
        if (get_num != nullptr && (get_num(&count) != MPI_SUCCESS || count != host_count_.load())) return true;
        return present_own_count != own_count.load() || (has_holes_.load() != 0 && should_check_holes());
    }

    // Calls `add(host_index)` for each item of the host MPI that has no merged index. `add` returns false if the host
    // MPI returns no description for the index (a hole). `get_num` is null if the host MPI has no items of this kind.
    template <class Add> void scan_host(merged_indices& indices, int (*get_num)(int*), Add add) noexcept {
        int count = 0;
        if (!the_host.is_open()) get_num = nullptr;
        get_num_.store(get_num);
        is_host_open_.store(the_host.is_open());
        if (get_num == nullptr || get_num(&count) != MPI_SUCCESS || count < 0) return;
        if (count > host_count_.load()) keep_plugins(the_host.mpi_implementation());
        if (count == host_count_.load() && has_holes_.load() == 0) return;
        const int update_number = update_number_of_host();
        bool has_holes = false, is_changed = update_number != update_number_.load();
        for (int i = 0; i < count; i++) {
            if (indices.is_mapped(i)) continue;
            if (add(i)) is_changed = true;
            else has_holes = true;
        }
        restart_polls(is_changed ? min_poll_limit : 2 * poll_limit_.load(core::relaxed));
        update_number_.store(update_number);
        has_holes_.store(has_holes);
        host_count_.store(count);
    }

    atomic<int> own_count; // number of registry items that were added

private:
    static constexpr std::uint32_t min_poll_limit = 64, max_poll_limit = 4096;

    static int update_number_of_host() noexcept {
        int number = -1;
        if (the_host.category_changed == nullptr || the_host.category_changed(&number) != MPI_SUCCESS) return -1;
        return number;
    }
    // Returns true if discovery should again query the holes (indices that the host MPI did not describe). When a
    // plugin is opened, the update number of the host MPI changes, but the plugin may describe its items later. To find
    // items that are described later, the function also returns true after a number of calls. The number of calls
    // doubles each time.
    bool should_check_holes() noexcept {
        const int update_number = update_number_of_host();
        if (update_number < 0 || update_number != update_number_.load()) return true;
        const std::uint32_t polls = polls_.load(core::relaxed) + 1;
        polls_.store(polls, core::relaxed);
        return polls >= poll_limit_.load(core::relaxed);
    }
    void restart_polls(std::uint32_t limit) noexcept {
        polls_.store(0, core::relaxed);
        poll_limit_.store(limit < max_poll_limit ? limit : max_poll_limit, core::relaxed);
    }

    atomic<int> is_host_open_;      // 1 if the host MPI was initialized at the last scan
    atomic<int (*)(int*)> get_num_; // null if the host MPI has no items of this kind
    atomic<int> host_count_, has_holes_;
    atomic<int> update_number_{-1}; // update number of the host MPI at the last check of holes
    atomic<std::uint32_t> polls_, poll_limit_{min_poll_limit};
};

class index_space {
public:
    // Returns the merged indices of one kind of items. Enumerations have no merged indices.
    merged_indices& list(kind item_kind) noexcept { return lists_[static_cast<int>(item_kind)]; }
    host_info host_items;

    // Adds new items of one kind, and items that the host MPI did not describe before, to the merged indices.
    void discover(kind item_kind) noexcept {
        if (scan_of(item_kind).has_changed(own_count(item_kind))) add_new_items(item_kind);
    }
    // Calls `function` while holding the lock of discovery. Does not call `function` if the lock cannot be acquired.
    template <class Function> void with_lock(Function function) noexcept { lock_.take(function); }
    void release_other_threads() noexcept { lock_.release_other_threads(); }
    // Returns a number that grows with each addition to the merged indices. After an addition, the lists of members are
    // outdated, because the new item may be a member of a category.
    int additions() const noexcept { return additions_.load(); }

private:
    item_scan& scan_of(kind item_kind) noexcept { return scans_[static_cast<int>(item_kind)]; }
    static int own_count(kind item_kind) noexcept {
        return item_kind == kind::source ? session::source_count(registry()) : registry().count(item_kind);
    }
    [[gnu::noinline]] void add_new_items(kind item_kind) noexcept {
        with_lock([&] {
            if (item_kind == kind::control) discover_controls();
            if (item_kind == kind::performance) discover_performances();
            if (item_kind == kind::category) discover_categories();
            if (item_kind == kind::event) discover_events();
            if (item_kind == kind::source) discover_sources();
        });
    }

    bool add_entry(merged_indices& indices, merged_entry* entry) noexcept {
        if (entry == nullptr || !indices.add(*entry)) return false;
        additions_.fetch_add(1);
        return true;
    }
    // Adds an item of the host MPI unless an item with the same name exists. `read()` returns a new entry with the
    // attributes of the item, or null if the host MPI does not describe the item or memory is exhausted.
    template <class Read>
    bool add_host_item(merged_indices& indices, const char* name, int variable_class, int host_index,
                       const char* kind_name, Read read) noexcept {
        if (merged_entry* existing = indices.find(name, variable_class)) {
            if (!existing->is_of_host) report_clash(*existing, kind_name);
            indices.exclude_host(host_index);
            return true;
        }
        merged_entry* entry = read();
        if (!add_entry(indices, entry)) return false;
        indices.map_host(*entry, host_index);
        return true;
    }
    static void report_clash(merged_entry& entry, const char* kind_name) noexcept {
        if (entry.is_clash_reported) return;
        entry.is_clash_reported = true;
        registry::message message;
        message.append("the %s ", kind_name);
        message.append_quoted(entry.name, 256);
        message.append(" exists in the MPI of this process and in another library; tools see only that of %s",
                       entry.is_of_host ? "the MPI" : "the library, which was registered first");
        message.send(registry().reports_to.load());
    }

    // Calls `add(record, own_index)` for each new item of the registry, until `add` returns false for lack of memory.
    template <class Add> void visit_own(kind item_kind, Add add) noexcept {
        const int count = registry().count(item_kind);
        for (int i = scan_of(item_kind).own_count.load(); i < count; i++) {
            if (!add(*registry().at(item_kind, i), i)) return;
            scan_of(item_kind).own_count.store(i + 1);
        }
    }
    // Adds an item of the registry unless an item with the same name exists. Returns false if memory is exhausted.
    bool add_own_item(merged_indices& indices, const registry::record& record, int own_index, int variable_class,
                      const char* kind_name) noexcept {
        if (merged_entry* existing = indices.find(record.name, variable_class)) {
            if (!is_listed_by_host(*existing, record)) report_clash(*existing, kind_name);
            indices.exclude_own(own_index);
            return true;
        }
        merged_entry* entry = new_entry(record.name, record.description, variable_class);
        if (entry != nullptr) entry->record = static_cast<const registry::variable_record*>(&record);
        if (!add_entry(indices, entry)) return false;
        indices.map_own(*entry, own_index);
        return true;
    }
    // Returns true if the merged entry and the registry's record describe the same item. A host MPI that contains mpit,
    // or that is itself a library with mpit's shims, also lists the items of the registry.
    static bool is_listed_by_host(const merged_entry& entry, const registry::record& record) noexcept {
        return entry.is_of_host && core::equal(entry.description, record.description);
    }
    template <class Entry = merged_entry>
    Entry* new_entry(text name, text description, int variable_class = 0) noexcept {
        auto* entry = host_items.memory.make<Entry>();
        if (entry == nullptr) return nullptr;
        entry->name = name;
        entry->description = description;
        entry->variable_class = variable_class;
        return entry;
    }

    void discover_controls() noexcept {
        constexpr const char* kind_name = "control variable";
        const auto add = [&](int host_index) {
            char name[host::max_host_name];
            host::described_variable variable;
            const auto query = [&](const host::text_arguments& texts) {
                return host_items.reader.query_control(host_index, variable, texts);
            };
            if (host_items.reader.name(name, query) != MPI_SUCCESS) return false;
            const auto read = [&]() -> host_variable* {
                if (variable.binding == MPI_T_BIND_NO_OBJECT && !host::is_readable(host_index)) return nullptr;
                return host_items.control(host_index);
            };
            return add_host_item(list(kind::control), name, 0, host_index, kind_name, read);
        };
        scan_of(kind::control)
            .scan_host(list(kind::control), the_host.has(function_group::controls) ? the_host.cvar_get_num : nullptr,
                       add);
        visit_own(kind::control, [&](const registry::record& record, int own_index) {
            return add_own_item(list(kind::control), record, own_index, 0, kind_name);
        });
    }
    void discover_performances() noexcept {
        constexpr const char* kind_name = "performance variable";
        const auto add = [&](int host_index) {
            char name[host::max_host_name];
            host::described_variable variable;
            const auto query = [&](const host::text_arguments& texts) {
                return host_items.reader.query_performance(host_index, variable, texts);
            };
            if (host_items.reader.name(name, query) != MPI_SUCCESS) return false;
            if (crashes_on_allocation(name, the_host.mpi_implementation())) {
                list(kind::performance).exclude_host(host_index);
                return true;
            }
            return add_host_item(list(kind::performance), name, variable.variable_class, host_index, kind_name,
                                 [&] { return host_items.performance(host_index); });
        };
        scan_of(kind::performance)
            .scan_host(list(kind::performance),
                       the_host.has(function_group::performances) ? the_host.pvar_get_num : nullptr, add);
        visit_own(kind::performance, [&](const registry::record& record, int own_index) {
            const int variable_class = mpi_t::constant_of(record.variable_class);
            return add_own_item(list(kind::performance), record, own_index, variable_class, kind_name);
        });
    }
    void discover_events() noexcept {
        constexpr const char* kind_name = "event";
        const auto add = [&](int host_index) {
            char name[host::max_host_name];
            host::described_event event;
            const auto query = [&](const host::text_arguments& texts) {
                return host_items.reader.query_event(host_index, event, event.element_count, texts);
            };
            if (host_items.reader.name(name, query) != MPI_SUCCESS) return false;
            return add_host_item(list(kind::event), name, 0, host_index, kind_name,
                                 [&] { return host_items.event(host_index); });
        };
        scan_of(kind::event)
            .scan_host(list(kind::event), the_host.has(function_group::events) ? the_host.event_get_num : nullptr, add);
        visit_own(kind::event, [&](const registry::record& record, int own_index) {
            return add_own_item(list(kind::event), record, own_index, 0, kind_name);
        });
    }
    // Each event source has an index, which MPI_T_event_get_source returns. Event sources with the same name and
    // description share one index.
    void discover_sources() noexcept {
        const auto add = [&](int host_index) {
            char name[host::max_host_name];
            host_source source;
            const auto query = [&](const host::text_arguments& texts) {
                return host_items.reader.query_source(host_index, source, texts);
            };
            if (host_items.reader.name(name, query) != MPI_SUCCESS) return false;
            merged_entry* entry = entry_of_source(host_items.source(host_index), "_of_the_mpi");
            if (entry != nullptr) list(kind::source).map_host(*entry, host_index);
            return entry != nullptr;
        };
        scan_of(kind::source)
            .scan_host(list(kind::source), the_host.has(function_group::sources) ? the_host.source_get_num : nullptr,
                       add);
        const int count = session::source_count(registry());
        for (int i = scan_of(kind::source).own_count.load(); i < count; i++) {
            session::source_info source;
            if (!session::find_source_names(registry(), i, source)) return;
            merged_entry* entry = entry_of_source(new_entry(source.name, source.description), "_of_a_library");
            if (entry == nullptr) return;
            list(kind::source).map_own(*entry, i);
            scan_of(kind::source).own_count.store(i + 1);
        }
    }
    // Adds the entry of an event source, or returns the existing entry with the same name and description. If an event
    // source with another description has the name, appends `suffix` to the name in `entry`. Returns null if memory is
    // exhausted.
    merged_entry* entry_of_source(merged_entry* entry, text suffix) noexcept {
        if (entry == nullptr) return nullptr;
        if (merged_entry* existing = list(kind::source).find(entry->name, 0)) {
            if (core::equal(existing->description, entry->description)) return existing;
            report_clash(*existing, "source of events");
            if (!host_items.append(entry->name, suffix)) return nullptr;
        }
        return list(kind::source).add(*entry) ? entry : nullptr;
    }
    // A category of the host MPI and a category of the registry with the same name share one merged_category.
    void discover_categories() noexcept {
        const auto add = [&](int host_index) {
            char name[host::max_host_name];
            const auto query = [&](const host::text_arguments& texts) {
                return host_items.reader.query_category(host_index, texts);
            };
            if (host_items.reader.name(name, query) != MPI_SUCCESS) return false;
            merged_entry* entry = list(kind::category).find(name, 0);
            if (entry != nullptr && entry->host_index.load() >= 0) {
                list(kind::category).exclude_host(host_index);
                return true;
            }
            if (entry == nullptr) {
                entry = host_items.category(host_index);
                if (!add_entry(list(kind::category), entry)) return false;
            }
            list(kind::category).map_host(*entry, host_index);
            additions_.fetch_add(1);
            return true;
        };
        scan_of(kind::category)
            .scan_host(list(kind::category),
                       the_host.has(function_group::categories) ? the_host.category_get_num : nullptr, add);
        visit_own(kind::category, [&](const registry::record& record, int own_index) {
            merged_entry* entry = list(kind::category).find(record.name, 0);
            if (entry == nullptr) {
                entry = new_entry<merged_category>(record.name, record.description);
                if (!add_entry(list(kind::category), entry)) return false;
            }
            list(kind::category).map_own(*entry, own_index);
            additions_.fetch_add(1);
            return true;
        });
    }

    merged_indices lists_[descriptor::kind_count];
    item_scan scans_[descriptor::kind_count];
    try_lock lock_;
    atomic<int> additions_;
};

inline constinit index_space the_indices;

// Calls `find()`. If `find()` returns false, discovers new items of the kind and calls `find()` once more.
template <class Find> [[gnu::always_inline]] inline bool find_or_discover(kind item_kind, Find find) noexcept {
    if (find()) [[likely]]
        return true;
    the_indices.discover(item_kind);
    return find();
}

} // namespace over_mpi
} // namespace mpit
