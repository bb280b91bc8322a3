// Handles are async-signal-safe where the exchange of 16 bytes is an instruction. libatomic takes a lock for it, so
// that there a program that uses them in signal handlers is skipped as a whole.
//
//     #include "../signal_safe.hpp"
#pragma once

#include <mpit/concurrency/dwcas.hpp>

#include <cstdio>
#include <cstdlib>

[[gnu::used]] static const bool is_signal_safe =
    mpit::core::has_dwcas ||
    (std::puts("skipped: a handle in a signal handler waits for the lock of libatomic"), std::exit(77), false);
