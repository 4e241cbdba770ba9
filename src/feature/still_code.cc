// SPDX-License-Identifier: Apache-2.0
#include "feature/still_code.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/bit_model.h"

namespace twinsift {
namespace {

constexpr std::size_t kEdge = 8;  // of a cube
constexpr std::size_t kPlane = kEdge * kEdge;
constexpr std::size_t kAcross = kSmallSide / kEdge;
using Cube = std::array<std::int32_t, kPlane * kEdge>;  // time, row, column

// Rows of the cosine transform of eight numbers, each of length 2^kScale but for rounding.
constexpr int kScale = 10;
constexpr std::array<std::array<std::int32_t, kEdge>, kEdge> kCosines = {{
    {362, 362, 362, 362, 362, 362, 362, 362},
    {502, 426, 284, 100, -100, -284, -426, -502},
    {473, 196, -196, -473, -473, -196, 196, 473},
    {426, -100, -502, -284, 284, 502, 100, -426},
    {362, -362, -362, 362, 362, -362, -362, 362},
    {284, -502, 100, 426, -426, -100, 502, -284},
    {196, -473, 473, -196, -196, 473, -473, 196},
    {100, -284, 426, -502, 502, -426, 284, -100},
}};

std::int32_t rounded(std::int32_t sum) { return (sum + (1 << (kScale - 1))) >> kScale; }

// Along one axis, whose neighbours lie `stride` apart, forth or back.
void transform(Cube& cube, std::size_t stride, bool back) {
  for (std::size_t i = 0; i < cube.size(); ++i) {
    if (i / stride % kEdge != 0) continue;
    std::array<std::int32_t, kEdge> in{};
    for (std::size_t k = 0; k < kEdge; ++k) in[k] = cube[i + k * stride];
    if (std::ranges::none_of(in, [](std::int32_t x) { return x != 0; })) continue;
    for (std::size_t k = 0; k < kEdge; ++k) {
      std::int32_t sum = 0;
      for (std::size_t j = 0; j < kEdge; ++j)
        sum += in[j] * (back ? kCosines[j][k] : kCosines[k][j]);
      cube[i + k * stride] = rounded(sum);
    }
  }
}

// By how much terms are divided: by the least of these with which the pictures fit into their
// bytes. What moves much may be told coarsely.
constexpr std::array<std::int32_t, 12> kSteps = {8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362};
constexpr std::size_t kBytesOfFirst = 200;
constexpr std::size_t kBytesOfStill = 80;
// Terms are below 128 * 8^1.5, and what is read may be anything.
constexpr std::int32_t kMostTerm = 4096;

// What counts is the change from picture to picture, in which a term of the frequency k in time
// weighs 2 sin(pi k / 16): it is divided by so much less.
std::int32_t step_of(std::size_t place, std::int32_t step) {
  constexpr std::array<std::int32_t, kEdge> kPercent = {200, 200, 131, 90, 71, 60, 54, 51};
  return step * kPercent[place / kPlane] / 100;
}

// A little towards 0: what is rounded up costs more bits than it is worth.
std::int32_t divided(std::int32_t term, std::int32_t step) {
  const std::int32_t size = (std::abs(term) + step * 42 / 100) / step;
  return term < 0 ? -size : size;
}

std::size_t frequency_of(std::size_t place) {
  return place / kPlane + place / kEdge % kEdge + place % kEdge;
}

using Order = std::array<std::uint16_t, kPlane * kEdge>;

// By ascending frequency, so that the last terms are all 0.
const Order& order() {
  static const Order places = [] {
    Order all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
    std::ranges::stable_sort(all, {}, frequency_of);
    return all;
  }();
  return places;
}

constexpr std::size_t kFrequencies = 3 * (kEdge - 1) + 1;
constexpr std::size_t kMostBits = 16;  // of a term

// What was learnt of terms: by whether they tell of change, their frequency, and how large the term
// before was (0, 1 or more).
struct Models {
  using ByPlace = std::array<std::array<std::array<BitModel, 3>, kFrequencies>, 2>;
  ByPlace ends{};                                           // whether this one and all others are 0
  ByPlace others{};                                         // whether it is none
  std::array<std::array<BitModel, kMostBits>, 2> widths{};  // whether it has more bits than so many
  std::array<BitModel, kMostBits> lower{};
};

// The terms of a cube, bit by bit.  `code` is given a bit and its model and returns the bit: what
// it is given if it encodes, what it reads if it decodes.  Then the terms are 0 before.
template <class Code>
void code_terms(Cube& terms, Models& models, const Code& code) {
  std::size_t last = 0;  // behind the last one that is not 0
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[order()[i]] != 0) last = i + 1;
  }
  std::size_t before = 0;
  bool may_end = true;  // not behind a 0: it would have ended before
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::size_t place = order()[i];
    const std::size_t change = place < kPlane ? 0 : 1;
    const std::size_t frequency = frequency_of(place);
    if (may_end && code(i >= last, models.ends[change][frequency][before])) return;
    std::int32_t& term = terms[place];
    may_end = code(term != 0, models.others[change][frequency][before]);
    before = 0;
    if (!may_end) continue;
    const bool negative = term < 0;
    const auto size = static_cast<std::uint32_t>(std::abs(term));
    unsigned width = 1;
    while (width < kMostBits && code((size >> width) != 0, models.widths[change][width])) ++width;
    std::uint32_t value = 1;
    for (unsigned k = width - 1; k-- > 0;) {
      value = value << 1U | (code((size >> k & 1U) != 0, models.lower[k]) ? 1U : 0U);
    }
    BitModel even;
    term = static_cast<std::int32_t>(value);
    if (code(negative, even)) term = -term;
    before = value > 1 ? 2 : 1;
  }
}

