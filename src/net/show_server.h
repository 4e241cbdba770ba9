// SPDX-License-Identifier: Apache-2.0
// The HTTP server of a peer: proves who is here and shows what stands on the shelf, and tells the
// peer's report (net/show_protocol.h).
//
// Anybody may connect, so each connection has a deadline for all of it, a few requests, few
// bytes to send them in, and no body; each caller has a rate and a number of connections; and
// beyond kMostWaiting connections everybody is sent away at once.  Nothing of a request is kept.
//
// Limits:  plain HTTP: whoever can listen between two peers of an open network sees what is shown,
//          as anybody can who asks.  Closed networks: see net/veil.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/entry.h"
#include "net/hello.h"
#include "net/network.h"
#include "net/peer_identity.h"
#include "net/rate_limit.h"
#include "net/shelf.h"
#include "twinsift/result.h"

namespace twinsift::net {

struct ShowOptions {
  Address listen{};                              // port 0: one that is free
  std::vector<PublicKey> allowed{};              // who may ask; empty: everybody
  Rate rate{.per_second = 100, .burst = 400};    // requests of one address; of n resources: n
  std::size_t threads = 8;                       // connections that are answered at a time
  std::size_t most_of_one = 6;                   // of them, from one address
  std::chrono::milliseconds request_time{3000};  // until a request has come, from its first byte
  std::chrono::milliseconds answer_time{20000};  // for a whole connection
};

struct ShowStatus {
  std::uint64_t proofs = 0;   // lists of resources that were answered
  std::uint64_t shown = 0;    // resources
  std::uint64_t refused = 0;  // malformed, unknown, not allowed, too many
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
};

// Threads may share one.
class ShowServer {
 public:
  struct Sources {
    // Peer::report(), brought to the thread of the peer and back; and the present hello.  Called by
    // many threads.
    std::function<Result<std::string>(std::uint64_t version)> report;
    std::function<Hello()> hello;
  };

  // Answers from now on until it is destroyed.  kIo if the port is in use, or the address is none
  // of this machine.  Requires: all that is given lives longer.
  static Result<std::unique_ptr<ShowServer>> start(const ShowOptions& options,
                                                   const Network& network, const Identity& identity,
                                                   const Shelf& shelf, Sources sources);
  ~ShowServer();
  ShowServer(const ShowServer&) = delete;
  ShowServer& operator=(const ShowServer&) = delete;

  [[nodiscard]] Address address() const;
  [[nodiscard]] ShowStatus status() const;

 private:
  class Impl;
  explicit ShowServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace twinsift::net
