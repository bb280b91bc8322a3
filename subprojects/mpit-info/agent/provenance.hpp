// The properties of a control variable beyond the standard: its declared value, its origin and the place. Of a variable
// that is not mpit's only the environment variable that sets it is known.
//
//   mpit_info::add_provenance(facts, before, has_registry, to);   // "default", "origin" and "place" of the document
#pragma once

#include "channel.hpp"
#include "environment_names.hpp"

#include <mpit/core/parse.hpp>
#include <mpit/session/variable_view.hpp>
#include <mpit/tool/info.hpp>
#include <mpit/tool/to_string.hpp>

#include <cmath>

namespace mpit_info {

// A text of the registry, whose length is returned first.
template <class Write> std::string text_from(Write write) {
    std::string text(write(nullptr, std::size_t{0}) + 1, '\0');
    write(text.data(), text.size());
    text.pop_back();
    return text;
}

inline json element_from(const std::string& text, const mpit::tool::variable_info& of) {
    if (!of.enumeration.items.empty()) return text;
    if (*of.type != mpit::datatype::double_type) {
        const json number = json::parse(text, nullptr, false);
        return number.is_discarded() ? json(text) : number;
    }
    double number = 0; // with a point, whatever the locale of the program has
    return mpit::core::parse(text.c_str(), number) && std::isfinite(number) ? json(number) : json(text);
}

// As a value of the document: the registry separates elements by commas.
inline json value_from(const std::string& text, const mpit::tool::variable_info& of) {
    if (*of.type == mpit::datatype::char_type) return text;
    json all = json::array();
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
        end = std::min(text.find(',', begin), text.size());
        begin = std::min(text.find_first_not_of(' ', begin), end);
        all.push_back(element_from(text.substr(begin, end - begin), of));
    }
    return all.size() == 1 ? all[0] : all;
}

// `has_registry` is false in a process without mpit, in which each search for the registry would read the list of all
// loaded objects again.
inline void add_provenance(const mpit::tool::control_info& of, const environment_names& before, bool has_registry,
                           json_writer& to) {
    mpit::tool::variable_view v =
        has_registry ? mpit::tool::find_control(of.name.c_str()) : mpit::tool::variable_view{};
    // A variable of the MPI may have the name of another one in the registry.
    if (v && of.description != std::string_view{v.description().characters, v.description().length}) v = {};
    std::string place = v ? std::string{} : before.of_control(of.name);
    const char* origin = place.empty() ? nullptr : name_of(mpit::origin::environment);
    const bool is_loaded = v && v.is_loaded();
    if (is_loaded) {
        origin = name_of(v.origin());
        place = text_from([&](char* room, std::size_t size) { return v.format_place(room, size); });
    }
    const bool has_default = is_loaded && of.binding == mpit::binding::none && of.type && v.has_default();
    append_text(
        to.next("default"),
        has_default
            ? value_from(text_from([&](char* room, std::size_t size) { return v.format_default(room, size); }), of)
            : json(nullptr));
    to.add("origin", origin);
    to.add("place", place.empty() ? nullptr : place.c_str());
}

} // namespace mpit_info
