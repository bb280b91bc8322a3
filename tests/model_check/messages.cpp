// The steps of the memory of C++20; see messages.hpp.
#include "messages.hpp"

namespace model {
namespace {

bool acquires(int order) { return order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST; }
bool releases(int order) { return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST; }
bool is_sequential(int order) { return order == __ATOMIC_SEQ_CST; }
int on_failure(int order) {
    return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

bool is_load(const step& s) { return s.what == operation::load; }
bool is_store(const step& s) { return s.what == operation::store; }
bool compares(const step& s) {
    return s.what == operation::compare_exchange || s.what == operation::compare_and_set_as_owner;
}
std::uint64_t cut(std::uint64_t value, int size) {
    return size >= 8 ? value : value & ((std::uint64_t{1} << size * 8) - 1);
}
std::uint64_t in_memory(const void* at, int size) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, static_cast<std::size_t>(size));
    return value;
}
std::uint64_t written_by(const step& s, std::uint64_t found) {
    const bool adds = s.what == operation::fetch_add || s.what == operation::add_as_owner;
    return cut(adds ? found + s.first : s.first, s.size);
}

} // namespace

// The message that is read, or of a store the place where it goes, for one of the choices; -1 beyond the last one.
int messages::chosen(int f, const step& s, int choice) const noexcept {
    if (s.at == nullptr || s.what == operation::dwcas) return choice == 0 ? 0 : -1;
    const int i = find(s.at);
    if (i < 0) return choice == 0 ? 0 : -1;
    const location& l = locations_[i];
    const int known = of_[f].now.at[i],
              in_order = is_sequential(s.order) ? std::max<int>(known, sequential_.at[i]) : known;
    const int count = l.what.count;
    if (is_store(s)) {
        for (int m = count; m > in_order; m--)
            if ((m == count || !l.all[m].what.is_exchange) && choice-- == 0) return m;
        return -1;
    }
    for (int m = count - 1; m >= known; m--) {
        const bool writes = !is_load(s) && (!compares(s) || l.all[m].what.value == s.second);
        if (m < in_order) continue;
        if (writes && m + 1 < count && l.all[m + 1].what.is_exchange) continue;
        if (choice-- == 0) return m;
    }
    return -1;
}

std::uint64_t messages::perform(int f, const step& s, int choice) noexcept {
    if (s.what == operation::fence) {
        if (is_sequential(s.order)) return seq_cst_fence(f), 0;
        if (acquires(s.order)) acquire_fence(f);
        if (releases(s.order)) of_[f].released = of_[f].now;
        return 0;
    }
    check_plain_before(f, s);
    if (s.what == operation::dwcas) return exchange_pair(f, s);
    int i = find(s.at);
    if (is_load(s)) {
        if (i < 0) return in_memory(s.at, s.size);
        const int m = chosen(f, s, choice);
        read(f, i, m, s.order);
        return locations_[i].all[m].what.value;
    }
    if (i < 0 && compares(s) && in_memory(s.at, s.size) != s.second) return in_memory(s.at, s.size);
    if (i < 0) i = touch(s.at, s.size);
    if (mistake_ != nullptr) return 0;
    const int m = chosen(f, s, choice);
    if (is_store(s)) {
        write(f, i, m, cut(s.first, s.size), s.order, nullptr);
        return 0;
    }
    const std::uint64_t found = locations_[i].all[m].what.value;
    if (compares(s) && found != s.second) {
        read(f, i, m, on_failure(s.order));
        return found;
    }
    const view continued = locations_[i].all[m].seen;
    read(f, i, m, s.order);
    write(f, i, m + 1, written_by(s, found), s.order, &continued);
    return found;
}

void messages::read(int f, int i, int m, int order) noexcept {
    views& of = of_[f];
    const view& seen = locations_[i].all[m].seen;
    const auto position = static_cast<std::uint8_t>(m);
    of.now.at[i] = std::max(of.now.at[i], position);
    of.acquired.at[i] = std::max(of.acquired.at[i], position);
    join(of.acquired, seen);
    if (acquires(order)) join(of.now, seen);
    if (is_sequential(order)) sequential_.at[i] = std::max(sequential_.at[i], position);
}

// Puts a message at the place, before those that are there; `continued` is the view of the one that a read-modify-write
// reads.
void messages::write(int f, int i, int m, std::uint64_t value, int order, const view* continued) noexcept {
    location& l = locations_[i];
    if (l.what.count == most_messages) {
        mistake_ = "there are too many messages of one object";
        return;
    }
    const auto place = static_cast<std::uint8_t>(m);
    each_view([&](view& v) { v.at[i] = static_cast<std::uint8_t>(v.at[i] + (v.at[i] >= place)); });
    for (int k = l.what.count++; k > m; k--) l.all[k] = l.all[k - 1];
    views& of = of_[f];
    of.now.at[i] = of.acquired.at[i] = place;
    message& made = l.all[m];
    made.what = {value, continued != nullptr};
    made.seen = releases(order) ? of.now : of.released;
    made.seen.at[i] = place;
    if (continued != nullptr) join(made.seen, *continued);
    if (is_sequential(order)) sequential_.at[i] = std::max(sequential_.at[i], place);
    if (m + 1 == l.what.count) std::memcpy(l.what.at, &value, static_cast<std::size_t>(l.what.size));
}

