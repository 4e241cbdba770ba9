// SPDX-License-Identifier: Apache-2.0
#include "index/time_votes.h"

#include <bit>
#include <cmath>

#include "base/radix.h"

namespace twinsift {
namespace {

constexpr std::ptrdiff_t kCellLength = kSeedLength / 2;
constexpr std::ptrdiff_t kCellWidth = kSeedWidth / 2;
constexpr std::ptrdiff_t kAlike = 4;  // moments that count once

// A vote from its highest bit on: shift (4 bits), offset (31), place in y (26), which of the
// moments of the cell (3).
constexpr unsigned kShiftAt = 60;
constexpr unsigned kOffsetAt = 29;
constexpr unsigned kPlaceAt = 3;
constexpr int kShiftBias = 8;
constexpr std::uint64_t kNextOffset = std::uint64_t{1} << (kOffsetAt - kPlaceAt);
static_assert(kCellLength / kAlike == 1 << kPlaceAt);

// The least number of votes that, of so many offsets with so many votes together, chance hardly
// gives to one: the tail of a Poisson distribution.
std::uint32_t beyond_chance(double votes, double offsets) {
  constexpr double kByChance = 2;  // offsets that may be wrong
  const double mean = votes / offsets;
  double term = std::exp(-mean);
  double tail = 1 - term;  // of one vote or more
  std::uint32_t least = 1;
  for (; least < 64 && offsets * tail > kByChance; ++least) {
    term *= mean / least;
    tail -= term;
  }
  return least;
}

}  // namespace

void TimeVotes::add(int shift, std::uint64_t i, std::size_t j) {
  const auto y = static_cast<std::ptrdiff_t>(j);
  const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(i) - y + length_;
  votes_.push_back(static_cast<std::uint64_t>(shift + kShiftBias) << kShiftAt |
                   static_cast<std::uint64_t>(offset / kCellWidth) << kOffsetAt |
                   static_cast<std::uint64_t>(y / kCellLength) << kPlaceAt |
                   static_cast<std::uint64_t>(y % kCellLength / kAlike));
}

struct TimeVotes::Cell {
  std::uint64_t number = 0;  // the vote without which of the moments
  std::uint8_t moments = 0;  // a bit for each group that voted
  std::uint32_t hits = 0;
};

std::vector<SoundSeed> TimeVotes::seeds(std::uint32_t least, std::uint64_t offsets) {
  std::vector<std::uint64_t> scratch;
  radix_sort(votes_, kPlaceAt, scratch);
  std::vector<Cell> cells;
  for (const std::uint64_t vote : votes_) {
    if (cells.empty() || cells.back().number != vote >> kPlaceAt) {
      cells.push_back({vote >> kPlaceAt});
    }
    cells.back().moments |= static_cast<std::uint8_t>(1U << (vote & 7U));
    ++cells.back().hits;
  }
  std::vector<SoundSeed> seeds;
  add_blocks(cells, least, seeds);
  if (offsets > 0) {
    const double blocks = static_cast<double>(offsets) / kCellWidth;
    add_offsets(cells, beyond_chance(2 * static_cast<double>(votes_.size()), blocks), seeds);
  }
  votes_.clear();
  return seeds;
}

SoundSeed TimeVotes::seed_at(std::uint64_t cell) const {
  constexpr std::uint64_t kPlaces = (std::uint64_t{1} << (kOffsetAt - kPlaceAt)) - 1;
  constexpr std::uint64_t kOffsets = (std::uint64_t{1} << (kShiftAt - kOffsetAt)) - 1;
  SoundSeed seed;
  seed.shift = static_cast<int>(cell >> (kShiftAt - kPlaceAt)) - kShiftBias;
  seed.at_y = static_cast<std::ptrdiff_t>(cell & kPlaces) * kCellLength;
  seed.offset =
      static_cast<std::ptrdiff_t>(cell >> (kOffsetAt - kPlaceAt) & kOffsets) * kCellWidth - length_;
  return seed;
}

void TimeVotes::add_blocks(const std::vector<Cell>& cells, std::uint32_t least,
                           std::vector<SoundSeed>& seeds) const {
  std::size_t beside = 0;  // the first cell that is not before the one at the next offset
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::uint64_t number = cells[k].number;
    SoundSeed seed = seed_at(number);
    std::uint32_t early = 0;
    std::uint32_t late = 0;
    // The cell, and the one that follows it in time.
    const auto take = [&](std::size_t at, std::uint64_t first) {
      for (; at < cells.size() && cells[at].number <= first + 1; ++at) {
        (cells[at].number == first ? early : late) |= cells[at].moments;
        seed.hits += cells[at].hits;
      }
    };
    take(k, number);
    while (beside < cells.size() && cells[beside].number < number + kNextOffset) ++beside;
    take(beside, number + kNextOffset);
    seed.votes = static_cast<std::uint32_t>(std::popcount(early) + std::popcount(late));
    if (seed.votes >= least) seeds.push_back(seed);
  }
}

void TimeVotes::add_offsets(const std::vector<Cell>& cells, std::uint32_t least,
                            std::vector<SoundSeed>& seeds) const {
  const auto offset_of = [&](std::size_t k) { return cells[k].number / kNextOffset; };
  for (std::size_t k = 0; k < cells.size();) {
    const std::uint64_t offset = offset_of(k);
    std::size_t next = k;
    while (next < cells.size() && offset_of(next) == offset) ++next;
    std::uint32_t votes = 0;
    std::uint32_t hits = 0;
    std::size_t most = k;
    // The runs of this offset and of the next, which lie one after another.
    for (std::size_t at = k; at < cells.size() && offset_of(at) <= offset + 1; ++at) {
      votes += static_cast<std::uint32_t>(std::popcount(cells[at].moments));
      hits += cells[at].hits;
      if (at < next && cells[at].hits > cells[most].hits) most = at;
    }
    if (votes >= least && votes > 1) {
      SoundSeed seed = seed_at(cells[most].number);
      seed.votes = votes;
      seed.hits = hits;
      seeds.push_back(seed);
    }
    k = next;
  }
}

}  // namespace twinsift
