// The same client, compiled as C++.
#include "client.c"
