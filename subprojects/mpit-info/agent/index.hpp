// The registry of the process, which an agent calls the index, where it may come later: a library that embeds mpit is
// opened, or publishes its first variables, while the program runs.
//
//   index_search index;   if (index.open()) …   // from here on the variables of the index can be read
#pragma once

#include "fork_gate.hpp"

#include <mpit/module/discovery.hpp>
#include <mpit/module/registrar.hpp>
#include <mpit/tool/library.hpp>
#include <mpit/version.hpp>

#include <link.h>

namespace mpit_info {

template <class Interface> constexpr bool is_of_index = std::is_same_v<Interface, mpit::tool::over_registry>;
// An interface of an MPI that reads the index besides it (over_mpi_and_registry.hpp) has a function that publishes.
template <class Interface> constexpr bool is_beside_index = requires { Interface::publish(); };

// Publishes what has been declared since the index was opened.
template <class Interface> void publish_declared() {
    if constexpr (is_of_index<Interface>) static_cast<void>(mpit::tool::library<Interface>{});
    if constexpr (is_beside_index<Interface>) Interface::publish();
}
// Whether a number stands for a variable of the index.
template <class Interface> bool is_in_index(mpit::tool::kind of, int number) noexcept {
    if constexpr (is_beside_index<Interface>) return Interface::is_of_registry(of, number);
    else return is_of_index<Interface>;
}

// Asking again costs some microseconds: shared objects are looked through only if some have come or gone. It opens no
// file, where the_registry() reads the list of the process's mappings if a library was closed.
class index_search {
public:
    // Finds the index and prepares it for forks. Call this outside of the gate. Returns false if there is no index yet.
    bool open() noexcept {
        mpit::registry::process_registry* index = nullptr;
        {
            const inside_gate reading;
            if (mpit::registry::cached_registry.load() != nullptr || is_there()) index = mpit::registry::the_registry();
        }
        return index != nullptr && mpit::registry::become_registrar(*index);
    }

private:
    using cell = mpit::registry::detail::discovery_cell;

    bool is_there() noexcept {
        is_found_ = false;
        is_first_ = true;
        dl_iterate_phdr([](dl_phdr_info* object, std::size_t size, void* argument) noexcept {
            return static_cast<int>(static_cast<index_search*>(argument)->visit(*object, size));
        }, this);
        return is_found_;
    }
    // Returns whether the rest need not be visited. No object comes or goes meanwhile.
    bool visit(const dl_phdr_info& object, std::size_t size) noexcept {
        const bool has_numbers = size >= offsetof(dl_phdr_info, dlpi_subs) + sizeof object.dlpi_subs;
        if (std::exchange(is_first_, false)) {
            const bool are_known =
                has_numbers && come_ == object.dlpi_adds && gone_ == object.dlpi_subs && count_ <= most_cells;
            for (int i = 0; are_known && i < count_; i++) look_into(*cells_[i]);
            if (are_known) return true;
            come_ = has_numbers ? object.dlpi_adds : 0;
            gone_ = has_numbers ? object.dlpi_subs : 0;
            count_ = 0;
        }
        for (int i = 0; i < object.dlpi_phnum; i++)
            if (const ElfW(Phdr)& segment = object.dlpi_phdr[i]; segment.p_type == PT_NOTE && segment.p_align <= 4)
                visit_notes(reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr), segment.p_memsz);
        return false;
    }
    void visit_notes(const char* note, std::size_t size) noexcept {
        const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
        for (const char* end = note + size; note + sizeof(ElfW(Nhdr)) <= end;) {
            ElfW(Nhdr) header;
            std::memcpy(&header, note, sizeof header);
            cell* const found = mpit::registry::detail::cell_in_note(note, header);
            if (found != nullptr && header.n_type == mpit::version::layout) {
                if (count_ < most_cells) cells_[count_] = found;
                count_++;
                look_into(*found);
            }
            note += sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
        }
    }
    void look_into(const cell& of_object) noexcept {
        const mpit::registry::process_registry* const there = of_object.load();
        is_found_ = is_found_ || (there != nullptr && there->fingerprint == mpit::registry::fingerprint_of_layout);
    }

    static constexpr int most_cells = 64; // of more objects with mpit none is kept
    cell* cells_[most_cells];
    int count_ = most_cells + 1;
    unsigned long long come_ = 0, gone_ = 0;
    bool is_found_ = false, is_first_ = true;
};

} // namespace mpit_info
