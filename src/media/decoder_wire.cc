// SPDX-License-Identifier: Apache-2.0
// Every send uses MSG_NOSIGNAL: a peer that died is an answer, not a SIGPIPE.
#include "media/decoder_wire.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace twinsift {
namespace {

bool send_bytes(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

bool send_string(int socket, std::string_view text) {
  const std::uint64_t size = text.size();
  return send_bytes(socket, std::as_bytes(std::span(&size, 1))) &&
         send_bytes(socket, std::as_bytes(std::span(text)));
}

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
  while (!bytes.empty()) {
    pollfd ready = {.fd = socket, .events = POLLIN, .revents = 0};
    const int count = poll(&ready, 1, poll_timeout(deadline));
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) return Transfer::kTimeout;
    const ssize_t n = recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return Transfer::kClosed;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return Transfer::kDone;
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
  if (answer) {
    header.parts = static_cast<std::uint32_t>(answer->size());
  } else {
    header.code = answer.error().code;
  }
  if (!send_bytes(socket, std::as_bytes(std::span(&header, 1)))) return false;
  if (!answer) return send_string(socket, answer.error().message);
  return std::ranges::all_of(*answer,
                             [&](const std::string& part) { return send_string(socket, part); });
}

}  // namespace twinsift
