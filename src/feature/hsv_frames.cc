// SPDX-License-Identifier: Apache-2.0
#include "feature/hsv_frames.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/hash.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kHues = 16;
constexpr std::uint32_t kSaturations = 4;
constexpr std::uint32_t kValues = 4;
static_assert(kHues * kSaturations * kValues == kHsvBins);
constexpr std::uint32_t kMostBins = 8;  // as many indices as fit into an id

// All in whole numbers, so that no border depends on rounding.
std::uint32_t bin_of(std::int32_t red, std::int32_t green, std::int32_t blue) {
  const std::int32_t value = std::max({red, green, blue});
  const std::int32_t chroma = value - std::min({red, green, blue});
  std::int32_t hue = 0;  // of 16
  if (chroma > 0) {
    // A sixth of the circle is `chroma` wide.
    std::int32_t angle = 0;
    if (value == red) {
      angle = green - blue + (green < blue ? 6 * chroma : 0);
    } else if (value == green) {
      angle = blue - red + 2 * chroma;
    } else {
      angle = red - green + 4 * chroma;
    }
    hue = 16 * angle / (6 * chroma);
  }
  const std::int32_t saturation = value == 0 ? 0 : std::min(3, 4 * chroma / value);
  return static_cast<std::uint32_t>((hue * 4 + saturation) * 4 + value / 64);
}

bool sensible(const HsvOptions& options) {
  return options.bins >= 1 && options.bins <= kMostBins && options.key_distance >= 0 &&
         options.key_distance <= options.cut_distance && options.cut_distance <= 1;
}

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

bool read_item(std::string_view item, HsvOptions& options) {
  const std::size_t equals = std::min(item.find('='), item.size());
  const std::string_view key = item.substr(0, equals);
  const std::string_view value = item.substr(std::min(equals + 1, item.size()));
  if (key == "m") return read_number(value, options.bins);
  if (key == "tau") return read_number(value, options.key_distance);
  if (key == "tau2") return read_number(value, options.cut_distance);
  return false;
}

void insert(TokenSet& set, std::uint64_t id) {
  const auto place = std::ranges::lower_bound(set, id);
  if (place == set.end() || *place != id) set.insert(place, id);
}

}  // namespace

Result<HsvOptions> parse_hsv_spec(std::string_view spec) {
  constexpr std::string_view kName = "hsv1";
  HsvOptions options;
  bool good = spec.starts_with(kName);
  std::string_view rest = spec.substr(good ? kName.size() : spec.size());
  for (char separator = ':'; good && !rest.empty(); separator = ',') {
    const std::size_t end = std::min(rest.find(',', 1), rest.size());
    good = rest.front() == separator && read_item(rest.substr(1, end - 1), options);
    rest.remove_prefix(end);
  }
  if (!good || !sensible(options)) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("\"{}\" is no spec of key frames: write hsv1:m=5,tau=0.3,tau2=0.5 with "
                    "m from 1 to 8 and 0 <= tau <= tau2 <= 1",
                    spec)};
  }
  return options;
}

std::string hsv_spec(const HsvOptions& options) {
  return fmt::format("hsv1:m={},tau={},tau2={}", options.bins, options.key_distance,
                     options.cut_distance);
}

HsvHistogram hsv_histogram(const RgbPixels& frame) {
  const std::size_t pixels = std::size_t{frame.width} * frame.height;
  assert(pixels > 0 && frame.bytes.size() == 3 * pixels);
  std::array<std::uint32_t, kHsvBins> counts{};
  for (std::size_t i = 0; i < 3 * pixels; i += 3) {
    ++counts[bin_of(frame.bytes[i], frame.bytes[i + 1], frame.bytes[i + 2])];
  }
  HsvHistogram histogram;
  std::ranges::transform(counts, histogram.begin(), [&](std::uint32_t count) {
    return static_cast<float>(static_cast<double>(count) / static_cast<double>(pixels));
  });
  return histogram;
}

double hsv_distance(const HsvHistogram& a, const HsvHistogram& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(double{a[i]} - double{b[i]});
  return sum / 2;
}

std::uint64_t hsv_fingerprint(const HsvHistogram& histogram, std::uint32_t bins) {
  assert(bins > 0 && bins <= kMostBins);
  std::array<std::uint32_t, kHsvBins> order;
  std::iota(order.begin(), order.end(), 0U);
  std::partial_sort(order.begin(), order.begin() + bins, order.end(), [&](auto a, auto b) {
    return histogram[a] != histogram[b] ? histogram[a] > histogram[b] : a < b;
  });
  std::sort(order.begin(), order.begin() + bins);
  std::uint64_t indices = 0;
  std::uint64_t taken = 0;
  for (std::uint32_t i = 0; i < bins; ++i) {
    if (histogram[order[i]] == 0) continue;
    indices = indices << 8U | order[i];
    ++taken;
  }
  return permute64(indices, taken);
}

HsvKeyFrames::HsvKeyFrames(const HsvOptions& options) : options_(options) {
  assert(sensible(options));
}

void HsvKeyFrames::add(double seconds, const RgbPixels& frame) {
  const HsvHistogram histogram = hsv_histogram(frame);
  const bool cut = segments_.empty() || hsv_distance(histogram, first_) > options_.cut_distance;
  if (cut) {
    if (!segments_.empty()) segments_.back().end = seconds;
    segments_.push_back(
        {.begin = segments_.empty() ? 0 : seconds, .end = seconds, .fingerprints = {}});
    first_ = histogram;
  }
  if (!cut && hsv_distance(histogram, key_) <= options_.key_distance) return;
  key_ = histogram;
  insert(segments_.back().fingerprints, hsv_fingerprint(histogram, options_.bins));
}

std::vector<HsvSegment> HsvKeyFrames::segments(double film_seconds) const {
  std::vector<HsvSegment> all = segments_;
  if (!all.empty()) all.back().end = std::max(film_seconds, all.back().begin);
  return all;
}

TokenSet HsvKeyFrames::fingerprints() const {
  TokenSet set;
  for (const HsvSegment& segment : segments_) {
    for (const std::uint64_t id : segment.fingerprints) insert(set, id);
  }
  return set;
}

}  // namespace twinsift
