// The path of a library that was built beside this program.
#pragma once

#include <string>
#include <unistd.h>

inline std::string beside_program(const std::string& library) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    const std::string program{path, length > 0 ? static_cast<std::size_t>(length) : 0};
    return program.substr(0, program.rfind('/') + 1) + library + ".so";
}
