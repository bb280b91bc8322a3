// Whether the program runs under QEMU, which the leg cross of run.sh does: what the emulator needs and cannot do is not
// the program's.
//
//     if (is_emulated()) return std::puts("skipped: QEMU has no filter of system calls"), void();
#pragma once

#include <cstdlib>

inline bool is_emulated() { return std::getenv("QEMU_LD_PREFIX") != nullptr; }
