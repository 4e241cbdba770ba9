// SPDX-License-Identifier: Apache-2.0
// As much of HTTP as asking a peer takes: one GET, one answer of known length.
//
// The other side may be anybody.  So its answer has a head of at most kMostHead bytes and a length
// that it says before and that is no more than was asked for; it is not compressed, nor in chunks,
// nor elsewhere; and all of it comes before the connection's deadline.  The body can be read piece
// by piece, so that whoever does not like its beginning need not read the rest.  The client of
// cpp-httplib is not used here, because it reads lines of any length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "net/deadline_socket.h"
#include "net/entry.h"
#include "twinsift/result.h"

namespace twinsift::net {

inline constexpr std::size_t kMostHead = 4096;

struct HttpHead {
  int status = 0;
  std::uint64_t length = 0;  // of the body
};

// `head` ends with its empty line.  kCorrupt if it is none, or the body is of no known length.
Result<HttpHead> parse_http_head(std::string_view head);

// An answer of which the head was read.  Not thread-safe.
class HttpBody {
 public:
  HttpBody(DeadlineSocket& socket, const HttpHead& head, std::string begun)
      : socket_(&socket), status_(head.status), left_(head.length), begun_(std::move(begun)) {}

  [[nodiscard]] int status() const { return status_; }
  // Bytes that are still to be read.
  [[nodiscard]] std::uint64_t left() const { return left_; }
  // The next bytes of the body, this many.  kIo: they did not come; kLimit: not in time; kCorrupt:
  // there are fewer.
  Result<std::string> read(std::uint64_t bytes);

 private:
  DeadlineSocket* socket_;
  int status_;
  std::uint64_t left_;
  std::string begun_;  // came with the head
};

// How much of the body may be read with the head.
inline constexpr std::size_t kReadAhead = 256;

// Any answer, up to its body.  kIo: there is none; kLimit: it is too late or too large; kCorrupt:
// it is none of HTTP.  Requires: the socket lives longer than the body.
Result<HttpBody> http_ask(DeadlineSocket& socket, const Address& host, std::string_view target,
                          std::uint64_t most);

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// All of an answer.  After one the connection can be used again.
Result<HttpAnswer> http_get(DeadlineSocket& socket, const Address& host, std::string_view target,
                            std::size_t most);

}  // namespace twinsift::net
