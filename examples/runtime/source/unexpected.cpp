// The buffers of unexpected messages. How full they are is shown three ways: in bytes, as a fraction of the limit, and
// in the number of empty ones kept.
#include "unexpected.hpp"

#include "variables.hpp"

#include <mutex>

namespace mini {
namespace {

struct buffer_store {
    std::mutex mutex;
    std::size_t limit = 0;
    std::size_t bytes_in_use = 0;
    std::vector<payload_buffer> spare;
};

constinit buffer_store store;

// The functions below are called with the store's mutex held.

void change_use(std::size_t bytes_in_use) {
    store.bytes_in_use = bytes_in_use;
    variables.buffers.unexpected_bytes = bytes_in_use;
    variables.buffers.use =
        store.limit == 0 ? 0.0 : static_cast<double>(bytes_in_use) / static_cast<double>(store.limit);
}

payload_buffer take_spare() {
    if (store.spare.empty()) return {};
    payload_buffer taken = std::move(store.spare.back());
    store.spare.pop_back();
    --variables.buffers.spare;
    return taken;
}

} // namespace

bool copy_into_buffer(const transfer& message, payload_buffer& into) {
    {
        const std::lock_guard guard{store.mutex};
        if (message.bytes > store.limit - store.bytes_in_use) return false;
        change_use(store.bytes_in_use + message.bytes);
        into = take_spare();
    }
    into.assign(message.send_from, message.send_from + message.bytes);
    return true;
}

void give_back(payload_buffer buffer) {
    const std::lock_guard guard{store.mutex};
    change_use(store.bytes_in_use - buffer.size());
    if (store.spare.size() >= variables.buffers.spare_limit) return;
    store.spare.push_back(std::move(buffer));
    ++variables.buffers.spare;
}

void open_buffers() {
    const std::lock_guard guard{store.mutex};
    store.limit = static_cast<std::size_t>(variables.buffers.limit.get());
    variables.buffers.size = store.limit;
}

} // namespace mini
