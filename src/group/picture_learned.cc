// SPDX-License-Identifier: Apache-2.0
#include "group/picture_learned.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "base/ascending.h"
#include "base/bit_code.h"
#include "base/cancel.h"
#include "base/parallel.h"

namespace twinsift {
namespace {

constexpr std::size_t kWords = std::tuple_size_v<ImageCode>;

// One after another, as they are read.
class CodeRows {
 public:
  explicit CodeRows(const LearnedPairsTask& task)
      : task_(task), mirrored_(std::size_t{task.references} * kWords) {
    for (std::size_t i = 0; i < task.codes.size(); ++i) {
      const LearnedCodes& code = task.codes[i];
      plain_.insert(plain_.end(), code.plain.begin(), code.plain.end());
      if (i < task.references) continue;
      assert(code.mirrored);
      mirrored_.insert(mirrored_.end(), code.mirrored->begin(), code.mirrored->end());
    }
  }

  // Those before b, no reference itself, that are within the radius, ascending.
  [[nodiscard]] std::vector<std::uint32_t> near(std::uint32_t b) const {
    std::vector<NearRow> found(b);
    std::vector<std::uint32_t> all;
    const auto ask = [&](const ImageCode& code, const std::vector<std::uint64_t>& rows,
                         std::uint32_t first) {
      const std::size_t count =
          near_range(code, rows.data(), first, b - first, task_.radius, found.data());
      for (std::size_t i = 0; i < count; ++i) all.push_back(found[i].row);
    };
    ask(task_.codes[b].plain, plain_, 0);
    ask(*task_.codes[b].mirrored, plain_, 0);
    ask(task_.codes[b].plain, mirrored_, task_.references);
    sort_unique(all);
    return all;
  }

 private:
  const LearnedPairsTask& task_;
  std::vector<std::uint64_t> plain_, mirrored_;  // no mirrored ones of references: zeros
};

// What one picture has in common with those before it.
struct Found {
  std::vector<LearnedPair> pairs;
  std::uint64_t candidates = 0;
};

Status compare_with_earlier(const LearnedPairsTask& task, const CodeRows& rows, std::uint32_t b,
                            Found& found) {
  for (const std::uint32_t a : rows.near(b)) {
    ++found.candidates;
    const LearnedDistance distance = learned_distance(task.codes[a], task.codes[b]);
    TWINSIFT_TRY(WholeMatch match, task.compare(a, b, distance));
    if (match.score >= task.threshold) found.pairs.push_back({a, b, std::move(match)});
  }
  return ok();
}

}  // namespace

Result<LearnedPairs> find_learned_pairs(const LearnedPairsTask& task) {
  const CodeRows rows(task);
  std::vector<Found> found(task.codes.size());
  std::optional<Error> error;
  std::mutex mutex;
  const std::size_t others = task.codes.size() - task.references;
  parallel_for(others, task.threads, task.stop, [&](std::size_t i, unsigned /*worker*/) {
    const auto b = static_cast<std::uint32_t>(task.references + i);
    const Status compared = compare_with_earlier(task, rows, b, found[b]);
    if (compared) return;
    const std::scoped_lock lock(mutex);
    if (!error) error = compared.error();
  });
  if (task.stop.stop_requested()) return cancelled_error();
  if (error) return *error;
  LearnedPairs all;
  for (Found& one : found) {
    all.candidates += one.candidates;
    std::ranges::move(one.pairs, std::back_inserter(all.pairs));
  }
  return all;
}

}  // namespace twinsift
