// SPDX-License-Identifier: Apache-2.0
// Every send uses MSG_NOSIGNAL: a peer that died is an answer, not a SIGPIPE.
#include "media/decoder_wire.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace twinsift {
namespace {

// Passes over what has been sent or received; true while something is left.
bool pass_over(std::span<iovec>& pieces, std::size_t done) {
  while (!pieces.empty() && done >= pieces.front().iov_len) {
    done -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  if (pieces.empty()) return false;
  pieces.front().iov_base = static_cast<char*>(pieces.front().iov_base) + done;
  pieces.front().iov_len -= done;
  return true;
}

bool send_pieces(int socket, std::span<iovec> pieces) {
  while (pass_over(pieces, 0)) {
    msghdr message = {};
    message.msg_iov = pieces.data();
    message.msg_iovlen = std::min<std::size_t>(pieces.size(), IOV_MAX);
    const ssize_t n = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    pass_over(pieces, static_cast<std::size_t>(n));
  }
  return true;
}

// sendmsg does not write, whatever its type says.
iovec piece_of(const void* data, std::size_t size) { return {const_cast<void*>(data), size}; }

// A message of one Request that has room for one descriptor beside it.
struct Message {
  explicit Message(Request& request) : part{.iov_base = &request, .iov_len = sizeof(Request)} {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof(control);
  }
  iovec part;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header = {};
};

int poll_timeout(Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
}

// Waits only if nothing is there.
Transfer receive_pieces(int socket, std::span<iovec> pieces, Deadline deadline) {
  while (pass_over(pieces, 0)) {
    msghdr message = {};
    message.msg_iov = pieces.data();
    message.msg_iovlen = std::min<std::size_t>(pieces.size(), IOV_MAX);
    const ssize_t n = recvmsg(socket, &message, MSG_DONTWAIT);
    if (n > 0) {
      pass_over(pieces, static_cast<std::size_t>(n));
      continue;
    }
    if (n == 0 || (errno != EINTR && errno != EAGAIN)) return Transfer::kClosed;
    pollfd ready = {.fd = socket, .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, poll_timeout(deadline)) == 0) return Transfer::kTimeout;
  }
  return Transfer::kDone;
}

}  // namespace

bool send_request(int socket, const Request& request, int item) {
  Request copy = request;
  Message message(copy);
  cmsghdr* control = CMSG_FIRSTHDR(&message.header);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(control), &item, sizeof(int));
  ssize_t n = 0;
  do {
    n = sendmsg(socket, &message.header, MSG_NOSIGNAL);
  } while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof(Request));
}

Transfer receive_bytes(int socket, std::span<std::byte> bytes, Deadline deadline) {
  iovec piece = {bytes.data(), bytes.size()};
  return receive_pieces(socket, {&piece, 1}, deadline);
}

Transfer receive_parts(int socket, Parts& parts, Deadline deadline) {
  std::vector<iovec> pieces;
  for (std::string& part : parts) pieces.push_back({part.data(), part.size()});
  return receive_pieces(socket, pieces, deadline);
}

std::optional<ReceivedRequest> receive_request(int socket) {
  ReceivedRequest received;
  Message message(received.request);
  ssize_t n = 0;
  do {
    n = recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  } while (n < 0 && errno == EINTR);
  const cmsghdr* control = CMSG_FIRSTHDR(&message.header);
  if (n != static_cast<ssize_t>(sizeof(Request)) || control == nullptr ||
      control->cmsg_type != SCM_RIGHTS) {
    return std::nullopt;
  }
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(control), sizeof(int));
  received.item = Fd(fd);
  return received;
}

bool send_reply(int socket, const Result<Parts>& answer, bool last) {
  ReplyHeader header = {.ok = answer.has_value(), .last = last};
  if (!answer) header.code = static_cast<std::uint8_t>(answer.error().code);
  const Parts message = answer ? Parts{} : Parts{answer.error().message};
  const Parts& parts = answer ? *answer : message;
  header.parts = static_cast<std::uint32_t>(parts.size());
  std::vector<std::uint64_t> lengths;
  for (const std::string& part : parts) lengths.push_back(part.size());
  std::vector<iovec> pieces = {
      piece_of(&header, sizeof(header)),
      piece_of(lengths.data(), lengths.size() * sizeof(std::uint64_t)),
  };
  for (const std::string& part : parts) pieces.push_back(piece_of(part.data(), part.size()));
  return send_pieces(socket, pieces);
}

}  // namespace twinsift
