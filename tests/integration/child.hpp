// A function that runs in a child of fork().
#pragma once

#include "../catch.hpp"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs it in a child, and answers the number of checks that it says have failed.
template <class Function> int failures_in_child(Function function) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(60); // a child that waits for threads of its parent ends so, and that is a failure
        syscall(SYS_exit_group, function()); // a sanitizer would miss the threads of the parent
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}
