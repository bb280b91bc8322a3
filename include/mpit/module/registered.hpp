// SPDX-License-Identifier: BSD-3-Clause
// Registers a declared tree of variables. When the program or library is loaded, the control variables of the tree get
// values from the environment, and the tree becomes visible to tools.
//
//   inline constexpr auto& p2p = mpit::registered<p2p_variables>;
#pragma once

#include <mpit/descriptor/unique_names.hpp>
#include <mpit/module/the_registry.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

// If no file defines load_tree() under MPIT_SEPARATE_COMPILATION, the linker prints the name of this parameter type.
// The name of the type tells the user which #include is missing.
struct one_file_includes_mpit_implementation_hpp {};

// Loads a tree of variables, which tools see later (load.hpp). If memory is exhausted, the variables work for their
// library and are invisible to tools.
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

// Holds a tree of variables. The class has a constructor, because g++ 12 would add the members of an aggregate to the
// tree twice. For the library's own use.
template <class Tree> struct held_tree {
    Tree tree;
    MPIT_MODULE_LOCAL constexpr held_tree() noexcept : tree{} { descriptor::check_names(tree); }
};

// Holds a tree of variables. Each shared object that names the tree has a holder of its own. To compile the holder only
// once, declare `extern template struct mpit::tree_holder<T>;` in a header and `template struct mpit::tree_holder<T>;`
// in one source file. The class has hidden visibility, because g++ would otherwise merge the holders of several
// libraries and the loader would never unload the libraries. The members are for the library's own use.
template <class Tree> struct MPIT_MODULE_LOCAL tree_holder {
    static constinit held_tree<Tree> held;
    static const registry::registration registered;
};
template <class Tree> constinit held_tree<Tree> tree_holder<Tree>::held{};
template <class Tree>
const registry::registration tree_holder<Tree>::registered{held.tree, registry::name_of_type<Tree>()};

// The holder of a tree whose declaration g++ has rejected. The specialization avoids a second error message. The
// members are for the library's own use.
template <class Tree>
    requires(!__is_constructible(Tree))
struct MPIT_MODULE_LOCAL tree_holder<Tree> {
    static_assert(sizeof(Tree{}) != 0); // an error if the tree is not constructible for another reason
    static held_tree<Tree> held;
    static const registry::registration registered;
};

// A tree of variables that several shared objects use. Declare `extern mpit::shared_tree<T> my_tree;` in a header, and
// define `constinit mpit::shared_tree<T> my_tree;` in one source file. The tree is exported like any object of a
// library. The members are for the library's own use.
template <class Tree> struct shared_tree : held_tree<Tree> {
    MPIT_MODULE_LOCAL constexpr shared_tree() noexcept {}
    core::atomic<std::uint32_t> is_registered{0};
};

namespace MPIT_MODULE_LOCAL registry {

// Every object file that names a tree has this pointer to the registration of the tree. The pointer makes the linker
// extract the tree's holder from an archive, or report that the holder is missing. The pointer is not constant, because
// a constant would cause a copy relocation of the holder in a program that is linked at a fixed address.
template <class Tree>
[[gnu::used, gnu::retain]] inline constinit const registration* registration_of = &tree_holder<Tree>::registered;

// Registers a shared tree from the shared object that is initialized first. The shared object that defines the tree is
// initialized first, because the other shared objects depend on it.
template <auto& Tree> struct shared_registration {
    static const registration value;
};
template <class Tree> constexpr text name_of_shared(shared_tree<Tree>&) { return name_of_type<Tree>(); }
template <auto& Tree>
const registration shared_registration<Tree>::value{Tree.is_registered, Tree.tree, name_of_shared(Tree)};
template <auto& Tree>
[[gnu::used, gnu::retain]] inline constinit const registration* registration_of_shared =
    &shared_registration<Tree>::value;

// Makes every shared object that names a tree find the registry at load, even if another shared object holds the tree.
// The class is a template, so that source files without a tree contain none of this code.
template <class> struct [[gnu::visibility("hidden")]] module_start {
    static process_registry* const registry;
};
template <class T> process_registry* const module_start<T>::registry = the_registry();

// `type` is module_start<void> for every tree, but depends on `Tree`, so that an include alone instantiates nothing.
template <class Tree> struct start_of_module {
    using type = module_start<void>;
};

// Returns the tree in a holder. The pointer parameters make the compiler keep the initializers that run at load.
template <class Tree>
constexpr Tree& tree_with(held_tree<Tree>& holder, const registration* const*, process_registry* const*) {
    return holder.tree;
}

} // namespace registry

// mpit::registered<Tree> is the only object of the tree type `Tree`. If code uses mpit::registered<Tree>, the tree is
// registered when the program or library is loaded. If memory is exhausted, mpit makes a report, and the variables work
// for their library but are invisible to tools.
template <class Tree>
inline constexpr Tree& registered = registry::tree_with(tree_holder<Tree>::held, &registry::registration_of<Tree>,
                                                        &registry::start_of_module<Tree>::type::registry);

// A tree of variables that one shared object defines and other shared objects use, too. Write `inline constexpr auto&
// mine = mpit::shared<my_tree>;` after the `extern` declaration of the tree.
template <auto& Tree>
inline constexpr auto& shared = registry::tree_with(Tree, &registry::registration_of_shared<Tree>,
                                                    &registry::start_of_module<decltype(Tree)>::type::registry);

} // namespace mpit
