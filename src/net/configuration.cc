// SPDX-License-Identifier: Apache-2.0
#include "net/configuration.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/sha256.h"
#include "net/byte_text.h"
#include "net/crowd.h"

namespace twinsift::net {
namespace {

constexpr double kMostKeys = 32;  // of one label, on average, that a question may have to follow

Error corrupt(std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("a configuration {}", what)};
}

std::string signed_text(std::string_view body, const DhtKey& key) {
  std::string text = "twinsift configuration 1";
  put_bytes(key, text);
  text += body;
  return text;
}

void put_real(double number, std::string& out) {
  put_number(std::bit_cast<std::uint64_t>(number), out);
}

Result<Configuration> peek(std::string_view bytes) {
  if (bytes.size() != kConfigurationBytes) return corrupt("has the wrong size");
  ByteReader reader(bytes);
  if (reader.number<std::uint8_t>() != kConfigurationKind) return corrupt("is of an unknown kind");
  Configuration read;
  read.version = reader.number<std::uint64_t>();
  read.shape.width = reader.number<std::uint32_t>();
  read.shape.hashes = reader.number<std::uint32_t>();
  read.shape.labels = reader.number<std::uint32_t>();
  read.least_agreeing = reader.number<std::uint32_t>();
  read.load = {reader.real(), reader.real(), reader.real(), reader.real()};
  read.signer = reader.bytes<PublicKey>();
  return read;
}

bool has_good_sizes(const Configuration& configuration) {
  const LabelShape& shape = configuration.shape;
  const PondLoad& load = configuration.load;
  const std::array loads = {load.peers, load.resources_per_peer, load.searches,
                            load.duplicates_per_search};
  return shape.width >= 1 && shape.width <= 64 && shape.hashes >= 1 && shape.hashes <= kMaxHashes &&
         shape.labels >= 1 && shape.labels <= kMostLabels &&
         configuration.least_agreeing <= kSketchBits &&
         std::ranges::all_of(loads, [](double x) { return std::isfinite(x) && x >= 0; });
}

}  // namespace

std::uint64_t Configuration::id() const {
  return seed_key(shape.width, std::uint64_t{shape.labels} << 32U | shape.hashes);
}

LabelChoice label_choice(bool one_bit) {
  // One request and one answer, whether what is shown is similar or not.
  LabelChoice choice{.bucket = kMostEntries, .crowd = kCrowd, .stranger = 2};
  if (one_bit) {
    choice.widths = {1};
    choice.sketch = false;
  }
  return choice;
}

Result<Configuration> first_configuration(const PondGoal& goal, bool one_bit) {
  const PondLoad load{
      .peers = 1000, .resources_per_peer = 100, .searches = 1e4, .duplicates_per_search = 1};
  const LabelChoice choice = label_choice(one_bit);
  TWINSIFT_TRY(const LabelPlan plan,
               choose_label_plan(load, goal, zipf_similarities(3.5, 100), choice));
  if (plan.shape.labels > kMostLabels) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("a similarity of {} with a recall of {} takes {} labels, and a network "
                    "allows {}: ask for less recall or more similarity",
                    goal.similarity, goal.recall, plan.shape.labels, kMostLabels)};
  }
  if (plan.most_keys > kMostKeys) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("a similarity of {} with a recall of {} takes labels that too many "
                             "share: ask for less recall or more similarity",
                             goal.similarity, goal.recall)};
  }
  return Configuration{
      .version = 0, .shape = plan.shape, .least_agreeing = plan.least_agreeing, .load = load};
}

std::string seal(const Configuration& configuration, const DhtKey& key, const Identity& identity) {
  assert(configuration.signer == identity.public_key());
  std::string body;
  put_number(kConfigurationKind, body);
  put_number(configuration.version, body);
  put_number(configuration.shape.width, body);
  put_number(configuration.shape.hashes, body);
  put_number(configuration.shape.labels, body);
  put_number(configuration.least_agreeing, body);
  put_real(configuration.load.peers, body);
  put_real(configuration.load.resources_per_peer, body);
  put_real(configuration.load.searches, body);
  put_real(configuration.load.duplicates_per_search, body);
  put_bytes(configuration.signer, body);
  put_bytes(identity.sign(signed_text(body, key)), body);
  assert(body.size() == kConfigurationBytes);
  return body;
}

std::uint64_t configuration_id(const Configuration& configuration) {
  std::string text = "twinsift configuration id 1";
  put_bytes(configuration.signer, text);
  put_number(configuration.version, text);
  const std::string digest = sha256(text);
  return std::max<std::uint64_t>(ByteReader(digest).number<std::uint64_t>(), 1);
}

Status check_configuration(std::string_view bytes, const DhtKey& key, std::uint64_t id) {
  TWINSIFT_TRY(const Configuration read, peek(bytes));
  if (!has_good_sizes(read)) return corrupt("asks for too much");
  if (configuration_id(read) != id) return corrupt("stands in the place of another");
  const std::string_view body = bytes.substr(0, kConfigurationBytes - sizeof(Signature));
  const auto signature = ByteReader(bytes.substr(body.size())).bytes<Signature>();
  if (!verify(read.signer, signed_text(body, key), signature)) return corrupt("is forged");
  return ok();
}

Result<Configuration> open_configuration(std::string_view bytes, const Network& network,
                                         std::uint64_t version, std::uint64_t id) {
  TWINSIFT_TRY(const Configuration read, peek(bytes));
  if (read.version != version) return corrupt("is of another time");
  TWINSIFT_TRY([[maybe_unused]] const auto checked,
               check_configuration(bytes, network.configuration_key(version), id));
  const PondGoal& goal = network.options().goal;
  if (label_found(read.shape, read.least_agreeing, goal.similarity) < goal.recall) {
    return corrupt("breaks the promise of the network");
  }
  return read;
}

bool wins(const Network& network, const Configuration& a, const Configuration& b) {
  if (a.version != b.version) return a.version > b.version;
  const DhtKey place = network.election_key(a.version);
  return is_nearer(place, place_of(a.signer), place_of(b.signer));
}

}  // namespace twinsift::net
