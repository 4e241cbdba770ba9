// SPDX-License-Identifier: Apache-2.0
// How a peer asks the owner of an entry to show what it has published.
#pragma once

#include <functional>

#include "net/entry.h"
#include "net/representation.h"
#include "twinsift/result.h"

namespace twinsift::net {

class Asker {
 public:
  virtual ~Asker() = default;

  // Calls `done` once, later, on the thread that runs the peer: with what the entry's owner shows,
  // which is known to be the entry's resource, or with the reason why not.  Requires: the entry was
  // opened, so that its owner has signed the address.
  virtual void fetch(const Entry& entry, std::function<void(Result<Representation>)> done) = 0;
};

}  // namespace twinsift::net
