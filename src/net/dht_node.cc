// SPDX-License-Identifier: Apache-2.0
#include "net/dht_node.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <set>
#include <utility>

#include <arpa/inet.h>
#include <opendht/dht.h>
#include <opendht/node.h>

#include "net/lookups.h"
#include "net/store_rules.h"
#include "net/wire_message.h"

namespace twinsift::net {
namespace {

constexpr std::size_t kMapped = 12;   // bytes of ::ffff: before an IPv4 address
constexpr std::size_t kReplicas = 8;  // nodes that a lookup confirms: OpenDHT's TARGET_NODES
constexpr dht::Value::Id kNobodysId = 1;
constexpr std::size_t kLarge = 1400;        // bytes; smaller answers every node has to give
constexpr std::size_t kMostCallers = 4096;  // that are remembered

bool is_ipv4(const Address& address) {
  return std::all_of(address.ip.begin(), address.ip.begin() + 10, [](auto b) { return b == 0; }) &&
         address.ip[10] == 0xFF && address.ip[11] == 0xFF;
}

dht::SockAddr to_socket_address(const Address& address) {
  dht::SockAddr out;
  if (is_ipv4(address)) {
    out.setFamily(AF_INET);
    std::memcpy(&out.getIPv4().sin_addr, address.ip.data() + kMapped, 4);
  } else {
    out.setFamily(AF_INET6);
    std::memcpy(&out.getIPv6().sin6_addr, address.ip.data(), 16);
  }
  out.setPort(address.port);
  return out;
}

Address to_address(const dht::SockAddr& from) {
  Address address;
  address.port = from.getPort();
  if (from.getFamily() == AF_INET) {
    address.ip[10] = address.ip[11] = 0xFF;
    std::memcpy(address.ip.data() + kMapped, &from.getIPv4().sin_addr, 4);
  } else if (from.getFamily() == AF_INET6) {
    std::memcpy(address.ip.data(), &from.getIPv6().sin6_addr, 16);
  }
  return address;
}

dht::InfoHash to_hash(const DhtKey& key) { return dht::InfoHash(key.data(), key.size()); }

DhtKey to_key(const dht::InfoHash& hash) {
  DhtKey key{};
  std::memcpy(key.data(), hash.data(), key.size());
  return key;
}

// Hands what OpenDHT sends to the datagrams, past the lookups.
class Socket final : public dht::net::DatagramSocket {
 public:
  Socket(Datagrams& datagrams, Lookups& lookups, const Moment& now, const Rate& large_bytes,
         std::uint64_t& withheld)
      : datagrams_(datagrams),
        lookups_(lookups),
        now_(now),
        large_bytes_(large_bytes, kMostCallers),
        withheld_(withheld),
        bound_(to_socket_address(datagrams.bound())) {}

  int sendTo(const dht::SockAddr& dest, const uint8_t* data, size_t size, bool) override {
    const Address to = to_address(dest);
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (size > kLarge && !dest.isLoopback() &&
        !large_bytes_.take(to.ip, now_.seconds, static_cast<double>(size))) {
      ++withheld_;
      return 0;
    }
    lookups_.sent(to, bytes, now_.seconds);
    datagrams_.send(to, bytes);
    return 0;
  }
  bool hasIPv4() const override { return bound_.getFamily() == AF_INET; }
  bool hasIPv6() const override { return bound_.getFamily() == AF_INET6; }
  const dht::SockAddr& getBoundRef(sa_family_t family) const override {
    return family == AF_UNSPEC || family == bound_.getFamily() ? bound_ : none_;
  }
  void stop() override {}

