// Refuses one system call of this process from a chosen one on, as a sandbox does. x86-64 only; begin() returns false
// where the machine cannot do it. A filter of seccomp has no memory: it raises a signal for the call, whose handler
// counts, and makes the calls that are still allowed from the one place that the filter lets through.
//     refusal::begin(SYS_membarrier, 2, EPERM);   // two succeed, all others answer EPERM
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
extern "C" {
long passed_call(long number, long a, long b, long c, long d, long e, long f);
extern const char end_of_passed_call[];
}
__asm__(R"(
    .text
    .globl passed_call
passed_call:
    mov %rdi, %rax
    mov %rsi, %rdi
    mov %rdx, %rsi
    mov %rcx, %rdx
    mov %r8, %r10
    mov %r9, %r8
    mov 8(%rsp), %r9
    syscall
    .globl end_of_passed_call
end_of_passed_call:
    ret
)");

class refusal {
public:
    static constexpr unsigned any = ~0u;
    // Only calls with this third argument, unless it is any.
    static bool begin(long number, long allowed, int error, unsigned third = any) {
        number_ = number;
        allowed_ = allowed;
        error_ = error;
        struct sigaction action{};
        action.sa_sigaction = &take;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        if (sigaction(SIGSYS, &action, nullptr) != 0) return false;
        const auto place = reinterpret_cast<std::uintptr_t>(end_of_passed_call);
        constexpr unsigned short at_least = BPF_JMP | BPF_JGE | BPF_K;
        constexpr unsigned short in = BPF_LD | BPF_W | BPF_ABS, equal = BPF_JMP | BPF_JEQ | BPF_K,
                                 end = BPF_RET | BPF_K;
        constexpr unsigned pointer = offsetof(seccomp_data, instruction_pointer);
        sock_filter instructions[] = {
            BPF_STMT(in, offsetof(seccomp_data, nr)),
            BPF_JUMP(equal, static_cast<unsigned>(number), 0, 6),
            BPF_STMT(in, offsetof(seccomp_data, args) + 2 * sizeof(seccomp_data::args[0])),
            BPF_JUMP(third == any ? at_least : equal, third == any ? 0 : third, 0, 4),
            BPF_STMT(in, pointer),
            BPF_JUMP(equal, static_cast<unsigned>(place & 0xffffffff), 0, 3),
            BPF_STMT(in, pointer + 4),
            BPF_JUMP(equal, static_cast<unsigned>(place >> 32), 0, 1),
            BPF_STMT(end, SECCOMP_RET_ALLOW),
            BPF_STMT(end, SECCOMP_RET_TRAP),
        };
        const sock_fprog filter{sizeof instructions / sizeof *instructions, instructions};
        return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
    }
    static long count() { return count_.load(); }

private:
    static void take(int, siginfo_t*, void* context) {
        greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
        registers[REG_RAX] = count_.fetch_add(1) < allowed_
                                 ? passed_call(number_, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                               registers[REG_R10], registers[REG_R8], registers[REG_R9])
                                 : -error_;
    }
    static inline long number_ = -1, allowed_ = 0, error_ = 0;
    static inline std::atomic<long> count_{0};
};
#else
class refusal {
public:
    static constexpr unsigned any = ~0u;
    static bool begin(long, long, int, unsigned = any) { return false; }
    static long count() { return 0; }
};
#endif
