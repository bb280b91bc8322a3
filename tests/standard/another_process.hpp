// For what has to be alike in connected processes: the lines that a hidden test case of the same program prints when
// another process runs it, with other variables in its environment.
#pragma once

#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

// Lines that begin with `mark`; the test framework prints others.
inline std::vector<std::string> lines_of_another_process(const std::string& test_case, const std::string& mark,
                                                         const std::string& environment) {
    char program[4096]{};
    if (readlink("/proc/self/exe", program, sizeof program - 1) <= 0) return {};
    FILE* output = popen((environment + " '" + program + "' '" + test_case + "'").c_str(), "r");
    if (output == nullptr) return {};
    std::vector<std::string> lines;
    for (char line[4096]; std::fgets(line, sizeof line, output) != nullptr;)
        if (std::string{line}.rfind(mark, 0) == 0) lines.push_back(line);
    pclose(output);
    return lines;
}
