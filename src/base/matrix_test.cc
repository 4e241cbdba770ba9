// SPDX-License-Identifier: Apache-2.0
#include "base/matrix.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

std::vector<float> random_numbers(std::size_t n, Rng& rng) {
  std::vector<float> numbers(n);
  for (float& number : numbers) number = static_cast<float>(2 * rng.uniform() - 1);
  return numbers;
}

constexpr MatrixKernel kFast[] = {MatrixKernel::kAvx2, MatrixKernel::kAvx512};

struct Size {
  std::size_t rows, inner, columns;
};
// Around the sizes of blocks (5, 6, 8, 12 rows; 16, 32 columns) and steps (64, 192).
constexpr Size kSizes[] = {{1, 1, 1},     {3, 7, 5},     {5, 64, 16},   {8, 65, 32},
                           {13, 192, 33}, {25, 193, 47}, {12, 400, 64}, {7, 0, 9}};

// The surroundings of pixels overlap: so do the rows of A here.
TEST(Matrix, EveryKernelGivesTheBitsOfThePlainLoop) {
  Rng rng(1);
  for (const auto& [rows, inner, columns] : kSizes) {
    std::vector<std::int64_t> a_rows, c_rows;
    for (std::size_t i = 0; i < rows; ++i) {
      a_rows.push_back(static_cast<std::int64_t>(3 * i));
      c_rows.push_back(static_cast<std::int64_t>((rows - 1 - i) * (columns + 2)));
    }
    const auto a = random_numbers(3 * rows + inner, rng);
    const auto b = random_numbers(inner * (columns + 1) + 1, rng);
    const auto c = random_numbers(rows * (columns + 2), rng);
    for (const bool add : {false, true}) {
      const auto by = [&](MatrixKernel kernel) {
        std::vector<float> out = c;
        multiply_by(kernel, {.a = a.data(),
                             .a_rows = a_rows,
                             .b = b.data(),
                             .b_row = static_cast<std::int64_t>(columns + 1),
                             .c = out.data(),
                             .c_rows = c_rows,
                             .inner = inner,
                             .columns = columns,
                             .add = add});
        return out;
      };
      const auto plain = by(MatrixKernel::kScalar);
      for (const MatrixKernel kernel : kFast) {
        if (!can_multiply_by(kernel)) continue;
        EXPECT_EQ(by(kernel), plain) << rows << " " << columns;
      }
    }
  }
}

TEST(Matrix, EveryKernelOfOuterProductsGivesTheBitsOfThePlainLoop) {
  Rng rng(2);
  for (const auto& [rows, inner, columns] : kSizes) {
    std::vector<std::int64_t> a_inner, b_inner;
    for (std::size_t k = 0; k < inner; ++k) {
      a_inner.push_back(static_cast<std::int64_t>(2 * k));
      b_inner.push_back(static_cast<std::int64_t>((inner - 1 - k) * columns));
    }
    const auto a = random_numbers(2 * inner + rows, rng);
    const auto b = random_numbers(inner * columns + 1, rng);
    const auto c = random_numbers(rows * columns, rng);
    const auto by = [&](MatrixKernel kernel) {
      std::vector<float> out = c;
      add_outer_by(kernel, {.a = a.data(),
                            .a_inner = a_inner,
                            .b = b.data(),
                            .b_inner = b_inner,
                            .c = out.data(),
                            .rows = rows,
                            .columns = columns});
      return out;
    };
    const auto plain = by(MatrixKernel::kScalar);
    for (const MatrixKernel kernel : kFast) {
      if (!can_multiply_by(kernel)) continue;
      EXPECT_EQ(by(kernel), plain) << rows << " " << columns;
    }
  }
}

TEST(Matrix, ProductIsTheSumOfProducts) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};     // 2 x 3
  const std::vector<float> b = {1, -1, 0, 2, 10, 20};  // 3 x 2
  const std::vector<std::int64_t> a_rows = {0, 3};
  const std::vector<std::int64_t> c_rows = {0, 2};
  std::vector<float> c(4, 100);
  MatrixProduct<float> product{.a = a.data(),
                               .a_rows = a_rows,
                               .b = b.data(),
                               .b_row = 2,
                               .c = c.data(),
                               .c_rows = c_rows,
                               .inner = 3,
                               .columns = 2};
  multiply(product);
  EXPECT_EQ(c, (std::vector<float>{31, 63, 64, 126}));
  product.add = true;
  multiply(product);
  EXPECT_EQ(c, (std::vector<float>{62, 126, 128, 252}));
}

}  // namespace
}  // namespace twinsift
