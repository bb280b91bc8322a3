// Where the cells of threads are: each cell of each thread has a place of its own, and the cells of an array that fits
// stand one behind the other.

#include "../catch.hpp"
#include "../emulated.hpp"

#include <mpit/concurrency/shard_walks.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using mpit::core::shard;
using mpit::core::shard_parts;
constexpr std::uint32_t numbers = 3000, word = sizeof(std::uint64_t);

// The flags of the mapping that has the address, as the kernel tells them; empty if it does not.
std::string flags_of_mapping(const void* address) {
    std::FILE* file = std::fopen("/proc/self/smaps", "r");
    if (file == nullptr) return "";
    char line[512];
    bool is_it = false;
    std::string flags;
    while (flags.empty() && std::fgets(line, sizeof line, file) != nullptr) {
        unsigned long begin = 0, end = 0;
        if (std::sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            is_it =
                begin <= reinterpret_cast<std::uintptr_t>(address) && reinterpret_cast<std::uintptr_t>(address) < end;
        else if (is_it && std::strncmp(line, "VmFlags:", 8) == 0) flags = line + 8;
    }
    std::fclose(file);
    return flags;
}
bool has_huge_pages() {
    std::FILE* file = std::fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (file != nullptr) std::fclose(file);
    return file != nullptr;
}

} // namespace

TEST_CASE("The cells of threads are not in huge pages, where a thread that counts once would fill megabytes") {
    static mpit::core::shard_set set;
    set.begin(16384);
    errno = 5;
    const shard* made = mpit::core::detail::allocate_shard_memory(set);
    REQUIRE(made != nullptr);
    CHECK(errno == 5);
    const std::string flags = flags_of_mapping(made);
    if (!is_emulated() && has_huge_pages() && !flags.empty()) CHECK(flags.find(" nh") != std::string::npos);
}

TEST_CASE("Every cell of every thread of a slab has a place of its own, and larger numbers have larger distances") {
    int wrong = 0;
    std::vector<bool> is_taken(shard_parts::stride * (numbers / shard_parts::first_cells + 2) / word);
    const auto take = [&](std::size_t byte) {
        wrong += byte % word != 0 || byte / word >= is_taken.size() || is_taken[byte / word];
        if (byte / word < is_taken.size()) is_taken[byte / word] = true;
    };
    for (std::uint32_t thread = 0; thread < shard_parts::shards; thread++) {
        const std::size_t begin = std::size_t{thread} * shard_parts::bytes;
        for (std::size_t byte = 0; byte < sizeof(shard); byte += word) take(begin + byte);
        for (std::uint32_t n = 0; n < numbers; n++) {
            take(begin + shard::offset_of(n));
            wrong += n > 0 && shard::offset_of(n) <= shard::offset_of(n - 1);
        }
    }
    CHECK(wrong == 0);
    CHECK(shard::offset_of(1u << 22) == mpit::core::no_shard_cell);
    CHECK(shard::offset_of((1u << 22) - 1) < mpit::core::no_shard_cell);
}

TEST_CASE("Cells that are asked for together stand one behind the other, and those of more than a part begin one") {
    int wrong = 0;
    for (std::uint32_t from = 0; from < 500; from++) {
        for (std::uint32_t count = 1; count < 300; count++) {
            const std::uint32_t first = shard::first_contiguous(count, from);
            wrong += first < from || shard::first_contiguous(count, first) != first;
            const std::uint32_t together = shard::contiguous_cells_at(shard::offset_of(first));
            const std::uint32_t of_part =
                first < shard_parts::first_cells ? shard_parts::first_cells : shard_parts::further_cells;
            wrong += count > together && together != of_part;
            for (std::uint32_t i = 1; i < together && i < count; i++)
                wrong += shard::offset_of(first + i) != shard::offset_of(first) + i * word;
        }
    }
    CHECK(wrong == 0);
}
