// SPDX-License-Identifier: Apache-2.0
#include "feature/hash_model.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "base/random.h"
#include "learn/hash_net.h"

namespace twinsift {
namespace {

constexpr HashNetShape kShape{.side = 32,
                              .colours = 3,
                              .stem_kernel = 5,
                              .stem_stride = 2,
                              .stem = 6,
                              .widths = {8, 9, 33},
                              .cells = 2,
                              .features = 20,
                              .bits = 70};

HashWeights random_weights(const HashNetShape& shape, std::uint64_t seed) {
  Rng rng(seed);
  HashWeights weights;
  for (const auto& part : weights.parts(shape)) {
    for (std::size_t i = 0; i < part.size; ++i) {
      part.numbers->push_back(static_cast<float>(rng.uniform() - .5));
    }
  }
  return weights;
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::vector<std::uint8_t> random_square(const HashNetShape& shape, Rng& rng) {
  std::vector<std::uint8_t> square(shape.side * shape.side * shape.colours);
  for (auto& value : square) value = static_cast<std::uint8_t>(rng.below(256));
  return square;
}

// As the definition says, pixel by pixel, in double precision.
std::vector<double> plain_convolution(const std::vector<double>& in, const ConvolutionShape& shape,
                                      const std::vector<float>& weights) {
  const auto side = static_cast<int>(shape.side);
  const auto border = static_cast<int>(shape.border());
  std::vector<double> out;
  for (std::size_t y = 0; y < shape.middle_side(); ++y) {
    for (std::size_t x = 0; x < shape.middle_side(); ++x) {
      for (std::size_t o = 0; o < shape.out; ++o) {
        double sum = 0;
        for (std::size_t tap = 0; tap < shape.kernel * shape.kernel; ++tap) {
          const int row = static_cast<int>(y * shape.stride + tap / shape.kernel) - border;
          const int column = static_cast<int>(x * shape.stride + tap % shape.kernel) - border;
          if (row < 0 || column < 0 || row >= side || column >= side) continue;
          for (std::size_t i = 0; i < shape.in; ++i) {
            sum += in[static_cast<std::size_t>(row * side + column) * shape.in + i] *
                   double(weights[(tap * shape.in + i) * shape.out + o]);
          }
        }
        out.push_back(sum);
      }
    }
  }
  return out;
}

// From a model that was written and read: its numbers are those of the file.
std::vector<double> plain_latent(const HashNetShape& shape, HashWeights& w,
                                 const std::vector<std::uint8_t>& square) {
  std::vector<double> map;
  for (const std::uint8_t value : square) map.push_back(double(to_input(value)));
  for (std::size_t layer = 0; layer <= HashNetShape::kConvolutions; ++layer) {
    const ConvolutionShape s = layer == 0 ? shape.stem_layer() : shape.convolution_layer(layer - 1);
    const auto middle = plain_convolution(map, s, layer == 0 ? w.stem : w.convolutions[layer - 1]);
    const std::size_t m = s.middle_side();
    const std::size_t step = s.pool ? 2 : 1;
    map.clear();
    for (std::size_t y = 0; y < s.out_side(); ++y) {
      for (std::size_t x = 0; x < s.out_side(); ++x) {
        for (std::size_t o = 0; o < s.out; ++o) {
          double most = -1e300;
          for (std::size_t cell = 0; cell < step * step; ++cell) {
            const std::size_t at = (step * y + cell / step) * m + step * x + cell % step;
            most = std::max(most, middle[at * s.out + o]);
          }
          const double shift = layer == 0 ? 0 : double(w.shifts[layer - 1][o]);
          map.push_back(std::max(most + shift, 0.0));
        }
      }
    }
  }
  const std::size_t channels = shape.widths[2];
  std::vector<double> pooled(shape.pooled());
  const std::size_t width = shape.last_side() / shape.cells;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::size_t pixel = i / channels;
    const std::size_t y = pixel / shape.last_side() / width;
    const std::size_t x = pixel % shape.last_side() / width;
    double& cell = pooled[(y * shape.cells + x) * channels + i % channels];
    cell = std::max(cell, map[i]);
  }
  const auto linear = [](const std::vector<double>& in, const std::vector<float>& matrix,
                         const std::vector<float>& bias) {
    std::vector<double> out(bias.begin(), bias.end());
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      out[i % bias.size()] += in[i / bias.size()] * double(matrix[i]);
    }
    return out;
  };
  return linear(linear(pooled, w.features, w.feature_bias), w.latent, w.latent_bias);
}

TEST(HashModel, DescribesAsTheDefinitionSays) {
  Rng rng(1);
  HashWeights weights = random_weights(kShape, 2);
  const auto model = HashModel::parse(bytes_of(HashModel::write(kShape, weights)));
  ASSERT_TRUE(model);
  // 16 bits hold eleven of the fraction: the reference must have the same numbers.
  for (const auto& part : weights.parts(kShape)) {
    if (!part.half) continue;
    for (float& number : *part.numbers) {
      const float unit = std::ldexp(1.0F, std::ilogb(number) - 10);
      number = std::abs(number) < 0x1p-14F ? std::nearbyint(number * 0x1p24F) * 0x1p-24F
                                           : std::nearbyint(number / unit) * unit;
    }
  }
  const auto square = random_square(kShape, rng);
  const HashDescription description = model->describe(square);
  const auto expected = plain_latent(kShape, weights, square);
  double size = 0;
  for (const double value : expected) size = std::max(size, std::abs(value));
  ASSERT_EQ(description.latent.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(double(description.latent[i]), expected[i], 1e-5 * size) << i;
    EXPECT_EQ((description.code[i / 64] >> i % 64 & 1U) != 0, description.latent[i] > 0);
  }
  EXPECT_EQ(description.code.size(), 2U);
  // The latent layer takes the features with the length they had: it is found by what fits.
  ASSERT_EQ(description.features.size(), 20U);
  double norm = 0, along = 0, fits = 0;
  for (const float x : description.features) norm += double(x) * double(x);
  EXPECT_NEAR(norm, 1, 1e-6);
  const auto latent_of = [&](std::size_t i) {
    double sum = 0;
    for (std::size_t f = 0; f < 20; ++f) {
      sum += double(description.features[f]) * double(weights.latent[f * kShape.bits + i]);
    }
    return sum;
  };
  for (std::size_t i = 0; i < kShape.bits; ++i) {
    along += latent_of(i) * latent_of(i);
    fits += latent_of(i) * (expected[i] - double(weights.latent_bias[i]));
  }
  const double length = fits / along;
  for (std::size_t i = 0; i < kShape.bits; ++i) {
    EXPECT_NEAR(length * latent_of(i) + double(weights.latent_bias[i]), expected[i], 1e-5 * size);
  }
}

// What training ends with is what the model computes.
TEST(HashModel, IsTheNetworkThatWasTrained) {
  Rng rng(3);
  HashNet<float> net(kShape);
  Maps<float> pictures(8, 32, 3, 2);
  std::vector<std::vector<std::uint8_t>> squares;
  for (std::size_t i = 0; i < 8; ++i) {
    squares.push_back(random_square(kShape, rng));
    for (std::size_t p = 0; p < squares[i].size(); ++p) {
      pictures.pixel(i, p / 96, p / 3 % 32)[p % 3] = to_input(squares[i][p]);
    }
  }
  net.initialise(rng);
  net.fit_stem(pictures);
  for (int i = 0; i < 3; ++i) net.forward(pictures, true, 1);  // running means
  net.forward(pictures, false, 1);
  const auto model = HashModel::parse(bytes_of(HashModel::write(kShape, net.folded())));
  ASSERT_TRUE(model);
  for (std::size_t i = 0; i < 8; ++i) {
    const HashDescription description = model->describe(squares[i]);
    for (std::size_t v = 0; v < kShape.bits; ++v) {
      EXPECT_NEAR(std::tanh(description.latent[v]), net.codes()[i * kShape.bits + v], 0.02F);
    }
  }
}

TEST(HashModel, KeepsNumbersOfAllSizesInSixteenBits) {
  HashWeights weights = random_weights(kShape, 4);
  std::vector<float>& numbers = weights.latent;
  const std::vector<float> exact = {0,        1,        -1,        0.5F,         65504,      -65504,
                                    0x1p-14F, 0x1p-24F, -0x1p-24F, 1 + 0x1p-10F, 0x3FFp-24F, 1023};
  std::ranges::copy(exact, numbers.begin());
  numbers[20] = 1e9F;          // too large: the largest
  numbers[21] = 1 + 0x1p-11F;  // a tie: to even
  numbers[22] = 1 + 0x3p-11F;
  numbers[23] = 0x1p-26F;  // too small: nothing
  const std::string bytes = HashModel::write(kShape, weights);
  const auto again = HashModel::parse(bytes_of(bytes));
  ASSERT_TRUE(again);
  // The latent matrix lies before the last 70 biases of four bytes.
  const std::size_t begin = bytes.size() - 70 * 4 - 2 * numbers.size();
  const auto half = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(bytes[begin + 2 * i])) |
           static_cast<unsigned>(static_cast<unsigned char>(bytes[begin + 2 * i + 1])) << 8U;
  };
  const std::vector<unsigned> expected = {0,      0x3C00, 0xBC00, 0x3800, 0x7BFF, 0xFBFF,
                                          0x0400, 0x0001, 0x8001, 0x3C01, 0x03FF, 0x63FE};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(half(i), expected[i]) << i;
  EXPECT_EQ(half(20), 0x7BFFU);
  EXPECT_EQ(half(21), 0x3C00U);
  EXPECT_EQ(half(22), 0x3C02U);
  EXPECT_EQ(half(23), 0U);
}

