// SPDX-License-Identifier: BSD-3-Clause
// Texts of variables that are described at run time, in memory of the registry: the record of a new variable refers to
// them, and copies nothing. A block to which no record refers is used again by a later group. A group whose texts stay
// for ever (mpit::group_texts::stay) has no copies of them.
//
//   text_blocks texts;   const text name = texts.keep(registry, {"FI_TX_SIZE"});   if (texts.take(name.characters)) record.name = name;
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// The blocks of one round of a group, which one thread at a time uses. Blocks that are given back are those of the
// whole process.
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
        if (last_ != nullptr) last_->used = (last_->used + 7) & ~7u;
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
    position present() const noexcept { return {last_, last_ == nullptr ? 0 : last_->used}; }
    // Forgets what was kept since then, as far as it is in one block.
    void go_back(const position& to) noexcept {
        if (last_ != nullptr && last_ == to.block) last_->used = to.used;
    }

    // Whether the blocks have a text. From then on it stays for ever, because a record refers to it. Most texts are
    // taken in the order in which they were kept, so the search begins at the block of the last one. A text that is in
    // no block costs a visit of all blocks.
    bool take(const void* kept) noexcept {
        if (take_in(last_taken_, nullptr, kept)) return true;
        return take_in(first_, last_taken_, kept);
    }
    // Gives the end of the last block back, so that records follow it.
    void shorten(process_registry& registry) noexcept {
        if (last_ == nullptr || !last_->is_zeroed) return;
        const std::uint32_t needed = (last_->used + 7) & ~7u;
        if (needed < last_->size && registry.memory.shorten(last_, last_->size, needed)) last_->size = needed;
    }
    // To be called when nothing but records refers to the texts.
    void release(process_registry& registry) noexcept {
        last_ = last_taken_ = nullptr;
        next_size_ = smallest_size;
        while (text_block* const block = first_) {
            first_ = block->next;
            if (!block->is_referenced) give(registry, block, block);
        }
    }

private:
    // The second block is twice as large as the first one, and so on up to the largest piece of the arena's own blocks.
    static constexpr std::uint32_t smallest_size = 4096, largest_size = 16384;

    static bool has(const text_block& block, const void* kept) noexcept {
        return reinterpret_cast<std::uintptr_t>(kept) - reinterpret_cast<std::uintptr_t>(&block) < block.size;
    }
    bool take_in(text_block* block, const text_block* end, const void* kept) noexcept {
        for (; block != end; block = block->next)
            if (has(*block, kept)) return last_taken_ = block, block->is_referenced = true;
        return false;
    }
    void* add(process_registry& registry, std::size_t bytes) noexcept {
        if (last_ == nullptr || bytes > last_->size - last_->used) {
            text_block* const made = block_for(registry, bytes, next_size_);
            if (made == nullptr) return nullptr;
            if (next_size_ < largest_size) next_size_ *= 2;
            (last_ != nullptr ? last_->next : first_) = made;
            last_ = made;
        }
        char* const begin = reinterpret_cast<char*>(last_) + last_->used;
        last_->used += static_cast<std::uint32_t>(bytes);
        return begin;
    }
    // One that was given back, or a new one; null without memory.
    [[gnu::cold, gnu::noinline]] static text_block* block_for(process_registry& registry, std::size_t bytes,
                                                              std::uint32_t usual_size) noexcept {
        const std::size_t needed = (sizeof(text_block) + bytes + 7) & ~std::size_t{7};
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
            found = static_cast<text_block*>(registry.memory.allocate_for_tools(size));
            if (found == nullptr) return nullptr;
            new (core::place{found}) text_block;
            found->size = static_cast<std::uint32_t>(size);
            found->is_zeroed = true;
        } else {
            found->is_zeroed = false;
        }
        found->used = sizeof(text_block);
        found->next = nullptr;
        return found;
    }
    static void give(process_registry& registry, text_block* first, text_block* last) noexcept {
        last->next = registry.unused_texts.load();
        while (!registry.unused_texts.compare_exchange(last->next, first)) {}
    }

    text_block* first_ = nullptr; // in the order in which they were made
    text_block* last_ = nullptr;
    text_block* last_taken_ = nullptr;
    std::uint32_t next_size_ = smallest_size;
    bool are_in_place_ = false;
};

} // namespace registry
} // namespace mpit
