// SPDX-License-Identifier: Apache-2.0
// Evidence for tests.
#pragma once

#include "twinsift/types.h"

namespace twinsift {

// Everything that can be said of two pictures, in numbers that six digits hold.
inline Evidence picture_evidence() {
  Evidence evidence;
  evidence.bits = 7;
  evidence.learned_bits = 9;
  evidence.correlation = -0.25;
  evidence.same_pixels = true;
  evidence.placement = {.a_to_b = {2, 0, -0.5, 0.125, 2, 0, 0, 0.0625, 1},
                        .frame_of_b = {{{0.25, 0}, {1.5, 0}, {1, 1}, {0, -1}}},
                        .mirrored = true,
                        .turned = -25.5,
                        .scale = 0.5,
                        .covered_a = 0.48,
                        .covered_b = 0.99,
                        .matched = 143,
                        .points = {{{0.125, 0.25}, {0.375, 0.5}}, {{0.5, 0.625}, {0.75, 0.875}}}};
  return evidence;
}

// Everything that can be said of two films, in numbers that six digits hold: b begins later, lacks
// the middle, runs faster, is mirrored, and its sound agrees to its half.
inline Evidence recording_evidence() {
  Evidence evidence;
  evidence.film = {.seconds_a = 100,
                   .seconds_b = 50.5,
                   .stretches = {{20, 45, 0.5, 20.5}, {60, 97.5, 20.5, 50.5}},
                   .speed = 1.25,
                   .pitch = 1,
                   .mirrored = true,
                   .agreement = 0.9375};
  evidence.sound = {.seconds_a = 99.5,
                    .seconds_b = 50,
                    .stretches = {{20, 45, 0.5, 20.5}},
                    .speed = 1.25,
                    .pitch = 1.25,
                    .mirrored = false,
                    .agreement = 0.75};
  return evidence;
}

}  // namespace twinsift
