// The message engine. One mutex guards both queues; data is copied outside it, after sender and receiver are matched
// and removed from the queues. The variables move where the facts that they show change. The events of the queues
// happen under the mutex too, but a callback may call MPI and would wait for the mutex forever: they are deferred where
// they happen, which gives them their time and their order, and delivered when the mutex is free.
#include "engine.hpp"

#include "unexpected.hpp"
#include "variables.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <list>
#include <mutex>
#include <thread>

namespace mini {
namespace {

struct engine {
    std::mutex mutex;
    std::condition_variable completion;
    std::list<operation*> posted;
    std::list<unexpected_message> unexpected;
};

engine& the_engine() {
    // Never destroyed: a thread may still wait while the process exits.
    static auto* const only = new engine;
    return *only;
}

bool matches(const envelope& wanted, const envelope& offered) {
    ++variables.matching.match_attempts;
    return wanted.context == offered.context && (wanted.source == MPI_ANY_SOURCE || wanted.source == offered.source) &&
           (wanted.tag == MPI_ANY_TAG || wanted.tag == offered.tag);
}

void show_state(const engine& here) {
    variables.matching.engine_state = !here.unexpected.empty() ? engine_state::backlogged
                                      : !here.posted.empty()   ? engine_state::expecting
                                                               : engine_state::idle;
}

// The functions below that take an engine are called with its mutex held.

void defer_matched(const envelope& label, std::size_t bytes, bool was_unexpected) {
    variables.matching.message_matched.defer(label.context, label.source, label.tag, int{was_unexpected}, bytes);
}

operation* take_posted(engine& here, const transfer& offered) {
    const auto found =
        std::ranges::find_if(here.posted, [&](const operation* each) { return matches(each->label, offered.label); });
    if (found == here.posted.end()) return nullptr;
    operation* const receiver = *found;
    here.posted.erase(found);
    variables.matching.posted_queue_length -= 1;
    show_state(here);
    defer_matched(offered.label, offered.bytes, false);
    return receiver;
}

// The message, moved out of the queue with its entry; empty when there is none.
std::list<unexpected_message> take_unexpected(engine& here, const envelope& wanted) {
    std::list<unexpected_message> taken;
    const auto found = std::ranges::find_if(
        here.unexpected, [&](const unexpected_message& each) { return matches(wanted, each.label); });
    if (found == here.unexpected.end()) return taken;
    taken.splice(taken.end(), here.unexpected, found);
    variables.matching.unexpected_queue_length -= 1;
    show_state(here);
    defer_matched(found->label, found->bytes, true);
    return taken;
}

void post(engine& here, operation& receiver) {
    here.posted.push_back(&receiver);
    variables.matching.posted_queue_length += 1;
    show_state(here);
}

void keep(engine& here, unexpected_message&& message) {
    here.unexpected.push_back(std::move(message));
    variables.matching.unexpected_queue_length += 1;
    show_state(here);
    const unexpected_message& kept = here.unexpected.back();
    variables.matching.message_unexpected.defer(kept.label.context, kept.label.source, kept.label.tag,
                                                static_cast<int>(here.unexpected.size()), kept.bytes);
}

void copy(std::byte* into, const std::byte* from, std::size_t bytes) {
    const std::size_t piece = variables.rendezvous.copy_piece != 0 ? variables.rendezvous.copy_piece.get() : bytes;
    for (std::size_t done = 0; done < bytes; done += piece)
        std::memcpy(into + done, from + done, std::min(piece, bytes - done));
}

// Fills the receiver's buffer and its status; a message that is too long is cut.
void deliver(const envelope& label, const departure& departed, const std::byte* from, std::size_t bytes,
             operation& receiver) {
    copy(receiver.receive_into, from, std::min(bytes, receiver.bytes));
    receiver.error = bytes > receiver.bytes ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    receiver.bytes = std::min(bytes, receiver.bytes);
    receiver.label = label;
    ++variables.messages.received;
    variables.messages.bytes_received += receiver.bytes;
    variables.messages.balance += -1;
    if (departed.time == 0) return;
    const std::uint64_t latency = static_cast<std::uint64_t>(engine_ticks()) - departed.time;
    variables.sizes.latency.record(latency);
    variables.per_object.communicator_latency[departed.comm].record(latency);
}

// An operation belongs to its owner again the moment that it is complete, so that its event is raised just before: the
// mutex is free, and callbacks have run when MPI_Wait returns.
void complete(std::initializer_list<operation*> done) {
    for (const operation* const each : done)
        if (each != nullptr && each->is_request)
            variables.waiting.request_completed(each->label.context, each->label.source, each->label.tag, each->error,
                                                each->bytes);
    engine& here = the_engine();
    {
        const std::lock_guard guard{here.mutex};
        for (operation* const each : done)
            if (each != nullptr) each->complete.store(true, std::memory_order_release);
    }
    here.completion.notify_all();
}

void wait_until_complete(const operation& started) {
    const auto is_complete = [&] { return started.complete.load(std::memory_order_acquire); };
    if (is_complete()) return;
    const auto running = variables.waiting.time_waiting.start();
    for (unsigned left = variables.waiting.spin_count; left > 0; --left) {
        if (is_complete()) return;
        std::this_thread::yield();
    }
    ++variables.waiting.blocked;
    const std::chrono::duration<double> longest_sleep{variables.waiting.block_seconds};
    engine& here = the_engine();
    std::unique_lock lock{here.mutex};
    while (!is_complete()) here.completion.wait_for(lock, longest_sleep);
}

} // namespace

void send(operation& sender, bool is_eager) {
    ++(is_eager ? variables.eager.messages : variables.rendezvous.messages);
    engine& here = the_engine();
    std::unique_lock lock{here.mutex};
    if (operation* const receiver = take_posted(here, sender)) {
        lock.unlock();
        make_progress();
        deliver(sender.label, sender.departed, sender.send_from, sender.bytes, *receiver);
        complete({&sender, receiver});
        return;
    }
    unexpected_message message{
        .label = sender.label, .departed = sender.departed, .bytes = sender.bytes, .payload = {}, .sender = &sender};
    // Without room in the buffers even an eager message has to wait for its receiver.
    const bool is_done = is_eager && copy_into_buffer(sender, message.payload);
    if (is_done) message.sender = nullptr;
    keep(here, std::move(message));
    lock.unlock();
    make_progress();
    if (is_done) complete({&sender});
}

void receive(operation& receiver) {
    engine& here = the_engine();
    std::unique_lock lock{here.mutex};
    std::list<unexpected_message> found = take_unexpected(here, receiver.label);
    if (found.empty()) {
        post(here, receiver);
        return;
    }
    lock.unlock();
    make_progress();
    unexpected_message& message = found.front();
    deliver(message.label, message.departed, message.data(), message.bytes, receiver);
    if (message.sender == nullptr) give_back(std::move(message.payload));
    complete({&receiver, message.sender});
}

// Another thread may have matched the operation without having completed it yet.
void wait_for(const operation& started) {
    wait_until_complete(started);
    make_progress();
}

void make_progress() { mpit::deliver(variables.matching); }

void open_engine() {
    engine& here = the_engine();
    const std::lock_guard guard{here.mutex};
    show_state(here);
}

void close_engine() {
    engine& here = the_engine();
    const std::lock_guard guard{here.mutex};
    while (!here.unexpected.empty()) {
        give_back(std::move(here.unexpected.front().payload));
        here.unexpected.pop_front();
        variables.matching.unexpected_queue_length -= 1;
    }
    variables.matching.engine_state = engine_state::closed;
}

} // namespace mini
