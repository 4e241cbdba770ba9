// SPDX-License-Identifier: Apache-2.0
#include "net/peer_report.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "net/byte_text.h"

namespace twinsift::net {
namespace {

constexpr std::uint8_t kKind = 3;
constexpr double kMost = 1e12;  // of anything that is counted
constexpr std::size_t kSetBytes = kShownHashes * 4;
constexpr std::size_t kFrontBytes = 1 + 3 * 8 + 2;
constexpr std::size_t kBackBytes = sizeof(PublicKey) + sizeof(Signature);
static_assert(kFrontBytes + kMostReportedSets * kSetBytes + kBackBytes <= kMostReportBytes);

Error corrupt(std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("a report {}", what)};
}

std::string signed_text(std::string_view body, const Network& network, std::uint64_t version) {
  std::string text = "twinsift report 1";
  put_bytes(network.election_key(version), text);
  text += body;
  return text;
}

void put_real(double number, std::string& out) {
  put_number(std::bit_cast<std::uint64_t>(number), out);
}

bool is_count(double x) { return std::isfinite(x) && x >= 0 && x <= kMost; }

}  // namespace

std::string seal(const PeerReport& report, const Network& network, std::uint64_t version,
                 const Identity& identity) {
  const std::size_t sets = std::min(report.shown.size(), kMostReportedSets);
  std::string body;
  put_number(kKind, body);
  put_real(report.resources, body);
  put_real(report.searches, body);
  put_real(report.duplicates, body);
  put_number(static_cast<std::uint16_t>(sets), body);
  for (std::size_t i = 0; i < sets; ++i) {
    for (const std::uint32_t hash : report.shown[i]) put_number(hash, body);
  }
  put_bytes(identity.public_key(), body);
  put_bytes(identity.sign(signed_text(body, network, version)), body);
  return body;
}

Result<PeerReport> open_report(std::string_view bytes, const Network& network,
                               std::uint64_t version, const DhtKey& place) {
  if (bytes.size() < kFrontBytes + kBackBytes || bytes.size() > kMostReportBytes) {
    return corrupt("has the wrong size");
  }
  ByteReader reader(bytes);
  if (reader.number<std::uint8_t>() != kKind) return corrupt("is of an unknown kind");
  PeerReport report{.resources = reader.real(), .searches = reader.real()};
  report.duplicates = reader.real();
  const std::size_t sets = reader.number<std::uint16_t>();
  if (sets > kMostReportedSets || bytes.size() != kFrontBytes + sets * kSetBytes + kBackBytes) {
    return corrupt("has the wrong size");
  }
  report.shown.resize(sets);
  for (ShownSet& set : report.shown) {
    for (std::uint32_t& hash : set) hash = reader.number<std::uint32_t>();
  }
  const std::array counts = {report.resources, report.searches, report.duplicates};
  if (!std::ranges::all_of(counts, is_count)) return corrupt("has a number that is none");
  const auto signer = reader.bytes<PublicKey>();
  if (place_of(signer) != place) return corrupt("is of another peer");
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(Signature));
  const auto signature = reader.bytes<Signature>();
  if (!verify(signer, signed_text(body, network, version), signature)) return corrupt("is forged");
  return report;
}

}  // namespace twinsift::net
