// Counts every instance of an event, also those for which the ring has no place: the number of instances, and for each
// number that they carry its sum, its extremes and a histogram with a bin for each power of two.
//
//   event_totals totals{facts};   totals.add(elements);   …   json message = totals.message(0.5);
#pragma once

#include "snapshot.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <limits>

namespace mpit_info {

// The numbers that one element has had. Any thread and any signal handler may add; add() takes no lock.
class element_totals {
public:
    // `raw` holds the bytes of a number of this type.
    void add(mpit::datatype type, std::uint64_t raw) noexcept {
        if (type == mpit::datatype::double_type) {
            add_number(std::bit_cast<double>(raw));
            return;
        }
        const unsigned unused = 64 - 8 * static_cast<unsigned>(mpit::core::size_of(type));
        raw = raw << unused >> unused;
        if (!mpit::core::is_signed(type)) {
            add_integer(raw, static_cast<double>(raw), raw);
            return;
        }
        const std::int64_t number = static_cast<std::int64_t>(raw << unused) >> unused;
        add_integer(static_cast<std::uint64_t>(number), static_cast<double>(number), number < 0 ? 0 : raw);
    }
    // Null for an element without numbers. The sum of integers is exact up to 64 bits.
    json told(mpit::datatype type) const {
        json bins = json::array();
        for (std::size_t i = 0; i < bins_.size(); i++)
            if (const std::uint64_t count = bins_[i].load(std::memory_order_relaxed); count != 0)
                bins.push_back({i == of_negative ? json(-1)
                                : i == of_zero   ? json(0)
                                                 : json(std::ldexp(1, power_of(i))),
                                count});
        if (bins.empty()) return nullptr;
        const std::uint64_t whole = sum_.load(std::memory_order_relaxed);
        return {{"sum", type == mpit::datatype::double_type ? to_json(real_sum_.load(std::memory_order_relaxed))
                        : mpit::core::is_signed(type)       ? json(static_cast<std::int64_t>(whole))
                                                            : json(whole)},
                {"minimum", to_json(minimum_.load(std::memory_order_relaxed))},
                {"maximum", to_json(maximum_.load(std::memory_order_relaxed))},
                {"bins", std::move(bins)}};
    }

private:
    static constexpr std::size_t of_negative = 0, of_zero = 1, of_least = 2;
    static constexpr int least_power = -64, powers = 128;

    static int power_of(std::size_t bin) noexcept { return static_cast<int>(bin - of_least) + least_power; }
    static std::size_t bin_of(int power) noexcept {
        return of_least + static_cast<std::size_t>(std::clamp(power - least_power, 0, powers - 1));
    }
    void add_integer(std::uint64_t to_sum, double number, std::uint64_t size) noexcept {
        sum_.fetch_add(to_sum, std::memory_order_relaxed);
        put(number, number < 0  ? of_negative
                    : size == 0 ? of_zero
                                : bin_of(static_cast<int>(std::bit_width(size)) - 1));
    }
    void add_number(double number) noexcept {
        if (!std::isfinite(number)) return;
        // The library of clang before 18 has no fetch_add() for it.
        for (double before = real_sum_.load(std::memory_order_relaxed);
             !real_sum_.compare_exchange_weak(before, before + number, std::memory_order_relaxed);) {}
        put(number, number < 0 ? of_negative : number == 0 ? of_zero : bin_of(std::ilogb(number)));
    }
    void put(double number, std::size_t bin) noexcept {
        bins_[bin].fetch_add(1, std::memory_order_relaxed);
        for (double before = minimum_.load(std::memory_order_relaxed);
             number < before && !minimum_.compare_exchange_weak(before, number, std::memory_order_relaxed);) {}
        for (double before = maximum_.load(std::memory_order_relaxed);
             number > before && !maximum_.compare_exchange_weak(before, number, std::memory_order_relaxed);) {}
    }

    std::atomic<std::uint64_t> sum_{0};
    std::atomic<double> real_sum_{0};
    std::atomic<double> minimum_{std::numeric_limits<double>::infinity()};
    std::atomic<double> maximum_{-std::numeric_limits<double>::infinity()};
    std::array<std::atomic<std::uint64_t>, of_least + powers> bins_{};
};

class event_totals {
public:
    static constexpr std::size_t most_elements = 16;

    explicit event_totals(const mpit::tool::event_info& of) : name_{of.name} {
        for (std::size_t i = 0; i < std::min(of.elements.size(), most_elements); i++) {
            const auto& each = of.elements[i];
            names_.push_back(each.name.empty() ? std::to_string(i) : each.name);
            types_.push_back(each.type.value_or(mpit::datatype::char_type));
        }
    }

    // Any thread and any signal handler. `elements` holds the bytes of each element of one instance.
    void add(const std::uint64_t* elements) noexcept {
        count_.fetch_add(1, std::memory_order_relaxed);
        for (std::size_t i = 0; i < types_.size(); i++)
            if (types_[i] != mpit::datatype::char_type) elements_[i].add(types_[i], elements[i]);
    }

    // One thread. Returns null if there was no instance since the last call.
    json message(double time) {
        const std::uint64_t count = count_.load(std::memory_order_relaxed);
        if (count == told_) return nullptr;
        told_ = count;
        json elements = json::object();
        for (std::size_t i = 0; i < types_.size(); i++)
            if (json one = types_[i] == mpit::datatype::char_type ? json(nullptr) : elements_[i].told(types_[i]);
                !one.is_null())
                elements[names_[i]] = std::move(one);
        return {{"message", "counts"},
                {"time", time},
                {"event", name_},
                {"count", count},
                {"elements", std::move(elements)}};
    }

private:
    std::string name_;
    std::vector<std::string> names_;
    std::vector<mpit::datatype> types_;
    std::array<element_totals, most_elements> elements_;
    std::atomic<std::uint64_t> count_{0};
    std::uint64_t told_ = 0;
};

} // namespace mpit_info
