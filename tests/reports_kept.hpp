// The lines that the library reports while one of these lives.
//     reports_kept reported;   …   CHECK(reports.size() == 1);
// The last of the includes, because the headers have parameters with the name of the list.
#pragma once

#include <mpit/report_handler.hpp>

#include <string>
#include <vector>

inline std::vector<std::string> reports;

struct reports_kept {
    reports_kept() {
        reports.clear();
        mpit::set_report_handler([](const char* line) { reports.emplace_back(line); });
    }
    reports_kept(const reports_kept&) = delete;
    ~reports_kept() { mpit::set_report_handler(nullptr); }
};
