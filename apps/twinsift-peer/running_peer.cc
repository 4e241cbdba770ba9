// SPDX-License-Identifier: Apache-2.0
#include "running_peer.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <future>
#include <mutex>

#include <poll.h>
#include <unistd.h>

#include "net/hello.h"
#include "net/socket_address.h"

namespace twinsift::cli {
namespace {

constexpr double kSaveEvery = 60;        // seconds
constexpr double kFirstSave = 3;         // after the start
constexpr std::size_t kAtOnce = 512;     // datagrams between two looks at everything else
constexpr std::size_t kMostAsked = 256;  // questions of one connection
constexpr std::chrono::seconds kLookEvery{5};
constexpr int kPortTries = 16;

net::Moment present() {
  return {.seconds = net::steady_seconds(std::chrono::steady_clock::now()),
          .unix_seconds = std::time(nullptr)};
}

// On loopback all peers have one address, and limits for each address mean nothing.
bool is_loopback(const net::Address& address) {
  return net::is_ipv4(address) ? address.ip[12] == 127
                               : net::to_text(address).starts_with("[::1]:");
}

class EmptyShelf final : public net::Shelf {
 public:
  [[nodiscard]] Result<std::vector<net::Resource>> resources() const override {
    return std::vector<net::Resource>{};
  }
  [[nodiscard]] Result<net::Representation> representation(const net::ResourceId&) const override {
    return Error{ErrorCode::kNotFound, "nothing is shared"};
  }
};

}  // namespace

RunningPeer::RunningPeer(const PeerSettings& settings, const net::Identity& identity,
                         net::SharedCollection* shared, const StateFolder& state)
    : settings_(settings),
      identity_(identity),
      network_(settings.network),
      shared_(shared),
      empty_(std::make_unique<EmptyShelf>()),
      state_(state),
      known_(state.nodes()) {}

RunningPeer::~RunningPeer() {
  stopping_ = true;
  server_.reset();  // nobody waits for a report any more
  watcher_ = {};
  asker_.reset();
}

Result<std::unique_ptr<RunningPeer>> RunningPeer::start(const PeerSettings& settings,
                                                        const net::Identity& identity,
                                                        net::SharedCollection* shared,
                                                        const StateFolder& state) {
  std::unique_ptr<RunningPeer> peer(new RunningPeer(settings, identity, shared, state));
  if (peer->posted_.fd() < 0) return errno_error("eventfd", errno);
  TWINSIFT_TRY([[maybe_unused]] const auto listens, peer->listen());
  TWINSIFT_TRY([[maybe_unused]] const auto made, peer->make_peer());
  peer->join();
  return peer;
}

// HTTP and datagrams at one port.  One that is not asked for is the last one, if it is free.
Status RunningPeer::listen() {
  net::ShowOptions options{.listen = settings_.listen, .allowed = settings_.allowed};
  if (is_loopback(settings_.listen)) {
    options.rate = {.per_second = 5000, .burst = 10000};
    options.threads = 16;
    options.most_of_one = 14;
  }
  const bool any = settings_.listen.port == 0;
  if (any && known_.listened.ip == settings_.listen.ip) options.listen = known_.listened;
  const net::ShowServer::Sources sources{
      .report = [this](std::uint64_t version) { return report_for_others(version); },
      .hello =
          [this] {
            return net::hello_of(network_, identity_.public_key(), settings_.one_bit,
                                 std::time(nullptr));
          }};
  const net::Shelf& shelf = shared_ != nullptr ? *shared_ : *empty_;
  Status last = ok();
  for (int tries = 0; tries < (any ? kPortTries : 1); ++tries) {
    auto server = net::ShowServer::start(options, network_, identity_, shelf, sources);
    options.listen = settings_.listen;
    if (!server) {
      last = server.error();
      continue;
    }
    auto datagrams = net::UdpPort::open((*server)->address());
    if (!datagrams) {
      last = datagrams.error();
      continue;
    }
    server_ = *std::move(server);
    datagrams_ = std::make_unique<net::UdpPort>(*std::move(datagrams));
    address_ = settings_.announced.port != 0 ? settings_.announced : server_->address();
    return ok();
  }
  return last;
}

Status RunningPeer::make_peer() {
  net::DhtNodeOptions node{.place = net::place_of(identity_.public_key())};
  if (is_loopback(settings_.listen)) node.most_requests = node.most_requests_of_one = -1;
  node_ = std::make_unique<net::DhtNode>(network_, node, *datagrams_, present());
  net::AskerOptions asker{.sign = !settings_.allowed.empty()};
  asker_ = std::make_unique<net::HttpAsker>(
      asker, network_, identity_,
      [this](std::function<void()> task) { posted_.post(std::move(task)); });
  const net::PeerOptions options{.address = address_,
                                 .one_bit = settings_.one_bit,
                                 .publishing = {.per_second = settings_.labels_per_second,
                                                .burst = settings_.labels_per_second},
                                 .allowed = settings_.allowed};
  const net::Shelf& shelf = shared_ != nullptr ? *shared_ : *empty_;
  TWINSIFT_TRY(peer_, net::Peer::make(options, network_, identity_, shelf, *node_, *asker_));
  TWINSIFT_TRY(auto control,
               ControlServer::open(
                   state_.control(),
                   {.command = [this](ControlServer::Client client,
                                      ControlCommand what) { command(client, std::move(what)); },
                    .gone = [this](ControlServer::Client client) { forget(client); }}));
  control_ = std::make_unique<ControlServer>(std::move(control));
  return ok();
}

void RunningPeer::join() {
  for (const net::Address& address : settings_.join) node_->join(address);
  for (const net::Address& address : known_.nodes) node_->join(address);
  known_.listened = server_->address();
  save_now();
  next_save_ = present().seconds + kFirstSave;
}

void RunningPeer::wait(double until) {
  std::vector<pollfd> polled = {{.fd = datagrams_->fd(), .events = POLLIN, .revents = 0},
                                {.fd = posted_.fd(), .events = POLLIN, .revents = 0}};
  control_->add_to(polled);
  const double left = std::clamp(until - present().seconds, 0.0, 1.0);
  ::poll(polled.data(), polled.size(), static_cast<int>(std::ceil(left * 1000)));
}

void RunningPeer::receive_datagrams(const net::Moment& now) {
  for (std::size_t i = 0; i < kAtOnce; ++i) {
    const auto datagram = datagrams_->receive();
    if (!datagram) return;
    node_->receive(datagram->from, datagram->bytes, now);
  }
}

void RunningPeer::run(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] { posted_.post([this] { stopping_ = true; }); });
  if (shared_ != nullptr) {
    watcher_ = std::jthread([this](const std::stop_token& end) { watch_collection(end); });
  }
  double next = 0;
  while (!stopping_) {
    wait(next);
    const net::Moment now = present();
    receive_datagrams(now);
    posted_.run();
    control_->serve();
    next = peer_->tick(now);
    control_->serve();  // what was found meanwhile
    if (now.seconds >= next_save_) remember_nodes();
  }
  save_now();
}

