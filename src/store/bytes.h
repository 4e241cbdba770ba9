// SPDX-License-Identifier: Apache-2.0
// Little-endian numbers at any address, and bytes that grow by them.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "ingest/reader.h"

namespace twinsift {

// Mapped arrays of numbers are used where they lie.
static_assert(std::endian::native == std::endian::little,
              "collections are little-endian, and so must be the machine");

// Requires: sizeof(T) bytes at `from`.
template <std::integral T>
T load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <std::integral T>
void store(void* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

template <std::integral T>
void append(std::string& bytes, T value) {
  const std::size_t end = bytes.size();
  bytes.resize(end + sizeof(T));
  store(bytes.data() + end, value);
}

inline Digest load_digest(const void* from) {
  return {.low = load<std::uint64_t>(from),
          .high = load<std::uint64_t>(static_cast<const std::byte*>(from) + 8)};
}

inline void append(std::string& bytes, const Digest& digest) {
  append(bytes, digest.low);
  append(bytes, digest.high);
}

inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace twinsift
