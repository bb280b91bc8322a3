// SPDX-License-Identifier: BSD-3-Clause
// The members of categories: the host's in its order, then ours, as merged numbers. A host may empty a category when it
// closes a plugin; here members stay, as their numbers do.
//
//   discover_all();   members_of(category, kind::control).count()
#pragma once

#include <mpit/over_mpi/discovery.hpp>

#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

// Room for numbers that are only read; most lists are short.
class temporary_numbers {
public:
    explicit temporary_numbers(int count) noexcept
        : numbers{count <= few ? few_ : static_cast<int*>(std::malloc(static_cast<std::size_t>(count) * sizeof(int)))} {
    }
    ~temporary_numbers() {
        if (numbers != few_) std::free(numbers);
    }
    temporary_numbers(const temporary_numbers&) = delete;
    temporary_numbers& operator=(const temporary_numbers&) = delete;

private:
    static constexpr int few = 256;
    int few_[few];

public:
    int* const numbers; // null without memory
};

inline merged_members& members_of(merged_category& category, kind item_kind) noexcept {
    if (item_kind == kind::control) return category.controls;
    if (item_kind == kind::performance) return category.performances;
    return item_kind == kind::event ? category.events : category.categories;
}

// Updates the lists of members; one thread at a time.
class member_lists {
public:
    // How often what members come from has changed, as the update numbers of both say, and how often ours alone.
    struct changes {
        std::int64_t of_both = 0;
        int own = 0;
    };
    static changes now() noexcept { return {changes_of_both(), names().log.length()}; }
    // Whether nothing has changed since the last update.
    bool knows_own() const noexcept { return with_news(names().log.length()) == seen_own_.load(); }
    bool knows_both() const noexcept { return with_news(changes_of_both()) == seen_.load(); }
    // The sum of everything that had changed before the last update.
    std::int64_t seen() const noexcept { return seen_.load(); }

    // Tools see all changes up to `now`.
    void update(changes now) noexcept {
        if (with_news(now.of_both) <= seen_.load()) return;
        for (int i = 0; i < the_numbers.list(kind::category).count(); i++) {
            auto& category = static_cast<merged_category&>(*the_numbers.list(kind::category).at(i));
            update(category, kind::control);
            update(category, kind::performance);
            update(category, kind::category);
            update(category, kind::event);
        }
        seen_own_.store(with_news(now.own));
        seen_.store(with_news(now.of_both));
    }

private:
    static std::int64_t changes_of_both() noexcept {
        int of_host = 0;
        if (!the_host.is_open() || the_host.category_changed == nullptr ||
            the_host.category_changed(&of_host) != MPI_SUCCESS)
            of_host = 0;
        return of_host + names().log.updates();
    }
    static std::int64_t with_news(std::int64_t changes) noexcept { return changes + the_numbers.changes(); }

    static void update(merged_category& category, kind item_kind) noexcept {
        merged_members& all = members_of(category, item_kind);
        each_of_host(category.host_number.load(), item_kind, [&](int number) { add(all, number); });
        each_own(category.own_number.load(), item_kind, [&](int number) { add(all, number); });
    }
    static void add(merged_members& members, int number) noexcept {
        if (!members.holds(number)) members.add(number, the_numbers.facts.memory);
    }
    template <class Visit> static void each_of_host(int host_number, kind item_kind, Visit visit) noexcept {
        if (host_number < 0 || (item_kind == kind::event && !the_host.has(function_group::categories_of_events)))
            return;
        const auto& host = the_numbers.facts.host;
        const int count = host.member_count(host_number, item_kind);
        const temporary_numbers members{count};
        if (count <= 0 || members.numbers == nullptr) return;
        if (!host.members(host_number, item_kind, count, members.numbers)) return;
        for (int i = 0; i < count; i++)
            if (const int number = the_numbers.list(item_kind).number_of_host(members.numbers[i]); number >= 0)
                visit(number);
    }
    template <class Visit> static void each_own(int own_number, kind item_kind, Visit visit) noexcept {
        const registry::category_record* found = names().category(own_number);
        const int count = found == nullptr ? 0 : names().member_count(*found, item_kind);
        const temporary_numbers members{count};
        if (count == 0 || members.numbers == nullptr) return;
        for (int i = 0; i < count; i++) members.numbers[i] = -1;
        names().members(*found, item_kind, count, members.numbers);
        for (int i = 0; i < count; i++)
            if (const int number = the_numbers.list(item_kind).number_of_own(members.numbers[i]); number >= 0)
                visit(number);
    }

    atomic<std::int64_t> seen_, seen_own_;
};

inline constinit member_lists the_members;

[[gnu::noinline]] inline void discover_all() noexcept {
    const member_lists::changes now = member_lists::now();
    the_numbers.discover(kind::control);
    the_numbers.discover(kind::performance);
    the_numbers.discover(kind::category);
    the_numbers.discover(kind::event);
    the_numbers.alone([&] { the_members.update(now); });
}

} // namespace over_mpi
} // namespace mpit
