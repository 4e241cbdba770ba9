// SPDX-License-Identifier: Apache-2.0
// A running peer, as the other commands see it.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/fd.h"
#include "control_wire.h"
#include "twinsift/result.h"

namespace twinsift::cli {

// Not thread-safe.
class ControlClient {
 public:
  // kNotFound, with what to do: no peer runs there.
  static Result<ControlClient> connect(const std::string& path);

  Status send(const ControlCommand& command);
  // The next reply; kCancelled once a stop is requested, kIo if the peer has gone or says an error.
  Result<ControlReply> receive(const std::stop_token& stop);

 private:
  explicit ControlClient(Fd fd) : fd_(std::move(fd)) {}

  Fd fd_;
  std::string in_;
};

}  // namespace twinsift::cli
