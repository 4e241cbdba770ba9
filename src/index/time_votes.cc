// SPDX-License-Identifier: Apache-2.0
#include "index/time_votes.h"

#include <bit>

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
static_assert(kCellLength / kAlike == 1 << kPlaceAt);

struct Cell {
  std::uint64_t number = 0;  // the vote without which of the moments
  std::uint8_t moments = 0;  // a bit for each that voted
  std::uint32_t hits = 0;
};

std::vector<Cell> count(const std::vector<std::uint64_t>& votes) {
  std::vector<Cell> cells;
  for (const std::uint64_t vote : votes) {
    if (cells.empty() || cells.back().number != vote >> kPlaceAt) {
      cells.push_back({vote >> kPlaceAt});
    }
    cells.back().moments |= static_cast<std::uint8_t>(1U << (vote & 7U));
    ++cells.back().hits;
  }
  return cells;
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

std::vector<SoundSeed> TimeVotes::seeds(std::uint32_t least) {
  std::vector<std::uint64_t> scratch;
  radix_sort(votes_, kPlaceAt, scratch);
  const std::vector<Cell> cells = count(votes_);
  votes_.clear();
  constexpr std::uint64_t kNextOffset = std::uint64_t{1} << (kOffsetAt - kPlaceAt);
  constexpr std::uint64_t kPlaces = kNextOffset - 1;
  std::vector<SoundSeed> seeds;
  std::size_t beside = 0;  // the first cell that is not before the one at the next offset
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::uint64_t number = cells[k].number;
    std::uint32_t early = 0;
    std::uint32_t late = 0;
    std::uint32_t hits = 0;
    // The cell, and the one that follows it in time.
    const auto take = [&](std::size_t at, std::uint64_t first) {
      for (; at < cells.size() && cells[at].number <= first + 1; ++at) {
        (cells[at].number == first ? early : late) |= cells[at].moments;
        hits += cells[at].hits;
      }
    };
    take(k, number);
    while (beside < cells.size() && cells[beside].number < number + kNextOffset) ++beside;
    take(beside, number + kNextOffset);
    const auto votes = static_cast<std::uint32_t>(std::popcount(early) + std::popcount(late));
    if (votes < least) continue;
    const int shift = static_cast<int>(number >> (kShiftAt - kPlaceAt)) - kShiftBias;
    const auto place = static_cast<std::ptrdiff_t>(number & kPlaces);
    const auto offset = static_cast<std::ptrdiff_t>(
        number >> (kOffsetAt - kPlaceAt) & ((std::uint64_t{1} << (kShiftAt - kOffsetAt)) - 1));
    seeds.push_back({votes, hits, shift, place * kCellLength, offset * kCellWidth - length_});
  }
  return seeds;
}

}  // namespace twinsift
