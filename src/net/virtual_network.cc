// SPDX-License-Identifier: Apache-2.0
#include "net/virtual_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "net/virtual_clock.h"

namespace twinsift::net {
namespace {

constexpr double kEpoch = 1e6;  // seconds of the steady clock at the beginning
constexpr std::uint16_t kPort = 4222;
constexpr std::size_t kLargest = 65507;  // datagram of UDP
constexpr std::uint8_t kFirstByte = 10;  // addresses are 10.x.y.z

}  // namespace

class VirtualNetwork::Port final : public Datagrams {
 public:
  Port(VirtualNetwork& network, HostId host) : network_(network), host_(host) {}
  [[nodiscard]] Address bound() const override { return network_.address(host_); }
  void send(const Address& to, std::string_view bytes) override { network_.send(host_, to, bytes); }

 private:
  VirtualNetwork& network_;
  HostId host_;
};

std::uint64_t Traffic::total() const {
  return std::accumulate(messages.begin(), messages.end(), std::uint64_t{0});
}

Traffic operator-(const Traffic& a, const Traffic& b) {
  Traffic difference;
  for (std::size_t i = 0; i < kMessageKinds; ++i) {
    difference.messages[i] = a.messages[i] - b.messages[i];
  }
  difference.bytes = a.bytes - b.bytes;
  difference.largest = a.largest;
  return difference;
}

bool VirtualNetwork::Later::operator()(const Event& a, const Event& b) const {
  return std::tie(a.time, a.number) > std::tie(b.time, b.number);
}

VirtualNetwork::VirtualNetwork(const VirtualNetworkOptions& options)
    : options_(options), rng_(options.seed) {
  set_clock();
}

VirtualNetwork::~VirtualNetwork() {
  for (Host& host : hosts_) host.host.reset();  // they may still send
  set_virtual_time(std::nullopt);
}

VirtualNetwork::HostId VirtualNetwork::add(
    const std::function<std::unique_ptr<VirtualHost>(Datagrams&)>& make, std::int64_t clock_error) {
  const auto id = static_cast<HostId>(hosts_.size());
  hosts_.push_back({.port = std::make_unique<Port>(*this, id), .clock_error = clock_error});
  set_clock();
  hosts_[id].host = make(*hosts_[id].port);
  stir(id);
  return id;
}

void VirtualNetwork::kill(HostId host) { hosts_[host].host.reset(); }

Address VirtualNetwork::address(HostId host) const {
  Address address{.port = kPort};
  const HostId number = host + 1;
  address.ip[10] = address.ip[11] = 0xFF;
  address.ip[12] = kFirstByte;
  for (std::size_t i = 0; i < 3; ++i) {
    address.ip[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
  }
  return address;
}

VirtualNetwork::HostId VirtualNetwork::host_at(const Address& address) const {
  if (address.ip[12] != kFirstByte || address.port != kPort) return kNobody;
  const HostId number = static_cast<HostId>(address.ip[13]) << 16U |
                        static_cast<HostId>(address.ip[14]) << 8U | address.ip[15];
  if (number == 0 || number > hosts_.size() || !is_alive(number - 1)) return kNobody;
  return number - 1;
}

double VirtualNetwork::latency(HostId a, HostId b) const {
  const std::uint64_t pair =
      seed_key(options_.seed, std::uint64_t{std::min(a, b)} << 32U | std::max(a, b));
  const double share = static_cast<double>(mix64(pair) >> 11U) * 0x1p-53;
  return options_.least_latency + share * (options_.most_latency - options_.least_latency);
}

Moment VirtualNetwork::now(HostId host) const {
  return {kEpoch + now_, options_.unix_seconds + static_cast<std::int64_t>(std::floor(now_)) +
                             hosts_[host].clock_error};
}

void VirtualNetwork::set_clock() const { set_virtual_time(steady_time(kEpoch + now_)); }

void VirtualNetwork::send(HostId from, const Address& to, std::string_view bytes) {
  const auto kind = static_cast<std::size_t>(message_kind(bytes));
  for (Traffic* traffic : {&traffic_, &hosts_[from].sent}) {
    ++traffic->messages[kind];
    traffic->bytes += bytes.size();
    traffic->largest = std::max<std::uint64_t>(traffic->largest, bytes.size());
  }
  const HostId host = host_at(to);
  if (host == kNobody || bytes.size() > kLargest ||
      (options_.loss > 0 && rng_.uniform() < options_.loss))
    return;
  events_.push({.time = now_ + latency(from, host),
                .number = events_made_++,
                .to = host,
                .from = from,
                .bytes = std::string(bytes)});
}

void VirtualNetwork::after(double seconds, HostId host, std::function<void()> what) {
  events_.push(
      {.time = now_ + seconds, .number = events_made_++, .to = host, .what = std::move(what)});
}

void VirtualNetwork::stir(HostId host) {
  hosts_[host].due = now_;
  dues_.push({now_, host});
}

void VirtualNetwork::tick(HostId host) {
  if (!is_alive(host)) return;
  const double due = hosts_[host].host->tick(now(host)) - kEpoch;
  // Rounding must not make a host due for ever at the same time.
  hosts_[host].due = due > now_ ? due : now_ + 1e-6;
  if (std::isfinite(hosts_[host].due)) dues_.push({hosts_[host].due, host});
}

void VirtualNetwork::handle(Event event) {
  if (!is_alive(event.to)) return;
  if (event.what) {
    event.what();
  } else {
    hosts_[event.to].host->receive(address(event.from), event.bytes, now(event.to));
  }
  tick(event.to);
}

bool VirtualNetwork::step(double until) {
  while (!dues_.empty() &&
         (dues_.top().time != hosts_[dues_.top().host].due || !is_alive(dues_.top().host))) {
    dues_.pop();  // it has ticked since
  }
  const double due = dues_.empty() ? std::numeric_limits<double>::infinity() : dues_.top().time;
  const double event =
      events_.empty() ? std::numeric_limits<double>::infinity() : events_.top().time;
  if (std::min(due, event) > until) return false;
  now_ = std::max(now_, std::min(due, event));
  set_clock();
  if (event <= due) {
    Event next = events_.top();
    events_.pop();
    handle(std::move(next));
  } else {
    const HostId host = dues_.top().host;
    dues_.pop();
    tick(host);
  }
  return true;
}

void VirtualNetwork::run(double seconds) {
  const double until = now_ + seconds;
  while (step(until)) {
  }
  now_ = until;
  set_clock();
}

bool VirtualNetwork::run_until(const std::function<bool()>& condition, double seconds) {
  const double until = now_ + seconds;
  while (!condition()) {
    if (step(until)) continue;
    now_ = until;
    set_clock();
    return condition();
  }
  return true;
}

}  // namespace twinsift::net
