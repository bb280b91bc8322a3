// Errors: the answer of every function passes through raise(), which applies the error handler of the object that the
// call was about. Checks of arguments return an error class, so a function lists them and takes the first that fails.
#pragma once

#include <mpi.h>

#include <initializer_list>

namespace mini {

// MPI_SUCCESS passes; any other code returns or ends the program as the handler says.
int raise(MPI_Errhandler handler, int code);

// Ends the program with a message that names the job.
[[noreturn]] void abort_job(const char* reason, int code);

constexpr int first_error(std::initializer_list<int> answers) {
    for (const int answer : answers)
        if (answer != MPI_SUCCESS) return answer;
    return MPI_SUCCESS;
}

// An output argument.
constexpr int check_output(const void* output) { return output != nullptr ? MPI_SUCCESS : MPI_ERR_ARG; }

bool is_error_handler(MPI_Errhandler handler);

} // namespace mini
