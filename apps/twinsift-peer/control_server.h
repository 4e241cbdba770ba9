// SPDX-License-Identifier: Apache-2.0
// The socket by which the person who runs a peer commands it.  It never waits: the loop of the peer
// polls for it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <poll.h>

#include "base/fd.h"
#include "control_wire.h"
#include "twinsift/result.h"

namespace twinsift::cli {

// Not thread-safe.
class ControlServer {
 public:
  using Client = std::uint64_t;

  // What becomes of commands; called from within serve().
  struct Handler {
    std::function<void(Client, ControlCommand)> command;
    std::function<void(Client)> gone;
  };

  // kIo if it cannot be made.  Takes the place of a socket that nobody listens to.  Requires:
  // nobody else has a peer for this path.
  static Result<ControlServer> open(const std::string& path, Handler handler);
  ControlServer(ControlServer&&) noexcept = default;
  ControlServer& operator=(ControlServer&&) noexcept = default;
  ~ControlServer();

  // What to poll for, after what is in `polled` already.
  void add_to(std::vector<pollfd>& polled) const;
  // Reads and writes what can be.
  void serve();
  // To one that is gone: nothing.
  void send(Client client, std::string line);

 private:
  struct Connection {
    Fd fd;
    std::string in;
    std::string out;
  };

  ControlServer(Fd listener, std::string path, Handler handler)
      : listener_(std::move(listener)), path_(std::move(path)), handler_(std::move(handler)) {}
  void accept_all();
  bool read_some(Client client, Connection& connection);
  bool write_some(Connection& connection);

  Fd listener_;
  std::string path_;
  Handler handler_;
  std::map<Client, Connection> connections_;
  Client next_ = 1;
};

}  // namespace twinsift::cli
