// SPDX-License-Identifier: Apache-2.0
// How a node of the distributed hash table sends: in UDP, or in a test to other nodes of the same
// process.
#pragma once

#include <string_view>

#include "net/entry.h"

namespace twinsift::net {

class Datagrams {
 public:
  virtual ~Datagrams() = default;

  // Where others see what is sent.
  [[nodiscard]] virtual Address bound() const = 0;
  // As UDP: whether it arrives, nobody knows.
  virtual void send(const Address& to, std::string_view bytes) = 0;
};

}  // namespace twinsift::net
