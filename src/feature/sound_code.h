// SPDX-License-Identifier: Apache-2.0
// The code of one moment of sound: a bit for each of 128 pitches, a third of a semitone apart.
//
// At another pitch, what was said of pitch i is said of pitch i + shift: a transposed code is a
// shifted one.  See sound_print.h for what the bits mean.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace twinsift {

inline constexpr int kSoundBits = 128;
inline constexpr int kMostShift = 5;  // 1.67 semitones, 10 %, up or down

using SoundCode = std::array<std::uint64_t, 2>;  // bit i: pitch i, from low to high

// Bit i of the result is bit i + shift of the code, or 0.  Requires: |shift| < 64.
constexpr SoundCode shifted(const SoundCode& code, int shift) {
  if (shift == 0) return code;
  if (shift > 0) {
    const auto by = static_cast<unsigned>(shift);
    return {code[0] >> by | code[1] << (64 - by), code[1] >> by};
  }
  const auto by = static_cast<unsigned>(-shift);
  return {code[0] << by, code[1] << by | code[0] >> (64 - by)};
}

// A moment of steady tones, of silence or of one click says nothing: hardly a bit is set, or all.
inline bool is_heard(const SoundCode& code) {
  const int ones = std::popcount(code[0]) + std::popcount(code[1]);
  return ones >= 16 && ones <= kSoundBits - 16;
}

// Every eighth bit from `first` on, 15 of them: pitches so far apart that they are nearly
// independent.  Requires: 0 <= first < 16.
constexpr std::uint32_t spread_bits(const SoundCode& code, unsigned first) {
  constexpr std::uint64_t kLowBits = 0x0101010101010101U;
  constexpr std::uint64_t kGather = 0x0102040810204080U;
  const SoundCode moved = shifted(code, static_cast<int>(first));
  const auto low = static_cast<std::uint32_t>((moved[0] & kLowBits) * kGather >> 56U);
  const auto high = static_cast<std::uint32_t>((moved[1] & kLowBits) * kGather >> 56U);
  return (low | high << 8U) & 0x7FFFU;
}

}  // namespace twinsift
