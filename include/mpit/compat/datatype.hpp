// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions on datatypes (1.2.5 of the draft of 2011), and maps the datatypes of the registry to the
// datatypes of the draft. The draft has no unsigned types, so unsigned values and 64-bit values have the datatype
// MPIT_LONG_LONG. An enumeration of the registry is a datatype of the draft if the values are 0 to N-1 and if all names
// are visible (mpit/compat/visible_names.hpp). Variables whose enumeration is not a datatype of the draft have the
// datatype MPIT_INT.
//
//   *datatype = compat::datatype_of(record);   const enumeration_record* e = compat::enumeration_of(datatype);
#pragma once

#include <mpit/compat/visible_names.hpp>
#include <mpit/descriptor/handle_tag.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

using registry::enumeration_record;

inline constexpr std::uint32_t predefined_count = 9;
inline constexpr int predefined_sizes[predefined_count] = {
    MPIT_FORTRAN_LOGICAL_SIZE, 1, sizeof(short), sizeof(int),   sizeof(long),
    sizeof(long long),         1, sizeof(float), sizeof(double)};
// Returns the index of a predefined datatype in predefined_sizes. For other datatypes, the result is not an index.
inline std::uint64_t predefined_index(MPIT_Datatype datatype) noexcept {
    return word_of(datatype) - word_of(MPIT_LOGICAL);
}

inline bool is_datatype(const enumeration_record& record) noexcept {
    if (!is_visible_name(record.name)) return false;
    for (int i = 0; i < record.count; i++)
        if (record.items[i].value < 0 || record.items[i].value >= record.count ||
            !is_visible_name(record.items[i].name))
            return false;
    return true;
}

inline constexpr std::uint64_t datatype_tag = descriptor::handle_tag::in_word(descriptor::handle_tag::draft_datatype);

inline MPIT_Datatype datatype_of(const variable_record& record) noexcept {
    if (record.enumeration != nullptr && is_datatype(*record.enumeration))
        return handle_of<MPIT_Datatype>(datatype_tag | static_cast<std::uint32_t>(record.enumeration->index.load()));
    switch (record.type) {
    case datatype::int_type:
    case datatype::int32_type: return MPIT_INT;
    case datatype::double_type: return MPIT_DOUBLE;
    case datatype::char_type: return MPIT_CHAR;
    default: return MPIT_LONG_LONG;
    }
}
// Returns the registry's record of an enumeration, or null if the datatype is not an enumeration.
inline const enumeration_record* enumeration_of(MPIT_Datatype datatype) noexcept {
    const std::uint64_t index = word_of(datatype) ^ datatype_tag;
    if (index > INT_MAX) return nullptr;
    const auto* record =
        static_cast<const enumeration_record*>(registry().at(kind::enumeration, static_cast<int>(index)));
    return record != nullptr && is_datatype(*record) ? record : nullptr;
}
// Returns the error code for a call that needs an enumeration but receives another datatype.
inline int code_without_enumeration(MPIT_Datatype datatype) noexcept {
    return predefined_index(datatype) < predefined_count ? MPIT_ERR_PREDEFINED : MPIT_ERR_INVALIDTYPE;
}

} // namespace compat
} // namespace mpit

// MPIT_TYPE_GET_CLASS(datatype, typeclass). Returns MPIT_ERR_INVALIDTYPE if the handle is not a datatype of the draft.
MPIT_C_FUNCTION_NAMED(MPIT_Type_get_class, PMPIT_Type_get_class, (MPIT_Datatype datatype, int* typeclass)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (typeclass == nullptr) return MPIT_ERR_INVALID;
    const bool is_predefined = predefined_index(datatype) < predefined_count;
    if (!is_predefined && enumeration_of(datatype) == nullptr) return MPIT_ERR_INVALIDTYPE;
    *typeclass = is_predefined ? MPIT_TYPECLASS_PREDEFINED : MPIT_TYPECLASS_ENUMERATION;
    return MPIT_SUCCESS;
}

// MPIT_TYPE_GET_SIZE(datatype, size). Stores the size of a value in bytes.
MPIT_C_FUNCTION_NAMED(MPIT_Type_get_size, PMPIT_Type_get_size, (MPIT_Datatype datatype, int* size)) {
    using namespace mpit::compat;
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (size == nullptr) return MPIT_ERR_INVALID;
    const std::uint64_t index = predefined_index(datatype);
    if (index >= predefined_count && enumeration_of(datatype) == nullptr) return MPIT_ERR_INVALIDTYPE;
    *size = index < predefined_count ? predefined_sizes[index] : static_cast<int>(sizeof(int));
    return MPIT_SUCCESS;
}

// MPIT_TYPE_ENUM_GET_INFO(datatype, num, name, name_len). Returns MPIT_ERR_PREDEFINED for a predefined datatype.
MPIT_C_FUNCTION_NAMED(MPIT_Type_enum_get_info, PMPIT_Type_enum_get_info,
                      (MPIT_Datatype datatype, int* num, char* name, int* name_len)) {
    using namespace mpit::compat;
    const text_pair name_text{name, name_len};
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (!name_text.is_well_formed()) return MPIT_ERR_INVALID;
    const enumeration_record* enumeration = enumeration_of(datatype);
    if (enumeration == nullptr) return code_without_enumeration(datatype);
    put(num, enumeration->count);
    name_text.put(enumeration->name);
    return MPIT_SUCCESS;
}

// MPIT_TYPE_ENUM_GET_ITEM(datatype, item, name, name_len). The argument `item` is the value of the item. Returns
// MPIT_ERR_INVALIDITEM if no item has the value.
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
