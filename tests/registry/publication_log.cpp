// The log: numbers without holes in the order of the entries, members in the same order, and one count of all changes,
// whoever publishes and whoever looks.
#include "../catch.hpp"

#include <mpit/registry/publication_log.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>
#include <vector>

using namespace mpit::registry;

namespace {

// What a tree would add, made by hand.
class entry {
public:
    entry() = default;
    explicit entry(std::vector<record*> records) {
        for (record* r : records) add(*r);
    }
    void add(record& r) { records_[static_cast<int>(r.item_kind)].push_back(&r); }
    void join(category_record& into, record& member) { join(into, std::vector<record*>{&member}); }
    void join(category_record& into, std::vector<record*> added) {
        const std::vector<record*>& kept = members_.emplace_back(std::move(added));
        membership& m = memberships_.emplace_back();
        m.parent = &into;
        m.item_kind = kept[0]->item_kind;
        m.members = kept.data();
        m.count = static_cast<std::uint32_t>(kept.size());
        *end_of_memberships_ = &m;
        end_of_memberships_ = &m.next_in_entry;
    }
    bool publish(publication_log& in) {
        for (int k = 0; k < kind_count; k++) {
            entry_.parts[k].records = records_[k].data();
            entry_.parts[k].count = static_cast<std::uint32_t>(records_[k].size());
        }
        return in.publish(entry_);
    }

private:
    log_entry entry_;
    membership** end_of_memberships_ = &entry_.first_membership;
    std::vector<record*> records_[kind_count];
    std::deque<std::vector<record*>> members_;
    std::deque<membership> memberships_;
};

template <class Record, kind Of> struct of_kind : Record {
    of_kind() { this->item_kind = Of; }
};
using a_category = of_kind<category_record, kind::category>;
using a_control = of_kind<variable_record, kind::control>;
using a_counter = of_kind<variable_record, kind::performance>;

std::vector<const record*> members(const category_record& of, kind k) {
    std::vector<const record*> all;
    for (const membership* m = of.members[static_cast<int>(k)].load(); m != nullptr; m = m->next.load())
        all.insert(all.end(), m->members, m->members + m->count);
    return all;
}

// How many numbers below the count are not the number of the record at that place.
int misnumbered(const publication_log& in, kind k) {
    int wrong = 0;
    for (int i = 0, end = in.count(k); i < end; i++) wrong += in.at(k, i) == nullptr || in.at(k, i)->index.load() != i;
    return wrong;
}

} // namespace

TEST_CASE("Records get consecutive indices in the order of the entries, separately for each kind") {
    publication_log log;
    a_control c[3];
    a_counter p[2];
    CHECK(c[0].index.load() == -1);
    CHECK(log.count(kind::control) == 0);
    entry first{{&c[0], &p[0], &c[1]}}, second{{&p[1], &c[2]}};
    CHECK(first.publish(log));
    CHECK(second.publish(log));
    for (int i = 0; i < 3; i++) CHECK(c[i].index.load() == i);
    for (int i = 0; i < 2; i++) CHECK(p[i].index.load() == i);
    CHECK(log.count(kind::control) == 3);
    CHECK(log.count(kind::performance) == 2);
    CHECK(log.count(kind::category) == 0);
    CHECK(misnumbered(log, kind::control) + misnumbered(log, kind::performance) == 0);
}

TEST_CASE("A record of two entries has the index of the first one") {
    publication_log log;
    a_category x, y, z;
    entry first{{&x, &y}}, second{{&y, &z, &y}};
    CHECK(second.publish(log));
    CHECK(log.updates() == 2);
    CHECK(first.publish(log));
    CHECK(y.index.load() == 0);
    CHECK(z.index.load() == 1);
    CHECK(x.index.load() == 2);
    CHECK(log.count(kind::category) == 3);
    CHECK(misnumbered(log, kind::category) == 0);
    CHECK(log.updates() == 3);
}

TEST_CASE("A category keeps its members in the order of the entries") {
    publication_log log;
    a_category c;
    a_counter p[4];
    entry first{{&c, &p[0], &p[1]}}, second{{&p[2], &p[3]}};
    first.join(c, {&p[1], &p[0]});
    second.join(c, {&p[2]});
    second.join(c, {&p[3]});
    CHECK(first.publish(log));
    CHECK(second.publish(log));
    CHECK(members(c, kind::performance) == std::vector<const record*>{&p[1], &p[0], &p[2], &p[3]});
    CHECK(members(c, kind::control).empty());
}

