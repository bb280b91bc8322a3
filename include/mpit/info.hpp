// SPDX-License-Identifier: BSD-3-Clause
// Hints as a value: pairs of texts, each key once, in the order of their insertion. An MPI_Info object holds one, and
// the library uses it internally; it needs no mpi.h and takes no lock (MPI-5.0, chapter 10).
//
//   mpit::info hints;
//   if (hints.set("buffer_size", "64") == mpit::info_result::success)
//       for (auto [key, value] : hints) print(key.characters, value.characters);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/concurrency/arena.hpp>
#include <mpit/core/text.hpp>

#include <cstdlib>

namespace mpit::inline v0_1 {

// The result of a change of hints; whatever is not success has changed nothing.
enum class [[nodiscard]] info_result : std::uint8_t { success, bad_key, bad_value, no_key, out_of_memory };

// The longest `key` and the longest `value`, in characters without the null behind them. Those of the MPI-5.0 ABI where
// nothing is said.
struct info_limits {
    std::uint32_t key = 255;
    std::uint32_t value = 1023;
};

// Hints: pairs of a key and a value. While a thread changes an object no other thread uses it; distinct objects are
// independent. Not for signal handlers, because the texts are allocated with malloc().
class info {
public:
    // A pair: `key` and `value` end in a null and stay where they are until their key is set or erased.
    struct entry {
        core::text key;
        core::text value;
    };

    MPIT_MODULE_LOCAL constexpr info() noexcept {}
    // Without memory the copy is empty; duplicate() says so.
    info(const info& source) noexcept { static_cast<void>(source.duplicate(*this)); }
    MPIT_MODULE_LOCAL info(info&& source) noexcept { exchange(source); }
    // Without memory the hints stay as they are.
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): duplicate() compares the addresses.
    MPIT_MODULE_LOCAL info& operator=(const info& source) noexcept {
        static_cast<void>(source.duplicate(*this));
        return *this;
    }
    MPIT_MODULE_LOCAL info& operator=(info&& source) noexcept {
        exchange(source);
        return *this;
    }
    MPIT_MODULE_LOCAL ~info() {
        clear();
        std::free(entries_);
    }

    // The number of pairs.
    MPIT_MODULE_LOCAL std::uint32_t size() const noexcept { return size_; }
    MPIT_MODULE_LOCAL const entry* begin() const noexcept { return entries_; }
    MPIT_MODULE_LOCAL const entry* end() const noexcept { return entries_ + size_; }
    MPIT_MODULE_LOCAL const entry& operator[](std::uint32_t number) const noexcept { return entries_[number]; }

    // The value of a key, or null.
    MPIT_MODULE_LOCAL const core::text* find(core::text key) const noexcept {
        const std::uint32_t found = number_of(key);
        return found < size_ ? &entries_[found].value : nullptr;
    }
    // Whether the key is there.
    MPIT_MODULE_LOCAL bool contains(core::text key) const noexcept { return number_of(key) < size_; }

    // Copies both texts. A key that is there keeps its place. Neither text may have a null inside, since no reader in C
    // could see what is behind it; a value may be empty.
    // Returns bad_key or bad_value for a text that is too long, and out_of_memory.
    MPIT_MODULE_LOCAL info_result set(core::text key, core::text value, info_limits longest = {}) noexcept {
        if (key.length == 0 || key.length > longest.key || has_null(key)) return info_result::bad_key;
        if (value.length > longest.value || has_null(value)) return info_result::bad_value;
        const std::uint32_t number = number_of(key);
        if (number == capacity_ && !grow()) return info_result::out_of_memory;
        const entry fresh = copy_of(key, value);
        if (fresh.key.length == 0) return info_result::out_of_memory;
        if (number < size_) release(entries_[number]);
        else size_++;
        entries_[number] = fresh;
        return info_result::success;
    }
    // Removes a pair; those behind it move up. Returns no_key if the key is not there.
    MPIT_MODULE_LOCAL info_result erase(core::text key) noexcept {
        const std::uint32_t number = number_of(key);
        if (number == size_) return info_result::no_key;
        release(entries_[number]);
        size_--;
        for (std::uint32_t i = number; i < size_; i++) entries_[i] = entries_[i + 1];
        return info_result::success;
    }
    // Removes all pairs.
    MPIT_MODULE_LOCAL void clear() noexcept {
        while (size_ != 0) release(entries_[--size_]);
    }

    // Makes `target` equal to this. Returns out_of_memory, and leaves `target` as it is, without memory.
    MPIT_MODULE_LOCAL info_result duplicate(info& target) const noexcept {
        if (&target == this) return info_result::success;
        info fresh;
        for (const entry& each : *this)
            if (fresh.set(each.key, each.value, {each.key.length, each.value.length}) != info_result::success)
                return info_result::out_of_memory;
        target.exchange(fresh);
        return info_result::success;
    }
    // Exchanges all pairs with those of the other object. Allocates nothing.
    MPIT_MODULE_LOCAL void exchange(info& other) noexcept {
        exchange(entries_, other.entries_);
        exchange(size_, other.size_);
        exchange(capacity_, other.capacity_);
    }

    // The same pairs in the same order: equal hints cannot be told apart.
    friend bool operator==(const info& a, const info& b) noexcept {
        if (a.size_ != b.size_) return false;
        for (std::uint32_t i = 0; i < a.size_; i++)
            if (!equal(a[i].key, b[i].key) || !equal(a[i].value, b[i].value)) return false;
        return true;
    }

private:
    template <class T> MPIT_MODULE_LOCAL static void exchange(T& a, T& b) noexcept {
        const T kept = a;
        a = b;
        b = kept;
    }
    MPIT_MODULE_LOCAL static bool has_null(core::text t) noexcept {
        return t.length != 0 && std::memchr(t.characters, '\0', t.length) != nullptr;
    }

    // The size where the key is not there.
    MPIT_MODULE_LOCAL std::uint32_t number_of(core::text key) const noexcept {
        std::uint32_t number = 0;
        while (number < size_ && !equal(entries_[number].key, key)) number++;
        return number;
    }
    MPIT_MODULE_LOCAL bool grow() noexcept {
        const std::uint32_t wanted = capacity_ == 0 ? 4 : 2 * capacity_;
        if (!core::memory_is_left()) return false;
        void* larger = std::realloc(entries_, wanted * sizeof(entry));
        if (larger == nullptr) return false;
        entries_ = static_cast<entry*>(larger);
        capacity_ = wanted;
        return true;
    }
    // One block, which begins with the key; an empty key means that there is no memory.
    MPIT_MODULE_LOCAL static entry copy_of(core::text key, core::text value) noexcept {
        const std::size_t bytes = std::size_t{key.length} + value.length + 2;
        char* block = core::memory_is_left() ? static_cast<char*>(std::malloc(bytes)) : nullptr;
        if (block == nullptr) return {};
        char* copied_value = block + key.length + 1;
        copy(key, block);
        copy(value, copied_value);
        return {{block, key.length}, {copied_value, value.length}};
    }
    MPIT_MODULE_LOCAL static void copy(core::text source, char* target) noexcept {
        if (source.length != 0) std::memcpy(target, source.characters, source.length);
        target[source.length] = '\0';
    }
    MPIT_MODULE_LOCAL static void release(const entry& ended) noexcept {
        std::free(const_cast<char*>(ended.key.characters));
    }

    entry* entries_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 0;
};

} // namespace mpit

#pragma GCC diagnostic pop // of begin.hpp
