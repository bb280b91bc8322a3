// What the library of leaving_library.cpp offers to leaving.cpp.
#pragma once

extern "C" {
// Whether it was compiled with exceptions.
bool leaving_has_exceptions();
void leaving_raise_plain();
void leaving_raise_ordered();
// What the variable leaving_computed calls.
extern unsigned long long (*leaving_compute)();
}
