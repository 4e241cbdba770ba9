// SPDX-License-Identifier: Apache-2.0
#include "peer_settings.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/fd.h"
#include "commands.h"
#include "net/socket_address.h"

namespace twinsift::cli {
namespace {

constexpr std::size_t kMostSecret = 4096;
constexpr std::int64_t kShortestPeriod = 5;         // seconds
constexpr std::int64_t kLongestPeriod = 7 * 86400;  // so that entries still fit their 32 bits
constexpr int kLivesLonger = 3;                     // periods

Error usage(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Result<net::Address> address_of(const Arguments& args, std::string_view option,
                                std::string_view otherwise) {
  const std::string text = args.text(option, otherwise);
  auto address = net::parse_address(text);
  if (address) return address;
  return usage(fmt::format("--{}: '{}' is no address, such as 127.0.0.1:4222 or [::1]:4222", option,
                           escape_for_terminal(text)));
}

// HOST:PORT, where HOST may be a name.
Result<net::Address> looked_up(const std::string& text) {
  if (auto address = net::parse_address(text); address && address->port != 0) return address;
  const std::size_t colon = text.rfind(':');
  const Error wrong =
      usage(fmt::format("--join: '{}' is no HOST:PORT of a peer", escape_for_terminal(text)));
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) return wrong;
  const std::string port = text.substr(colon + 1);
  if (port.find_first_not_of("0123456789") != std::string::npos) return wrong;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(text.substr(0, colon).c_str(), port.c_str(), &hints, &found);
  if (error != 0) {
    return Error{ErrorCode::kIo,
                 fmt::format("--join: {}: {}", escape_for_terminal(text), ::gai_strerror(error))};
  }
  sockaddr_storage storage{};
  std::memcpy(&storage, found->ai_addr, found->ai_addrlen);
  ::freeaddrinfo(found);
  const net::Address address = net::address_of(storage);
  if (address.port == 0) return wrong;
  return address;
}

// As careful as with a key: whoever can read the secret is a member.
Result<std::string> read_secret(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return errno_error(path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return errno_error(path, errno);
  if (!S_ISREG(info.st_mode)) {
    return Error{ErrorCode::kIo, path + ": a secret must be in a regular file"};
  }
  if ((info.st_mode & 077U) != 0) {
    return Error{ErrorCode::kIo,
                 path +
                     ": others can read this secret; run 'chmod 600' on it, and use another "
                     "secret if they may have"};
  }
  std::string secret(kMostSecret + 1, '\0');
  const ssize_t count = ::read(file.get(), secret.data(), secret.size());
  if (count < 0) return errno_error(path, errno);
  secret.resize(static_cast<std::size_t>(count));
  while (secret.ends_with('\n') || secret.ends_with('\r')) secret.pop_back();
  if (secret.empty() || secret.size() > kMostSecret) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{}: a secret has 1 to {} bytes", path, kMostSecret)};
  }
  return secret;
}

Result<net::NetworkOptions> network_options(const Arguments& args) {
  net::NetworkOptions options;
  options.name = args.text("network", options.name);
  if (options.name.empty()) return usage("--network: a network has a name");
  options.goal.similarity = args.share("threshold", options.goal.similarity);
  options.goal.recall = args.share("recall", options.goal.recall);
  const std::int64_t period = args.age("period", options.period.count());
  if (period < kShortestPeriod || period > kLongestPeriod) {
    return usage("--period: must be between 5s and 7d");
  }
  options.period = std::chrono::seconds(period);
  options.lifetime = kLivesLonger * options.period;
  if (args.given("secret-file")) {
    TWINSIFT_TRY(options.secret, read_secret(args.text("secret-file", "")));
  }
  return options;
}

bool is_any(const net::Address& address) {
  const auto begin = address.ip.begin() + (net::is_ipv4(address) ? 12 : 0);
  return std::all_of(begin, address.ip.end(), [](std::uint8_t byte) { return byte == 0; });
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? "" : value;
}

}  // namespace

std::string state_path(const Arguments& args) {
  if (args.given("state")) return args.text("state", "");
  if (const std::string state = variable("XDG_STATE_HOME"); state.starts_with('/')) {
    return state + "/twinsift/peer";
  }
  const std::string home = variable("HOME");
  return home.starts_with('/') ? home + "/.local/state/twinsift/peer" : "";
}

Result<PeerSettings> peer_settings(const Arguments& args) {
  PeerSettings settings;
  TWINSIFT_TRY(settings.network, network_options(args));
  settings.one_bit = args.text("labels", "wide") == "pond1";
  TWINSIFT_TRY(settings.listen, address_of(args, "listen", "127.0.0.1:0"));
  TWINSIFT_TRY(settings.announced, address_of(args, "announce", "0.0.0.0:0"));
  if (is_any(settings.listen) && settings.announced.port == 0) {
    return usage(
        "--listen: others cannot come to 0.0.0.0; say with --announce where they find this peer");
  }
  for (const std::string& join : args.list("join")) {
    TWINSIFT_TRY(settings.join.emplace_back(), looked_up(join));
  }
  for (const std::string& key : args.list("allow")) {
    auto parsed = net::parse_public_key(key);
    if (!parsed) return usage("--allow: " + parsed.error().message);
    settings.allowed.push_back(*parsed);
  }
  settings.key = args.text("key", "");
  settings.labels_per_second = args.number("rate", settings.labels_per_second);
  if (settings.labels_per_second < 1) return usage("--rate: at least one label a second");
  settings.background = args.flag("background");
  if (args.flag("share-nothing")) return settings;
  settings.collection =
      args.given("collection") ? args.text("collection", "") : collection_of(args);
  if (settings.collection.empty()) {
    return usage("there is no home folder: name the collection with --collection");
  }
  return settings;
}

}  // namespace twinsift::cli
