// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli): the checksum of everything that is kept on disk.
//
// It finds every error of up to 5 bits in a block of 64 KiB, every burst of up to 32 bits, and lets
// one in 2^32 of all others pass.  It is no defence against an attacker.
//
// Spec: RFC 3720, section 12.1, with the test vectors of its appendix B.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace twinsift {

// The CRC of what `before` is the CRC of, followed by these bytes.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

// The same, without SIMD: the reference.
std::uint32_t crc32c_scalar(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace twinsift
