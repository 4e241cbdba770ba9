// SPDX-License-Identifier: Apache-2.0
// Vectors with hot spots for the tests of their indexes: what the medium of a collection looks
// like.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/normal.h"
#include "base/random.h"
#include "index/vector_index.h"

namespace twinsift {

struct TestVectors {
  std::vector<float> values;
  std::size_t dimension = 0;
  [[nodiscard]] VectorRows rows() const { return {values, dimension}; }
};

// A few hot spots with a third of all vectors, groups of four with the others.
inline TestVectors make_test_vectors(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  Rng rng(seed);
  TestVectors made{.values = {}, .dimension = dimension};
  std::vector<double> centre(dimension);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t group = i < count / 3 ? count / 9 + 1 : 4;
    if (i % group == 0 || i == count / 3) {
      for (double& c : centre) c = normal(rng);
    }
    for (const double c : centre) {
      made.values.push_back(static_cast<float>(c + 0.15 * normal(rng)));
    }
  }
  return made;
}

inline std::vector<float> near_vector(const TestVectors& vectors, Rng& rng) {
  const VectorRows rows = vectors.rows();
  const VectorView row = rows[rng.below(static_cast<std::uint32_t>(rows.size()))];
  std::vector<float> moved(row.begin(), row.end());
  for (float& x : moved) x += static_cast<float>(0.1 * normal(rng));
  return moved;
}

inline std::vector<ItemId> candidates(const VectorIndex& index, VectorView question) {
  std::vector<ItemId> out = {77};  // is replaced
  EXPECT_TRUE(index.candidates(question, out));
  EXPECT_TRUE(std::ranges::is_sorted(out));
  EXPECT_EQ(std::ranges::adjacent_find(out), out.end());
  return out;
}

// What every index of vectors has to refuse.
inline void expect_refusals(std::string_view spec) {
  const TestVectors vectors = make_test_vectors(50, 8, 1);
  const auto index = make_vector_index(spec, vectors.rows(), vectors.rows());
  ASSERT_TRUE(index) << spec;
  const auto code = [](const Status& status) {
    return status ? ErrorCode::kIo : status.error().code;
  };
  std::vector<ItemId> out;
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    std::vector<float> vector(8);
    vector[3] = bad;
    EXPECT_EQ(code((*index)->candidates(vector, out)), ErrorCode::kInvalidArgument);
    EXPECT_FALSE((*index)->insert(60, vector));
    EXPECT_FALSE(make_vector_index(spec, {vector, 8}, vectors.rows()));
    EXPECT_FALSE(make_vector_index(spec, vectors.rows(), {vector, 8}));
  }
  for (const std::size_t length : {0UL, 7UL, 9UL}) {
    const std::vector<float> vector(length);
    EXPECT_EQ(code((*index)->candidates(vector, out)), ErrorCode::kInvalidArgument);
    EXPECT_FALSE((*index)->insert(60, vector));
    EXPECT_FALSE(make_vector_index(spec, vectors.rows(), {vector, length}));
  }
  EXPECT_FALSE(make_vector_index(spec, {}, {}));
  EXPECT_FALSE((*index)->insert(7, std::vector<float>(8)));
  EXPECT_FALSE((*index)->erase(50));
  EXPECT_EQ((*index)->size(), 50U);
}

inline void expect_bad_specs(std::initializer_list<const char*> specs) {
  const TestVectors vectors = make_test_vectors(20, 8, 1);
  for (const char* spec : specs) {
    const auto made = make_vector_index(spec, vectors.rows(), vectors.rows());
    ASSERT_FALSE(made) << spec;
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
  }
}

inline std::string canonical(std::string_view spec) {
  const TestVectors vectors = make_test_vectors(20, 16, 1);
  return (*make_vector_index(spec, vectors.rows(), vectors.rows()))->spec();
}

}  // namespace twinsift
