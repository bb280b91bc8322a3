// SPDX-License-Identifier: BSD-3-Clause
// Discovery is the search by which all copies of mpit in a process find one registry of variables. Each shared object
// with mpit has an ELF note that points to a hidden cell. The cell holds the address of the registry that the shared
// object uses. The first shared object that is loaded creates the registry. Discovery exports no symbol, and therefore
// works with hidden visibility, with RTLD_LOCAL, without -rdynamic and in static programs. A copy of mpit with another
// layout of its structures has a separate registry, and mpit makes one report.
//
//   process_registry* registry = mpit::registry::find_the_registry();   // null only if memory is exhausted
#pragma once

#include <mpit/module/discovery_lock.hpp>
#include <mpit/module/persistent_registry.hpp>
#include <mpit/module/the_registry.hpp>

#include <cstddef>
#include <elf.h>
#include <link.h>

// The type of the ELF note is mpit::version::layout. The content of the note is the distance from the content to the
// cell. The cell is a pointer to the registry, and is null until the shared object uses a registry. All versions of
// mpit use the same format for the note and the cell. The section flag "R" keeps the note under --gc-sections. .ifndef
// prevents a second note if link-time optimisation merges the assembly of several source files.
#if !MPIT_OWN_REGISTRY
__asm__(R"(
    .ifndef mpit_registry_cell_5
    .pushsection .note.mpit,"aGR",@note,mpit_registry_note_5,comdat
    .balign 4
    .long 5, 8, 5
    .asciz "mpit"
    .balign 4
    .quad mpit_registry_cell_5 - .
    .popsection
    .pushsection .bss.mpit_registry,"awG",@nobits,mpit_registry_cell_5,comdat
    .balign 8
    .weak mpit_registry_cell_5
    .hidden mpit_registry_cell_5
    .type mpit_registry_cell_5, @object
    .size mpit_registry_cell_5, 8
mpit_registry_cell_5:
    .zero 8
    .popsection
    .endif
)");
static_assert(mpit::version::layout == 5, "the version of the layout must be changed in the note, too");

extern "C" [[gnu::visibility("hidden")]] mpit::core::atomic<mpit::registry::process_registry*> mpit_registry_cell_5;
#endif

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

namespace MPIT_MODULE_LOCAL detail {

using discovery_cell = atomic<process_registry*>;

// The results of one walk over all loaded objects.
struct discovery_search {
    process_registry* known = nullptr; // the registry of an object with this layout, or null
    discovery_cell* own = nullptr;     // the cell of this shared object
    const char* own_name = "";
    const char* other_object = nullptr; // an object that uses a registry with another layout
    unsigned other_layout = 0;
    registry_head* other_registry = nullptr; // only the head has the same layout in every version
#if defined(__GLIBC__)
    bool is_at_named_program = false;
#else
    bool is_at_named_program = true; // musl visits the program first and reports a name
#endif
    bool has_shims = false; // true if a visited object has shims

    void visit(discovery_cell& cell, unsigned layout, const char* object) noexcept {
        if (&cell == own) own_name = object;
        process_registry* registry = cell.load();
        if (registry == nullptr) return;
        if (layout == version::layout && registry->fingerprint == fingerprint_of_layout) {
            if (known == nullptr) known = registry;
        } else if (other_object == nullptr) {
            other_object = object;
            other_layout = layout;
            other_registry = registry;
        }
    }
};

inline discovery_cell* cell_in_note(const char* note, const ElfW(Nhdr) & header) noexcept {
    if (header.n_namesz != 5 || header.n_descsz != 8) return nullptr;
    if (std::memcmp(note + sizeof header, "mpit", 5) != 0) return nullptr;
    const char* content = note + sizeof header + 8;
    std::int64_t distance = 0;
    std::memcpy(&distance, content, sizeof distance);
    return reinterpret_cast<discovery_cell*>(reinterpret_cast<std::uintptr_t>(content) +
                                             static_cast<std::uintptr_t>(distance));
}

// True for the ELF note of a shared object that has MPI_T functions of mpit with this layout (session/library.hpp).
inline bool is_note_of_shims(const char* note, const ElfW(Nhdr) & header) noexcept {
    return header.n_namesz == 10 && header.n_type == version::layout &&
           std::memcmp(note + sizeof header, "mpit roof", 10) == 0;
}

[[gnu::cold]] inline void visit_segment(discovery_search& search, const char* object, const char* note,
                                        std::size_t size) noexcept {
    const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
    for (const char* end = note + size; note + sizeof(ElfW(Nhdr)) <= end;) {
        ElfW(Nhdr) header;
        std::memcpy(&header, note, sizeof header);
        if (discovery_cell* cell = cell_in_note(note, header)) search.visit(*cell, header.n_type, object);
        search.has_shims = search.has_shims || is_note_of_shims(note, header);
        note += sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
    }
}

[[gnu::cold]] inline int visit_object(dl_phdr_info* object, std::size_t, void* argument) noexcept {
    auto& search = *static_cast<discovery_search*>(argument);
    const char* const name = search.is_at_named_program ? "" : object->dlpi_name;
    search.is_at_named_program = false;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        if (segment.p_type == PT_NOTE && segment.p_align <= 4)
            visit_segment(search, name, reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr),
                          segment.p_memsz);
    }
    return 0;
}

