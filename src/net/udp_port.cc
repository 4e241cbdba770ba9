// SPDX-License-Identifier: Apache-2.0
#include "net/udp_port.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace twinsift::net {
namespace {

constexpr std::size_t kLargest = 65536;  // datagram
constexpr int kBuffer = 4 << 20;         // bytes that wait: answers of many nodes come at once
constexpr std::size_t kMapped = 12;

bool is_ipv4(const Address& address) { return to_text(address).front() != '['; }

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

SocketAddress to_socket(const Address& address) {
  SocketAddress out;
  if (is_ipv4(address)) {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_port = htons(address.port);
    std::memcpy(&in.sin_addr, address.ip.data() + kMapped, 4);
    std::memcpy(&out.storage, &in, out.size = sizeof in);
  } else {
    sockaddr_in6 in{};
    in.sin6_family = AF_INET6;
    in.sin6_port = htons(address.port);
    std::memcpy(&in.sin6_addr, address.ip.data(), 16);
    std::memcpy(&out.storage, &in, out.size = sizeof in);
  }
  return out;
}

Address from_socket(const sockaddr_storage& storage) {
  Address address;
  if (storage.ss_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &storage, sizeof in);
    address.ip[10] = address.ip[11] = 0xFF;
    std::memcpy(address.ip.data() + kMapped, &in.sin_addr, 4);
    address.port = ntohs(in.sin_port);
  } else {
    sockaddr_in6 in{};
    std::memcpy(&in, &storage, sizeof in);
    std::memcpy(address.ip.data(), &in.sin6_addr, 16);
    address.port = ntohs(in.sin6_port);
  }
  return address;
}

Error cannot_listen(const Address& address, int number) {
  const std::string where = to_text(address);
  if (number == EADDRINUSE) {
    return {ErrorCode::kIo, fmt::format("{} is in use by another program: choose another port, or "
                                        "port 0 for one that is free",
                                        where)};
  }
  if (number == EADDRNOTAVAIL) {
    return {ErrorCode::kIo, fmt::format("{} is no address of this machine", where)};
  }
  return errno_error(where, number);
}

}  // namespace

Result<UdpPort> UdpPort::open(const Address& address) {
  const int family = is_ipv4(address) ? AF_INET : AF_INET6;
  Fd fd(socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd) return cannot_listen(address, errno);
  const int yes = 1;
  if (family == AF_INET6) setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
  // As much as the system allows; less is no error.
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &kBuffer, sizeof kBuffer);
  const SocketAddress wanted = to_socket(address);
  if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&wanted.storage), wanted.size) != 0) {
    return cannot_listen(address, errno);
  }
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  if (getsockname(fd.get(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    return cannot_listen(address, errno);
  }
  return UdpPort(std::move(fd), from_socket(bound));
}

void UdpPort::send(const Address& to, std::string_view bytes) {
  const SocketAddress where = to_socket(to);
  // A datagram that cannot be sent is a lost one.
  [[maybe_unused]] const ssize_t sent =
      sendto(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT,
             reinterpret_cast<const sockaddr*>(&where.storage), where.size);
}

std::optional<Datagram> UdpPort::receive() {
  Datagram datagram;
  datagram.bytes.resize(kLargest);
  for (;;) {
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    const ssize_t got = recvfrom(fd_.get(), datagram.bytes.data(), datagram.bytes.size(),
                                 MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&from), &size);
    if (got >= 0) {
      datagram.bytes.resize(static_cast<std::size_t>(got));
      datagram.from = from_socket(from);
      return datagram;
    }
    // On Linux the next call tells of a port that nobody listens at: that is not the end.
    if (errno != ECONNREFUSED && errno != EINTR) return std::nullopt;
  }
}

}  // namespace twinsift::net
