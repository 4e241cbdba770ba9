// SPDX-License-Identifier: Apache-2.0
// How a peer asks another one, directly: to show what it has published, and for its report.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "net/entry.h"
#include "net/shown_list.h"
#include "twinsift/result.h"

namespace twinsift::net {

class Asker {
 public:
  virtual ~Asker() = default;

  // Calls `done` once, later, on the thread that runs the peer: for each entry, in their order,
  // with what its owner shows, which is known to be the entry's resource, with the reason why not,
  // or with nothing if there was no room for it in the answer.  The first has always something.
  // Requires: 1 to kMostTogether entries of one owner at one address, each of another resource,
  // which were opened, so that the owner has signed the address.
  virtual void fetch(const std::vector<Entry>& entries,
                     std::function<void(std::vector<Shown>)> done) = 0;

  // Calls `done` once, later, as fetch(): with the bytes of Peer::report() of whoever answers
  // there, at most kMostReportBytes, or with the reason why not.  Who made them is in them, and the
  // peer checks it.
  virtual void report(const Address& address, std::uint64_t version,
                      std::function<void(Result<std::string>)> done) = 0;
};

}  // namespace twinsift::net
