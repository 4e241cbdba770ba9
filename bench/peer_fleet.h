// SPDX-License-Identifier: Apache-2.0
// Many real peers on this machine, each a process of its own, with made-up texts to share.
#pragma once

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "base/random.h"
#include "bench/process.h"
#include "control_client.h"
#include "net/content_sets.h"
#include "run/run.h"
#include "twinsift/media.h"

namespace twinsift::bench {

struct FleetOptions {
  std::string program;
  std::size_t peers = 64;
  std::size_t items = 10'000;
  std::uint64_t period = 3600;  // seconds
  double rate = 3;              // labels a second, of each peer
};

// Two hundred words of twenty thousand; with `changes` of them replaced.
inline std::string made_text(std::uint64_t item, std::uint32_t changes, std::uint64_t version) {
  Rng words(item);
  std::vector<std::uint32_t> text(200);
  for (std::uint32_t& word : text) word = words.below(20'000);
  Rng replaced(mix64(item) + version);
  for (std::uint32_t i = 0; i < changes; ++i) {
    text[replaced.below(200)] = 20'000 + replaced.below(20'000);
  }
  std::string out;
  for (const std::uint32_t word : text) out += fmt::format("w{} ", word);
  return out;
}

inline TokenSet set_of(const std::string& text) {
  static const auto media = *make_text_media("words:5");
  const auto seen =
      media->extract({.uri = "text", .bytes = std::as_bytes(std::span(text.data(), text.size()))});
  return (*net::content_sets(media->spec(), view_of(seen->features.front()))).front().set;
}

struct FleetPeer {
  std::string folder;
  std::string key{};
  int pid = 0;
  bool alive = true;
};

class Fleet {
 public:
  static Result<Fleet> start(const FleetOptions& options, const std::string& folder) {
    Fleet fleet(options);
    std::string first;
    for (std::size_t i = 0; i < options.peers; ++i) {
      fleet.peers_.push_back({.folder = fmt::format("{}/{}", folder, i)});
      TWINSIFT_TRY(const std::string address, fleet.start_one(i, first));
      if (first.empty()) first = address;
    }
    return fleet;
  }
  Fleet(Fleet&&) = default;
  Fleet& operator=(Fleet&&) = delete;
  ~Fleet() {
    for (const FleetPeer& peer : peers_) {
      if (peer.alive && peer.pid > 0) ::kill(peer.pid, SIGKILL);
    }
  }

  [[nodiscard]] std::size_t owner_of(std::uint64_t item) const { return item % peers_.size(); }
  [[nodiscard]] const std::vector<FleetPeer>& peers() const { return peers_; }

  void kill(std::size_t i) {
    ::kill(peers_[i].pid, SIGKILL);
    peers_[i].alive = false;
  }

  // A number of the status of one peer.
  [[nodiscard]] double status(std::size_t i, std::string_view name) const {
    auto client = cli::ControlClient::connect(peers_[i].folder + "/state/control");
    if (!client || !client->send(cli::StatusCommand{})) return -1;
    const auto reply = client->receive({});
    const auto* line = reply ? std::get_if<cli::StatusLine>(&*reply) : nullptr;
    simdjson::dom::parser parser;
    double value = -1;
    if (line == nullptr || parser.parse(line->json).at_pointer(name).get(value) != 0) return -1;
    return value;
  }

  void wait_published() const {
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      while (status(i, "/labels_published") < status(i, "/labels") ||
             status(i, "/labels_waiting") > 0) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
      }
    }
  }

 private:
  explicit Fleet(const FleetOptions& options) : options_(options) {}

  Result<std::string> start_one(std::size_t i, const std::string& join) {
    FleetPeer& peer = peers_[i];
    std::filesystem::create_directories(peer.folder);
    {
      std::ofstream corpus(peer.folder + "/corpus.jsonl");
      for (std::uint64_t item = i; item < options_.items; item += options_.peers) {
        corpus << "{\"text\":\"" << made_text(item, 0, 0) << "\"}\n";
      }
    }
    TWINSIFT_TRY(
        [[maybe_unused]] const auto built,
        run_program({options_.program, "index", "build", "--quiet", "--no-config", "--index",
                     peer.folder + "/collection", "--corpus", peer.folder + "/corpus.jsonl"}));
    std::vector<std::string> words = {options_.program, "peer",
                                      "start",          "--background",
                                      "--quiet",        "--no-config",
                                      "--state",        peer.folder + "/state",
                                      "--collection",   peer.folder + "/collection",
                                      "--rate",         fmt::format("{}", options_.rate),
                                      "--period",       fmt::format("{}s", options_.period)};
    if (!join.empty()) words.insert(words.end(), {"--join", join});
    TWINSIFT_TRY([[maybe_unused]] const auto started, run_program(words));
    return describe(peer);
  }

  static Result<std::string> describe(FleetPeer& peer) {
    TWINSIFT_TRY(auto client, cli::ControlClient::connect(peer.folder + "/state/control"));
    TWINSIFT_TRY([[maybe_unused]] const auto sent, client.send(cli::StatusCommand{}));
    TWINSIFT_TRY(const auto reply, client.receive({}));
    simdjson::dom::parser parser;
    const auto status = parser.parse(std::get<cli::StatusLine>(reply).json);
    std::string_view address;
    std::string_view key;
    std::int64_t pid = 0;
    if (status.at_key("address").get(address) != 0 || status.at_key("key").get(key) != 0 ||
        status.at_key("pid").get(pid) != 0) {
      return Error{ErrorCode::kCorrupt, "a status says too little"};
    }
    peer.key = key;
    peer.pid = static_cast<int>(pid);
    return std::string(address);
  }

  FleetOptions options_;
  std::vector<FleetPeer> peers_;
};

}  // namespace twinsift::bench
