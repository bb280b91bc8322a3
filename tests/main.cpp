// The main function of every test, compiled once, because version 2 of Catch2 carries its whole implementation in its
// header. Version 3 brings its own main function, so that nothing is left to define here.
#if !__has_include(<catch2/catch_test_macros.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
