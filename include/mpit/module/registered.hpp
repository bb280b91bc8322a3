// SPDX-License-Identifier: BSD-3-Clause
// The declaration that registers a tree: when the program or the library is loaded, its control variables take their
// values from the environment, and it becomes visible to tools.
//
//   inline constexpr auto& p2p = mpit::registered<p2p_variables>;
#pragma once

#include <mpit/descriptor/unique_names.hpp>
#include <mpit/module/the_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

// A parameter of load_tree() whose name the linker prints if no file has the functions under MPIT_SEPARATE_COMPILATION.
struct one_file_includes_mpit_implementation_hpp {};

// Makes a tree pending. If memory is exhausted, its variables work for their author, invisible to tools. (load.hpp)
[[gnu::cold]] void load_tree(process_registry* registry, descriptor::category& tree, text owner,
                             one_file_includes_mpit_implementation_hpp = {}) noexcept;

struct registration {
    registration(descriptor::category& tree, text owner) noexcept { load_tree(the_registry(), tree, owner); }
    registration(core::atomic<std::uint32_t>& is_registered, descriptor::category& tree, text owner) noexcept {
        if (is_registered.exchange(1) == 0) load_tree(the_registry(), tree, owner);
    }
};

template <class Tree> constexpr text name_of_type() {
    constexpr text signature = __PRETTY_FUNCTION__;
    std::uint32_t begin = 0, end = signature.length;
    while (signature.characters[begin] != '=') begin++;
    while (signature.characters[end - 1] != ']') end--;
    for (std::uint32_t i = begin; i < end; i++)
        if (signature.characters[i] == ';') end = i + 1;
    return {signature.characters + begin + 2, end - begin - 3};
}

} // namespace registry

// Has a constructor, because g++ 12 would adopt the members of an aggregate twice. For the library's own use.
template <class Tree> struct held_tree {
    Tree tree;
    MPIT_MODULE_LOCAL constexpr held_tree() noexcept : tree{} { descriptor::check_names(tree); }
};

// Holds a tree: one object in each shared object that names it. `extern template struct mpit::tree_holder<T>;` in a
// header, and one `template struct …` in a source file, keep it out of all object files but one. Hidden, because g++
// would merge those of several libraries, and never unload them. Its members are for the library's own use.
template <class Tree> struct MPIT_MODULE_LOCAL tree_holder {
    static constinit held_tree<Tree> held;
    static const registry::registration registered;
};
template <class Tree> constinit held_tree<Tree> tree_holder<Tree>::held{};
template <class Tree>
const registry::registration tree_holder<Tree>::registered{held.tree, registry::name_of_type<Tree>()};

// The holder of a tree that g++ has rejected: it avoids a second error. Its members are for the library's own use.
template <class Tree>
    requires(!__is_constructible(Tree))
struct MPIT_MODULE_LOCAL tree_holder<Tree> {
    static_assert(sizeof(Tree{}) != 0); // an error if the tree is not constructible for another reason
    static held_tree<Tree> held;
    static const registry::registration registered;
};

// A tree that several shared objects use: `extern mpit::shared_tree<T> my_tree;` in a header, exported like any object
// of a library, and `constinit mpit::shared_tree<T> my_tree;` in one file. Its members are for the library's own use.
template <class Tree> struct shared_tree : held_tree<Tree> {
    MPIT_MODULE_LOCAL constexpr shared_tree() noexcept {}
    core::atomic<std::uint32_t> is_registered{0};
};

namespace MPIT_MODULE_LOCAL registry {

// A pointer in every object file that names a tree: it makes the linker extract the holder from an archive, or report
// that it is missing. Not a constant: a program at a fixed address would then get a copy relocation of the holder.
template <class Tree>
[[gnu::used, gnu::retain]] inline constinit const registration* registration_of = &tree_holder<Tree>::registered;

// The first initialized shared object registers a shared tree: the one that defines it, since others depend on that.
template <auto& Tree> struct shared_registration {
    static const registration value;
};
template <class Tree> constexpr text name_of_shared(shared_tree<Tree>&) { return name_of_type<Tree>(); }
template <auto& Tree>
const registration shared_registration<Tree>::value{Tree.is_registered, Tree.tree, name_of_shared(Tree)};
template <auto& Tree>
[[gnu::used, gnu::retain]] inline constinit const registration* registration_of_shared =
    &shared_registration<Tree>::value;

// Makes every shared object that names a tree find the registry when it is loaded, also if another one has the tree. A
// template, so that source files that name no tree contain none of its code.
template <class> struct [[gnu::visibility("hidden")]] module_start {
    static process_registry* const registry;
};
template <class T> process_registry* const module_start<T>::registry = the_registry();

// Names module_start<void> for every tree. It depends on the tree, so that an include alone instantiates nothing.
template <class Tree> struct start_of_module {
    using type = module_start<void>;
};

// Its arguments name the initializers that run at load, so that the compiler keeps them.
template <class Tree>
constexpr Tree& tree_with(held_tree<Tree>& holder, const registration* const*, process_registry* const*) {
    return holder.tree;
}

} // namespace registry

// The one object of a tree of categories. Naming it registers the tree when the program or library is loaded. If memory
// is exhausted, its variables work for their author but are invisible to tools, which is reported.
template <class Tree>
inline constexpr Tree& registered = registry::tree_with(tree_holder<Tree>::held, &registry::registration_of<Tree>,
                                                        &registry::start_of_module<Tree>::type::registry);

// The tree of a shared object that every other one with this header uses as well:
// `inline constexpr auto& mine = mpit::shared<my_tree>;` after its `extern` declaration.
template <auto& Tree>
inline constexpr auto& shared = registry::tree_with(Tree, &registry::registration_of_shared<Tree>,
                                                    &registry::start_of_module<decltype(Tree)>::type::registry);

} // namespace mpit
