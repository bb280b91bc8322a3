// The anchor: how all shared objects of a process that embed these headers find one index. Each carries an ELF note that
// points at a hidden cell of its own; whoever comes first makes the index and writes its address into the cells of all.
// This needs no exported symbol, so it works with hidden visibility, RTLD_LOCAL, without -rdynamic and in static programs.
//
//   process_index* index = mpit::index::the_index();   // null only without memory
#pragma once

#include <mpit/index/process_index.hpp>

#include <elf.h>
#include <link.h>

// The note's type is the layout's version; its content is the distance to the cell. "R" keeps it under --gc-sections.
// Link-time optimisation puts the statements of all source files into one, where the first must be the only one.
__asm__(R"(
    .ifndef mpit_anchor_cell_1
    .pushsection .note.mpit,"aGR",@note,mpit_anchor_note_1,comdat
    .balign 4
    .long 5, 8, 1
    .asciz "mpit"
    .balign 4
    .quad mpit_anchor_cell_1 - .
    .popsection
    .pushsection .bss.mpit_anchor,"awG",@nobits,mpit_anchor_cell_1,comdat
    .balign 8
    .weak mpit_anchor_cell_1
    .hidden mpit_anchor_cell_1
    .type mpit_anchor_cell_1, @object
    .size mpit_anchor_cell_1, 8
mpit_anchor_cell_1:
    .zero 8
    .popsection
    .endif
)");
static_assert(mpit::version::layout == 1, "the layout's version stands in the note as well");

namespace mpit::index {
namespace detail {

using anchor_cell = atomic<process_index*>;

// What the walk over all loaded objects looks for: the first cell, and an index that one of them knows.
struct anchor_search {
    process_index* known = nullptr;
    bool write = false; // tell `known` to every cell that has none
};

inline anchor_cell* cell_in_note(const char* note, const ElfW(Nhdr) & header) noexcept {
    if (header.n_namesz != 5 || header.n_descsz != 8 || header.n_type != version::layout) return nullptr;
    if (std::memcmp(note + sizeof header, "mpit", 5) != 0) return nullptr;
    const char* content = note + sizeof header + 8;
    std::int64_t distance = 0;
    std::memcpy(&distance, content, sizeof distance);
    return reinterpret_cast<anchor_cell*>(reinterpret_cast<std::uintptr_t>(content) + static_cast<std::uintptr_t>(distance));
}

inline anchor_cell* cell_in_segment(const char* at, std::size_t size) noexcept {
    const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
    for (const char* end = at + size; at + sizeof(ElfW(Nhdr)) <= end;) {
        ElfW(Nhdr) header;
        std::memcpy(&header, at, sizeof header);
        if (anchor_cell* cell = cell_in_note(at, header)) return cell;
        at += sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
    }
    return nullptr;
}

inline int visit_object(dl_phdr_info* object, std::size_t, void* argument) noexcept {
    auto& search = *static_cast<anchor_search*>(argument);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_NOTE || segment.p_align > 4) continue;
        anchor_cell* cell = cell_in_segment(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
        if (cell == nullptr) continue;
        if (search.write) cell->replace(nullptr, search.known);
        else if (search.known == nullptr) search.known = cell->load();
    }
    return 0;
}

// The loader's lock is held during a walk, so the walk that looks and makes is one step for all threads.
inline int meet(dl_phdr_info*, std::size_t, void* argument) noexcept {
    auto& search = *static_cast<anchor_search*>(argument);
    dl_iterate_phdr(&visit_object, &search);
    if (search.known == nullptr) {
        search.known = static_cast<process_index*>(base::pages(sizeof(process_index)));
        if (search.known == nullptr) return 1;
        search.known->begin();
    }
    search.write = true;
    dl_iterate_phdr(&visit_object, &search);
    return 1;
}

} // namespace detail

// This shared object's knowledge of the index.
MPIT_MODULE_LOCAL inline constinit atomic<process_index*> known_index{nullptr};

MPIT_MODULE_LOCAL [[gnu::cold, gnu::noinline]] inline process_index* find_the_index() noexcept {
    detail::anchor_search search;
    dl_iterate_phdr(&detail::meet, &search);
    if (search.known != nullptr) {
        declare::lanes.store(&search.known->lanes);
        known_index.store(search.known);
    }
    return search.known;
}

// The index of the process; null only where there is no memory for it.
MPIT_MODULE_LOCAL inline process_index* the_index() noexcept {
    process_index* known = known_index.load();
    return known != nullptr ? known : find_the_index();
}

// Every shared object learns of the index when it is loaded, also one whose trees another one has enrolled.
MPIT_MODULE_LOCAL inline process_index* const index_at_load = the_index();

} // namespace mpit::index

namespace mpit {

// Sends the reports of the process to a function of yours; null sends them to standard error again.
inline void set_report_handler(report_handler handler) noexcept {
    if (index::process_index* index = index::the_index()) index->reports_to.store(handler);
}

} // namespace mpit
