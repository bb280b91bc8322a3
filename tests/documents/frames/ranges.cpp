#include <mpit/tool.hpp>

#include <range/v3/algorithm/max.hpp>
#include <range/v3/algorithm/none_of.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/join.hpp>

#include <cstdio>
#include <vector>

bool can_be_changed(const mpit::tool::variable&);

void look(mpit::tool::category messages, mpit::tool::session<mpit::tool::over_registry>& session) {
@block@
}
