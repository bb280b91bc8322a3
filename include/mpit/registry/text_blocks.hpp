// SPDX-License-Identifier: BSD-3-Clause
// Texts of variables that are described at run time, in memory of the registry: the record of a new variable refers to them, and copies
// nothing. A block to which no record refers is used again by a later group.
// A group whose texts stay for ever (mpit::group_texts::stay) has no copies of them.
//
//   text_blocks texts;   const text name = texts.keep(registry, {"FI_TX_SIZE"});   if (texts.take(name.characters)) record.name = name;
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// The blocks of one round of a group, which one thread at a time uses. Blocks that are given back are those of the whole process.
class text_blocks {
public:
    struct position {
        text_block* block = nullptr;
        std::uint32_t used = 0;
    };

    constexpr text_blocks() noexcept {}
    text_blocks(const text_blocks&) = delete;

    // That texts stay where their library has them, as long as the process.
    void use_in_place() noexcept { are_in_place_ = true; }
    bool are_in_place() const noexcept { return are_in_place_; }

    // Room for so many bytes, at an address for items of enumerations; null without memory.
    void* room(process_registry& registry, std::size_t bytes) noexcept {
        if (first_ != nullptr) first_->used = (first_->used + 7) & ~7u;
        return add(registry, bytes);
    }
    // A copy with a null behind it; if memory ends, its characters are null.
    text keep(process_registry& registry, text source) noexcept {
        auto* const copy = static_cast<char*>(add(registry, std::size_t{source.length} + 1));
        if (copy == nullptr) return {nullptr, 0};
        std::memcpy(copy, source.characters, source.length);
        copy[source.length] = '\0';
        return {copy, source.length};
    }
    position present() const noexcept { return {first_, first_ == nullptr ? 0 : first_->used}; }
    // Forgets what was kept since then, as far as it is in one block.
    void go_back(const position& to) noexcept {
        if (first_ != nullptr && first_ == to.block) first_->used = to.used;
    }

    // Whether the blocks have a text. From then on it stays for ever, because a record refers to it.
    bool take(const void* kept) noexcept {
        if (last_taken_ != nullptr && has(*last_taken_, kept)) return true; // most texts follow each other
        for (text_block* block = first_; block != nullptr; block = block->next)
            if (has(*block, kept)) return last_taken_ = block, block->is_taken = true;
        return false;
    }
    // Gives the end of the last block back, so that records follow it.
    void shorten(process_registry& registry) noexcept {
        if (first_ == nullptr || !first_->is_fresh) return;
        const std::uint32_t needed = (first_->used + 15) & ~15u;
        if (needed < first_->size && registry.memory.shorten(first_, first_->size, needed)) first_->size = needed;
    }
    // To be called when nothing but records refers to the texts.
    void release(process_registry& registry) noexcept {
        last_taken_ = nullptr;
        count_ = 0;
        while (text_block* const block = first_) {
            first_ = block->next;
            if (!block->is_taken) give(registry, block, block);
        }
    }

private:
    static constexpr std::uint32_t size_of_block = 4096;
    // A group of a million variables has some hundreds of blocks then: take() may visit all of them for a text that is in none.
    static constexpr std::uint32_t size_of_large_block = 256 << 10, small_blocks = 16;

    static bool has(const text_block& block, const void* kept) noexcept {
        return reinterpret_cast<std::uintptr_t>(kept) - reinterpret_cast<std::uintptr_t>(&block) < block.size;
    }
    void* add(process_registry& registry, std::size_t bytes) noexcept {
        if (first_ == nullptr || bytes > first_->size - first_->used) {
            text_block* const made = block_for(registry, bytes, count_ < small_blocks ? size_of_block : size_of_large_block);
            if (made == nullptr) return nullptr;
            count_++;
            made->next = first_;
            first_ = made;
        }
        char* const begin = reinterpret_cast<char*>(first_) + first_->used;
        first_->used += static_cast<std::uint32_t>(bytes);
        return begin;
    }
    // One that was given back, or a new one; null without memory.
    [[gnu::cold, gnu::noinline]] static text_block* block_for(process_registry& registry, std::size_t bytes,
                                                               std::uint32_t usual_size) noexcept {
        const std::size_t needed = (sizeof(text_block) + bytes + 15) & ~std::size_t{15};
        if (needed > UINT32_MAX) return nullptr;
        text_block* all = registry.unused_texts.load() == nullptr ? nullptr : registry.unused_texts.exchange(nullptr);
        text_block* found = nullptr;
        for (text_block** place = &all; found == nullptr && *place != nullptr;) {
            if ((*place)->size < needed) place = &(*place)->next;
            else found = *place, *place = found->next;
        }
        if (all != nullptr) {
            text_block* last = all;
            while (last->next != nullptr) last = last->next;
            give(registry, all, last);
        }
        if (found == nullptr) {
            const std::size_t size = needed < usual_size ? usual_size : needed;
            // The end of a large block may stay untouched.
            found = static_cast<text_block*>(usual_size == size_of_large_block ? registry.memory.allocate(size)
                                                                              : registry.memory.allocate_for_tools(size));
            if (found == nullptr) return nullptr;
            new (core::place{found}) text_block;
            found->size = static_cast<std::uint32_t>(size);
            found->is_fresh = true;
        } else {
            found->is_fresh = false;
        }
        found->used = sizeof(text_block);
        return found;
    }
    static void give(process_registry& registry, text_block* first, text_block* last) noexcept {
        last->next = registry.unused_texts.load();
        while (!registry.unused_texts.compare_exchange(last->next, first)) {}
    }

    text_block* first_ = nullptr;
    text_block* last_taken_ = nullptr;
    std::uint32_t count_ = 0;
    bool are_in_place_ = false;
};

} // namespace registry
} // namespace mpit
