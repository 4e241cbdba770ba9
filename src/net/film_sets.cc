// SPDX-License-Identifier: Apache-2.0
#include "net/film_sets.h"

#include <algorithm>
#include <array>
#include <bit>

#include "net/unary_set.h"

namespace twinsift::net {
namespace {

// Counts for how long each bit is set.
class Majority {
 public:
  void add(std::span<const std::uint64_t> code, std::uint64_t weight) {
    for (std::size_t bit = 0; bit < kImageCodeBits; ++bit) {
      if ((code[bit / 64] >> (bit % 64) & 1U) != 0) set_[bit] += weight;
    }
    all_ += weight;
  }
  [[nodiscard]] ImageCode code() const {
    ImageCode code{};
    for (std::size_t bit = 0; bit < kImageCodeBits; ++bit) {
      if (2 * set_[bit] > all_) code[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    return code;
  }

 private:
  std::array<std::uint64_t, kImageCodeBits> set_{};
  std::uint64_t all_ = 0;
};

double seconds(std::uint32_t milliseconds) { return 0.001 * static_cast<double>(milliseconds); }

std::uint32_t distance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    bits += static_cast<std::uint32_t>(std::popcount(a[i] ^ b[i]));
  }
  return bits;
}

}  // namespace

std::vector<Shot> shots_of(const FilmCodes& frames) {
  std::vector<Shot> shots;
  for (std::size_t first = 0; first < frames.size();) {
    Majority majority;
    std::size_t next = first;
    for (; next < frames.size(); ++next) {
      if (distance(frames.code(first), frames.code(next)) > kShotBits) break;
      // A code that was seen once has a weight, too.
      majority.add(frames.code(next), std::uint64_t{frames.end[next] - frames.begin[next]} + 125);
    }
    shots.push_back({.begin = seconds(frames.begin[first]),
                     .end = seconds(next < frames.size() ? frames.begin[next] : frames.end.back()),
                     .code = majority.code()});
    first = next;
  }
  return shots;
}

Result<std::vector<ContentSet>> film_sets(const std::string& detector,
                                          std::span<const std::uint64_t> film) {
  TWINSIFT_TRY(const FilmPrint print, unpack_film_print(film));
  std::vector<Shot> shots = shots_of(print.frames);
  std::erase_if(shots, [](const Shot& shot) { return shot.end - shot.begin < kShortestShot; });
  // How long a shot is, encoding hardly changes: so copies have the same longest ones.
  std::ranges::stable_sort(shots, std::ranges::greater{},
                           [](const Shot& shot) { return shot.end - shot.begin; });
  if (shots.size() > kMostShots) shots.resize(kMostShots);
  std::vector<ContentSet> sets;
  for (const Shot& shot : shots) {
    sets.push_back({.detector = detector,
                    .set = bit_set(shot.code),
                    .begin_seconds = shot.begin,
                    .end_seconds = shot.end});
  }
  return sets;
}

}  // namespace twinsift::net
