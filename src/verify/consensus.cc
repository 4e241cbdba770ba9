// SPDX-License-Identifier: Apache-2.0
#include "verify/consensus.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/portable_math.h"
#include "verify/fit_map.h"

namespace twinsift {
namespace {

// How far scale and direction of a match may be from those of the map: a factor of 1.6, 30 degrees.
constexpr double kScaleSlack = 1.6;
constexpr double kTurnSlack = 0.8660254037844386;  // the cosine
// A single match errs by so much at some distance from its place, in relation to that distance.
constexpr float kLean = 0.15F;
constexpr double kFirstTolerance = 2.5;  // times the final one, while the map is still rough
constexpr int kRefined = 4;              // hypotheses
constexpr int kRounds = 2;               // of fitting and gathering for each kind of map
constexpr double kLargestPerspective = 2;
constexpr std::uint32_t kPlaces = 64;  // a picture has this number of places, squared

double side(PictureSize size) { return std::sqrt(size.width * size.height); }

// The similarity in a slope, and what is left: slope = (p, -q; q, p) + (r, t; t, -r).
struct Parts {
  Point similar;  // (p, q)
  Point stretch;  // (r, t)
  [[nodiscard]] double scale() const {
    return std::sqrt(similar.x * similar.x + similar.y * similar.y);
  }
};

Parts parts_of(const std::array<double, 4>& slope) {
  return {{(slope[0] + slope[3]) / 2, (slope[2] - slope[1]) / 2},
          {(slope[0] - slope[3]) / 2, (slope[1] + slope[2]) / 2}};
}

class Search {
 public:
  Search(std::span<const PlacedMatch> matches, PictureSize size_a, PictureSize size_b,
         const ConsensusOptions& options)
      : matches_(matches), size_a_(size_a), size_b_(size_b), options_(options) {
    std::uint32_t most_a = 0;
    std::uint32_t most_b = 0;
    for (const PlacedMatch& match : matches) {
      ax_.push_back(static_cast<float>(match.at_a.x));
      ay_.push_back(static_cast<float>(match.at_a.y));
      bx_.push_back(static_cast<float>(match.at_b.x));
      by_.push_back(static_cast<float>(match.at_b.y));
      p_.push_back(static_cast<float>(match.turn.x));
      q_.push_back(static_cast<float>(match.turn.y));
      most_a = std::max(most_a, match.a);
      most_b = std::max(most_b, match.b);
    }
    used_a_.resize(most_a + 1);
    used_b_.resize(most_b + 1);
  }

  std::optional<Consensus> run() {
    std::optional<Consensus> best;
    std::vector<bool> explained(matches_.size());
    int refined = 0;
    for (const std::uint32_t seed : hypotheses()) {
      if (refined == kRefined) break;
      if (explained[seed]) continue;
      ++refined;
      const auto found = refine(seed);
      if (!found) continue;
      for (const std::uint32_t i : found->inliers) explained[i] = true;
      if (!best || found->evidence > best->evidence) best = found;
    }
    return best;
  }

 private:
  using Indices = std::vector<std::uint32_t>;

  [[nodiscard]] double tolerance(double scale) const {
    return options_.tolerance / 2 * (side(size_b_) + scale * side(size_a_));
  }

  // How much of a picture lies within the tolerance of a place: of that where it is more.
  [[nodiscard]] double chance(double scale) const {
    const double ratio = scale * side(size_a_) / side(size_b_);
    const double reach = options_.tolerance / 2 * (1 + std::max(ratio, 1 / ratio));
    return std::min(0.5, std::numbers::pi * reach * reach);
  }

