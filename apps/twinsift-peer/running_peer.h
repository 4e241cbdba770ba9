// SPDX-License-Identifier: Apache-2.0
// A peer with everything around it: sockets, threads, a clock, and the person's commands.
//
// One thread runs the loop: datagrams, the peer, and the control socket.  HTTP has threads of its
// own on both sides, and one more looks whether the collection has changed; what they have for the
// peer they post to the loop.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "control_server.h"
#include "net/dht_node.h"
#include "net/http_asker.h"
#include "net/network.h"
#include "net/peer.h"
#include "net/peer_identity.h"
#include "net/posted_tasks.h"
#include "net/shared_collection.h"
#include "net/show_server.h"
#include "net/udp_port.h"
#include "peer_settings.h"
#include "state_folder.h"
#include "twinsift/result.h"

namespace twinsift::cli {

class RunningPeer {
 public:
  // Listens, and has joined those who answer.  `shared` may be null.  Requires: the folder lives
  // longer and is locked.
  static Result<std::unique_ptr<RunningPeer>> start(const PeerSettings& settings,
                                                    const net::Identity& identity,
                                                    net::SharedCollection* shared,
                                                    const StateFolder& state);
  ~RunningPeer();
  RunningPeer(const RunningPeer&) = delete;
  RunningPeer& operator=(const RunningPeer&) = delete;

  // Until it is stopped, by the token or by a command.
  void run(const std::stop_token& stop);

  [[nodiscard]] net::Address address() const { return address_; }
  [[nodiscard]] std::string status_json() const;

 private:
  RunningPeer(const PeerSettings& settings, const net::Identity& identity,
              net::SharedCollection* shared, const StateFolder& state);
  Status listen();
  Status make_peer();
  void join();
  void wait(double until);
  void receive_datagrams(const net::Moment& now);
  void command(ControlServer::Client client, ControlCommand command);
  void ask(ControlServer::Client client, AskCommand command);
  void forget(ControlServer::Client client);
  Result<std::string> report_for_others(std::uint64_t version);
  void watch_collection(const std::stop_token& stop);
  void remember_nodes();
  void save_now() const;

  PeerSettings settings_;
  const net::Identity& identity_;
  net::Network network_;
  net::SharedCollection* shared_;
  std::unique_ptr<net::Shelf> empty_;  // if nothing is shared
  const StateFolder& state_;
  KnownNodes known_;
  net::Address address_{};

  net::PostedTasks posted_;
  std::atomic<bool> stopping_ = false;

  std::unique_ptr<net::UdpPort> datagrams_;
  std::unique_ptr<net::DhtNode> node_;
  std::unique_ptr<net::HttpAsker> asker_;
  std::unique_ptr<net::Peer> peer_;
  std::unique_ptr<ControlServer> control_;
  std::multimap<ControlServer::Client, net::QuestionId> asked_;
  double next_save_ = 0;
  std::jthread watcher_;
  std::unique_ptr<net::ShowServer> server_;
};

}  // namespace twinsift::cli
