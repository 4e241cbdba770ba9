// SPDX-License-Identifier: Apache-2.0
#include "group/picture_matcher.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/parallel.h"
#include "index/code_candidates.h"
#include "index/mih.h"

namespace twinsift {
namespace {

// Pairs of pictures that have codes; item i is the picture numbers[i].
class PictureJudge final : public PairJudge {
 public:
  PictureJudge(const PictureTask& task, std::span<const ItemId> numbers,
               std::span<const OrientedCodes> codes)
      : task_(task), numbers_(numbers), codes_(codes) {}

  void filter(ItemId /*item*/, std::vector<ItemId>& /*candidates*/) const override {}

  [[nodiscard]] Result<double> similarity(ItemId a, ItemId b) const override {
    TWINSIFT_TRY(const SetView packed_a, task_.packed(numbers_[a]));
    TWINSIFT_TRY(const SetView packed_b, task_.packed(numbers_[b]));
    TWINSIFT_TRY(const WholeMatch match, task_.detector->compare(packed_a, packed_b, codes_[b]));
    return match.score >= task_.threshold ? match.score : -1;
  }

 private:
  const PictureTask& task_;
  std::span<const ItemId> numbers_;
  std::span<const OrientedCodes> codes_;
};

struct Prepared {
  std::vector<ItemId> numbers;  // of pictures with codes
  std::vector<OrientedCodes> codes;
  std::vector<std::pair<std::array<std::uint64_t, 2>, ItemId>> plain;  // pixels, number
};

Result<Prepared> prepare(const PictureTask& task) {
  std::vector<OrientedCodes> codes(task.pictures);
  std::vector<std::array<std::uint64_t, 2>> pixels(task.pictures);
  std::vector<std::uint8_t> plain(task.pictures, 0);
  std::optional<Error> error;
  std::mutex mutex;
  parallel_for(task.pictures, task.threads, task.stop, [&](std::size_t i, unsigned /*worker*/) {
    const auto packed = task.packed(static_cast<ItemId>(i));
    const auto look = packed ? task.detector->look(*packed) : packed.error();
    if (!look) {
      const std::scoped_lock lock(mutex);
      if (!error) error = look.error();
      return;
    }
    plain[i] = look->plain ? 1 : 0;
    pixels[i] = look->pixels;
    codes[i] = look->codes;
  });
  if (error) return *error;
  if (task.stop.stop_requested()) return cancelled_error();
  Prepared prepared;
  for (ItemId i = 0; i < task.pictures; ++i) {
    if (plain[i] == 0) {
      prepared.numbers.push_back(i);
      prepared.codes.push_back(codes[i]);
    } else if (pixels[i] != std::array<std::uint64_t, 2>{}) {
      prepared.plain.emplace_back(pixels[i], i);
    }
  }
  std::ranges::sort(prepared.plain);
  return prepared;
}

// The first of those with the same pixels that it may go with stays.
void join_plain(const PictureTask& task, const Prepared& prepared, PictureOutcome& outcome) {
  const auto& plain = prepared.plain;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const ItemId item = plain[i].second;
    if (item < task.references) continue;
    for (std::size_t j = i; j-- > 0 && plain[j].first == plain[i].first;) {
      const ItemId other = plain[j].second;
      ++outcome.stats.candidates;
      if (outcome.keeper[other] != other || (task.allowed && !task.allowed(other, item))) continue;
      ++outcome.stats.matches;
      outcome.keeper[item] = other;
    }
  }
}

// Orientation 0 may have a radius of its own, for which all codes are read.
std::string guarantee_of(const std::array<std::uint32_t, 8>& radii, std::uint32_t radius,
                         double found) {
  const double told = std::floor(found * 1e4) / 1e4;
  if (radii[0] <= radius) {
    return fmt::format("pictures within {} of 256 bits: P(found) >= {:.4f}", radius, told);
  }
  return fmt::format(
      "pictures within {} of 256 bits: all; turned or mirrored, within {}: P(found) >= {:.4f}",
      radii[0], radius, told);
}

}  // namespace

Result<PictureOutcome> match_pictures(const PictureTask& task) {
  TWINSIFT_TRY(const Prepared prepared, prepare(task));
  PictureOutcome outcome;
  outcome.keeper.resize(task.pictures);
  std::iota(outcome.keeper.begin(), outcome.keeper.end(), 0);
  outcome.score.assign(task.pictures, 1);
  const auto items = static_cast<std::uint32_t>(prepared.numbers.size());
  const auto first_other = std::ranges::lower_bound(prepared.numbers, task.references);
  const auto references = static_cast<std::uint32_t>(first_other - prepared.numbers.begin());

  const auto radii = task.detector->radii();
  // Beyond this an index of codes reads them all, which is exact.
  const std::uint32_t radius = std::min(64U, std::ranges::min(radii));
  outcome.index = fmt::format("mih1:bits=256,radius={},recall={},items={}", radius, task.recall,
                              std::max(1U, items));
  TWINSIFT_TRY(auto index, make_mih(outcome.index));
  TWINSIFT_TRY(const CodePlan plan, plan_of_mih(outcome.index));
  CodeCandidates candidates(prepared.codes, radii, std::move(index));
  const PictureJudge judge(task, prepared.numbers, prepared.codes);
  MatchTask match_task{.candidates = &candidates,
                       .verifier = &judge,
                       .items = items,
                       .references = references,
                       .threads = task.threads,
                       .stop = task.stop};
  if (task.progress) {
    match_task.progress = [&](std::uint64_t done) {
      task.progress("comparing pictures", done, items);
    };
  }
  if (task.allowed) {
    match_task.allowed = [&](ItemId a, ItemId b) {
      return task.allowed(prepared.numbers[a], prepared.numbers[b]);
    };
  }
  TWINSIFT_TRY(const Stars stars, find_stars(match_task));
  outcome.stats = stars.stats;
  for (ItemId i = 0; i < items; ++i) {
    outcome.keeper[prepared.numbers[i]] = prepared.numbers[stars.keeper[i]];
    outcome.score[prepared.numbers[i]] = stars.score[i];
  }
  join_plain(task, prepared, outcome);
  outcome.guarantee = guarantee_of(radii, radius, plan.found);
  return outcome;
}

}  // namespace twinsift
