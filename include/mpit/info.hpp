// SPDX-License-Identifier: BSD-3-Clause
// A list of hints, which are pairs of texts. The keys are unique and in insertion order. An MPI_Info object contains an
// mpit::info, and mpit itself also uses this type. mpit::info needs no mpi.h and uses no lock (MPI-5.0, chapter 10).
//
//   mpit::info hints;
//   if (hints.set("buffer_size", "64") == mpit::info_result::success)
//       for (auto [key, value] : hints) print(key.characters, value.characters);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/concurrency/arena.hpp>
#include <mpit/core/text.hpp>

#include <cstdlib>

namespace mpit::inline v1_0 {

// The result of a change of hints. After any result other than success, the hints are unchanged.
enum class [[nodiscard]] info_result : std::uint8_t { success, bad_key, bad_value, no_key, out_of_memory };

// The largest lengths of a `key` and of a `value`, in characters without the terminating null. The defaults are the
// limits of the MPI-5.0 ABI.
struct info_limits {
    std::uint32_t key = 255;
    std::uint32_t value = 1023;
};

// A list of hints, which are pairs of a key and a value. While a thread changes a list, no other thread may use the
// list. Several threads may use different lists at once. Signal handlers must not use a list, which allocates memory.
class info {
public:
    // A hint. The texts `key` and `value` end in a null, and are valid until a call sets or erases the key.
    struct entry {
        core::text key;
        core::text value;
    };

    MPIT_MODULE_LOCAL constexpr info() noexcept {}
    // If memory is exhausted, the copy is empty. Unlike the copy constructor, duplicate() returns an error.
    info(const info& source) noexcept { static_cast<void>(source.duplicate(*this)); }
    MPIT_MODULE_LOCAL info(info&& source) noexcept { exchange(source); }
    // Copies the hints. If memory is exhausted, this object does not change.
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

    // Returns the number of hints.
    MPIT_MODULE_LOCAL std::uint32_t size() const noexcept { return size_; }
    MPIT_MODULE_LOCAL const entry* begin() const noexcept { return entries_; }
    MPIT_MODULE_LOCAL const entry* end() const noexcept { return entries_ + size_; }
    MPIT_MODULE_LOCAL const entry& operator[](std::uint32_t index) const noexcept { return entries_[index]; }

    // Returns the value of a key, or null if no hint has the key.
    MPIT_MODULE_LOCAL const core::text* find(core::text key) const noexcept {
        const std::uint32_t index = index_of(key);
        return index < size_ ? &entries_[index].value : nullptr;
    }
    // Returns true if a hint has the key.
    MPIT_MODULE_LOCAL bool contains(core::text key) const noexcept { return index_of(key) < size_; }

    // Sets a key to a copy of a value. An existing key keeps its index. The key and the value must not contain a null
    // character, because C code would not see the characters after the null. A value may be empty. Returns bad_key or
    // bad_value for a text that is too long or contains a null, bad_key for an empty key, and out_of_memory if memory
    // is exhausted.
    MPIT_MODULE_LOCAL info_result set(core::text key, core::text value, info_limits limits = {}) noexcept {
        if (key.length == 0 || key.length > limits.key || has_null(key)) return info_result::bad_key;
        if (value.length > limits.value || has_null(value)) return info_result::bad_value;
        const std::uint32_t index = index_of(key);
        if (index == capacity_ && !grow()) return info_result::out_of_memory;
        const entry new_entry = copy_of(key, value);
        if (new_entry.key.length == 0) return info_result::out_of_memory;
        if (index < size_) release(entries_[index]);
        else size_++;
        entries_[index] = new_entry;
        return info_result::success;
    }
    // Removes a hint, and decreases the index of each later hint by 1. Returns no_key if no hint has the key.
    MPIT_MODULE_LOCAL info_result erase(core::text key) noexcept {
        const std::uint32_t index = index_of(key);
        if (index == size_) return info_result::no_key;
        release(entries_[index]);
        size_--;
        for (std::uint32_t i = index; i < size_; i++) entries_[i] = entries_[i + 1];
        return info_result::success;
    }
    // Removes all hints from this object.
    MPIT_MODULE_LOCAL void clear() noexcept {
        while (size_ != 0) release(entries_[--size_]);
    }

    // Makes `target` equal to this object. If memory is exhausted, returns out_of_memory and does not change `target`.
    MPIT_MODULE_LOCAL info_result duplicate(info& target) const noexcept {
        if (&target == this) return info_result::success;
        info copy;
        for (const entry& pair : *this)
            if (copy.set(pair.key, pair.value, {pair.key.length, pair.value.length}) != info_result::success)
                return info_result::out_of_memory;
        target.exchange(copy);
        return info_result::success;
    }
    // Exchanges all hints of this object and of `other`. Allocates nothing.
    MPIT_MODULE_LOCAL void exchange(info& other) noexcept {
        exchange(entries_, other.entries_);
        exchange(size_, other.size_);
        exchange(capacity_, other.capacity_);
    }

    // True if both objects have equal hints in the same order.
    friend bool operator==(const info& a, const info& b) noexcept {
        if (a.size_ != b.size_) return false;
        for (std::uint32_t i = 0; i < a.size_; i++)
            if (!equal(a[i].key, b[i].key) || !equal(a[i].value, b[i].value)) return false;
        return true;
    }

private:
    template <class T> MPIT_MODULE_LOCAL static void exchange(T& a, T& b) noexcept {
        const T old_a = a;
        a = b;
        b = old_a;
    }
    MPIT_MODULE_LOCAL static bool has_null(core::text t) noexcept {
        return t.length != 0 && std::memchr(t.characters, '\0', t.length) != nullptr;
    }

    // Returns the index of the hint with a key, or size_ if no hint has the key.
    MPIT_MODULE_LOCAL std::uint32_t index_of(core::text key) const noexcept {
        std::uint32_t index = 0;
        while (index < size_ && !equal(entries_[index].key, key)) index++;
        return index;
    }
    MPIT_MODULE_LOCAL bool grow() noexcept {
        const std::uint32_t new_capacity = capacity_ == 0 ? 4 : 2 * capacity_;
        if (!core::memory_is_left()) return false;
        void* larger = std::realloc(entries_, new_capacity * sizeof(entry));
        if (larger == nullptr) return false;
        entries_ = static_cast<entry*>(larger);
        capacity_ = new_capacity;
        return true;
    }
    // Copies the key and then the value to one memory block. If memory is exhausted, returns an empty key.
    MPIT_MODULE_LOCAL static entry copy_of(core::text key, core::text value) noexcept {
        const std::size_t bytes = std::size_t{key.length} + value.length + 2;
        char* block = core::memory_is_left() ? static_cast<char*>(std::malloc(bytes)) : nullptr;
        if (block == nullptr) return {};
        char* value_copy = block + key.length + 1;
        copy(key, block);
        copy(value, value_copy);
        return {{block, key.length}, {value_copy, value.length}};
    }
    MPIT_MODULE_LOCAL static void copy(core::text source, char* target) noexcept {
        if (source.length != 0) std::memcpy(target, source.characters, source.length);
        target[source.length] = '\0';
    }
    MPIT_MODULE_LOCAL static void release(const entry& pair) noexcept {
        std::free(const_cast<char*>(pair.key.characters));
    }

    entry* entries_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 0;
};

} // namespace mpit

#pragma GCC diagnostic pop // of begin.hpp
