// SPDX-License-Identifier: Apache-2.0
// HSV key frames: a film as the set of the commonest colours of its key frames.
//
// A frame is the histogram of its pixels over 16 hues x 4 saturations x 4 values.  It is a key
// frame if this differs from that of the last key frame by more than tau,
//     sum_i |a_i - b_i| / 2 > tau,   both of sum 1,
// and its fingerprint are the numbers of its m most populated bins (of equal ones the lower
// number), in ascending order.  The film is the set of these fingerprints.
//
// For linkage the film is cut into segments by the same rule with a larger tau2: a segment ends
// where a frame differs by more than tau2 from the segment's first one, which is a key frame, too.
// So what comes before a segment changes nothing in it, and a part of the film that begins at such
// a cut has the same segments as the whole.
//
// Papers:  [POND] Papapetrou et al., "Optimizing Near Duplicate Detection for P2P Networks", 2010,
//          sec. III-B.
//          H. Zhang, A. Kankanhalli, S. Smoliar, "Automatic Partitioning of Full-Motion Video",
//          Multimedia Systems 1993.
// Differs: the paper leaves bins, distance, thresholds and the order of the indices open; bins
//          without a pixel are never taken, so that a black frame has one index.
// Errata:  none of it survives brightness or a border, and bins flip when a film is encoded again:
//          see docs/algorithms/hsv_frames.md.
// Cost:    a division for each pixel, so frames should be small; 8 bytes a key frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "feature/pdq.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct HsvOptions {
  std::uint32_t bins = 5;     // m, up to 8: in a fingerprint
  double key_distance = 0.3;  // tau: of a key frame
  double cut_distance = 0.5;  // tau2: of a segment
  friend bool operator==(const HsvOptions&, const HsvOptions&) = default;
};

// "hsv1:m=5,tau=0.3,tau2=0.5"; what is left out has its default.  kInvalidArgument if it makes no
// sense: 1 <= m <= 8 and 0 <= tau <= tau2 <= 1.
Result<HsvOptions> parse_hsv_spec(std::string_view spec);
std::string hsv_spec(const HsvOptions& options);

inline constexpr std::size_t kHsvBins = 256;
using HsvHistogram = std::array<float, kHsvBins>;  // of sum 1

// Requires: 3 * width * height bytes, neither of them 0.
HsvHistogram hsv_histogram(const RgbPixels& frame);
// Half the sum of the differences: 0 to 1.
double hsv_distance(const HsvHistogram& a, const HsvHistogram& b);
// The fingerprint of a frame, hashed.  Requires: 0 < bins <= 8.
std::uint64_t hsv_fingerprint(const HsvHistogram& histogram, std::uint32_t bins);

// A stretch [begin, end) of a film, in seconds, and its fingerprints.
struct HsvSegment {
  double begin = 0;
  double end = 0;
  TokenSet fingerprints;  // a set, not empty
  friend bool operator==(const HsvSegment&, const HsvSegment&) = default;
};

// For one film; not for two threads at a time.
class HsvKeyFrames {
 public:
  // A film with fewer distinct fingerprints says too little: a black one has one, as all others.
  static constexpr std::size_t kFewest = 5;

  explicit HsvKeyFrames(const HsvOptions& options);  // Requires: as parse_hsv_spec.

  // Frames in the order of time.  Requires: as hsv_histogram.
  void add(double seconds, const RgbPixels& frame);

  // All segments, one after the other; the last one ends at the end of the film.
  [[nodiscard]] std::vector<HsvSegment> segments(double film_seconds) const;
  // The fingerprints of all key frames: a set.
  [[nodiscard]] TokenSet fingerprints() const;
  // Whether there are enough of them to be worth an index.
  [[nodiscard]] bool indexable() const { return fingerprints().size() >= kFewest; }

 private:
  HsvOptions options_;
  HsvHistogram key_{};    // of the last key frame
  HsvHistogram first_{};  // of the first frame of the segment
  std::vector<HsvSegment> segments_;
};

}  // namespace twinsift
