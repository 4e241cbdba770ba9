// SPDX-License-Identifier: Apache-2.0
// twinsift peer start
#include <ctime>
#include <thread>

#include <fmt/format.h>

#include "background.h"
#include "base/escape.h"
#include "commands.h"
#include "json.h"
#include "net/hello.h"
#include "output.h"
#include "peer_commands.h"
#include "peer_settings.h"
#include "report/facts.h"
#include "running_peer.h"
#include "signals.h"
#include "state_folder.h"

namespace twinsift::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kHelloTime{2000};  // for one that is asked
constexpr milliseconds kJoinTime{8000};   // until somebody must have answered
constexpr milliseconds kTryAgain{250};

Error usage_error(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Result<std::unique_ptr<net::SharedCollection>> open_collection(const std::string& path) {
  std::unique_ptr<net::SharedCollection> shared;
  if (path.empty()) return shared;
  TWINSIFT_TRY(shared, net::SharedCollection::open(path));
  TWINSIFT_TRY(const auto resources, shared->resources());
  if (resources.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: the collection has no items to share; run 'twinsift index add' "
                             "first, or start with --share-nothing",
                             path)};
  }
  return shared;
}

std::string list_of(const std::vector<net::Address>& addresses) {
  std::string text;
  for (const net::Address& address : addresses) {
    text += (text.empty() ? "" : ", ") + net::to_text(address);
  }
  return text;
}

// Asks those who are to be joined whether they can be, until one answers.
Status check_network(const PeerSettings& settings, const net::Identity& identity,
                     const KnownNodes& known, const std::stop_token& stop, Console& console) {
  std::vector<net::Address> addresses = settings.join;
  addresses.insert(addresses.end(), known.nodes.begin(), known.nodes.end());
  if (addresses.empty()) return ok();
  const net::Network network(settings.network);
  const auto end = steady_clock::now() + kJoinTime;
  do {
    for (const net::Address& address : addresses) {
      if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "interrupted"};
      const auto other = net::ask_hello(address, steady_clock::now() + kHelloTime);
      if (!other) continue;
      const net::Hello mine =
          net::hello_of(network, identity.public_key(), settings.one_bit, std::time(nullptr));
      TWINSIFT_TRY([[maybe_unused]] const auto fits, net::check_hello(mine, *other, address));
      const std::string note = net::clock_note(mine, *other, address);
      if (!note.empty()) console.note(note);
      return ok();
    }
    if (settings.join.empty()) return ok();  // the first of a network that rises again
    std::this_thread::sleep_for(kTryAgain);
  } while (steady_clock::now() < end);
  return Error{ErrorCode::kIo,
               fmt::format("no peer answers at {}: is one running there, and can it be reached?",
                           list_of(settings.join))};
}

Status tell(const Arguments& args, const RunningPeer& peer, const net::Identity& identity) {
  TWINSIFT_TRY(Output output, Output::open("-"));
  const std::string address = net::to_text(peer.address());
  const std::string key = net::to_hex(identity.public_key());
  output.write(args.text("format", "text") == "text"
                   ? fmt::format("address  {}\nkey      {}\n", address, key)
                   : JsonObject()
                             .text("type", "start")
                             .number("v", 1)
                             .text("address", address)
                             .text("key", key)
                             .str() +
                         "\n");
  return output.finish();
}

Status run_peer_until_stopped(const Arguments& args, const PeerSettings& settings,
                              StateFolder& state, Background& background, Console& console) {
  TWINSIFT_TRY([[maybe_unused]] const auto locked, state.lock());
  TWINSIFT_TRY(const net::Identity identity,
               net::Identity::load_or_create(settings.key.empty() ? state.key() : settings.key));
  TWINSIFT_TRY(const auto shared, open_collection(settings.collection));
  const SignalWatch signals([] {});
  TWINSIFT_TRY([[maybe_unused]] const auto fits,
               check_network(settings, identity, state.nodes(), signals.token(), console));
  TWINSIFT_TRY(const auto peer, RunningPeer::start(settings, identity, shared.get(), state));
  TWINSIFT_TRY([[maybe_unused]] const auto told, tell(args, *peer, identity));
  TWINSIFT_TRY([[maybe_unused]] const auto let_go, background.ready(state.log()));
  peer->run(signals.token());
  return ok();
}

}  // namespace

int peer_start(const Arguments& args, Console& console) {
  const std::string folder = state_path(args);
  if (folder.empty()) {
    return fail(console,
                usage_error("there is no home folder: name one for the peer with --state"));
  }
  const auto settings = peer_settings(args);
  if (!settings) return fail(console, settings.error());
  auto state = StateFolder::open(folder);
  if (!state) return fail(console, state.error());
  auto background = Background::begin(settings->background);
  if (!background) return fail(console, background.error());
  if (const auto status = background->parent_status()) return *status;
  const Status ended = run_peer_until_stopped(args, *settings, *state, *background, console);
  return ended ? kDone : fail_collection(console, ended.error(), settings->collection);
}

}  // namespace twinsift::cli
