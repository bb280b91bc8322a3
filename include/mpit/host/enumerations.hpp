// SPDX-License-Identifier: BSD-3-Clause
// The enumerations of the host, read once and kept. Enumerations with equal items are one.
//
//   MPI_T_enum as_tools_see_it = enumerations.handle_of(of_host, memory);   enumerations.find(as_tools_see_it)->count
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/host/functions.hpp>
#include <mpit/host/reader.hpp>
#include <mpit/mpi_t/shim.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

using core::atomic;

// The handle of one of the host's enumerations is its number here behind a tag of its own.
inline constexpr std::uint64_t host_enumeration_tag =
    descriptor::handle_tag::in_word(descriptor::handle_tag::host_enumeration);

class host_enumerations {
public:
    // One of the host's enumerations by the handle that tools see, or null.
    const registry::enumeration_record* find(MPI_T_enum handle) const noexcept {
        const std::uint64_t number = mpi_t::word_of(handle) ^ host_enumeration_tag;
        return number < enumeration_count_.load() ? enumerations_.get(static_cast<std::uint32_t>(number)) : nullptr;
    }
    // The handle that tools see for one of the host's.
    MPI_T_enum handle_of(MPI_T_enum of_host, core::arena& memory) noexcept {
        if (of_host == MPI_T_ENUM_NULL || !the_host.has(function_group::enumerations)) return MPI_T_ENUM_NULL;
        auto* made = memory.make<registry::enumeration_record>();
        if (made == nullptr || !read(of_host, *made, memory)) return MPI_T_ENUM_NULL;
        for (std::uint32_t i = 0; i < enumeration_count_.load(); i++)
            if (is_same(*enumerations_.get(i), *made)) return mpi_t::handle_of<MPI_T_enum>(host_enumeration_tag | i);
        const std::uint32_t number = enumeration_count_.load();
        atomic<registry::enumeration_record*>* place = enumerations_.place(number);
        if (place == nullptr) return MPI_T_ENUM_NULL;
        place->store(made);
        enumeration_count_.store(number + 1);
        return mpi_t::handle_of<MPI_T_enum>(host_enumeration_tag | number);
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
            auto* copied = new (core::place{&items[i]}) core::enumeration_item;
            copied->value = value;
            return copy(memory, name, copied->name);
        };
        if (!mpi_reader<const host_functions&>{the_host}.enumeration(enumeration, begin, item)) return false;
        record.items = items;
        record.hash = core::hash(record.name, static_cast<std::uint32_t>(record.count));
        return true;
    }
    static bool copy(core::arena& memory, text source, text& target) noexcept {
        if (source.length == 0) return true;
        auto* room = static_cast<char*>(memory.allocate(source.length + 1));
        if (room == nullptr) return false;
        std::memcpy(room, source.characters, source.length);
        room[source.length] = '\0';
        target = {room, source.length};
        return true;
    }
    static bool is_same(const registry::enumeration_record& a, const registry::enumeration_record& b) noexcept {
        if (a.hash != b.hash || a.count != b.count || !core::equal(a.name, b.name)) return false;
        for (int i = 0; i < a.count; i++)
            if (a.items[i].value != b.items[i].value || !core::equal(a.items[i].name, b.items[i].name)) return false;
        return true;
    }

    core::append_array<registry::enumeration_record*> enumerations_;
    atomic<std::uint32_t> enumeration_count_;
};

} // namespace host
} // namespace mpit
