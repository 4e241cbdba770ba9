// SPDX-License-Identifier: Apache-2.0
#include "net/hello.h"

#include <bit>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "net/byte_text.h"
#include "net/http_get.h"
#include "net/show_protocol.h"

namespace twinsift::net {
namespace {

constexpr std::uint32_t kKind = 0x31485754;  // "TWH1"
constexpr std::int64_t kWorthSaying = 300;   // seconds between two clocks

std::string apart(std::int64_t mine, std::int64_t other) {
  const std::int64_t seconds = std::abs(mine - other);
  const std::string amount = seconds < 2 * 86400 ? fmt::format("{} minutes", (seconds + 30) / 60)
                                                 : fmt::format("{} days", seconds / 86400);
  return fmt::format("{} {}", amount, mine < other ? "behind" : "ahead of");
}

Error differs(const Address& address, std::string_view what) {
  return {ErrorCode::kInvalidArgument, fmt::format("the peer at {} {}", to_text(address), what)};
}

}  // namespace

Hello hello_of(const Network& network, const PublicKey& key, bool one_bit, std::int64_t now) {
  const NetworkOptions& options = network.options();
  return {.dht_id = network.dht_id(),
          .unix_seconds = now,
          .similarity = options.goal.similarity,
          .recall = options.goal.recall,
          .period = static_cast<std::uint32_t>(options.period.count()),
          .lifetime = static_cast<std::uint32_t>(options.lifetime.count()),
          .one_bit = one_bit,
          .key = key};
}

std::string encode(const Hello& hello) {
  std::string out;
  put_number(kKind, out);
  put_number(hello.dht_id, out);
  put_number(hello.unix_seconds, out);
  put_number(std::bit_cast<std::uint64_t>(hello.similarity), out);
  put_number(std::bit_cast<std::uint64_t>(hello.recall), out);
  put_number(hello.period, out);
  put_number(hello.lifetime, out);
  put_number(static_cast<std::uint8_t>(hello.one_bit ? 1 : 0), out);
  put_bytes(hello.key, out);
  return out;
}

Result<Hello> decode_hello(std::string_view bytes) {
  ByteReader reader(bytes);
  const auto kind = reader.number<std::uint32_t>();
  Hello hello;
  hello.dht_id = reader.number<std::uint32_t>();
  hello.unix_seconds = reader.number<std::int64_t>();
  hello.similarity = reader.real();
  hello.recall = reader.real();
  hello.period = reader.number<std::uint32_t>();
  hello.lifetime = reader.number<std::uint32_t>();
  const auto one_bit = reader.number<std::uint8_t>();
  hello.one_bit = one_bit == 1;
  hello.key = reader.bytes<PublicKey>();
  constexpr std::int64_t kLatest = std::int64_t{1} << 32U;
  const bool numbers = std::isfinite(hello.similarity) && std::isfinite(hello.recall) &&
                       hello.unix_seconds >= 0 && hello.unix_seconds < kLatest && one_bit <= 1;
  if (!reader.at_end() || kind != kKind || !numbers) {
    return Error{ErrorCode::kCorrupt, "this is no peer of twinsift"};
  }
  return hello;
}

Result<Hello> ask_hello(const Address& address, Deadline deadline) {
  TWINSIFT_TRY(DeadlineSocket socket, DeadlineSocket::connect(address, deadline));
  TWINSIFT_TRY(const HttpAnswer answer,
               http_get(socket, address, target_of(HelloRequest{}), kHelloBytes));
  if (answer.status != 200) {
    return Error{ErrorCode::kIo, fmt::format("HTTP status {}", answer.status)};
  }
  return decode_hello(answer.body);
}

Status check_hello(const Hello& mine, const Hello& other, const Address& address) {
  if (other.dht_id != mine.dht_id) {
    return differs(address,
                   "belongs to another network: --network, --secret-file and the version of the "
                   "program must be the same for all its peers");
  }
  if (other.similarity != mine.similarity || other.recall != mine.recall) {
    return differs(address, fmt::format("promises other things: start with --threshold {} "
                                        "--recall {}",
                                        other.similarity, other.recall));
  }
  if (other.period != mine.period || other.lifetime != mine.lifetime) {
    return differs(address,
                   fmt::format("publishes at another pace: start with --period {}s", other.period));
  }
  if (other.one_bit != mine.one_bit) {
    return differs(address, fmt::format("uses other labels: start with --labels {}",
                                        other.one_bit ? "pond1" : "wide"));
  }
  if (other.key == mine.key) {
    return differs(address, "has the key of this one: each peer needs a key of its own");
  }
  if (std::abs(mine.unix_seconds - other.unix_seconds) > kClockSkew.count()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the clock of this machine is {} that of {}, more than the {} minutes "
                             "that peers allow: set the clock",
                             apart(mine.unix_seconds, other.unix_seconds), to_text(address),
                             kClockSkew.count() / 60)};
  }
  return ok();
}

std::string clock_note(const Hello& mine, const Hello& other, const Address& address) {
  if (std::abs(mine.unix_seconds - other.unix_seconds) < kWorthSaying) return {};
  return fmt::format(
      "the clock of this machine is {} that of {}; peers allow {} minutes, but one of the two "
      "should be set",
      apart(mine.unix_seconds, other.unix_seconds), to_text(address), kClockSkew.count() / 60);
}

}  // namespace twinsift::net
