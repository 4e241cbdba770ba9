// SPDX-License-Identifier: Apache-2.0
// The learned code of a picture: a small convolutional network, as `twinsift train siamese` wrote
// it (learn/siamese.h).
//
// A picture becomes a square of side x side pixels; a fixed stem of filters, three blocks of two
// 3 x 3 convolutions and the maximum of each cell follow; then come d features (the paper's FC8)
// and V numbers (its latent layer H), whose signs are the code.  A mirrored network looks at the
// picture and at its mirror image, and takes the mean of their maxima: both then have one code.  A
// shifted one looks at the picture one pixel further up and left and one further down and right as
// well, each of which counts half as much.
//
// If the network has learnt to tell classes, the features may be how likely each of them is: what
// the network takes a picture for, whatever else it looks like.
//
// Papers: W. Hu et al., "Deep constrained siamese hash coding network and load-balanced
//         locality-sensitive hashing for near duplicate image detection", 2018, section III.
// Differs: a small network in place of AlexNet.  The stem of whitening filters and the looks at
//         mirrored and shifted pictures are those of K. Jordan, "94 % on CIFAR-10 in 3.29 seconds
//         on a single GPU", 2024.  What normalised the layers while they were trained is part of
//         their weights here.
// Cost:   multiplications() for a picture.  Sums are in a fixed order and fused (base/matrix.h), so
//         that codes are the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "feature/convolve.h"
#include "twinsift/result.h"

namespace twinsift {

struct HashNetShape {
  std::size_t side = 32;    // of the square, in pixels
  std::size_t colours = 3;  // 1: grey
  std::size_t stem_kernel = 3;
  std::size_t stem_stride = 1;
  std::size_t stem = 32;  // filters
  std::array<std::size_t, 3> widths = {64, 128, 256};
  std::size_t cells = 1;  // in which the maxima are taken, on each side
  std::size_t features = 256;
  std::size_t bits = 48;
  bool mirrored = false;  // looks at mirror images, too; says nothing of how it was trained
  bool shifted = false;   // and at shifted ones; likewise
  bool shares = false;    // a feature for each class: its share

  static constexpr std::size_t kConvolutions = 6;
  [[nodiscard]] std::size_t last_side() const { return side / stem_stride / 8; }
  [[nodiscard]] std::size_t pooled() const { return widths[2] * cells * cells; }
  [[nodiscard]] ConvolutionShape stem_layer() const;
  [[nodiscard]] ConvolutionShape convolution_layer(std::size_t i) const;  // i < kConvolutions
  // kInvalidArgument: such a network cannot be.
  [[nodiscard]] Status check() const;
  friend bool operator==(const HashNetShape&, const HashNetShape&) = default;
};

// The numbers of a trained network.
struct HashWeights {
  std::vector<float> stem;
  std::array<std::vector<float>, HashNetShape::kConvolutions> convolutions;
  std::array<std::vector<float>, HashNetShape::kConvolutions> shifts;  // added before the cut at 0
  std::vector<float> features, feature_bias;
  std::vector<float> latent, latent_bias;

  // All of them, in the order of the file, with the sizes they must have.
  struct Part {
    std::vector<float>* numbers;
    std::size_t size;
    bool half;  // stored with 16 bits each instead of 32
  };
  [[nodiscard]] std::vector<Part> parts(const HashNetShape& shape);
};

// In how many bits the codes of strangers hardly ever differ as little: see learn/calibrate.h.
struct HashCalibration {
  std::uint32_t near = 0;  // one pair of strangers in a million: the score 0.8
  std::uint32_t far = 0;   // one in ten thousand: the score 0.4; not below `near`
  friend bool operator==(const HashCalibration&, const HashCalibration&) = default;
};

// Byte value v of a pixel goes into a network as (v - 120) / 64.
inline float to_input(std::uint8_t value) { return (static_cast<float>(value) - 120.0F) / 64.0F; }

// The share of a class with score x is exp(kScoreScale x), divided by the sum over all.  Scores are
// small at first, so that no class is believed in too soon while they are learnt.
inline constexpr float kScoreScale = 0.2F;

struct HashDescription {
  // Of length 1, or all 0: their direction tells what a picture shows, their length how plainly.
  // Shares have that length, too.
  std::vector<float> features;
  std::vector<float> latent;        // the code is their signs
  std::vector<std::uint64_t> code;  // bit i is bit i % 64 of word i / 64: 1 if latent[i] > 0
};

// Immutable; shared by threads.
class HashModel {
 public:
  // docs/models.md describes the bytes.  kCorrupt: damaged, or numbers that are none; kUnsupported:
  // of another version.
  static Result<HashModel> parse(std::span<const std::byte> bytes);
  // Numbers that 16 bits cannot hold are rounded.  Requires: the sizes of parts().
  static std::string write(const HashNetShape& shape, HashWeights weights,
                           const HashCalibration& calibration = {});
  // From a file; the message names it.
  static Result<HashModel> load(const std::string& path);

  [[nodiscard]] const HashNetShape& shape() const { return shape_; }
  [[nodiscard]] const HashWeights& weights() const { return weights_; }
  [[nodiscard]] const HashCalibration& calibration() const { return calibration_; }
  // "siamese1:bits=48,features=256,id=0123456789abcdef": codes of different models must not meet.
  [[nodiscard]] const std::string& spec() const { return spec_; }
  [[nodiscard]] std::uint64_t multiplications() const;

  // Requires: side * side pixels of `colours` bytes each.
  [[nodiscard]] HashDescription describe(std::span<const std::uint8_t> square) const;

  // The same in two steps: what is seen, the maximum of each cell and channel after the
  // convolutions, and what is made of it.  Models with the same convolutions see the same.
  [[nodiscard]] std::vector<float> see(std::span<const std::uint8_t> square) const;
  [[nodiscard]] HashDescription describe_seen(std::span<const float> seen) const;
  [[nodiscard]] bool sees_as(const HashModel& other) const;

 private:
  HashModel(const HashNetShape& shape, HashWeights weights, const HashCalibration& calibration,
            std::string spec);
  // Of one picture, not of its mirror image; and of both.
  [[nodiscard]] std::vector<float> maxima_of(std::span<const std::uint8_t> square) const;
  [[nodiscard]] std::vector<float> see_mirrored(std::span<const std::uint8_t> square) const;

  HashNetShape shape_;
  HashCalibration calibration_;
  HashWeights weights_;
  std::string spec_;
  std::vector<ConvolutionPlan> plans_;      // of the stem, then of the others
  std::vector<std::vector<float>> panels_;  // of these, then of the two linear layers
};

}  // namespace twinsift
