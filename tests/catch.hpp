// The one Catch2 header for all tests: it accepts version 2 (Debian 12) and version 3.
//     #include "catch.hpp"
// Tests keep to what both versions offer under the same name: the macros, Approx without a namespace, and generators.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_adapters.hpp>
#include <catch2/generators/catch_generators_random.hpp>
#include <catch2/generators/catch_generators_range.hpp>
using Catch::Approx;
// After --warn: a program of which no test case has the wanted name fails.
inline constexpr const char* without_the_wanted_test = "UnmatchedTestSpec";
#else
#include <catch2/catch.hpp>
inline constexpr const char* without_the_wanted_test = "NoTests";
#endif
