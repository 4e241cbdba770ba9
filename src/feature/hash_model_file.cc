// SPDX-License-Identifier: Apache-2.0
// The file of a HashModel: what docs/models.md describes.
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "base/crc32c.h"
#include "feature/hash_model.h"

namespace twinsift {
namespace {

constexpr std::string_view kMagic = "TSHASH1\n";
constexpr std::string_view kMirrored = "TSHASH2\n";  // of a network that looks at mirror images
constexpr std::string_view kFlagged = "TSHASH3\n";   // of one that has flags
constexpr std::size_t kSizes = 13;                   // u32 each, after the magic; then the flags

constexpr std::uint32_t kLooksMirrored = 1;
constexpr std::uint32_t kLooksShifted = 2;
constexpr std::uint32_t kHasShares = 4;
constexpr std::uint32_t kAllFlags = 7;

std::uint32_t flags_of(const HashNetShape& shape) {
  return (shape.mirrored ? kLooksMirrored : 0U) | (shape.shifted ? kLooksShifted : 0U) |
         (shape.shares ? kHasShares : 0U);
}

void append32(std::string& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<char>(value >> shift & 0xFFU));
  }
}
void append16(std::string& bytes, std::uint16_t value) {
  bytes.push_back(static_cast<char>(value & 0xFFU));
  bytes.push_back(static_cast<char>(value >> 8U));
}

std::uint32_t load_le(std::span<const std::byte> bytes, std::size_t at, std::size_t length) {
  std::uint32_t value = 0;
  for (std::size_t i = length; i-- > 0;) {
    value = value << 8U | std::to_integer<std::uint32_t>(bytes[at + i]);
  }
  return value;
}

// IEEE 754 binary16: the nearest, ties to even; what is too large becomes the largest.
std::uint16_t to_half(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const auto sign = static_cast<std::uint16_t>(bits >> 16U & 0x8000U);
  const float magnitude = std::fabs(number);
  if (magnitude >= 65504.0F) return static_cast<std::uint16_t>(sign | 0x7BFFU);
  // Adding this makes the hardware round to the unit of the half: 2^-24 below 2^-14.
  if (magnitude < 0x1p-14F) {
    const float rounded = magnitude + 0.5F;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(rounded) - 0x3F000000U));
  }
  const std::uint32_t even = bits >> 13U & 1U;
  const std::uint32_t rounded = (bits & 0x7FFFFFFFU) + 0xFFFU + even;
  return static_cast<std::uint16_t>(sign | ((rounded >> 13U) - ((127U - 15U) << 10U)));
}

float from_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16U;
  const std::uint32_t exponent = half >> 10U & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {
    const float small = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -small : small;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wide << 23U | fraction << 13U);
}

Error corrupt(std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("The model of learned codes {}.", what)};
}

std::array<std::size_t, kSizes> sizes_of(const HashNetShape& s, const HashCalibration& c) {
  return {s.side,      s.colours, s.stem_kernel, s.stem_stride, s.stem, s.widths[0], s.widths[1],
          s.widths[2], s.cells,   s.features,    s.bits,        c.near, c.far};
}

}  // namespace

std::string HashModel::write(const HashNetShape& shape, HashWeights weights,
                             const HashCalibration& calibration) {
  std::string body;
  for (const HashWeights::Part& part : weights.parts(shape)) {
    for (const float number : *part.numbers) {
      if (part.half) {
        append16(body, to_half(number));
      } else {
        append32(body, std::bit_cast<std::uint32_t>(number));
      }
    }
  }
  const bool flagged = shape.shifted || shape.shares;
  std::string bytes(flagged ? kFlagged : shape.mirrored ? kMirrored : kMagic);
  for (const std::size_t size : sizes_of(shape, calibration)) {
    append32(bytes, static_cast<std::uint32_t>(size));
  }
  if (flagged) append32(bytes, flags_of(shape));
  std::string covered = bytes + body;
  append32(bytes, crc32c(std::as_bytes(std::span(covered))));
  return bytes + body;
}

Result<HashModel> HashModel::parse(std::span<const std::byte> bytes) {
  if (bytes.size() < kMagic.size() || std::memcmp(bytes.data(), kMagic.data(), 6) != 0) {
    return corrupt("does not begin as one");
  }
  const auto begins = [&](std::string_view magic) {
    return std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
  };
  const bool flagged = begins(kFlagged);
  if (!flagged && !begins(kMirrored) && !begins(kMagic)) {
    return Error{ErrorCode::kUnsupported, "The model of learned codes is of another version."};
  }
  const std::size_t crc_at = kMagic.size() + 4 * (kSizes + (flagged ? 1 : 0));
  const std::size_t body = crc_at + 4;
  if (bytes.size() < body) return corrupt("is cut off");
  std::array<std::size_t, kSizes> s{};
  for (std::size_t i = 0; i < kSizes; ++i) s[i] = load_le(bytes, kMagic.size() + 4 * i, 4);
  const std::uint32_t flags = flagged             ? load_le(bytes, crc_at - 4, 4)
                              : begins(kMirrored) ? kLooksMirrored
                                                  : 0;
  const HashNetShape shape{.side = s[0],
                           .colours = s[1],
                           .stem_kernel = s[2],
                           .stem_stride = s[3],
                           .stem = s[4],
                           .widths = {s[5], s[6], s[7]},
                           .cells = s[8],
                           .features = s[9],
                           .bits = s[10],
                           .mirrored = (flags & kLooksMirrored) != 0,
                           .shifted = (flags & kLooksShifted) != 0,
                           .shares = (flags & kHasShares) != 0};
  const HashCalibration calibration{.near = static_cast<std::uint32_t>(s[11]),
                                    .far = static_cast<std::uint32_t>(s[12])};
  if (!shape.check() || s[11] > s[12] || s[12] > shape.bits || flags > kAllFlags) {
    return corrupt("says sizes that cannot be");
  }
  HashWeights weights;
  std::size_t wanted = body;
  for (const auto& part : weights.parts(shape)) wanted += part.size * (part.half ? 2 : 4);
  if (bytes.size() != wanted) return corrupt("is too short or too long");
  const std::uint32_t crc = crc32c(bytes.subspan(body), crc32c(bytes.first(crc_at)));
  if (load_le(bytes, crc_at, 4) != crc) return corrupt("is damaged");
  std::size_t at = body;
  for (const auto& part : weights.parts(shape)) {
    part.numbers->reserve(part.size);
    for (std::size_t i = 0; i < part.size; ++i) {
      const float number = part.half ? from_half(static_cast<std::uint16_t>(load_le(bytes, at, 2)))
                                     : std::bit_cast<float>(load_le(bytes, at, 4));
      if (!std::isfinite(number)) return corrupt("has a number that is none (NaN or infinite)");
      part.numbers->push_back(number);
      at += part.half ? 2U : 4U;
    }
  }
  const std::uint64_t id = XXH3_64bits(bytes.data(), bytes.size());
  return HashModel(
      shape, std::move(weights), calibration,
      fmt::format("siamese1:bits={},features={},id={:016x}", shape.bits, shape.features, id));
}

Result<HashModel> HashModel::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (!file || !(bytes << file.rdbuf())) {
    return Error{ErrorCode::kNotFound, path + ": cannot be read"};
  }
  auto model = parse(std::as_bytes(std::span(bytes.view())));
  if (!model) return Error{model.error().code, fmt::format("{}: {}", path, model.error().message)};
  return model;
}

}  // namespace twinsift
