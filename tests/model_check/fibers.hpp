// Fibers: functions that hand over to each other, each on a stack of its own at an address that never changes. All that
// a fiber is while it waits lies on its stack above `top`, so that copying that part keeps it.
//
//   fiber f;  f.begin(stack, size, &entry);   f.go_on();   // inside: f.hand_over();
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// Saves the registers that a function keeps for its caller on one stack, and takes those of another one. The others are
// of no meaning, and cleared: where a compiler spills one, as gcc 16 does, numbers of the search would make equal
// states look different.
__asm__(R"(
    .pushsection .text
    .type model_change_stacks, @function
model_change_stacks:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    xorl %eax, %eax
    xorl %ecx, %ecx
    xorl %edx, %edx
    xorl %esi, %esi
    xorl %edi, %edi
    xorl %r8d, %r8d
    xorl %r9d, %r9d
    xorl %r10d, %r10d
    xorl %r11d, %r11d
    ret
    .size model_change_stacks, . - model_change_stacks
    .popsection
)");
extern "C" void model_change_stacks(void** save_top, void* top) __asm__("model_change_stacks");

namespace model {

struct fiber {
    void* top = nullptr;

    void begin(char* stack, std::size_t size, void (*entry)()) noexcept {
        std::memset(stack, 0, size);
        auto** at = reinterpret_cast<void**>(stack + size) - 3; // as after a call
        *--at = reinterpret_cast<void*>(entry);
        at -= 6;
        top = at;
    }
    // What lies below the top is of no meaning, and cleared so that equal states look equal.
    void go_on() noexcept {
        std::memset(static_cast<char*>(top) - cleared, 0, cleared);
        model_change_stacks(&outside, top);
    }
    void hand_over() noexcept { model_change_stacks(&top, outside); }

    static constexpr std::size_t cleared = 2048;
    static inline void* outside = nullptr;
};

} // namespace model
