// SPDX-License-Identifier: BSD-3-Clause
// Why a row of a C table of performance variables, events or sources is refused.
//
//   append_defect(said, row, object);   // "queued cannot be added: .variable_class of a .level is …"
#pragma once

#include <mpit/declare/control_defects.hpp>
#include <mpit/declare/events.hpp>
#include <mpit/declare/measures.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

[[gnu::cold]] inline void append_defect_of_cell(message& said, const mpit_performance& row) noexcept {
    if (row.count > 1) return said.append(".count is %u, and a cell has one value", row.count);
    if (row.bind != MPIT_BIND_NO_OBJECT) return said.append(".bind is set, and a cell is in no object");
    if (row.on_watch != nullptr) return said.append(".on_watch is set, which a cell cannot have");
    if (row.on_write != nullptr) return said.append(".on_write is set, which only a text can have");
    if (const char* classes = classes_of_cell(row)) return said.append(".variable_class of a %s", classes);
    if (row.type != type_of_cell(row)) {
        const char* const type = type_of_cell(row) == MPIT_TYPE_INT      ? "MPIT_TYPE_INT"
                                 : type_of_cell(row) == MPIT_TYPE_DOUBLE ? "MPIT_TYPE_DOUBLE"
                                                                         : "MPIT_TYPE_UNSIGNED_LONG_LONG";
        return said.append(".type is %d, and that of its cell is %s", static_cast<int>(row.type), type);
    }
    if (append_defect_of_alignment(said, "its cell", address_of_cell(row), alignof(mpit_counter))) return;
    if (row.state != nullptr && append_defect_of_items(said, row.enumeration)) return;
    if (append_defect_of_verbosity(said, row.verbosity)) return;
    said.append("%s", row.state != nullptr ? ".state has a value that is none of the items of .enumeration"
                                           : "its members do not fit each other");
}
[[gnu::cold]] inline bool append_defect_of_text(message& said, const mpit_performance& row) noexcept {
    if (row.variable_class != MPIT_CLASS_GENERIC) return said.append(".variable_class of a text is MPIT_CLASS_GENERIC"), true;
    if (row.size < 2 || row.size > core::largest_text)
        return said.append(".size is %zu, and a text has from 2 bytes to 1 MiB", row.size), true;
    if (row.count > 1) return said.append(".count is %u, and a text is one value", row.count), true;
    return false;
}
[[gnu::cold]] inline void append_defect(message& said, const mpit_performance& row, const void*) noexcept {
    const int cells = count_of_cells(row);
    const bool is_function = row.value != nullptr || row.real_value != nullptr;
    const bool is_text = row.text_at != nullptr,
               is_of_element = is_text || row.value_at != nullptr || row.real_value_at != nullptr || row.values_at != nullptr;
    const int places = cells + (row.storage != nullptr) + (row.value != nullptr) + (row.real_value != nullptr) +
                       (row.value_at != nullptr) + (row.real_value_at != nullptr) + (row.values_at != nullptr) + (row.text_at != nullptr);
    if (places == 0) return said.append("it has no value: its cell, .storage or function is NULL");
    if (places > 1) return said.append("it has %d values: only one cell, .storage or function can be set", places);
    if (cells == 1) return append_defect_of_cell(said, row);
    const bool needs_cell = row.variable_class == MPIT_CLASS_STATE || row.variable_class == MPIT_CLASS_HIGHWATERMARK ||
                            row.variable_class == MPIT_CLASS_LOWWATERMARK;
    if (needs_cell || static_cast<unsigned>(row.variable_class) > MPIT_CLASS_LOWWATERMARK)
        return said.append(".variable_class is %s",
                           needs_cell ? "that of a state or a watermark, which need a cell" : "no class");
    if (is_text != (row.type == MPIT_TYPE_TEXT))
        return said.append(is_text ? ".text_at is set, and .type is not MPIT_TYPE_TEXT" : ".type is MPIT_TYPE_TEXT, which needs .text_at");
    if (!is_text && row.on_write != nullptr) return said.append(".on_write is set, which only a text can have");
    if (is_text && append_defect_of_text(said, row)) return;
    const std::size_t size = is_text ? sizeof(int) : type_of_row(row.type).codec.stored_size;
    const bool is_signed_long = row.type == MPIT_TYPE_LONG || row.type == MPIT_TYPE_LONG_LONG;
    if (size < sizeof(int) || row.type == MPIT_TYPE_SWITCH || row.type == MPIT_TYPE_CHOICE || is_signed_long)
        return said.append(".type is %d, which performance variables cannot have", static_cast<int>(row.type));
    if (!may_have_type(row.variable_class, row.type))
        return said.append(".variable_class cannot have values of .type (MPI-5.0, 15.3.7)");
    if (row.storage != nullptr && row.size != size)
        return said.append(".size is %zu, and a number of its .type has %zu bytes", row.size, size);
    if (append_defect_of_alignment(said, ".storage", row.storage, size)) return;
    const bool is_real = row.real_value != nullptr || row.real_value_at != nullptr,
               is_whole = row.value != nullptr || row.value_at != nullptr;
    if (is_real && row.type != MPIT_TYPE_DOUBLE)
        return said.append("its function returns a double, and .type is not MPIT_TYPE_DOUBLE");
    if (is_whole && row.type == MPIT_TYPE_DOUBLE)
        return said.append("its function returns a whole number, and .type is MPIT_TYPE_DOUBLE");
    if (row.bind != MPIT_BIND_NO_OBJECT) {
        if (append_defect_of_binding(said, row.bind, row.handle_size)) return;
        if (!is_of_element) return said.append(".bind is set, which needs .value_at, .real_value_at or .values_at");
        if (row.elements == nullptr) return said.append(".bind is set, and .elements is NULL");
    }
    if (row.count > 1 && is_function)
        return said.append(".count is %u, which needs .value_at, .real_value_at or .values_at", row.count);
    if (row.count > 32768) return said.append(".count is %u, and at most 32768 are possible", row.count);
    if (append_defect_of_verbosity(said, row.verbosity)) return;
    said.append("its members do not fit each other");
}

