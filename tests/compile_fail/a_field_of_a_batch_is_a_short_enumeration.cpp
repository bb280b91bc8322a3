// EXPECT: a field of an enumeration type must have the size of int
#include <mpit/batch.hpp>

enum class lamp : unsigned char { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});
struct sample {
    lamp field;
};

int main() {
    mpit::tool::batch<sample> batch;
    return batch.add(&sample::field, "lamp", mpit::performance_class::state) == mpit::result::success;
}
