// SPDX-License-Identifier: BSD-3-Clause
// Loads a tree: its control variables take their values from the environment, its sums get their cells, and it becomes
// pending. The registrar publishes it, so that no source file with variables contains that code, and a program without
// a tool does not run it.
//
//   inline constexpr auto& p2p = mpit::registered<p2p_variables>;
#pragma once

#include <mpit/variable/object_lifetime.hpp>
#include <mpit/concurrency/read_guard.hpp>
#include <mpit/descriptor/unique_names.hpp>
#include <mpit/config/environment_values.hpp>
#include <mpit/registry/shard_cells.hpp>
#include <mpit/module/unload.hpp>
#include <mpit/registry/unregister.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Tells the registrars of a pending tree. The first one publishes it. Either this finds the registrar of a tool that comes now, or the
// tool finds the tree.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void notify_registrar(process_registry& registry, pending_tree& a,
                                                           report_list& reports) noexcept {
    const internal::read_guard here; // a keeper that is being unloaded waits
    for (registrar* k = registry.pending_trees.registrars.load(core::sequential); k != nullptr; k = k->next)
        if (const auto on_load = k->on_load.load(core::sequential)) return on_load(registry, a, reports);
}

// Runs when the shared object of a tree is unloaded by dlclose().
MPIT_MODULE_LOCAL [[gnu::cold]] inline void unload_tree(void* of_this_module) noexcept {
    auto& tree = *static_cast<descriptor::category*>(of_this_module);
    process_registry* registry = known_registry.load();
    if (registry == nullptr) return;
    pending_tree* const here = registry->pending_trees.find(tree);
    if (here != nullptr) {
        registry->pending_trees.set_unloading(*here);
        const core::bounded_wait until_left;
        until_left.wait_while([&] { return here->publishing_threads.load(core::sequential) > 0; });
    }
    unregister(*registry, tree);
    const bool is_alone = internal::wait_for_readers(registry->shards);
    if (is_alone) internal::announce(tree, binding::none, 0, descriptor::announcement::unloaded);
    if (here != nullptr) registry->pending_trees.remove(*here);
    if (!is_alone)
        report(registry->reports_to.load(),
               "a thread has looked at variables for a second while %s, which has %s, is being unloaded",
               name_of_module, tree.name.characters);
}

// The name under which the environment has a value that was not taken; null if the first value was.
class rejected_name {
public:
    [[gnu::cold]] explicit rejected_name(const descriptor::control& variable) noexcept : asked_{variable} {
        const descriptor::provenance held{variable.provenance_word.load()};
        while (asked_.next()) {
            if (value_in_environment(asked_.name().characters) == nullptr) continue;
            const bool is_held = held.origin() == origin::environment && held.place() == asked_.place();
            if (!is_held) text_ = asked_.name().characters;
            return;
        }
        if (held.word() == 0) text_ = variable.former_name;
    }
    const char* text() const noexcept { return text_; }

private:
    descriptor::asked_names asked_;
    const char* text_ = nullptr;
};

// Reports an unusable value of the environment in a process without shims, which would report it in detail. Every file with
// variables has this code, so it is short.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void report_rejection(const process_registry& registry,
                                                             descriptor::control& variable) noexcept {
    for (const registrar* k = registry.pending_trees.registrars.load(); k != nullptr; k = k->next)
        if (k->on_load.load() != nullptr) return;
    if (are_shims_there || (variable.rules != nullptr && variable.rules->tells_library())) return;
    const rejected_name name{variable};
    if (name.text() == nullptr) return;
    variable.is_rejection_reported = true;
    const bool is_closed = variable.scope == scope::constant || variable.binding != binding::none;
    const char* const accepted = is_closed                                ? "no value from outside"
                                 : variable.enumeration.count != 0        ? "one of its items"
                                 : variable.type == datatype::char_type   ? "a text that fits"
                                 : variable.type == datatype::double_type ? "a number in its range"
                                                                          : "a whole number in its range";
    report(registry.reports_to.load(), "%.256s in the environment cannot be used: %.256s takes %s, and %s",
           name.text(), variable.name.characters, accepted,
           variable.provenance_word.load() == 0 ? "keeps its value" : "has another one");
}
MPIT_MODULE_LOCAL [[gnu::cold, gnu::noinline]] inline void remember_unresolved(process_registry& registry,
                                                                               pending_tree& tree,
                                                                               descriptor::control& variable) noexcept {
    report_rejection(registry, variable);
    auto* made = registry.memory.make<unresolved_value>();
    if (made == nullptr) return;
    made->variable = &variable;
    made->next = tree.unresolved_values.load();
    tree.unresolved_values.store(made);
}

