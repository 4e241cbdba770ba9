// SPDX-License-Identifier: Apache-2.0
// A UDP socket that never waits.
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"
#include "net/datagrams.h"
#include "twinsift/result.h"

namespace twinsift::net {

struct Datagram {
  Address from{};
  std::string bytes;
};

// Not thread-safe.
class UdpPort final : public Datagrams {
 public:
  // Port 0: one that is free.  kIo if the port is in use, or the address is none of this machine.
  static Result<UdpPort> open(const Address& address);

  [[nodiscard]] Address bound() const override { return bound_; }
  void send(const Address& to, std::string_view bytes) override;
  // What has come; nothing if nothing has.
  std::optional<Datagram> receive();
  // Readable when something has come: for poll().
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  UdpPort(Fd fd, const Address& bound) : fd_(std::move(fd)), bound_(bound) {}

  Fd fd_;
  Address bound_{};
};

}  // namespace twinsift::net
