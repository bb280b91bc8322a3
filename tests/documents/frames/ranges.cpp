#include <mpit/tool.hpp>

#include <range/v3/range/conversion.hpp>

#include <cstdio>
#include <vector>

bool can_be_changed(const mpit::tool::variable_view&);

void look(mpit::tool::session<mpit::tool::over_registry>& session) {
@block@
}
