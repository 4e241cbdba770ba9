// SPDX-License-Identifier: Apache-2.0
#include "feature/whole_image.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/bit_code.h"
#include "base/random.h"
#include "feature/models.h"

namespace twinsift {
namespace {

// Blobs and stripes without any symmetry, of integers only.
Thumbnail scene(int gain = 4, int offset = 0) {
  Thumbnail thumbnail{};
  for (int i = 0; i < 64 * 64; ++i) {
    const int x = i % 64;
    const int y = i / 64;
    const auto blob = [&](int at_x, int at_y, int size) {
      return 30 * size / (size + (x - at_x) * (x - at_x) + (y - at_y) * (y - at_y));
    };
    const int stripes = (x * 9 + y * 4) / 64 % 2 * 8;
    const int value = blob(20, 13, 100) + blob(45, 40, 200) + blob(6, 57, 50) + stripes;
    thumbnail[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(gain * value / 2 + offset);
  }
  return thumbnail;
}

Thumbnail noise(std::uint64_t seed) {
  Rng rng(seed);
  Thumbnail thumbnail{};
  for (std::uint8_t& pixel : thumbnail) pixel = static_cast<std::uint8_t>(rng.next() >> 56U);
  return thumbnail;
}

std::uint32_t distance(const ImageCode& a, const ImageCode& b) { return hamming_distance(a, b); }

CodeModel random_model(std::uint64_t seed) {
  Rng rng(seed);
  CodeModel::Planes planes;
  for (std::size_t i = 0; i < kImageCodeBits * kGistLength; ++i) {
    planes.weights.push_back(static_cast<std::int8_t>(rng.next() >> 56U));
  }
  for (std::int32_t& threshold : planes.thresholds) {
    threshold = static_cast<std::int32_t>(rng.below(2000001)) - 1000000;
  }
  const std::string bytes = CodeModel::write(planes);
  return *CodeModel::parse(std::as_bytes(std::span(bytes)));
}

// A model that is fitted anew gets another name (docs/models.md): what is stored stays valid.
TEST(WholeImage, CodesAreWhatTheyWere) {
  const ImageCode code = CodeModel::shipped().code_of(scene());
  EXPECT_EQ(fmt::format("{:016x} {:016x} {:016x} {:016x}", code[0], code[1], code[2], code[3]),
            "bc95a93296cf5851 d7897ba162659c27 2bb427445ad47171 d18e98fa1b29d822");
}

TEST(WholeImage, CodesOfOrientationsAreThoseOfTurnedPictures) {
  for (const CodeModel& model : {CodeModel::shipped(), random_model(1)}) {
    for (const Thumbnail& thumbnail : {scene(), noise(1), noise(2), Thumbnail{}}) {
      const auto codes = model.codes_of_orientations(thumbnail);
      for (int o = 0; o < kOrientations; ++o) {
        EXPECT_EQ(codes[static_cast<std::size_t>(o)], model.code_of(oriented(thumbnail, o))) << o;
      }
    }
  }
}

TEST(WholeImage, OtherPicturesAndOtherOrientationsAreFarAway) {
  const auto codes = CodeModel::shipped().codes_of_orientations(scene());
  for (std::size_t o = 1; o < codes.size(); ++o) EXPECT_GE(distance(codes[0], codes[o]), 70U) << o;
  EXPECT_GE(distance(codes[0], CodeModel::shipped().code_of(noise(1))), 70U);
}

TEST(WholeImage, BrightnessAndContrastDoNotMatter) {
  const CodeModel& model = CodeModel::shipped();
  EXPECT_EQ(model.code_of(scene(2, 90)), model.code_of(scene(4, 5)));
  EXPECT_EQ(model.code_of(scene(6)), model.code_of(scene(4)));
}

TEST(WholeImage, SomeNoiseHardlyMatters) {
  Rng rng(5);
  Thumbnail noisy = scene();
  for (std::uint8_t& pixel : noisy) pixel = static_cast<std::uint8_t>(pixel + rng.below(5));
  const auto bits =
      distance(CodeModel::shipped().code_of(scene()), CodeModel::shipped().code_of(noisy));
  EXPECT_GT(bits, 0U);
  EXPECT_LE(bits, 40U);
}

TEST(WholeImage, DescribesCodeAndInformation) {
  const WholeImage whole = CodeModel::shipped().describe(scene());
  EXPECT_EQ(whole.code, CodeModel::shipped().code_of(scene()));
  EXPECT_EQ(whole.information, information_of(scene()));
  EXPECT_GE(whole.information, kLeastInformation);
}

TEST(WholeImage, BlankPicturesAreToldApart) {
  const auto information = [](const auto& paint) {
    Thumbnail thumbnail{};
    for (int i = 0; i < 64 * 64; ++i) {
      thumbnail[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(paint(i % 64, i / 64));
    }
    return information_of(thumbnail);
  };
  Rng rng(6);
  EXPECT_LT(information([](int, int) { return 128; }), kLeastInformation);
  EXPECT_LT(information([&](int, int) { return 128 + static_cast<int>(rng.below(2)); }),
            kLeastInformation);
  EXPECT_LT(information([](int x, int) { return 4 * x; }), kLeastInformation);
  EXPECT_LT(information([](int x, int y) { return 2 * x + y; }), kLeastInformation);
  EXPECT_LT(information([](int x, int y) { return x / 2 == 10 && y / 2 == 9 ? 0 : 255; }),
            kLeastInformation);
}

TEST(WholeImage, ProjectionAgreesWithItsReference) {
  Rng rng(7);
  std::vector<std::int8_t> weights(kImageCodeBits * kGistLength);
  for (std::int8_t& weight : weights) weight = static_cast<std::int8_t>(rng.next() >> 56U);
  std::fill_n(weights.begin(), kGistLength, std::int8_t{-128});
  for (const Thumbnail& thumbnail : {scene(), noise(3)}) {
    const Gist gist = gist_of(thumbnail);
    std::array<std::int32_t, kImageCodeBits> fast{};
    std::array<std::int32_t, kImageCodeBits> plain{};
    project(weights, gist, fast);
    project_scalar(weights, gist, plain);
    EXPECT_EQ(fast, plain);
  }
}

TEST(CodeModel, IsReadBack) {
  const std::span<const std::byte> bytes = code_model();
  ASSERT_TRUE(CodeModel::parse(bytes));
  EXPECT_LE(bytes.size(), 300000U);
  EXPECT_NE(random_model(1).code_of(scene()), random_model(2).code_of(scene()));
  EXPECT_EQ(random_model(1).code_of(scene()), random_model(1).code_of(scene()));
}

TEST(CodeModel, DamagedBytesAreRefused) {
  const std::vector<std::byte> good(code_model().begin(), code_model().end());
  const auto refused = [](std::span<const std::byte> bytes) {
    const auto parsed = CodeModel::parse(bytes);
    return !parsed && parsed.error().code == ErrorCode::kCorrupt;
  };
  for (std::size_t length = 0; length < good.size(); length += length < 64 ? 1 : 997) {
    EXPECT_TRUE(refused(std::span(good).first(length))) << length;
  }
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  EXPECT_TRUE(refused(longer));
  for (std::size_t at = 0; at < good.size(); at += at < 64 ? 1 : 1009) {
    std::vector<std::byte> bad = good;
    bad[at] ^= std::byte{0x10};
    EXPECT_TRUE(refused(bad)) << at;
  }
}

}  // namespace
}  // namespace twinsift
