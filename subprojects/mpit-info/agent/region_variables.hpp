// The sums of the process that are attributed to regions: those of the first performance variables that only grow, are
// one number and bound to no object. They are read in the main thread of the program when it changes its region,
// without memory, inside the fork gate.
//
//   region_variables<over_mpi>::begin({"*"});   regions->begin(region_variables<over_mpi>::count(), &region_variables<over_mpi>::read);
#pragma once

#include "calls_layer.hpp"
#include "fork_gate.hpp"
#include "regions.h"

#include <mpit/tool/library.hpp>

#include <memory>

namespace mpit_info {

template <class Interface> class region_variables {
public:
    // Once; at most so many as a region has room for.
    static void begin(const std::vector<std::string>& patterns) {
        auto made = std::make_unique<region_variables>();
        for (const auto& each : made->interface_.performances()) {
            if (made->variables_.size() == most_region_variables) break;
            const bool grows = each.variable_class == mpit::performance_class::counter ||
                               each.variable_class == mpit::performance_class::aggregate ||
                               each.variable_class == mpit::performance_class::timer;
            if (!grows || each.binding != mpit::binding::none || !each.type) continue;
            if (patterns.empty() || is_chosen(patterns, each.name)) made->add(each);
        }
        the_one_ = made.release(); // it works until the end of the process
    }
    static int count() noexcept { return the_one_ != nullptr ? static_cast<int>(the_one_->variables_.size()) : 0; }
    static const std::string& name(int number) { return the_one_->variables_[static_cast<std::size_t>(number)]->name; }
    static bool is_real(int number) { return the_one_->variables_[static_cast<std::size_t>(number)]->is_real(); }

    // Returns 0 in a forked child, and if one cannot be read.
    static int read(mpit_info_value* values) noexcept {
        if (the_one_ == nullptr || generation() != the_one_->generation_) return 0;
        const int kept = errno;
        const inside_gate reading;
        int is_read = 1;
        for (const auto& each : the_one_->variables_)
            if (!each->read(*values++)) is_read = 0;
        errno = kept;
        return is_read;
    }

private:
    struct variable {
        std::string name;
        explicit variable(std::string called) : name{std::move(called)} {}
        variable(const variable&) = delete;
        virtual ~variable() = default;
        virtual bool is_real() const noexcept = 0;
        virtual bool read(mpit_info_value& to) noexcept = 0;
    };
    template <class Number> struct variable_of final : variable {
        mpit::tool::performance<Number, Interface> handle;
        variable_of(std::string called, mpit::tool::performance<Number, Interface> made)
            : variable{std::move(called)}, handle{std::move(made)} {}
        bool is_real() const noexcept override { return std::is_same_v<Number, double>; }
        bool read(mpit_info_value& to) noexcept override {
            Number value{};
            if (handle.read(value) != mpit::result::success) return false;
            to.is_real = is_real();
            to.whole = is_real() ? 0 : static_cast<unsigned long long>(value);
            to.real = static_cast<double>(value);
            return true;
        }
    };

    // Whether the variable has this type and one element.
    template <class Number> bool add_as(const mpit::tool::performance_info& of) {
        auto made = session_.template performance<Number>(of.number);
        if (!made) return false;
        Number value{};
        if (made.start() == mpit::result::success && made.read(value) == mpit::result::success)
            variables_.push_back(std::make_unique<variable_of<Number>>(of.name, std::move(made)));
        return true;
    }
    void add(const mpit::tool::performance_info& of) {
        static_cast<void>(add_as<double>(of) || add_as<std::uint64_t>(of) || add_as<std::uint32_t>(of) ||
                          add_as<std::int64_t>(of) || add_as<std::int32_t>(of));
    }

    static inline region_variables* the_one_ = nullptr;
    mpit::tool::library<Interface> interface_;
    mpit::tool::session<Interface> session_;
    std::vector<std::unique_ptr<variable>> variables_;
    const int generation_ = generation();
};

} // namespace mpit_info
