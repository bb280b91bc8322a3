// Messages that arrived before their receive, and the buffers with their data. The total size of the buffers
// is limited; a few empty ones are kept for the next message.
#pragma once

#include "engine.hpp"

#include <cstddef>
#include <vector>

namespace mini {

using payload_buffer = std::vector<std::byte>;

struct unexpected_message {
    envelope label;
    departure departed{};
    std::size_t bytes = 0;
    payload_buffer payload;      // the data of an eager message
    operation* sender = nullptr; // waits until its data is fetched; null for an eager message

    const std::byte* data() const { return sender != nullptr ? sender->send_from : payload.data(); }
};

// Copies a message's data into a buffer; false when the buffers have no room for it.
bool copy_into_buffer(const transfer& message, payload_buffer& into);

void give_back(payload_buffer buffer);

// Fixes the total size of the buffers for the life of the world.
void open_buffers();

} // namespace mini
