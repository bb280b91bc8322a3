// Lesson 9: many variables at once.
//
// A tool that watches a library all the time reads all of its variables in one go: a batch fills a structure of the
// tool's, at a small part of the cost of a call for each.

#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>

#include <cstdio>
#include <thread>

// The declarations and functions of the library.
struct network_variables : mpit::category<"network", "Messages and their queue"> {
    mpit::counter<> messages{this, "messages_sent", "Messages sent"};
    mpit::aggregate<> bytes{this, "bytes_sent", "Bytes sent"};
    mpit::timer waiting{this, "time_waiting", "Time spent waiting, in seconds"};
    mpit::level<> queued{this, "queue_length", "Messages in the queue"};
    mpit::high_watermark<> longest{this, "queue_length", "Most of them at once", {.of = &queued}};
};
inline constexpr auto& network = mpit::registered<network_variables>;

static void send(int count, unsigned long bytes) {
    for (int i = 0; i < count; i++) {
        ++network.queued;
        ++network.messages;
        network.bytes += bytes;
    }
    network.waiting.add(250'000'000);
    network.queued -= static_cast<unsigned long>(count - 1);
}

// The values that the tool reads.
struct sample {
    unsigned long messages, bytes;
    double waiting;
    unsigned long queued, longest;
};

static void show(const char* when, const sample& now) {
    const unsigned long average = now.messages == 0 ? 0 : now.bytes / now.messages;
    std::printf("%-24s %8lu %8lu %8lu %8.2f %7lu %8lu\n", when, now.messages, now.bytes, average, now.waiting,
                now.queued, now.longest);
}

int main() {
    using enum mpit::performance_class;
    mpit::tool::batch<sample> batch;
    const auto refused = [](const char* name, mpit::result why) {
        std::printf("%s: %s\n", name, mpit::tool::to_string(why));
    };
    mpit::result answer = batch.add({{&sample::messages, "messages_sent", counter},
                                     {&sample::bytes, "bytes_sent", aggregate},
                                     {&sample::waiting, "time_waiting", timer},
                                     {&sample::queued, "queue_length", level},
                                     {&sample::longest, "queue_length", high_watermark},
                                     {&sample::bytes, "bytes_sent", counter},
                                     {&sample::waiting, "queue_length", level}},
                                    refused);
    send(3, 1000); // before anybody counts

    sample now{};
    const auto read = [&](const char* when) {
        answer = batch.read(now);
        if (answer == mpit::result::success) show(when, now);
        else std::printf("%s: %s\n", when, mpit::tool::to_string(answer));
    };
    std::printf("\n%-24s %8s %8s %8s %8s %7s %8s\n", "", "messages", "bytes", "average", "waiting", "queued",
                "longest");
    if (batch.start() != mpit::result::success) return 1;
    send(10, 64);
    read("ten messages");

    if (batch.stop() != mpit::result::success) return 1;
    send(5, 4096);
    read("five while it is stopped");

    if (batch.start() != mpit::result::success) return 1;
    std::thread{[] { send(4, 1024); }}.join();
    read("four of another thread");

    if (batch.reset() != mpit::result::success) return 1;
    send(2, 8);
    read("a reset, and two more");
}