// Without memory the variables work for their author, and tools do not see them.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void load_tree(process_registry* registry, descriptor::category& tree,
                                                   text owner) noexcept {
    pending_tree* here = nullptr;
    if (registry != nullptr && at_unloading(*registry, &unload_tree, &tree))
        here = registry->pending_trees.add(registry->memory, tree, owner, name_of_module);
    // Where tools are served already, the tree may be one that comes again, and has cells.
    const bool has_cells = registry == nullptr || registry->pending_trees.has_tools.load(core::sequential) != 0;
    const environment_filter filter;
    descriptor::for_each_item(tree, [&](descriptor::item& each) {
        if (each.item_kind == kind::performance && !has_cells)
            static_cast<void>(number_shard_cells(*registry, static_cast<descriptor::performance&>(each)));
        if (take_from_environment(each, filter) && here != nullptr)
            remember_unresolved(*registry, *here, static_cast<descriptor::control&>(each));
    });
    if (here == nullptr)
        return report(registry == nullptr ? nullptr : registry->reports_to.load(),
                      "no memory to register all variables of %.*s in %s", static_cast<int>(owner.length),
                      owner.characters, *name_of_module == '\0' ? "the program" : name_of_module);
    report_list reports;
    registry->pending_trees.set_pending(*here);
    notify_registrar(*registry, *here, reports);
    reports.send(registry->reports_to.load());
}

struct registration {
    MPIT_MODULE_LOCAL registration(descriptor::category& tree, text owner) noexcept { load_tree(the_registry(), tree, owner); }
    MPIT_MODULE_LOCAL registration(core::atomic<std::uint32_t>& is_registered, descriptor::category& tree,
                                text owner) noexcept {
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

// Holds a tree, one in each shared object that names it. `extern template struct mpit::tree_holder<T>;` in a header, and one
// `template struct …` in a source file, keep it out of all objects but one. Hidden, because g++ makes one object of what
// several libraries call by one name, and never unloads it.
// Its members are for the library's own use.
template <class Tree> struct MPIT_MODULE_LOCAL tree_holder {
    static constinit held_tree<Tree> held;
    static const registry::registration registered;
};
template <class Tree> constinit held_tree<Tree> tree_holder<Tree>::held{};
template <class Tree> const registry::registration tree_holder<Tree>::registered{held.tree, registry::name_of_type<Tree>()};

// A tree that several shared objects use: `extern mpit::shared_tree<T> my_tree;` in a header, exported as any other object of
// a library, and `constinit mpit::shared_tree<T> my_tree;` in one file of the library.
// Its members are for the library's own use.
template <class Tree> struct shared_tree : held_tree<Tree> {
    MPIT_MODULE_LOCAL constexpr shared_tree() noexcept {}
    core::atomic<std::uint32_t> is_registered{0};
};

namespace MPIT_MODULE_LOCAL registry {

// The part that stays in every object that names a tree: it takes the holder out of an archive, and if no object has the holder the
// linker says so. It is not a constant, because a program at a fixed address would then copy the holder out of its library.
template <class Tree>
MPIT_MODULE_LOCAL [[gnu::used, gnu::retain]] inline constinit const registration* registration_of =
    &tree_holder<Tree>::registered;

// The first shared object that names a shared tree registers it. That is the one that has it, since others are initialised later.
template <auto& Tree> struct MPIT_MODULE_LOCAL shared_registration { static const registration value; };
template <class Tree> constexpr text name_of_shared(shared_tree<Tree>&) { return name_of_type<Tree>(); }
template <auto& Tree> const registration shared_registration<Tree>::value{Tree.is_registered, Tree.tree, name_of_shared(Tree)};
template <auto& Tree>
MPIT_MODULE_LOCAL [[gnu::used, gnu::retain]] inline constinit const registration* registration_of_shared =
    &shared_registration<Tree>::value;

// Every shared object that names a tree discovers the registry when it is loaded, also if another one has the tree. A
// template, so that files which name no tree have no code of it.
template <class> struct [[gnu::visibility("hidden")]] module_start { static process_registry* const registry; };
template <class T> process_registry* const module_start<T>::registry = the_registry();

// The same for every tree, and not known before there is one: an include alone starts nothing.
template <class Tree> struct start_of_module { using type = module_start<void>; };

// Naming what happens when a program or a library is loaded makes the compiler keep it.
template <class Tree> constexpr Tree& tree_with(held_tree<Tree>& held, const registration* const*, process_registry* const*) {
    return held.tree;
}

} // namespace registry

// The one object of a tree of categories. Naming it registers it when the program or library is loaded. Without memory its
// variables work for their author, and tools do not see them, which is reported.
template <class Tree>
inline constexpr Tree& registered = registry::tree_with(tree_holder<Tree>::held, &registry::registration_of<Tree>,
                                                   &registry::start_of_module<Tree>::type::registry);

// The tree of a shared object that every other one with this header uses as well:
// `inline constexpr auto& mine = mpit::shared<my_tree>;` behind its `extern` declaration.
template <auto& Tree>
inline constexpr auto& shared = registry::tree_with(Tree, &registry::registration_of_shared<Tree>,
                                                 &registry::start_of_module<decltype(Tree)>::type::registry);

} // namespace mpit

#pragma GCC diagnostic pop
