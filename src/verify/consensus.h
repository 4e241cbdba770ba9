// SPDX-License-Identifier: Apache-2.0
// The map from one picture to another that most of their matches agree on, and whether so many
// can agree by chance.
//
// Each match alone gives a similarity, because key points know their place, scale and direction:
// so all hypotheses can be tried, and nothing is random.  The best few are refined by least squares
// to a similarity, an affine map and a homography, each on the matches that fit the one before.
//
// Of n matches k agree with a map that s of them determine (2, 3 or 4).  If a match agrees by
// chance with probability p, then maps as good as this one are expected
//     NFA = C(n, s) P(Bin(n - s, p) >= k - s)  <=  n^s / s!  exp(-(n - s) D((k - s) / (n - s) ||
//     p))
// times between unrelated pictures: the number of false alarms of [MS04], with the bound of
// Chernoff for the tail.  `evidence` is -log10 of it.  The map with the most evidence wins, so that
// a freer one must earn its freedom.  p is the share of the picture within the tolerance of a
// place; that scale and direction must agree, too, pays for key points not being spread evenly.
// Matches from one place count once: key points of several scales or directions, or a dense
// pattern, are no independent witnesses.
//
// Papers:  [PCISZ07] Philbin, Chum, Isard, Sivic, Zisserman, "Object Retrieval with Large
//          Vocabularies and Fast Spatial Matching", CVPR 2007 (one match, one hypothesis).
//          [MS04] Moisan, Stival, "A Probabilistic Criterion to Detect Rigid Point Matches between
//          Two Images and Estimate the Fundamental Matrix", IJCV 2004.
// Differs: no random samples; the tolerance is fixed, where [MS04] chooses it.
// Cost:    n^2 steps of 2 ns if unrelated; for true copies an early hypothesis explains half of the
//          matches and ends the search.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/planar.h"

namespace twinsift {

struct PlacedMatch {
  std::uint32_t a = 0;  // key points
  std::uint32_t b = 0;
  Point at_a;  // pixels
  Point at_b;
  Point turn;  // scale_b / scale_a times the direction (cosine, sine) of angle_b - angle_a
};

struct PictureSize {
  double width = 0;
  double height = 0;
};

struct Consensus {
  PlanarMap map;  // from pixels of a to pixels of b
  double evidence = 0;
  std::uint32_t places = 0;            // inliers that count
  std::vector<std::uint32_t> inliers;  // places in matches; one-to-one
};

struct ConsensusOptions {
  double tolerance = 0.012;      // of the picture's side, in each of the pictures
  double largest_scale = 8;      // up or down
  double largest_stretch = 2;    // of one direction in relation to the other
  std::size_t hypotheses = 256;  // tried at most, in the order of the matches
  std::uint32_t least_inliers = 5;
};

// The best map with at least so many inliers; nothing if there is none.
// Requires: matches are in the order of their quality, sizes positive.
std::optional<Consensus> find_consensus(std::span<const PlacedMatch> matches, PictureSize size_a,
                                        PictureSize size_b, const ConsensusOptions& options);

// -log10 of the bound above.  Requires: places <= matches, 0 < p.
double evidence_of(std::uint32_t matches, std::uint32_t places, std::uint32_t freedom, double p);

}  // namespace twinsift
