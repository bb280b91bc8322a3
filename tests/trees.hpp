// Trees that are made at run time, with names that are counted up, and indices of their own to register them in.
#pragma once

#include <mpit/module/publish_pending.hpp>
#include <mpit/mpit.hpp>
#include <mpit/registry/parent_categories.hpp>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

struct [[gnu::visibility("hidden")]] named_category : mpit::descriptor::category {
    explicit named_category(const char* called) : category{called, ""} {}
    named_category(category& inside, const char* called) : category{&inside, called, ""} {}
};

enum class colour { red = -5, green = 100 };
template <>
inline constexpr auto mpit::enumeration_of<colour> =
    mpit::enumerators<colour>("colour", {{"red", colour::red}, {"green", colour::green}});

// Counters and control variables with an enumeration, in two categories, under names that begin with a prefix.
struct [[gnu::visibility("hidden")]] large_tree {
    std::deque<std::string> texts;
    named_category root, shared;
    std::deque<mpit::counter<>> counters;
    std::deque<mpit::control<colour>> controls;

    large_tree(const std::string& prefix, int size, const char* inner = "shared")
        : root{keep(prefix)}, shared{root, inner} {
        for (int i = 0; i < size; i++) {
            counters.emplace_back(&root, name(prefix + "_counter_" + std::to_string(i)), keep(std::string(200, 'd')));
            controls.emplace_back(&shared, name(prefix + "_control_" + std::to_string(i)), "");
        }
    }
    const char* keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
    mpit::core::checked_name name(std::string text) { return keep(std::move(text)); }
};

inline std::vector<std::string> reports;
inline std::mutex reports_mutex;
inline void keep_report(const char* line) {
    const std::lock_guard guard{reports_mutex};
    reports.emplace_back(line);
}

inline bool has_report(const std::string& part) {
    for (const std::string& line : reports)
        if (line.find(part) != std::string::npos) return true;
    return false;
}

// An index beside the one of the process, to be filled under circumstances that the latter shall not suffer.
inline mpit::registry::process_registry& fresh_index() {
    auto* made =
        static_cast<mpit::registry::process_registry*>(mpit::core::pages(sizeof(mpit::registry::process_registry)));
    if (made == nullptr) std::abort();
    made->reports_to.store(&keep_report);
    return *made;
}

inline bool enter(mpit::registry::process_registry& in, mpit::descriptor::category& tree, const char* owner = "owner") {
    return mpit::registry::publish_now(in, tree, owner);
}

// The categories that a member knows, and those that know it.
inline std::vector<int> known_holders(const mpit::registry::process_registry& in,
                                      const mpit::registry::record& member) {
    const mpit::registry::parent_categories all{in, member};
    std::vector<int> numbers;
    for (auto each = all.begin(); each != all.end(); ++each) numbers.push_back(each.index());
    return numbers;
}
inline std::vector<int> listing_holders(const mpit::registry::process_registry& in,
                                        const mpit::registry::record& member) {
    std::vector<int> numbers;
    for (int i = 0; i < in.count(mpit::registry::kind::category); i++)
        if (in.category(i)->holds(member)) numbers.push_back(i);
    return numbers;
}

// How many members know categories of which `is_wrong(known, listing)` holds.
template <class IsWrong> int count_members(const mpit::registry::process_registry& in, const IsWrong& is_wrong) {
    using mpit::registry::kind;
    int wrong = 0;
    for (const kind of : {kind::category, kind::control, kind::performance})
        for (int i = 0, end = in.count(of); i < end; i++) {
            const std::vector<int> known = known_holders(in, *in.at(of, i)); // before the others, which may grow
            wrong += is_wrong(known, listing_holders(in, *in.at(of, i)));
        }
    return wrong;
}
// Those that do not know all that lists them, while nobody adds to the index.
inline int lost_members(const mpit::registry::process_registry& in) {
    return count_members(in, [](const auto& known, const auto& listing) { return known != listing; });
}
// Those that believe to be where they are not, at any time.
inline int misplaced_members(const mpit::registry::process_registry& in) {
    return count_members(in, [](const auto& known, const auto& listing) {
        return !std::includes(listing.begin(), listing.end(), known.begin(), known.end());
    });
}

// How much of an index contradicts itself: numbers with holes, names that lead elsewhere, members without a number.
inline int contradictions(const mpit::registry::process_registry& in) {
    using mpit::registry::kind;
    int found = 0;
    for (const kind of : {kind::category, kind::control, kind::performance, kind::enumeration})
        for (int i = 0, end = in.count(of); i < end; i++) {
            const mpit::registry::record* r = in.at(of, i);
            found += r == nullptr || r->index.load() != i || in.index_of(of, r->name, r->variable_class) != i;
            if (r == nullptr) continue;
            if (of == kind::control) {
                const auto* e = static_cast<const mpit::registry::variable_record*>(r)->enumeration;
                found += e != nullptr && in.at(kind::enumeration, e->index.load()) != e;
            }
            if (of != kind::category) continue;
            const auto& category = static_cast<const mpit::registry::category_record&>(*r);
            for (const kind inside : {kind::category, kind::control, kind::performance}) {
                std::vector<int> numbers(static_cast<std::size_t>(in.member_count(category, inside)), -1);
                in.members(category, inside, static_cast<int>(numbers.size()), numbers.data());
                for (const int number : numbers) found += in.at(inside, number) == nullptr;
            }
        }
    return found;
}
