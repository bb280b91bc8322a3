// Data races on plain memory under the memory of C++20: every view knows the last write of a piece of memory, and the
// last read of each fiber since then, or does not; see messages.hpp.
#include "messages.hpp"

namespace model {
namespace {

constexpr std::uint8_t last_write = 1;
std::uint8_t read_of(int f) { return static_cast<std::uint8_t>(2 << f); }
std::uint8_t everything(int fibers) { return static_cast<std::uint8_t>((2 << fibers) - 1); }

} // namespace

bool messages::plain(int f, char* at, std::size_t size, bool writes) noexcept {
    char* const end = at + size;
    view &now = of_[f].now, &acquired = of_[f].acquired;
    bool is_ordered = true;
    for (int i = location_count_; i-- > 0;) {
        const location& l = locations_[i];
        if (l.what.at >= end || l.what.at + l.what.size <= at) continue;
        is_ordered = is_ordered && now.at[i] == l.what.count - 1;
        if (writes) remove_location(i); // the memory itself is the next first message
    }
    for (char* from = at; from < end && mistake_ == nullptr;) {
        const int i = piece_from(from, end);
        if (i < 0) break;
        from = pieces_[i].to;
        const bool knows = writes ? now.knows[i] == everything(fibers_) : (now.knows[i] & last_write) != 0;
        is_ordered = is_ordered && knows;
        // Only this fiber knows of this access.
        const std::uint8_t bit = writes ? last_write : read_of(f);
        each_view([&](view& v) { v.knows[i] &= static_cast<std::uint8_t>(~bit); });
        now.knows[i] |= bit;
        acquired.knows[i] |= bit;
        if (!writes) continue;
        // A write that is known tells of the reads before it.
        const auto reads = static_cast<std::uint8_t>(everything(fibers_) & ~last_write);
        each_view([&](view& v) { v.knows[i] &= last_write; });
        for (int g = 0; g < fibers_; g++) {
            of_[g].now.knows[i] |= reads;
            of_[g].acquired.knows[i] |= reads;
        }
    }
    return is_ordered;
}

// The constructor of an atomic object is a plain write.
void messages::check_plain_before(int f, const step& s) noexcept {
    const auto* at = static_cast<const char*>(s.at);
    const std::uint8_t needed = is_read_only(s) ? last_write : everything(fibers_);
    for (int i = 0; i < piece_count_; i++)
        if (pieces_[i].from < at + s.size && at < pieces_[i].to && (of_[f].now.knows[i] & needed) != needed)
            mistake_ = "an atomic object is used while it is constructed or copied";
}

// The piece that begins here, and ends here at the latest.
int messages::piece_from(char* from, char* to) noexcept {
    int i = 0;
    while (i < piece_count_ && pieces_[i].to <= from) i++;
    if (i < piece_count_ && pieces_[i].from < from) {
        split(i, from);
        i++;
    }
    if (mistake_ != nullptr) return -1;
    if (i < piece_count_ && pieces_[i].from == from) {
        if (pieces_[i].to > to) split(i, to);
        return mistake_ == nullptr ? i : -1;
    }
    if (i < piece_count_) to = std::min(to, pieces_[i].from);
    insert_piece(i, {from, to});
    if (mistake_ != nullptr) return -1;
    each_view([&](view& v) { v.knows[i] = 0; });
    for (int f = 0; f < fibers_; f++) of_[f].now.knows[i] = of_[f].acquired.knows[i] = everything(fibers_);
    return i;
}
void messages::split(int i, char* at) noexcept {
    insert_piece(i, pieces_[i]); // whose columns are copied as well
    if (mistake_ != nullptr) return;
    pieces_[i].to = pieces_[i + 1].from = at;
}
void messages::insert_piece(int i, piece made) noexcept {
    if (piece_count_ == most_pieces) {
        mistake_ = "there are too many pieces of plain memory";
        return;
    }
    const auto behind = static_cast<std::size_t>(piece_count_++ - i);
    std::memmove(pieces_ + i + 1, pieces_ + i, behind * sizeof(piece));
    pieces_[i] = made;
    each_view([&](view& v) { std::memmove(v.knows + i + 1, v.knows + i, behind); });
}
void messages::remove_piece(int i) noexcept {
    const auto behind = static_cast<std::size_t>(--piece_count_ - i);
    std::memmove(pieces_ + i, pieces_ + i + 1, behind * sizeof(piece));
    each_view([&](view& v) { std::memmove(v.knows + i, v.knows + i + 1, behind); });
}

} // namespace model
