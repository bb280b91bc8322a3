/* The first header of each file of the libraries that are preloaded. They are in the environment of each program below
 * the user's, also of one with another C library than glibc, such as musl: its loader ends a program of which it does
 * not find all functions and libraries. So these files call only what POSIX and Linux name, without the checked
 * variants of glibc that distributions turn on, and have their thread-local variables in the static block
 * (initial-exec): others need a function of glibc's loader. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#define IN_FIRST_BLOCK __attribute__((tls_model("initial-exec")))
