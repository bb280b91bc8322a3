// SPDX-License-Identifier: BSD-3-Clause
// 1.2.5 of the draft: its datatypes, and how the types of the registry are mapped to them. The draft has no unsigned
// types: unsigned and 64-bit values are MPIT_LONG_LONG. An enumeration is a datatype if its values are 0 to N-1 and its
// names are not MPI's, and MPIT_INT otherwise.
//
//   *datatype = compat::datatype_of(record);   const enumeration_record* e = compat::enumeration_of(datatype);
#pragma once

#include <mpit/compat/shown.hpp>
#include <mpit/descriptor/handle_tag.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL compat {

using registry::enumeration_record;

inline constexpr std::uint32_t predefined_count = 9;
inline constexpr int predefined_sizes[predefined_count] = {
    MPIT_FORTRAN_LOGICAL_SIZE, 1, sizeof(short), sizeof(int),   sizeof(long),
    sizeof(long long),         1, sizeof(float), sizeof(double)};
// The place in the table of what is a predefined datatype; otherwise a larger number.
inline std::uint64_t predefined_number(MPIT_Datatype datatype) noexcept {
    return word_of(datatype) - word_of(MPIT_LOGICAL);
}

inline bool is_datatype(const enumeration_record& e) noexcept {
    if (!is_open_name(e.name)) return false;
    for (int i = 0; i < e.count; i++)
        if (e.items[i].value < 0 || e.items[i].value >= e.count || !is_open_name(e.items[i].name)) return false;
    return true;
}

inline constexpr std::uint64_t datatype_tag = descriptor::handle_tag::in_word(descriptor::handle_tag::draft_datatype);

inline MPIT_Datatype datatype_of(const variable_record& r) noexcept {
    if (r.enumeration != nullptr && is_datatype(*r.enumeration))
        return handle_of<MPIT_Datatype>(datatype_tag | static_cast<std::uint32_t>(r.enumeration->number.load()));
    switch (r.type) {
    case datatype::int_type:
    case datatype::int32_type: return MPIT_INT;
    case datatype::double_type: return MPIT_DOUBLE;
    case datatype::char_type: return MPIT_CHAR;
    default: return MPIT_LONG_LONG;
    }
}
// Null for what is not an enumeration.
inline const enumeration_record* enumeration_of(MPIT_Datatype datatype) noexcept {
    const std::uint64_t number = word_of(datatype) ^ datatype_tag;
    if (number > INT_MAX) return nullptr;
    const auto* found = static_cast<const enumeration_record*>(names().at(kind::enumeration, static_cast<int>(number)));
    return found != nullptr && is_datatype(*found) ? found : nullptr;
}
// Of what is not an enumeration.
inline int code_without_enumeration(MPIT_Datatype datatype) noexcept {
    return predefined_number(datatype) < predefined_count ? MPIT_ERR_PREDEFINED : MPIT_ERR_INVALIDTYPE;
}

} // namespace compat
} // namespace mpit

// MPIT_TYPE_GET_CLASS(datatype, typeclass). MPIT_ERR_INVALIDTYPE for what is not a datatype.
MPIT_C_FUNCTION_NAMED(MPIT_Type_get_class, PMPIT_Type_get_class, (MPIT_Datatype datatype, int* typeclass)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (typeclass == nullptr) return MPIT_ERR_INVALID;
    const bool is_predefined = predefined_number(datatype) < predefined_count;
    if (!is_predefined && enumeration_of(datatype) == nullptr) return MPIT_ERR_INVALIDTYPE;
    *typeclass = is_predefined ? MPIT_TYPECLASS_PREDEFINED : MPIT_TYPECLASS_ENUMERATION;
    return MPIT_SUCCESS;
}

// MPIT_TYPE_GET_SIZE(datatype, size). In bytes.
MPIT_C_FUNCTION_NAMED(MPIT_Type_get_size, PMPIT_Type_get_size, (MPIT_Datatype datatype, int* size)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (size == nullptr) return MPIT_ERR_INVALID;
    const std::uint64_t number = predefined_number(datatype);
    if (number >= predefined_count && enumeration_of(datatype) == nullptr) return MPIT_ERR_INVALIDTYPE;
    *size = number < predefined_count ? predefined_sizes[number] : static_cast<int>(sizeof(int));
    return MPIT_SUCCESS;
}

// MPIT_TYPE_ENUM_GET_INFO(datatype, num, name, name_len). MPIT_ERR_PREDEFINED for a predefined datatype.
MPIT_C_FUNCTION_NAMED(MPIT_Type_enum_get_info, PMPIT_Type_enum_get_info,
                      (MPIT_Datatype datatype, int* num, char* name, int* name_len)) {
    using namespace mpit::compat;
    const text_pair name_text{name, name_len};
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (!name_text.is_well_formed()) return MPIT_ERR_INVALID;
    const enumeration_record* found = enumeration_of(datatype);
    if (found == nullptr) return code_without_enumeration(datatype);
    put(num, found->count);
    name_text.put(found->name);
    return MPIT_SUCCESS;
}

// MPIT_TYPE_ENUM_GET_ITEM(datatype, item, name, name_len). The item is its value; MPIT_ERR_INVALIDITEM outside 0 to
// N-1.
MPIT_C_FUNCTION_NAMED(MPIT_Type_enum_get_item, PMPIT_Type_enum_get_item,
                      (MPIT_Datatype datatype, int item, char* name, int* name_len)) {
    using namespace mpit::compat;
    const text_pair name_text{name, name_len};
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (!name_text.is_well_formed()) return MPIT_ERR_INVALID;
    const enumeration_record* enumeration = enumeration_of(datatype);
    if (enumeration == nullptr) return code_without_enumeration(datatype);
    const int position =
        mpit::core::enumeration_view{enumeration->name, enumeration->items, enumeration->count}.position(item);
    if (position < 0) return MPIT_ERR_INVALIDITEM;
    name_text.put(enumeration->items[position].name);
    return MPIT_SUCCESS;
}