TEST(HashModel, RefusesWhatIsCutFlippedOrOfAnotherVersion) {
  const HashNetShape tiny{
      .side = 8, .colours = 1, .stem = 2, .widths = {2, 2, 2}, .features = 2, .bits = 2};
  const std::string bytes = HashModel::write(tiny, random_weights(tiny, 5));
  ASSERT_TRUE(HashModel::parse(bytes_of(bytes)));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(HashModel::parse(bytes_of(bytes.substr(0, length)))) << length;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    EXPECT_FALSE(HashModel::parse(bytes_of(flipped))) << i;
  }
  std::string mirrored = bytes;  // which is another network
  mirrored[6] = '2';
  EXPECT_FALSE(HashModel::parse(bytes_of(mirrored)));
  std::string newer = bytes;
  newer[6] = '4';
  const auto parsed = HashModel::parse(bytes_of(newer));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kUnsupported);
}

TEST(HashModel, RefusesFlagsThatItDoesNotKnow) {
  HashNetShape tiny{
      .side = 8, .colours = 1, .stem = 2, .widths = {2, 2, 2}, .features = 2, .bits = 2};
  tiny.shifted = true;
  std::string bytes = HashModel::write(tiny, random_weights(tiny, 5));
  ASSERT_TRUE(HashModel::parse(bytes_of(bytes)));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(HashModel::parse(bytes_of(bytes.substr(0, length)))) << length;
  }
  constexpr std::size_t kFlags = 8 + 13 * 4;
  ASSERT_EQ(bytes[kFlags], 2);
  bytes[kFlags] = 2 + 8;
  const std::string covered = bytes.substr(0, kFlags + 4) + bytes.substr(kFlags + 8);
  const std::uint32_t crc = crc32c(bytes_of(covered));
  for (std::size_t i = 0; i < 4; ++i) bytes[kFlags + 4 + i] = static_cast<char>(crc >> 8 * i);
  const auto parsed = HashModel::parse(bytes_of(bytes));
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().message.find("cannot be"), std::string::npos);
}

