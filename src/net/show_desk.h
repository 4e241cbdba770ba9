// SPDX-License-Identifier: Apache-2.0
// What a peer answers to those who ask it over HTTP, apart from how that is carried.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "net/entry.h"
#include "net/hello.h"
#include "net/network.h"
#include "net/peer_identity.h"
#include "net/shelf.h"
#include "net/show_protocol.h"
#include "net/veil.h"
#include "twinsift/result.h"

namespace twinsift::net {

// The status of HTTP, and what is shown: nothing unless it is 200.
struct Reply {
  int status = 200;
  std::string body{};
  std::size_t shown = 0;  // resources in it
};

// Immutable: threads may share one.
class ShowDesk {
 public:
  using ReportSource = std::function<Result<std::string>(std::uint64_t version)>;
  using HelloSource = std::function<Hello()>;

  // kIo if there are no random numbers.  Requires: network, identity and shelf live longer.  The
  // sources are called by many threads.
  static Result<ShowDesk> make(const Network& network, const Identity& identity, const Shelf& shelf,
                               std::vector<PublicKey> allowed, ReportSource report,
                               HelloSource hello);

  // `caller` is one connection, by its port.  `seconds` is of any clock that does not go back.
  [[nodiscard]] Reply answer(const PeerRequest& request, const Address& caller,
                             double seconds) const;

 private:
  ShowDesk(const Network& network, const Identity& identity, const Shelf& shelf,
           std::vector<PublicKey> allowed, ReportSource report, HelloSource hello)
      : network_(&network),
        identity_(&identity),
        shelf_(&shelf),
        allowed_(std::move(allowed)),
        report_(std::move(report)),
        hello_(std::move(hello)),
        veil_(network) {}

  [[nodiscard]] Reply show(const ShowRequest& request, const Address& caller, double seconds) const;
  [[nodiscard]] Reply report(const ReportRequest& request) const;
  [[nodiscard]] Ticket ticket(const Address& caller, std::uint64_t minute) const;
  [[nodiscard]] bool may_ask(const ShowRequest& request, const Address& caller,
                             std::uint64_t minute) const;

  const Network* network_;
  const Identity* identity_;
  const Shelf* shelf_;
  std::vector<PublicKey> allowed_;  // empty: everybody
  ReportSource report_;
  HelloSource hello_;
  Veil veil_;
  std::array<std::uint8_t, 32> secret_{};  // of tickets; another one after each start
};

}  // namespace twinsift::net
