// MPI-5.0, 15.3.9 on top of a host: categories of both by name, the host's members of one before ours. Events are ours alone.
#pragma once

#include <mpit/stack/control.hpp>

#include <cstdlib>

namespace mpit::inline v0_1::stack {

// Room for numbers that are only looked at; most lists are short.
class temporary_numbers {
public:
    explicit temporary_numbers(int count) noexcept
        : numbers{count <= few ? few_ : static_cast<int*>(std::malloc(static_cast<std::size_t>(count) * sizeof(int)))} {}
    ~temporary_numbers() {
        if (numbers != few_) std::free(numbers);
    }
    temporary_numbers(const temporary_numbers&) = delete;
    temporary_numbers& operator=(const temporary_numbers&) = delete;

private:
    static constexpr int few = 256;
    int few_[few];

public:
    int* const numbers; // null without memory
};

MPIT_MODULE_LOCAL inline merged_numbers& numbers_of(kind of) noexcept {
    return of == kind::control       ? the_numbers.controls
           : of == kind::performance ? the_numbers.performances
                                     : the_numbers.categories;
}
MPIT_MODULE_LOCAL inline void discover_all() noexcept {
    the_numbers.discover(kind::control);
    the_numbers.discover(kind::performance);
    the_numbers.discover(kind::category);
}

// Calls `visit(number)` for the members of the host's category that tools see.
template <class Visit> MPIT_MODULE_LOCAL void each_member_of_host(int host_number, kind of, Visit visit) noexcept {
    int counts[3]{};
    if (host_number < 0) return;
    if (the_host.category_get_info(host_number, nullptr, nullptr, nullptr, nullptr, &counts[0], &counts[1], &counts[2]) !=
        MPI_SUCCESS)
        return;
    const int count = counts[of == kind::control ? 0 : of == kind::performance ? 1 : 2];
    const auto list = of == kind::control       ? the_host.category_get_cvars
                      : of == kind::performance ? the_host.category_get_pvars
                                                : the_host.category_get_categories;
    if (count <= 0) return;
    const temporary_numbers of_host{count};
    if (of_host.numbers == nullptr) return;
    for (int i = 0; i < count; i++) of_host.numbers[i] = -1; // a host may list fewer than it counts
    if (list(host_number, count, of_host.numbers) != MPI_SUCCESS) return;
    for (int i = 0; i < count; i++) {
        const int number = numbers_of(of).number_of_host(of_host.numbers[i]);
        if (number >= 0) visit(number);
    }
}
template <class Visit> MPIT_MODULE_LOCAL void each_own_member(int own_number, kind of, Visit visit) noexcept {
    const index::category_record* found = c::names().category(own_number);
    if (found == nullptr) return;
    const int count = c::names().member_count(*found, of);
    const temporary_numbers of_own{count};
    if (of_own.numbers == nullptr) return;
    for (int i = 0; i < count; i++) of_own.numbers[i] = -1;
    c::names().members(*found, of, count, of_own.numbers);
    for (int i = 0; i < count; i++) {
        const int number = numbers_of(of).number_of_own(of_own.numbers[i]);
        if (number >= 0) visit(number);
    }
}
template <class Visit> MPIT_MODULE_LOCAL void each_member(const merged_entry& in, kind of, Visit visit) noexcept {
    each_member_of_host(in.host_number.load(), of, visit);
    each_own_member(in.own_number.load(), of, visit);
}
MPIT_MODULE_LOCAL inline int member_count(const merged_entry& in, kind of) noexcept {
    int count = 0;
    each_member(in, of, [&](int) { count++; });
    return count;
}
MPIT_MODULE_LOCAL inline int list_members(int cat_index, kind of, int len, int* indices) noexcept {
    if (!c::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (len < 0 || (indices == nullptr && len > 0)) return MPI_T_ERR_INVALID;
    discover_all();
    const merged_entry* found = the_numbers.categories.at(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    each_member(*found, of, [&](int number) {
        if (len-- > 0) *indices++ = number;
    });
    return MPI_SUCCESS;
}

// Grows with the host's, with ours, and with each thing that was taken in.
MPIT_MODULE_LOCAL inline int update_number() noexcept {
    discover_all();
    int of_host = 0;
    if (the_host.category_changed == nullptr || the_host.category_changed(&of_host) != MPI_SUCCESS) of_host = 0;
    const std::int64_t sum = std::int64_t{of_host} + c::names().update_number() + the_numbers.changes();
    return sum < INT_MAX ? static_cast<int>(sum) : INT_MAX;
}

} // namespace mpit::stack

// MPI_T_CATEGORY_GET_NUM(num_cat)
MPIT_C_STACKED_FUNCTION(category_get_num, (int* num_cat)) {
    return mpit::stack::count(mpit::stack::the_numbers.categories, mpit::c::kind::category, num_cat);
}

// MPI_T_CATEGORY_GET_INFO(cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories)
MPIT_C_STACKED_FUNCTION(category_get_info, (int cat_index, char* name, int* name_len, char* desc, int* desc_len,
                                            int* num_cvars, int* num_pvars, int* num_categories)) {
    using namespace mpit::c;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    mpit::stack::discover_all();
    const mpit::stack::merged_entry* found = mpit::stack::the_numbers.categories.at(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    name_text.put(found->name);
    description.put(found->is_of_host ? static_cast<const mpit::stack::host_category*>(found)->description
                                      : names().category(found->own_number.load())->description);
    if (num_cvars != nullptr) *num_cvars = mpit::stack::member_count(*found, kind::control);
    if (num_pvars != nullptr) *num_pvars = mpit::stack::member_count(*found, kind::performance);
    if (num_categories != nullptr) *num_categories = mpit::stack::member_count(*found, kind::category);
    return MPI_SUCCESS;
}

// MPI_T_CATEGORY_GET_NUM_EVENTS(cat_index, num_events)
MPIT_C_STACKED_FUNCTION(category_get_num_events, (int cat_index, int* num_events)) {
    if (!mpit::c::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (num_events == nullptr) return MPI_T_ERR_INVALID;
    mpit::stack::discover_all();
    const mpit::stack::merged_entry* found = mpit::stack::the_numbers.categories.at(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    *num_events = 0;
    const int own_number = found->own_number.load();
    return own_number < 0 ? MPI_SUCCESS : mpit::own::category_get_num_events(own_number, num_events);
}

// MPI_T_CATEGORY_GET_INDEX(name, cat_index)
MPIT_C_STACKED_FUNCTION(category_get_index, (const char* name, int* cat_index)) {
    return mpit::stack::look_up(mpit::stack::the_numbers.categories, mpit::c::kind::category, name, 0, cat_index);
}

// MPI_T_CATEGORY_GET_CVARS(cat_index, len, indices)
MPIT_C_STACKED_FUNCTION(category_get_cvars, (int cat_index, int len, int indices[])) {
    return mpit::stack::list_members(cat_index, mpit::c::kind::control, len, indices);
}

// MPI_T_CATEGORY_GET_PVARS(cat_index, len, indices)
MPIT_C_STACKED_FUNCTION(category_get_pvars, (int cat_index, int len, int indices[])) {
    return mpit::stack::list_members(cat_index, mpit::c::kind::performance, len, indices);
}

// MPI_T_CATEGORY_GET_EVENTS(cat_index, len, indices)
MPIT_C_STACKED_FUNCTION(category_get_events, (int cat_index, int len, int indices[])) {
    if (!mpit::c::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (len < 0 || (indices == nullptr && len > 0)) return MPI_T_ERR_INVALID;
    mpit::stack::discover_all();
    const mpit::stack::merged_entry* found = mpit::stack::the_numbers.categories.at(cat_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    const int own_number = found->own_number.load();
    return own_number < 0 ? MPI_SUCCESS : mpit::own::category_get_events(own_number, len, indices);
}

// MPI_T_CATEGORY_GET_CATEGORIES(cat_index, len, indices)
MPIT_C_STACKED_FUNCTION(category_get_categories, (int cat_index, int len, int indices[])) {
    return mpit::stack::list_members(cat_index, mpit::c::kind::category, len, indices);
}

// MPI_T_CATEGORY_CHANGED(update_number). Grows with the host's and ours; equal numbers mean that no category of either
// changed in between.
MPIT_C_STACKED_FUNCTION(category_changed, (int* update_number)) {
    if (!mpit::c::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (update_number == nullptr) return MPI_T_ERR_INVALID;
    *update_number = mpit::stack::update_number();
    return MPI_SUCCESS;
}
