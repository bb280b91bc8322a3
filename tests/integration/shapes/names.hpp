// Names that are made of a macro's value.
#pragma once

#include <mpit/mpit.hpp>

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)