  template <class Agrees>
  void agreeing(std::uint32_t seed, Agrees agrees) const {
    const float p = p_[seed];
    const float q = q_[seed];
    const float square = p * p + q * q;
    const auto near = static_cast<float>(kFirstTolerance * tolerance(std::sqrt(double{square})));
    constexpr auto kScale = static_cast<float>(kScaleSlack * kScaleSlack);
    constexpr auto kTurn = static_cast<float>(kTurnSlack * kTurnSlack);
    for (std::uint32_t i = 0; i < matches_.size(); ++i) {
      const float dx = ax_[i] - ax_[seed];
      const float dy = ay_[i] - ay_[seed];
      const float ex = bx_[i] - bx_[seed] - (p * dx - q * dy);
      const float ey = by_[i] - by_[seed] - (q * dx + p * dy);
      const float reach = near * near + kLean * kLean * square * (dx * dx + dy * dy);
      const float dot = p_[i] * p + q_[i] * q;
      const float own = p_[i] * p_[i] + q_[i] * q_[i];
      const bool place = ex * ex + ey * ey <= reach;
      const bool scale = (own <= square * kScale) & (square <= own * kScale);
      const bool turn = (dot > 0) & (dot * dot >= kTurn * own * square);
      agrees(i, place & scale & turn);
    }
  }

  // Seeds by support.  One that explains half of all matches ends the search.
  [[nodiscard]] Indices hypotheses() const {
    const std::size_t count = std::min(matches_.size(), options_.hypotheses);
    std::vector<std::uint32_t> support;
    for (std::uint32_t seed = 0; seed < count; ++seed) {
      const double scale = std::sqrt(double{p_[seed]} * p_[seed] + double{q_[seed]} * q_[seed]);
      std::uint32_t agreed = 0;
      if (scale <= options_.largest_scale && scale * options_.largest_scale >= 1) {
        agreeing(seed, [&](std::uint32_t, bool agrees) { agreed += agrees ? 1U : 0U; });
      }
      support.push_back(agreed);
      if (agreed >= 12 && 2 * std::size_t{agreed} >= matches_.size()) break;
    }
    Indices seeds(support.size());
    std::iota(seeds.begin(), seeds.end(), 0U);
    std::erase_if(seeds, [&](std::uint32_t s) { return support[s] < 3; });
    std::ranges::stable_sort(seeds, std::ranges::greater{},
                             [&](std::uint32_t s) { return support[s]; });
    return seeds;
  }

  [[nodiscard]] std::optional<Consensus> refine(std::uint32_t seed) {
    Indices inliers;
    agreeing(seed, [&](std::uint32_t i, bool agrees) {
      if (agrees) inliers.push_back(i);
    });
    std::optional<Consensus> best;
    auto map = fit_similarity(pairs_of(inliers));
    if (!map || !plausible(*map)) return std::nullopt;
    inliers = gather(*map, kFirstTolerance);
    const auto fit_all = [&](auto fit, std::uint32_t freedom) {
      for (int round = 0; round < kRounds; ++round) {
        map = fit(pairs_of(inliers));
        if (!map || !plausible(*map)) return;
        inliers = gather(*map, 1);
      }
      const Consensus found = judged(*map, inliers, freedom);
      if (found.inliers.size() < options_.least_inliers) return;
      if (!best || found.evidence > best->evidence) best = found;
    };
    fit_all(fit_similarity, 2);
    const Indices similar = inliers;
    fit_all(fit_affine, 3);
    if (inliers.size() < similar.size()) inliers = similar;
    fit_all(fit_homography, 4);
    return best;
  }

  [[nodiscard]] std::vector<PointPair> pairs_of(const Indices& indices) const {
    std::vector<PointPair> pairs;
    pairs.reserve(indices.size());
    for (const std::uint32_t i : indices) pairs.push_back({matches_[i].at_a, matches_[i].at_b});
    return pairs;
  }

  // Those within the tolerance that have the map's scale and direction, each key point once.
  [[nodiscard]] Indices gather(const PlanarMap& map, double factor) {
    const Parts parts = parts_of(map.slope({size_a_.width / 2, size_a_.height / 2}));
    const double scale = parts.scale();
    const double reach = factor * tolerance(scale);
    Indices inliers;
    ++round_;
    for (std::uint32_t i = 0; i < matches_.size(); ++i) {
      const PlacedMatch& match = matches_[i];
      if (used_a_[match.a] == round_ || used_b_[match.b] == round_) continue;
      const Point at = map(match.at_a);
      const double ex = at.x - match.at_b.x;
      const double ey = at.y - match.at_b.y;
      if (!(ex * ex + ey * ey <= reach * reach)) continue;
      const double own = std::sqrt(match.turn.x * match.turn.x + match.turn.y * match.turn.y);
      if (own > scale * kScaleSlack || scale > own * kScaleSlack) continue;
      const double dot = match.turn.x * parts.similar.x + match.turn.y * parts.similar.y;
      if (dot < kTurnSlack * own * scale) continue;
      used_a_[match.a] = round_;
      used_b_[match.b] = round_;
      inliers.push_back(i);
    }
    return inliers;
  }