 private:
  Datagrams& datagrams_;
  Lookups& lookups_;
  const Moment& now_;
  RateLimiter<decltype(Address::ip)> large_bytes_;
  std::uint64_t& withheld_;
  dht::SockAddr bound_;
  dht::SockAddr none_;
};

std::vector<DhtContact> contacts(const DhtKey& place,
                                 const std::vector<std::shared_ptr<dht::Node>>& nodes) {
  std::vector<DhtContact> out;
  for (const auto& node : nodes) {
    if (!node->isExpired()) out.push_back({to_key(node->id), to_address(node->getAddr())});
  }
  std::ranges::sort(out, [&](const DhtContact& a, const DhtContact& b) {
    return is_nearer(place, a.place, b.place);
  });
  // Of those beyond, OpenDHT knows only some.
  if (out.size() > kReplicas) out.resize(kReplicas);
  return out;
}

}  // namespace

class DhtNode::Impl {
 public:
  Impl(const Network& network, const DhtNodeOptions& options, Datagrams& datagrams,
       const Moment& now)
      : network_(network),
        options_(options),
        now_(now),
        dht_(std::make_unique<Socket>(datagrams, lookups_, now_, options.large_bytes, withheld_),
             config(network, options), std::shared_ptr<dht::Logger>()) {
    dht_.registerType(dht::ValueType(
        kValueType, "twinsift", network.options().lifetime,
        [this](dht::InfoHash key, std::shared_ptr<dht::Value>& value, const dht::InfoHash&,
               const dht::SockAddr&) { return store(key, *value); },
        [this](dht::InfoHash key, const std::shared_ptr<dht::Value>& old_value,
               std::shared_ptr<dht::Value>& value, const dht::InfoHash&,
               const dht::SockAddr&) { return replace(key, *old_value, *value); }));
  }

  void join(const Address& address) {
    const std::string text = to_text(address);
    const std::size_t colon = text.rfind(':');
    std::string host = text.substr(0, colon);
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    dht_.addBootstrap(host, text.substr(colon + 1));
  }

  double run(const Moment& now, std::string_view bytes, const dht::SockAddr& from) {
    now_ = now;
    const dht::time_point next = dht_.periodic(reinterpret_cast<const uint8_t*>(bytes.data()),
                                               bytes.size(), from, steady_time(now.seconds));
    return next == dht::time_point::max() ? std::numeric_limits<double>::infinity()
                                          : steady_seconds(next);
  }

  void receive(const Address& from, std::string_view bytes, const Moment& now) {
    if (!is_welcome(bytes)) {
      ++dropped_;
      return;
    }
    now_ = now;
    lookups_.received(from, bytes);
    run(now, bytes, to_socket_address(from));
  }

  void put(const DhtKey& key, DhtValue value, std::function<void(bool)> done) {
    auto stored = std::make_shared<dht::Value>();
    stored->id = value.id;
    stored->type = kValueType;
    stored->user_type = std::move(value.bytes);
    dht_.put(to_hash(key), stored, [done = std::move(done)](bool ok, const auto&) { done(ok); });
  }

  void query(const DhtKey& key, std::function<void(const DhtValue&)> found,
             std::function<void(const LookupEnd&)> done) {
    const Lookups::Id lookup = lookups_.begin(key, std::move(found));
    // What this node stores itself comes from OpenDHT; what others say comes before it.
    const auto on_fields = [this, lookup](const auto& fields) {
      for (const auto& field : fields) take_field(lookup, *field);
      return true;
    };
    const auto on_end = [this, lookup, done = std::move(done)](const LookupEnd& end) {
      lookups_.end(lookup);
      done(end);
    };
    ask(key, on_fields, on_end,
        dht::Query(dht::Select().field(dht::Value::Field::Id).field(dht::Value::Field::UserType)));
  }

  void nearest(const DhtKey& place, std::function<void(const LookupEnd&)> done) {
    ask(
        place, [](const auto&) { return true; }, std::move(done),
        dht::Query(dht::Select().field(dht::Value::Field::Id), dht::Where().id(kNobodysId)));
  }

  [[nodiscard]] const DhtKey& place() const { return options_.place; }

  [[nodiscard]] DhtNodeStatus status() const {
    DhtNodeStatus status{
        .refused_values = refused_, .dropped_messages = dropped_, .withheld_messages = withheld_};
    for (const sa_family_t family : std::array<sa_family_t, 2>{AF_INET, AF_INET6}) {
      if (!dht_.isRunning(family)) continue;
      const dht::NodeStats stats = dht_.getNodesStats(family);
      status.good_nodes += stats.good_nodes;
      status.known_nodes += stats.getKnownNodes();
    }
    status.stored_values = dht_.getStoreSize().second;
    return status;
  }

