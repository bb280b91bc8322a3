/* SPDX-License-Identifier: BSD-3-Clause */
/* With MPIT_PROBES=1, each raise of an event, and each start and end of a measured time, is a USDT probe as well: one
 * nop, and a note in the ELF file that gdb, perf, bpftrace and SystemTap read. <sys/sdt.h> is not used, because it
 * cannot give a probe the name of a payload struct, and lets clang store each value in memory.
 *
 *   bpftrace -e 'usdt:./program:mpit:unexpected_message { printf("%s %d\n", str(arg0), arg2); }'
 *
 * The probe of an event in C++ has the name of the payload struct, of at most 48 characters. The values are the name of
 * the event, the handle of the MPI object or 0, and the members of the payload, or the payload's address if there are
 * more than ten. A double is given as its bits, because gdb 13 reads no doubles, and an array as its address. In C, the
 * probe is `event`, and the third value is the payload's address. The probes timer_start and timer_stop have the
 * address of the cell of the timer or latency, and the time of the start or the measured time in nanoseconds. Both are
 * 0 at the start of a latency that no tool watches. */
#ifndef MPIT_CORE_PROBE_H
#define MPIT_CORE_PROBE_H

#include <stdint.h>

#if defined(MPIT_PROBES) && MPIT_PROBES

#if !defined(__ELF__) || !defined(__LP64__)
#error "MPIT_PROBES=1 needs a 64-bit ELF system: compile without MPIT_PROBES"
#endif

/* A value is a constant or in a register. On PowerPC, a constant would look like the number of a register. */
#ifdef __powerpc__
#define MPIT_PROBE_VALUE "r"
#else
#define MPIT_PROBE_VALUE "nr"
#endif

/* A probe whose name and values are written by the directives `name` and `values`. The format is version 3 of
 * SystemTap's notes. `inline` makes compilers count the assembly as one instruction. For the library's own use. */
#define MPIT_PROBE_NOTE(name, values, ...)                                                                             \
    __asm__ __volatile__ __inline__("990: nop\n .pushsection .note.stapsdt,\"?\",\"note\"\n .balign 4\n"               \
                                    " .4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n"       \
                                    "993: .8byte 990b, _.stapsdt.base, 0\n .asciz \"mpit\"\n" name " .byte 0\n" values \
                                    " .byte 0\n994: .balign 4\n .popsection\n .ifndef _.stapsdt.base\n"                \
                                    " .pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"           \
                                    " .weak _.stapsdt.base\n .hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n"       \
                                    " .size _.stapsdt.base, 1\n .popsection\n .endif\n"                                \
                                    :                                                                                  \
                                    : __VA_ARGS__)
#define MPIT_PROBE_TEXT(text) " .ascii \"" text "\"\n"
#define MPIT_PROBE_TIMER(name, cell, nanoseconds)                                                                      \
    MPIT_PROBE_NOTE(MPIT_PROBE_TEXT(name), MPIT_PROBE_TEXT("8@%0 8@%1"), MPIT_PROBE_VALUE(cell),                       \
                    MPIT_PROBE_VALUE(nanoseconds))
/* The first word of a descriptor is the address of the name, which is null before the event is added. */
#define MPIT_PROBE_RAISED(event, object, payload)                                                                      \
    MPIT_PROBE_NOTE(MPIT_PROBE_TEXT("event"), MPIT_PROBE_TEXT("8@%0 8@%1 8@%2"),                                       \
                    MPIT_PROBE_VALUE((event)->description[0]), MPIT_PROBE_VALUE(object),                               \
                    MPIT_PROBE_VALUE(payload) : "memory")
#define MPIT_IF_PROBED(...) __VA_ARGS__
#define MPIT_IF_NOT_PROBED(...)

#ifdef __cplusplus
#include <mpit/core/payload.hpp>

#define MPIT_PROBE_EVENT(payload, name, object, ...) core::probe_event<payload>(name, object __VA_OPT__(, ) __VA_ARGS__)

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

enum class no_member : int {};

// Returns the size of a value in a note, which is negative if the value has a sign.
template <class T> constexpr int probe_size() {
    if constexpr (__is_same(T, no_member)) return 0;
    else if constexpr (__is_same(T, char) || __is_same(T, int) || __is_same(T, long))
        return static_cast<T>(-1) < 0 ? -static_cast<int>(sizeof(T)) : static_cast<int>(sizeof(T));
    else return sizeof(T);
}
template <class T> constexpr auto probe_value(const T& member) {
    if constexpr (__is_same(T, double)) return __builtin_bit_cast(unsigned long, member);
    else if constexpr (__is_same(T, long long)) return static_cast<long>(member);
    else if constexpr (__is_enum(T) && !__is_same(T, no_member)) return static_cast<int>(member);
    else if constexpr (requires { member.value; }) return member.value;
    else return member;
}
template <class T, std::size_t N> constexpr const T* probe_value(const T (&member)[N]) { return member; }

