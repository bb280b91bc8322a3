// A file that lives as long as this.
//     const temporary_file here{"NAME = 5\n"};   mpit::read_configuration(here.path());
#pragma once

#include "catch.hpp"

#include <cstdlib>
#include <string>
#include <unistd.h>

class temporary_file {
public:
    explicit temporary_file(const std::string& content = "") {
        const int made = mkstemp(path_);
        REQUIRE(made >= 0);
        REQUIRE(write(made, content.data(), content.size()) == static_cast<ssize_t>(content.size()));
        close(made);
    }
    temporary_file(const temporary_file&) = delete;
    ~temporary_file() { unlink(path_); }
    const char* path() const { return path_; }

private:
    char path_[32] = "/tmp/mpit-settings-XXXXXX";
};
