// SPDX-License-Identifier: BSD-3-Clause
// Limits the number of reports of one kind. Reports beyond the limit are counted but not sent.
//
//   report_limit limit;   if (limit.allows_one_more()) text.send(handler);   limit.left_out();
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

class report_limit {
public:
    static constexpr int most = 10;

    bool allows_one_more() noexcept { return ++count_ <= most; }
    bool is_reached() const noexcept { return count_ >= most; }
    int left_out() const noexcept { return count_ > most ? count_ - most : 0; }

private:
    int count_ = 0;
};

} // namespace registry
} // namespace mpit
