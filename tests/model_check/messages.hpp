// The memory of C++20 for the explorer: every atomic object has its messages in modification order, every fiber has a
// view that says which of them it may still read, and a message of a release carries the view of its author.
//
//   messages m;  m.begin(2);  for (int c = 0; c < m.choices(f, wanted); c++) …  m.perform(f, wanted, choice);
//
// What is explored: relaxed and acquire loads of every message that is not older than the view; stores at every place
// of the modification order behind the view; read-modify-writes directly behind the message that they read, which
// continue its release sequence; fences; and for seq_cst one view of all of them, as RC11 and "promising" semantics
// have it for fences. An access that is seq_cst reads or writes no earlier than that view says of its object, and moves
// it there. So the single total order S of C++20 is the order of execution, which is stronger than the standard in one
// point: an outcome where S contradicts sequenced-before or reads-from (a relaxed flag after a seq_cst store, Z6.U) is
// not explored. Nor is load buffering. All other outcomes are C++20's. An exchange of sixteen bytes is one write, of
// which both words read their newest message.
//
// Plain memory has no messages. Each view knows the last write of a piece of it, and the last read of each fiber, or
// does not; an access that should know one and does not is a data race.
#pragma once

#include "explorer.hpp"

#include <mpit/concurrency/atomic.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace model {

class messages {
public:
    static constexpr int most_locations = 120, most_pieces = 120, most_messages = 24;

    void begin(int fibers) noexcept {
        fibers_ = fibers;
        location_count_ = piece_count_ = 0;
        std::memset(static_cast<void*>(of_), 0, sizeof of_);
        std::memset(&sequential_, 0, sizeof sequential_);
    }
    // What cannot be continued; null if there is nothing.
    const char* mistake() const noexcept { return mistake_; }
    void forget_mistake() noexcept { mistake_ = nullptr; }

    // In how many ways the fiber can make the step: choice 0 is the newest message.
    int choices(int f, const step& s) const noexcept {
        int count = 0;
        while (count < most_messages && chosen(f, s, count) >= 0) count++;
        return count;
    }
    // Answers what is found.
    std::uint64_t perform(int f, const step& s, int choice) noexcept;
    // A fence that is seq_cst, of any fiber.
    void seq_cst_fence(int f) noexcept {
        acquire_fence(f);
        view& now = of_[f].now;
        for (int i = 0; i < location_count_; i++)
            sequential_.at[i] = now.at[i] = of_[f].acquired.at[i] = std::max(now.at[i], sequential_.at[i]);
        of_[f].released = now;
    }
    // An access to plain memory: false for a data race.
    bool plain(int f, char* at, std::size_t size, bool writes) noexcept;
    // Memory that was given back has no messages.
    void forget(const char* from, const char* to) noexcept;
    // What all fibers know is forgotten, so that equal states look equal. What fibers knew that have finished is needed
    // only if others may make a fence for them.
    void collect(const bool* is_finished, bool keeps_finished) noexcept;

    template <class Visit> void visit_counts(Visit visit_one) noexcept {
        visit_one(reinterpret_cast<char*>(&location_count_), sizeof location_count_);
        visit_one(reinterpret_cast<char*>(&piece_count_), sizeof piece_count_);
    }
    // The rest of the state, whose size the counts say.
    template <class Visit> void visit(Visit visit_one) noexcept {
        const auto visit_view = [&](view& v) {
            if (location_count_ != 0)
                visit_one(reinterpret_cast<char*>(v.at), static_cast<std::size_t>(location_count_));
            if (piece_count_ != 0) visit_one(reinterpret_cast<char*>(v.knows), static_cast<std::size_t>(piece_count_));
        };
        for (int i = 0; i < location_count_; i++) {
            location& l = locations_[i];
            visit_one(reinterpret_cast<char*>(&l.what), sizeof l.what);
            for (int m = 0; m < l.what.count; m++) {
                visit_one(reinterpret_cast<char*>(&l.all[m].what), sizeof l.all[m].what);
                visit_view(l.all[m].seen);
            }
        }
        if (piece_count_ != 0)
            visit_one(reinterpret_cast<char*>(pieces_), static_cast<std::size_t>(piece_count_) * sizeof(piece));
        for (int f = 0; f < fibers_; f++) {
            visit_view(of_[f].now);
            visit_view(of_[f].acquired);
            visit_view(of_[f].released);
        }
        visit_view(sequential_);
    }

private:
    struct view {
        std::uint8_t at[most_locations]; // the oldest message of each object that may be read
        std::uint8_t knows[most_pieces]; // bit 0: the last write; bit 1 + f: the last read of fiber f
    };
    struct message {
        struct {
            std::uint64_t value;
            std::uint64_t is_exchange; // it is directly behind the one that it read
        } what;
        view seen;
    };
    struct location {
        struct {
            char* at;
            std::int32_t size;
            std::int32_t count;
        } what;
        message all[most_messages];
    };
    struct piece {
        char* from;
        char* to;
    };
    struct views {
        view now;
        view acquired; // by the next acquire fence
        view released; // at the last release fence
    };

    void join(view& to, const view& from) const noexcept {
        for (int i = 0; i < location_count_; i++) to.at[i] = std::max(to.at[i], from.at[i]);
        for (int i = 0; i < piece_count_; i++) to.knows[i] |= from.knows[i];
    }
    template <class Change> void each_view(Change change) noexcept {
        for (int i = 0; i < location_count_; i++)
            for (int m = 0; m < locations_[i].what.count; m++) change(locations_[i].all[m].seen);
        for (int f = 0; f < fibers_; f++) {
            change(of_[f].now);
            change(of_[f].acquired);
            change(of_[f].released);
        }
        change(sequential_);
    }
    void acquire_fence(int f) noexcept { of_[f].now = of_[f].acquired; }
    int find(const void* at) const noexcept {
        for (int i = 0; i < location_count_; i++)
            if (locations_[i].what.at == at) return i;
        return -1;
    }
    int touch(void* at, int size) noexcept;
    void remove_location(int i) noexcept;
    void remove_piece(int i) noexcept;
    int piece_from(char* from, char* to) noexcept;
    void split(int i, char* at) noexcept;
    void insert_piece(int i, piece made) noexcept;
    int chosen(int f, const step& s, int choice) const noexcept;
    void read(int f, int i, int m, int order) noexcept;
    void write(int f, int i, int m, std::uint64_t value, int order, const view* continued) noexcept;
    std::uint64_t exchange_pair(int f, const step& s) noexcept;
    void check_plain_before(int f, const step& s) noexcept;
    static bool is_read_only(const step& s) noexcept { return s.what == operation::load; }

    int fibers_ = 0;
    int location_count_ = 0, piece_count_ = 0;
    const char* mistake_ = nullptr;
    views of_[most_fibers];
    view sequential_; // the seq_cst one
    piece pieces_[most_pieces];
    location locations_[most_locations];
};

} // namespace model
