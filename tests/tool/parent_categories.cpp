// A reader in C++ asks for the categories of a variable, with and without a tool of the standard.
#include "../catch.hpp"

#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>

#include <string>
#include <vector>

namespace {

struct pipe_variables : mpit::category<"pipe", "A pipe"> {
    mpit::control<int> limit{this, "PIPE_LIMIT", "Most bytes"};
    struct : mpit::category<"pipe_inside", "Its inside"> {
        mpit::level<unsigned long> level{this, "PIPE_LIMIT", "Bytes in it"};
        mpit::counter<> counter{this, "PIPE_LIMIT", "Bytes that came"};
    } inside{this};
};
[[maybe_unused]] constexpr auto& pipe = mpit::registered<pipe_variables>;

std::vector<std::string> all_of(const mpit::registry::parent_categories& categories) {
    std::vector<std::string> names;
    for (const mpit::core::text name : categories) names.emplace_back(name.characters);
    return names;
}
using names = std::vector<std::string>;

} // namespace

TEST_CASE("A variable has its own category, even if other entries have its name", "[TAXON-03]") {
    using mpit::tool::categories_of;
    CHECK(all_of(categories_of("PIPE_LIMIT")) == names{"pipe"});
    CHECK(all_of(categories_of(mpit::performance_class::level, "PIPE_LIMIT")) == names{"pipe_inside"});
    CHECK(all_of(categories_of(mpit::performance_class::counter, "PIPE_LIMIT")) == names{"pipe_inside"});
    CHECK(all_of(categories_of(mpit::descriptor::kind::category, "pipe_inside")) == names{"pipe"});
}

TEST_CASE("A name that the registry does not have is in no category", "[TAXON-03]") {
    using mpit::tool::categories_of;
    CHECK(all_of(categories_of("PIPE_LIMI")).empty());
    CHECK(all_of(categories_of(nullptr)).empty());
    CHECK(all_of(categories_of(mpit::performance_class::timer, "PIPE_LIMIT")).empty());
    CHECK(all_of(categories_of(mpit::descriptor::kind::category, "pipe")).empty());
}
