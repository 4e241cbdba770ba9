// SPDX-License-Identifier: Apache-2.0
// Callbacks that come too late: what one part gives to another one that lives longer.
#pragma once

#include <memory>
#include <utility>

namespace twinsift::net {

// A member of whoever is called back; declared last, so that it goes first.
class Lifeline {
 public:
  Lifeline() = default;
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

  // The same function, which does nothing once this has gone.
  template <class Function>
  auto guard(Function function) const {
    return [token = std::weak_ptr<int>(token_),
            function = std::move(function)](auto&&... arguments) mutable {
      if (!token.expired()) function(std::forward<decltype(arguments)>(arguments)...);
    };
  }

 private:
  std::shared_ptr<int> token_ = std::make_shared<int>(0);  // shared: guards only watch it
};

}  // namespace twinsift::net
