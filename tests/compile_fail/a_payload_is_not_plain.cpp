// [EVT-31] A payload is copied byte by byte: it has no constructor, no virtual function and nothing hidden.
// EXPECT: a payload must be an aggregate that is trivially copyable
// EACH: has_a_constructor | has_a_private_member | has_a_virtual_function | has_a_destructor | is_no_struct
#include <mpit/mpit.hpp>

struct has_a_constructor {
    int source;
    explicit has_a_constructor(int s) : source{s} {}
};
class has_a_private_member {
    [[maybe_unused]] int source;
};
struct has_a_virtual_function {
    int source;
    virtual int tag() { return 0; }
};
struct has_a_destructor {
    int source;
    ~has_a_destructor() {}
};
using is_no_struct = int;
struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::event<EACH> arrived{this, "arrived", "A message came"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
