// SPDX-License-Identifier: BSD-3-Clause
// Memory blocks for the texts of variables that are described at run time. The record of a run-time variable refers to
// the texts in a block instead of copying them. A later group of run-time variables reuses a block to which no record
// refers. A group with mpit::group_texts::kept has texts that live as long as the process, and copies no texts.
//
//   text_blocks texts;   const text name = texts.keep(registry, {"FI_TX_SIZE"});
//   if (texts.take(name.characters)) record.name = name;
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// The text blocks for the run-time variables that a group describes between two publications. Only one thread at a time
// may use a text_blocks object. Released blocks go to a free list, from which all groups of the process take blocks.
class text_blocks {
public:
    struct position {
        text_block* block = nullptr;
        std::uint32_t used = 0;
    };

    constexpr text_blocks() noexcept {}
    text_blocks(const text_blocks&) = delete;

    // Declares that the library keeps the texts at their addresses until the process ends.
    void use_in_place() noexcept { are_in_place_ = true; }
    bool are_in_place() const noexcept { return are_in_place_; }

    // Allocates `bytes` bytes that are aligned for enumeration items. Returns null if memory is exhausted.
    void* room(process_registry& registry, std::size_t bytes) noexcept {
        if (last_ != nullptr) last_->used = (last_->used + 7) & ~7u;
        return allocate(registry, bytes);
    }
    // Returns a copy of `source` with a terminating null, or a text with null `characters` if memory is exhausted.
    text keep(process_registry& registry, text source) noexcept {
        auto* const copy = static_cast<char*>(allocate(registry, std::size_t{source.length} + 1));
        if (copy == nullptr) return {nullptr, 0};
        std::memcpy(copy, source.characters, source.length);
        copy[source.length] = '\0';
        return {copy, source.length};
    }
    position present() const noexcept { return {last_, last_ == nullptr ? 0 : last_->used}; }
    // Frees the bytes that were allocated after present() returned `mark`, unless a block was allocated meanwhile.
    void go_back(const position& mark) noexcept {
        if (last_ != nullptr && last_ == mark.block) last_->used = mark.used;
    }

    // Returns true if a text block contains the address. A record will refer to the address, so the block is never
    // released. Callers mostly pass addresses in allocation order, so the search begins at the block of the last
    // address found. The search for an address outside all text blocks walks over all blocks.
    bool take(const void* address) noexcept {
        if (take_in(last_taken_, nullptr, address)) return true;
        return take_in(first_, last_taken_, address);
    }
    // Returns the unused end of the last text block to the registry's arena, so that records can use this memory.
    void shorten(process_registry& registry) noexcept {
        if (last_ == nullptr || !last_->is_zeroed) return;
        const std::uint32_t needed = (last_->used + 7) & ~7u;
        if (needed < last_->size && registry.memory.shorten(last_, last_->size, needed)) last_->size = needed;
    }
    // Releases each text block that no record uses. Nothing else may refer to the texts in the released blocks.
    void release(process_registry& registry) noexcept {
        last_ = last_taken_ = nullptr;
        next_size_ = smallest_size;
        while (text_block* const block = first_) {
            first_ = block->next;
            if (!block->is_referenced) push_unused(registry, block, block);
        }
    }

private:
    // The sizes of new blocks in bytes. Each new block is twice as large as the block before, up to the largest size.
    static constexpr std::uint32_t smallest_size = 4096, largest_size = 16384;

    static bool contains(const text_block& block, const void* address) noexcept {
        return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(&block) < block.size;
    }
    bool take_in(text_block* block, const text_block* end, const void* address) noexcept {
        for (; block != end; block = block->next)
            if (contains(*block, address)) return last_taken_ = block, block->is_referenced = true;
        return false;
    }
    void* allocate(process_registry& registry, std::size_t bytes) noexcept {
        if (last_ == nullptr || bytes > last_->size - last_->used) {
            text_block* const block = block_for(registry, bytes, next_size_);
            if (block == nullptr) return nullptr;
            if (next_size_ < largest_size) next_size_ *= 2;
            (last_ != nullptr ? last_->next : first_) = block;
            last_ = block;
        }
        char* const begin = reinterpret_cast<char*>(last_) + last_->used;
        last_->used += static_cast<std::uint32_t>(bytes);
        return begin;
    }
    // Returns a sufficiently large block from the free list, or a new block. The free list is a Treiber stack. A thread
    // pops all blocks of the stack with one exchange, so that the ABA problem cannot occur.
    [[gnu::cold, gnu::noinline]] static text_block* block_for(process_registry& registry, std::size_t bytes,
                                                              std::uint32_t usual_size) noexcept {
        const std::size_t needed = (sizeof(text_block) + bytes + 7) & ~std::size_t{7};
        if (needed > UINT32_MAX) return nullptr;
        text_block* list = registry.unused_texts.load() == nullptr ? nullptr : registry.unused_texts.exchange(nullptr);
        text_block* block = nullptr;
        for (text_block** link = &list; block == nullptr && *link != nullptr;) {
            if ((*link)->size < needed) link = &(*link)->next;
            else block = *link, *link = block->next;
        }
        if (list != nullptr) {
            text_block* last = list;
            while (last->next != nullptr) last = last->next;
            push_unused(registry, list, last);
        }
        if (block == nullptr) {
            const std::size_t size = needed < usual_size ? usual_size : needed;
            block = static_cast<text_block*>(registry.memory.allocate_populated(size));
            if (block == nullptr) return nullptr;
            new (core::placement{block}) text_block;
            block->size = static_cast<std::uint32_t>(size);
            block->is_zeroed = true;
        } else {
            block->is_zeroed = false;
        }
        block->used = sizeof(text_block);
        block->next = nullptr;
        return block;
    }
    static void push_unused(process_registry& registry, text_block* first, text_block* last) noexcept {
        last->next = registry.unused_texts.load();
        while (!registry.unused_texts.compare_exchange(last->next, first)) {}
    }

    text_block* first_ = nullptr; // the first block in allocation order
    text_block* last_ = nullptr;
    text_block* last_taken_ = nullptr;
    std::uint32_t next_size_ = smallest_size;
    bool are_in_place_ = false;
};

} // namespace registry
} // namespace mpit
