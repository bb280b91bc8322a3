// The environment variables by which MPIs set their control variables: MPICH reads MPIR_CVAR_X, MPIR_PARAM_X and
// MPICH_X for its MPIR_CVAR_X, Open MPI OMPI_MCA_x for x, and others a variable with the name of the control variable.
//
//   const environment_names before;   …   std::string from = before.of_control("btl_tcp_eager_limit");
#pragma once

#include <algorithm>
#include <fcntl.h>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>

namespace mpit_info {

// The names in the environment with which the process was started: while an MPI starts it adds variables of its own.
class environment_names {
public:
    environment_names() {
        const int file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC);
        std::string text;
        char part[4096];
        for (ssize_t length = 0; file >= 0 && (length = read(file, part, sizeof part)) > 0;)
            text.append(part, static_cast<std::size_t>(length));
        if (file >= 0) close(file);
        for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
            end = std::min(text.find('\0', begin), text.size());
            const std::string_view entry = std::string_view{text}.substr(begin, end - begin);
            names_.emplace(entry.substr(0, entry.find('=')));
        }
    }

    // The environment variable from which an MPI takes the value of a control variable; empty if it is not set.
    std::string of_control(const std::string& name) const {
        constexpr std::string_view of_mpich = "MPIR_CVAR_";
        if (name.rfind(of_mpich, 0) == 0) {
            // MPICH takes the first of these.
            for (const char* prefix : {"MPIR_CVAR_", "MPIR_PARAM_", "MPICH_"})
                if (std::string found = prefix + name.substr(of_mpich.size()); names_.count(found) != 0) return found;
            return {};
        }
        if (std::string found = "OMPI_MCA_" + name; names_.count(found) != 0) return found;
        // A word in lower case or without an underscore, `host` or `HOME`, is likely another one's variable.
        const bool is_distinct =
            name.find('_') != name.npos && name.find_first_of("abcdefghijklmnopqrstuvwxyz") == name.npos;
        return is_distinct && names_.count(name) != 0 ? name : std::string{};
    }

private:
    std::set<std::string> names_;
};

} // namespace mpit_info