// Where a cube lies: the number of its first picture, and its upper left corner.
struct Place {
  std::size_t first;
  std::size_t corner;
};

std::vector<Place> places_of(std::size_t count) {
  std::vector<Place> places;
  for (std::size_t first = 0; first < count; first += kEdge) {
    for (std::size_t i = 0; i < kAcross * kAcross; ++i) {
      places.push_back({first, (i / kAcross * kSmallSide + i % kAcross) * kEdge});
    }
  }
  return places;
}

std::size_t pixel_of(std::size_t corner, std::size_t i) {
  return corner + i / kEdge % kEdge * kSmallSide + i % kEdge;
}

// The planes of space of the cubes before, of which the next ones tell only the difference.
using Planes = std::array<std::array<std::int32_t, kPlane>, kAcross * kAcross>;

std::vector<Cube> cubes_of(std::span<const SmallStill> stills) {
  std::vector<Cube> cubes;
  for (const auto& [first, corner] : places_of(stills.size())) {
    Cube& cube = cubes.emplace_back();
    for (std::size_t i = 0; i < cube.size(); ++i) {
      const SmallStill& still = stills[std::min(first + i / kPlane, stills.size() - 1)];
      cube[i] = still[pixel_of(corner, i)] - 128;
    }
    for (const std::size_t stride : {std::size_t{1}, kEdge, kPlane}) transform(cube, stride, false);
  }
  return cubes;
}

std::vector<std::uint8_t> coded(std::vector<Cube> cubes, std::int32_t step) {
  BitEncoder encoder;
  Models models;
  Planes planes{};
  for (std::size_t number = 0; number < cubes.size(); ++number) {
    Cube& cube = cubes[number];
    for (std::size_t i = 0; i < cube.size(); ++i) cube[i] = divided(cube[i], step_of(i, step));
    auto& plane = planes[number % planes.size()];
    for (std::size_t i = 0; i < kPlane; ++i) cube[i] -= std::exchange(plane[i], cube[i]);
    code_terms(cube, models, [&](bool bit, BitModel& model) {
      encoder.add(bit, model);
      return bit;
    });
  }
  return encoder.finish();
}

}  // namespace

SmallStills code_stills(std::span<const SmallStill> stills) {
  SmallStills result{.count = static_cast<std::uint32_t>(stills.size()), .bytes = {}};
  if (stills.empty()) return result;
  const std::vector<Cube> cubes = cubes_of(stills);
  const std::size_t most = kBytesOfFirst + kBytesOfStill * stills.size();
  std::uint8_t step = 0;
  result.bytes = coded(cubes, kSteps[step]);
  while (result.bytes.size() > most && step + 1U < kSteps.size()) {
    result.bytes = coded(cubes, kSteps[++step]);
  }
  result.bytes.insert(result.bytes.begin(), step);
  return result;
}

std::vector<SmallStill> decode_stills(const SmallStills& stills) {
  std::vector<SmallStill> pictures(stills.count);
  const std::span<const std::uint8_t> bytes = stills.bytes;
  const std::int32_t step = kSteps[bytes.empty() ? 0 : bytes[0] % kSteps.size()];
  BitDecoder decoder(bytes.subspan(std::min<std::size_t>(1, bytes.size())));
  Models models;
  Planes planes{};
  std::size_t number = 0;
  for (const auto& [first, corner] : places_of(pictures.size())) {
    Cube cube{};
    code_terms(cube, models, [&](bool /*bit*/, BitModel& model) { return decoder.next(model); });
    auto& plane = planes[number++ % planes.size()];
    for (std::size_t i = 0; i < kPlane; ++i) {
      plane[i] = std::clamp(plane[i] + cube[i], -kMostTerm, kMostTerm);
      cube[i] = plane[i];
    }
    for (std::size_t i = 0; i < cube.size(); ++i) {
      const std::int32_t term = std::clamp(cube[i], -kMostTerm, kMostTerm) * step_of(i, step);
      cube[i] = std::clamp(term, -kMostTerm, kMostTerm);
    }
    for (const std::size_t stride : {kPlane, kEdge, std::size_t{1}}) transform(cube, stride, true);
    for (std::size_t i = 0; i < cube.size() && first + i / kPlane < pictures.size(); ++i) {
      pictures[first + i / kPlane][pixel_of(corner, i)] =
          static_cast<std::uint8_t>(std::clamp(cube[i] + 128, 0, 255));
    }
  }
  return pictures;
}

}  // namespace twinsift
