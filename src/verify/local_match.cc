// SPDX-License-Identifier: Apache-2.0
#include "verify/local_match.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "base/portable_trig.h"
#include "verify/agreement.h"
#include "verify/placement.h"

namespace twinsift {
namespace {

constexpr double kUnit = 65536;

Point place_of(const LocalWord& word) { return {word.x / kUnit, word.y / kUnit}; }

PictureSize size_of(const LocalWords& words) {
  return {static_cast<double>(words.width), static_cast<double>(words.height)};
}

// Directions and scales in steps of 1/256 turn and octave are fine enough for a first guess.
struct TurnTables {
  std::array<SineCosine, 256> turns{};
  std::array<double, 256> fractions{};
};

const TurnTables& turn_tables() {
  static const TurnTables tables = [] {
    TurnTables made;
    for (std::size_t i = 0; i < 256; ++i) {
      const double step = static_cast<double>(i) / 256;
      made.turns[i] = portable_sine_cosine(2 * std::numbers::pi * step);
      made.fractions[i] = portable_exp(std::numbers::ln2 * step);
    }
    return made;
  }();
  return tables;
}

Point turn_of(const LocalWord& a, const LocalWord& b) {
  const TurnTables& tables = turn_tables();
  const auto angle = static_cast<std::uint16_t>(b.angle - a.angle + 128);
  const SineCosine& turn = tables.turns[angle >> 8U];
  const int scale = int{b.scale} - int{a.scale} + 65536;  // positive, so that / and % are floors
  const int octaves = scale / 256 - 256;
  double factor = tables.fractions[static_cast<std::size_t>(scale % 256)];
  factor *= octaves >= 0 ? static_cast<double>(std::uint64_t{1} << std::min(octaves, 62))
                         : 1 / static_cast<double>(std::uint64_t{1} << std::min(-octaves, 62));
  return {factor * turn.cosine, factor * turn.sine};
}

std::vector<PlacedMatch> placed(const LocalWords& a, const LocalWords& b,
                                const std::vector<WordMatch>& matches) {
  std::vector<PlacedMatch> result;
  result.reserve(matches.size());
  for (const WordMatch& match : matches) {
    const LocalWord& from = a.words[match.a];
    const LocalWord& to = b.words[match.b];
    const Point at_a = place_of(from);
    const Point at_b = place_of(to);
    result.push_back({.a = match.a,
                      .b = match.b,
                      .at_a = {at_a.x * a.width, at_a.y * a.height},
                      .at_b = {at_b.x * b.width, at_b.y * b.height},
                      .turn = turn_of(from, to)});
  }
  return result;
}

// Any total order will do: it makes both directions of a comparison the same computation.
bool comes_first(const LocalWords& a, const LocalWords& b) {
  const auto head = [](const LocalWords& w) {
    return std::tuple(w.words.size(), w.width, w.height);
  };
  if (head(a) != head(b)) return head(a) < head(b);
  const auto order = [](const LocalWord& w) {
    return std::tie(w.word, w.x, w.y, w.scale, w.angle, w.signature);
  };
  return !std::ranges::lexicographical_compare(b.words, a.words, {}, order, order);
}

double span_of(const std::vector<PointPair>& points, Point PointPair::*member) {
  std::vector<Point> places;
  places.reserve(points.size());
  for (const PointPair& pair : points) places.push_back(pair.*member);
  return polygon_area(convex_hull(places));
}

double score_of(const LocalMatch& match, const LocalMatchOptions& options) {
  const double x = std::min({match.evidence / options.evidence,
                             std::min(match.span_a, match.span_b) / options.span,
                             match.agreement / options.agreement});
  return x / (x + 2.0 / 3);
}

std::optional<LocalMatch> match_in_order(const LocalWords& a, const LocalWords& b,
                                         const LocalMatchOptions& options) {
  const std::vector<WordMatch> tentative = match_words(a, b, options.words);
  if (tentative.size() < options.consensus.least_inliers) return std::nullopt;
  const std::vector<PlacedMatch> matches = placed(a, b, tentative);
  const auto consensus = find_consensus(matches, size_of(a), size_of(b), options.consensus);
  if (!consensus) return std::nullopt;

  const PlanarMap map = compose(scaling(1.0 / b.width, 1.0 / b.height),
                                compose(consensus->map, scaling(a.width, a.height)));
  auto placement = placement_of(map, size_of(a), size_of(b));
  if (!placement) return std::nullopt;
  for (const std::uint32_t i : consensus->inliers) {
    placement->points.push_back({place_of(a.words[matches[i].a]), place_of(b.words[matches[i].b])});
  }
  LocalMatch match{.placement = {},
                   .score = 0,
                   .evidence = consensus->evidence,
                   .span_a = span_of(placement->points, &PointPair::a),
                   .span_b = span_of(placement->points, &PointPair::b),
                   .agreement = 1,
                   .inliers = static_cast<std::uint32_t>(consensus->inliers.size()),
                   .tentative = static_cast<std::uint32_t>(tentative.size())};
  if (score_of(match, options) < options.least_score) return std::nullopt;
  match.agreement = agreement_of(a, b,
                                 {.a_to_b = {.m = placement->a_to_b},
                                  .b_to_a = *inverse({.m = placement->a_to_b}),
                                  .scale = placement->scale,
                                  .cells_in_a = placement->covered_a >= placement->covered_b},
                                 placement->points);
  match.score = score_of(match, options);
  match.placement = std::move(*placement);
  if (match.score < options.least_score) return std::nullopt;
  return match;
}

}  // namespace

std::optional<LocalMatch> match_local(const LocalWords& a, const LocalWords& b,
                                      const LocalMatchOptions& options) {
  if (a.words.empty() || b.words.empty()) return std::nullopt;
  if (comes_first(a, b)) return match_in_order(a, b, options);
  auto match = match_in_order(b, a, options);
  if (!match) return std::nullopt;
  auto placement = reversed(match->placement, size_of(b), size_of(a));
  if (!placement) return std::nullopt;
  match->placement = std::move(*placement);
  std::swap(match->span_a, match->span_b);
  return match;
}

LocalMatch seen_from_b(LocalMatch match, const LocalWords& a, const LocalWords& b) {
  // What has a placement can be seen from either side.
  match.placement = reversed(match.placement, size_of(a), size_of(b)).value_or(match.placement);
  std::swap(match.span_a, match.span_b);
  return match;
}

LocalMatch unmirrored(LocalMatch match, const LocalWords& a, const LocalWords& b) {
  const PlanarMap flip{.m = {-1, 0, 1, 0, 1, 0, 0, 0, 1}};
  auto placement =
      placement_of(compose(flip, {.m = match.placement.a_to_b}), size_of(a), size_of(b));
  placement->points = std::move(match.placement.points);
  for (PointPair& pair : placement->points) pair.b.x = 1 - pair.b.x;
  match.placement = std::move(*placement);
  return match;
}

std::optional<LocalMatch> match_local_or_mirrored(const LocalWords& a, const LocalWords& b,
                                                  const LocalWords& mirrored_b,
                                                  const LocalMatchOptions& options) {
  auto plain = match_local(a, b, options);
  auto mirrored = match_local(a, mirrored_b, options);
  if (!mirrored || (plain && plain->score >= mirrored->score)) return plain;
  return unmirrored(std::move(*mirrored), a, mirrored_b);
}

}  // namespace twinsift
