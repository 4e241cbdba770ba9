// SPDX-License-Identifier: Apache-2.0
// Asks other peers over HTTP, with threads of its own (net/show_protocol.h).
//
// An answer begins with the proof that the owner of the entries is at their address; only then, and
// only from there, are the representations read, all in one answer.  An address that gave no proof
// is left alone for a while: an attacker who publishes somebody else's address makes each peer send
// a few requests of some hundred bytes there in `silence`, one after the other
// (net/known_addresses.h), and read some hundred bytes of whatever comes back.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "net/asker.h"
#include "net/network.h"
#include "net/peer_identity.h"

namespace twinsift::net {

struct AskerOptions {
  std::size_t threads = 16;     // questions under way
  std::size_t most_of_one = 4;  // of them, to one address
  std::size_t most_waiting = 4096;
  std::chrono::milliseconds connect_time{2000};
  std::chrono::milliseconds proof_time{3000};    // with the connection
  std::chrono::milliseconds answer_time{20000};  // all together
  std::chrono::milliseconds silence{30000};      // after an address gave no proof
  bool sign = false;  // says who asks, for owners with a list; takes a ticket
};

struct AskerStatus {
  std::uint64_t asked = 0;      // connections
  std::uint64_t failed = 0;     // without an answer that holds
  std::uint64_t skipped = 0;    // not asked, because the address was silent before
  std::uint64_t bytes_out = 0;  // with the heads of HTTP
  std::uint64_t bytes_in = 0;
};

// fetch() and report() are called by one thread.
class HttpAsker final : public Asker {
 public:
  // `post` brings a task to the thread of the peer; it is called by many threads.
  using Post = std::function<void(std::function<void()>)>;

  // Requires: network and identity live longer.  Tasks that were posted must not run once it is
  // destroyed.
  HttpAsker(const AskerOptions& options, const Network& network, const Identity& identity,
            Post post);
  ~HttpAsker() override;  // forgets what waits
  HttpAsker(const HttpAsker&) = delete;
  HttpAsker& operator=(const HttpAsker&) = delete;

  void fetch(const std::vector<Entry>& entries,
             std::function<void(std::vector<Shown>)> done) override;
  void report(const Address& address, std::uint64_t version,
              std::function<void(Result<std::string>)> done) override;

  [[nodiscard]] AskerStatus status() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twinsift::net
