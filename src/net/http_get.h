// SPDX-License-Identifier: Apache-2.0
// As much of HTTP as asking a peer takes: one GET, one answer of known length.
//
// The other side may be anybody.  So its answer has a head of at most kMostHead bytes and a length
// that it says before and that is no more than was asked for; it is not compressed, nor in chunks,
// nor elsewhere; and all of it comes before the connection's deadline.  The client of cpp-httplib
// is not used here, because it reads lines of any length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// Any answer.  kIo: there is none; kLimit: it is too late or too large; kCorrupt: it is none of
// HTTP.  After an answer the connection can be used again.
Result<HttpAnswer> http_get(DeadlineSocket& socket, const Address& host, std::string_view target,
                            std::size_t most);

}  // namespace twinsift::net
