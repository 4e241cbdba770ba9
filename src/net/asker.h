// SPDX-License-Identifier: Apache-2.0
// How a peer asks another one, directly: to show what it has published, and for its report.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

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

  // Calls `done` once, later, as fetch(): with the bytes of Peer::report() of whoever answers
  // there, at most kMostReportBytes, or with the reason why not.  Who made them is in them, and the
  // peer checks it.
  virtual void report(const Address& address, std::uint64_t version,
                      std::function<void(Result<std::string>)> done) = 0;
};

}  // namespace twinsift::net
