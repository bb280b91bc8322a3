// SPDX-License-Identifier: BSD-3-Clause
// How many variables of one kind of the host, and of ours, have been added to the merged numbers. Any thread can ask
// for news at any time, at the cost of the host's get_num. Only discovery writes, after everything new was added.
//
//   if (seen.has_news(own_count)) …   seen.scan_host(numbers, the_host.cvar_get_num, take_in);
#pragma once

#include <mpit/host/defects.hpp> // IWYU pragma: keep
#include <mpit/over_mpi/merged_numbers.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

class MPIT_MODULE_LOCAL host_scan {
public:
    bool has_news(int present_own_count) noexcept {
        if (is_host_known_.load() == 0) return true;
        const auto get_num = get_num_.load();
        int count = 0;
        if (get_num != nullptr && (get_num(&count) != MPI_SUCCESS || count != count_.load())) return true;
        return present_own_count != own_count.load() || (has_holes_.load() != 0 && may_have_filled());
    }

    // Calls `take_in(host_number)` for those that no number stands for; it answers whether the host could tell. `get_num` is
    // null if it has nothing of this kind.
    template <class TakeIn> void scan_host(merged_numbers& all, int (*get_num)(int*), TakeIn take_in) noexcept {
        int count = 0;
        if (!the_host.is_open()) get_num = nullptr;
        get_num_.store(get_num);
        is_host_known_.store(the_host.is_open());
        if (get_num == nullptr || get_num(&count) != MPI_SUCCESS || count < 0) return;
        if (count > count_.load()) keep_plugins(the_host.which());
        if (count == count_.load() && has_holes_.load() == 0) return;
        const int update_number = update_number_of_host();
        bool has_holes = false, has_changed = update_number != update_number_.load();
        for (int i = 0; i < count; i++) {
            if (all.knows_host(i)) continue;
            if (take_in(i)) has_changed = true;
            else has_holes = true;
        }
        wait(has_changed ? fewest_polls_between : 2 * polls_between_.load(core::relaxed));
        update_number_.store(update_number);
        has_holes_.store(has_holes);
        count_.store(count);
    }

    atomic<int> own_count; // that were taken in

private:
    static constexpr std::uint32_t fewest_polls_between = 64, most_polls_between = 4096;

    static int update_number_of_host() noexcept {
        int number = -1;
        if (the_host.category_changed == nullptr || the_host.category_changed(&number) != MPI_SUCCESS) return -1;
        return number;
    }
    // Numbers that the host could not describe are read again when its categories have changed: it counts so that a plugin was
    // opened, but perhaps before the plugin is ready. So now and then it is asked without a reason, and less and less often.
    bool may_have_filled() noexcept {
        const int update_number = update_number_of_host();
        if (update_number < 0 || update_number != update_number_.load()) return true;
        const std::uint32_t polls = polls_.load(core::relaxed) + 1;
        polls_.store(polls, core::relaxed);
        return polls >= polls_between_.load(core::relaxed);
    }
    void wait(std::uint32_t polls) noexcept {
        polls_.store(0, core::relaxed);
        polls_between_.store(polls < most_polls_between ? polls : most_polls_between, core::relaxed);
    }

    atomic<int> is_host_known_;
    atomic<int (*)(int*)> get_num_; // null if it has none
    atomic<int> count_, has_holes_;
    atomic<int> update_number_{-1}; // the host's when its gaps were last checked
    atomic<std::uint32_t> polls_, polls_between_{fewest_polls_between};
};

} // namespace over_mpi
} // namespace mpit
