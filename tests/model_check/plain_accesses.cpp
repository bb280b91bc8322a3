// What g++ calls before each access to plain memory in code that is compiled with -fsanitize=thread. The program is not
// linked with the runtime of that sanitizer: under the memory of C++20 the explorer looks for data races itself.
#include "world.hpp"

using model::the_world;

namespace {

void read(void* at, std::size_t size) noexcept { the_world.access(static_cast<char*>(at), size, false); }
void write(void* at, std::size_t size) noexcept { the_world.access(static_cast<char*>(at), size, true); }

} // namespace

namespace model {
bool finds_races() noexcept { return MPIT_MODEL_FINDS_RACES; }
} // namespace model

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** at, void*) { write(at, sizeof *at); }
void __tsan_vptr_read(void** at) { read(at, sizeof *at); }
void __tsan_read1(void* at) { read(at, 1); }
void __tsan_read2(void* at) { read(at, 2); }
void __tsan_read4(void* at) { read(at, 4); }
void __tsan_read8(void* at) { read(at, 8); }
void __tsan_read16(void* at) { read(at, 16); }
void __tsan_write1(void* at) { write(at, 1); }
void __tsan_write2(void* at) { write(at, 2); }
void __tsan_write4(void* at) { write(at, 4); }
void __tsan_write8(void* at) { write(at, 8); }
void __tsan_write16(void* at) { write(at, 16); }
void __tsan_unaligned_read2(void* at) { read(at, 2); }
void __tsan_unaligned_read4(void* at) { read(at, 4); }
void __tsan_unaligned_read8(void* at) { read(at, 8); }
void __tsan_unaligned_read16(void* at) { read(at, 16); }
void __tsan_unaligned_write2(void* at) { write(at, 2); }
void __tsan_unaligned_write4(void* at) { write(at, 4); }
void __tsan_unaligned_write8(void* at) { write(at, 8); }
void __tsan_unaligned_write16(void* at) { write(at, 16); }
void __tsan_read_range(void* at, std::size_t size) { read(at, size); }
void __tsan_write_range(void* at, std::size_t size) { write(at, size); }

// Those of the compiler's own builtins, which are no steps.
std::uint32_t __tsan_atomic32_load(const std::uint32_t* at, int) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }
std::uint64_t __tsan_atomic64_load(const std::uint64_t* at, int) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }
std::uint64_t __tsan_atomic64_fetch_add(std::uint64_t* at, std::uint64_t n, int) {
    return __atomic_fetch_add(at, n, __ATOMIC_SEQ_CST);
}
std::uint64_t __tsan_atomic64_fetch_sub(std::uint64_t* at, std::uint64_t n, int) {
    return __atomic_fetch_sub(at, n, __ATOMIC_SEQ_CST);
}
}
