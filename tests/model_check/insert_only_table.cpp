// The table of names: of equal entries one wins, nothing that was inserted is ever missed, and growth loses nothing.
#include "scenario.hpp"

#include <mpit/concurrency/insert_only_table.hpp>
#include <mpit/descriptor/cell_store.hpp>

namespace {

struct entry {
    std::uint64_t hash = 0;
    int name = 0;
};

// Entries that are inserted at once by the fibers, into a table of two or four places that has some already.
template <int Fibers, std::size_t Size, int Before, int... Names> struct inserting {
    static constexpr int fibers = Fibers, count = Before + static_cast<int>(sizeof...(Names));
    static constexpr int names[] = {Names...};
    mpit::core::insert_only_table<entry, Size> table;
    entry entries[static_cast<std::size_t>(count)];
    entry* answers[static_cast<std::size_t>(count)] = {};

    inserting() {
        model::keep_allocations();
        model::call(table, "table");
        for (int i = 0; i < Before; i++) entries[i] = {hash_of(i + 1), i + 1};
        for (int i = 0; i < Before; i++) insert(i);
    }
    // Names from 10 on collide with those that are 10 smaller.
    static std::uint64_t hash_of(int name) { return static_cast<std::uint64_t>(name % 10); }
    void insert(int i) {
        entry& fresh = entries[i];
        answers[i] = table.insert(fresh, [&](const entry& e) { return e.name == fresh.name; });
    }
    entry* find(int name) {
        return table.find(hash_of(name), [&](const entry& e) { return e.name == name; });
    }
    void run(int fiber) {
        const int mine = Before + fiber;
        if (mine < count) {
            entries[mine] = {hash_of(names[fiber]), names[fiber]}; // which the table has to publish
            insert(mine);
            model::check(answers[mine] != nullptr, "an insertion has an answer");
            model::check(answers[mine]->name == entries[mine].name, "the answer has the name");
            model::check(find(entries[mine].name) == answers[mine], "who has inserted finds it");
            return;
        }
        for (int i = 0; i < Before; i++) model::check(find(i + 1) == &entries[i], "what was inserted before is found");
        const int name = names[0];
        entry* const first = find(name);
        model::check(first == nullptr || first->name == name, "what is found has the name");
        entry* const again = find(name);
        model::check(first == nullptr || again == first, "what was found is found again");
    }
    int at_end() {
        int winners = 0;
        for (int i = 0; i < count; i++) {
            winners = winners * 2 + (answers[i] == &entries[i]);
            model::check(find(entries[i].name) == answers[i], "all agree on what was inserted");
            for (int j = 0; j < i; j++)
                model::check(entries[i].name != entries[j].name || answers[i] == answers[j],
                             "one of two equal ones wins");
        }
        return winners;
    }
};

using model::explore_all;

// Cells of objects, which come into being where they are looked for, and begin anew when their object is created again.
struct begins_at_zero {
    constexpr operator std::uint64_t() const { return 0; }
};
struct counting_cell {
    mpit::core::atomic<std::uint64_t> count;
    void reset(std::uint64_t start) noexcept { count.store(start); }
};
using handle_of_communicator = mpit::object<mpit::binding::communicator, int>;

template <int Fibers, bool IsFreed> struct counting {
    static constexpr int fibers = Fibers;
    using store = mpit::internal::cell_store<counting_cell, handle_of_communicator, begins_at_zero>;
    store cells{begins_at_zero{}, nullptr};

    counting() {
        model::keep_allocations();
        model::call(cells, "cells");
        if (!IsFreed) return;
        cells.cell_of(5).count.fetch_add(70);
        cells.freed(5);
    }
    void run(int) { cells.cell_of(5).count.fetch_add(1); }
    int at_end() {
        std::uint32_t generation = 0;
        counting_cell* const cell = cells.existing(5, generation);
        model::check(cell != nullptr, "there is a cell");
        const std::uint64_t count = cell == nullptr ? 0 : cell->count.load();
        model::check(count == Fibers, "all count in one cell from its start");
        return static_cast<int>(count);
    }
};
// An object ends while another thread makes its cell the known one, which is found without the table.
struct ending_while_known : counting<2, false> {
    ending_while_known() { cells.created(5); }
    void run(int fiber) {
        if (fiber == 0) cells.cell_of(5);
        else cells.freed(5);
    }
    int at_end() {
        std::uint32_t generation = 0;
        cells.cell_of(5);
        model::check(cells.existing(5, generation) != nullptr, "an object that is used again exists for handles");
        return 0;
    }
};

} // namespace

