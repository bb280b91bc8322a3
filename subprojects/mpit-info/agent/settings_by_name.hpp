// Reads and writes variables by name, for `mpit-info get` and `mpit-info set`: each answer is JSON with the value, or
// with the reason and the name of the MPI_T error.
//
//   json all = settings_by_name<over_mpi>{}.get({"*eager*"});   json one = settings_by_name<over_mpi>{}.set("LIMIT", "4k");
#pragma once

#include "calls_layer.hpp"
#include "snapshot.hpp"

#include <cerrno>
#include <cstdlib>
#include <optional>

namespace mpit_info {

// As the standard spells it.
inline const char* error_name(result answer) noexcept {
    switch (answer) {
    case result::success: return "MPI_SUCCESS";
    case result::not_accessible: return "MPI_T_ERR_NOT_ACCESSIBLE";
    case result::not_initialized: return "MPI_T_ERR_NOT_INITIALIZED";
    case result::not_supported: return "MPI_T_ERR_NOT_SUPPORTED";
    case result::out_of_memory: return "MPI_T_ERR_MEMORY";
    case result::invalid_index: return "MPI_T_ERR_INVALID_INDEX";
    case result::invalid_handle: return "MPI_T_ERR_INVALID_HANDLE";
    case result::invalid_name: return "MPI_T_ERR_INVALID_NAME";
    case result::out_of_handles: return "MPI_T_ERR_OUT_OF_HANDLES";
    case result::set_not_now: return "MPI_T_ERR_CVAR_SET_NOT_NOW";
    case result::set_never: return "MPI_T_ERR_CVAR_SET_NEVER";
    case result::cannot_write: return "MPI_T_ERR_PVAR_NO_WRITE";
    default: return "MPI_T_ERR_INVALID";
    }
}

// The value that a text stands for; nothing if the variable cannot have it. Numbers may end in k, M or G (1024);
// several elements have blanks between them.
inline std::optional<mpit::tool::any_value> value_from(const std::string& text, const mpit::tool::variable_info& of,
                                                       std::uint32_t count) {
    if (!of.type && !of.is_bool) return {};
    if (of.type == mpit::datatype::char_type)
        return text.size() < count ? std::optional<mpit::tool::any_value>{text} : std::nullopt;
    const bool is_real = of.type == mpit::datatype::double_type, is_signed = of.type && mpit::core::is_signed(*of.type);
    const unsigned bits = 8 * mpit::tool::size_of_element(of);
    std::vector<std::int64_t> with_sign;
    std::vector<std::uint64_t> without_sign;
    std::vector<double> reals;
    std::istringstream words{text};
    for (std::string word; words >> word;) {
        for (const auto& item : of.enumeration.items)
            if (item.name == word) word = std::to_string(item.value);
        if (of.is_bool && (word == "true" || word == "false")) word = word == "true" ? "1" : "0";
        char* end = nullptr;
        errno = 0;
        if (is_real) {
            reals.push_back(std::strtod(word.c_str(), &end));
            if (end == word.c_str() || *end != '\0') return {};
            continue;
        }
        if (!is_signed && word[0] == '-') return {};
        const long long with = is_signed ? std::strtoll(word.c_str(), &end, 0) : 0;
        const unsigned long long without = is_signed ? 0 : std::strtoull(word.c_str(), &end, 0);
        if (end == word.c_str() || errno != 0) return {};
        const std::string_view unit{end};
        const unsigned shift = unit == "k" || unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
        if (!unit.empty() && shift == 0) return {};
        const std::int64_t signed_number = static_cast<std::int64_t>(with) * (std::int64_t{1} << shift);
        const std::uint64_t number = static_cast<std::uint64_t>(without) << shift;
        if (signed_number / (std::int64_t{1} << shift) != with || number >> shift != without) return {};
        if (is_signed && bits < 64 && (signed_number >> (bits - 1)) != 0 && (signed_number >> (bits - 1)) != -1)
            return {};
        if (!is_signed && ((bits < 64 && number >> bits != 0) || (of.is_bool && number > 1))) return {};
        with_sign.push_back(signed_number);
        without_sign.push_back(number);
    }
    const auto checked = [&](auto& all) -> std::optional<mpit::tool::any_value> {
        if (all.size() != count) return {};
        return mpit::tool::any_value{std::move(all)};
    };
    return is_real ? checked(reals) : is_signed ? checked(with_sign) : checked(without_sign);
}

template <class Interface> class settings_by_name {
public:
    // The variables of no object whose names match a pattern.
    json get(const std::vector<std::string>& patterns) {
        json all = json::array();
        for (const auto& each : interface_.controls()) {
            if (!is_chosen(patterns, each.name)) continue;
            json one = {{"name", each.name}, {"kind", "control"}};
            put(interface_.template control<mpit::tool::any_value>(each), one);
            all.push_back(std::move(one));
        }
        for (const auto& each : interface_.performances()) {
            if (!is_chosen(patterns, each.name) || each.binding != mpit::binding::none) continue;
            json one = {{"name", each.name}, {"kind", "performance"}};
            auto handle = session_.template performance<mpit::tool::any_value>(each);
            static_cast<void>(handle.start());
            put(handle, one);
            if (!one["value"].is_null() && has_no_value_at_start<Interface>(each)) {
                one["value"] = nullptr;
                one["problem"] = "no value: counting began at this moment";
            }
            all.push_back(std::move(one));
        }
        return all;
    }
    // One control variable; the value that it has afterwards is read.
    json set(const std::string& name, const std::string& text) {
        json one = {{"name", name}, {"kind", "control"}};
        for (const auto& each : interface_.controls()) {
            if (each.name != name) continue;
            auto handle = interface_.template control<mpit::tool::any_value>(each);
            result written = handle.status();
            const auto value = handle ? value_from(text, each, handle.count()) : std::nullopt;
            if (handle) written = value ? handle.write(*value) : result::invalid;
            put(handle, one);
            if (written != result::success) {
                one["error"] = error_name(written);
                one["problem"] = handle && !value ? "the variable cannot have this value" : to_string(written);
            }
            return one;
        }
        one["error"] = error_name(result::invalid_name);
        one["problem"] = "no control variable has this name";
        return one;
    }

private:
    template <class Handle> static void put(Handle&& handle, json& to) {
        mpit::tool::any_value value;
        const result read = handle.status() == result::success ? handle.read(value) : handle.status();
        to["value"] = read == result::success ? to_json(value, handle.info().enumeration) : json(nullptr);
        if (read == result::success) return;
        to["error"] = error_name(read);
        to["problem"] = to_string(read);
    }

    mpit::tool::library<Interface> interface_;
    mpit::tool::session<Interface> session_;
};

} // namespace mpit_info