TEST(HashModel, RefusesNumbersThatAreNone) {
  HashWeights weights = random_weights(kShape, 6);
  weights.latent_bias[3] = std::numeric_limits<float>::quiet_NaN();
  const auto parsed = HashModel::parse(bytes_of(HashModel::write(kShape, weights)));
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().message.find("NaN"), std::string::npos);
}

TEST(HashModel, TellsModelsApart) {
  const auto a = HashModel::parse(bytes_of(HashModel::write(kShape, random_weights(kShape, 7))));
  const auto b = HashModel::parse(bytes_of(HashModel::write(kShape, random_weights(kShape, 8))));
  ASSERT_TRUE(a && b);
  EXPECT_NE(a->spec(), b->spec());
  EXPECT_EQ(a->spec().substr(0, 34), "siamese1:bits=70,features=20,id=" + a->spec().substr(32, 2));
}

// PROPERTY: a mirrored network gives a picture and its mirror image one code, and features that lie
// between those of the plain network.
TEST(HashModel, MirroredNetworkDoesNotTellLeftFromRight) {
  HashNetShape shape = kShape;
  const auto plain = HashModel::parse(bytes_of(HashModel::write(shape, random_weights(shape, 3))));
  shape.mirrored = true;
  const std::string bytes = HashModel::write(shape, random_weights(shape, 3));
  const auto mirrored = HashModel::parse(bytes_of(bytes));
  ASSERT_TRUE(plain && mirrored);
  EXPECT_TRUE(mirrored->shape().mirrored);
  EXPECT_NE(mirrored->spec(), plain->spec());
  EXPECT_GT(mirrored->multiplications(), plain->multiplications());
  Rng rng(4);
  for (int i = 0; i < 5; ++i) {
    const std::vector<std::uint8_t> square = random_square(shape, rng);
    std::vector<std::uint8_t> image = square;
    for (std::size_t y = 0; y < shape.side; ++y) {
      for (std::size_t x = 0; x < shape.side; ++x) {
        for (std::size_t c = 0; c < 3; ++c) {
          image[(y * shape.side + x) * 3 + c] =
              square[(y * shape.side + shape.side - 1 - x) * 3 + c];
        }
      }
    }
    const HashDescription a = mirrored->describe(square);
    const HashDescription b = mirrored->describe(image);
    EXPECT_EQ(a.code, b.code);
    EXPECT_EQ(a.features, b.features);
    const auto left = plain->describe(square).latent;
    const auto right = plain->describe(image).latent;
    for (std::size_t v = 0; v < shape.bits; ++v) {
      EXPECT_NEAR(a.latent[v], (left[v] + right[v]) / 2, 1e-3F * (1 + std::abs(a.latent[v])));
    }
  }
}

