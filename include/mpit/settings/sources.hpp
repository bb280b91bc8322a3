// SPDX-License-Identifier: BSD-3-Clause
// The settings API for owners of a program or a library: read settings, order their sources, list the unused ones,
// write them down. mpit/settings.hpp is the header to include.
// Any thread may call each of these functions. None is for signal handlers: they allocate, read and write files, and
// call the functions of authors and the report handler.
//
//   mpit::settings_answer read = mpit::read_configuration("mympi.conf");
#pragma once

#include <mpit/info.hpp>
#include <mpit/module/registrar.hpp>
#include <mpit/registry/report_limit.hpp>
#include <mpit/report_handler.hpp> // IWYU pragma: export
#include <mpit/settings/dump.hpp>
#include <mpit/settings/unused.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL settings {

// Removes `--mpit NAME=VALUE` and `--mpit=NAME=VALUE`, up to `--`, from a command line; the other arguments keep their
// order. Calls `take(setting, number of the argument)` for each; the setting is empty if the option is the last
// argument.
template <class Take> void take_settings(int& argc, char** argv, core::text option, const Take& take) noexcept {
    int kept = 1;
    bool has_ended = false;
    for (int i = 1; i < argc; i++) {
        const core::text argument = argv[i];
        has_ended = has_ended || core::equal(argument, "--");
        const char separator = core::has_prefix(argument, option) ? argument.characters[option.length] : 'x';
        if (has_ended || (separator != '\0' && separator != '=')) {
            argv[kept++] = argv[i];
        } else if (separator == '=') {
            take(core::text{argument.characters + option.length + 1}, i);
        } else if (i + 1 == argc || core::equal(argv[i + 1], "--")) {
            take(core::text{}, i);
        } else {
            i++;
            take(core::text{argv[i]}, i);
        }
    }
    if (kept >= argc) return;
    argc = kept;
    argv[kept] = nullptr;
}

} // namespace settings

// The result of reading settings: numbers of settings, and in `code` MPI_T_ERR_MEMORY if some were lost.
struct [[nodiscard]] settings_answer {
    result code = result::success;
    int settings = 0; // that can be read; whether a variable takes them is another question
    int refused = 0;  // that cannot be read
};

namespace MPIT_MODULE_LOCAL settings {

// The registry with all pending trees published and a registrar for later ones; null without memory.
inline registry::process_registry* registry_for_settings() noexcept {
    registry::process_registry* registry = registry::the_registry();
    if (registry == nullptr || !registry::become_registrar(*registry)) return nullptr;
    registry::report_lost_values(*registry);
    return registry;
}

} // namespace settings

// Reads a file: `NAME = value`, a comment after #, quotes around a text with # or blanks at its ends. Of two lines with
// one name the later one counts, and so does the file that is read later. A value that is read again is nothing new: it
// stays as its library has changed it since. not_accessible where the file cannot be read, which is not reported; errno
// says why, and is EINVAL for a pipe or a device.
MPIT_MODULE_LOCAL inline settings_answer read_configuration(const char* file) noexcept {
    registry::process_registry* registry = settings::registry_for_settings();
    if (registry == nullptr) return {result::out_of_memory};
    registry::report_list reports;
    const registry::file_content found = registry::read_settings_of_file(*registry, file, reports);
    if (found.settings != 0) registry::resolve_setting(*registry, reports);
    reports.send(registry->reports_to.load());
    if (found.error != 0) errno = found.error;
    const result code = found.error == 0        ? result::success
                        : found.error == ENOMEM ? result::out_of_memory
                                                : result::not_accessible;
    return {code, found.settings, found.refused};
}

// Takes `--mpit NAME=VALUE` and `--mpit=NAME=VALUE` off the arguments of main(), up to `--`; the rest stays in its
// order. An argument behind the option that is not NAME=VALUE is counted as refused, and reported. `code` is
// MPI_T_ERR_MEMORY if some were lost.
MPIT_MODULE_LOCAL inline settings_answer take_arguments(int& argc, char** argv,
                                                        const char* option = "--mpit") noexcept {
    registry::process_registry* registry = settings::registry_for_settings();
    settings_answer answer;
    registry::report_limit limit;
    settings::take_settings(argc, argv, option, [&](core::text setting, int number) {
        const auto* equals = static_cast<const char*>(std::memchr(setting.characters, '=', setting.length));
        const core::text name{setting.characters,
                              equals == nullptr ? 0 : static_cast<std::uint32_t>(equals - setting.characters)};
        registry::message place;
        place.append("argument %d", number);
        if (!core::is_possible_name(name)) {
            answer.refused++;
            if (!limit.allows_one_more()) return;
            registry::message said;
            said.append("%s is not read: %s stands before NAME=VALUE, and not before ", place.line(), option);
            said.append_quoted(setting, 120);
            return said.send(registry == nullptr ? nullptr : registry->reports_to.load());
        }
        answer.settings++;
        const core::text value{equals + 1, setting.length - name.length - 1};
        if (registry == nullptr || registry::add_setting_copy(*registry, origin::command_line, name, value,
                                                              {place.line(), place.length()}) == nullptr)
            answer.code = result::out_of_memory;
    });
    if (limit.left_out() != 0)
        registry::report(registry == nullptr ? nullptr : registry->reports_to.load(),
                         "%d more arguments are not read, before which %s stands", limit.left_out(), option);
    if (answer.settings != 0 && registry != nullptr) registry::resolve_setting(*registry);
    return answer;
}

