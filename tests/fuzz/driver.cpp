// Stands in for libFuzzer where the compiler has none: feeds the target inputs that are drawn at random from a fixed
// seed, or replays files.
//
//   fuzz 20000              so many inputs
//   fuzz crash-1234 …       these files
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Whether each function has succeeded at least once; tells how often.
bool has_reached_every_function();

namespace {

using input = std::vector<std::uint8_t>;

// Long inputs that repeat and change pieces of themselves reach further than noise.
input random_input(std::mt19937& random) {
    input made(1 + random() % 2000);
    for (std::uint8_t& each : made) each = static_cast<std::uint8_t>(random());
    for (unsigned copies = random() % 8; copies > 0 && made.size() > 64; copies--) {
        const std::size_t length = 1 + random() % 32, from = random() % (made.size() - length),
                          to = random() % (made.size() - length);
        for (std::size_t i = 0; i < length; i++) made[to + i] = made[from + i];
    }
    return made;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) return std::fprintf(stderr, "a number of inputs, or files\n"), 1;
    char* end = nullptr;
    const long inputs = std::strtol(arguments[1], &end, 10);
    if (*end == '\0') {
        std::mt19937 random{20};
        for (long i = 0; i < inputs; i++) {
            const input next = random_input(random);
            if (std::getenv("FUZZ_TRACE") != nullptr) std::fprintf(stderr, "input %ld\n", i);
            LLVMFuzzerTestOneInput(next.data(), next.size());
        }
        std::printf("%ld inputs\n", inputs);
        return has_reached_every_function() ? 0 : 1;
    }
    for (int i = 1; i < count; i++) {
        std::ifstream file{arguments[i], std::ios::binary};
        const input read{std::istreambuf_iterator<char>{file}, {}};
        LLVMFuzzerTestOneInput(read.data(), read.size());
    }
}
