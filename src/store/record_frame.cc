// SPDX-License-Identifier: Apache-2.0
#include "store/record_frame.h"

#include "base/crc32c.h"
#include "store/bytes.h"

namespace twinsift {

std::uint32_t crc_of_salt(std::uint64_t salt) {
  std::string bytes;
  append(bytes, salt);
  return crc32c(as_bytes(bytes));
}

std::string encode_frame(const RecordBytes& record, std::uint64_t sequence,
                         std::uint32_t salt_crc) {
  const std::uint64_t length = record.size();
  constexpr std::byte kZeros[8] = {};
  std::uint32_t crc = salt_crc;
  for (const auto piece : record.pieces()) crc = crc32c(piece, crc);
  crc = crc32c(std::span(kZeros).first(padded(length) - length), crc);
  std::string rest;
  append(rest, static_cast<std::uint32_t>(length));
  append(rest, sequence);
  append(rest, static_cast<std::uint32_t>(record.type));
  append(rest, crc);
  std::string frame;
  append(frame, crc32c(as_bytes(rest), salt_crc));
  return frame + rest;
}

std::optional<RecordFrame> decode_frame(std::span<const std::byte> bytes, std::uint32_t salt_crc) {
  if (bytes.size() < kFrameBytes) return std::nullopt;
  const std::byte* p = bytes.data();
  if (load<std::uint32_t>(p) != crc32c(bytes.subspan(4, kFrameBytes - 4), salt_crc)) {
    return std::nullopt;
  }
  const RecordFrame frame{.length = load<std::uint32_t>(p + 4),
                          .sequence = load<std::uint64_t>(p + 8),
                          .type = load<std::uint32_t>(p + 16),
                          .payload_crc = load<std::uint32_t>(p + 20)};
  if (frame.length > kMaxPayload) return std::nullopt;
  return frame;
}

bool payload_is_good(const RecordFrame& frame, std::span<const std::byte> bytes,
                     std::uint32_t salt_crc) {
  return bytes.size() == padded(frame.length) && crc32c(bytes, salt_crc) == frame.payload_crc;
}

}  // namespace twinsift