TEST_CASE("Every new category and every new member is one change, and nothing else is a change") {
    publication_log log;
    CHECK(log.updates() == 0);
    a_category parent, child;
    a_control loose, joined[2];
    entry nothing, alone{{&loose}}, tree{{&parent, &child, &joined[0], &joined[1]}}, again;
    CHECK(nothing.publish(log));
    CHECK(alone.publish(log));
    CHECK(log.updates() == 0);
    tree.join(parent, {&joined[0], &joined[1]});
    tree.join(parent, child);
    CHECK(tree.publish(log));
    CHECK(log.updates() == 5);
    again.join(parent, child);
    CHECK(again.publish(log));
    CHECK(log.updates() == 5);
    log.add_updates(1000);
    CHECK(log.updates() == 1005);
}

TEST_CASE("A category is never a member twice, nor of itself, nor of what it contains") {
    publication_log log;
    a_category a, b, c;
    entry tree{{&a, &b, &c}}, wrong;
    tree.join(a, b);
    tree.join(b, c);
    REQUIRE(tree.publish(log));
    const std::int64_t before = log.updates();
    wrong.join(a, b);
    wrong.join(a, a);
    wrong.join(b, a);
    wrong.join(c, a);
    wrong.join(c, b);
    REQUIRE(wrong.publish(log));
    CHECK(members(a, kind::category) == std::vector<const record*>{&b});
    CHECK(members(b, kind::category) == std::vector<const record*>{&c});
    CHECK(members(c, kind::category).empty());
    CHECK(log.updates() == before);

    entry diamond;
    diamond.join(a, c);
    REQUIRE(diamond.publish(log));
    CHECK(members(a, kind::category) == std::vector<const record*>{&b, &c});
}

TEST_CASE("While four threads publish, every index below the count has its record, and afterwards none is missing") {
    constexpr int publishers = 4, entries = 300, size = 3;
    publication_log log;
    a_category shared;
    entry first{{&shared}};
    REQUIRE(first.publish(log));
    std::deque<a_counter> records[publishers];
    std::deque<entry> batches[publishers];
    for (int p = 0; p < publishers; p++)
        for (int e = 0; e < entries; e++) {
            std::vector<record*> added;
            for (int i = 0; i < size; i++) added.push_back(&records[p].emplace_back());
            batches[p].emplace_back(added).join(shared, added);
        }

    std::atomic<int> running{publishers};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int p = 0; p < publishers; p++)
        threads.emplace_back([&, p] {
            for (entry& e : batches[p]) wrong += !e.publish(log);
            running--;
        });
    std::int64_t updates = 0;
    while (running > 0) {
        wrong += misnumbered(log, kind::performance);
        const std::int64_t now = log.updates();
        wrong += now < updates || (now - 1) % size != 0;
        updates = now;
        wrong += static_cast<std::int64_t>(members(shared, kind::performance).size()) < updates - 1;
    }
    for (std::thread& t : threads) t.join();

    CHECK(wrong == 0);
    CHECK(log.count(kind::performance) == publishers * entries * size);
    CHECK(misnumbered(log, kind::performance) == 0);
    CHECK(log.updates() == 1 + publishers * entries * size);
    int torn = 0;
    for (const auto& own : records)
        for (std::size_t i = 0; i < own.size(); i++)
            torn += i % size != 0 && own[i].index.load() != own[i - 1].index.load() + 1;
    CHECK(torn == 0);
    std::vector<const record*> listed = members(shared, kind::performance);
    CHECK(listed.size() == static_cast<std::size_t>(publishers * entries * size));
    CHECK(std::is_sorted(listed.begin(), listed.end(),
                         [](const record* a, const record* b) { return a->index.load() < b->index.load(); }));
}

TEST_CASE("Without memory a publication fails and returns, and the next reader completes it") {
    for (int allowed : {0, 1}) {
        publication_log log;
        a_category c[3];
        entry first{{&c[0]}}, second{{&c[1]}}, third{{&c[2]}};
        mpit::core::allocations_left.store(allowed);
        const bool published = first.publish(log), published_too = second.publish(log);
        const std::int64_t updates = log.updates();
        mpit::core::allocations_left.store(-1);
        CHECK_FALSE(published);
        CHECK_FALSE(published_too);
        CHECK(updates == 0);
        CHECK(log.count(kind::category) == 0);
        CHECK(log.updates() == allowed); // the first entry came into the log where that one allocation was allowed
        CHECK(log.count(kind::category) == allowed);
        CHECK(third.publish(log));
        CHECK(c[2].index.load() == allowed);
        CHECK(misnumbered(log, kind::category) == 0);
    }
}
