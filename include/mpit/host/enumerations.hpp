// SPDX-License-Identifier: BSD-3-Clause
// Stores copies of the enumerations of the host MPI. Equal enumerations share one copy (hash consing).
//
//   MPI_T_enum handle = enumerations.handle_of(host_handle, memory);   enumerations.find(handle)->count
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/host/functions.hpp>
#include <mpit/host/reader.hpp>
#include <mpit/mpi_t/shim.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL host {

using core::atomic;

// Tools receive handles of mpit for the enumerations of the host MPI. The handle of a host enumeration consists of
// host_enumeration_tag and of the enumeration's index in host_enumerations.
inline constexpr std::uint64_t host_enumeration_tag =
    descriptor::handle_tag::in_word(descriptor::handle_tag::host_enumeration);

class host_enumerations {
public:
    // Returns the copy of an enumeration for a handle that handle_of() has returned, or null for any other handle.
    const registry::enumeration_record* find(MPI_T_enum handle) const noexcept {
        const std::uint64_t index = mpi_t::word_of(handle) ^ host_enumeration_tag;
        return index < enumeration_count_.load() ? enumerations_.at(static_cast<std::uint32_t>(index)) : nullptr;
    }
    // Returns mpit's handle for an enumeration of the host MPI. Only one thread at a time may call this function. The
    // release store of enumeration_count_ after a new element pairs with the acquire load in find().
    MPI_T_enum handle_of(MPI_T_enum host_handle, core::arena& memory) noexcept {
        if (host_handle == MPI_T_ENUM_NULL || !the_host.has(function_group::enumerations)) return MPI_T_ENUM_NULL;
        for (std::uint32_t i = 0; i < enumeration_count_.load(); i++)
            if (is_equal(host_handle, *enumerations_.at(i)))
                return mpi_t::handle_of<MPI_T_enum>(host_enumeration_tag | i);
        auto* record = memory.make<registry::enumeration_record>();
        if (record == nullptr || !read(host_handle, *record, memory)) return MPI_T_ENUM_NULL;
        const std::uint32_t index = enumeration_count_.load();
        atomic<registry::enumeration_record*>* element = enumerations_.ensure(index);
        if (element == nullptr) return MPI_T_ENUM_NULL;
        element->store(record);
        enumeration_count_.store(index + 1);
        return mpi_t::handle_of<MPI_T_enum>(host_enumeration_tag | index);
    }

private:
    static bool read(MPI_T_enum enumeration, registry::enumeration_record& record, core::arena& memory) noexcept {
        core::enumeration_item* items = nullptr;
        const auto begin = [&](text name, int count) noexcept {
            items = static_cast<core::enumeration_item*>(
                memory.allocate(static_cast<std::size_t>(count) * sizeof(core::enumeration_item)));
            record.count = count;
            return (items != nullptr || count == 0) && copy(memory, name, record.name);
        };
        const auto item = [&](int i, int value, text name) noexcept {
            auto* item_copy = new (core::placement{&items[i]}) core::enumeration_item;
            item_copy->value = value;
            return copy(memory, name, item_copy->name);
        };
        if (!mpi_reader<const host_functions&>{the_host}.enumeration(enumeration, begin, item)) return false;
        record.items = items;
        return true;
    }
    static bool copy(core::arena& memory, text source, text& target) noexcept {
        if (source.length == 0) return true;
        auto* buffer = static_cast<char*>(memory.allocate(source.length + 1));
        if (buffer == nullptr) return false;
        std::memcpy(buffer, source.characters, source.length);
        buffer[source.length] = '\0';
        target = {buffer, source.length};
        return true;
    }
    // Compares an enumeration of the host MPI with a copy, without copying the enumeration.
    static bool is_equal(MPI_T_enum enumeration, const registry::enumeration_record& record) noexcept {
        const auto begin = [&](text name, int count) noexcept {
            return count == record.count && core::equal(name, record.name);
        };
        const auto item = [&](int i, int value, text name) noexcept {
            return value == record.items[i].value && core::equal(name, record.items[i].name);
        };
        return mpi_reader<const host_functions&>{the_host}.enumeration(enumeration, begin, item);
    }

    core::append_array<registry::enumeration_record*> enumerations_;
    atomic<std::uint32_t> enumeration_count_;
};

} // namespace host
} // namespace mpit