// Brought to the loop and back, because the peer belongs to it.
Result<std::string> RunningPeer::report_for_others(std::uint64_t version) {
  const auto promise = std::make_shared<std::promise<Result<std::string>>>();
  auto future = promise->get_future();
  posted_.post([this, promise, version] { promise->set_value(peer_->report(version)); });
  while (!stopping_) {
    if (future.wait_for(std::chrono::milliseconds(50)) == std::future_status::ready) {
      return future.get();
    }
  }
  return Error{ErrorCode::kCancelled, "the peer is stopping"};
}

// A collection that cannot be read just now is looked at again later.
void RunningPeer::watch_collection(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  while (!stop.stop_requested()) {
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, stop, kLookEvery, [] { return false; });
    if (stop.stop_requested()) return;
    const auto changed = shared_->refresh();
    if (changed && *changed) posted_.post([this] { peer_->shelf_changed(); });
  }
}

void RunningPeer::remember_nodes() {
  next_save_ = present().seconds + kSaveEvery;
  node_->nearest(node_->place(), [this](const net::LookupEnd& end) {
    if (end.nearest.empty()) return;  // better those of before
    known_.nodes.clear();
    for (const net::DhtContact& contact : end.nearest) known_.nodes.push_back(contact.address);
    save_now();
  });
}

void RunningPeer::save_now() const {
  // A full disk costs the memory of who was known, and nothing else.
  [[maybe_unused]] const Status saved = state_.save(known_);
}

void RunningPeer::command(ControlServer::Client client, ControlCommand command) {
  if (auto* asking = std::get_if<AskCommand>(&command)) return ask(client, std::move(*asking));
  if (std::holds_alternative<StatusCommand>(command)) return control_->send(client, status_json());
  if (std::holds_alternative<PublishCommand>(command)) {
    // What cannot be read just now is looked at again by the watcher.
    const auto changed = shared_ == nullptr ? Result<bool>(false) : shared_->refresh();
    if (changed && *changed) peer_->shelf_changed();
    peer_->publish_again();
  } else {
    stopping_ = true;
  }
  control_->send(client, done_line());
}

void RunningPeer::ask(ControlServer::Client client, AskCommand command) {
  const std::uint64_t number = command.number;
  if (asked_.count(client) >= kMostAsked) {
    return control_->send(client, error_line("too many questions at once"));
  }
  const auto id = std::make_shared<net::QuestionId>(0);
  *id = peer_->ask(
      std::move(command.question),
      [this, client, number](const net::Answer& answer) {
        control_->send(client, answer_line(number, answer));
      },
      [this, client, number, id](const net::QuestionReport& report) {
        control_->send(client, report_line(number, report));
        const auto [begin, end] = asked_.equal_range(client);
        const auto found =
            std::find_if(begin, end, [&](const auto& asked) { return asked.second == *id; });
        if (found != end) asked_.erase(found);
      });
  asked_.emplace(client, *id);
}

// Whoever does not listen any more need not be answered.
void RunningPeer::forget(ControlServer::Client client) {
  std::vector<net::QuestionId> questions;
  const auto [begin, end] = asked_.equal_range(client);
  for (auto at = begin; at != end; ++at) questions.push_back(at->second);
  asked_.erase(client);
  for (const net::QuestionId question : questions) peer_->cancel(question);
}

}  // namespace twinsift::cli
