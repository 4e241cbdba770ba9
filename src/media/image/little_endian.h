// SPDX-License-Identifier: Apache-2.0
// Numbers as files store them.  Require: the bytes are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace twinsift {

inline std::uint32_t read_u16(std::span<const std::byte> bytes, std::size_t at) {
  return std::to_integer<std::uint32_t>(bytes[at]) | std::to_integer<std::uint32_t>(bytes[at + 1])
                                                         << 8U;
}

inline std::uint32_t read_u32(std::span<const std::byte> bytes, std::size_t at) {
  return read_u16(bytes, at) | read_u16(bytes, at + 2) << 16U;
}

}  // namespace twinsift
