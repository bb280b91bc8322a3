// The functions that a program may call at any time: versions, the name of the machine, and the clock.
#include "communicator.hpp"
#include "variables.hpp"

#include <mpit/version.hpp>

#include <cstdio>
#include <string>

#include <time.h>
#include <unistd.h>

using namespace mini;

namespace {

double seconds_of(const timespec& time) {
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

int PMPI_Get_version(int* version, int* subversion) {
    if (const int wrong = first_error({check_output(version), check_output(subversion)})) return raise_on_self(wrong);
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

int PMPI_Abi_get_version(int* version, int* subversion) {
    if (const int wrong = first_error({check_output(version), check_output(subversion)})) return raise_on_self(wrong);
    *version = MPI_ABI_VERSION;
    *subversion = MPI_ABI_SUBVERSION;
    return MPI_SUCCESS;
}

int PMPI_Get_library_version(char* version, int* length) {
    if (const int wrong = first_error({check_output(version), check_output(length)})) return raise_on_self(wrong);
    *length =
        std::snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING,
                      "mini %d.%d.%d, a single-process example runtime with the MPI-%d.%d binary interface, job %s",
                      mpit::version::major, mpit::version::minor, mpit::version::patch, MPI_VERSION, MPI_SUBVERSION,
                      job_name().c_str());
    return MPI_SUCCESS;
}

int PMPI_Get_processor_name(char* name, int* length) {
    if (const int wrong = first_error({check_output(name), check_output(length)})) return raise_on_self(wrong);
    char host[MPI_MAX_PROCESSOR_NAME]{}; // one byte longer than what is asked for: a name that was cut may have no end
    if (gethostname(host, sizeof host - 1) != 0) return raise_on_self(MPI_ERR_INTERN);
    *length = static_cast<int>(std::string_view{host}.copy(name, sizeof host - 1));
    name[*length] = '\0';
    return MPI_SUCCESS;
}

double PMPI_Wtime() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return seconds_of(now);
}

double PMPI_Wtick() {
    timespec resolution{};
    clock_getres(CLOCK_MONOTONIC, &resolution);
    return seconds_of(resolution);
}

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Abi_get_version")]] decltype(PMPI_Abi_get_version) MPI_Abi_get_version;
[[gnu::weak, gnu::alias("PMPI_Get_version")]] decltype(PMPI_Get_version) MPI_Get_version;
[[gnu::weak, gnu::alias("PMPI_Get_library_version")]] decltype(PMPI_Get_library_version) MPI_Get_library_version;
[[gnu::weak, gnu::alias("PMPI_Get_processor_name")]] decltype(PMPI_Get_processor_name) MPI_Get_processor_name;
[[gnu::weak, gnu::alias("PMPI_Wtime")]] decltype(PMPI_Wtime) MPI_Wtime;
[[gnu::weak, gnu::alias("PMPI_Wtick")]] decltype(PMPI_Wtick) MPI_Wtick;
}
