// SPDX-License-Identifier: BSD-3-Clause
// Implements <mpit/settings.hpp>, which programs include to read, rank, list and write settings. Any thread may call
// the functions of the header. Signal handlers must not call the functions, because the functions allocate memory,
// access files, and call the report handler and functions of libraries.
//
//   mpit::settings_result counts = mpit::read_configuration("mympi.conf");
#pragma once

#include <mpit/info.hpp>
#include <mpit/module/registrar.hpp>
#include <mpit/registry/report_limit.hpp>
#include <mpit/report_handler.hpp> // IWYU pragma: export
#include <mpit/settings/dump.hpp>
#include <mpit/settings/unused.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL settings {

// Removes `--mpit NAME=VALUE` and `--mpit=NAME=VALUE` from the arguments before `--`, and keeps the order of the other
// arguments. Calls `take(setting, index of the argument)` for each removed setting. If `--mpit` is the last argument or
// precedes `--`, the setting is empty.
template <class Take> void extract_settings(int& argc, char** argv, core::text option, const Take& take) noexcept {
    int remaining = 1;
    bool has_ended = false;
    for (int i = 1; i < argc; i++) {
        const core::text argument = argv[i];
        has_ended = has_ended || core::equal(argument, "--");
        const char separator = core::has_prefix(argument, option) ? argument.characters[option.length] : 'x';
        if (has_ended || (separator != '\0' && separator != '=')) {
            argv[remaining++] = argv[i];
        } else if (separator == '=') {
            take(core::text{argument.characters + option.length + 1}, i);
        } else if (i + 1 == argc || core::equal(argv[i + 1], "--")) {
            take(core::text{}, i);
        } else {
            i++;
            take(core::text{argv[i]}, i);
        }
    }
    if (remaining >= argc) return;
    argc = remaining;
    argv[remaining] = nullptr;
}

} // namespace settings

// The result of a function that reads settings. `code` is MPI_T_ERR_MEMORY if settings were lost for lack of memory.
struct [[nodiscard]] settings_result {
    result code = result::success;
    int settings = 0; // number of well-formed settings, including settings that no variable accepts
    int refused = 0;  // number of malformed settings
};

namespace MPIT_MODULE_LOCAL settings {

// Returns the registry and enables this shared object to publish variables. Returns null if memory is exhausted.
inline registry::process_registry* registry_for_settings() noexcept {
    registry::process_registry* registry = registry::the_registry();
    if (registry == nullptr || !registry::become_registrar(*registry)) return nullptr;
    registry::report_lost_values(*registry);
    return registry;
}

} // namespace settings

// Reads a configuration file with lines `NAME = value` and comments after a #. A value with a # or with blanks at the
// ends needs quotes. If two lines or two files set the same name, the line that is read last takes effect. If the file
// is read again, an unchanged line is ignored, so that a value that the library has assigned meanwhile stays in effect.
// If the file cannot be read, stores the reason in errno, such as EINVAL for a pipe or a device, and returns
// not_accessible without a report.
MPIT_MODULE_LOCAL inline settings_result read_configuration(const char* file) noexcept {
    registry::process_registry* registry = settings::registry_for_settings();
    if (registry == nullptr) return {result::out_of_memory};
    registry::report_list reports;
    const registry::file_content counts = registry::read_settings_of_file(*registry, file, reports);
    if (counts.settings != 0) registry::apply_settings(*registry, reports);
    reports.send(registry->reports_to.load());
    if (counts.error != 0) errno = counts.error;
    const result code = counts.error == 0        ? result::success
                        : counts.error == ENOMEM ? result::out_of_memory
                                                 : result::not_accessible;
    return {code, counts.settings, counts.refused};
}

// Reads and removes settings `--mpit NAME=VALUE` and `--mpit=NAME=VALUE` from the arguments of main() before `--`. All
// other arguments keep their order. If NAME=VALUE does not follow the option, the next argument is reported and counted
// as refused. `code` is MPI_T_ERR_MEMORY if settings were lost for lack of memory.
MPIT_MODULE_LOCAL inline settings_result take_arguments(int& argc, char** argv,
                                                        const char* option = "--mpit") noexcept {
    registry::process_registry* registry = settings::registry_for_settings();
    settings_result counts;
    registry::report_limit limit;
    settings::extract_settings(argc, argv, option, [&](core::text setting, int number) {
        const auto* equals = static_cast<const char*>(std::memchr(setting.characters, '=', setting.length));
        const core::text name{setting.characters,
                              equals == nullptr ? 0 : static_cast<std::uint32_t>(equals - setting.characters)};
        registry::message place;
        place.append("argument %d", number);
        if (!core::is_possible_name(name)) {
            counts.refused++;
            if (!limit.allows_one_more()) return;
            registry::message report;
            report.append("%s is not read: expected NAME=VALUE after %s, but found ", place.line(), option);
            report.append_quoted(setting, 120);
            return report.send(registry == nullptr ? nullptr : registry->reports_to.load());
        }
        counts.settings++;
        const core::text value{equals + 1, setting.length - name.length - 1};
        if (registry == nullptr || registry::add_setting_copy(*registry, origin::command_line, name, value,
                                                              {place.line(), place.length()}) == nullptr)
            counts.code = result::out_of_memory;
    });
    if (limit.left_out() != 0)
        registry::report(registry == nullptr ? nullptr : registry->reports_to.load(),
                         "%d more arguments after %s are not read", limit.left_out(), option);
    if (counts.settings != 0 && registry != nullptr) registry::apply_settings(*registry);
    return counts;
}

