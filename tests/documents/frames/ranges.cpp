#include <mpit/tool.hpp>

#include <range/v3/algorithm/max.hpp>
#include <range/v3/algorithm/none_of.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/join.hpp>

#include <cstdio>
#include <vector>

bool can_be_changed(const mpit::tool::variable_view&);

void look(mpit::tool::category_view messages, mpit::tool::session<mpit::tool::over_registry>& session) {
@block@
}