[[gnu::cold]] inline bool append_defect_of_elements(message& said, const mpit_event_type& row) noexcept {
    std::size_t end = 0;
    for (const mpit_element* each = row.elements; each != nullptr && each->name != nullptr; each++) {
        const row_type& type = type_of_row(each->type);
        const std::size_t size = each->type == MPIT_TYPE_CHAR ? 1 : type.is_number ? type.codec.stored_size : 0;
        const bool is_inside = each->offset <= row.size && each->size <= row.size - each->offset;
        const char* const found = size == 0                                   ? "a .type that elements cannot have"
                                  : each->size == 0 || each->size % size != 0 ? "a .size that is no number of its .type"
                                  : !is_inside                                ? "a place outside of the struct"
                                  : each->offset < end ? "an .offset before the end of the element in front of it"
                                                       : nullptr;
        end = each->offset + each->size;
        if (found == nullptr) continue;
        said.append("its element ");
        said.append_escaped(each->name, 60);
        said.append(" has %s", found);
        return true;
    }
    return false;
}
[[gnu::cold]] inline void append_defect(message& said, const mpit_event_type& row, const void*) noexcept {
    if (row.event == nullptr) return said.append(".event is NULL");
    if (append_defect_of_alignment(said, ".event", row.event, alignof(mpit_event))) return;
    if (reinterpret_cast<const event_place*>(row.event)->is_described())
        return said.append(".event is that of another row of an open group");
    if (row.bind != MPIT_BIND_NO_OBJECT && append_defect_of_binding(said, row.bind, row.handle_size)) return;
    if (append_defect_of_alignment(said, ".source", row.source, alignof(mpit_source))) return;
    if (row.source != nullptr && !reinterpret_cast<const source_place*>(row.source)->is_described())
        return said.append(".source is in no open group");
    if (static_cast<unsigned>(row.clock) > MPIT_STEADY_CLOCK)
        return said.append(".clock is %d, neither MPIT_CYCLE_COUNTER nor MPIT_STEADY_CLOCK", static_cast<int>(row.clock));
    if (append_defect_of_verbosity(said, row.verbosity)) return;
    if (row.size > core::largest_payload)
        return said.append(".size is %zu, and at most 4096 bytes are possible", row.size);
    if (append_defect_of_elements(said, row)) return;
    said.append("its members do not fit each other");
}
[[gnu::cold]] inline void append_defect(message& said, const mpit_source_type& row, const void*) noexcept {
    if (row.source == nullptr) return said.append(".source is NULL");
    if (append_defect_of_alignment(said, ".source", row.source, alignof(mpit_source))) return;
    if (reinterpret_cast<const source_place*>(row.source)->is_described())
        return said.append(".source is that of another row of an open group");
    if (row.ticks_per_second < 0) return said.append(".ticks_per_second is negative");
    said.append("%s", row.max_ticks < 0 ? ".max_ticks is negative" : "its members do not fit each other");
}

} // namespace declare
} // namespace mpit
