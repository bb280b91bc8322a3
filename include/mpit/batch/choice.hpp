// SPDX-License-Identifier: BSD-3-Clause
// What a tool chooses for a batch: a variable, and the field of its structure that receives the value.
//
//   batch_choice chosen{performance_class::counter, "messages_sent"};   if (!chosen.fits(record)) …
#pragma once

#include <mpit/registry/record.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

struct batch_choice {
    performance_class variable_class{};
    const char* name = nullptr;
    const void* object_handle = nullptr; // as of MPI_T_PVAR_HANDLE_ALLOC
    std::uint32_t offset = 0;
    datatype type{};
    std::uint32_t count = 1;
    const char* enumeration = nullptr; // its name, where the field is one

    std::uint32_t end() const noexcept { return offset + count * core::size_of(type); }
    // Whether the field can hold the values: of the same size, sign and kind. Two enumerations match.
    bool fits(const registry::variable_record& record) const noexcept {
        if (kind_of(record.type) != kind_of(type)) return false;
        return enumeration == nullptr ||
               (record.enumeration != nullptr && core::equal(record.enumeration->name, enumeration));
    }

private:
    enum class kind : std::uint8_t { letters, real, natural, whole, long_natural, long_whole };
    static kind kind_of(datatype type) noexcept {
        switch (type) {
        case datatype::char_type: return kind::letters;
        case datatype::double_type: return kind::real;
        case datatype::unsigned_type:
        case datatype::uint32_type: return kind::natural;
        case datatype::int_type:
        case datatype::int32_type: return kind::whole;
        case datatype::int64_type:
        case datatype::count_type: return kind::long_whole;
        default: return kind::long_natural;
        }
    }
};

} // namespace session
} // namespace mpit
