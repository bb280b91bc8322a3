// SPDX-License-Identifier: BSD-3-Clause
// The line that registers a tree: when the program or the library is loaded, its control variables take their values
// from the environment, and a tool finds it.
//
//   inline constexpr auto& p2p = mpit::registered<p2p_variables>;
#pragma once

#include <mpit/descriptor/unique_names.hpp>
#include <mpit/module/the_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

// The linker prints this name under MPIT_SEPARATE_COMPILATION if no file has the functions: it is the type of a
// parameter of one.
struct one_file_includes_mpit_implementation_hpp {};

// Without memory the variables work for their author, and tools do not see them. (load.hpp)
[[gnu::cold]] void load_tree(process_registry* registry, descriptor::category& tree, text owner,
                             one_file_includes_mpit_implementation_hpp = {}) noexcept;

struct registration {
    registration(descriptor::category& tree, text owner) noexcept { load_tree(the_registry(), tree, owner); }
    registration(core::atomic<std::uint32_t>& is_registered, descriptor::category& tree, text owner) noexcept {
        if (is_registered.exchange(1) == 0) load_tree(the_registry(), tree, owner);
    }
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

} // namespace registry

// Initialised by a constructor of its own: g++ 12 would adopt the members of an aggregate twice.
// For the library's own use.
template <class Tree> struct held_tree {
    Tree tree;
    MPIT_MODULE_LOCAL constexpr held_tree() noexcept : tree{} { descriptor::check_names(tree); }
};

// Holds a tree, one in each shared object that names it. `extern template struct mpit::tree_holder<T>;` in a header,
// and one `template struct …` in a source file, keep it out of all objects but one. Hidden, because g++ makes one
// object of what several libraries call by one name, and never unloads it. Its members are for the library's own use.
template <class Tree> struct MPIT_MODULE_LOCAL tree_holder {
    static constinit held_tree<Tree> held;
    static const registry::registration registered;
};
template <class Tree> constinit held_tree<Tree> tree_holder<Tree>::held{};
template <class Tree>
const registry::registration tree_holder<Tree>::registered{held.tree, registry::name_of_type<Tree>()};

// The holder of a tree with a member that g++ has refused, of which it would otherwise complain once more.
// Its members are for the library's own use.
template <class Tree>
    requires(!__is_constructible(Tree))
struct MPIT_MODULE_LOCAL tree_holder<Tree> {
    static_assert(sizeof(Tree{}) != 0); // an error where there is another reason
    static held_tree<Tree> held;
    static const registry::registration registered;
};

// A tree that several shared objects use: `extern mpit::shared_tree<T> my_tree;` in a header, exported as any other
// object of a library, and `constinit mpit::shared_tree<T> my_tree;` in one file of the library. Its members are for
// the library's own use.
template <class Tree> struct shared_tree : held_tree<Tree> {
    MPIT_MODULE_LOCAL constexpr shared_tree() noexcept {}
    core::atomic<std::uint32_t> is_registered{0};
};

namespace MPIT_MODULE_LOCAL registry {

// The part that stays in every object that names a tree: it takes the holder out of an archive, and if no object has
// the holder the linker says so. It is not a constant, because a program at a fixed address would then copy the holder
// out of its library.
template <class Tree>
[[gnu::used, gnu::retain]] inline constinit const registration* registration_of = &tree_holder<Tree>::registered;

// The first shared object that names a shared tree registers it. That is the one that has it, since others are
// initialised later.
template <auto& Tree> struct shared_registration {
    static const registration value;
};
template <class Tree> constexpr text name_of_shared(shared_tree<Tree>&) { return name_of_type<Tree>(); }
template <auto& Tree>
const registration shared_registration<Tree>::value{Tree.is_registered, Tree.tree, name_of_shared(Tree)};
template <auto& Tree>
[[gnu::used, gnu::retain]] inline constinit const registration* registration_of_shared =
    &shared_registration<Tree>::value;

// Every shared object that names a tree discovers the registry when it is loaded, also if another one has the tree. A
// template, so that files which name no tree have no code of it.
template <class> struct [[gnu::visibility("hidden")]] module_start {
    static process_registry* const registry;
};
template <class T> process_registry* const module_start<T>::registry = the_registry();

// The same for every tree, and not known before there is one: an include alone starts nothing.
template <class Tree> struct start_of_module {
    using type = module_start<void>;
};

// Naming what happens when a program or a library is loaded makes the compiler keep it.
template <class Tree>
constexpr Tree& tree_with(held_tree<Tree>& held, const registration* const*, process_registry* const*) {
    return held.tree;
}

} // namespace registry

// The one object of a tree of categories. Naming it registers it when the program or library is loaded. Without memory
// its variables work for their author, and tools do not see them, which is reported.
template <class Tree>
inline constexpr Tree& registered = registry::tree_with(tree_holder<Tree>::held, &registry::registration_of<Tree>,
                                                        &registry::start_of_module<Tree>::type::registry);

// The tree of a shared object that every other one with this header uses as well:
// `inline constexpr auto& mine = mpit::shared<my_tree>;` behind its `extern` declaration.
template <auto& Tree>
inline constexpr auto& shared = registry::tree_with(Tree, &registry::registration_of_shared<Tree>,
                                                    &registry::start_of_module<decltype(Tree)>::type::registry);

} // namespace mpit
