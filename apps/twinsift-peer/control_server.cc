// SPDX-License-Identifier: Apache-2.0
#include "control_server.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control_path.h"

namespace twinsift::cli {
namespace {

constexpr std::size_t kMostClients = 64;
constexpr std::size_t kPiece = 65536;

}  // namespace

Result<ControlServer> ControlServer::open(const std::string& path, Handler handler) {
  TWINSIFT_TRY(const sockaddr_un address, control_address(path));
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return errno_error(path, errno);
  ::unlink(path.c_str());
  const mode_t old = ::umask(0177);
  const int bound = ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int error = errno;
  ::umask(old);
  if (bound != 0) return errno_error(path, error);
  if (::listen(fd.get(), kMostClients) != 0) return errno_error(path, errno);
  return ControlServer(std::move(fd), path, std::move(handler));
}

ControlServer::~ControlServer() {
  if (listener_) ::unlink(path_.c_str());
}

void ControlServer::add_to(std::vector<pollfd>& polled) const {
  polled.push_back({.fd = listener_.get(), .events = POLLIN, .revents = 0});
  for (const auto& [client, connection] : connections_) {
    const int out = connection.out.empty() ? 0 : POLLOUT;
    polled.push_back(
        {.fd = connection.fd.get(), .events = static_cast<short>(POLLIN | out), .revents = 0});
  }
}

void ControlServer::accept_all() {
  while (connections_.size() < kMostClients) {
    Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd) return;
    connections_.emplace(next_++, Connection{.fd = std::move(fd), .in = {}, .out = {}});
  }
}

void ControlServer::serve() {
  accept_all();
  for (auto at = connections_.begin(); at != connections_.end();) {
    const bool alive = read_some(at->first, at->second) && write_some(at->second);
    if (alive) {
      ++at;
      continue;
    }
    const Client client = at->first;
    at = connections_.erase(at);
    handler_.gone(client);
  }
}

// False: the other side has closed, or says what it may not.
bool ControlServer::read_some(Client client, Connection& connection) {
  std::array<char, kPiece> piece{};
  const ssize_t count = ::recv(connection.fd.get(), piece.data(), piece.size(), 0);
  if (count == 0) return false;
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  connection.in.append(piece.data(), static_cast<std::size_t>(count));
  std::size_t begin = 0;
  for (std::size_t end; (end = connection.in.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    auto command = parse_command(std::string_view(connection.in).substr(begin, end - begin));
    if (command) {
      handler_.command(client, *std::move(command));
    } else {
      connection.out += error_line(command.error().message) + '\n';
    }
  }
  connection.in.erase(0, begin);
  return connection.in.size() <= kLongestLine;
}

bool ControlServer::write_some(Connection& connection) {
  while (!connection.out.empty()) {
    const ssize_t count =
        ::send(connection.fd.get(), connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    connection.out.erase(0, static_cast<std::size_t>(count));
  }
  return true;
}

void ControlServer::send(Client client, std::string line) {
  const auto found = connections_.find(client);
  if (found == connections_.end()) return;
  // Somebody who asks and does not read is not served for ever.
  if (found->second.out.size() > kLongestLine) return;
  found->second.out += std::move(line) + '\n';
}

}  // namespace twinsift::cli
