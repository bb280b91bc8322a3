// SPDX-License-Identifier: BSD-3-Clause
// The memory of a batch: reserved once, from the size of the tool's structure, so that nothing moves and no read
// allocates. Unused pages take no memory.
//
//   batch_memory all;  if (all.begin(sizeof(sample))) all.append(batch_pass::sums, 1);
#pragma once

#include <mpit/batch/tally.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

class batch_memory {
public:
    constexpr batch_memory() noexcept {}
    batch_memory(const batch_memory&) = delete;
    batch_memory& operator=(const batch_memory&) = delete;
    ~batch_memory() {
        if (memory_ != nullptr) core::release_memory(memory_, bytes_);
    }

    // Returns false without memory. The smallest field is a text of two bytes.
    bool begin(std::size_t bytes_of_sample) noexcept {
        if (memory_ != nullptr) return true;
        const std::size_t most_elements = bytes_of_sample / 2 + 1, most_variables = most_elements;
        bytes_ = most_elements * (list_count * sizeof(batch_element) + sizeof(batch_tally)) +
                 2 * most_variables * sizeof(batch_variable);
        char* next = memory_ = static_cast<char*>(core::pages(bytes_));
        if (memory_ == nullptr) return false;
        for (list& each : lists_) {
            each.first = reinterpret_cast<batch_element*>(next);
            next += most_elements * sizeof(batch_element);
        }
        tallies_.first = reinterpret_cast<batch_tally*>(next);
        variables_ = {reinterpret_cast<batch_variable*>(next + most_elements * sizeof(batch_tally)), 0};
        called_variables_ = {variables_.first + most_variables, 0};
        return true;
    }

    // Elements that one pass reads are adjacent.
    template <class T> struct range {
        T* first = nullptr;
        std::uint32_t count = 0;
        T* begin() const noexcept { return first; }
        T* end() const noexcept { return first + count; }
    };
    using list = range<batch_element>;
    const list& elements_of(batch_pass pass) const noexcept { return lists_[place_of(pass)]; }
    batch_element* append(batch_pass pass, std::uint32_t count) noexcept {
        list& elements = lists_[place_of(pass)];
        batch_element* first = elements.end();
        for (std::uint32_t i = 0; i < count; i++) new (core::place{first + i}) batch_element;
        elements.count += count;
        return first;
    }
    batch_variable& append_variable(batch_pass pass) noexcept {
        range<batch_variable>& variables = pass == batch_pass::calls ? called_variables_ : variables_;
        batch_variable& made = *new (core::place{variables.first + variables.count++}) batch_variable;
        made.pass = pass;
        return made;
    }
    batch_tally& append_tally() noexcept { return *new (core::place{tallies_.first + tallies_.count++}) batch_tally; }

    // Fields that are unloaded or could not be bound, with their elements; those behind it move.
    void remove(batch_variable& gone) noexcept {
        if (gone.pass != batch_pass::tallies) {
            const std::uint32_t count = gone.element_count();
            list& elements = lists_[place_of(gone.pass)];
            for (batch_element* element = gone.elements; element + count < elements.end(); element++)
                move(element[count], *element);
            elements.count -= count;
            for_each_variable([&](batch_variable& other) {
                if (other.pass == gone.pass && other.elements > gone.elements)
                    other.elements -= count;
            });
        } else {
            gone.elements->source.store(nullptr);
        }
        range<batch_variable>& variables = gone.pass == batch_pass::calls ? called_variables_ : variables_;
        for (batch_variable* variable = &gone; variable + 1 < variables.end(); variable++) move(variable[1], *variable);
        variables.count--;
    }

    const range<batch_variable>& called_variables() const noexcept { return called_variables_; }
    const range<batch_tally>& tallies() const noexcept { return tallies_; }
    template <class Visit> void for_each_variable(Visit visit) const noexcept {
        for (batch_variable& each : variables_) visit(each);
        for (batch_variable& each : called_variables_) visit(each);
    }

private:
    static constexpr int list_count = element_pass_count + 1; // the last one is of the variables that are called
    static int place_of(batch_pass pass) noexcept {
        return static_cast<int>(pass) < element_pass_count ? static_cast<int>(pass) : element_pass_count;
    }
    static void move(const batch_element& source, batch_element& target) noexcept {
        target.state.overwrite(source.state.load());
        target.source.store(source.source.load());
        target.distance = source.distance;
        target.offset = source.offset;
        target.form = source.form;
    }
    static void move(const batch_variable& source, batch_variable& target) noexcept {
        target.target = source.target;
        target.elements = source.elements;
        target.offset = source.offset;
        target.bytes = source.bytes;
        target.pass = source.pass;
        target.is_gone.store(source.is_gone.load());
    }

    char* memory_ = nullptr;
    std::size_t bytes_ = 0;
    list lists_[list_count];
    range<batch_tally> tallies_;
    range<batch_variable> variables_, called_variables_;
};

} // namespace session
} // namespace mpit
