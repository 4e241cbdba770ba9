// SPDX-License-Identifier: Apache-2.0
#include "net/deadline_socket.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "net/socket_address.h"

namespace twinsift::net {
namespace {

constexpr long kSlice = 100;  // milliseconds until a stop is noticed

Error too_late() { return {ErrorCode::kLimit, "a peer took too long to answer"}; }

}  // namespace

DeadlineSocket::DeadlineSocket(Fd fd, Deadline deadline, std::stop_token stop)
    : fd_(std::move(fd)), deadline_(deadline), stop_(std::move(stop)) {
  fcntl(fd_.get(), F_SETFL, fcntl(fd_.get(), F_GETFL) | O_NONBLOCK);
  const int yes = 1;  // a question and its answer are one packet each: nothing is worth waiting for
  setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

Result<DeadlineSocket> DeadlineSocket::connect(const Address& to, Deadline deadline,
                                               const std::stop_token& stop) {
  const SocketAddress address(to);
  Fd fd(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return errno_error(to_text(to), errno);
  DeadlineSocket socket(std::move(fd), deadline, stop);
  if (::connect(socket.fd(), address.get(), address.size()) == 0) return socket;
  if (errno != EINPROGRESS) return errno_error(to_text(to), errno);
  TWINSIFT_TRY([[maybe_unused]] const auto waited, socket.wait_for(POLLOUT));
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return errno_error(to_text(to), error);
  return socket;
}

Status DeadlineSocket::wait_for(short events) const {
  using std::chrono::milliseconds;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) return too_late();
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the peer is stopping"};
    pollfd waiting{.fd = fd_.get(), .events = events, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<long>(left.count(), kSlice)));
    if (ready > 0) return ok();
    if (ready < 0 && errno != EINTR) return errno_error("a connection", errno);
  }
}

Result<std::size_t> DeadlineSocket::read(std::span<char> out) {
  for (;;) {
    TWINSIFT_TRY([[maybe_unused]] const auto waited, wait_for(POLLIN));
    const ssize_t count = ::recv(fd_.get(), out.data(), out.size(), 0);
    if (count >= 0) {
      bytes_read_ += static_cast<std::size_t>(count);
      return static_cast<std::size_t>(count);
    }
    if (errno != EAGAIN && errno != EINTR) return errno_error("a connection", errno);
  }
}

Status DeadlineSocket::write(std::string_view bytes) {
  while (!bytes.empty()) {
    TWINSIFT_TRY([[maybe_unused]] const auto waited, wait_for(POLLOUT));
    const ssize_t count = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return errno_error("a connection", errno);
    if (count <= 0) continue;
    bytes_written_ += static_cast<std::size_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return ok();
}

}  // namespace twinsift::net
