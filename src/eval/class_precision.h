// SPDX-License-Identifier: Apache-2.0
// The mRP of pictures with classes: of the first k that a search returns, the share of those that
// are of the question's class, mean over the questions.
//
// Pictures at equal distances come in any order, so the expected share counts; what a search does
// not return is not of the class.
//
// Papers: W. Hu et al., 2018, eq. 29, which lacks the mean over the questions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/vector_index.h"
#include "twinsift/result.h"

namespace twinsift {

inline constexpr std::array<std::size_t, 8> kReturned = {50,   100,  200,  500,
                                                         1000, 2000, 5000, 10'000};
using PrecisionCurve = std::array<double, kReturned.size()>;  // at each of these k

// What is stored and what is asked, with the class of each.
struct ClassQuestions {
  std::span<const std::uint32_t> stored;
  std::span<const std::uint32_t> asked;
  unsigned threads = 1;
};

// By codes of `words` words each, ranked by how many bits differ.
PrecisionCurve precision_of_codes(const ClassQuestions& classes,
                                  std::span<const std::uint64_t> stored,
                                  std::span<const std::uint64_t> asked, std::size_t words);

// By vectors, ranked by their distance: among all, and among what each index gives.
struct VectorPrecision {
  PrecisionCurve curve{};
  double candidates = 0;  // of a question, on average
};
Result<std::vector<VectorPrecision>> precision_of_vectors(
    const ClassQuestions& classes, const VectorRows& stored, const VectorRows& asked,
    std::span<const VectorIndex* const> indexes);  // the first answer is that of all vectors

}  // namespace twinsift
