// The counters of the node's network devices as computed variables: of InfiniBand and RoCE ports, of CXI devices, and
// of other interfaces. They are those of the node, not of the process, and start at zero when the agent does. All files
// are opened at the beginning, since the program may rely on the next free descriptor later.
//
//   network.begin("/sys");   for (const network_counter& each : network.counters()) each.value();
#pragma once

#include "../descriptor.hpp"

#include <mpit/dynamic.hpp>

#include <cstdlib>
#include <deque>
#include <dirent.h>
#include <optional>
#include <string>
#include <vector>

namespace mpit_info {

class network_counter {
public:
    const std::string name;
    const bool is_bytes;

    network_counter(std::string called, const std::string& path, std::uint64_t bytes_of_one)
        : name{std::move(called)},
          is_bytes{bytes_of_one != 0},
          unit_{is_bytes ? bytes_of_one : 1},
          file_{open(path.c_str(), O_RDONLY | O_CLOEXEC)},
          first_{read().value_or(0)},
          is_there_{read().has_value()} {}
    bool is_there() const noexcept { return is_there_; }
    // Since the beginning; 0 if it cannot be read.
    std::uint64_t value() const noexcept {
        const std::uint64_t now = read().value_or(0);
        return now < first_ ? 0 : (now - first_) * unit_;
    }
    void leave_to_parent() noexcept { file_.close_own(); }

private:
    // CXI has the time behind the number: 1234@1700000000.5.
    std::optional<std::uint64_t> read() const noexcept {
        const int kept = errno;
        char text[64];
        const ssize_t length = file_.is_own() ? pread(file_.number(), text, sizeof text - 1, 0) : 0;
        errno = kept;
        if (length <= 0 || text[0] < '0' || text[0] > '9') return std::nullopt;
        text[length] = '\0';
        return std::strtoull(text, nullptr, 10);
    }

    const std::uint64_t unit_;
    descriptor file_;
    const std::uint64_t first_;
    const bool is_there_;
};

class network_counters {
public:
    static constexpr std::size_t most = 48; // files

    // `root` is /sys, or a directory with its structure.
    void begin(const std::string& root) {
        for (const std::string& device : names_in(root + "/class/infiniband"))
            for (const std::string& port : names_in(root + "/class/infiniband/" + device + "/ports"))
                add_all(device + "_" + port, root + "/class/infiniband/" + device + "/ports/" + port + "/counters/",
                        {{"port_xmit_data", "sent_bytes", 4}, // the unit of InfiniBand is four bytes
                         {"port_rcv_data", "received_bytes", 4},
                         {"port_xmit_packets", "sent_packets", 0},
                         {"port_rcv_packets", "received_packets", 0},
                         {"port_xmit_wait", "sent_waits", 0}});
        for (const std::string& device : names_in(root + "/class/cxi"))
            add_all(device, root + "/class/cxi/" + device + "/device/telemetry/",
                    {{"hni_sts_tx_ok_octets", "sent_bytes", 1}, {"hni_sts_rx_ok_octets", "received_bytes", 1}});
        for (const std::string& device : names_in(root + "/class/net"))
            add_all(device, root + "/class/net/" + device + "/statistics/",
                    {{"tx_bytes", "sent_bytes", 1},
                     {"rx_bytes", "received_bytes", 1},
                     {"tx_packets", "sent_packets", 0},
                     {"rx_packets", "received_packets", 0}});
        publish();
    }
    const std::deque<network_counter>& counters() const noexcept { return counters_; }
    void leave_to_parent() noexcept {
        for (network_counter& each : counters_) each.leave_to_parent();
    }

private:
    struct file {
        const char* name;
        const char* shown;
        std::uint64_t bytes_of_one;
    };
    static std::vector<std::string> names_in(const std::string& folder) {
        std::vector<std::string> names;
        DIR* const open = opendir(folder.c_str());
        if (open == nullptr) return names;
        while (const dirent* each = readdir(open))
            if (each->d_name[0] != '.') names.emplace_back(each->d_name);
        closedir(open);
        std::sort(names.begin(), names.end());
        return names;
    }
    void add_all(const std::string& device, const std::string& folder, std::initializer_list<file> files) {
        for (const file& each : files) {
            if (counters_.size() >= most) return;
            counters_.emplace_back("net_" + device + "_" + each.shown, folder + each.name, each.bytes_of_one);
            if (!counters_.back().is_there()) counters_.pop_back();
        }
    }
    void publish() {
        group_.emplace("node_network", "Counters of the network devices of this node, since the start of the agent");
        constexpr auto value = [](void* of) -> unsigned long long {
            return static_cast<network_counter*>(of)->value();
        };
        for (network_counter& each : counters_) {
            const char* const text = each.is_bytes
                                         ? "Bytes of a network device of the node, of all processes. Reads a file."
                                         : "Packets of a network device of the node, of all processes. Reads a file.";
            if (each.is_bytes)
                static_cast<void>(group_->computed<mpit::performance_class::aggregate, unsigned long long>(
                    each.name.c_str(), text, {.value = value, .data = &each}));
            else
                static_cast<void>(group_->computed<mpit::performance_class::counter, unsigned long long>(
                    each.name.c_str(), text, {.value = value, .data = &each}));
        }
        static_cast<void>(group_->publish());
    }

    std::deque<network_counter> counters_;
    std::optional<mpit::dynamic> group_;
};

// Not destroyed at the end of the process: a thread may still read them.
inline network_counters& network = *new network_counters;

} // namespace mpit_info
