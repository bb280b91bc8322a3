// Texts that records refer to without a copy: each is found in its block, in whichever order, and a block with such a
// text is never used again.

#include "../catch.hpp"

#include <mpit/registry/text_blocks.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

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
