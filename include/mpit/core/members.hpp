// SPDX-License-Identifier: BSD-3-Clause
// Counts and visits the members of an aggregate struct, such as an event payload, whose member names are unknown.
//
//   constexpr std::size_t n = member_count<message>();   visit_members<n>(m, [](auto&... members) { ... });
#pragma once

#include <mpit/config.hpp>

#include <cstddef>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

inline constexpr std::size_t max_members = 24;

// Replacements of std::index_sequence and std::make_index_sequence, because including <utility> costs compile time.
template <std::size_t... I> struct index_sequence {};
#if __has_builtin(__make_integer_seq)
template <class, std::size_t... I> using typed_index_sequence = index_sequence<I...>;
template <std::size_t N> using make_index_sequence = __make_integer_seq<typed_index_sequence, std::size_t, N>;
#else
template <std::size_t N> using make_index_sequence = index_sequence<__integer_pack(N)...>;
#endif

// clang-format off
// Returns the number of members of the aggregate T, which is the largest number of initializers (up to 25) of T.
template <class T> constexpr std::size_t member_count() {
    if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 25;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 24;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 23;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 22;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 21;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 20;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 19;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 18;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 17;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 16;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 15;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 14;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 13;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 12;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 11;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 10;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 9;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; }) return 8;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}}; }) return 7;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}}; }) return 6;
    else if constexpr (requires { T{{}, {}, {}, {}, {}}; }) return 5;
    else if constexpr (requires { T{{}, {}, {}, {}}; }) return 4;
    else if constexpr (requires { T{{}, {}, {}}; }) return 3;
    else if constexpr (requires { T{{}, {}}; }) return 2;
    else if constexpr (requires { T{{}}; }) return 1;
    else return 0;
}

// Calls `visit` once with references to all N members of the object, in the order of declaration.
template <std::size_t N, class T, class Visit> constexpr auto visit_members(T& object, Visit visit) {
    if constexpr (N == 0) return visit();
    if constexpr (N == 1) { auto& [a] = object; return visit(a); }
    if constexpr (N == 2) { auto& [a, b] = object; return visit(a, b); }
    if constexpr (N == 3) { auto& [a, b, c] = object; return visit(a, b, c); }
    if constexpr (N == 4) { auto& [a, b, c, d] = object; return visit(a, b, c, d); }
    if constexpr (N == 5) { auto& [a, b, c, d, e] = object; return visit(a, b, c, d, e); }
    if constexpr (N == 6) { auto& [a, b, c, d, e, f] = object; return visit(a, b, c, d, e, f); }
    if constexpr (N == 7) { auto& [a, b, c, d, e, f, g] = object; return visit(a, b, c, d, e, f, g); }
    if constexpr (N == 8) { auto& [a, b, c, d, e, f, g, h] = object; return visit(a, b, c, d, e, f, g, h); }
    if constexpr (N == 9) { auto& [a, b, c, d, e, f, g, h, i] = object; return visit(a, b, c, d, e, f, g, h, i); }
    if constexpr (N == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = object;
        return visit(a, b, c, d, e, f, g, h, i, j); }
    if constexpr (N == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k); }
    if constexpr (N == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l); }
    if constexpr (N == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m); }
    if constexpr (N == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o); }
    if constexpr (N == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p); }
    if constexpr (N == 16) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q); }
    if constexpr (N == 17) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r); }
    if constexpr (N == 18) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s); }
    if constexpr (N == 19) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t); }
    if constexpr (N == 20) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u); }
    if constexpr (N == 21) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v); }
    if constexpr (N == 22) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w); }
    if constexpr (N == 23) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w, x] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w, x); }
    if constexpr (N == 24) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w, x, y] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w, x, y); }
}
// clang-format on

} // namespace core
} // namespace mpit
