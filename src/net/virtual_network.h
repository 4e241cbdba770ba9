// SPDX-License-Identifier: Apache-2.0
// A network of many hosts in one process and in virtual time: for tests and evaluation.
//
// Hosts send datagrams to each other, which take a modelled time, or are lost; nothing else takes
// any time.  Hours pass as fast as they can be computed.  All random choices of the network come
// from its seed; those inside OpenDHT cannot be seeded, so runs differ in detail.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "net/datagrams.h"
#include "net/moment.h"
#include "net/wire_message.h"

namespace twinsift::net {

struct VirtualNetworkOptions {
  std::uint64_t seed = 1;
  double least_latency = 0.01;  // seconds, one way; each pair of hosts has its own
  double most_latency = 0.08;
  double loss = 0;                            // share of datagrams
  std::int64_t unix_seconds = 1'800'000'000;  // when it begins
};

// What runs on a host.
class VirtualHost {
 public:
  virtual ~VirtualHost() = default;
  virtual void receive(const Address& from, std::string_view bytes, const Moment& now) = 0;
  // As DhtNode::tick().
  virtual double tick(const Moment& now) = 0;
};

struct Traffic {
  std::array<std::uint64_t, kMessageKinds> messages{};  // by MessageKind, also those that were lost
  std::uint64_t bytes = 0;
  std::uint64_t largest = 0;  // datagram, ever
  [[nodiscard]] std::uint64_t total() const;
  friend Traffic operator-(const Traffic& a, const Traffic& b);
};

// One at a time in a process: it sets the steady clock.  Not thread-safe.
class VirtualNetwork {
 public:
  explicit VirtualNetwork(const VirtualNetworkOptions& options);
  ~VirtualNetwork();
  VirtualNetwork(const VirtualNetwork&) = delete;
  VirtualNetwork& operator=(const VirtualNetwork&) = delete;

  using HostId = std::uint32_t;

  // A host with an address of its own; `make` gets where to send.  Its first tick is now.
  // clock_error: seconds that its calendar is wrong.
  HostId add(const std::function<std::unique_ptr<VirtualHost>(Datagrams&)>& make,
             std::int64_t clock_error = 0);
  // It vanishes, with everything that is on the way to it.
  void kill(HostId host);
  [[nodiscard]] bool is_alive(HostId host) const { return hosts_[host].host != nullptr; }
  [[nodiscard]] std::size_t size() const { return hosts_.size(); }
  [[nodiscard]] Address address(HostId host) const;
  [[nodiscard]] VirtualHost* host(HostId host) { return hosts_[host].host.get(); }
  // kNobody if there is none, or it is dead.
  [[nodiscard]] HostId host_at(const Address& address) const;
  static constexpr HostId kNobody = 0xFFFFFFFF;

  // From outside into a host: it ticks afterwards.
  void stir(HostId host);
  // Calls `what` after so many seconds, in the name of a host, which ticks afterwards; not if it is
  // dead by then.
  void after(double seconds, HostId host, std::function<void()> what);
  [[nodiscard]] double latency(HostId a, HostId b) const;

  void run(double seconds);
  // Until the condition holds, at most so long.  Returns whether it does.
  bool run_until(const std::function<bool()>& condition, double seconds);

  [[nodiscard]] Moment now(HostId host) const;
  [[nodiscard]] double seconds() const { return now_; }  // since the beginning
  void set_loss(double loss) { options_.loss = loss; }
  [[nodiscard]] const Traffic& traffic() const { return traffic_; }
  // From this host only.
  [[nodiscard]] const Traffic& traffic(HostId host) const { return hosts_[host].sent; }

 private:
  class Port;
  struct Host {
    std::unique_ptr<Port> port;
    std::unique_ptr<VirtualHost> host{};
    std::int64_t clock_error = 0;
    double due = 0;
    Traffic sent{};
  };
  struct Event {
    double time = 0;
    std::uint64_t number = 0;  // of two at the same time the earlier one comes first
    HostId to = 0;
    HostId from = 0;
    std::string bytes{};
    std::function<void()> what{};  // or a datagram
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const;
  };
  struct Due {
    double time = 0;
    HostId host = 0;
    friend bool operator>(const Due& a, const Due& b) { return a.time > b.time; }
  };

  void send(HostId from, const Address& to, std::string_view bytes);
  void tick(HostId host);
  void handle(Event event);
  // The next thing that happens until then; false if nothing does.
  bool step(double until);
  void set_clock() const;

  VirtualNetworkOptions options_;
  Rng rng_;
  double now_ = 0;
  std::uint64_t events_made_ = 0;
  std::vector<Host> hosts_;
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> dues_;
  Traffic traffic_{};
};

}  // namespace twinsift::net
