// SPDX-License-Identifier: BSD-3-Clause
// Counts and visits the members of a plain struct without naming them, for payloads of events.
//
//   constexpr std::size_t n = member_count<message>();   visit_members<n>(m, [](auto&... each) { … });
#pragma once

#include <mpit/config.hpp>

#include <cstddef>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

inline constexpr std::size_t most_members = 24;

// The numbers from 0 to N - 1 as template arguments; <utility> would cost an author's file more.
template <std::size_t... I> struct numbers {};
#if __has_builtin(__make_integer_seq)
template <class, std::size_t... I> using numbers_of_type = numbers<I...>;
template <std::size_t N> using numbers_below = __make_integer_seq<numbers_of_type, std::size_t, N>;
#else
template <std::size_t N> using numbers_below = numbers<__integer_pack(N)...>;
#endif

// clang-format off
// How many members an aggregate has; one more than the most for one that has too many.
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
// clang-format on

// Calls `visit` with a reference to each of the N members, in the order of declaration.
template <std::size_t N, class T, class Visit> constexpr auto visit_members(T& object, Visit visit) {
    if constexpr (N == 0) {
        return visit();
    } else if constexpr (N == 1) {
        auto& [a] = object;
        return visit(a);
    } else if constexpr (N == 2) {
        auto& [a, b] = object;
        return visit(a, b);
    } else if constexpr (N == 3) {
        auto& [a, b, c] = object;
        return visit(a, b, c);
    } else if constexpr (N == 4) {
        auto& [a, b, c, d] = object;
        return visit(a, b, c, d);
    } else if constexpr (N == 5) {
        auto& [a, b, c, d, e] = object;
        return visit(a, b, c, d, e);
    } else if constexpr (N == 6) {
        auto& [a, b, c, d, e, f] = object;
        return visit(a, b, c, d, e, f);
    } else if constexpr (N == 7) {
        auto& [a, b, c, d, e, f, g] = object;
        return visit(a, b, c, d, e, f, g);
    } else if constexpr (N == 8) {
        auto& [a, b, c, d, e, f, g, h] = object;
        return visit(a, b, c, d, e, f, g, h);
    } else if constexpr (N == 9) {
        auto& [a, b, c, d, e, f, g, h, i] = object;
        return visit(a, b, c, d, e, f, g, h, i);
    } else if constexpr (N == 10) {
        auto& [a, b, c, d, e, f, g, h, i, j] = object;
        return visit(a, b, c, d, e, f, g, h, i, j);
    } else if constexpr (N == 11) {
        auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k);
    } else if constexpr (N == 12) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l);
    } else if constexpr (N == 13) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m);
    } else if constexpr (N == 14) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o);
    } else if constexpr (N == 15) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p);
    } else if constexpr (N == 16) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q);
    } else if constexpr (N == 17) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r);
    } else if constexpr (N == 18) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s);
    } else if constexpr (N == 19) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t);
    } else if constexpr (N == 20) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u);
    } else if constexpr (N == 21) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v);
    } else if constexpr (N == 22) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w);
    } else if constexpr (N == 23) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w, x] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w, x);
    } else if constexpr (N == 24) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w, x, y] = object;
        return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, v, w, x, y);
    }
}

} // namespace core
} // namespace mpit