// Finds or creates the registry. The caller holds the discovery_lock, so that all threads find one registry.
[[gnu::cold]] inline int discover_registry(dl_phdr_info* object, std::size_t size, void* argument) noexcept {
    auto& search = *static_cast<discovery_search*>(argument);
    if (!MPIT_OWN_REGISTRY) dl_iterate_phdr(&visit_object, &search);
    const bool has_unloads =
        size < offsetof(dl_phdr_info, dlpi_subs) + sizeof object->dlpi_subs || object->dlpi_subs != 0;
    if (search.known == nullptr && has_unloads && !MPIT_OWN_REGISTRY) search.known = persistent_registry();
    if (search.known == nullptr && MPIT_ONLY_LOOKS) return 1;
    if (search.known == nullptr) {
        search.known = static_cast<process_registry*>(core::pages(sizeof(process_registry)));
        if (search.known == nullptr) return 1;
        search.known->begin(fingerprint_of_layout);
        if (!MPIT_OWN_REGISTRY) keep_registry(search.known);
    }
    if (search.own->load() == nullptr) { // false if another thread has set the cell
        name_of_module = search.own_name;
        has_shims = search.has_shims;
        search.own->store(search.known);
    }
    return 1;
}

// Makes one report for each pair of registries with different layouts. Both registries record that the report was made.
// If the registry `own` has no report handler, the report goes to the handler of the other registry.
[[gnu::cold]] inline void report_other_layout(process_registry& own, const discovery_search& search) noexcept {
    if (search.other_object == nullptr) return;
    registry_head& other = *search.other_registry;
    const auto is_first = [](registry_head& registry, unsigned layout) {
        const std::uint64_t bit = std::uint64_t{1} << layout % 64;
        std::uint64_t reported = registry.reported_layouts.load();
        do
            if ((reported & bit) != 0) return false;
        while (!registry.reported_layouts.compare_exchange(reported, reported | bit));
        return true;
    };
    if (!is_first(own, search.other_layout) || !is_first(other, version::layout)) return;
    const report_handler handler = own.reports_to.load();
    report(handler != nullptr ? handler : other.reports_to.load(),
           "%s and %s embed mpit with different layouts (%u and %d), and tools see the variables of only one of them; "
           "compile both with the same version of mpit",
           display_name(search.other_object), display_name(search.own_name), search.other_layout, version::layout);
}

} // namespace detail

[[gnu::noinline]] MPIT_INLINE process_registry* find_the_registry() noexcept {
    detail::discovery_search search;
#if MPIT_OWN_REGISTRY
    static constinit detail::discovery_cell own_cell{nullptr};
    search.own = &own_cell;
#else
    search.own = &mpit_registry_cell_5;
#endif
    {
        const detail::discovery_lock lock;
        dl_iterate_phdr(&detail::discover_registry, &search);
    }
    if (search.known == nullptr) return nullptr;
    core::shards.store(&search.known->shards);
    cached_registry.store(search.known);
    if (!MPIT_ONLY_LOOKS) detail::report_other_layout(*search.known, search);
    return search.known;
}

} // namespace registry
} // namespace mpit
