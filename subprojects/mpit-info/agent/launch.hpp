// What the processes of one launch share: the number that their launcher has given to it, or else the process that has
// started them.
//
//   const std::string launch = launch_of_process(true);   // "PMIX_NAMESPACE=508035073"
#pragma once

#include "text_of_file.hpp"

#include <cstdlib>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace mpit_info {

// The process that has made the connection PMI_FD, also if a shell is between it and this one; else the parent.
inline pid_t launcher_of_process() noexcept {
    const char* const number = std::getenv("PMI_FD");
    ucred maker{};
    socklen_t size = sizeof maker;
    const bool is_known =
        number != nullptr && getsockopt(std::atoi(number), SOL_SOCKET, SO_PEERCRED, &maker, &size) == 0;
    return is_known && maker.pid > 0 ? maker.pid : getppid();
}

// Without a number it is the launcher, which is known on its node alone; empty if that is not wanted.
inline std::string launch_of_process(bool or_launcher) {
    const std::string launcher = std::to_string(launcher_of_process());
    // The processes of Hydra on all nodes have the address of mpiexec.
    bool is_address = false;
    for (const std::string& word : words_of_file(("/proc/" + launcher + "/cmdline").c_str())) {
        if (is_address) return "control-port=" + word;
        is_address = word == "--control-port";
    }
    for (const char* name : {"PMIX_NAMESPACE", "OMPI_MCA_orte_hnp_uri", "PMI_JOBID", "PALS_APID"})
        if (const char* value = std::getenv(name)) return (name + std::string{"="} + value).substr(0, 255);
    const char* const job = std::getenv("SLURM_JOB_ID");
    const char* const step = std::getenv("SLURM_STEP_ID");
    if (job != nullptr && step != nullptr) return "SLURM_STEP_ID=" + std::string{job} + "." + step;
    return or_launcher ? "launcher=" + launcher : std::string{};
}

} // namespace mpit_info
