// SPDX-License-Identifier: Apache-2.0
// What a peer tells of itself.
#include <fmt/format.h>
#include <unistd.h>

#include "json.h"
#include "running_peer.h"

namespace twinsift::cli {
namespace {

std::string configuration_json(const net::Configuration& configuration) {
  return JsonObject()
      .number("version", configuration.version)
      .number("bits", configuration.shape.width)
      .number("hashes", configuration.shape.hashes)
      .number("labels", configuration.shape.labels)
      .number("least_agreeing", configuration.least_agreeing)
      .str();
}

std::string node_json(const net::DhtNodeStatus& node) {
  return JsonObject()
      .number("good_nodes", node.good_nodes)
      .number("known_nodes", node.known_nodes)
      .number("stored_values", node.stored_values)
      .number("refused_values", node.refused_values)
      .number("dropped_messages", node.dropped_messages)
      .str();
}

std::string http_json(const net::ShowStatus& shown, const net::AskerStatus& asked) {
  return JsonObject()
      .number("proofs", shown.proofs)
      .number("shown", shown.shown)
      .number("refused", shown.refused)
      .number("bytes_in", shown.bytes_in)
      .number("bytes_out", shown.bytes_out)
      .number("asked", asked.asked)
      .number("failed", asked.failed)
      .number("skipped", asked.skipped)
      .str();
}

}  // namespace

std::string RunningPeer::status_json() const {
  const net::PeerStatus status = peer_->status();
  JsonArray media;
  if (shared_ != nullptr) {
    for (const std::string& spec : shared_->media()) media.add_text(spec);
  }
  return JsonObject()
      .text("type", "status")
      .number("v", 1)
      .number("pid", static_cast<std::uint64_t>(::getpid()))
      .text("address", net::to_text(address_))
      .text("key", net::to_hex(identity_.public_key()))
      .text("network", settings_.network.name)
      .flag("closed", !settings_.network.secret.empty())
      .share("threshold", settings_.network.goal.similarity)
      .share("recall", settings_.network.goal.recall)
      .number("period", static_cast<std::uint64_t>(settings_.network.period.count()))
      .number("resources", status.resources)
      .number("unreadable", status.unreadable)
      .number("labels", status.labels)
      .number("labels_waiting", status.labels_waiting)
      .number("labels_published", status.labels_published)
      .raw("peers", fmt::format("{:.1f}", status.peers))
      .number("questions", status.questions)
      .number("questions_asked", status.questions_asked)
      .number("configurations_rejected", status.configurations_rejected)
      .raw("configuration", configuration_json(status.configuration))
      .number("configurations", status.configurations)
      .raw("node", node_json(status.node))
      .raw("http", http_json(server_->status(), asker_->status()))
      .raw("media", media.str())
      .str();
}

}  // namespace twinsift::cli
