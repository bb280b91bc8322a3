// Writes so many names with their numbers as gperf reads them.
//
//   names-for-gperf 1000 | gperf ...
#include "names.hpp"

#include <cstdio>
#include <cstdlib>

int main(int, char** arguments) {
    name_maker names;
    std::puts("struct numbered_name;\n%%");
    for (int i = 0, count = std::atoi(arguments[1]); i < count; i++) std::printf("%s,%d\n", names.next().c_str(), i);
}
