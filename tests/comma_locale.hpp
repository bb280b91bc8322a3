// A locale in which numbers have a decimal comma, for as long as an object of this lives. It is compiled from a few
// lines of its own, so that a machine needs localedef, which belongs to the C library, and no package of locales.
//     const comma_locale here;  if (!here.is_set()) return here.warn();
#pragma once

#include "catch.hpp"

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

class comma_locale {
public:
    comma_locale() {
        std::string pattern = (std::filesystem::temp_directory_path() / "comma_locale_XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) return;
        folder_ = pattern;
        write_sources();
        const std::string f = folder_.string();
        const std::string command =
            "localedef -c -f " + f + "/characters -i " + f + "/source " + f + "/comma >" + f + "/log 2>&1";
        if (std::system(command.c_str()) < 0) return;
        setenv("LOCPATH", f.c_str(), 1);
        // musl takes each name for that of a locale, and has a point in all.
        is_set_ =
            std::setlocale(LC_NUMERIC, "comma") != nullptr && std::string{std::localeconv()->decimal_point} == ",";
    }
    comma_locale(const comma_locale&) = delete;
    ~comma_locale() {
        std::setlocale(LC_NUMERIC, "C");
        unsetenv("LOCPATH");
        std::error_code ignored;
        if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    }
    bool is_set() const { return is_set_; }
    static void warn() { WARN("skipped: no locale with a decimal comma can be made here"); }

private:
    void write_sources() const {
        std::ofstream source{folder_ / "source"}, characters{folder_ / "characters"};
        source << "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping "
                  "3;3\nEND LC_NUMERIC\n";
        characters << "<code_set_name> ASCII\n<comment_char> %\n<escape_char> /\nCHARMAP\n";
        for (unsigned i = 0; i < 128; i++) {
            char line[40];
            std::snprintf(line, sizeof line, "<U%04X> /x%02x character\n", i, i);
            characters << line;
        }
        characters << "END CHARMAP\n";
    }

    std::filesystem::path folder_;
    bool is_set_ = false;
};