std::uint64_t messages::exchange_pair(int f, const step& s) noexcept {
    const auto* words = reinterpret_cast<const std::uint64_t*>(s.first);
    auto* const low = static_cast<char*>(s.at);
    if (touch(low, 8) < 0 || touch(low + 8, 8) < 0) return 0;
    const int both[] = {find(low), find(low + 8)};
    const bool equal = std::memcmp(low, words, 16) == 0;
    view continued[2];
    for (int k = 0; k < 2; k++) {
        const int last = locations_[both[k]].what.count - 1;
        continued[k] = locations_[both[k]].all[last].seen;
        read(f, both[k], last, equal ? static_cast<int>(s.order) : on_failure(s.order));
    }
    for (int k = 0; k < 2 && equal; k++)
        write(f, both[k], locations_[both[k]].what.count, words[2 + k], s.order, &continued[k]);
    // It is one write: who reads one of the words knows the other one.
    for (int k = 0; k < 2 && equal && mistake_ == nullptr; k++)
        for (const int i : both)
            locations_[both[k]].all[locations_[both[k]].what.count - 1].seen.at[i] =
                static_cast<std::uint8_t>(locations_[i].what.count - 1);
    return equal;
}

// The object with its message from before; -1 if there is no room.
int messages::touch(void* at, int size) noexcept {
    int i = find(at);
    if (i >= 0) return i;
    if (location_count_ == most_locations) {
        mistake_ = "there are too many atomic objects";
        return -1;
    }
    for (i = location_count_++; i > 0 && locations_[i - 1].what.at > at; i--) {
        const location& from = locations_[i - 1];
        std::memcpy(static_cast<void*>(&locations_[i]), &from,
                    offsetof(location, all) + static_cast<std::size_t>(from.what.count) * sizeof(message));
    }
    locations_[i].what = {static_cast<char*>(at), size, 0};
    each_view([&](view& v) {
        std::memmove(v.at + i + 1, v.at + i, static_cast<std::size_t>(location_count_ - 1 - i));
        v.at[i] = 0;
    });
    locations_[i].what.count = 1;
    locations_[i].all[0].what = {in_memory(at, size), 0};
    std::memset(&locations_[i].all[0].seen, 0, sizeof(view));
    return i;
}
void messages::remove_location(int i) noexcept {
    location_count_--;
    for (int k = i; k < location_count_; k++) {
        const location& from = locations_[k + 1];
        std::memcpy(static_cast<void*>(&locations_[k]), &from,
                    offsetof(location, all) + static_cast<std::size_t>(from.what.count) * sizeof(message));
    }
    each_view([&](view& v) { std::memmove(v.at + i, v.at + i + 1, static_cast<std::size_t>(location_count_ - i)); });
}

void messages::collect(const bool* is_finished, bool keeps_finished) noexcept {
    const auto everybody = [&](auto knows) {
        for (int f = 0; f < fibers_; f++)
            if (!is_finished[f] && !knows(of_[f].now)) return false;
        return true;
    };
    for (int f = 0; f < fibers_; f++)
        if (is_finished[f] && !keeps_finished) std::memset(static_cast<void*>(&of_[f]), 0, sizeof of_[f]);
    for (int i = piece_count_; i-- > 0;)
        if (everybody([&](const view& v) { return v.knows[i] == (2 << fibers_) - 1; })) remove_piece(i);
    for (int i = 0; i < location_count_; i++) {
        location& l = locations_[i];
        int oldest = l.what.count - 1;
        for (int f = 0; f < fibers_; f++)
            if (!is_finished[f]) oldest = std::min<int>(oldest, of_[f].now.at[i]);
        if (oldest > 0) {
            l.what.count -= oldest;
            for (int m = 0; m < l.what.count; m++) l.all[m] = l.all[m + oldest];
            each_view([&](view& v) { v.at[i] = static_cast<std::uint8_t>(v.at[i] < oldest ? 0 : v.at[i] - oldest); });
        }
        l.all[0].what.is_exchange = 0;
    }
    view common;
    std::memset(&common, 0xff, sizeof common);
    for (int f = 0; f < fibers_; f++) {
        if (is_finished[f]) continue;
        for (int i = 0; i < location_count_; i++) common.at[i] = std::min(common.at[i], of_[f].now.at[i]);
        for (int i = 0; i < piece_count_; i++) common.knows[i] &= of_[f].now.knows[i];
    }
    for (int i = 0; i < location_count_; i++) {
        for (int m = 0; m < locations_[i].what.count; m++) {
            // What everybody knows already tells nothing.
            view& seen = locations_[i].all[m].seen;
            bool tells = false;
            for (int k = 0; k < location_count_; k++) tells = tells || seen.at[k] > common.at[k];
            for (int k = 0; k < piece_count_; k++) tells = tells || (seen.knows[k] & ~common.knows[k]) != 0;
            if (!tells) std::memset(&seen, 0, sizeof seen);
            else locations_[i].all[m].what.is_exchange |= 2;
        }
    }
    for (int i = location_count_; i-- > 0;) {
        location& l = locations_[i];
        const bool tells = (l.all[0].what.is_exchange & 2) != 0;
        for (int m = 0; m < l.what.count; m++) l.all[m].what.is_exchange &= 1;
        if (l.what.count == 1 && !tells) remove_location(i);
    }
}

void messages::forget(const char* from, const char* to) noexcept {
    for (int i = location_count_; i-- > 0;)
        if (locations_[i].what.at >= from && locations_[i].what.at < to) remove_location(i);
    for (int i = piece_count_; i-- > 0;)
        if (pieces_[i].from >= from && pieces_[i].from < to) remove_piece(i);
}

} // namespace model