// Reads the hints of an info object whose keys are names of control variables; all others are ignored. `place` tells
// people which object it was. `code` is MPI_T_ERR_MEMORY if some were lost.
MPIT_MODULE_LOCAL inline settings_answer read_info(const info& hints, const char* place = "") noexcept {
    registry::process_registry* registry = settings::registry_for_settings();
    if (registry == nullptr) return {result::out_of_memory};
    settings_answer answer;
    for (const auto& [key, value] : hints) {
        if (!core::is_possible_name(key)) continue;
        answer.settings++;
        if (registry::add_setting_copy(*registry, origin::info, key, value, place) == nullptr)
            answer.code = result::out_of_memory;
    }
    if (answer.settings != 0) registry::resolve_setting(*registry);
    return answer;
}

// Changes which source wins over which, for the whole process, and lets all variables take the values that win now. The
// declared order is configuration, environment, command_line, info. MPI_T_ERR_INVALID if one of them is missing.
MPIT_MODULE_LOCAL inline result set_order(const origin (&weakest_first)[4]) noexcept {
    unsigned seen = 0;
    for (const origin each : weakest_first) seen |= 1u << static_cast<unsigned>(each);
    if (seen != 0b11110) return result::invalid;
    registry::process_registry* registry = settings::registry_for_settings();
    if (registry == nullptr) return result::out_of_memory;
    registry->settings.order.store(registry::word_of_order(weakest_first));
    registry->settings.order_changes.fetch_add(1);
    registry::resolve_setting(*registry);
    return result::success;
}

// Calls `use(const unused_setting&)` for each setting of a file or the command line that no control variable has asked
// for. Only the program knows when all its libraries are loaded; MPI_T_init_thread does not, since tools call it
// before.
template <class Use> MPIT_MODULE_LOCAL void for_each_unused_setting(const Use& use) {
    if (registry::process_registry* registry = settings::registry_for_settings())
        settings::for_each_unused(*registry, use);
}
// Reports the first few, each with the name that was probably meant, and how many more there are; returns the number of
// all.
MPIT_MODULE_LOCAL inline int report_unused_settings() noexcept {
    int count = 0;
    registry::report_limit limit;
    for_each_unused_setting([&](const unused_setting& each) {
        count++;
        if (!limit.allows_one_more()) return;
        registry::message said;
        said.append_escaped(each.name, 300);
        said.append("=");
        said.append_quoted(each.value, 120);
        said.append(" in ");
        said.append_escaped(each.place, 300);
        said.append(": no control variable is called so");
        if (each.nearest.length != 0) {
            said.append("; did you mean ");
            said.append_escaped(each.nearest, 300);
            said.append("?");
        }
        said.send(registry::the_registry()->reports_to.load());
    });
    if (limit.left_out() != 0)
        registry::report(registry::the_registry()->reports_to.load(),
                         "there are %d more settings that no control variable has asked for", limit.left_out());
    return count;
}

// Shows `write(mpit::core::text)` a configuration file piece by piece, with all control variables that a file can set:
// those that belong to no object and are not constant. Values that are the declared ones are comments. Returns false
// without memory.
template <class Write> MPIT_MODULE_LOCAL bool write_configuration_to(const Write& write) {
    const registry::process_registry* registry = registry::published_registry();
    if (registry != nullptr) settings::configuration_text<Write>{*registry, write}.write_all();
    return registry != nullptr;
}
// Writes the same into a file. not_accessible if that cannot be written; errno says why.
MPIT_MODULE_LOCAL inline result write_configuration(const char* file) noexcept {
    const int opened = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (opened < 0) return result::not_accessible;
    char buffer[4096];
    std::size_t length = 0;
    int error = 0;
    const auto flush = [&] {
        for (std::size_t offset = 0; offset < length && error == 0;) {
            const ssize_t written = write(opened, buffer + offset, length - offset);
            if (written > 0) offset += static_cast<std::size_t>(written);
            else if (written == 0 || errno != EINTR) error = written == 0 ? EIO : errno;
        }
        length = 0;
    };
    const bool is_there = write_configuration_to([&](core::text piece) {
        for (std::uint32_t i = 0; i < piece.length; i++) {
            if (length == sizeof buffer) flush();
            buffer[length++] = piece.characters[i];
        }
    });
    flush();
    if (close(opened) != 0 && error == 0) error = errno;
    if (!is_there) return result::out_of_memory;
    if (error != 0) errno = error;
    return error == 0 ? result::success : result::not_accessible;
}

} // namespace mpit
