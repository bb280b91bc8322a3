// The functions of the older interfaces, compiled once for all tests that use them.
#include <mpit/compat.hpp>
