// The layer itself. Every line that counts something names its variable; tools need no other bookkeeping.
#include "fabric.hpp"

#include "variables.hpp"

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>

constinit mpit::shared_tree<fabric_variables> fabric_tree;

namespace fabric {
namespace {

// libfabric's objects end with fi_close().
template <class Object> struct closing {
    void operator()(Object* object) const { fi_close(&object->fid); }
};
template <class Object> using owned = std::unique_ptr<Object, closing<Object>>;

struct info_free {
    void operator()(fi_info* info) const { fi_freeinfo(info); }
};
using info = std::unique_ptr<fi_info, info_free>;

void check(long answer, const char* what) {
    if (answer < 0) throw std::runtime_error{std::string{what} + ": " + fi_strerror(static_cast<int>(-answer))};
}

// Calls a function of libfabric that makes an object.
template <class Object, class Make> owned<Object> make(const char* what, const Make& function) {
    Object* made = nullptr;
    check(function(&made), what);
    return owned<Object>{made};
}

// A provider that carries messages between endpoints without connections, or null.
info find(const std::string& provider, const std::string& node) {
    const info hints{fi_allocinfo()};
    hints->caps = FI_MSG;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->fabric_attr->prov_name = strdup(provider.c_str());
    // Shared memory has names of its own, and no address.
    const bool has_address = !node.empty() && provider != "shm";
    fi_info* found = nullptr;
    const int answer = fi_getinfo(FI_VERSION(1, 11), has_address ? node.c_str() : nullptr, nullptr,
                                  has_address ? FI_SOURCE : 0, hints.get(), &found);
    publish_parameters();
    return info{answer == 0 ? found : nullptr};
}

} // namespace

struct endpoint::parts {
    static constexpr std::size_t receive_count = 64;
    struct receive_buffer {
        char data[largest_message];
    };

    std::function<void(const char*, std::size_t)> arrived;
    info chosen;
    // The last one is closed first.
    owned<fid_fabric> fabric;
    owned<fid_domain> domain;
    owned<fid_av> peers;
    owned<fid_cq> completed;
    owned<fid_ep> end;
    std::unique_ptr<receive_buffer[]> received{new receive_buffer[receive_count]};
    std::vector<receive_buffer*> to_post; // what libfabric had no room for yet
    int under_way = 0;

    void open(info with);
    void post();
    void take(const fi_cq_msg_entry& entry);
    void take_error();
};

void endpoint::parts::open(info with) {
    chosen = std::move(with);
    fabric = make<fid_fabric>("fabric", [&](fid_fabric** to) { return fi_fabric(chosen->fabric_attr, to, nullptr); });
    domain =
        make<fid_domain>("domain", [&](fid_domain** to) { return fi_domain(fabric.get(), chosen.get(), to, nullptr); });
    fi_av_attr for_peers{};
    peers =
        make<fid_av>("address vector", [&](fid_av** to) { return fi_av_open(domain.get(), &for_peers, to, nullptr); });
    fi_cq_attr for_completions{};
    for_completions.format = FI_CQ_FORMAT_MSG;
    completed = make<fid_cq>("completion queue",
                             [&](fid_cq** to) { return fi_cq_open(domain.get(), &for_completions, to, nullptr); });
    end = make<fid_ep>("endpoint", [&](fid_ep** to) { return fi_endpoint(domain.get(), chosen.get(), to, nullptr); });
    check(fi_ep_bind(end.get(), &peers->fid, 0), "bind the address vector");
    check(fi_ep_bind(end.get(), &completed->fid, FI_TRANSMIT | FI_RECV), "bind the completion queue");
    check(fi_enable(end.get()), "enable");
    for (std::size_t i = 0; i < receive_count; i++) to_post.push_back(&received[i]);
    post();
}

void endpoint::parts::post() {
    while (!to_post.empty()) {
        receive_buffer* next = to_post.back();
        const long answer = fi_recv(end.get(), next->data, sizeof next->data, nullptr, FI_ADDR_UNSPEC, next);
        if (answer == -FI_EAGAIN) return void(++variables.retries);
        check(answer, "receive");
        to_post.pop_back();
    }
}

void endpoint::parts::take(const fi_cq_msg_entry& entry) {
    ++variables.completions;
    if ((entry.flags & FI_RECV) == 0) {
        under_way--;
        --variables.queued;
        return;
    }
    ++variables.messages_received;
    variables.bytes_received += entry.len;
    auto* buffer = static_cast<receive_buffer*>(entry.op_context);
    arrived(buffer->data, entry.len);
    to_post.push_back(buffer);
}

void endpoint::parts::take_error() {
    fi_cq_err_entry error{};
    check(fi_cq_readerr(completed.get(), &error, 0), "read an error");
    throw std::runtime_error{std::string{"completion: "} + fi_strerror(error.err)};
}

endpoint::endpoint(std::function<void(const char*, std::size_t)> arrived) {
    const auto providers = variables.provider.get();
    const auto chosen = variables.address.get();
    std::istringstream wanted{providers.c_str()};
    std::string failures = "no provider works:";
    for (std::string provider; wanted >> provider;) {
        parts_ = std::make_unique<parts>();
        parts_->arrived = arrived;
        try {
            info found = find(provider, chosen.c_str());
            if (!found) throw std::runtime_error{"not found"};
            parts_->open(std::move(found));
            return;
        } catch (const std::runtime_error& failure) { failures += " " + provider + " (" + failure.what() + ")"; }
    }
    throw std::runtime_error{failures};
}
endpoint::~endpoint() {
    variables.queued -= parts_->under_way; // what never completed is not under way any more
}

const char* endpoint::provider() const { return parts_->chosen->fabric_attr->prov_name; }

endpoint::address endpoint::own_address() const {
    std::size_t size = 0;
    fi_getname(&parts_->end->fid, nullptr, &size); // answers the size
    address own(size);
    check(fi_getname(&parts_->end->fid, own.data(), &size), "get the address");
    return own;
}
endpoint::peer endpoint::reach(const address& of_other) {
    fi_addr_t added = FI_ADDR_UNSPEC;
    if (fi_av_insert(parts_->peers.get(), of_other.data(), 1, &added, 0, nullptr) != 1)
        throw std::runtime_error{"insert an address"};
    return added;
}

bool endpoint::send(peer to, const void* data, std::size_t size) {
    if (parts_->under_way >= variables.queue_limit) return ++variables.refusals, false;
    const std::size_t limit = static_cast<std::size_t>(variables.inject_limit.get());
    const bool is_injected = size <= limit && size <= parts_->chosen->tx_attr->inject_size;
    const long answer = is_injected ? fi_inject(parts_->end.get(), data, size, to)
                                    : fi_send(parts_->end.get(), data, size, nullptr, to, nullptr);
    if (answer == -FI_EAGAIN) return ++variables.retries, false;
    check(answer, "send");
    ++variables.messages_sent;
    variables.bytes_sent += size;
    if (is_injected) return ++variables.messages_injected, true; // and nothing is left to be completed
    parts_->under_way++;
    ++variables.queued;
    return true;
}

void endpoint::progress() {
    const auto running = variables.progressing.start();
    fi_cq_msg_entry entries[64];
    const auto batch = static_cast<std::size_t>(variables.progress_batch.get());
    const long count = fi_cq_read(parts_->completed.get(), entries, batch);
    if (count == -FI_EAVAIL) parts_->take_error();
    if (count != -FI_EAGAIN) check(count, "read completions");
    for (long i = 0; i < count; i++) parts_->take(entries[i]);
    parts_->post();
}
bool endpoint::is_idle() const { return parts_->under_way == 0; }

} // namespace fabric
