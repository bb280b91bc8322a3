// The one file of a library with the functions that each of its files would contain otherwise.
#include <mpit/implementation.hpp>
