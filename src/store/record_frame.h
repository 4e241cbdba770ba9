// SPDX-License-Identifier: Apache-2.0
// The 24 bytes before the payload of a record: its length, number and type, and two CRCs, so that a
// bad payload costs one record and the next is still found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "store/record.h"

namespace twinsift {

inline constexpr std::uint64_t kFrameBytes = 24;

// Bytes that `length` bytes of payload take with their zeros behind them.
constexpr std::uint64_t padded(std::uint64_t length) { return (length + 7) / 8 * 8; }

struct RecordFrame {
  std::uint32_t length = 0;
  std::uint64_t sequence = 0;
  std::uint32_t type = 0;
  std::uint32_t payload_crc = 0;
  [[nodiscard]] std::uint64_t record_bytes() const { return kFrameBytes + padded(length); }
};

// What all CRCs of a data file begin with.
std::uint32_t crc_of_salt(std::uint64_t salt);

std::string encode_frame(const RecordBytes& record, std::uint64_t sequence, std::uint32_t salt_crc);

// Nothing if these are not the first bytes of a record.
std::optional<RecordFrame> decode_frame(std::span<const std::byte> bytes, std::uint32_t salt_crc);

// `bytes`: the payload with its padding.
bool payload_is_good(const RecordFrame& frame, std::span<const std::byte> bytes,
                     std::uint32_t salt_crc);

}  // namespace twinsift
