// SPDX-License-Identifier: BSD-3-Clause
// The configuration files that the environment names. They are read once: before the first tree takes its values where
// that is possible, otherwise before the code of the tree's library runs.
//
//   MPIT_CONFIGURATION=/etc/mympi.conf:$HOME/.mympi.conf ./program
#pragma once

#include <mpit/registry/report_once.hpp>
#include <mpit/config/environment_values.hpp>
#include <mpit/config/file.hpp>
#include <mpit/config/resolver.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Files that are named later win. A program with more rights than its user reads none.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void read_named_files(process_registry& registry, report_list& reports) noexcept {
    constexpr const char* variable = MPIT_CONFIGURATION_VARIABLE;
    const char* named = *variable == '\0' ? nullptr : value_in_environment(variable);
    if (named == nullptr || !is_first_report(registry, 'c', variable)) return;
    int settings = 0;
    for (const char* end = named; *named != '\0'; named = *end == '\0' ? end : end + 1) {
        end = strchrnul(named, ':');
        if (end == named) continue;
        const auto length = static_cast<std::uint32_t>(end - named);
        auto* path = static_cast<char*>(registry.memory.allocate(length + 1)); // zeroed
        if (path == nullptr) continue;
        std::memcpy(path, named, length);
        const file_content found = read_settings_of_file(registry, path, reports);
        settings += found.settings;
        if (found.error == 0) continue;
        message said;
        said.append_escaped({path, length}, 600);
        said.append(" cannot be read, which %s names: ", variable);
        said.append("%s",
                 found.error == file_in_memory::is_no_file ? "it is no regular file" : std::strerror(found.error));
        reports.add(said);
    }
    if (settings != 0) resolve_setting(registry, reports);
}

} // namespace registry
} // namespace mpit
