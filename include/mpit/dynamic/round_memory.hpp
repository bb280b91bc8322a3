// SPDX-License-Identifier: BSD-3-Clause
// The memory of what one round of a group adds: variables in blocks that end with the round, texts in memory of the
// registry, which stays as long as a record refers to them.
//
//   round_memory memory;   void* at = memory.take(sizeof(variable));   text name = memory.texts().keep(source);   memory.release();
#pragma once

#include <mpit/module/the_registry.hpp>
#include <mpit/registry/text_blocks.hpp>

#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using core::text;

class round_memory {
    struct block {
        block* next;
        std::size_t size, used;
    };

public:
    struct position {
        block* of_variables;
        std::size_t used;
        registry::text_blocks::position of_texts;
    };

    round_memory() noexcept {}
    round_memory(const round_memory&) = delete;

    // Zeroed, at an address for any variable; null without memory.
    void* take(std::size_t bytes) noexcept {
        bytes = (bytes + 15) & ~std::size_t{15};
        if (first_ == nullptr || bytes > first_->size - first_->used) {
            if (!add_block(next_size_ < head + bytes ? head + bytes : next_size_)) return nullptr;
            if (next_size_ < largest_size) next_size_ *= 2;
        }
        char* const begin = reinterpret_cast<char*>(first_) + first_->used;
        first_->used += bytes;
        return std::memset(begin, 0, bytes); // now: a page of the block that nothing uses stays untouched
    }
    // Room for so many bytes of variables, so that they need one allocation. Without memory each variable tries again.
    void expect(std::size_t bytes) noexcept {
        if (first_ == nullptr || bytes > first_->size - first_->used) static_cast<void>(add_block(head + bytes));
    }
    // A copy that ends with the round; its characters are null without memory. The empty one needs none.
    text keep_for_round(text source) noexcept {
        if (source.length == 0) return {};
        auto* const copy = static_cast<char*>(take(std::size_t{source.length} + 1));
        if (copy == nullptr) return {nullptr, 0};
        std::memcpy(copy, source.characters, source.length);
        return {copy, source.length};
    }
    // A copy that records may refer to, or the text itself if it stays where it is.
    text keep(text source) noexcept {
        if (are_texts_in_place()) return source;
        registry::process_registry* const known = registry::the_registry();
        return known == nullptr ? text{nullptr, 0} : texts_.keep(*known, source);
    }
    void* room_for_items(std::size_t bytes) noexcept {
        registry::process_registry* const known = registry::the_registry();
        return known == nullptr ? nullptr : texts_.room(*known, bytes);
    }
    registry::text_blocks& texts() noexcept { return texts_; }
    // Whether no text is to be kept, because all stay where they are.
    bool are_texts_in_place() const noexcept { return texts_.are_in_place(); }

    // The items that were kept last, which a later enumeration may have as well.
    const core::enumeration_view& last_items() const noexcept { return last_items_; }
    void remember_items(const core::enumeration_view& kept) noexcept { last_items_ = kept; }

    position present() const noexcept { return {first_, first_ == nullptr ? 0 : first_->used, texts_.present()}; }
    // Forgets what was taken since then, as far as it is in one block.
    void go_back(const position& to) noexcept {
        texts_.go_back(to.of_texts);
        last_items_ = {};
        if (first_ != nullptr && first_ == to.of_variables) first_->used = to.used;
    }
    // Not to be called while a reader is left.
    void release() noexcept {
        while (block* const ended = first_) {
            first_ = ended->next;
            std::free(ended);
        }
        if (registry::process_registry* const known = registry::known_registry.load()) texts_.release(*known);
    }

private:
    static constexpr std::size_t head = (sizeof(block) + 15) & ~std::size_t{15};
    static constexpr std::size_t first_size = 1024, largest_size = 32768;

    bool add_block(std::size_t size) noexcept {
        auto* const made = core::memory_is_left() ? static_cast<block*>(std::malloc(size)) : nullptr;
        if (made == nullptr) return false;
        made->next = first_;
        made->size = size;
        made->used = head;
        first_ = made;
        return true;
    }

    block* first_ = nullptr;
    std::size_t next_size_ = first_size;
    registry::text_blocks texts_;
    core::enumeration_view last_items_;
};

} // namespace internal
} // namespace mpit
