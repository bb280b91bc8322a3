// SPDX-License-Identifier: BSD-3-Clause
// Histograms that are described at run time. The cell is a histogram_cell of C++ or an mpit_histogram of C. The six
// variables of the histogram are in the memory of a run-time group.
//
//   const described_histogram from{cell, value_kind::whole, type};   defect_of(from, name) == histogram_defect::none
#pragma once

#include <mpit/variable/histogram.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// A histogram, the tables of operations for its values, and the datatype of its smallest and its largest value. The
// author writes the address of a cell.
struct described_histogram {
    histogram_base* cell = nullptr;
    const histogram_operations* operations = nullptr;
    datatype type{};

    constexpr described_histogram() noexcept {}
    constexpr described_histogram(histogram_base* base, const histogram_operations& table, datatype value_type) noexcept
        : cell{base}, operations{&table}, type{value_type} {}
    template <class T, buckets Scheme, bool IsTime>
    constexpr described_histogram(histogram_cell<T, Scheme, IsTime>* source) noexcept
        : described_histogram{source, operations_of_histogram<kind_of_values<T, IsTime>()>,
                              type_of_values<T, kind_of_values<T, IsTime>()>} {}
};

enum class histogram_defect : std::uint8_t { none, cell, buckets, name };

// Returns the defect of a histogram with the name `name`.
inline histogram_defect defect_of(const described_histogram& from, text name) noexcept {
    if (from.cell == nullptr || from.cell->sums() == nullptr) return histogram_defect::cell;
    const bool is_real = from.operations->kind == value_kind::real;
    if (core::defect_of(from.cell->scheme(), is_real) != core::buckets_defect::none) return histogram_defect::buckets;
    return suffixed_name::is_possible(name) ? histogram_defect::none : histogram_defect::name;
}

// The bounds of the buckets of a counter, which are in storage of the library.
struct stored_bounds : bounds_of_buckets {
    const double* bounds;
    stored_bounds(descriptor::category* parent, text base, std::uint32_t bound_count, const double* of,
                  mpit::verbosity of_counter) noexcept
        : bounds_of_buckets{parent, base, bound_count, describing_operations<&read_bounds>}, bounds{of} {
        verbosity = of_counter;
    }

private:
    static result read_bounds(descriptor::control& variable, void*, object_key, void* buffer) {
        std::memcpy(buffer, static_cast<const stored_bounds&>(variable).bounds, variable.count * sizeof(double));
        return result::success;
    }
};

} // namespace internal

// Settings of a histogram. `cell` is the address of an mpit::histogram_cell or an mpit::latency_cell. The cell has to
// exist as long as the run-time group, and belongs to one histogram only. histogram_settings explains the remaining
// settings.
struct dynamic_histogram_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    internal::described_histogram cell{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool when_watched = false;
};

} // namespace mpit
