// SPDX-License-Identifier: BSD-3-Clause
// The payload of an event: a plain struct whose members become elements. Each has one of the eleven basic datatypes, a
// displacement and its name in the source, all computed by the compiler (MPI-5.0, 15.3.8).
//
//   struct message { int source; int tag; unsigned long bytes; };
//   constexpr payload_view seen = mpit::core::payload_of<message>();   // elements source, tag and bytes
#pragma once

#include <mpit/core/members.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// One member: its elements are of one datatype and lie side by side.
struct payload_member {
    text name;
    datatype type{};
    std::uint32_t offset = 0; // bytes
    std::uint32_t count = 1;
    bool is_array = false;
    constexpr payload_member() noexcept {}
    constexpr std::uint32_t displacement(std::uint32_t element) const noexcept {
        return offset + element * size_of(type);
    }
};

// A payload as descriptors refer to it.
struct payload_view {
    text name; // of the struct
    const payload_member* members = nullptr;
    std::uint32_t count = 0;

    // Bytes from the first element to the end of the last.
    constexpr std::uint32_t size() const noexcept {
        if (count == 0) return 0;
        const payload_member& last = members[count - 1];
        return last.offset + last.count * size_of(last.type);
    }
    constexpr std::uint32_t element_count() const noexcept {
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < count; i++) sum += members[i].count;
        return sum;
    }
};

inline constexpr std::uint32_t largest_payload = 4096; // bytes

namespace MPIT_MODULE_LOCAL detail {

template <class T> constexpr bool is_pointer = false;
template <class T> constexpr bool is_pointer<T*> = true;

// Enumerations are as wide as int, so that a tool reads them as MPI_INT.
template <class T> constexpr datatype element_datatype() {
    static_assert(!is_pointer<T>,
                  "a payload has no pointers, which would outlive what they point to: its member is an array, "
                  "as char text[32], or a number");
    if constexpr (number<T> || is_pointer<T>) {
        if constexpr (number<T>) return value_type<T>::type;
        else return {};
    } else if constexpr (__is_same(T, char)) {
        return datatype::char_type;
    } else {
        static_assert(
            enumerated<T> && sizeof(T) == sizeof(int),
            "a member of a payload is int, unsigned, unsigned long, unsigned long long, double, long, "
            "mpit::count, mpit::exact<...>, char, an enumeration as wide as int, or an array of one of these");
        return datatype::int_type;
    }
}

// The byte at every offset of an object tells the offset: reading a member tells where the compiler has put it.
template <class T> struct bytes_of {
    unsigned char bytes[sizeof(T)];
};
template <class Payload> constexpr Payload filled_with_offsets(int shift) {
    bytes_of<Payload> made{};
    for (std::size_t i = 0; i < sizeof(Payload); i++) made.bytes[i] = static_cast<unsigned char>(i >> shift);
    return __builtin_bit_cast(Payload, made);
}
template <class T> constexpr std::uint32_t first_byte(const T& value) {
    return __builtin_bit_cast(bytes_of<T>, value).bytes[0];
}

template <class T> constexpr void describe(payload_member& member, const T& low, const T& high) {
    member.type = element_datatype<T>();
    member.offset = first_byte(low) | first_byte(high) << 8;
}
template <class T, std::size_t N>
constexpr void describe(payload_member& member, const T (&low)[N], const T (&high)[N]) {
    describe(member, low[0], high[0]);
    member.count = N;
    member.is_array = true;
}

// The address of a member of an object that is never there is a template argument, and the text of a function that has
// such an argument shows the member's name.
template <class T> struct object_in {
    T object;
};
template <class T> struct place {
    T* address;
};
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal" // of a payload in an unnamed namespace
#endif
template <class T> extern const object_in<T> nowhere;

template <std::size_t I, class T> struct member_place {
    place<T> here;
};
template <class Numbers, class... T> struct member_places;
template <std::size_t... I, class... T> struct member_places<numbers<I...>, T...> : member_place<I, T>... {};
template <std::size_t I, class T> constexpr place<T> place_at(const member_place<I, T>& member) { return member.here; }
template <class Payload, std::size_t N> constexpr auto places_of_members() {
    constexpr auto& object = nowhere<Payload>.object;
    return visit_members<N>(object,
                            []<class... T>(T&... each) { return member_places<numbers_below<N>, T...>{{{&each}}...}; });
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
// Whether the member at a place has a datatype. An error names the place, which is &….object.Payload::member.
template <class T> constexpr void check_type(const T*) { element_datatype<T>(); }
template <class T, std::size_t N> constexpr void check_type(const T (*)[N]) { element_datatype<T>(); }
template <place Place> constexpr bool has_datatype() {
    check_type(Place.address);
    return true;
}
template <class Payload, std::size_t N, std::size_t... I> constexpr bool have_datatypes(numbers<I...>) {
    if constexpr (N != 0) {
        constexpr auto places = places_of_members<Payload, N>();
        return (has_datatype<place_at<I>(places)>() && ...);
    }
    return true;
}

constexpr bool is_in_a_name(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr text last_name_in(text all) {
    std::uint32_t end = all.length;
    while (!is_in_a_name(all.characters[end - 1])) end--;
    std::uint32_t begin = end;
    while (is_in_a_name(all.characters[begin - 1])) begin--;
    return {all.characters + begin, end - begin};
}
template <place Place> constexpr text name_of_place() { return last_name_in(__PRETTY_FUNCTION__); }

template <class T> constexpr text name_of_type() { return last_name_in(__PRETTY_FUNCTION__); }

template <class Payload, std::size_t N> struct member_table {
    payload_member members[N]{};

    template <std::size_t... I> constexpr explicit member_table(numbers<I...>) {
        constexpr auto places = places_of_members<Payload, N>();
        ((members[I].name = name_of_place<place_at<I>(places)>()), ...);
        const Payload low = filled_with_offsets<Payload>(0), high = filled_with_offsets<Payload>(8);
        visit_members<N>(low, [&](const auto&... of_low) {
            visit_members<N>(high, [&](const auto&... of_high) { (describe(members[I], of_low, of_high), ...); });
        });
    }
};

template <class Payload> struct checked_payload {
    static_assert(__is_aggregate(Payload) && __is_trivially_copyable(Payload),
                  "a payload is a plain struct, which can be copied byte by byte");
    static_assert(sizeof(Payload) <= largest_payload, "a payload has at most 4096 bytes");
    static constexpr std::size_t members = member_count<Payload>();
    static_assert(members <= most_members, "a payload has at most 24 members");
};
template <class Payload, std::size_t N> inline constexpr member_table<Payload, N> members_of{numbers_below<N>{}};

} // namespace detail

// True, or an error that names the member which cannot be an element.
template <class Payload> constexpr bool has_elements() {
    constexpr std::size_t n = detail::checked_payload<Payload>::members;
    return detail::have_datatypes<Payload, n>(numbers_below<n>{});
}

// The elements of a struct as a tool sees them. One without members has no elements.
template <class Payload> constexpr payload_view payload_of() {
    constexpr std::size_t n = detail::checked_payload<Payload>::members;
    payload_view view{};
    view.name = detail::name_of_type<Payload>();
    view.count = n;
    if constexpr (n > 0) view.members = detail::members_of<Payload, n>.members;
    return view;
}

} // namespace core
} // namespace mpit
