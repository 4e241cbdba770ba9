// SPDX-License-Identifier: Apache-2.0
#include "control_client.h"

#include <array>
#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

#include "control_path.h"

namespace twinsift::cli {
namespace {

constexpr int kSlice = 100;  // milliseconds until a stop is noticed

Error gone() { return {ErrorCode::kIo, "the peer has ended meanwhile"}; }

}  // namespace

Result<ControlClient> ControlClient::connect(const std::string& path) {
  TWINSIFT_TRY(const sockaddr_un address, control_address(path));
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return errno_error(path, errno);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return ControlClient(std::move(fd));
  }
  if (errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR) {
    return Error{ErrorCode::kNotFound,
                 "no peer is running: start one with 'twinsift peer start', or name the folder of "
                 "a running one with --state"};
  }
  return errno_error(path, errno);
}

Status ControlClient::send(const ControlCommand& command) {
  const Status sent = write_all(fd_.get(), line_of(command) + '\n', "the control socket");
  return sent ? ok() : Status(gone());
}

Result<ControlReply> ControlClient::receive(const std::stop_token& stop) {
  for (;;) {
    if (const std::size_t end = in_.find('\n'); end != std::string::npos) {
      auto reply = parse_reply(std::string_view(in_).substr(0, end));
      in_.erase(0, end + 1);
      return reply;
    }
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "interrupted"};
    pollfd waiting{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, kSlice) <= 0) continue;
    std::array<char, 65536> piece{};
    const ssize_t count = ::recv(fd_.get(), piece.data(), piece.size(), 0);
    if (count == 0 || (count < 0 && errno != EINTR) || in_.size() > kLongestLine) return gone();
    if (count > 0) in_.append(piece.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace twinsift::cli
