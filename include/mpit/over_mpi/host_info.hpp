// SPDX-License-Identifier: BSD-3-Clause
// What the host's queries return, read once and kept: an answer to a tool does not change when the host closes a
// plugin, and a host that fails later leaves no output unset. Of our own variables only what both have is kept; the
// rest is read from their records. A category may be of both.
//
//   host_variable* v = facts.control(7);   // null if the host answers an error
#pragma once

#include <mpit/host/defects.hpp>
#include <mpit/host/enumerations.hpp>
#include <mpit/over_mpi/merged_numbers.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

using host::function_group;
using host::the_host;

// A scope for control variables; for performance variables the three flags.
struct host_variable : merged_entry {
    int verbosity = 0;
    int binding = 0;
    int scope = 0;
    int readonly = 0;
    int continuous = 0;
    int atomically = 0;
    MPI_Datatype type{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL; // as tools see it
};

struct host_event : merged_entry {
    int verbosity = 0;
    int binding = 0;
    int element_count = 0;
    MPI_Datatype* datatypes = nullptr; // one of each element, and its displacement
    MPI_Aint* displacements = nullptr;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
};

struct host_source : merged_entry {
    MPI_T_source_order ordering{};
    MPI_Count ticks_per_second = 0;
    MPI_Count max_ticks = 0;
};

// The members of one kind that tools see, by their numbers; they are only added, by one thread at a time.
class merged_members {
public:
    int count() const noexcept { return count_.load(); }
    // Stores the first members, at most `room` of them.
    void copy(int room, int* numbers) const noexcept {
        int left = count() < room ? count() : room;
        for (const piece* p = &first_; left > 0; p = p->next.load(), left -= piece_size, numbers += piece_size)
            std::memcpy(numbers, p->numbers,
                        static_cast<std::size_t>(left < piece_size ? left : piece_size) * sizeof *numbers);
    }
    bool holds(int number) const noexcept {
        const piece* p = &first_;
        for (int i = 0; i < count(); i++) {
            if (i != 0 && i % piece_size == 0) p = p->next.load();
            if (p->numbers[i % piece_size] == number) return true;
        }
        return false;
    }
    // Does nothing without memory.
    void add(int number, core::arena& memory) noexcept {
        const int count = count_.load(core::relaxed);
        if (count != 0 && count % piece_size == 0) {
            auto* fresh = memory.make<piece>();
            if (fresh == nullptr) return;
            last_->next.store(fresh);
            last_ = fresh;
        }
        last_->numbers[count % piece_size] = number;
        count_.store(count + 1);
    }

private:
    static constexpr int piece_size = 12; // most categories are small
    struct piece {
        int numbers[piece_size]{};
        atomic<piece*> next;
    };

    atomic<int> count_;
    piece first_;
    piece* last_ = &first_;
};

// A category of the host, of ours, or of both.
struct merged_category : merged_entry {
    merged_members controls, performances, categories, events;
};

class host_info {
public:
    // Everything. Returns null if the host answers an error, gives no name, or there is no memory.
    host_variable* control(int host_number) noexcept {
        return make<host_variable>([&](host_variable& v, auto room) { return host.control(host_number, v, room); });
    }
    host_variable* performance(int host_number) noexcept {
        return make<host_variable>([&](host_variable& v, auto room) { return host.performance(host_number, v, room); });
    }
    host_event* event(int host_number) noexcept {
        return make<host_event>([&](host_event& e, auto room) {
            return host.event(host_number, e, room, [&](int count) noexcept { return make_room(e, count); });
        });
    }
    host_source* source(int host_number) noexcept {
        return make<host_source>([&](host_source& s, auto room) { return host.source(host_number, s, room); });
    }
    merged_category* category(int host_number) noexcept {
        const auto read = [&](merged_category& c, auto room) { return host.category(host_number, c, room); };
        return make<merged_category>(read);
    }

    // Returns false without memory, and the name as it was.
    bool append(text& target, text suffix) noexcept {
        const std::uint32_t length = target.length + suffix.length;
        auto* room = static_cast<char*>(memory.allocate(length + 1));
        if (room == nullptr) return false;
        std::memcpy(room, target.characters, target.length);
        std::memcpy(room + target.length, suffix.characters, suffix.length);
        room[length] = '\0';
        target = {room, length};
        return true;
    }

    const host::mpi_reader<const host::host_functions&> host{the_host};
    core::arena memory;
    host::host_enumerations enumerations;

private:
    template <class Entry, class Read> Entry* make(Read read) noexcept {
        auto* made = memory.make<Entry>();
        const auto room = [this](std::size_t bytes) noexcept { return static_cast<char*>(memory.allocate(bytes)); };
        if (made == nullptr || read(*made, room) != MPI_SUCCESS) return nullptr;
        made->is_of_host = true;
        if constexpr (requires { made->enumeration; })
            made->enumeration = enumerations.handle_of(made->enumeration, memory);
        return made;
    }
    // For the elements of an event, whose number is known then.
    bool make_room(host_event& event, int count) noexcept {
        const auto size = static_cast<std::size_t>(count == 0 ? 1 : count);
        event.datatypes = static_cast<MPI_Datatype*>(memory.allocate(size * sizeof(MPI_Datatype)));
        event.displacements = static_cast<MPI_Aint*>(memory.allocate(size * sizeof(MPI_Aint)));
        return event.datatypes != nullptr && event.displacements != nullptr;
    }
};

} // namespace over_mpi
} // namespace mpit
