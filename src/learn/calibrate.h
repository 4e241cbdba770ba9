// SPDX-License-Identifier: Apache-2.0
// What the distances of learned codes mean.
//
// A pair of strangers is called near if only one pair in a million is as near, counting the eight
// orientations in which a picture is asked for.  No training sees so many pairs: the lower tail of
// the distances that it sees is taken for that of a normal distribution, through the distances
// below which one in ten and one in a hundred lie, and is followed from there.  The least of all
// say nothing: among them are duplicates that the collection has by nature.
//
// What is followed may be wrong by as much as the tail is none of a normal distribution: it is told
// as an estimate, and measured for the models that are shipped (docs/models.md).
#pragma once

#include <cstdint>
#include <span>

#include "feature/hash_model.h"

namespace twinsift {

// histogram[d]: how many pairs of strangers differ in d bits.
HashCalibration calibrate(std::span<const std::uint64_t> histogram);

}  // namespace twinsift
