// SPDX-License-Identifier: BSD-3-Clause
// A reference to a callable object, as std::function_ref (P0792). A function with a function_ref parameter is compiled
// once for all callable objects. The hot path uses no function_ref, because a call through it is indirect.
//
//   void each_name(core::function_ref<bool(text)> visit);   each_name([&](text name) { return name.length == 0; });
#pragma once

#include <mpit/core/words.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

template <class Signature> class function_ref;

// Use function_ref only as the type of a parameter, because the callable object must outlive the reference.
template <class Result, class... Arguments> class function_ref<Result(Arguments...)> {
public:
    template <class Function>
    function_ref(const Function& function) noexcept
        : object_{&function}, call_{[](const void* object, Arguments... arguments) -> Result {
              return (*static_cast<const Function*>(object))(static_cast<Arguments>(arguments)...);
          }} {}

    Result operator()(Arguments... arguments) const { return call_(object_, static_cast<Arguments>(arguments)...); }

private:
    const void* object_;
    Result (*call_)(const void*, Arguments...);
};

} // namespace core
} // namespace mpit
