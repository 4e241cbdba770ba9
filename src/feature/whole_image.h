// SPDX-License-Identifier: Apache-2.0
// The 256-bit code of a whole picture: copies of a photo differ in few of its bits.
//
// Each bit says on which side of a plane the gist of the picture lies.  The planes were fitted to
// photos and copies of them: those across which photos differ most and copies least
// (learn/code_fit.h).  All arithmetic is of integers, so that a code is the same on every machine,
// and the eight codes of a turned or mirrored picture follow from one gist.
//
// Cost: 98,304 multiplications of 8 by 16 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "feature/gist.h"
#include "feature/thumbnail.h"
#include "twinsift/result.h"

namespace twinsift {

inline constexpr std::size_t kImageCodeBits = 256;

// Bit i is bit i % 64 of word i / 64.
using ImageCode = std::array<std::uint64_t, kImageCodeBits / 64>;

// A picture with less information than this is blank, or nearly so: its code says nothing, and
// only equal pixels make it a copy.
inline constexpr int kLeastInformation = 8;

struct WholeImage {
  ImageCode code{};
  int information = 0;  // see Gist
};

// Thread-safe.
class CodeModel {
 public:
  // One plane for each bit: the bit is set if the product of its weights and the gist is above its
  // threshold.
  struct Planes {
    std::vector<std::int8_t> weights;  // kGistLength for each bit
    std::array<std::int32_t, kImageCodeBits> thresholds{};
  };

  // docs/models.md describes the bytes.  kCorrupt: they are none, or damaged.
  static Result<CodeModel> parse(std::span<const std::byte> bytes);
  static std::string write(const Planes& planes);

  // The one that is part of the program.
  static const CodeModel& shipped();

  [[nodiscard]] WholeImage describe(const Thumbnail& thumbnail) const;
  [[nodiscard]] ImageCode code_of(const Thumbnail& thumbnail) const;
  [[nodiscard]] ImageCode code_of(const Gist& gist) const;
  // Entry o is code_of(oriented(thumbnail, o)).
  [[nodiscard]] std::array<ImageCode, kOrientations> codes_of_orientations(
      const Thumbnail& thumbnail) const;

 private:
  explicit CodeModel(Planes planes) : planes_(std::move(planes)) {}

  Planes planes_;
};

// Of the picture itself; see kLeastInformation.
int information_of(const Thumbnail& thumbnail);

// The products of the weights of each of `out` planes and the gist.
void project(std::span<const std::int8_t> weights, const Gist& gist, std::span<std::int32_t> out);
void project_scalar(std::span<const std::int8_t> weights, const Gist& gist,
                    std::span<std::int32_t> out);

}  // namespace twinsift
