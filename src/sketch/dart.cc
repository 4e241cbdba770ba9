// SPDX-License-Identifier: Apache-2.0
#include "sketch/dart.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace twinsift {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNegligible = 0x1p-48;
constexpr int kLevelsPerWord = 8;
constexpr int kMaxDepth = 100;  // levels below the largest weight; farther ones see no darts

constexpr bool has_zero_byte(std::uint64_t word) {
  return ((word - 0x0101010101010101U) & ~word & 0x8080808080808080U) != 0;
}

// Streams of one element: even numbers for levels, odd ones for groups of levels.
constexpr std::uint64_t stream(std::uint64_t xs, int place, int kind) {
  return mix64(xs + kGolden * static_cast<std::uint64_t>(2 * (place + 4096) + kind));
}

struct Bin {
  double rank = kInfinity;
  std::uint64_t dart = 0;
};

// One element of a set, its weight fraction * 2^top with fraction in (1/2, 1].
struct Board {
  std::uint64_t xs;
  int top;
  double fraction;
};

// Exact, and cheaper than ldexp.  Requires: the result is a normal number.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

// All ranks are in units of 2^-unit: the largest weight is then between 1/2 and 1.
class Thrower {
 public:
  Thrower(std::span<Bin> bins, int unit) : bins_(bins), unit_(unit) {}

  // Throws the darts of rank <= limit.  Those that were thrown before change nothing.
  void throw_at(const Board& board, double limit) {
    if (unit_ - board.top > kMaxDepth) return;
    int level = board.top;
    double expected = limit * power_of_two(level - 1 - unit_);  // darts seen on this level
    while (expected >= kNegligible) {
      const int group = level >> 3;
      const int lowest = group * kLevelsPerWord;
      const std::uint64_t word = stream(board.xs, group, 1);
      if (expected < 1.0 / 256 && !has_zero_byte(word)) {
        expected *= power_of_two(lowest - 1 - level);
        level = lowest - 1;
        continue;
      }
      for (; level >= lowest; --level, expected /= 2) {
        // The first gap is -ln(1-u) > u, and u begins with these bits.
        const std::uint64_t first = (word >> static_cast<unsigned>(8 * (level - lowest))) & 0xFFU;
        if (static_cast<double>(first) < 256 * expected) {
          throw_at_level(board, level, first, expected);
        }
      }
    }
  }

 private:
  void throw_at_level(const Board& board, int level, std::uint64_t first, double expected) {
    Rng rng(stream(board.xs, level, 0));
    const double rank_unit = power_of_two(unit_ + 1 - level);
    const double visible = level == board.top ? 2 * board.fraction - 1 : 1.0;
    const double u = std::min((static_cast<double>(first) + rng.uniform()) / 256, 1 - 0x1p-53);
    double arrival = -portable_log_complement(u);
    while (arrival <= expected) {
      const std::uint64_t dart = rng.next();
      __extension__ using u128 = unsigned __int128;
      const u128 place = static_cast<u128>(rng.next()) * bins_.size();
      const double height = static_cast<double>(static_cast<std::uint64_t>(place) >> 11U) * 0x1p-53;
      // Ties go to the first, and every set throws in the same order.  No branch: half of the
      // darts would be guessed wrongly.
      Bin& bin = bins_[static_cast<std::size_t>(place >> 64U)];
      const double rank = height < visible ? arrival * rank_unit : kInfinity;
      const bool better = rank < bin.rank;
      bin.rank = better ? rank : bin.rank;
      bin.dart = better ? dart : bin.dart;
      arrival -= portable_log(rng.uniform());
    }
  }

  std::span<Bin> bins_;
  int unit_;
};

Board make_board(std::uint64_t id, double weight, std::uint64_t key) {
  Board board{.xs = permute64(id, key), .top = 0, .fraction = 0};
  board.fraction = std::frexp(weight, &board.top);
  if (board.fraction == 0.5) {  // levels are closed above
    board.fraction = 1;
    --board.top;
  }
  return board;
}

}  // namespace

DartSketcher::DartSketcher(std::uint32_t k, std::uint64_t seed)
    : WeightedSketcher("dart1", k, seed) {}

Status DartSketcher::sketch_weighted(const WeightedSet& set, std::span<std::uint64_t> out) const {
  int unit = 0;
  std::frexp(std::ranges::max(set.weights), &unit);
  double total = 0;
  for (const double weight : set.weights) total += std::ldexp(weight, -unit);
  std::vector<Bin> bins(out.size());
  Thrower thrower(bins, unit);
  const auto empty = [](const Bin& bin) { return bin.rank == kInfinity; };
  const auto k = static_cast<double>(out.size());
  const std::uint64_t key = seed_key(seed(), 0);
  // This many leave a bin empty in one case of eight; k more, in one of twenty.
  for (double darts = k * (portable_log(k) + 2); std::ranges::any_of(bins, empty); darts += k) {
    for (std::size_t j = 0; j < set.tokens.size(); ++j) {
      thrower.throw_at(make_board(set.tokens[j], set.weights[j], key), darts / total);
    }
  }
  std::ranges::transform(bins, out.begin(), &Bin::dart);
  return ok();
}

}  // namespace twinsift
