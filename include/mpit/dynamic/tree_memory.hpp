// SPDX-License-Identifier: BSD-3-Clause
// The memory of one tree of a run-time group. Variables are in an arena of blocks, which is freed with the tree. Texts
// are in memory of the registry. A text stays valid while a record of the registry refers to the text.
//
//   tree_memory memory;   void* address = memory.allocate(bytes);   text name = memory.copy(text);   memory.release();
#pragma once

#include <mpit/module/the_registry.hpp>
#include <mpit/registry/text_blocks.hpp>

#include <cstdlib>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using core::text;

class tree_memory {
    struct block {
        block* next;
        std::size_t size, used;
    };

public:
    struct position {
        block* first_block;
        std::size_t used;
        registry::text_blocks::position texts;
    };

    tree_memory() noexcept {}
    tree_memory(const tree_memory&) = delete;

    // Returns zeroed memory that is aligned for any variable, or null if memory is exhausted.
    void* allocate(std::size_t bytes) noexcept {
        bytes = (bytes + 15) & ~std::size_t{15};
        if (first_ == nullptr || bytes > first_->size - first_->used) {
            if (!add_block(next_size_ < head_size + bytes ? head_size + bytes : next_size_)) return nullptr;
            if (next_size_ < largest_size) next_size_ *= 2;
        }
        char* const begin = reinterpret_cast<char*>(first_) + first_->used;
        first_->used += bytes;
        return std::memset(begin, 0, bytes); // not for the whole block, so that unused pages are not touched
    }
    // Reserves one block for `bytes` bytes of variables. If memory is exhausted, each later allocate() tries again.
    void reserve(std::size_t bytes) noexcept {
        if (first_ == nullptr || bytes > first_->size - first_->used) static_cast<void>(add_block(head_size + bytes));
    }
    // Returns a copy of a text. The tree owns the copy. If memory is exhausted, `characters` of the result is null.
    text copy_until_release(text source) noexcept {
        if (source.length == 0) return {};
        auto* const copy = static_cast<char*>(allocate(std::size_t{source.length} + 1));
        if (copy == nullptr) return {nullptr, 0};
        std::memcpy(copy, source.characters, source.length);
        return {copy, source.length};
    }
    // Returns a copy of a text in memory of the registry, or the text itself if the library keeps the texts.
    text copy(text source) noexcept {
        if (are_texts_in_place()) return source;
        registry::process_registry* const registry = registry::the_registry();
        return registry == nullptr ? text{nullptr, 0} : texts_.keep(*registry, source);
    }
    void* allocate_items(std::size_t bytes) noexcept {
        registry::process_registry* const registry = registry::the_registry();
        return registry == nullptr ? nullptr : texts_.room(*registry, bytes);
    }
    // Returns memory for a variable that contains its own name. In a group whose texts stay, records refer to the name,
    // and the memory is never freed.
    void* allocate_with_names(std::size_t bytes) noexcept {
        if (!are_texts_in_place()) return allocate(bytes);
        void* const memory = allocate_items(bytes);
        if (memory != nullptr) static_cast<void>(texts_.take(memory));
        return memory;
    }
    registry::text_blocks& texts() noexcept { return texts_; }
    // Returns true if texts are not copied, because the library keeps all texts until the end of the process.
    bool are_texts_in_place() const noexcept { return texts_.are_in_place(); }

    // The enumeration that was added last. A later enumeration with equal items shares the items.
    const core::enumeration_view& last_items() const noexcept { return last_items_; }
    void set_last_items(const core::enumeration_view& items) noexcept { last_items_ = items; }

    position current() const noexcept { return {first_, first_ == nullptr ? 0 : first_->used, texts_.present()}; }
    // Frees texts that were added after the position `to`. Frees variables after `to` only if no block was added.
    void rewind(const position& to) noexcept {
        texts_.go_back(to.texts);
        last_items_ = {};
        if (first_ != nullptr && first_ == to.first_block) first_->used = to.used;
    }
    // Frees all memory. The caller makes sure that no thread reads the tree.
    void release() noexcept {
        while (block* const last = first_) {
            first_ = last->next;
            std::free(last);
        }
        if (registry::process_registry* const registry = registry::cached_registry.load()) texts_.release(*registry);
    }

private:
    static constexpr std::size_t head_size = (sizeof(block) + 15) & ~std::size_t{15};
    static constexpr std::size_t first_size = 1024, largest_size = 32768;

    bool add_block(std::size_t size) noexcept {
        auto* const new_block = core::memory_is_left() ? static_cast<block*>(std::malloc(size)) : nullptr;
        if (new_block == nullptr) return false;
        new_block->next = first_;
        new_block->size = size;
        new_block->used = head_size;
        first_ = new_block;
        return true;
    }

    block* first_ = nullptr;
    std::size_t next_size_ = first_size;
    registry::text_blocks texts_;
    core::enumeration_view last_items_;
};

} // namespace internal
} // namespace mpit