TEST_CASE("Of two equal entries that are inserted at once one is kept, and both threads get it") {
    explore_all<inserting<2, 4, 0, 1, 1>>("the same name twice", 2);
    explore_all<inserting<3, 4, 0, 1, 1>>("the same name twice, one looks", 2);
}

TEST_CASE("Entries with one hash that are inserted at once are both there") {
    explore_all<inserting<2, 4, 0, 1, 11>>("colliding names", 1);
    explore_all<inserting<3, 4, 0, 1, 11>>("colliding names, one looks", 1);
    explore_all<inserting<2, 4, 1, 11>>("a colliding name, one looks", 1);
}

TEST_CASE("Three equal entries that are inserted at once have one winner") {
    explore_all<inserting<3, 4, 1, 11, 11, 11>>("the same name three times", 3);
}

TEST_CASE("Insertions that make the table grow at once lose nothing, and a reader misses nothing meanwhile") {
    explore_all<inserting<2, 4, 2, 3, 12>>("two names during growth", 1);
    explore_all<inserting<2, 4, 2, 11, 11>>("the same name twice during growth", 2);
    explore_all<inserting<2, 2, 1, 11>>("growth, one looks", 1);
    explore_all<inserting<2, 4, 2, 11>>("growth of a larger table, one looks", 1);
    explore_all<inserting<3, 2, 1, 11, 11>>("the same name twice during growth, one looks", 2);
}

TEST_CASE("Insertions lose nothing if accesses to plain memory are separate from the atomic operations") {
    explore_all<inserting<2, 4, 0, 1, 1>>("the same name twice, plain accesses apart", {.splits_plain_accesses = true},
                                          2);
    explore_all<inserting<2, 2, 1, 11, 11>>("growth, plain accesses apart", {.splits_plain_accesses = true}, 2);
}

TEST_CASE("A table that grows twice at once loses nothing") {
    explore_all<inserting<3, 2, 1, 11, 2, 3>>("three names during growth", model::bounded(1), 1);
}

TEST_CASE("Threads that use the cell of a new object at once count in the same one") {
    explore_all<counting<2, false>>("two count for a new object", 1);
    if (model::is_long()) explore_all<counting<3, false>>("three count for a new object", 1);
}

TEST_CASE("Threads that use the cell of an object that is created again count in it from its start") {
    explore_all<counting<2, true>>("two count for an object that comes again", 1);
}

TEST_CASE("No freed object stays the known one, whose cell is found without the table") {
    explore_all<ending_while_known>("one counts for an object, one frees it", 1);
}

TEST_CASE("An object that becomes the known one without a whole fence is a mistake") {
    if (!model::finds_mutants()) return;
    CHECK(model::mistake_of_mutant<ending_while_known>(
              {"cell_store.hpp", "cache", model::operation::fence, __ATOMIC_ACQ_REL}) != "");
}

TEST_CASE("A table that grows with one weaker order is a mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::acquire;
    const auto mistake_of = [](const char* function, operation what, int to) {
        return model::mistake_of_mutant<inserting<2, 2, 1, 11>>({"insert_only_table.hpp", function, what, to});
    };
    CHECK(mistake_of("migrate", operation::compare_exchange, acquire) != "");
    // No new table publishes the entry here.
    const model::weakening insertion{"insert_only_table.hpp", "insert_into", operation::compare_exchange, acquire};
    CHECK(model::mistake_of_mutant<inserting<2, 4, 1, 11>>(insertion) != "");
}
