// SPDX-License-Identifier: BSD-3-Clause
// Registers a declared tree of variables. When the program or library is loaded, the control variables of the tree read
// values from the environment, and the tree becomes visible to tools.
//
//   inline constexpr auto& p2p = mpit::registered<p2p_variables>;
#pragma once

#include <mpit/descriptor/unique_names.hpp>
#include <mpit/module/the_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

// A parameter type of load_tree(), whose name the linker prints if no file has the functions under
// MPIT_SEPARATE_COMPILATION.
struct one_file_includes_mpit_implementation_hpp {};

// Makes a tree pending. If memory is exhausted, the variables of the tree work for their library and are invisible to
// tools. (load.hpp)
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

// Holds a tree. The class has a constructor, because g++ 12 would adopt the members of an aggregate twice. For the
// library's own use.
template <class Tree> struct held_tree {
    Tree tree;
    MPIT_MODULE_LOCAL constexpr held_tree() noexcept : tree{} { descriptor::check_names(tree); }
};

// Holds a tree, as one object in each shared object that names the tree. To compile the holder only once, declare
// `extern template struct mpit::tree_holder<T>;` in a header and `template struct mpit::tree_holder<T>;` in one source
// file. The class has hidden visibility, because g++ would otherwise merge the holders of several libraries and the
// loader would never unload the libraries. The members are for the library's own use.
template <class Tree> struct MPIT_MODULE_LOCAL tree_holder {
    static constinit held_tree<Tree> held;
    static const registry::registration registered;
};
template <class Tree> constinit held_tree<Tree> tree_holder<Tree>::held{};
template <class Tree>
const registry::registration tree_holder<Tree>::registered{held.tree, registry::name_of_type<Tree>()};

// The holder of a tree that g++ has rejected, which avoids a second error message. The members are for the library's
// own use.
template <class Tree>
    requires(!__is_constructible(Tree))
struct MPIT_MODULE_LOCAL tree_holder<Tree> {
    static_assert(sizeof(Tree{}) != 0); // an error if the tree is not constructible for another reason
    static held_tree<Tree> held;
    static const registry::registration registered;
};

// A tree that several shared objects use. Declare `extern mpit::shared_tree<T> my_tree;` in a header, and define
// `constinit mpit::shared_tree<T> my_tree;` in one source file. The object is exported like any object of a library.
// The members are for the library's own use.
template <class Tree> struct shared_tree : held_tree<Tree> {
    MPIT_MODULE_LOCAL constexpr shared_tree() noexcept {}
    core::atomic<std::uint32_t> is_registered{0};
};

namespace MPIT_MODULE_LOCAL registry {

// A pointer to the registration in every object file that names a tree. The pointer makes the linker extract the holder
// from an archive, or report a missing holder. The pointer is not constant, because a constant would cause a copy
// relocation of the holder in a program at a fixed address.
template <class Tree>
[[gnu::used, gnu::retain]] inline constinit const registration* registration_of = &tree_holder<Tree>::registered;

// Registers a shared tree from the shared object that is initialized first. This shared object defines the tree,
// because the other shared objects depend on that definition.
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

// Names module_start<void> for every tree. The type depends on the tree, so that an include alone instantiates nothing.
template <class Tree> struct start_of_module {
    using type = module_start<void>;
};

// Returns the tree of a holder. The pointer arguments make the compiler keep the initializers that run at load.
template <class Tree>
constexpr Tree& tree_with(held_tree<Tree>& holder, const registration* const*, process_registry* const*) {
    return holder.tree;
}

} // namespace registry

// The only object of a declared tree. A use of this name registers the tree when the program or library is loaded. If
// memory is exhausted, a report is made, and the variables work for their library but are invisible to tools.
template <class Tree>
inline constexpr Tree& registered = registry::tree_with(tree_holder<Tree>::held, &registry::registration_of<Tree>,
                                                        &registry::start_of_module<Tree>::type::registry);

// The tree of a shared object that every other shared object with the same header uses as well. Write
// `inline constexpr auto& mine = mpit::shared<my_tree>;` after the `extern` declaration of the tree.
template <auto& Tree>
inline constexpr auto& shared = registry::tree_with(Tree, &registry::registration_of_shared<Tree>,
                                                    &registry::start_of_module<decltype(Tree)>::type::registry);

} // namespace mpit
