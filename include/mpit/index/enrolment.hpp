// Enrolment: when a program or a library is loaded, its trees enter the index; when a library is unloaded, its variables
// become inactive and keep their numbers and names, and they come back when it is loaded again.
//
//   inline constexpr auto& p2p = mpit::enrolled<p2p_variables>;
#pragma once

#include <mpit/declare/announce.hpp>
#include <mpit/declare/looking.hpp>
#include <mpit/index/forking.hpp>
#include <mpit/index/tree_entry.hpp>
#include <mpit/index/unloading.hpp>

namespace mpit::inline v0_1 {
namespace index {

// Makes the variables of a tree inactive; their records stay.
inline void withdraw(process_index& index, describe::category& in) noexcept {
    describe::for_each_item(in, [&](describe::item& each) {
        record* there = index.find(each.of, each.name, each.in);
        if (there == nullptr) return;
        if (each.of == kind::source) {
            static_cast<source_record*>(there)->live.replace(static_cast<describe::source*>(&each), nullptr);
            return;
        }
        auto& known = static_cast<variable_record&>(*there);
        if (known.claimed.load() != &each) return;
        known.live.store(nullptr, base::sequential);
        known.incarnation.fetch_add(1);
        known.claimed.store(nullptr);
    });
    index.withdrawals.fetch_add(1); // at last, so that who sees the number sees what has gone
}

// Runs when the shared object of a tree is unloaded by dlclose().
MPIT_MODULE_LOCAL inline void withdraw_tree(void* of_this_module) noexcept {
    auto& tree = *static_cast<describe::category*>(of_this_module);
    process_index* index = the_index();
    if (index == nullptr) return;
    withdraw(*index, tree);
    if (declare::wait_for_those_who_look(index->lanes))
        declare::announce(tree, binding::none, 0, describe::announcement::unloaded);
    else
        report(index->reports_to.load(),
               "a thread has looked at variables for a second while %s, which has %s, is being unloaded",
               name_of_module, tree.name.characters);
}

// Who declares something, with the shared object that it is in, for reports.
class place_of {
public:
    MPIT_MODULE_LOCAL [[gnu::cold]] explicit place_of(text owner) noexcept : place_{owner} {
        const bool is_in_program = *name_of_module == '\0';
        const int length = std::snprintf(room_, sizeof room_, "%.*s in %s", static_cast<int>(owner.length),
                                         owner.characters, is_in_program ? "the program" : name_of_module);
        if (length > 0) place_ = {room_, static_cast<std::uint32_t>(length < 600 ? length : 599)};
    }
    place_of(const place_of&) = delete;
    operator text() const noexcept { return place_; }

private:
    text place_;
    char room_[600];
};

MPIT_MODULE_LOCAL [[gnu::cold]] inline void enrol(describe::category& tree, text owner) noexcept {
    process_index* index = the_index();
    const place_of place{owner};
    // A tree that enters in part has to be withdrawn as well.
    if (index == nullptr || !at_unloading(*index, &withdraw_tree, &tree) || !tree_entry{*index, tree, place}.enter())
        report(index == nullptr ? nullptr : index->reports_to.load(), "no memory to enrol all variables of %s",
               text{place}.characters);
}

struct enrolment {
    MPIT_MODULE_LOCAL enrolment(describe::category& tree, text owner) noexcept { enrol(tree, owner); }
};

template <class Tree> constexpr text name_of_type() {
    constexpr text all = __PRETTY_FUNCTION__;
    std::uint32_t begin = 0, end = all.length;
    while (all.characters[begin] != '=') begin++;
    while (all.characters[end - 1] != ']') end--;
    for (std::uint32_t i = begin; i < end; i++)
        if (all.characters[i] == ';') end = i + 1;
    return {all.characters + begin + 2, end - begin - 3};
}

} // namespace index

// Holds a tree. `extern template struct mpit::tree_holder<T>;` in a header, and one `template struct …` in a source file,
// keep it out of all objects but one.
template <class Tree> struct tree_holder {
    // Initialised by a constructor of its own: g++ 12 would adopt the members of an aggregate twice.
    struct holder {
        Tree tree;
        constexpr holder() noexcept : tree{} {}
    };
    static constinit holder held;
    static const index::enrolment enrolled;
};
template <class Tree> constinit typename tree_holder<Tree>::holder tree_holder<Tree>::held{};
template <class Tree> const index::enrolment tree_holder<Tree>::enrolled{held.tree, index::name_of_type<Tree>()};

namespace index {

// What stays in every object that names a tree: it takes the holder out of an archive, and where nobody has the holder the
// linker says so. It is no constant, because a program at a fixed address would then copy the holder out of its library.
template <class Tree>
MPIT_MODULE_LOCAL [[gnu::used, gnu::retain]] inline constinit const enrolment* enrolment_of =
    &tree_holder<Tree>::enrolled;

// The same for every tree, and not known before there is one: an include alone starts nothing.
template <class Tree> struct start_of_module { using type = module_start<void>; };

// Naming what happens when a program or a library is loaded makes the compiler keep it.
template <class Tree> constexpr Tree& tree_with(const enrolment* const*, process_index* const*) {
    return tree_holder<Tree>::held.tree;
}

} // namespace index

// The one object of a tree of categories. Naming it enrols it when the program or library is loaded.
template <class Tree>
inline constexpr Tree& enrolled = index::tree_with<Tree>(&index::enrolment_of<Tree>,
                                                         &index::start_of_module<Tree>::type::index);

} // namespace mpit
