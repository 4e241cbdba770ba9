// SPDX-License-Identifier: Apache-2.0
#include "feature/whole_image.h"

#include <cassert>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/crc32c.h"
#include "base/simd.h"
#include "feature/models.h"

namespace twinsift {
namespace {

constexpr std::string_view kMagic = "TSCODES1";
constexpr std::size_t kSizes = kMagic.size();
constexpr std::size_t kCrc = kSizes + 8;
constexpr std::size_t kThresholds = kCrc + 4;
constexpr std::size_t kWeights = kThresholds + 4 * kImageCodeBits;
constexpr std::size_t kFileSize = kWeights + kImageCodeBits * kGistLength;

std::uint32_t load32(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;)
    value = value << 8U | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

void append32(std::string& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<char>(value >> shift & 0xFFU));
  }
}

Error corrupt(const char* what) {
  return {ErrorCode::kCorrupt, std::string("The model of codes ") + what + "."};
}

#if defined(__x86_64__)

TWINSIFT_AVX2 void project_avx2(std::span<const std::int8_t> weights, const Gist& gist,
                                std::span<std::int32_t> out) {
  const std::int8_t* row = weights.data();
  for (std::int32_t& product : out) {
    __m256i even = _mm256_setzero_si256();
    __m256i odd = _mm256_setzero_si256();
    const auto products = [&](std::size_t i) TWINSIFT_AVX2 {
      const void* eight_bits = row + i;
      const __m256i w =
          _mm256_cvtepi8_epi16(_mm_loadu_si128(static_cast<const __m128i*>(eight_bits)));
      return _mm256_madd_epi16(w, load256(&gist.values[i]));
    };
    for (std::size_t i = 0; i < kGistLength; i += 32) {
      even = _mm256_add_epi32(even, products(i));
      odd = _mm256_add_epi32(odd, products(i + 16));
    }
    const __m256i sum = _mm256_add_epi32(even, odd);
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
    product = _mm_cvtsi128_si32(half);
    row += kGistLength;
  }
}

#endif

}  // namespace

void project_scalar(std::span<const std::int8_t> weights, const Gist& gist,
                    std::span<std::int32_t> out) {
  const std::int8_t* row = weights.data();
  for (std::int32_t& product : out) {
    // Below 3 * sqrt(128) * kGistUnit * 128 < 2^31, as the parts of a gist have the length 1.
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < kGistLength; ++i) sum += row[i] * gist.values[i];
    product = sum;
    row += kGistLength;
  }
}

void project(std::span<const std::int8_t> weights, const Gist& gist, std::span<std::int32_t> out) {
  assert(weights.size() == out.size() * kGistLength);
  TWINSIFT_DISPATCH(project, weights, gist, out);
}

Result<CodeModel> CodeModel::parse(std::span<const std::byte> bytes) {
  if (bytes.size() < kMagic.size() ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    return corrupt("does not begin as one");
  }
  if (bytes.size() != kFileSize) return corrupt("is too short or too long");
  if (load32(bytes, kSizes) != kImageCodeBits || load32(bytes, kSizes + 4) != kGistLength) {
    return corrupt("is for codes of another size");
  }
  if (load32(bytes, kCrc) != crc32c(bytes.subspan(kThresholds))) return corrupt("is damaged");
  Planes planes;
  for (std::size_t i = 0; i < kImageCodeBits; ++i) {
    planes.thresholds[i] = static_cast<std::int32_t>(load32(bytes, kThresholds + 4 * i));
  }
  planes.weights.resize(kImageCodeBits * kGistLength);
  std::memcpy(planes.weights.data(), &bytes[kWeights], planes.weights.size());
  return CodeModel(std::move(planes));
}

std::string CodeModel::write(const Planes& planes) {
  assert(planes.weights.size() == kImageCodeBits * kGistLength);
  std::string body;
  for (const std::int32_t threshold : planes.thresholds) {
    append32(body, static_cast<std::uint32_t>(threshold));
  }
  for (const std::int8_t weight : planes.weights) body.push_back(static_cast<char>(weight));
  std::string bytes(kMagic);
  append32(bytes, kImageCodeBits);
  append32(bytes, kGistLength);
  append32(bytes, crc32c(std::as_bytes(std::span(body))));
  return bytes + body;
}

const CodeModel& CodeModel::shipped() {
  static const CodeModel model = [] {
    Result<CodeModel> parsed = parse(code_model());
    assert(parsed);
    return parsed ? *std::move(parsed) : CodeModel(Planes{});
  }();
  return model;
}

ImageCode CodeModel::code_of(const Gist& gist) const {
  std::array<std::int32_t, kImageCodeBits> products{};
  project(planes_.weights, gist, products);
  ImageCode code{};
  for (std::size_t i = 0; i < kImageCodeBits; ++i) {
    code[i / 64] |= std::uint64_t{products[i] > planes_.thresholds[i]} << i % 64;
  }
  return code;
}

ImageCode CodeModel::code_of(const Thumbnail& thumbnail) const {
  return code_of(gist_of(thumbnail));
}

WholeImage CodeModel::describe(const Thumbnail& thumbnail) const {
  const Gist gist = gist_of(thumbnail);
  return {.code = code_of(gist), .information = gist.information};
}

std::array<ImageCode, kOrientations> CodeModel::codes_of_orientations(
    const Thumbnail& thumbnail) const {
  const Gist gist = gist_of(thumbnail);
  std::array<ImageCode, kOrientations> codes{};
  for (int o = 0; o < kOrientations; ++o) {
    codes[static_cast<std::size_t>(o)] = code_of(oriented(gist, o));
  }
  return codes;
}

int information_of(const Thumbnail& thumbnail) { return gist_of(thumbnail).information; }

}  // namespace twinsift
