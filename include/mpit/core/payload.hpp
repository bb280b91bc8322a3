// SPDX-License-Identifier: BSD-3-Clause
// Describes the payload of an event, which is a plain struct whose members become the elements of the event. The
// compiler computes the name, the displacement and the basic datatype of each element (MPI-5.0, 15.3.8).
//
//   struct message { int source; int tag; unsigned long bytes; };
//   constexpr payload_view view = mpit::core::payload_of<message>();   // elements source, tag and bytes
#pragma once

#include <mpit/core/members.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// One member of a payload struct. The member is one event element, or an array of event elements of one datatype.
struct payload_member {
    text name;
    datatype type{};
    std::uint32_t offset = 0; // displacement of the member, in bytes
    std::uint32_t count = 1;
    bool is_array = false;
    constexpr payload_member() noexcept {}
    constexpr std::uint32_t displacement(std::uint32_t element) const noexcept {
        return offset + element * size_of(type);
    }
};

// The description of a payload struct in the descriptor of an event.
struct payload_view {
    text name; // name of the struct
    const payload_member* members = nullptr;
    std::uint32_t count = 0;

    // Returns the number of bytes from the beginning of the payload to the end of the last element.
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

inline constexpr std::uint32_t largest_payload = 4096; // limit of sizeof(payload), in bytes

namespace MPIT_MODULE_LOCAL detail {

template <class T> constexpr bool is_pointer = false;
template <class T> constexpr bool is_pointer<T*> = true;

// Returns the datatype of an event element. An enumeration must have the size of int, because tools read an MPI_INT.
template <class T> constexpr datatype element_datatype() {
    static_assert(!is_pointer<T>, "a payload cannot have pointers, which may dangle when it is read: use an array, as "
                                  "char text[32], or a number");
    if constexpr (number<T> || is_pointer<T>) {
        if constexpr (number<T>) return value_type<T>::type;
        else return {};
    } else if constexpr (__is_same(T, char)) {
        return datatype::char_type;
    } else {
        static_assert(
            enumerated<T> && sizeof(T) == sizeof(int),
            "a member of a payload must be int, unsigned, unsigned long, unsigned long long, double, long, "
            "mpit::count, mpit::exact<...>, char, an enumeration of the size of int, or an array of one of these");
        return datatype::int_type;
    }
}

// The following functions compute the displacement of a member whose name is unknown, which offsetof cannot. Each byte
// of one constant object holds the low byte of its own offset, and each byte of another object holds the high byte.
// Therefore the first bytes of a member in the two objects are the two bytes of the member's displacement.
template <class T> struct bytes_of {
    unsigned char bytes[sizeof(T)];
};
template <class Payload> constexpr Payload filled_with_offsets(int shift) {
    bytes_of<Payload> offsets{};
    for (std::size_t i = 0; i < sizeof(Payload); i++) offsets.bytes[i] = static_cast<unsigned char>(i >> shift);
    return __builtin_bit_cast(Payload, offsets);
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

// The following templates find the name of a member as Boost.PFR does. __PRETTY_FUNCTION__ ends with the name if a
// template argument is the address of the member. The member's object is declared but never defined.
template <class T> struct object_in {
    T object;
};
template <class T> struct member_pointer {
    T* address;
};
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal" // occurs for a payload in an unnamed namespace
#endif
template <class T> extern const object_in<T> undefined_object;

template <std::size_t I, class T> struct indexed_pointer {
    member_pointer<T> pointer;
};
template <class Indices, class... T> struct pointer_tuple;
template <std::size_t... I, class... T> struct pointer_tuple<index_sequence<I...>, T...> : indexed_pointer<I, T>... {};
template <std::size_t I, class T> constexpr auto pointer_at(const indexed_pointer<I, T>& p) { return p.pointer; }
template <class Payload, std::size_t N> constexpr auto pointers_to_members() {
    constexpr auto& object = undefined_object<Payload>.object;
    return visit_members<N>(
        object, []<class... T>(T&... members) { return pointer_tuple<make_index_sequence<N>, T...>{{{&members}}...}; });
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
// Returns true. If the member has no MPI datatype, causes a compile error that ends with the member's name.
template <class T> constexpr void check_type(const T*) { element_datatype<T>(); }
template <class T, std::size_t N> constexpr void check_type(const T (*)[N]) { element_datatype<T>(); }
template <member_pointer Pointer> constexpr bool has_datatype() {
    check_type(Pointer.address);
    return true;
}
template <class Payload, std::size_t N, std::size_t... I> constexpr bool have_datatypes(index_sequence<I...>) {
    if constexpr (N != 0) {
        constexpr auto pointers = pointers_to_members<Payload, N>();
        return (has_datatype<pointer_at<I>(pointers)>() && ...);
    }
    return true;
}

constexpr bool is_identifier_character(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr text last_identifier(text signature) {
    std::uint32_t end = signature.length;
    while (!is_identifier_character(signature.characters[end - 1])) end--;
    std::uint32_t begin = end;
    while (is_identifier_character(signature.characters[begin - 1])) begin--;
    return {signature.characters + begin, end - begin};
}
template <member_pointer Pointer> constexpr text name_of_member() { return last_identifier(__PRETTY_FUNCTION__); }

template <class T> constexpr text name_of_type() { return last_identifier(__PRETTY_FUNCTION__); }

template <class Payload, std::size_t N> struct member_table {
    payload_member members[N]{};

    template <std::size_t... I> constexpr explicit member_table(index_sequence<I...>) {
        constexpr auto pointers = pointers_to_members<Payload, N>();
        ((members[I].name = name_of_member<pointer_at<I>(pointers)>()), ...);
        const Payload low_bytes = filled_with_offsets<Payload>(0), high_bytes = filled_with_offsets<Payload>(8);
        visit_members<N>(low_bytes, [&](const auto&... low) {
            visit_members<N>(high_bytes, [&](const auto&... high) { (describe(members[I], low, high), ...); });
        });
    }
};

template <class Payload> struct checked_payload {
    static_assert(__is_aggregate(Payload) && __is_trivially_copyable(Payload),
                  "a payload must be an aggregate that is trivially copyable");
    static_assert(sizeof(Payload) <= largest_payload, "a payload can have at most 4096 bytes");
    static constexpr std::size_t members = member_count<Payload>();
    static_assert(members <= max_members, "a payload can have at most 24 members");
};
template <class Payload, std::size_t N> inline constexpr member_table<Payload, N> members_of{make_index_sequence<N>{}};

} // namespace detail

// Returns true. If a member has no MPI datatype, causes a compile error that contains the name of the member.
template <class Payload> constexpr bool has_elements() {
    constexpr std::size_t n = detail::checked_payload<Payload>::members;
    return detail::have_datatypes<Payload, n>(make_index_sequence<n>{});
}

// Returns the description of a payload struct. An empty struct has no elements.
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
