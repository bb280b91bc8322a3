// Every runtime parameter that libfabric reports becomes a control variable of the category "libfabric", under the name
// of its environment variable and with libfabric's own description. The providers define them at run time, so that they
// are not known before: they are described at run time.
#include "fabric.hpp"

#include <mpit/dynamic.hpp>

#include <rdma/fabric.h>

#include <cstdlib>
#include <initializer_list>
#include <mutex>
#include <set>
#include <string>
#include <strings.h>

namespace {

// libfabric returns the value of the environment, as a text, and not a provider's default if it is not set: numbers
// that are not set are -1, which as a size is the largest one, and texts are empty.
enum class answer { unset = -1, no = 0, yes = 1 };

} // namespace

template <>
inline constexpr auto mpit::enumeration_of<answer> = mpit::enumerators<answer>(
    "libfabric_boolean", {{"unset", answer::unset}, {"no", answer::no}, {"yes", answer::yes}});

namespace {

answer answer_of(const char* value) {
    if (value == nullptr) return answer::unset;
    for (const char* yes : {"1", "yes", "true", "on"})
        if (strcasecmp(value, yes) == 0) return answer::yes;
    return answer::no;
}

// Providers read a parameter once, when they are initialized: a tool can read it, and it never changes. Its scope is
// constant. To change it, set the environment variable before the start.
mpit::result add(mpit::dynamic& group, const fi_param& each) {
    constexpr auto scope = mpit::scope::constant;
    constexpr auto verbosity = mpit::verbosity::tuner_detail;
    const char* value = each.value;
    switch (each.type) {
    case FI_PARAM_INT: {
        const int number = value == nullptr ? -1 : std::atoi(value);
        return group.control<int>(each.name, each.help_string,
                                  {.initial = number, .scope = scope, .verbosity = verbosity});
    }
    case FI_PARAM_SIZE_T: {
        const unsigned long size = value == nullptr ? ~0ul : std::strtoul(value, nullptr, 0);
        return group.control<unsigned long>(each.name, each.help_string,
                                            {.initial = size, .scope = scope, .verbosity = verbosity});
    }
    case FI_PARAM_BOOL:
        return group.control<answer>(each.name, each.help_string,
                                     {.initial = answer_of(value), .scope = scope, .verbosity = verbosity});
    default:
        return group.control<char[]>(each.name, each.help_string,
                                     {.initial = value, .scope = scope, .verbosity = verbosity});
    }
}

} // namespace

// One thread at a time uses a group. It is never ended: tools may look in the last destructors of the program. Where
// the library is unloaded before, it leaves the index with it.
void fabric::publish_parameters() {
    static std::mutex one_at_a_time;
    static auto* const group = new mpit::dynamic{"libfabric", "Runtime parameters of libfabric and its providers"};
    static auto* const known = new std::set<std::string>; // libfabric 1.17 reports one of them twice
    const std::lock_guard lock{one_at_a_time};
    fi_param* all = nullptr;
    int count = 0;
    if (fi_getparams(&all, &count) != 0) return;
    for (int i = 0; i < count; i++)
        // Parameters that cannot be variables are left out, without effect on the others.
        if (known->insert(all[i].name).second) static_cast<void>(add(*group, all[i]));
    fi_freeparams(all); // the group has its own copies
    static_cast<void>(group->publish());
}

// Tools may read before the program opens its first endpoint, so this is done when the library is loaded. It takes the
// time in which libfabric looks for its providers, which it does once.
[[maybe_unused]] static const int published = (fabric::publish_parameters(), 0);
