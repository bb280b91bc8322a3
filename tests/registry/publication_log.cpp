// The log: numbers without holes in the order of the entries, members in the same order, and one count of all
// changes, whoever publishes and whoever looks. The blocks of texts that records refer to without a copy: each is
// found, and a block with such a text is never used again.
#include "../catch.hpp"

#include <mpit/registry/publication_log.hpp>
#include <mpit/registry/text_blocks.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>
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

TEST_CASE("A record of two entries has the index of the first one") {
    publication_log log;
    a_category x, y, z;
    CHECK(x.index.load() == -1);
    CHECK(log.count(kind::category) == 0);
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

namespace {

using mpit::core::text;
using mpit::registry::text_blocks;

struct kept_texts {
    std::unique_ptr<mpit::registry::process_registry> registry = std::make_unique<mpit::registry::process_registry>();
    text_blocks blocks;
    std::vector<text> all;

    ~kept_texts() { registry->memory.release_all(); }
    static std::string text_of(std::size_t number) {
        return std::to_string(number) + std::string(number * 7 % 90, 'x');
    }
    void keep(std::size_t count) {
        for (std::size_t i = 0; i < count; i++) {
            const std::string source = text_of(all.size());
            all.push_back(blocks.keep(*registry, {source.c_str(), static_cast<std::uint32_t>(source.size())}));
            REQUIRE(all.back().characters != nullptr);
        }
    }
    int missing() {
        return static_cast<int>(
            std::count_if(all.begin(), all.end(), [&](const text& each) { return !blocks.take(each.characters); }));
    }
    int changed() const {
        int count = 0;
        for (std::size_t i = 0; i < all.size(); i++)
            count += text_of(i) != std::string{all[i].characters, all[i].length};
        return count;
    }
};

} // namespace

TEST_CASE("A text is found in its block in the order in which texts were kept, backwards and in any order, and others "
          "are not") {
    kept_texts of;
    const char elsewhere[] = "elsewhere";
    CHECK_FALSE(of.blocks.take(elsewhere));
    of.keep(20'000);
    CHECK(of.missing() == 0);
    CHECK_FALSE(of.blocks.take(elsewhere));
    CHECK(of.changed() == 0);
    std::reverse(of.all.begin(), of.all.end());
    CHECK(of.missing() == 0);
    std::shuffle(of.all.begin(), of.all.end(), std::minstd_rand{5});
    CHECK(of.missing() == 0);
    CHECK_FALSE(of.blocks.take(elsewhere));
}

TEST_CASE("The blocks of a round that no record refers to are used again, and a text that was taken stays") {
    kept_texts of;
    of.keep(3'000);
    const std::size_t taken = 1'500;
    CHECK(of.blocks.take(of.all[taken].characters));
    const std::vector<text> before = of.all;
    of.blocks.release(*of.registry);
    of.all.clear();
    of.keep(3'000);
    CHECK(of.changed() == 0);
    CHECK(kept_texts::text_of(taken) == before[taken].characters);
    // The first blocks were small, so that a later one of their size finds them.
    const bool is_used_again = std::any_of(of.all.begin(), of.all.end(), [&](const text& each) {
        return std::any_of(before.begin(), before.end(),
                           [&](const text& old) { return old.characters == each.characters; });
    });
    CHECK(is_used_again);
}

TEST_CASE("What was kept last is forgotten, and its place is used by the next one") {
    kept_texts of;
    of.keep(100);
    const text_blocks::position here = of.blocks.present();
    const text forgotten = of.blocks.keep(*of.registry, {"forgotten", 9});
    of.blocks.go_back(here);
    const text next = of.blocks.keep(*of.registry, {"next", 4});
    CHECK(next.characters == forgotten.characters);
    of.blocks.shorten(*of.registry);
    CHECK(of.changed() == 0);
}
