// SPDX-License-Identifier: Apache-2.0
// The numbers that record.cc writes and record_decode.cc reads.
#pragma once

#include <cstdint>

namespace twinsift {

inline constexpr std::uint32_t kFileDigest = 1;
inline constexpr std::uint32_t kFileDropped = 2;
inline constexpr unsigned kFileUnrecognisedShift = 8;  // the bits from here on
inline constexpr std::uint32_t kContentWeights = 1;
inline constexpr std::uint32_t kContentPacked = 2;
inline constexpr std::uint32_t kRemovedForget = 1;
inline constexpr std::uint64_t kFileRecordBytes = 88;  // before the path
inline constexpr std::uint32_t kMaxSpec = 4096;

}  // namespace twinsift
