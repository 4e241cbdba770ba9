// SPDX-License-Identifier: Apache-2.0
// An address as the system's calls want it, and back.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "net/entry.h"

namespace twinsift::net {

inline constexpr std::array<std::uint8_t, 12> kIpv4Prefix = {0, 0, 0, 0, 0,   0,
                                                             0, 0, 0, 0, 255, 255};

inline bool is_ipv4(const Address& address) {
  return std::equal(kIpv4Prefix.begin(), kIpv4Prefix.end(), address.ip.begin());
}

class SocketAddress {
 public:
  explicit SocketAddress(const Address& address) {
    if (is_ipv4(address)) {
      sockaddr_in ipv4{};
      ipv4.sin_family = AF_INET;
      ipv4.sin_port = htons(address.port);
      std::memcpy(&ipv4.sin_addr, address.ip.data() + kIpv4Prefix.size(), sizeof ipv4.sin_addr);
      std::memcpy(&storage_, &ipv4, size_ = sizeof ipv4);
    } else {
      sockaddr_in6 ipv6{};
      ipv6.sin6_family = AF_INET6;
      ipv6.sin6_port = htons(address.port);
      std::memcpy(&ipv6.sin6_addr, address.ip.data(), sizeof ipv6.sin6_addr);
      std::memcpy(&storage_, &ipv6, size_ = sizeof ipv6);
    }
  }

  [[nodiscard]] int family() const { return storage_.ss_family; }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  [[nodiscard]] socklen_t size() const { return size_; }

 private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

// Zeros if it is neither IPv4 nor IPv6.
inline Address address_of(const sockaddr_storage& storage) {
  Address address;
  if (storage.ss_family == AF_INET) {
    sockaddr_in ipv4{};
    std::memcpy(&ipv4, &storage, sizeof ipv4);
    std::copy(kIpv4Prefix.begin(), kIpv4Prefix.end(), address.ip.begin());
    std::memcpy(address.ip.data() + kIpv4Prefix.size(), &ipv4.sin_addr, sizeof ipv4.sin_addr);
    address.port = ntohs(ipv4.sin_port);
  } else if (storage.ss_family == AF_INET6) {
    sockaddr_in6 ipv6{};
    std::memcpy(&ipv6, &storage, sizeof ipv6);
    std::memcpy(address.ip.data(), &ipv6.sin6_addr, sizeof ipv6.sin6_addr);
    address.port = ntohs(ipv6.sin6_port);
  }
  return address;
}

// Who is at the other end of a connection, and where this end is.
inline Address remote_address(int fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  getpeername(fd, reinterpret_cast<sockaddr*>(&storage), &size);
  return address_of(storage);
}
inline Address local_address(int fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size);
  return address_of(storage);
}

}  // namespace twinsift::net
