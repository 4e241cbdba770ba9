// SPDX-License-Identifier: Apache-2.0
// What DecoderPool and twinsift-decoder say to each other over a Unix stream socket.
//
//   request:  Request, with the document as a sealed memfd beside it (SCM_RIGHTS)
//   reply:    ReplyHeader, then its strings one after the other: an error's message, or the
//             format, each fact's name and value, and the text
//
// Both ends are one build on one machine, so the structs travel as they are.  The parent
// believes nothing: it checks each length before it makes room for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/fd.h"
#include "media/document.h"
#include "twinsift/result.h"

namespace twinsift {

struct Request {
  DocumentKind kind = DocumentKind::kNone;
  std::uint32_t cpu_seconds = 0;
  std::uint64_t memory = 0;
  std::uint64_t text = 0;
};

struct ReplyHeader {
  bool ok = false;
  ErrorCode code = ErrorCode::kCorrupt;  // if !ok
  bool last = false;                     // this child ends now; do not ask it again
  std::uint32_t facts = 0;
};

using Deadline = std::chrono::steady_clock::time_point;
enum class Transfer : std::uint8_t { kDone, kClosed, kTimeout };

// The parent's side.
bool send_request(int socket, const Request& request, int document);
Transfer receive_bytes(int socket, std::span<std::byte> bytes, Deadline deadline);

// The child's side.  A request without a document, or the end of the socket, is nullopt.
struct ReceivedRequest {
  Request request;
  Fd document;
};
std::optional<ReceivedRequest> receive_request(int socket);
bool send_reply(int socket, const Result<DecodedDocument>& document, bool last);

}  // namespace twinsift
