// SPDX-License-Identifier: BSD-3-Clause
// Finds a real MPI in the process, and its functions. A real MPI is a loaded object that defines PMPI_Init and
// PMPI_T_init_thread. Tools do not define PMPI_Init; libraries that serve only their own variables have an ELF note
// (MPIT_C_SHIMS_NOTE) and are never taken for an MPI.
//
//   real_mpi mpi;   if (mpi.find()) void* function = mpi.next("MPI_T_cvar_read");
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/module/symbol_table.hpp>

#include <cstddef>
#include <dlfcn.h>

// The note of a shared object whose functions pass calls on. It stays under --gc-sections, in a version script and
// after strip.
#define MPIT_C_SHIMS_NOTE                                                                                              \
    __asm__(".ifndef mpit_shims_note_1\n"                                                                              \
            ".pushsection .note.mpit.shims,\"aGR\",@note,mpit_shims_note_1,comdat\n"                                   \
            ".balign 4\n"                                                                                              \
            ".weak mpit_shims_note_1\n"                                                                                \
            ".hidden mpit_shims_note_1\n"                                                                              \
            "mpit_shims_note_1:\n"                                                                                     \
            ".long 12, 0, 1\n"                                                                                         \
            ".asciz \"mpit.shims\\0\"\n"                                                                               \
            ".popsection\n"                                                                                            \
            ".endif\n");

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// A function of the loader that a static program need not have: there it is null. A linker warns of dlopen() in a
// static program, so that the others are asked for by name.
[[gnu::weakref("dlsym")]] static void* symbol_of_loader(void* handle, const char* name);

class real_mpi {
public:
    // Walks all loaded objects, about 0.1 microseconds each. Takes the lock of the loader.
    bool find() noexcept { return find(nullptr); }
    // Returns false without a search if nothing was loaded since the last search of this shared object that found none.
    bool find_if_news() noexcept {
        unsigned long long loads = 0;
        dl_iterate_phdr(&count_loads, &loads);
        if (loads == loads_without_mpi.load()) return false;
        if (find()) return true;
        loads_without_mpi.store(loads);
        return false;
    }
    // The function that stands behind this shared object in the order of the linker, so that tools in between see the
    // call, or the MPI's own if there is none, or one that would pass the call on. Returns null without an MPI, and for
    // what it lacks.
    [[gnu::noinline]] void* next(const char* name) noexcept {
        void* next = symbol_of_loader != nullptr ? symbol_of_loader(RTLD_NEXT, name) : nullptr;
        if (!find(next)) return nullptr;
        return next != nullptr && !is_in_shims_ ? next : own(name);
    }
    // The MPI's own function, after a search that found it.
    void* own(const char* name) const noexcept { return path_ != nullptr ? symbols_.find(name) : nullptr; }
    // Whether an address is in an object that passes calls on.
    bool is_in_shims(const void* address) noexcept { return find(address), is_in_shims_; }

    // Keeps a found MPI loaded until the handle is given to let_go(). Returns null if it is the program itself.
    void* hold() const noexcept {
        if (path_ == nullptr || *path_ == '\0') return nullptr;
        const auto open = of_loader<decltype(&dlopen)>("dlopen");
        return open != nullptr ? open(path_, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    }
    static void let_go(void* held) noexcept {
        const auto close = held != nullptr ? of_loader<decltype(&dlclose)>("dlclose") : nullptr;
        if (close != nullptr) close(held);
    }

private:
    template <class Function> static Function of_loader(const char* name) noexcept {
        return symbol_of_loader != nullptr ? reinterpret_cast<Function>(symbol_of_loader(RTLD_DEFAULT, name)) : nullptr;
    }
    bool find(const void* address) noexcept {
        address_ = reinterpret_cast<ElfW(Addr)>(address);
        path_ = nullptr;
        is_in_shims_ = false;
        dl_iterate_phdr(&visit, this);
        return path_ != nullptr;
    }
    static int visit(dl_phdr_info* object, std::size_t, void* data) noexcept {
        auto& here = *static_cast<real_mpi*>(data);
        const bool has_shims = is_noted(*object);
        if (here.address_ != 0 && has_shims && contains(*object, here.address_)) here.is_in_shims_ = true;
        if (has_shims || here.path_ != nullptr) return 0;
        const core::symbol_table symbols{*object};
        if (symbols.find("PMPI_Init") == nullptr || symbols.find("PMPI_T_init_thread") == nullptr) return 0;
        here.symbols_ = symbols;
        here.path_ = object->dlpi_name;
        return 0;
    }
    static int count_loads(dl_phdr_info* object, std::size_t size, void* data) noexcept {
        if (size >= offsetof(dl_phdr_info, dlpi_adds) + sizeof object->dlpi_adds)
            *static_cast<unsigned long long*>(data) = object->dlpi_adds;
        return 1;
    }
    static bool contains(const dl_phdr_info& object, ElfW(Addr) address) noexcept {
        for (int i = 0; i < object.dlpi_phnum; i++) {
            const ElfW(Phdr)& segment = object.dlpi_phdr[i];
            if (segment.p_type == PT_LOAD && address - object.dlpi_addr - segment.p_vaddr < segment.p_memsz)
                return true;
        }
        return false;
    }
    static bool is_noted(const dl_phdr_info& object) noexcept {
        for (int i = 0; i < object.dlpi_phnum; i++) {
            const ElfW(Phdr)& segment = object.dlpi_phdr[i];
            if (segment.p_type == PT_NOTE && segment.p_align <= 4 &&
                has_note(reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr), segment.p_memsz))
                return true;
        }
        return false;
    }
    static bool has_note(const char* note, std::size_t size) noexcept {
        constexpr char name[12] = "mpit.shims";
        const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
        for (const char* end = note + size; note + sizeof(ElfW(Nhdr)) <= end;) {
            ElfW(Nhdr) header;
            std::memcpy(&header, note, sizeof header);
            if (header.n_namesz == sizeof name && std::memcmp(note + sizeof header, name, sizeof name) == 0)
                return true;
            note += sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
        }
        return false;
    }

    static inline constinit core::atomic<unsigned long long> loads_without_mpi{0};

    ElfW(Addr) address_ = 0;
    bool is_in_shims_ = false;
    const char* path_ = nullptr;
    core::symbol_table symbols_;
};

} // namespace mpi_t
} // namespace mpit
