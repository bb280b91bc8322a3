#include <mpi.h>

#include <mpit/tool.hpp>

#include <cstdio>

int main() {
@block@
}
