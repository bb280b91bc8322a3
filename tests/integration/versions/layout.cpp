// Names every structure that copies of the headers share: layout.py reads where their members are from the debug
// information.
#include <mpit/begin.hpp>

#include <mpit/module/layout.hpp>

namespace {
template <class... Shared> void keep(mpit::registry::structure_list<Shared...>, Shared*... pointers) {
    static_cast<void>((false || ... || (pointers != nullptr)));
}
template <class... Shared> void keep_all(mpit::registry::structure_list<Shared...> all) {
    keep(all, static_cast<Shared*>(nullptr)...);
}
} // namespace

int main() { keep_all(mpit::registry::shared_structures{}); }
