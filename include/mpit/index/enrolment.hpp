// Enrolment: when a program or a library is loaded, its trees enter the index; when a library is unloaded, its variables
// become inactive and keep their numbers and names, and they come back when it is loaded again.
//
//   inline constexpr auto& p2p = mpit::enrolled<p2p_variables>;
#pragma once

#include <mpit/index/tree_entry.hpp>

extern "C" {
int __cxa_atexit(void (*function)(void*), void* argument, void* shared_object);
extern void* __dso_handle [[gnu::visibility("hidden")]];
}

namespace mpit {
namespace index {

// Makes the variables of a tree inactive; their records stay.
inline void withdraw(process_index& index, describe::category& in) noexcept {
    for (describe::item* at = in.first; at != nullptr; at = at->next) {
        if (at->of == kind::category) {
            withdraw(index, static_cast<describe::category&>(*at));
            continue;
        }
        record* there = index.find(at->of, at->name, at->in);
        if (at->of == kind::source) {
            if (there != nullptr) static_cast<source_record*>(there)->live.replace(static_cast<describe::source*>(at), nullptr);
            continue;
        }
        auto* known = static_cast<variable_record*>(there);
        auto& variable = static_cast<describe::variable&>(*at);
        if (known != nullptr && known->live.replace(&variable, nullptr)) known->incarnation.fetch_add(1);
    }
}

// Runs when the shared object of a tree is unloaded, and at exit. At exit everything stays usable to the very end.
MPIT_MODULE_LOCAL inline void withdraw_unless_exiting(void* tree) noexcept {
    process_index* index = the_index();
    int exiting = 0;
    if (index == nullptr || (sem_getvalue(&index->exit_has_begun, &exiting) == 0 && exiting > 0)) return;
    withdraw(*index, *static_cast<describe::category*>(tree));
}

MPIT_MODULE_LOCAL [[gnu::cold]] inline void enrol(describe::category& tree, text owner) noexcept {
    process_index* index = the_index();
    if (index == nullptr || !tree_entry{*index, tree, owner}.enter())
        report(index == nullptr ? nullptr : index->reports_to.load(), "no memory to enrol all variables of %.*s",
               static_cast<int>(owner.length), owner.characters);
    if (index == nullptr) return;
    __cxa_atexit(&withdraw_unless_exiting, &tree, &__dso_handle);
    // Registered later, so exit() runs it earlier; bound to what is no shared object, so dlclose() never runs it. It is a
    // function of the C library, because code of this shared object may be gone by then.
    __cxa_atexit(reinterpret_cast<void (*)(void*)>(reinterpret_cast<void*>(&sem_post)), &index->exit_has_begun, index);
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
// Naming the enrolment makes the compiler keep it.
template <class Tree> constexpr Tree& tree_with(const enrolment*) {
    return tree_holder<Tree>::held.tree;
}
} // namespace index

// The one object of a tree of categories. Using it enrols it when the program or library is loaded.
template <class Tree> inline constexpr Tree& enrolled = index::tree_with<Tree>(&tree_holder<Tree>::enrolled);

} // namespace mpit
