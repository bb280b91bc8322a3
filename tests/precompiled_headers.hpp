// The headers of other projects that most tests include, for g++ to read once.
//     precompile.py build precompiled_headers.hpp a_test.cpp precompiled.hpp
// Headers of mpit do not stand here: g++ forgets the `#pragma GCC diagnostic` of a precompiled header.
#pragma once

#include "catch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>
