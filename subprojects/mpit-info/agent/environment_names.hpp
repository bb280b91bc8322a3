// The environment variables by which MPIs set their control variables: MPICH reads MPIR_CVAR_X, MPIR_PARAM_X and
// MPICH_X for its MPIR_CVAR_X, Open MPI OMPI_MCA_x for x, and others a variable with the name of the control variable.
//
//   const environment_names before;   …   std::string from = before.of_control("btl_tcp_eager_limit");
#pragma once

#include "text_of_file.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mpit_info {

// The names in the environment with which the process was started: while an MPI starts it adds variables of its own.
class environment_names {
public:
    environment_names() {
        for (const std::string& entry : words_of_file("/proc/self/environ"))
            names_.insert(entry.substr(0, entry.find('=')));
    }

    // The environment variable from which an MPI takes the value of a control variable; empty if it is not set.
    std::string of_control(const std::string& name) const {
        constexpr std::string_view of_mpich = "MPIR_CVAR_";
        if (name.rfind(of_mpich, 0) == 0) {
            // MPICH takes the first of these.
            for (const char* prefix : of_mpich_)
                if (std::string found = prefix + name.substr(of_mpich.size()); names_.count(found) != 0) return found;
            return {};
        }
        if (std::string found = of_open_mpi_ + name; names_.count(found) != 0) return found;
        // A word in lower case or without an underscore, `host` or `HOME`, is likely another one's variable.
        const bool is_distinct =
            name.find('_') != name.npos && name.find_first_of("abcdefghijklmnopqrstuvwxyz") == name.npos;
        return is_distinct && names_.count(name) != 0 ? name : std::string{};
    }

    // Those that may set control variables of an MPI.
    std::vector<std::string> settings() const {
        std::vector<std::string> found;
        for (const std::string& name : names_) {
            bool is_setting = name.rfind(of_open_mpi_, 0) == 0;
            for (const char* prefix : of_mpich_) is_setting = is_setting || name.rfind(prefix, 0) == 0;
            if (is_setting && name.size() <= longest_setting && found.size() < most_settings) found.push_back(name);
        }
        return found;
    }

private:
    static constexpr const char* of_mpich_[] = {"MPIR_CVAR_", "MPIR_PARAM_", "MPICH_"};
    static constexpr const char* of_open_mpi_ = "OMPI_MCA_";
    static constexpr std::size_t most_settings = 1024, longest_setting = 256;
    std::set<std::string> names_;
};

} // namespace mpit_info
