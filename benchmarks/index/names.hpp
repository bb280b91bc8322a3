// Names of 10 to 60 characters, made of the prefixes and words of which today's MPI libraries make theirs. They are the
// same in every run.
//
//   name_maker names;  std::string name = names.next();   // never the same twice
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

class name_maker {
public:
    std::string next() {
        for (;;) {
            std::string name = pick(prefixes);
            for (std::uint32_t words_left = 1 + number_below(5); words_left > 0; words_left--) {
                if (name.back() != '_') name += '_';
                name += pick(words);
            }
            if (name.size() >= 10 && name.size() <= 60 && made_.insert(name).second) return name;
        }
    }

    std::uint32_t number_below(std::uint32_t limit) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>((state_ >> 33) % limit);
    }

private:
    static constexpr const char* prefixes[] = {
        "MPIR_CVAR_", "MPIR_CVAR_CH4_", "MPIR_CVAR_NEMESIS_", "btl_tcp_",  "btl_vader_", "coll_tuned_", "coll_basic_",
        "mpool_",     "pml_ob1_",       "pml_monitoring_",    "osc_rdma_", "oob_tcp_",   "io_romio_",   "mtl_ofi_",
    };
    static constexpr const char* words[] = {
        "allgather", "allreduce", "alltoall",  "bcast",   "reduce_scatter",
        "intra",     "inter",     "algorithm", "eager",   "limit",
        "max",       "min",       "msg",       "size",    "threshold",
        "segment",   "tree",      "fanout",    "chain",   "priority",
        "verbose",   "enable",    "num",       "latency", "bandwidth",
        "rndv",      "pipeline",  "depth",     "buffer",  "poll",
        "timeout",   "frag",      "send",      "recv",    "queue",
        "free",      "list",      "interval",  "cache",   "count",
    };
    template <std::size_t N> const char* pick(const char* const (&from)[N]) { return from[number_below(N)]; }

    std::uint64_t state_ = 1;
    std::unordered_set<std::string> made_;
};
