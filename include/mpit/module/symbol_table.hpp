// SPDX-License-Identifier: BSD-3-Clause
// Finds the functions that a loaded object defines. The class reads the ELF symbol table in the memory of the object,
// so that the reference count of the object does not change. A symbol table is valid until the object is unloaded.
//
//   core::symbol_table symbols{*info};   void* init = symbols.find("PMPI_Init");
//   // in a callback of dl_iterate_phdr()
#pragma once

#include <mpit/config.hpp>

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <link.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

class symbol_table {
public:
    symbol_table() noexcept = default;
    explicit symbol_table(const dl_phdr_info& object) noexcept : base_{object.dlpi_addr} {
        for (int i = 0; i < object.dlpi_phnum; i++)
            if (object.dlpi_phdr[i].p_type == PT_DYNAMIC)
                read(reinterpret_cast<const ElfW(Dyn)*>(base_ + object.dlpi_phdr[i].p_vaddr));
    }

    // Returns the address of a function, or null if the object does not define the function. Acquires no lock.
    void* find(const char* name) const noexcept {
        if (symbols_ == nullptr || names_ == nullptr) return nullptr;
        if (gnu_ != nullptr) return find_by_gnu_hash(name);
        return system_v_ != nullptr ? find_by_system_v_hash(name) : nullptr;
    }

private:
    void read(const ElfW(Dyn) * entry) noexcept {
        for (; entry->d_tag != DT_NULL; entry++) {
            // The loader has added the base address to the table addresses of most objects, but not of the vDSO.
            const ElfW(Addr) address = entry->d_un.d_ptr < base_ ? entry->d_un.d_ptr + base_ : entry->d_un.d_ptr;
            if (entry->d_tag == DT_SYMTAB) symbols_ = reinterpret_cast<const ElfW(Sym)*>(address);
            if (entry->d_tag == DT_STRTAB) names_ = reinterpret_cast<const char*>(address);
            if (entry->d_tag == DT_GNU_HASH) gnu_ = reinterpret_cast<const std::uint32_t*>(address);
            if (entry->d_tag == DT_HASH) system_v_ = reinterpret_cast<const std::uint32_t*>(address);
        }
    }
    void* address_of(std::uint32_t index, const char* name) const noexcept {
        const ElfW(Sym)& symbol = symbols_[index];
        const int type = symbol.st_info & 0xf;
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0 || (type != STT_FUNC && type != STT_NOTYPE))
            return nullptr;
        if (std::strcmp(names_ + symbol.st_name, name) != 0) return nullptr;
        return reinterpret_cast<void*>(base_ + symbol.st_value);
    }

    void* find_by_gnu_hash(const char* name) const noexcept {
        std::uint32_t hash = 5381;
        for (const char* c = name; *c != '\0'; c++) hash = hash * 33 + static_cast<unsigned char>(*c);
        const std::uint32_t buckets = gnu_[0], first = gnu_[1], words = gnu_[2], shift = gnu_[3];
        if (buckets == 0 || words == 0) return nullptr;
        const auto* filter = reinterpret_cast<const ElfW(Addr)*>(gnu_ + 4);
        constexpr unsigned bits = sizeof(ElfW(Addr)) * 8;
        const ElfW(Addr) word = filter[hash / bits % words];
        if ((word >> hash % bits & word >> (hash >> shift) % bits & 1) == 0) return nullptr;
        const auto* bucket = reinterpret_cast<const std::uint32_t*>(filter + words);
        const std::uint32_t* chain = bucket + buckets;
        std::uint32_t index = bucket[hash % buckets];
        if (index < first) return nullptr;
        for (;; index++) {
            const std::uint32_t other_hash = chain[index - first];
            if ((other_hash | 1) == (hash | 1))
                if (void* address = address_of(index, name)) return address;
            if ((other_hash & 1) != 0) return nullptr;
        }
    }
    void* find_by_system_v_hash(const char* name) const noexcept {
        std::uint32_t hash = 0;
        for (const char* c = name; *c != '\0'; c++) {
            hash = (hash << 4) + static_cast<unsigned char>(*c);
            hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
        }
        const std::uint32_t buckets = system_v_[0];
        if (buckets == 0) return nullptr;
        const std::uint32_t *bucket = system_v_ + 2, *chain = bucket + buckets;
        for (std::uint32_t index = bucket[hash % buckets]; index != STN_UNDEF; index = chain[index])
            if (void* address = address_of(index, name)) return address;
        return nullptr;
    }

    ElfW(Addr) base_ = 0;
    const ElfW(Sym) * symbols_ = nullptr;
    const char* names_ = nullptr;
    const std::uint32_t *gnu_ = nullptr, *system_v_ = nullptr;
};

} // namespace core
} // namespace mpit