  // No mirror image, no extreme scale, stretch or perspective.
  [[nodiscard]] bool plausible(const PlanarMap& map) const {
    const Point centre{size_a_.width / 2, size_a_.height / 2};
    const double middle = map.weight(centre);
    for (const Point corner : kUnitCorners) {
      const double weight = map.weight({corner.x * size_a_.width, corner.y * size_a_.height});
      if (!(weight * kLargestPerspective >= middle && weight <= middle * kLargestPerspective)) {
        return false;
      }
    }
    const Parts parts = parts_of(map.slope(centre));
    const double scale = parts.scale();
    const double stretch =
        std::sqrt(parts.stretch.x * parts.stretch.x + parts.stretch.y * parts.stretch.y);
    const double most = options_.largest_stretch;
    return scale <= options_.largest_scale && scale * options_.largest_scale >= 1 &&
           stretch * (most + 1) <= scale * (most - 1);
  }

  [[nodiscard]] Consensus judged(const PlanarMap& map, const Indices& inliers,
                                 std::uint32_t freedom) const {
    const double scale = parts_of(map.slope({size_a_.width / 2, size_a_.height / 2})).scale();
    Consensus result{
        .map = map, .evidence = 0, .places = distinct_places(inliers), .inliers = inliers};
    result.evidence = evidence_of(static_cast<std::uint32_t>(matches_.size()), result.places,
                                  freedom, chance(scale));
    return result;
  }

  [[nodiscard]] std::uint32_t distinct_places(const Indices& inliers) const {
    std::vector<bool> taken_a(std::size_t{kPlaces} * kPlaces);
    std::vector<bool> taken_b(taken_a.size());
    const auto place = [](Point at, PictureSize size) {
      const auto step = [](double share) {
        return static_cast<std::uint32_t>(std::clamp(share, 0.0, 0.999999) * kPlaces);
      };
      return step(at.y / size.height) * kPlaces + step(at.x / size.width);
    };
    std::uint32_t count = 0;
    for (const std::uint32_t i : inliers) {
      const std::uint32_t a = place(matches_[i].at_a, size_a_);
      const std::uint32_t b = place(matches_[i].at_b, size_b_);
      if (taken_a[a] || taken_b[b]) continue;
      taken_a[a] = true;
      taken_b[b] = true;
      ++count;
    }
    return count;
  }

  std::span<const PlacedMatch> matches_;
  PictureSize size_a_;
  PictureSize size_b_;
  const ConsensusOptions& options_;
  std::vector<float> ax_, ay_, bx_, by_, p_, q_;  // of each match
  std::vector<std::uint32_t> used_a_;             // the last round in which a key point was taken
  std::vector<std::uint32_t> used_b_;
  std::uint32_t round_ = 0;
};

}  // namespace

double evidence_of(std::uint32_t matches, std::uint32_t places, std::uint32_t freedom, double p) {
  if (places <= freedom || p >= 1) return 0;
  const double n = matches - freedom;
  const double k = places - freedom;
  if (k <= n * p) return 0;
  double exponent = k * portable_log(k / (n * p));
  if (n > k) exponent += (n - k) * portable_log((n - k) / (n * (1 - p)));
  for (std::uint32_t i = 0; i < freedom; ++i) {
    exponent -= portable_log(static_cast<double>(matches - i) / (i + 1));
  }
  return std::max(0.0, exponent / std::numbers::ln10);
}

std::optional<Consensus> find_consensus(std::span<const PlacedMatch> matches, PictureSize size_a,
                                        PictureSize size_b, const ConsensusOptions& options) {
  if (matches.size() < options.least_inliers) return std::nullopt;
  return Search(matches, size_a, size_b, options).run();
}

}  // namespace twinsift
