// SPDX-License-Identifier: Apache-2.0
// twinsift peer publish, status and stop
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/json_object.h"
#include "commands.h"
#include "control_client.h"
#include "output.h"
#include "peer_commands.h"
#include "peer_settings.h"
#include "report/facts.h"
#include "signals.h"
#include "state_folder.h"

namespace twinsift::cli {
namespace {

using Reader = ::twinsift::JsonObject;

Result<ControlReply> command_peer(const Arguments& args, const ControlCommand& command,
                                  const std::stop_token& stop) {
  TWINSIFT_TRY(ControlClient client, ControlClient::connect(state_path(args) + "/control"));
  TWINSIFT_TRY([[maybe_unused]] const auto sent, client.send(command));
  return client.receive(stop);
}

Result<std::string> as_text(const std::string& json) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  if (parser.parse(json).get(element) != simdjson::SUCCESS) {
    return Error{ErrorCode::kCorrupt, "the peer's status is no JSON"};
  }
  TWINSIFT_TRY(const Reader status, Reader::make(element, "status"));
  TWINSIFT_TRY(const Reader node, status.object("node"));
  TWINSIFT_TRY(const Reader shape, status.object("configuration"));
  TWINSIFT_TRY(const std::string address, status.text("address"));
  TWINSIFT_TRY(const std::string key, status.text("key"));
  TWINSIFT_TRY(const std::string network, status.text("network"));
  TWINSIFT_TRY(const bool closed, status.flag("closed"));
  TWINSIFT_TRY(const double threshold, status.share("threshold"));
  TWINSIFT_TRY(const double recall, status.share("recall"));
  TWINSIFT_TRY(const double peers, status.number("peers"));
  TWINSIFT_TRY(const std::uint64_t nodes, node.count("good_nodes"));
  TWINSIFT_TRY(const std::uint64_t stored, node.count("stored_values"));
  TWINSIFT_TRY(const std::uint64_t resources, status.count("resources"));
  TWINSIFT_TRY(const std::uint64_t labels, status.count("labels"));
  TWINSIFT_TRY(const std::uint64_t waiting, status.count("labels_waiting"));
  TWINSIFT_TRY(const std::uint64_t bits, shape.count("bits"));
  TWINSIFT_TRY(const std::uint64_t hashes, shape.count("hashes"));
  TWINSIFT_TRY(const std::uint64_t tables, shape.count("labels"));
  return fmt::format(
      "address      {}\nkey          {}\nnetwork      {}{}\npromise      found at {} with "
      "probability {}\npeers        {}, {} of them answer\nshared       {}\nlabels       {} to "
      "publish, {} of them wait\nshape        {} labels of {} hashes of {} bits\nstored       {} "
      "entries of others\n",
      address, key, escape_for_terminal(network), closed ? " (closed)" : "", threshold, recall,
      peers < 1 ? "not counted yet" : "about " + human_count(static_cast<std::uint64_t>(peers)),
      human_count(nodes), counted(resources, "set"), human_count(labels), human_count(waiting),
      tables, hashes, bits, human_count(stored));
}

}  // namespace

int peer_publish(const Arguments& args, Console& console) {
  const SignalWatch signals([] {});
  const auto reply = command_peer(args, PublishCommand{}, signals.token());
  if (!reply) return fail(console, reply.error());
  console.note("everything is published again, at the pace of --rate");
  return kDone;
}

int peer_stop(const Arguments& args, Console& console) {
  const SignalWatch signals([] {});
  const std::string folder = state_path(args);
  auto client = ControlClient::connect(folder + "/control");
  if (!client) return fail(console, client.error());
  if (const Status sent = client->send(StopCommand{}); !sent) return fail(console, sent.error());
  // It is over when the folder is free again.
  for (;;) {
    auto state = StateFolder::open(folder);
    if (!state) return fail(console, state.error());
    if (state->lock()) return kDone;
    if (signals.token().stop_requested()) {
      return fail(console, {ErrorCode::kCancelled, "interrupted"});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

int peer_status(const Arguments& args, Console& console) {
  const SignalWatch signals([] {});
  const auto reply = command_peer(args, StatusCommand{}, signals.token());
  if (!reply) return fail(console, reply.error());
  const auto* status = std::get_if<StatusLine>(&*reply);
  if (status == nullptr) return fail(console, {ErrorCode::kCorrupt, "the peer told no status"});
  const auto text = args.text("format", "text") == "text"
                        ? as_text(status->json)
                        : Result<std::string>(status->json + "\n");
  if (!text) return fail(console, text.error());
  auto output = Output::open("-");
  if (!output) return fail(console, output.error());
  output->write(*text);
  const Status written = output->finish();
  return written ? kDone : fail(console, written.error());
}

}  // namespace twinsift::cli
