// SPDX-License-Identifier: Apache-2.0
#include "verify/film_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "base/bit_code.h"

namespace twinsift {
namespace {

constexpr double kCell = 0.25;  // seconds
constexpr int kSlopes = 12;     // on either side of 1
constexpr double kSlopeStep = 1.02;
constexpr std::size_t kPeaks = 3;  // of each slope
constexpr std::size_t kLines = 24;
constexpr double kApart = 1;  // seconds between peaks of one slope
// A slope cannot be told, and is left as it is, if the hits lie within a shorter time.
constexpr double kLeastSpread = 1.5;
constexpr double kSteepest = 1.3;

// Frames of a vote at least so many milliseconds apart; farther if there are many pairs.
constexpr std::uint32_t kVoteEvery = 240;
constexpr std::uint32_t kVoteEveryAtMost = 5000;
constexpr double kPairs = 4e7;
constexpr std::size_t kHitsOfFrame = 256;

std::uint32_t vote_interval(const FilmCodes& a, const FilmCodes& b) {
  const double span = a.begin.back() - a.begin.front() + 1.0;
  const double interval = span * static_cast<double>(b.size()) / kPairs;
  return static_cast<std::uint32_t>(
      std::clamp(interval, double{kVoteEvery}, double{kVoteEveryAtMost}));
}

struct Cell {
  double votes = 0;
  double last = 0;  // of them, of the frame that voted last
  std::uint32_t frame = std::numeric_limits<std::uint32_t>::max();

