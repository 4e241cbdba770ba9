// SPDX-License-Identifier: Apache-2.0
#include "group/sound_matcher.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/parallel.h"
#include "index/sound_plan.h"
#include "verify/sound_fit.h"
#include "verify/sound_scan.h"

namespace twinsift {
namespace {

// What became of one item.
struct Found {
  std::vector<SoundPair> pairs;
  SoundPairs::Stats stats;
  bool capped = false;
};

class SoundFinder {
 public:
  explicit SoundFinder(const SoundTask& task) : task_(task), prints_(task.items) {}

  Result<SoundPairs> run() {
    if (auto read = read_prints(); !read) return read.error();
    std::uint64_t moments = 0;
    for (const SoundPrint& print : prints_) moments += print.codes.size();
    plan_ = plan_sound(moments, task_.recall);
    SoundIndex index(plan_.keys);
    for (const SoundPrint& print : prints_) index.add(print.codes);
    index.seal();
    std::vector<Found> found(task_.items);
    std::atomic<std::uint64_t> done = 0;
    parallel_for(task_.items, task_.threads, task_.stop, [&](std::size_t b, unsigned /*worker*/) {
      found[b] = find(index, static_cast<ItemId>(b));
      const std::uint64_t now = ++done;
      if (task_.progress) task_.progress("comparing sound", now, task_.items);
    });
    if (task_.stop.stop_requested()) return cancelled_error();
    if (auto scanned = scan_alone(found, moments); !scanned) return scanned.error();
    return gather(found);
  }

 private:
  Status read_prints() {
    std::optional<Error> error;
    std::mutex mutex;
    parallel_for(task_.items, task_.threads, task_.stop, [&](std::size_t i, unsigned /*worker*/) {
      const auto words = task_.packed(static_cast<ItemId>(i));
      if (words && words->empty()) return;
      auto print = words ? unpack_sound_print(*words) : Result<SoundPrint>(words.error());
      if (print) {
        prints_[i] = *std::move(print);
        return;
      }
      const std::scoped_lock lock(mutex);
      if (!error) error = print.error();
    });
    if (error) return *error;
    if (task_.stop.stop_requested()) return cancelled_error();
    return ok();
  }

  [[nodiscard]] Found find(const SoundIndex& index, ItemId b) const {
    Found found;
    if (b == 0 || prints_[b].codes.empty()) return found;
    const auto answer =
        index.ask({.codes = prints_[b].codes, .before = b, .votes = plan_.votes, .most = 4});
    found.capped = answer.capped;
    const Hearing y(prints_[b]);
    const auto& all = answer.candidates;
    for (std::size_t k = 0; k < all.size();) {
      const ItemId a = all[k].item;
      std::size_t end = k;
      while (end < all.size() && all[end].item == a) ++end;
      const auto seeds = std::span(all).subspan(k, end - k);
      k = end;
      if (task_.allowed && !task_.allowed(a, b)) continue;
      ++found.stats.candidates;
      if (!is_worth(Hearing(prints_[a]), y, seeds)) continue;
      ++found.stats.verified;
      if (auto timeline = match_sound(prints_[a], prints_[b], task_.options)) {
        found.pairs.push_back({a, b, *std::move(timeline)});
      }
    }
    return found;
  }

  // Whether they have something to be heard, and have matched nothing.
  [[nodiscard]] std::vector<std::uint8_t> alone_of(const std::vector<Found>& found) const {
    std::vector<std::uint8_t> alone(task_.items);
    for (ItemId i = 0; i < task_.items; ++i) alone[i] = prints_[i].codes.empty() ? 0 : 1;
    for (const Found& one : found) {
      for (const SoundPair& pair : one.pairs) alone[pair.a] = alone[pair.b] = 0;
    }
    return alone;
  }

  // Recordings that have matched nothing are laid against all others (verify/sound_scan.h), unless
  // that would take longer than everything else.
  Status scan_alone(std::vector<Found>& found, std::uint64_t moments) {
    const std::vector<std::uint8_t> alone = alone_of(found);
    const auto count = static_cast<std::uint64_t>(std::ranges::count(alone, 1));
    if (count > 0 && moments > task_.most_offsets / count) {
      unscanned_ = static_cast<std::uint32_t>(count);
      return ok();
    }
    const std::vector<Hearing> heard(prints_.begin(), prints_.end());
    std::vector<Found> scanned(task_.items);
    std::atomic<std::uint64_t> done = 0;
    parallel_for(task_.items, task_.threads, task_.stop, [&](std::size_t b, unsigned /*worker*/) {
      const std::uint64_t now = ++done;
      if (task_.progress) task_.progress("looking for noisy copies", now, task_.items);
      if (alone[b] == 0) return;
      for (ItemId a = 0; a < task_.items && !task_.stop.stop_requested(); ++a) {
        const auto other = static_cast<ItemId>(b);
        if (a == other || (alone[a] != 0 && a > other)) continue;  // once for two of them
        scan(heard, std::min(a, other), std::max(a, other), scanned[b]);
      }
    });
    if (task_.stop.stop_requested()) return cancelled_error();
    for (Found& one : scanned) {
      for (SoundPair& pair : one.pairs) found[pair.b].pairs.push_back(std::move(pair));
    }
    for (ItemId b = 0; b < task_.items; ++b) {
      std::ranges::sort(found[b].pairs, {}, &SoundPair::a);
      found[b].stats.candidates += scanned[b].stats.candidates;
      found[b].stats.verified += scanned[b].stats.verified;
    }
    return ok();
  }

  void scan(const std::vector<Hearing>& heard, ItemId a, ItemId b, Found& found) const {
    if (prints_[a].codes.empty() || (task_.allowed && !task_.allowed(a, b))) return;
    const bool longer = heard[a].size() >= heard[b].size();
    if (!scan_offsets(heard[longer ? a : b], heard[longer ? b : a])) return;
    ++found.stats.candidates;
    ++found.stats.verified;
    if (auto timeline = match_sound(prints_[a], prints_[b], task_.options)) {
      found.pairs.push_back({a, b, *std::move(timeline)});
    }
  }

  static bool is_worth(const Hearing& x, const Hearing& y, std::span<const SoundCandidate> seeds) {
    return std::ranges::any_of(seeds, [&](const SoundCandidate& candidate) {
      return is_worth_comparing(x, y, candidate.seed);
    });
  }

  SoundPairs gather(std::vector<Found>& found) const {
    SoundPairs result;
    for (ItemId b = 0; b < task_.items; ++b) {
      std::ranges::move(found[b].pairs, std::back_inserter(result.pairs));
      result.stats.candidates += found[b].stats.candidates;
      result.stats.verified += found[b].stats.verified;
      if (found[b].capped) result.capped.push_back(b);
    }
    result.unscanned = unscanned_;
    result.guarantee = plan_.guarantee();
    if (unscanned_ > 0) {
      result.guarantee += fmt::format(
          ", but copies with noise as loud as the music were not looked for, because {} recordings "
          "without a match are too many to be laid against all others",
          unscanned_);
    }
    result.spec = plan_.spec();
    return result;
  }

  const SoundTask& task_;
  std::vector<SoundPrint> prints_;
  SoundPlan plan_;
  std::uint32_t unscanned_ = 0;
};

}  // namespace

Result<SoundPairs> find_sound_pairs(const SoundTask& task) { return SoundFinder(task).run(); }

}  // namespace twinsift
