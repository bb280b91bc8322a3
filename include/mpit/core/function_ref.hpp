// SPDX-License-Identifier: BSD-3-Clause
// A reference to a callable object, so that a function which visits something is compiled once for all its visitors. A
// call is an indirect one: for publishing, settings and the like, not for what a variable or a tool does often.
//
//   void each_name(core::function_ref<bool(text)> visit);   each_name([&](text name) { return name.length == 0; });
#pragma once

#include <mpit/core/words.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

template <class Signature> class function_ref;

// The object must outlive the reference: pass it as an argument, and keep none.
template <class Answer, class... Arguments> class function_ref<Answer(Arguments...)> {
public:
    template <class Function>
    function_ref(const Function& function) noexcept
        : object_{&function}, call_{[](const void* object, Arguments... arguments) -> Answer {
              return (*static_cast<const Function*>(object))(static_cast<Arguments>(arguments)...);
          }} {}

    Answer operator()(Arguments... arguments) const { return call_(object_, static_cast<Arguments>(arguments)...); }

private:
    const void* object_;
    Answer (*call_)(const void*, Arguments...);
};

} // namespace core
} // namespace mpit