// Eight characters of the name of the payload struct, as a negative number, because g++ 12 writes a constant of 64 bits
// only by "%n", which negates. The assembler writes the bytes that are not 0.
template <class Payload, std::uint32_t First> constexpr std::int64_t probe_name() {
    constexpr text name = payload_of<Payload>().name;
    std::uint64_t word = 0;
    for (std::uint32_t i = First; i < First + 8 && i < name.length; i++)
        word |= std::uint64_t{static_cast<unsigned char>(name.characters[i])} << 8 * (i - First);
    return -static_cast<std::int64_t>(word);
}

#define MPIT_PROBE_MEMBER(m) " .if %c[size_" #m "]\n .ascii \" %c[size_" #m "]@%[" #m "]\"\n .endif\n"
#define MPIT_PROBE_OPERAND(m) [size_##m] "n"(probe_size<decltype(m)>()), [m] MPIT_PROBE_VALUE(m)

template <class Payload>
[[gnu::always_inline]] inline void write_probe(const char* name, std::uint64_t object, auto a, auto b, auto c, auto d,
                                               auto e, auto f, auto g, auto h, auto i, auto j) {
    MPIT_PROBE_NOTE(
        " .irp word, %n[n0], %n[n1], %n[n2], %n[n3], %n[n4], %n[n5]\n .irp shift, 0, 8, 16, 24, 32, 40, 48, 56\n"
        " .if (\\word >> \\shift) & 255\n .byte (\\word >> \\shift) & 255\n .endif\n .endr\n .endr\n",
        MPIT_PROBE_TEXT("8@%[name] 8@%[object]") MPIT_PROBE_MEMBER(a) MPIT_PROBE_MEMBER(b) MPIT_PROBE_MEMBER(c)
            MPIT_PROBE_MEMBER(d) MPIT_PROBE_MEMBER(e) MPIT_PROBE_MEMBER(f) MPIT_PROBE_MEMBER(g) MPIT_PROBE_MEMBER(h)
                MPIT_PROBE_MEMBER(i) MPIT_PROBE_MEMBER(j),
        [n0] "n"(probe_name<Payload, 0>()), [n1] "n"(probe_name<Payload, 8>()), [n2] "n"(probe_name<Payload, 16>()),
        [n3] "n"(probe_name<Payload, 24>()), [n4] "n"(probe_name<Payload, 32>()), [n5] "n"(probe_name<Payload, 40>()),
        [name] MPIT_PROBE_VALUE(name), [object] MPIT_PROBE_VALUE(object), MPIT_PROBE_OPERAND(a), MPIT_PROBE_OPERAND(b),
        MPIT_PROBE_OPERAND(c), MPIT_PROBE_OPERAND(d), MPIT_PROBE_OPERAND(e), MPIT_PROBE_OPERAND(f),
        MPIT_PROBE_OPERAND(g), MPIT_PROBE_OPERAND(h), MPIT_PROBE_OPERAND(i), MPIT_PROBE_OPERAND(j));
}

#undef MPIT_PROBE_MEMBER
#undef MPIT_PROBE_OPERAND

template <class Payload, std::size_t... Absent>
[[gnu::always_inline]] inline void write_probe(const char* name, std::uint64_t object, index_sequence<Absent...>,
                                               auto... values) {
    write_probe<Payload>(name, object, values..., no_member{static_cast<int>(0 * Absent)}...);
}
template <class Payload>
[[gnu::always_inline, gnu::flatten]] inline void probe_payload(const char* name, std::uint64_t object,
                                                               const Payload& payload) {
    constexpr std::size_t n = payload_of<Payload>().count;
    constexpr bool has_array = payload_of<Payload>().element_count() != n;
    // The compiler writes a payload to memory only if arrays or the payload are given as addresses.
    if constexpr (n > 10) {
        __asm__ __volatile__("" : : "m"(payload));
        write_probe<Payload>(name, object, make_index_sequence<9>{}, &payload);
    } else {
        visit_members<n>(payload, [&](const auto&... member) {
            if constexpr (has_array) __asm__ __volatile__("" : : "m"(payload));
            write_probe<Payload>(name, object, make_index_sequence<10 - n>{}, probe_value(member)...);
        });
    }
}
template <class Payload, class... Member>
[[gnu::always_inline]] inline void probe_event(const char* name, std::uint64_t object, const Member&... members) {
    if constexpr (sizeof...(Member) == 1 && (__is_same(Member, Payload) && ...))
        probe_payload<Payload>(name, object, members...);
    else probe_payload<Payload>(name, object, Payload{members...});
}

} // namespace core
} // namespace mpit
#endif

#else
#define MPIT_PROBE_TIMER(name, cell, nanoseconds) ((void)0)
#define MPIT_PROBE_EVENT(...) ((void)0)
#define MPIT_IF_PROBED(...)
#define MPIT_IF_NOT_PROBED(...) __VA_ARGS__
#endif

#endif