 private:
  static dht::Config config(const Network& network, const DhtNodeOptions& options) {
    dht::Config config;
    config.node_id = to_hash(options.place);
    config.network = network.dht_id();
    config.max_req_per_sec = options.most_requests;
    config.max_peer_req_per_sec = options.most_requests_of_one;
    // OpenDHT throws values away when it has too many, whose does not matter; the rules refuse
    // them before.
    config.max_store_size = -1;
    return config;
  }

  void take_field(Lookups::Id lookup, const dht::FieldValueIndex& field) {
    const auto id = field.index.find(dht::Value::Field::Id);
    const auto bytes = field.index.find(dht::Value::Field::UserType);
    if (id == field.index.end() || bytes == field.index.end()) return;
    const dht::Blob blob = bytes->second.getBlob();
    lookups_.give(lookup, {id->second.getInt(), std::string(blob.begin(), blob.end())});
  }

  void ask(const DhtKey& key, dht::QueryCallback on_fields,
           std::function<void(const LookupEnd&)> done, dht::Query query) {
    dht_.query(
        to_hash(key), std::move(on_fields),
        [key, done = std::move(done)](bool ok, const auto& nodes) {
          done({.reached = ok, .nearest = contacts(key, nodes)});
        },
        std::move(query));
  }

  bool store(const dht::InfoHash& hash, dht::Value& value) {
    const auto values = dht_.getLocal(hash);
    std::vector<StoredValue> present;
    present.reserve(values.size());
    for (const auto& other : values) present.push_back({other->id, other->user_type});
    const bool good =
        dht_.getStoreSize().second < options_.most_values &&
        may_store(network_, to_key(hash), {value.id, value.user_type}, present, now_.unix_seconds);
    return mark(value, good);
  }

  bool replace(const dht::InfoHash& hash, const dht::Value& old_value, dht::Value& value) {
    const bool good = may_replace(network_, to_key(hash), {old_value.id, old_value.user_type},
                                  {value.id, value.user_type}, now_.unix_seconds)
                          .has_value();
    return mark(value, good);
  }

  // No value that is_welcome() has data, so none is equal to a stored one, which OpenDHT would take
  // for a wish to keep that one longer.
  bool mark(dht::Value& value, bool good) {
    if (!good) ++refused_;
    value.data = {1};
    return good;
  }

  const Network& network_;
  DhtNodeOptions options_;
  Moment now_;
  std::uint64_t refused_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t withheld_ = 0;
  Lookups lookups_;
  dht::Dht dht_;  // last: its policies use the others
};

DhtNode::DhtNode(const Network& network, const DhtNodeOptions& options, Datagrams& datagrams,
                 const Moment& now)
    : impl_(std::make_unique<Impl>(network, options, datagrams, now)) {}
DhtNode::~DhtNode() = default;

void DhtNode::join(const Address& address) { impl_->join(address); }

void DhtNode::receive(const Address& from, std::string_view bytes, const Moment& now) {
  impl_->receive(from, bytes, now);
}

double DhtNode::tick(const Moment& now) { return impl_->run(now, {}, {}); }

void DhtNode::put(const DhtKey& key, DhtValue value, std::function<void(bool)> done) {
  impl_->put(key, std::move(value), std::move(done));
}

void DhtNode::query(const DhtKey& key, std::function<void(const DhtValue&)> found,
                    std::function<void(const LookupEnd&)> done) {
  impl_->query(key, std::move(found), std::move(done));
}

void DhtNode::nearest(const DhtKey& place, std::function<void(const LookupEnd&)> done) {
  impl_->nearest(place, std::move(done));
}

const DhtKey& DhtNode::place() const { return impl_->place(); }
DhtNodeStatus DhtNode::status() const { return impl_->status(); }

}  // namespace twinsift::net
