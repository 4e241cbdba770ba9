// SPDX-License-Identifier: Apache-2.0
// What DecoderPool and the programs that decode for it say to each other over a Unix stream
// socket.
//
//   request:  Request, with the item beside it (SCM_RIGHTS): its bytes as a sealed memfd, or the
//             open file itself if it may be larger than memory
//   reply:    ReplyHeader, the length of each part (64 bits each), then the parts without gaps;
//             an error has one part, its message
//
// Both ends are one build on one machine, so the structs travel as they are.  The parent
// believes nothing: it checks each length before it makes room for it.  An answer may have dozens
// of parts, most of them words, so all of them go and come in as few calls as the socket allows.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift {

// What is asked of the bytes; only the decoder and the code that asks know what it means.
class Question {
 public:
  Question() = default;
  template <class T>
  explicit Question(const T& question) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kSize);
    std::memcpy(bytes_.data(), &question, sizeof(T));
  }
  template <class T>
  [[nodiscard]] T as() const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kSize);
    T question;
    std::memcpy(&question, bytes_.data(), sizeof(T));
    return question;
  }

 private:
  static constexpr std::size_t kSize = 32;
  std::array<std::byte, kSize> bytes_ = {};
};

struct Request {
  Question question;
  std::uint32_t cpu_seconds = 0;
  std::uint32_t stall_seconds = 0;  // of these at most so many without progress; 0: any number
  std::uint64_t memory = 0;
};

// Whole numbers only: any byte from a child that was taken over is a value of theirs.
struct ReplyHeader {
  std::uint8_t ok = 0;
  std::uint8_t code = 0;  // an ErrorCode, if !ok
  std::uint8_t last = 0;  // this child ends now; do not ask it again
  std::uint32_t parts = 0;
};

using Parts = std::vector<std::string>;
using Deadline = std::chrono::steady_clock::time_point;
enum class Transfer : std::uint8_t { kDone, kClosed, kTimeout };

// The parent's side.
bool send_request(int socket, const Request& request, int item);
Transfer receive_bytes(int socket, std::span<std::byte> bytes, Deadline deadline);
// Fills the parts, which have their lengths already.
Transfer receive_parts(int socket, Parts& parts, Deadline deadline);

// The child's side.  A request without an item, or the end of the socket, is nullopt.
struct ReceivedRequest {
  Request request;
  Fd item;
};
std::optional<ReceivedRequest> receive_request(int socket);
bool send_reply(int socket, const Result<Parts>& answer, bool last);

}  // namespace twinsift