  void vote(const FilmHit& hit) {
    if (frame != hit.frame) {
      frame = hit.frame;
      last = 0;
    }
    votes += std::max(0.0, hit.weight - last);
    last = std::max(last, hit.weight);
  }
};

void add_peaks(const std::vector<FilmHit>& hits, const LineSearch& search, double slope,
               std::vector<FilmLine>& lines) {
  const double lowest = -slope * search.seconds_b - 2 * kCell;
  const auto size = static_cast<std::size_t>((search.seconds_a - lowest + 4 * kCell) / kCell) + 1;
  std::vector<Cell> cells(size);
  for (const FilmHit& hit : hits) {
    const double place = (hit.a - slope * hit.b - lowest) / kCell;
    const auto cell = static_cast<std::size_t>(place);
    if (cell == 0 || cell + 1 >= size) continue;
    cells[cell].vote(hit);
    const bool upper = place - static_cast<double>(cell) > 0.5;
    cells[upper ? cell + 1 : cell - 1].vote(hit);
  }
  for (std::size_t peak = 0; peak < kPeaks; ++peak) {
    const auto best = std::ranges::max_element(cells, {}, &Cell::votes);
    if (best->votes <= 0) return;
    const auto at = best - cells.begin();
    lines.push_back({slope, lowest + (static_cast<double>(at) + 0.5) * kCell, best->votes});
    const auto apart = static_cast<std::ptrdiff_t>(kApart / kCell);
    const auto from = cells.begin() + std::max<std::ptrdiff_t>(0, at - apart);
    const auto to = cells.begin() + std::min<std::ptrdiff_t>(std::ssize(cells), at + apart + 1);
    std::fill(from, to, Cell{});
  }
}

struct Sums {
  double n = 0, a = 0, b = 0, ab = 0, bb = 0;
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();
};

Sums sums_near(const std::vector<FilmHit>& hits, const FilmLine& line, double tolerance) {
  Sums sums;
  for (const FilmHit& hit : hits) {
    if (std::abs(hit.a - line.in_a(hit.b)) > tolerance) continue;
    sums.n += hit.weight;
    sums.a += hit.weight * hit.a;
    sums.b += hit.weight * hit.b;
    sums.ab += hit.weight * hit.a * hit.b;
    sums.bb += hit.weight * hit.b * hit.b;
    sums.first = std::min(sums.first, hit.b);
    sums.last = std::max(sums.last, hit.b);
  }
  return sums;
}

FilmLine refined(const std::vector<FilmHit>& hits, FilmLine line, bool any_slope) {
  constexpr int kRounds = 12;
  constexpr double kWide = 0.4;
  constexpr double kNarrow = 0.25;
  for (int round = 0; round < kRounds; ++round) {
    const Sums sums = sums_near(hits, line, round < 2 ? kWide : kNarrow);
    if (sums.n <= 0) return line;
    const double variance = sums.bb - sums.b * sums.b / sums.n;
    if (any_slope && sums.last - sums.first > kLeastSpread && variance > 0) {
      const double slope = (sums.ab - sums.a * sums.b / sums.n) / variance;
      line.slope = std::clamp(slope, 1 / kSteepest, kSteepest);
    }
    line.offset = (sums.a - line.slope * sums.b) / sums.n;
    if (round > 2 && sums.n <= line.votes) break;
    line.votes = sums.n;
  }
  return line;
}

// Most films run at their own speed: what cannot be told from it is it.
FilmLine at_own_speed(const std::vector<FilmHit>& hits, const FilmLine& line) {
  constexpr double kDrift = 0.15;  // seconds
  const Sums sums = sums_near(hits, line, kCell);
  if (sums.n <= 0 || std::abs(line.slope - 1) * (sums.last - sums.first) > 2 * kDrift) return line;
  FilmLine plain{1, (sums.a - sums.b) / sums.n, 0};
  plain = refined(hits, plain, false);
  const Sums reached = sums_near(hits, plain, kCell);
  return reached.n >= 0.95 * sums.n ? plain : line;
}

}  // namespace

double evidence_of(double bits) { return std::clamp((100 - bits) / 10, 0.0, 6.0); }

std::vector<FilmHit> find_hits(const FilmCodes& a, const FilmCodes& b) {
  std::vector<FilmHit> hits;
  if (a.size() == 0 || b.size() == 0) return hits;
  const std::uint32_t interval = vote_interval(a, b);
  std::vector<NearRow> near(b.size() + 1);
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.begin[i] < next) continue;
    next = a.begin[i] + std::uint64_t{interval};
    std::size_t found = near_range(a.code(i), b.words.data(), 0,
                                   static_cast<std::uint32_t>(b.size()), kHitBits, near.data());
    if (found > kHitsOfFrame) {
      const auto order = [](const NearRow& x, const NearRow& y) {
        return std::tie(x.distance, x.row) < std::tie(y.distance, y.row);
      };
      std::nth_element(near.begin(), near.begin() + kHitsOfFrame,
                       near.begin() + static_cast<std::ptrdiff_t>(found), order);
      found = kHitsOfFrame;
    }
    for (const NearRow& row : std::span(near).first(found)) {
      hits.push_back({a.middle(i), b.middle(row.row), 0.1 * (100.0 - row.distance),
                      static_cast<std::uint32_t>(i)});
    }
  }
  return hits;
}

std::vector<FilmLine> propose_lines(const std::vector<FilmHit>& hits, const LineSearch& search) {
  std::vector<FilmLine> lines;
  if (search.slope > 0) {
    add_peaks(hits, search, search.slope, lines);
  } else {
    for (int k = -kSlopes; k <= kSlopes; ++k) {
      add_peaks(hits, search, std::pow(kSlopeStep, k), lines);
    }
  }
  const auto order = [](const FilmLine& x, const FilmLine& y) {
    return std::tuple(-x.votes, std::abs(x.slope - 1), x.slope, x.offset) <
           std::tuple(-y.votes, std::abs(y.slope - 1), y.slope, y.offset);
  };
  std::ranges::sort(lines, order);
  if (lines.size() > kLines) lines.resize(kLines);
  for (FilmLine& line : lines) {
    line = refined(hits, line, search.slope <= 0);
    if (search.slope <= 0) line = at_own_speed(hits, line);
  }
  std::ranges::sort(lines, order);
  // Peaks beside each other become one line.
  const auto same = [](const FilmLine& x, const FilmLine& y) {
    return x.slope == y.slope && std::abs(x.offset - y.offset) < 0.01;
  };
  lines.erase(std::unique(lines.begin(), lines.end(), same), lines.end());
  return lines;
}

}  // namespace twinsift