// Reads the hints whose keys are names of control variables, and ignores all other hints. `place` describes the info
// object in reports. `code` is MPI_T_ERR_MEMORY if hints were lost for lack of memory.
MPIT_MODULE_LOCAL inline settings_result read_info(const info& hints, const char* place = "") noexcept {
    registry::process_registry* registry = settings::registry_for_settings();
    if (registry == nullptr) return {result::out_of_memory};
    settings_result counts;
    for (const auto& [key, value] : hints) {
        if (!core::is_possible_name(key)) continue;
        counts.settings++;
        if (registry::add_setting_copy(*registry, origin::info, key, value, place) == nullptr)
            counts.code = result::out_of_memory;
    }
    if (counts.settings != 0) registry::apply_settings(*registry);
    return counts;
}

// Sets the precedence of the origins of settings, and resolves all control variables again. The default order is
// configuration, environment, command_line, info. Returns MPI_T_ERR_INVALID if one of the four origins is missing.
MPIT_MODULE_LOCAL inline result set_order_of_origins(const origin (&weakest_first)[4]) noexcept {
    unsigned origins = 0;
    for (const origin element : weakest_first) origins |= 1u << static_cast<unsigned>(element);
    if (origins != 0b11110) return result::invalid;
    registry::process_registry* registry = settings::registry_for_settings();
    if (registry == nullptr) return result::out_of_memory;
    registry->settings.order.store(registry::word_of_order(weakest_first));
    registry->settings.order_changes.fetch_add(1);
    registry::apply_settings(*registry);
    return result::success;
}

// Calls `use(const unused_setting&)` for each setting of a file or the command line that no control variable has used.
// A program should call for_each_unused_setting() only after all libraries are loaded.
template <class Use> MPIT_MODULE_LOCAL void for_each_unused_setting(const Use& use) {
    if (registry::process_registry* registry = settings::registry_for_settings())
        settings::for_each_unused(*registry, use);
}
// Reports the first few unused settings, each with the name that was probably meant. Reports only the number of the
// remaining unused settings. Returns the number of all unused settings.
MPIT_MODULE_LOCAL inline int report_unused_settings() noexcept {
    int count = 0;
    registry::report_limit limit;
    for_each_unused_setting([&](const unused_setting& setting) {
        count++;
        if (!limit.allows_one_more()) return;
        registry::message report;
        report.append_escaped(setting.name, 300);
        report.append("=");
        report.append_quoted(setting.value, 120);
        report.append(" in ");
        report.append_escaped(setting.place, 300);
        report.append(" does not set any control variable");
        if (setting.nearest.length != 0) {
            report.append("; did you mean ");
            report.append_escaped(setting.nearest, 300);
            report.append("?");
        }
        report.send(registry::the_registry()->reports_to.load());
    });
    if (limit.left_out() != 0)
        registry::report(registry::the_registry()->reports_to.load(),
                         "%d more settings do not set any control variable", limit.left_out());
    return count;
}

// Calls `write(mpit::core::text)` with the parts of a configuration file. The file has all control variables that are
// neither bound nor constant. Lines with initial values are commented out. Returns false if memory is exhausted.
template <class Write> MPIT_MODULE_LOCAL bool write_configuration_to(const Write& write) {
    const registry::process_registry* registry = registry::published_registry();
    if (registry != nullptr) settings::configuration_text<Write>{*registry, write}.write_all();
    return registry != nullptr;
}
// Writes all settable control variables to a file. On an error, returns not_accessible and stores the reason in errno.
MPIT_MODULE_LOCAL inline result write_configuration(const char* file) noexcept {
    const int output = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0) return result::not_accessible;
    char buffer[4096];
    std::size_t length = 0;
    int error = 0;
    const auto flush = [&] {
        for (std::size_t offset = 0; offset < length && error == 0;) {
            const ssize_t written = write(output, buffer + offset, length - offset);
            if (written > 0) offset += static_cast<std::size_t>(written);
            else if (written == 0 || errno != EINTR) error = written == 0 ? EIO : errno;
        }
        length = 0;
    };
    const bool has_registry = write_configuration_to([&](core::text part) {
        for (std::uint32_t i = 0; i < part.length; i++) {
            if (length == sizeof buffer) flush();
            buffer[length++] = part.characters[i];
        }
    });
    flush();
    if (close(output) != 0 && error == 0) error = errno;
    if (!has_registry) return result::out_of_memory;
    if (error != 0) errno = error;
    return error == 0 ? result::success : result::not_accessible;
}

} // namespace mpit
