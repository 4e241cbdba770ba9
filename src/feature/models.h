// SPDX-License-Identifier: Apache-2.0
// What was fitted to photos once and is shipped with the program: part of its text, so that it
// cannot be missing and costs nothing until it is touched.  docs/models.md says how each was made.
#pragma once

#include <cstddef>
#include <span>

namespace twinsift {

// models/codes1.bin: the projection of whole pictures to codes.
std::span<const std::byte> code_model();

// models/copies1.bin: the network whose codes tell copies of photos (feature/learned_code.h).
std::span<const std::byte> copy_model();

// models/words1.bin: visual words and the projection of signatures.
std::span<const std::byte> word_model();

}  // namespace twinsift
