// SPDX-License-Identifier: Apache-2.0
// A server of TCP on loopback for tests, which does to each connection what it is told to.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>
#include <utility>

#include <sys/socket.h>

#include "base/fd.h"
#include "net/deadline_socket.h"
#include "net/socket_address.h"

namespace twinsift::net {

class TestServer {
 public:
  explicit TestServer(std::function<void(DeadlineSocket&)> act)
      : act_(std::move(act)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const SocketAddress any(*parse_address("127.0.0.1:0"));
    if (::bind(listener_.get(), any.get(), any.size()) != 0 || ::listen(listener_.get(), 64) != 0) {
      std::abort();
    }
    thread_ = std::jthread([this] {
      for (;;) {
        Fd fd(::accept(listener_.get(), nullptr, nullptr));
        if (!fd) return;
        ++connections;
        constexpr std::chrono::milliseconds kPatience{3000};
        DeadlineSocket socket(std::move(fd), std::chrono::steady_clock::now() + kPatience);
        act_(socket);
      }
    });
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  ~TestServer() { ::shutdown(listener_.get(), SHUT_RDWR); }

  [[nodiscard]] Address address() const { return local_address(listener_.get()); }
  std::atomic<int> connections = 0;

 private:
  std::function<void(DeadlineSocket&)> act_;
  Fd listener_;
  std::jthread thread_;
};

}  // namespace twinsift::net
