// SPDX-License-Identifier: BSD-3-Clause
// Finds a real MPI in the process and looks up functions of the MPI. A real MPI is a loaded object that defines
// PMPI_Init and PMPI_T_init_thread. Tools do not define PMPI_Init. Libraries that serve only their own variables are
// not MPIs, and the search recognizes these libraries by an ELF note (MPIT_C_SHIMS_NOTE).
//
//   real_mpi mpi;   if (mpi.find()) void* function = mpi.next("MPI_T_cvar_read");
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/module/symbol_table.hpp>

#include <cstddef>
#include <dlfcn.h>

// The ELF note of a shared object whose MPI_T functions pass calls on to an MPI. The linker option --gc-sections,
// version scripts and strip do not remove the note.
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

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// A weak reference to dlsym(), which is null in a static program without dlsym(). This header finds dlopen() and
// dlclose() by dlsym(), because linkers warn of a static program that refers to dlopen().
[[gnu::weakref("dlsym")]] static void* symbol_of_loader(void* handle, const char* name);

class real_mpi {
public:
    // Searches all loaded objects for an MPI, in about 0.1 microseconds per object. The search takes the loader's lock.
    bool find() noexcept { return find(nullptr); }
    // Searches like find(). If no object was loaded after the last unsuccessful search, returns false without a search.
    bool find_if_changed() noexcept {
        unsigned long long loads = 0;
        dl_iterate_phdr(&count_loads, &loads);
        if (loads == loads_without_mpi.load()) return false;
        if (find()) return true;
        loads_without_mpi.store(loads);
        return false;
    }
    // Returns the next definition of a function after this shared object in the order of symbol look-up, so that the
    // call reaches tools that wrap the MPI. Returns the MPI's own function if no definition follows, or if the next
    // definition would pass the call on. Returns null if the process has no MPI, or if the MPI lacks the function.
    [[gnu::noinline]] void* next(const char* name) noexcept {
        void* address = symbol_of_loader != nullptr ? symbol_of_loader(RTLD_NEXT, name) : nullptr;
        if (!find(address)) return nullptr;
        return address != nullptr && !is_in_shims_ ? address : mpi_function(name);
    }
    // Returns the MPI's own function, or null if the MPI lacks the function. The caller must have called find() before.
    void* mpi_function(const char* name) const noexcept { return path_ != nullptr ? symbols_.find(name) : nullptr; }
    // True if an address is in a shared object whose functions pass calls on to an MPI.
    bool is_in_shims(const void* address) noexcept { return find(address), is_in_shims_; }

    // Keeps the MPI loaded until the returned handle is passed to release(). Returns null if the MPI is linked into the
    // program, which is never unloaded.
    void* keep_loaded() const noexcept {
        if (path_ == nullptr || *path_ == '\0') return nullptr;
        const auto open = loader_function<decltype(&dlopen)>("dlopen");
        return open != nullptr ? open(path_, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    }
    static void release(void* loader_handle) noexcept {
        const auto close = loader_handle != nullptr ? loader_function<decltype(&dlclose)>("dlclose") : nullptr;
        if (close != nullptr) close(loader_handle);
    }

private:
    template <class Function> static Function loader_function(const char* name) noexcept {
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
        auto& search = *static_cast<real_mpi*>(data);
        const bool has_shims = has_shims_note(*object);
        if (search.address_ != 0 && has_shims && contains(*object, search.address_)) search.is_in_shims_ = true;
        if (has_shims || search.path_ != nullptr) return 0;
        const core::symbol_table symbols{*object};
        if (symbols.find("PMPI_Init") == nullptr || symbols.find("PMPI_T_init_thread") == nullptr) return 0;
        search.symbols_ = symbols;
        search.path_ = object->dlpi_name;
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
    static bool has_shims_note(const dl_phdr_info& object) noexcept {
        for (int i = 0; i < object.dlpi_phnum; i++) {
            const ElfW(Phdr)& segment = object.dlpi_phdr[i];
            if (segment.p_type == PT_NOTE && segment.p_align <= 4 &&
                contains_shims_note(reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr), segment.p_memsz))
                return true;
        }
        return false;
    }
    static bool contains_shims_note(const char* note, std::size_t size) noexcept {
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