// PROPERTY: a shifted network sees half the picture and a quarter each of the two shifted ones.
TEST(HashModel, ShiftedNetworkSeesThreePictures) {
  HashNetShape shape = kShape;
  shape.mirrored = true;
  const auto plain = HashModel::parse(bytes_of(HashModel::write(shape, random_weights(shape, 3))));
  shape.shifted = true;
  const std::string bytes = HashModel::write(shape, random_weights(shape, 3));
  const auto shifted = HashModel::parse(bytes_of(bytes));
  ASSERT_TRUE(plain && shifted);
  EXPECT_EQ(shifted->shape(), shape);
  EXPECT_FALSE(shifted->sees_as(*plain));
  EXPECT_GT(shifted->multiplications(), 2 * plain->multiplications());
  Rng rng(4);
  const auto side = static_cast<int>(shape.side);
  const std::vector<std::uint8_t> square = random_square(shape, rng);
  const auto moved = [&](int by) {
    std::vector<std::uint8_t> out;
    for (int i = 0; i < side * side * 3; ++i) {
      int y = i / 3 / side + by;
      int x = i / 3 % side + by;
      if (y < 0) y = 1;
      if (x < 0) x = 1;
      if (y == side) y = side - 2;
      if (x == side) x = side - 2;
      out.push_back(square[static_cast<std::size_t>((y * side + x) * 3 + i % 3)]);
    }
    return out;
  };
  const auto still = plain->see(square);
  const auto before = plain->see(moved(-1));
  const auto behind = plain->see(moved(1));
  const auto seen = shifted->see(square);
  ASSERT_NE(before, behind);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_NEAR(seen[i], still[i] / 2 + (before[i] + behind[i]) / 4, 1e-5F * (1 + seen[i]));
  }
}

// The softmax of scores, with length 1; the latent layer takes the shares themselves.
TEST(HashModel, FeaturesMayBeSharesOfClasses) {
  HashNetShape shape = kShape;
  HashWeights weights = random_weights(shape, 3);
  // Scores with a spread of some tens, as those of a trained network have.
  const auto plain = HashModel::parse(bytes_of(HashModel::write(shape, weights)));
  shape.shares = true;
  const auto model = HashModel::parse(bytes_of(HashModel::write(shape, weights)));
  ASSERT_TRUE(plain && model);
  EXPECT_TRUE(model->shape().shares);
  EXPECT_TRUE(model->sees_as(*plain));
  std::vector<float> seen(shape.pooled());
  Rng rng(9);
  for (float& value : seen) value = static_cast<float>(rng.uniform());
  // The scores in double precision, from the numbers of the file.
  std::vector<double> shares;
  double sum = 0;
  const HashWeights& read = model->weights();
  for (std::size_t f = 0; f < shape.features; ++f) {
    double score = double(read.feature_bias[f]);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      score += double(seen[i]) * double(read.features[i * shape.features + f]);
    }
    shares.push_back(std::exp(0.2 * score));
    sum += shares.back();
  }
  double square = 0;
  for (double& share : shares) {
    share /= sum;
    square += share * share;
  }
  const HashDescription description = model->describe_seen(seen);
  for (std::size_t f = 0; f < shape.features; ++f) {
    EXPECT_NEAR(double(description.features[f]), shares[f] / std::sqrt(square), 1e-5);
  }
  for (std::size_t v = 0; v < shape.bits; ++v) {
    double latent = double(read.latent_bias[v]);
    for (std::size_t f = 0; f < shape.features; ++f) {
      latent += shares[f] * double(read.latent[f * shape.bits + v]);
    }
    EXPECT_NEAR(double(description.latent[v]), latent, 1e-5);
  }
}

}  // namespace
}  // namespace twinsift
