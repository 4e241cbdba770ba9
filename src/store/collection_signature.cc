// SPDX-License-Identifier: Apache-2.0
// Asking with a signature instead of a set: codes and keys say who may be alike, and the share of
// equal codes estimates how much.
//
// As text: "sig1;DETECTOR;SKETCH;INDEX;CODES AND KEYS", the last in hexadecimal, keys
// little-endian.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/bits.h"
#include "store/bytes.h"
#include "store/collection_impl.h"

namespace twinsift {
namespace {

constexpr std::string_view kVersion = "sig1";

Error bad(std::string_view what) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("the signature {}: take it as 'query --show-signature' prints it", what)};
}

std::string to_hex(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return out;
}

Result<std::string> from_hex(std::string_view digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (digits.size() % 2 != 0) return bad("has an odd number of digits");
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::size_t high = kDigits.find(digits[i]);
    const std::size_t low = kDigits.find(digits[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) {
      return bad("has a digit that is none");
    }
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

// Codes of 8 bits are equal by chance once in 256 times.
Neighbour estimate(const Digest& digest, std::uint32_t equal, std::size_t codes) {
  constexpr double kChance = 1.0 / 256;
  const double share = static_cast<double>(equal) / static_cast<double>(codes);
  const double spread = std::sqrt(share * (1 - share) / static_cast<double>(codes));
  return {.digest = digest,
          .score = std::max(0.0, (share - kChance) / (1 - kChance)),
          .std_error = spread / (1 - kChance)};
}

}  // namespace

Result<std::string> StoredCollection::signature(SetView set, DetectorId detector) const {
  const std::shared_lock reading(state_);
  const auto shelf = shelves_.find(detector);
  if (shelf == shelves_.end() || !Shelf::takes(set)) return std::string();
  const std::string& spec = known_.detectors.at(detector);
  const Signature made = shelf->second->sign(set);
  std::string bytes(made.codes.begin(), made.codes.end());
  for (const std::uint32_t key : made.keys) twinsift::append(bytes, key);
  return fmt::format("{};{};{};{};{}", kVersion, spec, shelf->second->spec().sketch,
                     shelf->second->spec().index, to_hex(bytes));
}

Result<std::vector<Neighbour>> StoredCollection::search_signature(std::string_view text,
                                                                  const SearchOptions& options,
                                                                  SearchStats& stats) const {
  const bool whole = std::ranges::count(text, ';') == 4;
  std::array<std::string_view, 5> parts;
  for (std::string_view& part : parts) {
    part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  if (parts[0] != kVersion) return bad("has another version");
  if (!whole) return bad("has too few or too many parts");
  TWINSIFT_TRY(const std::string bytes, from_hex(parts[4]));
  const auto detector = this->detector(parts[1]);
  const std::shared_lock reading(state_);
  const auto shelf = detector ? shelves_.find(*detector) : shelves_.end();
  if (shelf == shelves_.end() || shelf->second->spec().sketch != parts[2] ||
      shelf->second->spec().index != parts[3]) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("the collection has nothing that was sketched as the signature was: "
                             "{}, {}, {}",
                             parts[1], parts[2], parts[3])};
  }
  Signature query;
  const std::size_t codes = shelf->second->sketcher().k();
  query.keys.resize(shelf->second->index().tables());
  if (bytes.size() != codes + 4 * query.keys.size()) return bad("is too short or too long");
  query.codes.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(codes));
  for (std::size_t i = 0; i < query.keys.size(); ++i) {
    query.keys[i] = twinsift::load<std::uint32_t>(bytes.data() + codes + 4 * i);
  }
  SearchOptions wanted = options;
  wanted.detector = *detector;
  return estimate_all(*shelf->second, query, wanted, stats);
}

Result<std::vector<Neighbour>> StoredCollection::estimate_all(const Shelf& shelf,
                                                              const Signature& query,
                                                              const SearchOptions& options,
                                                              SearchStats& stats) const {
  stats = {};
  std::vector<Neighbour> found;
  const auto add = [&](const Digest& digest, std::span<const std::uint8_t> codes) {
    const std::uint32_t equal = count_equal(query.codes.data(), codes.data(), codes.size());
    const Neighbour neighbour = estimate(digest, equal, codes.size());
    if (neighbour.score >= options.threshold) found.push_back(neighbour);
  };
  const auto& contents = known_.unsorted.contents();
  for (auto it = contents.lower_bound({options.detector, Digest{}});
       it != contents.end() && it->first.first == options.detector; ++it) {
    if (!Shelf::takes(it->second.features)) continue;
    ++stats.candidates;
    add(it->first.second, shelf.sign(it->second.features).codes);
  }
  TWINSIFT_TRY(const auto plan, shelf.plan(options.threshold));
  std::vector<std::uint32_t> rows;
  std::vector<std::uint8_t> codes;
  for (const auto& segment : segments_) {
    const SegmentSearch search{.segment = segment.get(),
                               .shelf = &shelf,
                               .plan = plan.get(),
                               .query = &query,
                               .recall = options.recall};
    TWINSIFT_TRY([[maybe_unused]] auto done, search_segment(search, rows, stats));
    for (const std::uint32_t row : rows) {
      TWINSIFT_TRY(const ContentPlace place, segment->content_of_row(options.detector, row));
      TWINSIFT_TRY(const bool newest, is_newest(options.detector, place));
      if (!newest) continue;
      codes.clear();
      for (std::size_t plane = 0; plane < shelf.spec().looks.size(); ++plane) {
        TWINSIFT_TRY(const auto more, segment->codes(options.detector, plane, row));
        codes.insert(codes.end(), more.begin(), more.end());
      }
      add(place.digest, codes);
    }
  }
  std::ranges::sort(found, [](const Neighbour& a, const Neighbour& b) {
    return a.score != b.score ? a.score > b.score : a.digest < b.digest;
  });
  if (options.limit != 0 && found.size() > options.limit) found.resize(options.limit);
  return found;
}

}  // namespace twinsift
