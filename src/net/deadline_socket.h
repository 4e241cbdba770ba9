// SPDX-License-Identifier: Apache-2.0
// A TCP connection that ends at a certain time, whatever the other side does.  A limit on each
// read would let somebody who sends a byte every few seconds keep it for ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>

#include "base/fd.h"
#include "net/entry.h"
#include "twinsift/result.h"

namespace twinsift::net {

using Deadline = std::chrono::steady_clock::time_point;

// Not thread-safe.
class DeadlineSocket {
 public:
  // kIo: nobody answers there; kLimit: not by then; kCancelled, now or later: it was stopped.
  static Result<DeadlineSocket> connect(const Address& to, Deadline deadline,
                                        const std::stop_token& stop = {});
  // Of a connection that was accepted.
  DeadlineSocket(Fd fd, Deadline deadline, std::stop_token stop = {});

  // How many bytes were read: 0 at the end of what the other side sends.  kLimit: too late.
  Result<std::size_t> read(std::span<char> out);
  Status write(std::string_view bytes);

  // From now on, another one.
  void set_deadline(Deadline deadline) { deadline_ = deadline; }
  // By read() and write(), all together.
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  Status wait_for(short events) const;

  Fd fd_;
  Deadline deadline_;
  std::stop_token stop_;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace twinsift::net
