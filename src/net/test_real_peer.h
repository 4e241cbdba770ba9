// SPDX-License-Identifier: Apache-2.0
// Nodes and peers for tests on loopback: real sockets and clocks, each with a thread of its own.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>

#include "net/dht_node.h"
#include "net/http_asker.h"
#include "net/peer.h"
#include "net/posted_tasks.h"
#include "net/show_server.h"
#include "net/udp_port.h"

namespace twinsift::net {

// Sends, counts, and if it lies, sends damaged copies of everything as well.
class CountingPort final : public Datagrams {
 public:
  explicit CountingPort(UdpPort& port) : port_(port) {}
  [[nodiscard]] Address bound() const override { return port_.bound(); }
  void send(const Address& to, std::string_view bytes) override {
    count_and_send(to, bytes);
    if (damage) {
      for (const std::string& copy : damage(bytes)) count_and_send(to, copy);
    }
  }

  std::function<std::vector<std::string>(std::string_view)> damage;
  std::atomic<std::uint64_t> bytes_out = 0;

 private:
  void count_and_send(const Address& to, std::string_view bytes) {
    bytes_out += bytes.size();
    port_.send(to, bytes);
  }
  UdpPort& port_;
};

// A node, which becomes a peer if it is given a shelf.
class RealPeer {
 public:
  static constexpr std::chrono::seconds kPatience{4};  // with one question

  RealPeer(const Network& network, const Identity& identity, const DhtKey& place)
      : network_(network),
        identity_(identity),
        udp_(*UdpPort::open(*parse_address("127.0.0.1:0"))),
        port(udp_),
        node_(network, {.place = place, .most_requests = -1, .most_requests_of_one = -1}, port,
              present()) {}
  RealPeer(const RealPeer&) = delete;
  RealPeer& operator=(const RealPeer&) = delete;
  ~RealPeer() {
    thread_.request_stop();
    posted_.post([] {});
    if (thread_.joinable()) thread_.join();
    server_.reset();
    asker_.reset();
  }

  // Where it shows what is on the shelf.  Before start().
  void serve(const Shelf& shelf) {
    server_ = *ShowServer::start({.listen = *parse_address("127.0.0.1:0"),
                                  .rate = {.per_second = 5000, .burst = 10000},
                                  .threads = 4,
                                  .most_of_one = 14},
                                 network_, identity_, shelf,
                                 {.report = [](std::uint64_t) -> Result<std::string> {
                                    return Error{ErrorCode::kNotFound, "not here"};
                                  },
                                  .hello = [] { return Hello{}; }});
  }
  void become_peer(const Shelf& shelf) {
    serve(shelf);
    asker_ = std::make_unique<HttpAsker>(
        AskerOptions{.threads = 4}, network_, identity_,
        [this](std::function<void()> task) { posted_.post(std::move(task)); });
    peer_ = *Peer::make({.address = server_->address(),
                         .publishing = {.per_second = 1000, .burst = 1000},
                         .tunes = false,
                         .patience = kPatience},
                        network_, identity_, shelf, node_, *asker_);
  }
  void start(const Address* join = nullptr) {
    if (join != nullptr) node_.join(*join);
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

  // Runs in its thread, and is waited for.
  template <class What>
  auto call(What what) {
    std::packaged_task<decltype(what())()> task(std::move(what));
    auto future = task.get_future();
    const auto shared = std::make_shared<decltype(task)>(std::move(task));
    posted_.post([shared] { (*shared)(); });
    return future.get();
  }

  [[nodiscard]] Address udp() const { return udp_.bound(); }
  [[nodiscard]] Address http() const { return server_->address(); }
  // Only in its thread:
  DhtNode& node() { return node_; }
  Peer& peer() { return *peer_; }
  // From any thread.
  [[nodiscard]] ShowStatus shown() const { return server_->status(); }
  [[nodiscard]] AskerStatus asked() const { return asker_->status(); }

 private:
  static Moment present() {
    return {.seconds = steady_seconds(std::chrono::steady_clock::now()),
            .unix_seconds = std::time(nullptr)};
  }
  void run(const std::stop_token& stop) {
    double next = 0;
    while (!stop.stop_requested()) {
      std::array<pollfd, 2> polled = {pollfd{.fd = udp_.fd(), .events = POLLIN, .revents = 0},
                                      pollfd{.fd = posted_.fd(), .events = POLLIN, .revents = 0}};
      const double left = std::clamp(next - present().seconds, 0.0, 0.5);
      ::poll(polled.data(), polled.size(), static_cast<int>(std::ceil(left * 1000)));
      const Moment now = present();
      for (auto datagram = udp_.receive(); datagram; datagram = udp_.receive()) {
        node_.receive(datagram->from, datagram->bytes, now);
      }
      posted_.run();
      next = peer_ ? peer_->tick(now) : node_.tick(now);
    }
  }

  const Network& network_;
  const Identity identity_;
  UdpPort udp_;

 public:
  CountingPort port;

 private:
  DhtNode node_;
  PostedTasks posted_;
  std::unique_ptr<ShowServer> server_;
  std::unique_ptr<HttpAsker> asker_;
  std::unique_ptr<Peer> peer_;
  std::jthread thread_;
};

}  // namespace twinsift::net
